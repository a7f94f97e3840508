"""The gateway: seen or refused, decided or not done, recorded either way."""

import asyncio
import inspect

import pytest

from affidavit.egress.archive import open_archive
from affidavit.egress.gateway import Gateway
from affidavit.egress.policy import Policy
from affidavit.egress.web import ArchiveWeb, Hop, LayeredWeb
from affidavit.errors import ArchiveError, FailureKind, InvalidArgument, PageFailure, StorageError

A, Q = "https://a.example/p", "https://b.example/s?q=one&r=2"


@pytest.fixture
def run(warc, page):
    archive = open_archive(warc(page(url=A, body=b"12345"), page(url=Q), page(url="https://a.example/admin")))
    decisions = []
    return Gateway(ArchiveWeb([archive]), decisions.append, Policy(deny=("denied.example",))), decisions


def fetch(gateway, url):
    return asyncio.run(gateway.fetch(url))


def blocked(gateway, url):
    with pytest.raises(PageFailure) as caught:
        fetch(gateway, url)
    assert caught.value.kind is FailureKind.BLOCKED_BY_POLICY
    return caught.value.detail


def test_an_address_that_was_seen_is_fetched_and_recorded(run):
    gateway, decisions = run
    gateway.saw(A, "search result")
    assert fetch(gateway, A).body == b"12345"
    (decision,) = decisions
    assert (decision.url, decision.host, decision.allowed, decision.reason) == (A, "a.example", True, "fetched")
    assert (decision.bytes, decision.how) == (5, "search result")
    assert decision.seconds >= 0


def test_an_address_that_was_not_seen_is_refused_though_the_archive_has_it(run):
    gateway, decisions = run
    gateway.saw(A, "search result")
    assert blocked(gateway, "https://a.example/admin").startswith("not_seen")
    assert [(one.allowed, one.reason, one.how) for one in decisions] == [(False, "not_seen", None)]


def test_the_page_a_redirect_led_to_counts_as_seen(warc, page):
    move = page(url=A, body=b"", status="302 Found", headers=(("Location", Q),))
    gateway = Gateway(ArchiveWeb([open_archive(warc(move, page(url=Q)))]), lambda _: None)
    gateway.saw(A, "given")
    assert fetch(gateway, A).final_url == Q
    assert fetch(gateway, Q).final_url == Q


@pytest.mark.parametrize(
    "url", ["HTTPS://B.example:443/s?q=one&r=2", Q + "#part", "https://b.example./%73?q=%6fne&r=2"]
)
def test_another_spelling_of_a_seen_address_is_seen(run, url):
    gateway, _ = run
    gateway.saw(Q, "link")
    fetched = fetch(gateway, url)
    assert (fetched.requested_url, fetched.final_url) == (url, Q)


@pytest.mark.parametrize(
    "query", ["q=two&r=2", "q=one&r=2&s=3", "q=ONE&r=2", "q=one", "q=%6Fne&&r=2", "r=2&q=one", "q=one&r=2&gclid=x", ""]
)
def test_a_query_must_be_the_seen_one_byte_for_byte(run, query):
    gateway, _ = run
    gateway.saw(Q, "link")
    assert blocked(gateway, "https://b.example/s?" + query).startswith("not_seen")


def test_the_web_is_asked_for_the_address_as_seen_so_nothing_of_the_model_leaves():
    asked = []

    class Recorder:
        async def fetch(self, url, watch):
            asked.append(url)
            raise PageFailure(FailureKind.NOT_FOUND, url, "gone")

    gateway = Gateway(Recorder(), lambda _: None)
    gateway.saw(A + "?b=2&utm_source=mail&fbclid=1", "link")
    with pytest.raises(PageFailure):
        fetch(gateway, "https://A.example/%70?b=2&fbclid=1#the-secret")
    assert asked == [A + "?b=2&utm_source=mail&fbclid=1"]


@pytest.mark.parametrize(
    ("url", "reason"),
    [("file:///etc/passwd", "scheme"), ("https://denied.example/", "host_denied"), ("https://a.example\\@b/", "trick")],
)
def test_what_the_policy_refuses_stays_refused_though_seen(run, url, reason):
    gateway, decisions = run
    gateway.saw(url, "link")
    assert blocked(gateway, url).startswith(reason)
    assert decisions[0].reason == reason


def test_a_failure_of_the_web_is_an_allowed_decision_with_its_kind(run):
    gateway, decisions = run
    gateway.saw("https://c.example/", "link")
    with pytest.raises(PageFailure) as caught:
        fetch(gateway, "https://c.example/")
    assert caught.value.kind is FailureKind.NOT_FOUND
    assert [(one.allowed, one.reason, one.bytes) for one in decisions] == [(True, "not_found", 0)]


def test_a_decision_that_cannot_be_recorded_gives_no_page(warc, page):
    def refuse(_):
        raise OSError("disk full")

    gateway = Gateway(ArchiveWeb([open_archive(warc(page(url=A)))]), refuse)
    gateway.saw(A, "link")
    with pytest.raises(OSError, match="disk full"):
        fetch(gateway, A)


