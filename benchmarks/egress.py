"""Fetching through the gateway against a bare client, on loopback. Asserts nothing.

    python benchmarks/egress.py [--pages N] [--rounds N]

Pages a second at 20 at once: a bare `httpx2` client, the gateway, the gateway with its cache and its WARC file; the
memory that 200 pages of 1 MB at once take; and what a bomb of 200 MB takes before it is stopped. The server is a
process of its own. The policy is in force but for the site's turn, and one private host, localhost, is open.
"""

import argparse
import asyncio
import multiprocessing
import statistics
import tempfile
import time
import tracemalloc
import zlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

import httpx2

from affidavit.egress.cache import PageCache
from affidavit.egress.gateway import Gateway
from affidavit.egress.live import LiveWeb, aside
from affidavit.egress.policy import Policy
from affidavit.egress.politeness import Politeness
from affidavit.egress.received import Limits
from affidavit.egress.transport import PinnedTransport
from affidavit.egress.warc_writer import WarcWriter
from affidavit.errors import PageFailure

PAGE = b"<!doctype html><title>A page</title>" + b"<p>Some words of a page that is read.</p>" * 500
LARGE = b"<p>" + b"x" * 1_000_000


def serve(told: Connection) -> None:
    """Answers /… with a page, /large/… with a megabyte, /slow/… with a page after 30 ms, /bomb with 200 MB that came as
    200 KB."""
    squeeze = zlib.compressobj(9, zlib.DEFLATED, 31)
    bomb = b"".join(squeeze.compress(bytes(1024**2)) for _ in range(200)) + squeeze.flush()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := await reader.readline():
            path = line.split(b" ")[1]
            while (await reader.readline()).strip():
                pass
            body, more, status = PAGE, b"", b"200 OK"
            if path == b"/robots.txt":
                body, status = b"", b"404 Not Found"
            elif path.startswith(b"/large"):
                body = LARGE
            elif path.startswith(b"/slow"):
                await asyncio.sleep(0.03)
            elif path == b"/bomb":
                body, more = bomb, b"Content-Encoding: gzip\r\n"
            head = b"HTTP/1.1 %s\r\nContent-Type: text/html\r\n%sContent-Length: %d\r\n\r\n" % (status, more, len(body))
            writer.write(head + body)
            await writer.drain()

    async def main() -> None:
        server = await asyncio.start_server(answer, "127.0.0.1", 0, limit=1024**2)
        told.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(main())


@dataclass(frozen=True)
class Cost:
    """Of one page, in milliseconds: on the clock, and of this process's processor time (other work leaves it alone)."""

    clock: float
    processor: float


async def all_at_once(fetch: Callable[[str], Awaitable[object]], urls: list[str], at_once: int) -> Cost:
    slots = asyncio.Semaphore(at_once)

    async def one(url: str) -> None:
        async with slots:
            await fetch(url)

    clock, processor = time.perf_counter(), time.process_time()
    await asyncio.gather(*(one(url) for url in urls))
    share = 1000 / len(urls)
    return Cost(share * (time.perf_counter() - clock), share * (time.process_time() - processor))


async def bare(urls: list[str]) -> Cost:
    async with httpx2.AsyncClient(trust_env=False, headers={"Accept-Encoding": "gzip"}) as client:
        return await all_at_once(client.get, urls, 20)


async def through(port: int, urls: list[str], at_once: int, folder: Path | None = None) -> Cost:
    policy = Policy(ports=(port,), allow_private=("localhost",))
    writer = WarcWriter(folder / "run.warc.gz") if folder else None
    transport = PinnedTransport(allow_private=policy.allow_private, max_connections=at_once)
    async with LiveWeb(
        transport,
        agent="benchmark",
        limits=Limits(decoded=64 * 1024**2),
        politeness=Politeness(at_once=at_once, interval=0),
        cache=PageCache(folder / "pages") if folder else None,
        keep=aside(writer.write) if writer else None,
    ) as web:
        gateway = Gateway(web, lambda _: None, policy)
        for url in urls:
            gateway.saw(url, "benchmark")
        cost = await all_at_once(gateway.fetch, urls, at_once)
    if writer:
        writer.close()
    return cost


def speeds(port: int, pages: int, rounds: int) -> None:
    urls = [f"http://localhost:{port}/{number}" for number in range(pages)]
    found: dict[str, list[Cost]] = {"bare client": [], "gateway": [], "gateway, cache and WARC": []}
    for _ in range(rounds):
        found["bare client"].append(asyncio.run(bare(urls)))
        found["gateway"].append(asyncio.run(through(port, urls, 20)))
        with tempfile.TemporaryDirectory() as folder:
            found["gateway, cache and WARC"].append(asyncio.run(through(port, urls, 20, Path(folder))))
    print(f"pages of {len(PAGE) // 1024} KB, 20 at once, medians of {rounds}:")
    base = statistics.median(cost.processor for cost in found["bare client"])
    for name, costs in found.items():
        clock = statistics.median(cost.clock for cost in costs)
        processor = statistics.median(cost.processor for cost in costs)
        print(f"  {name:26}{1000 / clock:7.0f} pages/s{processor:8.2f} ms of a core a page{processor - base:+8.2f}")


def memory(port: int) -> None:
    urls = [f"http://localhost:{port}/large/{number}" for number in range(200)]
    tracemalloc.start()
    asyncio.run(through(port, urls, 200))
    print(f"200 pages of 1 MB at once: {tracemalloc.get_traced_memory()[1] / 1024**2:.0f} MB at most")
    tracemalloc.reset_peak()
    try:
        asyncio.run(through(port, [f"http://localhost:{port}/bomb"], 1))
    except PageFailure as failure:
        print(f"a bomb of 200 MB: {failure.kind.value}, {tracemalloc.get_traced_memory()[1] / 1024**2:.0f} MB at most")
    tracemalloc.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    ours, theirs = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(theirs,), daemon=True)
    server.start()
    port = ours.recv()
    try:
        speeds(port, arguments.pages, arguments.rounds)
        memory(port)
    finally:
        server.terminate()
        server.join()


if __name__ == "__main__":
    main()
