"""One suite over the gateway in this process and in one of its own: the same pages, failures and decisions."""

import asyncio
import gzip
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from affidavit.egress.gateway import Gateway
from affidavit.egress.policy import Policy
from affidavit.egress.process.client import RemoteWeb
from affidavit.errors import FailureKind, GatewayError, PageFailure, SearchFailure, SearchFailureKind

from ..hostile_server import PUBLIC, Answers, redirect, reply
from .conftest import KINDS, SITE, running


@pytest.fixture(params=KINDS)
def kind(request):
    return request.param


@pytest.fixture
def play(kind, town):
    """``play(act, pages, …)``: what `act` made of a run of this kind."""

    def play(act, pages=None, *, policy=None, given=(), canaries=(), **more):
        async def scene():
            async with (
                town(pages, tcp=kind == "tcp", **more) as place,
                running(kind, place, policy=policy, given=given, canaries=canaries) as run,
            ):
                return run, await asyncio.wait_for(act(run), 30)

        return asyncio.run(scene())

    return play


def asking(*urls):
    async def act(run):
        results = []
        for url in urls:
            try:
                results.append(await run.gateway.fetch(url))
            except PageFailure as failure:
                results.append(failure)
        return results

    return act


def summary(decisions):
    """All of the decisions but what a clock says."""
    return [replace(one, seconds=0.0) for one in decisions]


def test_a_page_comes_whole_with_its_decision(play):
    url = f"{SITE}/a?q=1"
    page = reply(b"12345\0\xff", "X-One: \xe9\xe8", "X-One: 2")
    run, (page,) = play(asking(url + "#part"), {"/a?q=1": page}, given=[url])
    assert (page.body, page.status, page.final_url, page.requested_url) == (b"12345\0\xff", 200, url, url + "#part")
    assert [value for name, value in page.headers if name == "x-one"][1] == "2"
    robots, decision = run.decisions
    assert (robots.purpose, robots.status, robots.url) == ("robots", 404, f"{SITE}/robots.txt")
    assert (decision.host, decision.address, decision.reason) == ("www.example.com", PUBLIC, "fetched")
    assert (decision.bytes, decision.received, decision.status, decision.hop) == (7, 7, 200, 0)
    assert decision.how == "given by the user"


@pytest.mark.parametrize("coding", ["identity", "gzip"])
def test_every_response_is_kept_as_it_came(play, coding):
    body = b"words " * 1000
    last = reply(gzip.compress(body), "Content-Encoding: gzip") if coding == "gzip" else reply(body)
    run, (page,) = play(asking(f"{SITE}/a"), {"/a": redirect("/b"), "/b": last}, given=[f"{SITE}/a"])
    assert page.body == body
    assert [(one.url, one.status) for one in run.kept] == [(f"{SITE}/a", 302), (f"{SITE}/b", 200)]
    assert run.kept[-1].address == PUBLIC
    assert (gzip.decompress(run.kept[-1].raw) if coding == "gzip" else run.kept[-1].raw) == body


def test_an_empty_page_and_one_of_five_megabytes(play):
    large = bytes(range(256)) * 20_000
    pages = {"/empty": reply(b""), "/large": reply(large)}
    _, (empty, big) = play(asking(f"{SITE}/empty", f"{SITE}/large"), pages, given=[f"{SITE}/empty", f"{SITE}/large"])
    assert empty.body == b""
    assert big.body == large


def test_what_a_search_found_can_be_fetched(play):
    async def act(run):
        (hit,) = await run.find()
        return hit, await run.gateway.fetch(hit.url)

    run, (hit, page) = play(act, {"/found": reply(b"here")}, found=(f"{SITE}/found",))
    assert (hit.title, hit.rank, hit.provider) == ("About mill", 1, "listed")
    assert page.body == b"here"
    assert run.decisions[-1].how == "search result"


