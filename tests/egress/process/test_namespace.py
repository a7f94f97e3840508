"""A worker that has no network but a socket file, by the kernel's own walls.

The web of the test and the gateway stand in this namespace; the worker is started in a new one, which has a loopback
interface and nothing else. What deploy/ does with containers and units is this.
"""

import asyncio
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from affidavit.egress.process.client import gateway_status

from ..hostile_server import reply
from .conftest import SITE

WORKER = Path(__file__).with_name("walled_worker.py")
PAGE = reply(
    b"<html lang=en><title>Aldermoor mill</title><main><h1>Aldermoor mill</h1>"
    b"<p>The mill at Aldermoor was rebuilt in 1911 after the great fire. It grinds wheat for four villages to this "
    b"day, and its wheel is turned by the river Alder.</p><p>The mill's books are in the town archive, which holds "
    b"1,204 bound volumes.</p></main>"
)


def walled(*command: str) -> list[str]:
    """`command` in a network namespace of its own, with its loopback interface up. Skips where none can be made."""
    if shutil.which("unshare") is None or shutil.which("ip") is None:
        pytest.skip("needs unshare (util-linux) and ip (iproute2)")
    own = ["unshare", "--net"] if os.geteuid() == 0 else ["unshare", "--user", "--map-root-user", "--net"]
    made = subprocess.run([*own, "ip", "link", "set", "lo", "up"], capture_output=True, text=True, check=False)
    if made.returncode != 0:
        pytest.skip(f"may make no network namespace here: {made.stderr.strip()}")
    return [*own, "sh", "-ec", 'ip link set lo up; exec "$@"', "sh", *command]


async def finished(*command: str, env=None) -> tuple[int, bytes, bytes]:
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*command, stdout=pipe, stderr=pipe, env=env)
    out, err = await asyncio.wait_for(process.communicate(), 120)
    return process.returncode, out, err


def test_from_the_workers_namespace_nothing_answers_but_the_gateway(town):
    async def scene():
        async with town({"/mill": PAGE}, found=(f"{SITE}/mill",)) as place:
            ports = [str(port) for port in place.detour.ports.values()]
            command = (sys.executable, str(WORKER), str(place.place.path), *ports)
            status, out, err = await finished(*walled(*command))
            assert status == 0, err.decode()
            outside, _, _ = await finished(sys.executable, "-c", _CONNECT, *ports)
            return place, json.loads(out), outside

    place, found, outside = asyncio.run(scene())
    assert found["interfaces"] == ["lo"]
    assert found["routes"] == []
    assert outside == 0, "the web of the test can be reached from here, so the worker's failures mean something"
    assert {how for how in found["ways"].values() if how in ("connected", "answered")} == set(), found["ways"]
    assert found["resolved"] == "gaierror"
    assert found["gateway"]["url"] == f"{SITE}/mill"
    assert "rebuilt in 1911" in found["gateway"]["body"]
    assert found["gateway"]["unseen"] == "not_seen"
    assert {asked.host for asked in place.web.asked} == {"www.example.com"}


_CONNECT = (
    "import socket, sys; [socket.create_connection(('127.0.0.1', int(port)), 5).close() for port in sys.argv[1:]]"
)


def test_without_the_gateway_a_walled_ask_says_what_to_do(tmp_path):
    async def scene():
        env = os.environ | {
            "AFFIDAVIT_GATEWAY": f"unix:{tmp_path / 'none.sock'}",
            "AFFIDAVIT_CACHE_DIR": str(tmp_path / "cache"),
            "AFFIDAVIT_DATA_DIR": str(tmp_path / "data"),
        }
        ask = (sys.executable, "-m", "affidavit", "ask", "When was the mill at Aldermoor rebuilt?", "--web", "live")
        return await finished(*walled(*ask), env=env)

    status, out, err = asyncio.run(scene())
    assert (status, out) == (3, b"")
    assert b"does not answer" in err
    assert b"start it with `affidavit gateway`" in err


def test_a_whole_ask_runs_behind_the_wall(town, tmp_path):
    async def scene():
        async with town({"/mill": PAGE}, found=(f"{SITE}/mill",)) as place:
            env = os.environ | {
                "AFFIDAVIT_GATEWAY": str(place.place),
                "AFFIDAVIT_CACHE_DIR": str(tmp_path / "cache"),
                "AFFIDAVIT_DATA_DIR": str(tmp_path / "data"),
                "AFFIDAVIT_WORKERS": "1",
            }
            ask = (sys.executable, "-m", "affidavit", "ask", "When was the mill at Aldermoor rebuilt?", "--web", "live")
            done = await finished(*walled(*ask, "--json"), env=env)
            return place, done, await gateway_status(place.place)

    place, (status, out, err), after = asyncio.run(scene())
    assert status == 0, err.decode()
    answer = json.loads(out)
    assert any("rebuilt in 1911" in claim["text"] for claim in answer["claims"])
    assert answer["sources"][0]["url"] == f"{SITE}/mill"
    assert after["runs"] == 0
    assert {fields["run"] for fields in place.events("decision")} == {answer["run_id"]}
    assert {asked.host for asked in place.web.asked} == {"www.example.com"}
    assert list((tmp_path / "data" / "web").glob("*.warc.gz"))


def test_a_draft_is_checked_against_an_address_behind_the_wall(town, tmp_path):
    async def scene():
        async with town({"/mill": PAGE}) as place:
            env = os.environ | {
                "AFFIDAVIT_GATEWAY": str(place.place),
                "AFFIDAVIT_CACHE_DIR": str(tmp_path / "cache"),
                "AFFIDAVIT_DATA_DIR": str(tmp_path / "data"),
                "AFFIDAVIT_WORKERS": "1",
            }
            draft = tmp_path / "draft.md"
            draft.write_text("The mill at Aldermoor was rebuilt in 1911 after the great fire.\n")
            check = (sys.executable, "-m", "affidavit", "check", str(draft), "--source", f"{SITE}/mill", "--json")
            doctor = (sys.executable, "-m", "affidavit", "doctor", "--json")
            return place, await finished(*walled(*check), env=env), await finished(*walled(*doctor), env=env)

    place, (status, out, err), (_, said, _) = asyncio.run(scene())
    assert status == 0, err.decode()
    assert [one["state"] for one in json.loads(out)["sentences"]] == ["sourced"]
    assert [fields["given"] for fields in place.events("open")] == [1]
    found = {one["part"]: one for one in json.loads(said)}
    assert (found["gateway"]["state"], found["search: wikipedia"]["detail"]) == ("ok", "ready, by the gateway")
