"""What a site's robots.txt lets us read."""

import asyncio
import gzip
from dataclasses import dataclass, field

import pytest

from affidavit.egress.client import PageClient, user_agent
from affidavit.egress.reason import Reason
from affidavit.egress.received import Limits
from affidavit.egress.robots import MAX_SIZE, Robots
from affidavit.egress.target import read_target
from affidavit.egress.transport import PinnedTransport
from affidavit.errors import HostFailure

from .hostile_server import Answers, HostileServer, redirect, reply

SITE = "http://www.example.com"


@dataclass
class Watching:
    refuse: str = "nothing"
    hops: list = field(default_factory=list)

    def permit(self, target):
        return Reason.HOST_DENIED if self.refuse in target.host else None

    def record(self, hop):
        self.hops.append(hop)


def permission(robots, path="/page", *, watch=None, answers=None, pages=()):
    async def scene():
        served = {"/robots.txt": robots} if robots is not None else {}
        async with HostileServer({**served, **dict(pages)}) as server:
            transport = PinnedTransport(answers or Answers(), ssl_context=server.trust, dialler=server.detour)
            async with transport:
                client = PageClient(transport, agent=user_agent(None), limits=Limits(), types=frozenset({"text/html"}))
                return await Robots(client).permission(read_target(SITE + path), watch or Watching())

    return asyncio.run(scene())


def rules(text, path="/page"):
    return permission(reply(text.encode(), content_type="text/plain"), path)


@pytest.mark.parametrize(
    ("text", "path", "allowed"),
    [
        ("User-agent: *\nDisallow: /", "/page", False),
        ("User-agent: *\nDisallow:", "/page", True),
        ("User-agent: *\nDisallow: /private/", "/page", True),
        ("User-agent: *\nDisallow: /private/", "/private/x", False),
        ("User-agent: affidavit\nDisallow: /\n\nUser-agent: *\nAllow: /", "/page", False),
        ("User-agent: AFFIDAVIT\nAllow: /\n\nUser-agent: *\nDisallow: /", "/page", True),
        ("User-agent: otherbot\nDisallow: /", "/page", True),
        ("User-agent: a\nUser-agent: affidavit\nDisallow: /x", "/x", False),
        ("User-agent: *\nDisallow: /\nAllow: /page", "/page", True),
        ("User-agent: *\nAllow: /p\nDisallow: /page", "/page", False),
        ("User-agent: *\nDisallow: /*.pdf$", "/a/b.pdf", False),
        ("User-agent: *\nDisallow: /*.pdf$", "/a/b.pdf?x=1", True),
        ("User-agent: *\nDisallow: /*?print=", "/a?print=1", False),
        ("User-agent: *\nDisallow: /caf%C3%A9", "/café", False),
        ("\ufeffUser-agent: *\nDisallow: /", "/page", False),
        ("User-agent: *\r\nDisallow: /page\r\n", "/page", False),
        ("User-agent: *\rDisallow: /page\r", "/page", False),
        ("user-agent:*\ndisallow:/page # why", "/page", False),
        ("Disallow: /", "/page", True),
        ("<!doctype html><title>Not found</title>", "/page", True),
        ("User-agent: *\nDisallow: /", "/robots.txt", True),
        ("", "/page", True),
    ],
)
def test_the_longest_rule_of_our_group_decides(text, path, allowed):
    assert rules(text, path).allowed is allowed


def test_a_crawl_delay_is_told():
    assert rules("User-agent: *\nCrawl-delay: 7\nDisallow: /x").delay == 7
    assert rules("User-agent: *\nDisallow: /x").delay is None


def test_a_packed_robots_is_unpacked_and_a_damaged_one_allows_nothing():
    packed = gzip.compress(b"User-agent: *\nDisallow: /page\n")
    assert not permission(reply(packed, "Content-Encoding: gzip")).allowed
    assert permission(reply(packed, "Content-Encoding: gzip"), "/other").allowed
    assert not permission(reply(packed[:-12], "Content-Encoding: gzip"), "/other").allowed


def test_attack_36_a_file_of_a_megabyte_counts_for_500_kib():
    start = b"User-agent: *\nDisallow: /early\n"
    filler = b"# " + b"x" * 97 + b"\n"
    text = start + filler * ((MAX_SIZE - len(start)) // len(filler) + 1) + b"Disallow: /late\n" + filler * 6000
    assert len(text) > 2 * MAX_SIZE
    assert not permission(reply(text), "/early").allowed
    assert permission(reply(text), "/late").allowed


def test_a_redirect_is_followed_to_another_host_if_the_policy_lets_it():
    elsewhere = {"http://static.example.com/r.txt": reply(b"User-agent: *\nDisallow: /page")}
    move = redirect("http://static.example.com/r.txt")
    watch = Watching()
    assert not permission(move, watch=watch, pages=elsewhere).allowed
    assert [hop.url for hop in watch.hops] == [f"{SITE}/robots.txt", "http://static.example.com/r.txt"]
    assert {hop.purpose for hop in watch.hops} == {"robots"}
    refused = permission(move, watch=Watching(refuse="static"), pages=elsewhere)
    assert not refused.allowed
    assert "refused" in refused.why


def test_a_redirect_without_end_is_as_if_the_file_were_missing():
    chain = {f"/r{number}": redirect(f"/r{number + 1}") for number in range(10)}
    assert permission(redirect("/r0"), pages=chain).allowed


@pytest.mark.parametrize("garbage", [b"nonsense\r\n\r\n", b""])
def test_a_site_that_answers_nonsense_is_not_read(garbage):
    async def close(asked, writer):
        writer.write(garbage)
        await writer.drain()
        writer.close()

    assert not permission(close).allowed


def test_a_site_that_cannot_be_reached_is_a_failure_of_the_host():
    watch = Watching()
    with pytest.raises(HostFailure, match="private network"):
        permission(None, watch=watch, answers=Answers({"www.example.com": ["10.0.0.1"]}))
    assert [(hop.allowed, hop.reason, hop.address) for hop in watch.hops] == [(False, "address", "10.0.0.1")]
