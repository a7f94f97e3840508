"""Whatever the URL: where the connection goes, and under which name, is what was judged.

The suite tries a few hundred; AFFIDAVIT_FUZZ=50000 with HYPOTHESIS_PROFILE=search and `--timeout 0` tries that many
others (docs/security.md says what long runs found).
"""

import asyncio
import ipaddress
import os
import ssl
from dataclasses import dataclass, field

import ada_url
import httpcore2
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from affidavit.egress.addresses import verdict
from affidavit.egress.gateway import Gateway
from affidavit.egress.live import LiveWeb
from affidavit.egress.policy import Policy
from affidavit.egress.politeness import Politeness
from affidavit.egress.transport import PinnedTransport
from affidavit.errors import PageFailure

TRUST = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
ANSWERS = ["93.184.215.14", "10.0.0.1", "127.0.0.1", "::1", "2606:4700::1", "64:ff9b::a9fe:a9fe", "169.254.169.254"]


@dataclass
class Wire(httpcore2.AsyncNetworkBackend):
    dialled: list[tuple[str, int]] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    sent: list[bytes] = field(default_factory=list)

    async def connect_tcp(self, host, port, timeout=None, local_address=None, socket_options=None):
        self.dialled.append((host, port))
        return Line(self)


@dataclass
class Line(httpcore2.AsyncNetworkStream):
    wire: Wire
    reply: bytes = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"

    async def start_tls(self, ssl_context, server_hostname=None, timeout=None):
        self.wire.names.append(server_hostname)
        return self

    async def write(self, buffer, timeout=None):
        self.wire.sent.append(buffer)

    async def read(self, max_bytes, timeout=None):
        reply, self.reply = self.reply, b""
        return reply

    async def aclose(self):
        pass

    def get_extra_info(self, info):
        return None


@dataclass
class Names:
    answers: list[str]
    asked: list[str] = field(default_factory=list)

    async def addresses(self, host):
        self.asked.append(host)
        return tuple(self.answers)


async def fetch(url, answers, policy):
    wire, names, decisions = Wire(), Names(answers), []
    transport = PinnedTransport(names, dialler=wire, ssl_context=TRUST)
    web = LiveWeb(transport, agent="test", politeness=Politeness(at_once=9, interval=0))
    gateway = Gateway(web, decisions.append, policy)
    gateway.saw(url, "link")
    try:
        await gateway.fetch(url)
    except PageFailure:
        pass
    finally:
        await web.aclose()
    return wire, names, decisions


hosts = st.one_of(
    st.sampled_from(
        "example.com EXAMPLE.com. 127.0.0.1 127.1 0x7f.1 2130706433 [::1] [::ffff:127.0.0.1] [fe80::1%25eth0] 0 a..b "
        "localhost xn--mnchen-3ya.de münchen.de ①②⑦.⓪.⓪.① exаmple.com 93.184.215.14 example.com%2eevil.net "
        "127.0.0.1.nip.io example。com example.com%00.evil.net evil.com#@example.com evil.com\\@example.com".split()
    ),
    st.text("abcxyz0189.-_%[]:", min_size=1, max_size=30),
    st.text(max_size=20),
    st.integers(0, 2**33).map(str),
    st.ip_addresses().map(lambda ip: f"[{ip}]" if ip.version == 6 else str(ip)),
)
paths = st.builds(
    "{}{}".format,
    st.sampled_from(["/", "", "/a/../b", "/%2e%2e/", "/a b", "?q=1", "/é?ü#ö", "/@b", "//c", "/:80", "/x@y.example/"]),
    st.text(max_size=6),
)
wild = st.builds(
    "{}{}{}{}{}".format,
    st.sampled_from(["https://", "http://", "HTTP://", "https:/", "https:\\\\", "//", "ftp://", "http:///", "https:"]),
    st.sampled_from(["", "", "", "a@", "a:b@", "@", "example.com@", "example.com\\@"]),
    hosts,
    st.sampled_from(["", "", "", ":80", ":443", ":22", ":", ":0443", ":+80"]),
    paths,
)
labels = st.one_of(
    st.sampled_from("www EXAMPLE xn--mnchen-3ya münchen ⓔxample 例え r3---sn 0x7f 127 a_b exa\u00admple faß".split()),
    st.text(st.characters(categories=["Ll", "Lu", "Lo", "Nd"]), min_size=1, max_size=8),
)
tame = st.builds(
    "{}{}{}{}{}".format,
    st.sampled_from(["https://", "http://", "HTTPS://"]),
    st.lists(labels, min_size=1, max_size=3).map(".".join),
    st.sampled_from([".com", ".example.com", ".EXAMPLE.com.", "。com", ".co.uk"]),
    st.sampled_from(["", "", ":"]),
    paths,
)
public = st.lists(
    st.sampled_from([one for one in ANSWERS if verdict(one) is None]), min_size=1, max_size=2, unique=True
)
mixed = st.lists(st.sampled_from(ANSWERS), min_size=1, max_size=3)


@settings(
    max_examples=int(os.environ.get("AFFIDAVIT_FUZZ", "300")), suppress_health_check=list(HealthCheck), deadline=None
)
@given(st.one_of(wild, tame, tame), st.one_of(public, public, mixed), st.booleans())
def test_the_connection_goes_to_what_was_judged_under_the_name_that_was_judged(url, answers, listed):
    policy = Policy(allow=("example.com", "*.example.com")) if listed else Policy()
    wire, names, decisions = asyncio.run(fetch(url, answers, policy))
    for address, port in wire.dialled:
        assert verdict(address) is None
        assert port in (80, 443)
    event("connected" if wire.dialled else "refused")
    if not wire.dialled:
        assert not any(one.allowed and one.reason == "fetched" for one in decisions)
        return
    parsed = ada_url.URL(url)
    host = parsed.hostname.removesuffix(".")
    literal = host.strip("[]") if parsed.host_type else None
    assert {address for address, _ in wire.dialled} <= (
        {literal} if literal else {str(ipaddress.ip_address(one)) for one in answers}
    )
    if literal is None:
        assert set(names.asked) == {f"{host}."}
        assert all(verdict(one) is None for one in answers)
    if listed:
        assert host == "example.com" or host.endswith(".example.com")
    assert set(wire.names) <= {host.strip("[]")}
    for request in (one for one in wire.sent if one):
        assert f"\r\nHost: {host}\r\n".encode() in request
        assert request.startswith(b"GET ")
        assert request.count(b"\r\n\r\n") == 1
