import json
import subprocess
import sys

import affidavit as package

from .conftest import Command


def test_the_version_is_the_packages(affidavit: Command):
    assert affidavit("--version").out == f"affidavit {package.__version__}\n"
    assert affidavit("-V").out == affidavit("--version").out


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
