import contextlib
import hashlib
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from affidavit.errors import BlobMismatch, StorageError
from affidavit.ledger import blobs as module
from affidavit.ledger.blobs import Blobs


@given(st.binary(max_size=4000))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None)
def test_what_is_read_back_is_what_was_put_in(tmp_path: Path, data: bytes) -> None:
    blobs = Blobs(tmp_path)
    key = blobs.put(data)
    assert key == hashlib.sha256(data).hexdigest()
    assert blobs.get(key) == data
    assert key in blobs


def test_a_blob_lies_in_a_folder_of_its_first_two_digits_and_nothing_else_is_left_behind(tmp_path: Path) -> None:
    blobs = Blobs(tmp_path)
    key = blobs.put(b"page" * 1000)
    blobs.put(b"page" * 1000)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [tmp_path / key[:2] / key[2:]]
    assert (tmp_path / key[:2] / key[2:]).stat().st_size < 200


@given(st.integers(0), st.integers(1, 255))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
def test_no_altered_byte_of_a_blob_is_ever_read(tmp_path: Path, position: int, change: int) -> None:
    blobs = Blobs(tmp_path)
    key = blobs.put(b"the quick brown fox " * 20)
    path = blobs.path(key)
    whole = path.read_bytes()
    altered = bytearray(whole)
    altered[position % len(whole)] ^= change
    path.write_bytes(altered)
    with contextlib.suppress(BlobMismatch):
        assert blobs.get(key) == b"the quick brown fox " * 20  # a bit of the frame's header that changes nothing
    path.write_bytes(whole)


def test_a_damaged_blob_is_mended_by_putting_it_again(tmp_path: Path) -> None:
    blobs = Blobs(tmp_path)
    key = blobs.put(b"page")
    blobs.path(key).write_bytes(b"")
    with pytest.raises(BlobMismatch):
        blobs.get(key)
    assert blobs.put(b"page") == key
    assert blobs.get(key) == b"page"


def test_a_blob_that_unpacks_beyond_the_limit_is_refused_before_it_fills_the_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LARGEST", 1000)
    blobs = Blobs(tmp_path)
    key = blobs.put(b"small")
    blobs.path(key).write_bytes(zstandard.compress(b"\0" * 5_000_000))
    with pytest.raises(BlobMismatch, match="another digest"):
        blobs.get(key)
    with pytest.raises(StorageError, match="over the limit"):
        blobs.put(b"\0" * 1001)


@pytest.mark.parametrize(
    "key", ["../../etc/passwd", "", "ab", "A" * 64, "a" * 63, "a" * 64 + "\n", "a/" * 32, "é" * 64]
)
def test_a_key_is_64_hex_digits_and_never_a_path(tmp_path: Path, key: str) -> None:
    for use in (Blobs(tmp_path).get, Blobs(tmp_path).__contains__):
        with pytest.raises(BlobMismatch, match="is no blob key"):
            use(key)


def test_a_missing_blob_is_named(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="incomplete"):
        Blobs(tmp_path).get("a" * 64)


def test_a_file_where_the_folder_should_be_is_named(tmp_path: Path) -> None:
    (tmp_path / "blobs").write_text("not a folder")
    with pytest.raises(StorageError, match=r"blobs.*not a folder"):
        Blobs(tmp_path / "blobs").put(b"x")


def test_when_the_disk_takes_no_more_the_earlier_blobs_stay_readable(tmp_path: Path) -> None:
    key = Blobs(tmp_path).put(b"first")
    code = (
        "import sys, resource, signal; from pathlib import Path; from affidavit.ledger.blobs import Blobs\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "from affidavit.errors import StorageError; import os\n"
        "try: Blobs(Path(sys.argv[1])).put(os.urandom(5000))\n"
        "except StorageError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, tmp_path], capture_output=True, text=True, check=True)
    assert "cannot write the blob: the file may not grow further here" in done.stdout
    assert str(tmp_path) in done.stdout
    assert Blobs(tmp_path).get(key) == b"first"
    assert [path.name for path in tmp_path.rglob(".put-*")] == []
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != 1000


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written_is_named(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(StorageError, match="permission denied"):
        Blobs(tmp_path / "blobs").put(b"x")
    tmp_path.chmod(0o700)
