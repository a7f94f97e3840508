"""Connections over asyncio's own transports, against servers on loopback."""

import asyncio
import ssl
from contextlib import suppress

import httpcore2
import pytest

from affidavit.egress.dialler import HELD, Dialler

from .hostile_server import HostileServer


def talk(serve, act):
    """What `act` made of a connection to a server that does `serve` with it."""

    async def scene():
        ended = asyncio.Event()

        async def served(reader, writer):
            try:
                await serve(reader, writer)
            finally:
                writer.close()
                ended.set()

        server = await asyncio.start_server(served, "127.0.0.1", 0)
        try:
            stream = await Dialler().connect_tcp("127.0.0.1", server.sockets[0].getsockname()[1], 5)
            try:
                return await asyncio.wait_for(act(stream), 20)
            finally:
                await stream.aclose()
                await ended.wait()
        finally:
            server.close()

    return asyncio.run(scene())


async def whole(stream, size=1000):
    parts = []
    while part := await stream.read(size):
        assert len(part) <= size
        parts.append(part)
    return b"".join(parts)


def test_what_comes_is_read_whole_and_in_order_in_pieces_of_the_size_that_was_asked_for():
    sent = bytes(range(256)) * 5000

    async def serve(reader, writer):
        assert await reader.readexactly(5) == b"hello"
        writer.write(sent)
        await writer.drain()

    async def act(stream):
        await stream.write(b"hello")
        return await whole(stream)

    assert talk(serve, act) == sent


def test_who_sends_more_than_is_read_is_made_to_wait():
    taken = []

    async def serve(reader, writer):
        with suppress(ConnectionError):
            for _ in range(2000):
                writer.write(bytes(64 * 1024))
                await writer.drain()
                taken.append(64 * 1024)

    async def act(stream):
        assert await stream.read(10) == bytes(10)
        before = -1
        while before != len(taken):
            before = len(taken)
            await asyncio.sleep(0.1)
        line = stream._line
        assert HELD <= line._held <= 2 * HELD + 64 * 1024
        return sum(taken)

    assert talk(serve, act) < 64 * 1024 * 1024


def test_a_connection_that_ended_or_holds_what_nobody_asked_for_is_told_apart_from_a_quiet_one():
    async def serve(reader, writer):
        await reader.readexactly(1)
        writer.write(b"unasked")
        await writer.drain()
        await reader.readexactly(1)

    async def act(stream):
        quiet = stream.get_extra_info("is_readable")
        await stream.write(b"1")
        first = await stream.read(2)
        holding = stream.get_extra_info("is_readable")
        rest = await stream.read(100)
        empty = stream.get_extra_info("is_readable")
        await stream.write(b"2")
        end = await stream.read(100)
        return quiet, first, holding, rest, empty, end, stream.get_extra_info("is_readable")

    assert talk(serve, act) == (False, b"un", True, b"asked", False, b"", True)


def test_a_connection_that_was_broken_off_says_so():
    async def serve(reader, writer):
        writer.write(b"half")
        await writer.drain()
        await asyncio.sleep(0.1)
        writer.transport.get_extra_info("socket").setsockopt(1, 13, b"\1\0\0\0\0\0\0\0")  # SO_LINGER: a reset
        writer.transport.abort()

    async def act(stream):
        assert await stream.read(100) == b"half"
        with pytest.raises(httpcore2.ReadError):
            await stream.read(100)
        with pytest.raises(httpcore2.WriteError):
            await stream.write(b"more")

    talk(serve, act)


def test_every_wait_ends_with_its_time():
    async def serve(reader, writer):
        await asyncio.sleep(1)

    async def act(stream):
        with pytest.raises(httpcore2.ReadTimeout):
            await stream.read(10, timeout=0.05)
        with pytest.raises(httpcore2.WriteTimeout):
            await stream.write(bytes(64 * 1024 * 1024), timeout=0.05)
        return True

    assert talk(serve, act)


def test_a_server_that_never_answers_a_handshake_is_left_in_time():
    async def serve(reader, writer):
        await reader.read(10)
        await asyncio.sleep(0.5)

    async def act(stream):
        with pytest.raises(httpcore2.ConnectTimeout):
            await stream.start_tls(ssl.create_default_context(), "www.example.com", timeout=0.1)
        return True

    assert talk(serve, act)


def test_a_read_that_was_given_up_loses_nothing():
    async def serve(reader, writer):
        await reader.readexactly(1)
        writer.write(b"after")
        await writer.drain()
        await reader.read(1)

    async def act(stream):
        waiting = asyncio.create_task(stream.read(10))
        await asyncio.sleep(0.01)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        await stream.write(b"1")
        return await stream.read(10)

    assert talk(serve, act) == b"after"


def test_nobody_listens_there():
    async def scene():
        server = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        server.close()
        await server.wait_closed()
        with pytest.raises(httpcore2.ConnectError):
            await Dialler().connect_tcp("127.0.0.1", port, 5)

    asyncio.run(scene())


@pytest.mark.parametrize(("name", "good"), [("www.example.com", True), ("www.example.edu", False)])
def test_a_secure_connection_is_only_to_whom_the_certificate_names(name, good):
    async def scene():
        async with HostileServer({}) as server:
            stream = await Dialler().connect_tcp("127.0.0.1", server.detour.ports[443], 5)
            try:
                if not good:
                    with pytest.raises(httpcore2.ConnectError) as caught:
                        await stream.start_tls(server.trust, name, 5)
                    assert isinstance(caught.value.__cause__, ssl.SSLCertVerificationError)
                    return
                stream = await stream.start_tls(server.trust, name, 5)
                assert stream.get_extra_info("ssl_object") is not None
                await stream.write(f"GET / HTTP/1.1\r\nHost: {name}\r\n\r\n".encode())
                assert (await stream.read(1000, 5)).startswith(b"HTTP/1.1 404")
            finally:
                await stream.aclose()

    asyncio.run(scene())


def test_what_came_before_the_handshake_is_not_read_as_what_came_after_it():
    """Somebody on the way has no certificate, but can be the first to speak."""
    injected = b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged"

    async def serve(reader, writer):
        writer.write(injected)
        await writer.drain()
        with suppress(ConnectionError):
            await reader.read()

    async def act(stream):
        while not stream.get_extra_info("is_readable"):
            await asyncio.sleep(0.001)
        with pytest.raises(httpcore2.ConnectError, match="before the connection was secure"):
            await stream.start_tls(ssl.create_default_context(), "www.example.com", timeout=5)
        return True

    assert talk(serve, act)
