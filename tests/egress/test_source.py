"""Any offset of what was packed reads the same as from the start."""

import gzip
import hashlib
import zlib

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from affidavit.egress.source import DEFLATE, GZIP, Damaged, FileRange, Unpacked

DATA = hashlib.shake_256(b"data").digest(9_000_000)


def packed(tmp_path, data, wbits):
    path = tmp_path / "packed"
    path.write_bytes(data)
    return Unpacked(FileRange.whole(path), wbits, len(data))


def read(reader):
    with reader:
        return reader.read()


@pytest.fixture(scope="module")
def one_piece(tmp_path_factory):
    source = packed(tmp_path_factory.mktemp("one"), gzip.compress(DATA, 1), GZIP)
    assert read(source.scan()) == DATA
    return source


@settings(max_examples=25, deadline=None)
@given(offset=st.integers(0, len(DATA)))
def test_reading_from_any_place_gives_the_rest(one_piece, offset):
    with one_piece.open_at(offset) as reader:
        assert reader.read(1000) == DATA[offset : offset + 1000]


def test_members_are_joined_and_found_again(tmp_path):
    parts = [b"a" * 10, b"", b"b" * 20, b"c"]
    source = packed(tmp_path, b"".join(map(gzip.compress, parts)), GZIP)
    assert read(source.scan()) == b"".join(parts)
    assert read(source.open_at(10)) == b"b" * 20 + b"c"
    assert source.place(31) > source.place(0) == 0


def test_a_deflated_run_inside_a_file_is_read(tmp_path):
    path = tmp_path / "f"
    body = zlib.compress(b"hello" * 100, wbits=DEFLATE)
    path.write_bytes(b"xx" + body + b"yy")
    source = Unpacked(FileRange(path, 2, len(body)), DEFLATE, len(body))
    assert read(source.scan()) == b"hello" * 100


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cut=st.integers(1, 400))
def test_a_cut_anywhere_is_damage(tmp_path, cut):
    data = gzip.compress(DATA[:200]) + gzip.compress(DATA[200:400])
    whole_member = len(gzip.compress(DATA[:200]))
    source = packed(tmp_path, data[:cut], GZIP)
    if cut == whole_member:
        assert read(source.scan()) == DATA[:200]
        return
    with pytest.raises(Damaged):
        read(source.scan())


def test_what_unpacks_past_the_limit_is_damage(tmp_path):
    source = packed(tmp_path, gzip.compress(b"\0" * 5_000_000), GZIP)
    source.limit = 1_000_000
    with pytest.raises(Damaged, match="unpacks to more than"):
        read(source.scan())