def test_a_link_of_a_page_that_was_read_can_be_followed(play):
    async def act(run):
        await run.gateway.fetch(f"{SITE}/start")
        run.gateway.saw(f"{SITE}/next?step=1", f"link on {SITE}/start")
        return await run.gateway.fetch(f"{SITE}/next?step=1")

    words = b"The mill was built in 1871 and stands by the river. " * 8
    start = reply(b"<title>Mill</title><p>" + words + b"<a href='/next?step=1'>The next page</a></p>")
    run, page = play(act, {"/start": start, "/next?step=1": reply(b"more")}, given=[f"{SITE}/start"])
    assert page.body == b"more"
    assert run.decisions[-1].how == f"link on {SITE}/start"


def test_what_a_redirect_led_to_can_be_asked_for_by_itself(play):
    _, (first, second) = play(
        asking(f"{SITE}/a", f"{SITE}/b"), {"/a": redirect("/b"), "/b": reply(b"b")}, given=[f"{SITE}/a"]
    )
    assert first.final_url == second.final_url == f"{SITE}/b"


REFUSED = {
    "not seen": (f"{SITE}/other", "not_seen"),
    "another query": (f"{SITE}/a?q=2", "not_seen"),
    "a parameter more": (f"{SITE}/a?q=1&d=secret", "not_seen"),
    "a tracking parameter more": (f"{SITE}/a?q=1&utm_source=secret", "not_seen"),
    "another scheme": ("ftp://www.example.com/a?q=1", "scheme"),
    "a user name": ("https://secret@www.example.com/a?q=1", "userinfo"),
    "a backslash": ("https://www.example.com\\a?q=1", "trick"),
    "a port": ("https://www.example.com:8443/a?q=1", "port"),
    "a lone surrogate": (f"{SITE}/\ud800", "not_a_url"),
    "no address": ("", "not_a_url"),
    "too long": (f"{SITE}/{'a' * 9000}", "too_long"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused_is_refused_alike_and_recorded(play, case):
    url, reason = REFUSED[case]
    run, (failure,) = play(asking(url), {"/a?q=1": reply()}, given=[f"{SITE}/a?q=1"])
    assert failure.kind is FailureKind.BLOCKED_BY_POLICY
    assert failure.detail.startswith(f"{reason}: ")
    assert [(one.allowed, one.reason) for one in run.decisions] == [(False, reason)]
    assert run.town.web.asked == []


POLICIES = {
    "denied host": (Policy(deny=("www.example.com",)), f"{SITE}/", "host_denied"),
    "host that is not listed": (Policy(allow=("*.example.org",)), f"{SITE}/", "host_not_allowed"),
}


@pytest.mark.parametrize("case", POLICIES)
def test_a_policy_refuses_alike(play, case):
    policy, url, reason = POLICIES[case]
    run, (failure,) = play(asking(url), {"/": reply()}, given=[url], policy=policy)
    assert reason in failure.detail
    assert [one.reason for one in run.decisions] == [reason]


FAILURES = {
    "missing": ({"/a": reply(b"gone", status="410 Gone", content_type="video/mp4")}, {}, FailureKind.NOT_FOUND),
    "another type": ({"/a": reply(b"x", content_type="video/mp4")}, {}, FailureKind.BAD_TYPE),
    "robots": ({"/robots.txt": reply(b"User-agent: *\nDisallow: /"), "/a": reply()}, {}, FailureKind.ROBOTS),
    "a loop": ({"/a": redirect("/a")}, {}, FailureKind.ERROR),
    "a downgrade": ({"/a": redirect("http://www.example.com/a")}, {}, FailureKind.BLOCKED_BY_POLICY),
    "a redirect to metadata": ({"/a": redirect("https://169.254.169.254/")}, {}, FailureKind.BLOCKED_BY_POLICY),
    "a private address": ({}, {"www.example.com": ["10.0.0.1"]}, FailureKind.BLOCKED_BY_POLICY),
    "no such name": ({}, {"www.example.com": None}, FailureKind.DNS),
    "no HTTP": ({"/a": b"\0\0\0garbage\r\n\r\n"}, {}, FailureKind.BROKEN),
    "endless headers": ({"/a": b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 30_000}, {}, FailureKind.TOO_LARGE),
}


@pytest.mark.parametrize("case", FAILURES)
def test_a_page_that_cannot_be_had_fails_alike(play, case):
    pages, names, expected = FAILURES[case]
    run, (failure,) = play(asking(f"{SITE}/a"), pages, given=[f"{SITE}/a"], answers=Answers(dict(names)))
    assert failure.kind is expected
    assert failure.detail
    assert run.decisions[-1].host


def test_a_mark_of_the_run_in_a_redirect_is_refused(play):
    pages = {"/a": redirect("https://evil.example.net/?d=CANARY-91be-4d20")}
    run, (failure,) = play(asking(f"{SITE}/a"), pages, given=[f"{SITE}/a"], canaries=["canary-91be-4d20"])
    assert "canary" in failure.detail
    assert run.decisions[-1].reason == "canary"
    assert all("evil" not in asked.host for asked in run.town.web.asked)


KEY = "BSA-0123456789abcdef"


def test_no_run_can_have_a_key_of_the_gateway_carried_out(town):
    """The gateway's process looks for its own keys, which no run knows, in every address and redirect."""

    async def scene():
        pages = {"/go": redirect(f"https://evil.example.net/?d={KEY}"), "/a": reply(b"a")}
        async with (
            town(pages, keys={"BRAVE_API_KEY": KEY}) as place,
            place.session(given=[f"{SITE}/go", f"{SITE}/{KEY}", f"{SITE}/a"]) as one,
        ):
            gateway = Gateway(RemoteWeb(one), lambda _: None, one.policy)
            failures = []
            for url in (f"{SITE}/go", f"{SITE}/{KEY}"):
                gateway.saw(url, "given by the user")
                with pytest.raises(PageFailure) as caught:
                    await gateway.fetch(url)
                failures.append(caught.value.detail)
            gateway.saw(f"{SITE}/a", "given by the user")
            assert (await gateway.fetch(f"{SITE}/a")).body == b"a"
            return place, failures

    place, failures = asyncio.run(scene())
    assert all("canary" in failure for failure in failures)
    assert place.web.urls == [f"{SITE}/go", f"{SITE}/a"]


def test_where_a_redirect_led_is_judged_by_the_run_too_whose_own_keys_are_told_to_nobody(town):
    async def scene():
        pages = {"/go": redirect(f"https://evil.example.net/?d={KEY}"), f"/?d={KEY}": reply(b"got it")}
        async with town(pages) as place, place.session(given=[f"{SITE}/go"], keep=True) as one:
            kept, decisions = [], []
            gateway = Gateway(RemoteWeb(one, kept.append), decisions.append, one.policy, canaries=[KEY])
            gateway.saw(f"{SITE}/go", "given by the user")
            with pytest.raises(PageFailure, match="canary") as caught:
                await gateway.fetch(f"{SITE}/go")
            return caught.value, decisions, kept, place.events("open")

    failure, decisions, kept, opened = asyncio.run(scene())
    assert failure.kind is FailureKind.BLOCKED_BY_POLICY
    pages = [(one.allowed, one.reason) for one in decisions if one.purpose == "page"]
    assert pages == [(True, "redirected"), (True, "fetched"), (False, "canary")]
    assert len(kept) == 2
    assert KEY not in str(opened)


def test_a_mark_that_stands_in_honest_addresses_is_refused_with_a_reason(town):
    async def scene():
        async with town() as place:
            with pytest.raises(GatewayError, match="fewer than 8"):
                async with place.session(canaries=["mill"]):
                    pass

    asyncio.run(scene())


def test_a_run_gets_kept_pages_as_fresh_as_it_and_the_gateway_want_them(town):
    """What is smaller counts, as with everything that a run may ask for."""

    async def read(folder, own, asked):
        page = reply(b"a", 'ETag: "1"', "Cache-Control: max-age=3600")
        async with (
            town({"/a": page}, folder=folder, settings={"cache_seconds": own}) as place,
            place.session(given=[f"{SITE}/a"], max_age=asked) as one,
        ):
            decisions = []
            gateway = Gateway(RemoteWeb(one), decisions.append, one.policy)
            gateway.saw(f"{SITE}/a", "given by the user")
            await gateway.fetch(f"{SITE}/a")
            return decisions[-1].reason

    async def story(folder):
        return [await read(folder, *both) for both in ((None, None), (None, None), (0, None), (None, 0), (60, 3600))]

    with TemporaryDirectory() as folder:
        assert asyncio.run(story(Path(folder))) == ["fetched", "cached", "fetched", "fetched", "cached"]


def test_several_pages_come_at_once_in_their_order_with_failures_in_place(play):
    gate, waiting = asyncio.Event(), []

    async def together(asked, writer):
        waiting.append(asked.path)
        if len(waiting) == 3:
            gate.set()
        await gate.wait()
        writer.write(reply(asked.path.encode()))

    urls = [f"{SITE}/{name}" for name in "abcd"]
    _, (a, b, c, d) = play(
        lambda run: run.gateway.fetch_many(urls), {f"/{name}": together for name in "abc"}, given=urls[:3]
    )
    assert (a.body, b.body, c.body) == (b"/a", b"/b", b"/c")
    assert isinstance(d, PageFailure)


def test_a_search_that_fails_is_the_failure_it_was(play):
    async def act(run):
        with pytest.raises(SearchFailure) as caught:
            await run.search.search("fail")
        return caught.value

    _, failure = play(act)
    assert (failure.kind, failure.provider, failure.retry_after) == (SearchFailureKind.UNAVAILABLE, "listed", 7.0)


def test_a_search_of_which_a_part_failed_tells_of_it(play):
    run, hits = play(lambda run: run.find("partly"), found=(f"{SITE}/a",))
    assert len(hits) == 1
    assert [(one.provider, one.kind) for one in run.told] == [("other", SearchFailureKind.QUOTA)]


def test_a_fetch_that_is_given_up_ends_and_is_recorded(play):
    async def act(run):
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.3):
                await run.gateway.fetch(f"{SITE}/slow")
        return await run.gateway.fetch(f"{SITE}/a")

    async def slow(asked, writer):
        await asyncio.sleep(30)

    run, page = play(act, {"/slow": slow, "/a": reply(b"a")}, given=[f"{SITE}/slow", f"{SITE}/a"])
    assert page.body == b"a"
    assert [one.reason for one in run.decisions if one.url == f"{SITE}/slow"] == ["failed"]


def test_all_kinds_decide_the_same(town):
    """The decisions of one story, whole, by the three ways."""
    pages = {
        "/robots.txt": reply(b"User-agent: *\nDisallow: /shut"),
        "/a": redirect("/b"),
        "/b": reply(b"b"),
        "/shut": reply(),
        "/gone": reply(b"", status="404 Not Found"),
        "/out": redirect("http://10.1.2.3/"),
    }
    urls = [f"{SITE}/{name}" for name in ("a", "b", "shut", "gone", "out")]

    async def story(kind):
        async with (
            town(pages, tcp=kind == "tcp") as place,
            running(kind, place, given=urls, policy=Policy(deny=("*.example.net",))) as run,
        ):
            await asking(*urls, f"{SITE}/c", "https://x.example.net/")(run)
            return summary(run.decisions)

    first, *others = [asyncio.run(story(kind)) for kind in KINDS]
    assert len(first) == 10
    for other in others:
        assert other == first
