"""The files in deploy/ say what docs/gateway.md promises, and call the command by options that it has."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from affidavit.cli.commands import COMMANDS
from affidavit.egress.policy import load_web_policy
from affidavit.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))


yaml = pytest.importorskip("yaml", reason="PyYAML reads compose.yaml")


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def services(compose: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return compose["services"]


def unit(name: str) -> dict[str, list[str]]:
    """The settings of a unit; systemd lets a name come several times."""
    found: dict[str, list[str]] = {}
    for line in (DEPLOY / "systemd" / name).read_text(encoding="utf-8").splitlines():
        key, sign, value = line.partition("=")
        if sign and not line.startswith("#"):
            found.setdefault(key, []).append(value)
    return found


def options(command: str) -> set[str]:
    parameters = COMMANDS[command].load(command).params
    return {name for parameter in parameters for name in (*parameter.opts, *parameter.secondary_opts)}


def test_no_container_is_more_than_it_needs_to_be(services):
    for name, service in services.items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert "no-new-privileges:true" in service["security_opt"], name
        assert not service["user"].startswith(("0", "root")), name
        assert not {"ports", "privileged", "cap_add", "devices", "pid"} & set(service), name
        assert service["mem_limit"], name


def test_the_worker_has_no_network_no_keys_and_a_socket_it_cannot_replace(services):
    for name in ("worker", "worker-with-model"):
        assert "env_file" not in services[name]
        assert [volume for volume in services[name]["volumes"] if "/run/affidavit" in volume] == [
            "socket:/run/affidavit:ro"
        ]
    assert services["worker"]["network_mode"] == "none"
    assert "networks" not in services["worker"]
    assert services["worker-with-model"]["networks"] == ["model"]


def test_the_models_network_has_no_way_out(compose, services):
    assert compose["networks"]["model"]["internal"] is True
    assert "model" not in services["gateway"]["networks"]


def test_what_is_called_is_what_the_command_takes(services):
    lines = [services["gateway"]["command"], services["gateway"]["healthcheck"]["test"][2:]]
    lines += [unit(path.name)["ExecStart"][0].split()[1:] for path in UNITS]
    for words in lines:
        named = {word for word in words if word.startswith("--")}
        assert named <= options(words[0]), words
    variables = re.findall(
        r"AFFIDAVIT_([A-Z_]+)[=:]", "".join(path.read_text() for path in (*UNITS, DEPLOY / "compose.yaml"))
    )
    assert {name.lower() for name in variables} - {"version"} <= set(Settings.model_fields)


def test_both_ends_name_one_socket(services):
    place = "unix:/run/affidavit/gateway.sock"
    assert services["worker"]["environment"]["AFFIDAVIT_GATEWAY"] == place
    assert f"AFFIDAVIT_GATEWAY={place}" in unit("affidavit-worker@.service")["Environment"]
    for words in (services["gateway"]["command"], unit("affidavit-gateway.service")["ExecStart"][0].split()):
        assert words[words.index("--socket") + 1] == place.removeprefix("unix:")


def test_the_policy_that_ships_is_one():
    assert tomllib.loads((DEPLOY / "web.toml").read_text())
    load_web_policy(DEPLOY / "web.toml")


def test_the_workers_unit_has_no_network():
    worker, gateway = unit("affidavit-worker@.service"), unit("affidavit-gateway.service")
    assert worker["PrivateNetwork"] == ["yes"]
    assert worker["RestrictAddressFamilies"] == ["AF_UNIX"]
    assert all("gateway.env" not in line for line in worker["EnvironmentFile"])
    for one in (worker, gateway):
        assert (one["NoNewPrivileges"], one["CapabilityBoundingSet"], one["ProtectSystem"]) == (
            ["yes"],
            [""],
            ["strict"],
        )


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze")
def test_systemd_takes_the_units(tmp_path):
    for path in UNITS:
        text = path.read_text(encoding="utf-8").replace("/usr/bin/affidavit", shutil.which("true") or sys.executable)
        (tmp_path / path.name).write_text(text)
    verified = subprocess.run(
        ["systemd-analyze", "verify", *(str(tmp_path / path.name) for path in UNITS)], capture_output=True, text=True
    )
    assert (verified.returncode, verified.stderr) == (0, "")


@pytest.mark.skipif(shutil.which("docker") is None, reason="needs docker compose")
def test_compose_takes_the_file():
    if subprocess.run(["docker", "compose", "version"], capture_output=True).returncode != 0:
        pytest.skip("docker has no compose here")
    command = ["docker", "compose", "-f", str(DEPLOY / "compose.yaml"), "--profile", "worker", "config", "--quiet"]
    said = subprocess.run(command, capture_output=True, text=True)
    assert (said.returncode, said.stderr) == (0, "")
