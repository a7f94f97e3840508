import subprocess
import sys
from importlib import util

import pytest

from affidavit.egress.keys import Keys
from affidavit.errors import MissingExtra, UserError
from affidavit.models.providers import Protocol, check_ready, model_keys, model_name, providers

KEY = "key-of-the-provider-123456"


def test_every_provider_of_the_table_has_a_fixed_address_and_a_variable():
    found = providers()
    assert set(found) == {"openai", "anthropic", "google", "mistral", "openrouter", "ollama"}
    for provider in found.values():
        assert provider.url.startswith("https://") or provider.keyless
        assert provider.keys
        assert not provider.own


def test_a_server_of_ones_own_speaks_openais_protocol_and_needs_no_key():
    mine = providers({"mine": "http://127.0.0.1:8080/v1/"})["mine"]
    assert (mine.url, mine.keys, mine.own, mine.keyless) == ("http://127.0.0.1:8080/v1", ("MINE_API_KEY",), True, True)
    check_ready(model_name("mine:a/b:c", {"mine": mine}, "models.writer"), Keys({}))


def test_a_server_may_stand_where_a_provider_stood():
    found = providers({"openai": "https://gateway.example/v1", "anthropic": "https://gateway.example/a"})
    assert (found["openai"].url, found["openai"].speaks) == ("https://gateway.example/v1", Protocol.OPENAI_CHAT)
    assert found["anthropic"].speaks is Protocol.ANTHROPIC
    assert found["openai"].keys == ("OPENAI_API_KEY",)


@pytest.mark.parametrize(
    ("name", "address", "said"),
    [
        ("Mine", "http://a/v1", "lower-case"),
        ("a:b", "http://a/v1", "lower-case"),
        ("mine", "127.0.0.1:8080", "web address|only http"),
        ("mine", "ftp://a/v1", "only http and https"),
        ("mine", "http://user:secret@a/v1", "without user name"),
        ("mine", "http://a/v1?key=1", "without user name, password, query"),
    ],
)
def test_an_address_that_cannot_be_one_is_refused(name: str, address: str, said: str):
    with pytest.raises(UserError, match=said) as error:
        providers({name: address})
    assert "secret" not in str(error.value)


@pytest.mark.parametrize("text", ["gpt-6-luna", "openai:", ":x", ""])
def test_a_model_is_written_with_its_provider(text: str):
    with pytest.raises(UserError, match="provider"):
        model_name(text, providers(), "models.writer")


def test_an_unknown_provider_is_named_with_what_there_is_and_how_to_add_one():
    with pytest.raises(UserError, match=r"models\.writer = 'opanai:x'.*'opanai'.*openai, .*models\.servers\.opanai"):
        model_name("opanai:x", providers(), "models.writer")


def test_a_missing_key_is_named_with_its_variable():
    model = model_name("google:gemini-3.5-flash", providers(), "models.writer")
    with pytest.raises(UserError, match=r"GOOGLE_API_KEY or GEMINI_API_KEY.*affidavit\[llm\]"):
        check_ready(model, model_keys(providers(), {}))
    check_ready(model, model_keys(providers(), {"GEMINI_API_KEY": KEY}))


@pytest.mark.parametrize("gone", ["pydantic_ai", "anthropic"])
def test_a_missing_library_is_named_with_the_extra_and_the_key(gone: str, monkeypatch: pytest.MonkeyPatch):
    found = util.find_spec
    monkeypatch.setattr("affidavit.models.providers.find_spec", lambda name: None if name == gone else found(name))
    model = model_name("anthropic:claude-haiku-5-5", providers(), "models.writer")
    with pytest.raises(MissingExtra, match=r"pip install 'affidavit\[llm\]', and a key in ANTHROPIC_API_KEY"):
        check_ready(model, Keys({}))


def test_the_first_variable_that_is_set_is_the_key():
    known = providers()
    keys = model_keys(known, {"GEMINI_API_KEY": KEY, "GOOGLE_API_KEY": KEY + "-first", "OPENAI_API_KEY": "", "X": "y"})
    assert known["google"].key(keys) == KEY + "-first"
    assert known["openai"].key(keys) is None
    assert KEY not in repr(keys)


def test_nothing_that_is_slow_to_import_is_imported_before_a_model_is_asked():
    slow = {"pydantic_ai", "openai", "anthropic", "google.genai", "mistralai"}
    code = f"import affidavit.house, sys; print(sorted({slow} & {{*sys.modules}}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
