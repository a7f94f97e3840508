"""``affidavit gateway`` as an operator runs it: a process that is started, asked, stopped and killed."""

import json
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager

import pytest

from affidavit.cli.app import run

from .conftest import Command, Ran

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Unix sockets and signals")


@contextmanager
def running(command: Command, *arguments: str) -> Generator[tuple[subprocess.Popen[str], str]]:
    """A gateway that listens, and the line with which it said so."""
    process = subprocess.Popen(
        [sys.executable, "-m", "affidavit", "gateway", *arguments],
        cwd=command.home,
        env=command.environment(),
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield process, process.stderr.readline()
    finally:
        process.kill()
        process.communicate()


@pytest.fixture
def asked(
    affidavit: Command, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Ran]:
    """``affidavit gateway`` with these arguments in this process: for what starts none."""

    def ask(*arguments: str) -> Ran:
        monkeypatch.setattr(os, "environ", affidavit.environment())
        status = run(["gateway", *arguments])
        said = capsys.readouterr()
        return Ran(status, said.out, said.err)

    return ask


def ended(process: subprocess.Popen[str], number: int) -> tuple[int, str]:
    process.send_signal(number)
    out, err = process.communicate(timeout=20)
    assert out == ""
    return process.returncode, err


def test_it_says_where_it_is_answers_and_ends_when_it_is_told_to(affidavit: Command, asked: Callable[..., Ran]):
    path = affidavit.home / "gateway.sock"
    (affidavit.home / "policy.toml").write_text('allow = ["*.example.org"]\ndeny = ["bad.example.org"]\n')
    with running(affidavit, "--socket", str(path), "--policy", "policy.toml", "--no-given") as (process, said):
        assert f'gateway = "unix:{path}"' in said
        checked = asked("--socket", str(path), "--check")
        assert checked.status == 0
        assert "allow: *.example.org; deny: bad.example.org" in checked.out
        assert "addresses given by runs are refused" in checked.out
        assert "search   wikipedia: ready" in checked.out
        with socket.socket(socket.AF_UNIX) as peer:  # one that is still there holds nothing up
            peer.connect(str(path))
            peer.recv(4096)
            assert ended(process, signal.SIGTERM) == (0, "")
            assert peer.recv(4096) == b""
    assert not path.exists()


def test_the_setting_says_where_for_both_ends(affidavit: Command, asked: Callable[..., Ran]):
    place = f"unix:{affidavit.home / 'a.sock'}"
    affidavit.env["AFFIDAVIT_GATEWAY"] = place
    with running(affidavit) as (process, said):
        assert place in said
        assert asked("--check").status == 0
        assert ended(process, signal.SIGINT)[0] == 0


def test_a_port_is_opened_by_a_token_that_goes_with_its_gateway(affidavit: Command, asked: Callable[..., Ran]):
    token = affidavit.home / "token"
    with running(affidavit, "--listen", "127.0.0.1:0", "--token-file", str(token)) as (process, said):
        place = said.split()[5].rstrip(";")
        assert asked("--listen", place, "--check", "--token-file", str(token)).status == 0
        without = asked("--listen", place, "--check")
        assert (without.status, "wants a token" in without.err) == (3, True)
        secret = token.read_text().strip()
        status, log = ended(process, signal.SIGTERM)
        assert status == 0
        assert secret not in log + said
    assert not token.exists()


def test_one_that_was_killed_is_in_nobodys_way(affidavit: Command, asked: Callable[..., Ran]):
    path = affidavit.home / "gateway.sock"
    where = ("--socket", str(path))
    with running(affidavit, *where) as (process, _):
        process.kill()
        process.wait()
        assert path.is_socket()
        gone = asked(*where, "--check")
        assert gone.status == 3
        assert f"the gateway at unix:{path} does not answer" in gone.err
        assert "start it with `affidavit gateway`" in gone.err
        with running(affidavit, *where):
            assert asked(*where, "--check").status == 0
            second = asked(*where)
            assert second.status == 3
            assert "another gateway is at" in second.err


def test_who_is_sent_away_is_a_line_of_its_log(affidavit: Command):
    path = affidavit.home / "gateway.sock"
    with running(affidavit, "--socket", str(path)) as (process, _):
        with socket.socket(socket.AF_UNIX) as peer:
            peer.connect(str(path))
            peer.sendall(b"GET / HTTP/1.1\r\n\r\n")
            while peer.recv(4096):
                pass
        _, log = ended(process, signal.SIGTERM)
    (line,) = log.splitlines()
    refused = json.loads(line)
    assert (refused["event"], refused["peer"]["pid"]) == ("refused", os.getpid())
    assert "is no frame" in refused["why"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--listen", "127.0.0.1:0"), "--token-file"),
        (("--listen", "0.0.0.0:9190", "--token-file", "t"), "only this machine"),
        (("--listen", "127.0.0.1:0", "--socket", "s"), "two places"),
        (("--listen", "127.0.0.1:0", "--token-file", "t", "--group", "g"), "--group opens a Unix socket"),
        (("--policy", "none.toml"), "none.toml"),
    ],
)
def test_what_cannot_be_meant_is_said(asked: Callable[..., Ran], arguments: tuple[str, ...], said: str):
    ran = asked(*arguments)
    assert ran.status == 64
    assert said in ran.err


def test_it_tells_the_service_manager_that_it_is_ready(affidavit: Command):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(affidavit.home / "notify"))
        affidavit.env["NOTIFY_SOCKET"] = str(affidavit.home / "notify")
        with running(affidavit, "--socket", str(affidavit.home / "s")) as (process, _):
            assert manager.recv(64) == b"READY=1"
            ended(process, signal.SIGTERM)
            assert manager.recv(64) == b"STOPPING=1"


def test_what_a_gateway_says_acts_in_no_terminal(affidavit: Command, asked: Callable[..., Ran]):
    """Something that is no gateway of ours sits at the place and says what it likes."""
    path = affidavit.home / "gateway.sock"
    said = b'{"refused": "\\u001b]0;PWN\\u0007\\u001b[31mforged\\u202e\\nsecond line"}'
    with socket.socket(socket.AF_UNIX) as place:
        place.bind(str(path))
        place.listen()

        def answer() -> None:
            peer, _ = place.accept()
            with peer:
                peer.sendall(struct.pack("!4sII", b"AFG1", len(said), 0) + said)
                peer.recv(4096)

        answering = threading.Thread(target=answer)
        answering.start()
        ran = asked("--socket", str(path), "--check")
        answering.join()
    assert ran.status == 3
    assert "forged second line" in ran.err
    assert ran.err.count("\n") == 1
    assert ran.err.rstrip("\n").isprintable()
