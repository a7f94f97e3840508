"""Bytes over a real socket, however they come."""

import asyncio
import socket

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affidavit.egress.process.line import SCRATCH, Line


async def line_over(connection):
    _, line = await asyncio.get_running_loop().create_connection(Line, sock=connection)
    return line


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.integers(0, 3 * SCRATCH), max_size=6),
    st.lists(st.integers(0, 3 * SCRATCH), max_size=6),
    st.booleans(),
)
def test_whatever_the_pieces_are_they_are_taken_whole_and_in_order(sent, taken, ahead):
    """`ahead`: what is sent comes before it is asked for, as far as it may."""
    whole = b"".join(bytes([n % 251]) * size for n, size in enumerate(sent))

    async def scene():
        ours, theirs = socket.socketpair()
        line, other = await line_over(ours), await line_over(theirs)

        async def send():
            at = 0
            for size in sent:
                other.write(whole[at : at + size])
                at += size
                await other.drain()
            other.transport.close()

        sending = asyncio.create_task(send())
        if ahead:
            await asyncio.sleep(0.005)
        try:
            found, left = [], len(whole)
            for size in taken:
                size = min(size, left)
                left -= size
                found.append(bytes(await line.take(size)))
            if left:
                found.append(bytes(await line.take(left)))
            await sending
            return b"".join(found), await line.begun()
        finally:
            for one in (line, other):
                one.abort()

    assert asyncio.run(scene()) == (whole, False)


def test_an_end_inside_what_was_wanted_is_told():
    async def scene():
        ours, theirs = socket.socketpair()
        line = await line_over(ours)
        theirs.sendall(b"abc")
        theirs.close()
        try:
            assert await line.begun()
            with pytest.raises(EOFError):
                await line.take(200_000)
        finally:
            line.abort()

    asyncio.run(scene())


def test_nothing_past_a_scratch_is_taken_unasked():
    async def scene():
        ours, theirs = socket.socketpair()
        line, other = await line_over(ours), await line_over(theirs)
        other.write(bytes(10_000_000))
        before = -1
        while before != (now := other.transport.get_write_buffer_size()):
            before = now
            await asyncio.sleep(0.05)
        assert line._end - line._start == SCRATCH
        assert len(await line.take(10_000_000)) == 10_000_000
        for one in (line, other):
            one.abort()
        return before

    assert asyncio.run(scene()) > 5_000_000


def test_who_waits_for_room_hears_that_the_other_end_went():
    async def scene():
        ours, theirs = socket.socketpair()
        line = await line_over(ours)
        line.write(bytes(10_000_000))
        waiting = asyncio.create_task(line.drain())
        await asyncio.sleep(0.01)
        theirs.close()
        with pytest.raises(ConnectionError):
            await asyncio.wait_for(waiting, 5)
        with pytest.raises(ConnectionError):
            line.write(b"more")

    asyncio.run(scene())
