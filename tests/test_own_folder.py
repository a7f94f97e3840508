"""Folders that only this user can enter."""

import os
import stat
import sys

import pytest

from affidavit.ledger.blobs import Blobs
from affidavit.ledger.database import connect, database_url
from affidavit.own_folder import make_own_folder

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no modes of folders")


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture(autouse=True)
def usual_umask():
    before = os.umask(0o022)
    yield
    os.umask(before)


def test_every_folder_that_is_made_is_this_user_s_alone(tmp_path):
    make_own_folder(tmp_path / "a" / "b" / "c")
    assert [mode(tmp_path / part) for part in ("a", "a/b", "a/b/c")] == [0o700] * 3


def test_a_folder_that_is_there_keeps_its_mode(tmp_path):
    (tmp_path / "shared").mkdir(mode=0o755)
    make_own_folder(tmp_path / "shared" / "new")
    assert (mode(tmp_path / "shared"), mode(tmp_path / "shared" / "new")) == (0o755, 0o700)
    make_own_folder(tmp_path / "shared")
    assert mode(tmp_path / "shared") == 0o755


def test_a_file_in_the_way_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(NotADirectoryError, match="file"):
        make_own_folder(tmp_path / "file" / "folder")


def test_what_a_run_keeps_lies_in_such_folders(tmp_path):
    data = tmp_path / "data"
    connect(database_url(data / "ledger.sqlite")).dispose()
    Blobs(data / "blobs").put(b"a draft")
    folders = [path for path in (data, *data.rglob("*")) if path.is_dir()]
    assert len(folders) == 3
    assert {mode(path) for path in folders} == {0o700}
