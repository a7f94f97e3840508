"""Fetching through a gateway's process against fetching in this one, and against a bare client, on loopback.
Asserts nothing.

    python -m benchmarks.gateway_process [--pages N] [--rounds N]

Pages a second at 20 at once, and the processor's time for a page: in the run's process, and in the gateway's. Both ways
take every step of the policy, hand over what came for a WARC file, and look into a page cache first; the bare client
does none of it. The three take turns in each round, so that what else the machine does hits all of them.
"""

import argparse
import asyncio
import multiprocessing
import resource
import statistics
import tempfile
import time
from multiprocessing.connection import Connection
from pathlib import Path

from benchmarks.egress import Cost, all_at_once, bare, serve

from affidavit.egress.cache import PageCache
from affidavit.egress.gateway import Gateway
from affidavit.egress.keys import Keys
from affidavit.egress.live import LiveWeb, aside
from affidavit.egress.policy import Policy
from affidavit.egress.politeness import Politeness
from affidavit.egress.process.client import RemoteWeb, open_session
from affidavit.egress.process.messages import Open
from affidavit.egress.process.place import Listening, Place
from affidavit.egress.process.server import Server
from affidavit.egress.received import Received
from affidavit.egress.transport import PinnedTransport
from affidavit.egress.web import Web
from affidavit.extract.worker import Workers
from affidavit.search.served import LiveBackend
from affidavit.settings import load_settings

AT_ONCE = 20
KINDS = {"": "pages of 20 KB", "slow/": "pages of 20 KB that take 30 ms to come", "large/": "pages of 1 MB"}


def policy_for(port: int) -> Policy:
    return Policy(ports=(port,), allow_private=("localhost",))


def serve_gateway(told: Connection, path: Path, port: int) -> None:
    """A gateway at `path`. Answers each message with its processor seconds so far and its most memory in MB."""

    async def main() -> None:
        settings = load_settings({}, cache_dir=path.parent / "cache", data_dir=path.parent / "data")
        backend = LiveBackend(
            settings, Keys({}), Workers(1, 20.0), on_trouble=print, politeness=Politeness(at_once=200, interval=0)
        )
        with Listening(Place(path)) as listening:
            server = Server(backend, policy_for(port), log=lambda *_: None)
            serving = asyncio.create_task(server.serve(listening, asyncio.Event(), lambda: told.send(None)))
            loop = asyncio.get_running_loop()
            loop.add_reader(told.fileno(), lambda: (told.recv(), told.send(spent())))
            await serving

    asyncio.run(main())


def spent() -> tuple[float, float]:
    return time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def keep(_: Received) -> None:
    """As costly as it is here: the WARC file is the same in both."""


async def measured(web: Web, urls: list[str], policy: Policy, at_once: int) -> Cost:
    gateway = Gateway(web, lambda _: None, policy)
    for url in urls:
        gateway.saw(url, "given by the user")
    return await all_at_once(gateway.fetch, urls, at_once)


async def here(urls: list[str], port: int, folder: Path) -> Cost:
    policy = policy_for(port)
    async with LiveWeb(
        PinnedTransport(allow_private=policy.allow_private),
        agent="benchmark",
        politeness=Politeness(at_once=200, interval=0),
        cache=PageCache(folder / "here"),
        keep=aside(keep),
    ) as web:
        return await measured(web, urls, policy, AT_ONCE)


async def there(urls: list[str], port: int, path: Path, at_once: int) -> Cost:
    asked = Open(run_id=f"run_{time.monotonic_ns()}", policy=policy_for(port).as_json(), given=urls, keep=True)
    async with open_session(Place(path), asked) as session:
        return await measured(RemoteWeb(session, keep), urls, session.policy, at_once)


def compare(kind: str, port: int, pages: int, rounds: int, path: Path, told: Connection) -> None:
    urls = [f"http://localhost:{port}/{kind}{number}" for number in range(pages)]
    bares: list[Cost] = []
    near: list[Cost] = []
    far: list[Cost] = []
    gateways: list[float] = []
    for _ in range(rounds):
        bares.append(asyncio.run(bare(urls)))
        near.append(asyncio.run(here(urls, port, path.parent)))
        before = asked(told)[0]
        far.append(asyncio.run(there(urls, port, path, AT_ONCE)))
        gateways.append(1000 * (asked(told)[0] - before) / pages)
    print(f"{KINDS[kind]}, {AT_ONCE} at once, medians of {rounds}:")
    base = statistics.median(cost.clock for cost in bares)
    for name, costs in (("bare client", bares), ("in this process", near), ("the gateway's process", far)):
        clock = statistics.median(cost.clock for cost in costs)
        spent = f"{statistics.median(cost.processor for cost in costs):.2f}"
        spent += f" + {statistics.median(gateways):.2f} there" if costs is far else ""
        print(f"  {name:22}{1000 / clock:6.0f} pages/s  {clock / base - 1:+4.0%}  {spent} ms of a core a page")


def asked(told: Connection) -> tuple[float, float]:
    told.send(None)
    return told.recv()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    spawn = multiprocessing.get_context("spawn")
    web, theirs = multiprocessing.Pipe()
    server = spawn.Process(target=serve, args=(theirs,), daemon=True)
    server.start()
    port = web.recv()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "gateway.sock"
        told, other = multiprocessing.Pipe()
        gateway = spawn.Process(target=serve_gateway, args=(other, path, port), daemon=True)
        gateway.start()
        told.recv()
        try:
            compare("", port, arguments.pages, arguments.rounds, path, told)
            compare("slow/", port, arguments.pages // 2, arguments.rounds, path, told)
            compare("large/", port, arguments.pages // 4, arguments.rounds, path, told)
            urls = [f"http://localhost:{port}/large/{number}" for number in range(200)]
            asyncio.run(there(urls, port, path, 200))
            print(f"200 pages of 1 MB at once: the gateway's process had {asked(told)[1]:.0f} MB at most")
        finally:
            gateway.terminate()
            server.terminate()


if __name__ == "__main__":
    main()
