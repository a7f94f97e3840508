"""The command on the live web: a process of its own, let in as an operator would let it in."""

import asyncio
import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from .cli.conftest import Command
from .egress.hostile_server import redirect, reply
from .local_web import LocalWeb, local_web

QUESTION = "When was the Aldermoor tide gauge installed?"
INSTALLED = "The Aldermoor tide gauge was installed in 1871."
PAGE = f"<html lang=en><title>Gauge</title><main><h1>Gauge</h1><p>{INSTALLED}</p></main></html>".encode()
MOVED = b"<html lang=en><title>Moved</title><main><p>The tide gauge was moved to the pier in 1902.</p></main></html>"


async def never(asked, writer) -> None:
    await asyncio.sleep(60)


@pytest.fixture
def affidavit(tmp_path: Path) -> Command:
    return Command(tmp_path)


@pytest.fixture
def web(tmp_path: Path) -> Iterator[LocalWeb]:
    with local_web(tmp_path) as opened:
        opened.site.pages |= {
            "/gauge": reply(PAGE),
            "/old": redirect(f"http://localhost:{opened.plain_port}/new"),
            "/new": reply(MOVED),
            "/slow": never,
        }
        opened.found = [f"{site(opened)}/{name}" for name in ("gauge", "old", "gone")]
        yield opened


@pytest.fixture
def online(affidavit: Command, web: LocalWeb) -> Command:
    affidavit.env |= web.environment()
    return affidavit


def site(web: LocalWeb) -> str:
    return f"http://127.0.0.1:{web.plain_port}"


def test_a_question_without_web_is_asked_of_the_live_web_and_asked_again_of_what_was_saved(
    online: Command, web: LocalWeb
):
    ran = online("ask", QUESTION, "--json", "--save-web", "saved.warc.gz", "--bundle", "answer.affidavit")
    assert ran.status == 0, ran.err
    answer = json.loads(ran.out)
    assert answer["claims"][0]["text"] == INSTALLED
    assert answer["state"] == "published_with_gaps"
    (gone,) = [gap["detail"] for gap in answer["gaps"] if "/gone" in gap["detail"]]
    assert "404" in gone
    assert f"http://localhost:{web.plain_port}/new" in [source["url"] for source in answer["sources"]]
    assert "wrote saved.warc.gz" in ran.err
    assert online("verify", "answer.affidavit").status == 0

    asked = len(web.site.asked), len(web.providers.asked)
    again = online("ask", QUESTION, "--web", "saved.warc.gz", "--offline", "--json")
    assert json.loads(again.out)["claims"][0]["text"] == INSTALLED
    assert (len(web.site.asked), len(web.providers.asked)) == asked


def test_a_host_that_is_denied_is_not_read(online: Command, web: LocalWeb):
    ran = online("ask", QUESTION, "--json", "--deny-host", "localhost")
    (denied,) = [gap["detail"] for gap in json.loads(ran.out)["gaps"] if "/old" in gap["detail"]]
    assert "host_denied" in denied
    assert "/new" not in [asked.path for asked in web.site.asked]


def test_without_a_network_the_run_fails_in_plain_words_and_soon(affidavit: Command):
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))  # and nobody listens
        affidavit.env |= {
            "AFFIDAVIT_SEARCH": "searxng",
            "AFFIDAVIT_SEARXNG_URL": f"http://127.0.0.1:{closed.getsockname()[1]}",
        }
        ran = affidavit("ask", QUESTION)
    assert ran.status == 3, (ran.out, ran.err)
    said = " ".join(ran.out.split())
    assert "No search was answered" in said
    assert "give pages with --web FILE" in said
    assert "provider searxng: unavailable" in said
    assert "Traceback" not in ran.err


