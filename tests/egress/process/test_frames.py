"""Frames over a real socket."""

import asyncio
import socket

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affidavit.egress.process.frames import HEAD, MAGIC, BadFrame, Caps, Pipe
from affidavit.egress.process.line import Line

CAPS = Caps(4096, 4096)


async def line_over(connection):
    _, line = await asyncio.get_running_loop().create_connection(Line, sock=connection)
    return line


def across(data, *, caps=CAPS):
    """What is received of `data`, sent whole before the peer goes."""

    async def scene():
        ours, theirs = socket.socketpair()
        line = await line_over(ours)
        theirs.sendall(data)
        theirs.close()
        async with Pipe(line, caps) as pipe:
            found = []
            while (frame := await pipe.receive(5)) is not None:
                found.append(frame)
            return found

    return asyncio.run(scene())


@settings(deadline=None, max_examples=60)
@given(st.binary(max_size=200))
def test_whatever_comes_is_a_frame_or_a_bad_frame(data):
    try:
        assert across(data) == []
    except BadFrame:
        assert data


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1))
def test_a_length_over_the_cap_is_refused_before_it_is_read(said, blob):
    with pytest.raises(BadFrame, match="frame"):
        across(HEAD.pack(MAGIC, said, blob))


@settings(deadline=None, max_examples=40)
@given(
    st.dictionaries(st.text(max_size=5), st.text(max_size=20) | st.integers() | st.none(), max_size=5),
    st.lists(st.binary(max_size=1000), max_size=3),
)
def test_frames_come_as_they_were_sent(said, blobs):
    async def scene():
        ours, theirs = socket.socketpair()
        async with Pipe(await line_over(ours), CAPS) as one, Pipe(await line_over(theirs), CAPS) as other:
            await one.send(said, blobs)
            await one.send({"second": True})
            return await other.receive(5), await other.receive(5)

    first, second = asyncio.run(scene())
    assert (first.said, first.blob) == (said, b"".join(blobs))
    assert second.said == {"second": True}


def test_what_two_tasks_send_at_once_is_not_mixed():
    async def scene():
        ours, theirs = socket.socketpair()
        large = Caps(1000, 10_000_000)
        async with Pipe(await line_over(ours), large) as one, Pipe(await line_over(theirs), large) as other:
            sending = [asyncio.create_task(one.send({"n": n}, [bytes([n]) * 2_000_000] * 2)) for n in range(4)]
            got = [await other.receive(10) for _ in sending]
            await asyncio.gather(*sending)
            return got

    for frame in asyncio.run(scene()):
        assert frame.blob == bytes([frame.said["n"]]) * 4_000_000
