"""Codings undone under a cap."""

import gzip
import tracemalloc
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.egress.body import decode
from affidavit.errors import FailureKind, PageFailure

GZIPPED = (("content-encoding", "gzip"),)


@given(st.lists(st.binary(max_size=40_000), min_size=1, max_size=3), st.booleans())
def test_members_of_any_number_and_size_come_back(bodies, padded):
    raw = b"".join(gzip.compress(body) for body in bodies) + b"\0" * 600 * padded
    assert decode("u", GZIPPED, raw) == b"".join(bodies)


@pytest.mark.parametrize("garbage", [b"garbage", b"\x1f\x8bgarbage"])
def test_what_follows_a_whole_body_and_is_no_other_is_ignored(garbage):
    assert decode("u", GZIPPED, gzip.compress(b"words" * 9000) + garbage) == b"words" * 9000


@pytest.mark.parametrize("cut", [1, 5, 1000])
def test_a_body_that_breaks_off_is_a_broken_page(cut):
    raw = gzip.compress(bytes(range(256)) * 100)
    with pytest.raises(PageFailure, match="cut off") as caught:
        decode("u", GZIPPED, raw[:-cut] if cut < len(raw) else raw[:10])
    assert caught.value.kind is FailureKind.BROKEN


def test_attack_31_the_cap_holds_to_the_byte_and_in_memory():
    body = bytes(1000)
    assert decode("u", GZIPPED, gzip.compress(body), cap=1000) == body
    with pytest.raises(PageFailure, match="unpacks to more"):
        decode("u", GZIPPED, gzip.compress(body), cap=999)
    squeeze = zlib.compressobj(9, zlib.DEFLATED, 31)
    bomb = b"".join(squeeze.compress(bytes(1024**2)) for _ in range(200)) + squeeze.flush()
    tracemalloc.start()
    try:
        with pytest.raises(PageFailure, match="unpacks to more"):
            decode("u", GZIPPED, bomb, cap=32 * 1024**2)
        assert tracemalloc.get_traced_memory()[1] < 56 * 1024**2
    finally:
        tracemalloc.stop()