def test_an_error_that_nobody_foresaw_is_the_failure_of_its_page_alone_and_is_logged(caplog):
    class Fragile:
        async def fetch(self, url, watch):
            if url == A:
                raise ValueError("a header with \x1b[31m in it")
            raise PageFailure(FailureKind.NOT_FOUND, url, "gone")

    decisions = []
    gateway = Gateway(Fragile(), decisions.append)
    gateway.saw(A, "link")
    gateway.saw(Q, "link")
    first, second = asyncio.run(gateway.fetch_many([A, Q]))
    assert (first.kind, second.kind) == (FailureKind.CRASHED, FailureKind.NOT_FOUND)
    assert "ValueError" in first.detail
    assert sorted(one.reason for one in decisions) == ["failed", "not_found"]
    (told,) = [one.getMessage() for one in caplog.records]
    assert "ValueError" in told
    assert "\x1b" not in told


def test_an_error_of_the_machine_is_no_pages_failure():
    class Full:
        async def fetch(self, url, watch):
            raise StorageError("disk full")

    gateway = Gateway(Full(), lambda _: None)
    gateway.saw(A, "link")
    with pytest.raises(StorageError):
        fetch(gateway, A)


def test_a_hop_that_cannot_be_recorded_ends_the_fetch_with_what_was_raised():
    class Live:
        async def fetch(self, url, watch):
            watch.record(Hop(url=url, allowed=True, reason="fetched"))

    def refuse(_):
        raise OSError("disk full")

    gateway = Gateway(Live(), refuse)
    gateway.saw(A, "link")
    with pytest.raises(OSError, match="disk full"):
        fetch(gateway, A)


def test_a_cancelled_fetch_is_recorded():
    class Slow:
        async def fetch(self, url, watch):
            await asyncio.sleep(60)

    decisions = []
    gateway = Gateway(Slow(), decisions.append)
    gateway.saw(A, "link")

    async def give_up():
        async with asyncio.timeout(0.01):
            await gateway.fetch(A)

    with pytest.raises(TimeoutError):
        asyncio.run(give_up())
    assert [one.reason for one in decisions] == ["failed"]


def test_several_archives_are_one_web(warc, page):
    first = open_archive(warc(page(url=A, body=b"first"), name="1"))
    second = open_archive(warc(page(url=A, body=b"second"), page(url=Q), name="2"))
    web = ArchiveWeb([first, second])
    assert asyncio.run(web.fetch(A)).body == b"first"
    assert asyncio.run(web.fetch(Q)).final_url == Q
    with pytest.raises(PageFailure, match="none of the 2 archives"):
        asyncio.run(web.fetch("https://c.example/"))


def test_no_archives_is_said():
    with pytest.raises(ArchiveError, match="no archive was given"):
        ArchiveWeb([])


def test_two_folders_of_one_name_are_refused(tmp_path):
    archives = []
    for parent in "ab":
        folder = tmp_path / parent / "docs"
        folder.mkdir(parents=True)
        (folder / "page.txt").write_text(parent)
        archives.append(open_archive(folder))
    with pytest.raises(ArchiveError, match="two folders of one name"):
        ArchiveWeb(archives)
    ArchiveWeb([archives[0], archives[0]])


def test_the_next_web_is_asked_where_the_archives_have_not_got_the_page(warc, page):
    asked = []

    class Live:
        async def fetch(self, url, watch):
            asked.append(url)
            raise PageFailure(FailureKind.DNS, url, "no")

    archive = ArchiveWeb([open_archive(warc(page(url=A), page(url=Q, status="500 Oops")))])
    gateway = Gateway(LayeredWeb([archive, Live()]), lambda _: None)
    for url in (A, Q, "https://c.example/"):
        gateway.saw(url, "link")
    assert fetch(gateway, A).final_url == A
    assert fetch(gateway, Q).status == 500
    with pytest.raises(PageFailure) as caught:
        fetch(gateway, "https://c.example/")
    assert (caught.value.kind, asked) == (FailureKind.DNS, ["https://c.example/"])


def test_an_archives_redirect_to_a_denied_host_is_refused(warc, page):
    move = page(url=A, body=b"", status="302 Found", headers=(("Location", "https://denied.example/"),))
    archive = ArchiveWeb([open_archive(warc(move, page(url="https://denied.example/")))])
    decisions = []
    gateway = Gateway(archive, decisions.append, Policy(deny=("denied.example",)))
    gateway.saw(A, "link")
    assert blocked(gateway, A).startswith("host_denied")
    assert [(one.allowed, one.reason) for one in decisions] == [(False, "host_denied")]


def test_four_addresses_at_most_go_in_one_call(run):
    gateway, _ = run
    for urls in ([], [A] * 5):
        with pytest.raises(InvalidArgument, match="1 to 4"):
            asyncio.run(gateway.fetch_many(urls))


def test_nothing_but_a_get_can_be_asked_for():
    assert set(inspect.signature(Gateway.fetch).parameters) == {"self", "url"}
