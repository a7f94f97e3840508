import re
from pathlib import Path

import pytest
from pydantic import BaseModel, ValidationError

from affidavit.errors import UserError
from affidavit.models.roles import Role
from affidavit.settings import Models, ReplyTokens, Settings, load_settings

DOCS = Path(__file__).parents[1] / "docs"


@pytest.fixture(autouse=True)
def no_file_of_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def test_an_argument_beats_the_environment_beats_the_file_beats_the_default(tmp_path: Path):
    file = tmp_path / "settings.toml"
    file.write_text("max_fetches = 2\nmax_spans = 3\nmax_claims = 4\n")
    env = {"AFFIDAVIT_CONFIG": str(file), "AFFIDAVIT_MAX_SPANS": "5", "AFFIDAVIT_MAX_CLAIMS": "6"}
    settings = load_settings(env, max_claims=7)
    assert (settings.max_fetches, settings.max_spans, settings.max_claims) == (2, 5, 7)
    assert settings.max_searches == Settings().max_searches


def test_an_argument_of_none_is_no_argument():
    assert load_settings({}, max_claims=None).max_claims == Settings().max_claims


@pytest.mark.parametrize(
    ("env", "said"),
    [
        ({"AFFIDAVIT_MAX_FETCHS": "3"}, "did you mean 'max_fetches'"),
        ({"AFFIDAVIT_MAX_FETCHES": "many"}, "max_fetches = 'many'"),
        ({"AFFIDAVIT_MAX_FETCHES": "0"}, "max_fetches"),
        ({"AFFIDAVIT_MAX_SECONDS": "-1"}, "max_seconds"),
        ({"AFFIDAVIT_SEARCH_REGION": "Germany"}, "search_region = 'Germany'"),
        ({"AFFIDAVIT_SEARCH_LANGUAGE": "de/x"}, "search_language"),
        ({"AFFIDAVIT_CONFIG": "no-such-file.toml"}, "no-such-file.toml, which does not exist"),
    ],
)
def test_a_wrong_setting_is_named_with_its_value(env: dict[str, str], said: str):
    with pytest.raises(UserError, match=said.replace(".", r"\.")):
        load_settings(env)


@pytest.mark.parametrize(
    ("content", "said"), [("max_fetches = ", "not valid TOML"), ("fetches = 3", "unknown setting")]
)
def test_a_wrong_file_is_named(tmp_path: Path, content: str, said: str):
    file = tmp_path / "settings.toml"
    file.write_text(content)
    with pytest.raises(UserError, match=said) as error:
        load_settings({"AFFIDAVIT_CONFIG": str(file)})
    assert str(file) in str(error.value)


@pytest.mark.parametrize("given", ["brave,tavily", " brave , tavily ,", "brave, tavily"])
def test_a_list_is_written_with_commas_in_the_environment(given: str):
    assert load_settings({"AFFIDAVIT_SEARCH": given}).search == ("brave", "tavily")


def test_a_list_is_a_list_in_a_file(tmp_path: Path):
    file = tmp_path / "settings.toml"
    file.write_text('search = ["brave", "tavily"]\n')
    assert load_settings({"AFFIDAVIT_CONFIG": str(file)}).search == ("brave", "tavily")


def test_paths_are_absolute_and_the_home_is_known(tmp_path: Path):
    settings = load_settings({"AFFIDAVIT_CACHE_DIR": "~/somewhere", "AFFIDAVIT_DATA_DIR": "here"})
    assert settings.cache_dir == Path.home() / "somewhere"
    assert settings.data_dir == Path.cwd() / "here"


def test_settings_cannot_be_changed():
    with pytest.raises(ValidationError):
        load_settings({}).max_claims = 3  # pyright: ignore[reportAttributeAccessIssue]


def test_a_table_is_written_with_two_underscores_in_the_environment(tmp_path: Path):
    file = tmp_path / "settings.toml"
    file.write_text('[models]\nresearcher = "openai:one"\nverifier = "openai:two"\n')
    env = {
        "AFFIDAVIT_CONFIG": str(file),
        "AFFIDAVIT_MODELS__VERIFIER": "local:three",
        "AFFIDAVIT_MODELS__SERVERS__LOCAL": "http://127.0.0.1:8080/v1",
    }
    models = load_settings(env, models={"judge": "openai:four"}).models
    assert (models.researcher, models.verifier, models.judge) == ("openai:one", "local:three", "openai:four")
    assert models.servers == {"local": "http://127.0.0.1:8080/v1"}


@pytest.mark.parametrize(
    ("env", "said"),
    [
        ({"AFFIDAVIT_MODELS__VERIFYER": "x:y"}, "did you mean 'models.verifier'"),
        ({"AFFIDAVIT_MODELS__AT_ONCE": "0"}, "models.at_once = '0'"),
        ({"AFFIDAVIT_MODELS": "x:y", "AFFIDAVIT_MODELS__JUDGE": "x:y"}, "AFFIDAVIT_MODELS__JUDGE is part of models"),
        ({"AFFIDAVIT_MODELS": "x:y"}, "models = 'x:y'"),
    ],
)
def test_a_wrong_setting_of_a_table_is_named(env: dict[str, str], said: str):
    with pytest.raises(UserError, match=said.replace(".", r"\.")):
        load_settings(env)


def documented(page: str, heading: str) -> dict[str, str]:
    """The settings that the table under `heading` names, each with its default as it is told there."""
    told = (DOCS / page).read_text().split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    found: dict[str, str] = {}
    for row in re.findall(r"^\| (`.+?) \| (.*?) \|", told, re.MULTILINE):
        names = re.findall(r"`(?:models\.|…\.)?(\w+)`", row[0])
        defaults = row[1].split(", ")
        found |= dict(zip(names, defaults if len(defaults) == len(names) else [""] * len(names), strict=True))
    return found


@pytest.mark.parametrize(
    ("page", "heading", "settings", "elsewhere"),
    [
        ("ask.md", "Settings", Settings, set[str]()),
        ("models.md", "What a call may take", Models, {*Role, "verify_own", "servers", "prices"}),
        ("models.md", "The longest replies", ReplyTokens, set[str]()),
    ],
)
def test_every_setting_is_documented_with_its_default(
    page: str, heading: str, settings: type[BaseModel], elsewhere: set[str]
):
    found = documented(page, heading)
    assert set(found) == set(settings.model_fields) - elsewhere
    text = (DOCS / page).read_text()
    assert all(f"`{name}`" in text or f"models.{name}" in text or f"[models.{name}]" in text for name in elsewhere)
    for name, told in found.items():
        if re.fullmatch(r"[\d.]+", told):
            assert float(told) == settings.model_fields[name].get_default(), name
