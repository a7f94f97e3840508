"""Where a gateway listens, and that there is only one."""

import os
import socket
import stat
import subprocess
import sys

import pytest

from affidavit.egress.process.place import Listening, Place, read_place
from affidavit.egress.process.token import make_token, read_token
from affidavit.errors import GatewayError, StorageError, UserError


@pytest.mark.parametrize("text", ["unix:/run/a/gateway.sock", "tcp://127.0.0.1:9190", "tcp://[::1]:9190"])
def test_a_place_is_written_as_it_is_read(text):
    assert str(read_place(text)) == text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("unix:gateway.sock", "whole path"),
        ("unix:/" + "a" * 104, "at most 103 bytes"),
        ("http://127.0.0.1:80", "no such kind"),
        ("gateway", "no such kind"),
        ("tcp://0.0.0.0:9190", "only this machine"),
        ("tcp://192.0.2.1:9190", "only this machine"),
        ("tcp://localhost:9190", "no address and port"),
        ("tcp://127.0.0.1", "only this machine"),
        ("tcp://127.0.0.1:99999", "no address and port"),
        ("tcp://a@127.0.0.1:1", "only this machine"),
    ],
)
def test_what_is_no_place_of_this_machine_is_refused(text, said):
    with pytest.raises(UserError, match=said):
        read_place(text)


def test_a_socket_is_this_users_alone_and_goes_with_its_gateway(tmp_path):
    path = tmp_path / "new" / "gateway.sock"
    with Listening(Place(path)):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert not path.exists()


def test_a_second_gateway_at_one_socket_is_refused_and_the_first_goes_on(tmp_path):
    path = tmp_path / "gateway.sock"
    with Listening(Place(path)) as first:
        with pytest.raises(GatewayError, match="another gateway is at unix:"), Listening(Place(path)):
            pass
        first.socket.listen()
        with socket.socket(socket.AF_UNIX) as peer:
            peer.connect(str(path))


def test_a_socket_that_was_left_behind_is_replaced(tmp_path):
    path = tmp_path / "gateway.sock"
    code = "import sys, os, pathlib; from affidavit.egress.process.place import Listening, Place;"
    code += "Listening(Place(pathlib.Path(sys.argv[1]))).__enter__(); os._exit(9)"
    subprocess.run([sys.executable, "-c", code, str(path)], check=False)
    assert path.is_socket()
    with Listening(Place(path)):
        assert path.is_socket()


def test_what_is_no_socket_is_not_removed(tmp_path):
    path = tmp_path / "gateway.sock"
    path.write_text("mine")
    with pytest.raises(UserError, match="something that is no socket"), Listening(Place(path)):
        pass
    assert path.read_text() == "mine"


def test_a_socket_that_another_put_there_meanwhile_stays(tmp_path):
    path = tmp_path / "gateway.sock"
    with Listening(Place(path)), socket.socket(socket.AF_UNIX) as other:
        path.unlink()
        (tmp_path / "filler").touch()
        other.bind(str(path))
    assert path.is_socket()


def test_a_lock_that_is_a_link_is_not_followed(tmp_path):
    path, target = tmp_path / "gateway.sock", tmp_path / "target"
    (tmp_path / "gateway.sock.lock").symlink_to(target)
    with pytest.raises(StorageError, match="cannot listen at"), Listening(Place(path)):
        pass
    assert not target.exists()


def test_a_place_is_bound_in_one_form_however_it_is_spelled(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path)
    assert Place(tmp_path / "link" / "a.sock").bound == Place(tmp_path / "a.sock").bound
    assert Place(host="::ffff:127.0.0.1", port=9190).bound == read_place("tcp://127.0.0.1:9190").bound
    assert read_place("tcp://[0:0::1]:9190").bound == read_place("tcp://[::1]:9190").bound
    assert len({read_place(f"tcp://{one}").bound for one in ("127.0.0.1:1", "127.0.0.1:2", "127.0.0.2:1")}) == 3


def test_a_port_in_use_is_named(tmp_path):
    with Listening(Place(host="127.0.0.1")) as first:
        first.socket.listen()
        with pytest.raises(GatewayError, match=f"127.0.0.1:{first.place.port}"), Listening(first.place):
            pass


def test_a_group_that_does_not_exist_is_named(tmp_path):
    path = tmp_path / "gateway.sock"
    with pytest.raises(UserError, match="--group nobodys-group"), Listening(Place(path), "nobodys-group"):
        pass
    assert not path.exists()


def test_a_token_is_new_each_time_and_this_users_alone(tmp_path):
    path = tmp_path / "token"
    path.write_text("old")
    path.chmod(0o644)
    first = make_token(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert read_token(path) == first
    assert make_token(path) != first


def test_a_token_file_is_written_over_no_link(tmp_path):
    target = tmp_path / "target"
    target.write_text("mine")
    (tmp_path / "token").symlink_to(target)
    make_token(tmp_path / "token")
    assert target.read_text() == "mine"


@pytest.mark.skipif(os.name != "posix", reason="needs permissions")
def test_a_token_that_everybody_can_read_is_refused(tmp_path):
    path = tmp_path / "token"
    make_token(path)
    path.chmod(0o644)
    with pytest.raises(UserError, match="everybody can read"):
        read_token(path)


def test_what_is_no_token_is_refused(tmp_path):
    with pytest.raises(UserError, match="affidavit gateway writes it"):
        read_token(tmp_path / "none")
    (tmp_path / "short").write_text("abc")
    (tmp_path / "short").chmod(0o600)
    with pytest.raises(UserError, match="holds no token"):
        read_token(tmp_path / "short")
