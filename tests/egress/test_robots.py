"""What a site's robots.txt lets us read."""

import asyncio
import gzip
import threading
from dataclasses import dataclass, field

import pytest

from affidavit.egress.cache import PageCache
from affidavit.egress.client import PageClient, user_agent
from affidavit.egress.own_rules import MAX_RULES
from affidavit.egress.politeness import Politeness
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


def permission(served_robots, path="/page", *, watch=None, answers=None, pages=(), cache=None, politeness=None):
    async def scene():
        served = {"/robots.txt": served_robots} if served_robots is not None else {}
        async with HostileServer({**served, **dict(pages)}) as server:
            transport = PinnedTransport(answers or Answers(), ssl_context=server.trust, dialler=server.detour)
            async with transport:
                client = PageClient(transport, agent=user_agent(None), limits=Limits(), types=frozenset({"text/html"}))
                robots = Robots(client, cache, politeness)
                return await robots.permission(read_target(SITE + path), watch or Watching())

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


def test_a_redirect_is_followed_to_another_hosts_robots_if_the_policy_lets_it():
    elsewhere = {"http://static.example.com/robots.txt": reply(b"User-agent: *\nDisallow: /page")}
    move = redirect("http://static.example.com/robots.txt")
    pages = {f"{SITE}/robots.txt": move, **elsewhere}
    watch = Watching()
    assert not permission(None, watch=watch, pages=pages).allowed
    assert [hop.url for hop in watch.hops] == [f"{SITE}/robots.txt", "http://static.example.com/robots.txt"]
    assert {hop.purpose for hop in watch.hops} == {"robots"}
    refused = permission(None, watch=Watching(refuse="static"), pages=pages)
    assert not refused.allowed
    assert "refused" in refused.why


@pytest.mark.parametrize(
    "location", ["/r.txt", "/", "/robots.txt?a=1", "http://static.example.com/transfer?to=me", "ftp://a.example.com/"]
)
def test_a_redirect_to_anything_but_a_robots_is_not_followed_and_allows_nothing(location):
    watch = Watching()
    refused = permission(redirect(location), watch=watch)
    assert not refused.allowed
    assert "which is refused" in refused.why
    assert [hop.url for hop in watch.hops if hop.allowed] == [f"{SITE}/robots.txt"]
    assert [(hop.allowed, hop.reason, hop.purpose) for hop in watch.hops[1:]] == [
        (False, "scheme" if location.startswith("ftp") else "not_robots", "robots")
    ]


def test_a_redirect_from_https_to_http_is_not_followed_and_allows_nothing():
    pages = {"https://www.example.com/robots.txt": redirect("http://www.example.com/robots.txt")}
    watch = Watching()
    moved = {"http://www.example.com/robots.txt": redirect("https://www.example.com/robots.txt"), **pages}
    assert "downgrade" in permission(None, watch=watch, pages=moved).why
    assert [hop.url for hop in watch.hops if hop.allowed] == [
        f"{SITE}/robots.txt",
        "https://www.example.com/robots.txt",
    ]


def test_a_redirect_to_a_private_network_is_not_followed_and_allows_nothing():
    watch = Watching()
    answers = Answers({"in.example.com": ["10.0.0.1"]})
    refused = permission(redirect("http://in.example.com/robots.txt"), watch=watch, answers=answers)
    assert not refused.allowed
    assert "it redirects to in.example.com" in refused.why
    assert [(hop.allowed, hop.address) for hop in watch.hops[1:]] == [(False, "10.0.0.1")]


def test_a_redirect_waits_for_the_turn_of_its_host():
    at = []

    async def answer(asked, writer):
        at.append(asyncio.get_running_loop().time())
        writer.write(reply(b"") if asked.secure else redirect("https://static.example.com/robots.txt"))

    first = redirect("http://static.example.com/robots.txt")
    pages = {f"{scheme}://static.example.com/robots.txt": answer for scheme in ("http", "https")}
    assert permission(None, pages={f"{SITE}/robots.txt": first, **pages}, politeness=Politeness(interval=0.1)).allowed
    assert at[1] - at[0] >= 0.09


def test_a_redirect_without_end_is_as_if_the_file_were_missing():
    pages = {f"http://{n}.example.com/robots.txt": redirect(f"http://{n + 1}.example.com/robots.txt") for n in range(9)}
    watch = Watching()
    first = redirect("http://0.example.com/robots.txt")
    assert permission(None, pages={f"{SITE}/robots.txt": first, **pages}, watch=watch).allowed
    assert [hop.allowed for hop in watch.hops] == [True] * 6 + [False]
    assert watch.hops[-1].reason == "redirect_limit"


def test_a_redirect_to_itself_is_as_if_the_file_were_missing_and_is_asked_for_once():
    watch = Watching()
    assert permission(redirect("/robots.txt"), watch=watch).allowed
    assert [(hop.allowed, hop.reason) for hop in watch.hops] == [(True, "redirected"), (False, "redirect_loop")]


def test_a_file_with_more_rules_for_us_than_are_weighed_allows_nothing():
    refused = rules("User-agent: *\n" + "Allow: /\n" * (MAX_RULES + 1))
    assert not refused.allowed
    assert "not weighed" in refused.why


def test_a_file_is_parsed_in_a_thread_and_kept_only_if_that_ended(monkeypatch, tmp_path):
    threads = []

    def fails(text, product):
        threads.append(threading.current_thread())
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr("affidavit.egress.robots.own_rules", fails)
    with pytest.raises(RuntimeError):
        permission(reply(b"User-agent: *"), cache=PageCache(tmp_path))
    assert threads[0] is not threading.main_thread()
    assert list(tmp_path.iterdir()) == []


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