def test_ctrl_c_answers_from_what_was_read_until_then(online: Command, web: LocalWeb):
    web.found = [f"{site(web)}/gauge", f"{site(web)}/slow"]
    process = subprocess.Popen(
        [sys.executable, "-m", "affidavit", "ask", QUESTION, "--json"],
        cwd=online.home,
        env=online.environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    ledger = online.home / "data" / "ledger.sqlite"
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        slow = "/slow" in [asked.path for asked in web.site.asked]
        if slow and _read(ledger):
            break
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, (out, err)
    assert "Traceback" not in err
    answer = json.loads(out)
    assert [claim["text"] for claim in answer["claims"]] == [INSTALLED]
    assert "interrupted" in {gap["kind"] for gap in answer["gaps"]}
    (run,) = json.loads(online("runs", "list", "--json").out)
    assert run["state"] == "published_with_gaps"


def _read(ledger: Path) -> int:
    """How many pages the runs of `ledger` have read."""
    with closing(sqlite3.connect(f"file:{ledger}?mode=ro", uri=True)) as connection:
        return connection.execute("SELECT count(*) FROM events WHERE type = 'document'").fetchone()[0]


def test_a_source_on_the_live_web_is_read_for_a_check_and_one_that_fails_is_named(online: Command, web: LocalWeb):
    (online.home / "draft.md").write_text(f"{INSTALLED} The gauge stands on the northern mole.\n")
    ran = online("check", "draft.md", "--source", f"{site(web)}/gauge", "--source", f"{site(web)}/gone", "--json")
    assert ran.status == 0, ran.err
    found = json.loads(ran.out)
    assert [sentence["state"] for sentence in found["sentences"]] == ["sourced", "unsourced"]
    failures = {source["url"]: source["failure"] for source in found["sources"]}
    assert failures[f"{site(web)}/gauge"] is None
    assert "404" in failures[f"{site(web)}/gone"]


def test_a_drafts_links_are_followed_only_when_told_to(online: Command, web: LocalWeb):
    (online.home / "draft.md").write_text(f"{INSTALLED} [Source]({site(web)}/gauge)\n")
    (online.home / "other.txt").write_text("The bridge carries 40 tonnes.\n")
    assert json.loads(online("check", "draft.md", "--source", "other.txt", "--json").out)["sources"][0]["path"]
    assert web.site.asked == []
    ran = online("check", "draft.md", "--follow-links", "--json")
    assert ran.status == 0, ran.err
    assert json.loads(ran.out)["sentences"][0]["state"] == "sourced"


def test_by_the_gateways_process_it_is_the_same(online: Command, web: LocalWeb):
    (online.home / "draft.md").write_text(f"{INSTALLED} [Source]({site(web)}/gauge)\n")
    place = online.home / "gateway.sock"
    gateway = subprocess.Popen(
        [sys.executable, "-m", "affidavit", "gateway", "--socket", str(place)],
        cwd=online.home,
        env=online.environment(),
        stderr=subprocess.DEVNULL,
    )
    try:
        deadline = time.monotonic() + 60
        while not place.exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        online.env["AFFIDAVIT_GATEWAY"] = f"unix:{place}"
        asked = online("ask", QUESTION, "--json", "--save-web", "saved.warc.gz")
        checked = online("check", "draft.md", "--follow-links", "--json")
    finally:
        gateway.terminate()
        gateway.wait(timeout=60)
    assert asked.status == 0, asked.err
    assert json.loads(asked.out)["claims"][0]["text"] == INSTALLED
    assert (online.home / "saved.warc.gz").stat().st_size
    assert checked.status == 0, checked.err
    assert json.loads(checked.out)["sentences"][0]["state"] == "sourced"
    assert online("ask", QUESTION).status == 3, "and without it nothing is reached another way"


def test_the_doctor_reaches_for_the_web_only_when_told_to(online: Command, web: LocalWeb):
    def live(*arguments: str) -> dict[str, str]:
        (found,) = [
            part for part in json.loads(online("doctor", "--json", *arguments).out) if part["part"] == "live web"
        ]
        return found

    found = live()
    assert web.providers.asked == []
    assert found["state"] == "ok"
    assert "127.0.0.1" in found["detail"]
    assert "not tried" in found["detail"]
    assert "searxng answers" in live("--online")["detail"]
    online.env["AFFIDAVIT_OFFLINE"] = "true"
    assert "offline" in live()["detail"]
