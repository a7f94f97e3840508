"""Codings undone under a cap."""

import asyncio
import gzip
import random
import threading
import time
import tracemalloc
import zlib

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from affidavit.egress.body import MAX_CODINGS, MAX_MEMBERS, decode, decode_aside
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


def test_members_without_end_are_refused_however_small_they_are():
    empty = gzip.compress(b"")
    assert decode("u", GZIPPED, empty * (MAX_MEMBERS - 1) + gzip.compress(b"word")) == b"word"
    with pytest.raises(PageFailure, match="pieces"):
        decode("u", GZIPPED, empty * (MAX_MEMBERS + 1))


class Counted(bytes):
    """Bytes that count how many of them were copied out."""

    copied = 0

    def __getitem__(self, key):
        part = super().__getitem__(key)
        Counted.copied += len(part) if isinstance(part, bytes) else 0
        return part


def test_what_is_left_is_not_copied_for_each_member():
    member = gzip.compress(b"")
    Counted.copied = 0
    raw = Counted(member * 4000)
    assert decode("u", GZIPPED, raw) == b""
    assert Counted.copied <= 4000 * 8 * 1024


def test_codings_without_end_are_refused():
    body = b"word"
    for _ in range(MAX_CODINGS):
        body = gzip.compress(body)
    named = ", ".join(["gzip"] * MAX_CODINGS)
    assert decode("u", (("content-encoding", named),), body) == b"word"
    with pytest.raises(PageFailure, match="packed 5 times"):
        decode("u", (("content-encoding", f"{named}, gzip"),), body)


@pytest.mark.parametrize("coding", ["gzip", "zstd"])
def test_unpacking_asks_before_each_slice_whether_to_go_on(coding):
    plain = random.Random(0).randbytes(4 * 1024 * 1024)
    raw = gzip.compress(plain, 1) if coding == "gzip" else zstandard.compress(plain)
    asked = []

    def stopped():
        asked.append(None)
        return len(asked) == 3

    with pytest.raises(PageFailure) as caught:
        decode("u", (("content-encoding", coding),), raw, stopped=stopped)
    assert caught.value.kind is FailureKind.TIMEOUT
    assert len(asked) == 3


def test_a_deadline_stops_the_thread_and_the_loop_goes_on(monkeypatch):
    ended = threading.Event()
    begun = threading.Event()

    def slow(url, headers, raw, cap, stopped):
        begun.set()
        while not stopped():
            time.sleep(0.005)
        ended.set()
        return b""

    async def run():
        monkeypatch.setattr("affidavit.egress.body.decode", slow)
        async with asyncio.timeout(0.1):
            await decode_aside("u", GZIPPED, gzip.compress(b"word"))

    with pytest.raises(TimeoutError):
        asyncio.run(run())
    assert begun.is_set()
    assert ended.wait(5)
