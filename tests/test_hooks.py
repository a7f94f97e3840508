"""The pre-commit hook and the GitHub action say what the command line takes, and do what they say."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

from affidavit.cli.check import Derived, FailOn
from affidavit.cli.commands import COMMANDS

ROOT = Path(__file__).resolve().parent.parent
yaml = pytest.importorskip("yaml", reason="PyYAML reads the two files")


def loaded(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


def options() -> set[str]:
    command = COMMANDS["check"].load("check")
    return {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)}


def check_step() -> dict[str, Any]:
    (step,) = [step for step in loaded("action.yml")["runs"]["steps"] if step.get("name") == "Check"]
    return step


def test_both_install_the_judge_beside_the_product():
    (install,) = [step for step in loaded("action.yml")["runs"]["steps"] if step.get("name") == "Install"]
    (hook,) = loaded(".pre-commit-hooks.yaml")
    from_action = [place.removeprefix("/") for place in re.findall(r'"\$ACTION(/?\w*)"', install["run"])]
    from_hook = [".", *hook["additional_dependencies"]]
    for places in (from_action, from_hook):
        names = [tomllib.loads((ROOT / place / "pyproject.toml").read_text())["project"]["name"] for place in places]
        assert names == ["affidavit", "affidavit-judge"]


def test_the_hook_takes_options_that_the_command_has():
    (hook,) = loaded(".pre-commit-hooks.yaml")
    words = [*hook["entry"].split(), *hook["args"]]
    assert words[:2] == ["affidavit", "check"]
    assert {word for word in words if word.startswith("--")} <= options()
    # Every draft in one process: sources are read once, and the gravest status decides.
    assert hook["require_serial"] is True


def test_the_action_takes_options_that_the_command_has_and_uses_all_its_inputs():
    step, action = check_step(), loaded("action.yml")
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", step["run"]))
    assert named
    assert named <= options()
    used = set(re.findall(r"\$\{\{ inputs\.([\w-]+) \}\}", json.dumps(action["runs"])))
    assert used == set(action["inputs"])
    for name in step["env"]:
        assert f"${name}" in step["run"]
    assert "${{" not in step["run"], "what a caller writes is data, never part of the script"
    for choice, values, default in (("fail-on", FailOn, FailOn.REJECTED), ("derived", Derived, Derived.REPORT)):
        assert action["inputs"][choice]["default"] == default
        for value in values:
            assert value in action["inputs"][choice]["description"]


def test_the_documentation_shows_the_hook_by_its_name():
    (hook,) = loaded(".pre-commit-hooks.yaml")
    blocks = [
        yaml.safe_load(token.content)
        for token in MarkdownIt().parse((ROOT / "docs/check.md").read_text(encoding="utf-8"))
        if token.type == "fence" and token.info == "yaml"
    ]
    shown = [one for block in blocks if isinstance(block, list) for repo in block for one in repo.get("hooks", ())]
    assert [one["id"] for one in shown] == [hook["id"]]
    inputs = [step["with"] for block in blocks if isinstance(block, dict) for step in block["steps"] if "with" in step]
    assert inputs
    assert set(inputs[0]) <= set(loaded("action.yml")["inputs"])


@pytest.mark.skipif(sys.platform == "win32", reason="needs bash")
def test_the_actions_script_checks_every_draft_and_leaves_both_files(tmp_path: Path):
    (tmp_path / "sources").mkdir()
    (tmp_path / "sources/bridge.txt").write_text("The harbour bridge was opened in 1902. It carries 40 tonnes.\n")
    (tmp_path / "-good.md").write_text("The harbour bridge was opened in 1902.\n")
    (tmp_path / "the bad.md").write_text("The harbour bridge carries 70 tonnes.\n")
    inputs = {name: one.get("default", "") for name, one in loaded("action.yml")["inputs"].items()}
    inputs |= {"draft": "-good.md\r\n\nthe bad.md\n", "sources": "sources\n\n"}
    step = check_step()
    given = {name: inputs[value.split("inputs.")[1].split(" ")[0]] for name, value in step["env"].items()}
    home = {
        "AFFIDAVIT_CACHE_DIR": str(tmp_path / "cache"),
        "AFFIDAVIT_DATA_DIR": str(tmp_path / "data"),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }
    ran = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=tmp_path,
        env=os.environ | home | given,
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert "the bad.md:1" in ran.stdout
    log = json.loads((tmp_path / "affidavit.sarif").read_text(encoding="utf-8"))
    assert len(log["runs"][0]["artifacts"]) == 2
    assert [result["level"] for result in log["runs"][0]["results"]] == ["error"]
    assert (tmp_path / "affidavit-unsourced.txt").is_file()
