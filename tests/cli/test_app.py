import json
import subprocess
import sys

import affidavit as package

from .conftest import Command


def test_the_version_is_the_packages(affidavit: Command):
    assert affidavit.process("--version").out == f"affidavit {package.__version__}\n"
    assert affidavit.process("-V").out == affidavit("--version").out


def test_asking_for_the_version_imports_nothing_heavy():
    code = (
        "import sys\nsys.argv = ['affidavit', '--version']\nfrom affidavit.cli import main\nmain()\n"
        "heavy = {'typer', 'rich', 'pydantic', 'lxml', 'sqlalchemy', 'onnxruntime', 'trafilatura', 'pypdfium2'}\n"
        "print(sorted({name.partition('.')[0] for name in sys.modules} & heavy))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.endswith("[]\n")


def test_without_arguments_the_help_is_shown(affidavit: Command):
    ran = affidavit()
    assert ran.status == 0
    for command in ("ask", "verify", "runs", "doctor"):
        assert command in ran.out


def test_every_command_has_help_with_its_options(affidavit: Command):
    assert "--falsifier" in affidavit("ask", "--help").out
    assert "--key" in affidavit("verify", "--help").out
    assert "show" in affidavit("runs", "--help").out


def test_the_doctor_says_what_is_set_up_and_how_to_get_the_rest(affidavit: Command):
    ran = affidavit("doctor")
    assert ran.status == 0
    assert "FTS5" in ran.out
    findings = json.loads(affidavit("doctor", "--json").out)
    assert {finding["part"] for finding in findings} >= {"search", "cache", "data", "ledger", "verifier"}
    assert all(finding["what_to_do"] for finding in findings if finding["state"] == "broken")


def test_the_doctor_finds_a_folder_that_cannot_be_written(affidavit: Command):
    blocked = affidavit.home / "blocked"
    blocked.write_text("")
    affidavit.env["AFFIDAVIT_CACHE_DIR"] = str(blocked / "cache")
    ran = affidavit("doctor", "--json")
    assert ran.status == 3
    (cache,) = [finding for finding in json.loads(ran.out) if finding["part"] == "cache"]
    assert cache["state"] == "broken"
    assert "AFFIDAVIT_CACHE_DIR" in cache["what_to_do"]


def test_the_doctor_says_of_each_search_provider_what_it_lacks_and_costs(affidavit: Command):
    affidavit.env |= {"AFFIDAVIT_SEARCH": "brave, tavily", "TAVILY_API_KEY": "tvly-0123456789abcdef0123"}
    affidavit.env["BRAVE_API_KEY"] = ""
    ran = affidavit("doctor", "--json")
    assert ran.status == 0
    assert "tvly-" not in ran.out + ran.err
    found = {finding["part"]: finding for finding in json.loads(ran.out) if finding["part"].startswith("search: ")}
    assert list(found)[:2] == ["search: brave", "search: tavily"]
    assert len(found) == 12
    assert found["search: brave"]["state"] == "missing"
    assert "BRAVE_API_KEY" in found["search: brave"]["detail"]
    assert found["search: tavily"]["state"] == "ok"
    assert all("as of 20" in finding["detail"] for finding in found.values())


def test_the_doctor_names_a_provider_that_does_not_exist(affidavit: Command):
    affidavit.env["AFFIDAVIT_SEARCH"] = "wikipdia"
    ran = affidavit("doctor")
    assert ran.status == 64
    assert "did you mean 'wikipedia'" in ran.err


def test_the_doctor_tries_a_provider_only_when_told_to(affidavit: Command):
    affidavit.env |= {"AFFIDAVIT_SEARCH": "searxng", "AFFIDAVIT_SEARXNG_URL": "http://127.0.0.1:1"}
    affidavit.env["AFFIDAVIT_SEARCH_SECONDS"] = "3"
    assert affidavit("doctor").status == 0
    ran = affidavit("doctor", "--online", "--json")
    assert ran.status == 3
    (found,) = [finding for finding in json.loads(ran.out) if finding["part"] == "search: searxng"]
    assert found["state"] == "broken"
    assert "unreachable" in found["detail"]


def test_an_error_acts_in_no_terminal_and_is_one_line(affidavit: Command):
    ran = affidavit("check", "none\x1b]0;PWN\x07\x1b[31m\x9b2J\u202e.md", "--source", "s.md")
    assert ran.status == 64
    assert "none.md" in ran.err
    assert ran.err.rstrip("\n").isprintable()


def test_words_that_are_wrong_name_the_help_of_their_command(affidavit: Command):
    for arguments, told in (
        (
            ("check", "x", "--fail-on", "maybe"),
            "'maybe' is not one of 'rejected', 'unsourced' (affidavit check --help)",
        ),
        (("facts", "crawl", "x"), "Missing option '--customer' (affidavit facts crawl --help)"),
        (("nope",), "No such command 'nope' (affidavit --help)"),
    ):
        ran = affidavit(*arguments)
        assert ran.status == 64
        assert ran.err.rstrip().endswith(told)
        assert "Value error" not in ran.err
