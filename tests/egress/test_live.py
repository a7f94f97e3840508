"""The live web, over real sockets, against a server that does what no honest one does.

``attack N`` in a name is a line of the design's list of attacks; docs/security.md has the table.
"""

import asyncio
import gzip
import time
import tracemalloc
import zlib

import pytest

from affidavit.egress.archive import open_archive
from affidavit.egress.cache import PageCache
from affidavit.egress.client import user_agent
from affidavit.egress.gateway import Decision, Gateway
from affidavit.egress.live import LiveWeb, aside
from affidavit.egress.policy import Policy
from affidavit.egress.politeness import Politeness
from affidavit.egress.received import Limits, Received
from affidavit.egress.transport import PinnedTransport
from affidavit.egress.warc_writer import WarcWriter
from affidavit.errors import FailureKind, PageFailure, StorageError
from affidavit.ledger.event import BEGUN, Event
from affidavit.ledger.violation import violations

from .hostile_server import PUBLIC, Answers, HostileServer, redirect, reply

SITE = "https://www.example.com"
AGENT = user_agent("reader@example.org")


class Scene:
    """A server, and a gateway whose connections all lead to it.

    At its end what was recorded is held against what no run may do: nothing that happens here may be a violation.
    """

    def __init__(self, pages=None, *, answers=None, policy=None, names=None, canaries=(), **live):
        self.server = HostileServer(dict(pages or {}), **({"names": names} if names else {}))
        self.answers = answers or Answers()
        self.policy = policy or Policy()
        self.canaries = canaries
        self.live = {"politeness": Politeness(at_once=20, interval=0), **live}
        self.decisions = []
        begun = {"kind": "test", "question": None, "settings": {"web_policy": self.policy.as_json()}, "product": "0"}
        self.told = [(BEGUN, begun)]

    def record(self, decision):
        self.decisions.append(decision)
        self.told.append(("gateway", {name: getattr(decision, name) for name in Decision.__slots__}))

    def saw(self, url):
        self.told.append(("search", {"provider": "test", "query": "q", "hits": [{"url": url, "title": "t"}]}))
        self.gateway.saw(url, "search result")

    async def __aenter__(self):
        await self.server.__aenter__()
        self.detour = self.server.detour
        transport = PinnedTransport(
            self.answers,
            allow_private=self.policy.allow_private,
            ssl_context=self.server.trust,
            dialler=self.detour,
        )
        self.web = LiveWeb(transport, agent=AGENT, types=self.policy.types, **self.live)
        self.gateway = Gateway(self.web, self.record, self.policy, canaries=self.canaries)
        return self

    async def __aexit__(self, *_):
        await self.web.aclose()
        await self.server.__aexit__()
        events, last = [], None
        for kind, payload in self.told:
            last = Event.following(last, run_id="run_1", event_type=kind, at="2026-01-02T03:04:05Z", payload=payload)
            events.append(last)
        assert violations(events) == ()

    async def get(self, url):
        self.saw(url)
        return await self.gateway.fetch(url)

    async def failure(self, url) -> PageFailure:
        with pytest.raises(PageFailure) as caught:
            await self.get(url)
        return caught.value

    @property
    def reasons(self):
        return [one.reason for one in self.decisions if one.purpose == "page"]


def play(scene, act):
    async def run():
        async with scene:
            return await act(scene)

    return asyncio.run(run())


def fetched(scene, url=f"{SITE}/"):
    return play(scene, lambda scene: scene.get(url))


def failed(scene, url=f"{SITE}/"):
    return play(scene, lambda scene: scene.failure(url))


# ------------------------------------------------------------------------------------------------- what is sent


def test_a_page_comes_with_its_address_bytes_and_time_in_the_decision():
    scene = Scene({"/a": reply(b"12345", "X-One: 1")})
    page = fetched(scene, f"{SITE}/a#part")
    assert (page.body, page.status, page.final_url) == (b"12345", 200, f"{SITE}/a")
    assert page.header("x-one") == "1"
    robots, decision = scene.decisions
    assert (robots.purpose, robots.status, robots.url) == ("robots", 404, f"{SITE}/robots.txt")
    assert (decision.host, decision.address, decision.reason) == ("www.example.com", PUBLIC, "fetched")
    assert (decision.bytes, decision.received, decision.status, decision.hop) == (5, 5, 200, 0)
    assert (decision.method, decision.how) == ("GET", "search result")
    assert decision.seconds > 0


def test_what_is_sent_is_a_get_with_five_headers_and_no_fragment():
    scene = Scene({"/a?q=1": reply()})
    fetched(scene, f"{SITE}/a?q=1#secret")
    (asked,) = [asked for asked in scene.server.asked if asked.path != "/robots.txt"]
    assert (asked.method, asked.path) == ("GET", "/a?q=1")
    assert set(asked.headers) == {"host", "user-agent", "accept", "accept-encoding"}
    assert asked.headers["accept-encoding"] == "gzip, identity"
    assert asked.headers["user-agent"].startswith("Affidavit/")
    assert "reader@example.org" in asked.headers["user-agent"]


def test_gzip_is_undone_and_both_sizes_are_known():
    scene = Scene({"/": reply(gzip.compress(b"word " * 1000), "Content-Encoding: gzip")})
    assert fetched(scene).body == b"word " * 1000
    assert scene.decisions[-1].received < scene.decisions[-1].bytes == 5000


def test_four_pages_come_at_once_in_their_order_with_failures_in_place():
    async def act(scene):
        urls = [f"{SITE}/{name}" for name in "abcd"]
        for url in urls[:3]:
            scene.saw(url)
        return await asyncio.wait_for(scene.gateway.fetch_many(urls), 10)

    gate = asyncio.Event()
    waiting = []

    async def together(asked, writer):
        waiting.append(asked.path)
        if len(waiting) == 3:
            gate.set()
        await gate.wait()
        writer.write(reply(asked.path.encode()))

    a, b, c, d = play(Scene({"/a": together, "/b": together, "/c": together}), act)
    assert (a.body, b.body, c.body) == (b"/a", b"/b", b"/c")
    assert isinstance(d, PageFailure)


# ------------------------------------------------------------------------------------------------- where it goes


def test_attack_1_the_metadata_address_is_never_dialled():
    scene = Scene()
    failure = failed(scene, "http://169.254.169.254/latest/meta-data/")
    assert failure.kind is FailureKind.BLOCKED_BY_POLICY
    assert "link-local" in failure.detail
    assert scene.detour.dialled == []
    assert (scene.decisions[-1].allowed, scene.decisions[-1].reason) == (False, "address")
    assert scene.decisions[-1].address == "169.254.169.254"


def test_attack_14_a_trailing_dot_is_the_same_host():
    scene = Scene({"/": reply()}, policy=Policy(allow=("www.example.com",)))
    assert fetched(scene, "https://www.example.com./").final_url == f"{SITE}/"
    assert scene.server.asked[-1].host == "www.example.com"


def test_attack_15_a_look_alike_shows_as_what_it_is():
    scene = Scene(policy=Policy(allow=("example.com",)))
    detail = failed(scene, "https://exаmple.com/").detail  # the third letter is Cyrillic
    assert "host_not_allowed" in detail
    assert "its host is xn--exmple-4nf.com" in detail
    assert scene.decisions[-1].host.startswith("xn--")


def test_attack_19_a_name_that_turns_private_between_two_requests_is_judged_each_time():
    async def act(scene):
        assert (await scene.get("http://a.example.com/one")).body == b"1"
        return await scene.failure("http://a.example.com/two")

    # Each reply closes its connection, so each request looks the name up anew.
    pages = {path: reply(body, "Connection: close") for path, body in (("/one", b"1"), ("/two", b"2"))}
    pages["/robots.txt"] = reply(b"", "Connection: close", status="404 Not Found")
    scene = Scene(pages, answers=Answers({"a.example.com": [[PUBLIC], [PUBLIC], ["127.0.0.1"]]}))
    failure = play(scene, act)
    assert failure.kind is FailureKind.BLOCKED_BY_POLICY
    assert set(scene.detour.dialled) == {PUBLIC}


def test_attack_20_one_private_answer_among_many_refuses_all():
    scene = Scene(answers=Answers({"www.example.com": [PUBLIC, "2606:4700:4700::1111", "::ffff:10.0.0.1"]}))
    assert "IPv4-mapped" in failed(scene).detail
    assert scene.detour.dialled == []


def test_a_name_that_does_not_exist_is_a_dns_failure():
    scene = Scene(answers=Answers({"www.example.com": None}))
    assert failed(scene).kind is FailureKind.DNS
    assert scene.reasons == ["dns"]


def test_a_certificate_for_another_name_is_a_tls_failure():
    scene = Scene({"/": reply()}, names=("elsewhere.example",))
    failure = failed(scene)
    assert failure.kind is FailureKind.TLS
    assert "certificate" in failure.detail
    assert scene.reasons == ["tls"]


# ------------------------------------------------------------------------------------------------- redirects


def test_a_redirect_is_followed_and_each_hop_is_a_decision():
    scene = Scene({"/old": redirect("/new"), "/new": reply(b"new")})
    page = fetched(scene, f"{SITE}/old")
    assert (page.body, page.final_url, page.requested_url) == (b"new", f"{SITE}/new", f"{SITE}/old")
    assert scene.reasons == ["redirected", "fetched"]
    assert [one.how for one in scene.decisions if one.purpose == "page"] == [
        "search result",
        f"redirect from {SITE}/old",
    ]


def test_attack_21_a_redirect_to_the_metadata_address_is_refused_at_the_hop():
    scene = Scene({"http://a.example.com/": redirect("http://169.254.169.254/latest/")})
    failure = failed(scene, "http://a.example.com/")
    assert failure.kind is FailureKind.BLOCKED_BY_POLICY
    assert scene.reasons == ["redirected", "address"]
    assert scene.detour.dialled == [PUBLIC]


@pytest.mark.parametrize(
    ("location", "reason"),
    [
        ("https://evil.example.net/", "host_not_allowed"),
        ("//evil.example.net/x", "host_not_allowed"),
        ("http://www.example.com/", "downgrade"),
        ("file:///etc/passwd", "scheme"),
        ("javascript:alert(1)", "scheme"),
        ("https://user:word@www.example.com/", "userinfo"),
        ("https://www.example.com:8443/", "port"),
        ("https://www.example.com\\@evil.example.net/", "trick"),
        ("https://[::1", "not_a_url"),
        ("https://www.example.com/?d=CANARY-7f3a91", "canary"),
    ],
)
def test_attacks_22_and_23_each_hop_passes_the_whole_policy(location, reason):
    scene = Scene({"/": redirect(location)}, policy=Policy(allow=("www.example.com",)), canaries=["CANARY-7f3a91"])
    failure = failed(scene)
    assert failure.kind is FailureKind.BLOCKED_BY_POLICY
    assert failure.detail.startswith("redirects to")
    assert scene.reasons == ["redirected", reason]
    assert [one.allowed for one in scene.decisions[-2:]] == [True, False]
    assert len(scene.server.urls) == 1


def test_a_redirect_to_a_private_name_is_refused():
    scene = Scene({"/": redirect("https://db.internal/")})
    assert "not public" in failed(scene).detail
    assert scene.reasons == ["redirected", "special_name"]


def test_attack_24_a_loop_and_an_endless_chain_end():
    loop = Scene({"/a": redirect("/b"), "/b": redirect("https://WWW.example.com:443/a#again")})
    assert "redirect_loop" in failed(loop, f"{SITE}/a").detail
    chain = Scene({f"/{number}": redirect(f"/{number + 1}") for number in range(20)})
    assert "redirect_limit" in failed(chain, f"{SITE}/0").detail
    assert len(chain.server.urls) == 6


def test_attack_25_no_cookie_and_no_authorisation_goes_anywhere():
    pages = {
        "/": redirect(
            "https://other.example.net/", "302 Found", "Set-Cookie: id=1", 'WWW-Authenticate: Basic realm="x"'
        ),
        "https://other.example.net/": redirect(f"{SITE}/back", "302 Found", "Set-Cookie: id=2; Domain=example.com"),
        "/back": reply(b"x", "Set-Cookie: id=3"),
    }
    scene = Scene(pages)
    page = fetched(scene)
    assert len(scene.server.urls) == 3
    for asked in scene.server.asked:
        assert not {"cookie", "authorization", "referer", "origin"} & set(asked.headers)
    assert page.header("set-cookie") is None


def test_attack_26_a_meta_refresh_and_a_script_are_not_followed():
    html = b"<meta http-equiv=refresh content='0;url=/next'><script>location='/next'</script><p>Here."
    scene = Scene({"/": reply(html, "Refresh: 0; url=/next"), "/next": reply()})
    assert fetched(scene).body == html
    assert scene.server.urls == [f"{SITE}/"]


# ------------------------------------------------------------------------------------------------- what comes back


def test_attack_31_a_bomb_stops_at_the_cap_with_flat_memory():
    squeeze = zlib.compressobj(9, zlib.DEFLATED, 31)
    bomb = b"".join(squeeze.compress(bytes(1024**2)) for _ in range(200)) + squeeze.flush()
    limits = Limits(decoded=8 * 1024**2)
    scene = Scene({"/": reply(bomb, "Content-Encoding: gzip")}, limits=limits)
    tracemalloc.start()
    try:
        failure = failed(scene)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert failure.kind is FailureKind.TOO_LARGE
    assert most < 32 * 1024**2


@pytest.mark.parametrize("coding", ["br", "zstd", "deflate", "gzip, gzip", "compress"])
def test_attack_32_a_coding_that_was_not_asked_for_is_refused_unread(coding):
    scene = Scene({"/": reply(b"whatever", f"Content-Encoding: {coding}")})
    failure = failed(scene)
    assert failure.kind is FailureKind.BAD_TYPE
    assert "not asked for" in failure.detail or "only gzip was asked for" in failure.detail


@pytest.mark.parametrize("coding", ["identity", "UTF-8", "none", ""])
def test_a_coding_that_is_none_is_read(coding):
    assert fetched(Scene({"/": reply(b"words", f"Content-Encoding: {coding}")})).body == b"words"


def test_attack_33_a_length_that_lies_either_way_changes_nothing():
    short = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5000\r\nConnection: close\r\n\r\nshort"

    async def cut_off(asked, writer):
        writer.write(short)
        await writer.drain()
        writer.close()

    assert failed(Scene({"/": cut_off})).kind is FailureKind.BROKEN
    long = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\nshort" + b"x" * 10_000
    assert fetched(Scene({"/": long})).body == b"short"


@pytest.mark.parametrize("named", [True, False])
def test_a_body_past_the_cap_is_refused_whatever_its_header_says(named):
    async def endless(asked, writer):
        head = "Content-Length: 99999999999" if named else "Transfer-Encoding: chunked"
        writer.write(f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{head}\r\n\r\n".encode())
        while not writer.is_closing():
            writer.write(b"10000\r\n" + b"x" * 65536 + b"\r\n")
            await writer.drain()

    scene = Scene({"/": endless}, limits=Limits(received=1024**2))
    assert failed(scene).kind is FailureKind.TOO_LARGE


@pytest.mark.parametrize("where", ["head", "body"])
def test_attack_34_a_drip_ends_at_the_total_deadline(where):
    async def drip(asked, writer):
        if where == "body":
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1000\r\n\r\n")
        while not writer.is_closing():
            writer.write(b"H")
            await writer.drain()
            await asyncio.sleep(0.05)

    robots = reply(b"", "Connection: close", status="404 Not Found")  # so that the page has a connection of its own
    scene = Scene({"/": drip, "/robots.txt": robots}, limits=Limits(seconds=0.6))
    failure = failed(scene)
    assert failure.kind is FailureKind.TIMEOUT
    assert scene.reasons == ["timeout"]
    assert scene.decisions[-1].address == PUBLIC
    assert (scene.decisions[-1].received > 0) is (where == "body")


def test_a_name_server_that_does_not_answer_ends_at_the_total_deadline():
    class Silent:
        async def addresses(self, host):
            await asyncio.sleep(60)

    assert failed(Scene(answers=Silent(), limits=Limits(seconds=0.3))).kind is FailureKind.TIMEOUT


def test_a_run_that_ends_earlier_is_no_timeout_of_the_page():
    async def hang(asked, writer):
        await asyncio.sleep(60)

    async def act(scene):
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.3):
                await scene.get(f"{SITE}/")

    scene = Scene({"/": hang})
    play(scene, act)
    assert scene.reasons == ["failed"]


@pytest.mark.parametrize("kind", ["endless", "one_long", "many", "interim"])
def test_attack_35_headers_without_end_are_refused(kind):
    async def headers(asked, writer):
        if kind == "interim":
            while not writer.is_closing():
                writer.write(b"HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n" * 100)
                await writer.drain()
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 0\r\n")
        if kind == "many":
            writer.write(b"".join(b"X-%d: 1\r\n" % number for number in range(300)) + b"\r\n")
        elif kind == "one_long":
            writer.write(b"X: " + b"x" * 70_000 + b"\r\n\r\n")
        while kind == "endless" and not writer.is_closing():
            writer.write(b"X-Header: value\r\n" * 1000)
            await writer.drain()

    failure = failed(Scene({"/": headers}, limits=Limits(seconds=1.5 if kind == "interim" else 30)))
    assert failure.kind is (FailureKind.TIMEOUT if kind == "interim" else FailureKind.TOO_LARGE)


@pytest.mark.parametrize("content_type", ["image/png", "application/json", "video/mp4", "text/css"])
def test_a_type_the_policy_does_not_name_is_refused_at_its_header(content_type):
    failure = failed(Scene({"/": reply(b"x", content_type=content_type)}))
    assert failure.kind is FailureKind.BAD_TYPE
    assert content_type in failure.detail


@pytest.mark.parametrize("content_type", ["application/pdf", "text/plain; charset=x", "application/octet-stream", None])
def test_what_may_be_a_page_is_read_and_the_reader_looks_at_its_bytes(content_type):
    assert fetched(Scene({"/": reply(b"%PDF-1.7", content_type=content_type)})).body == b"%PDF-1.7"


def test_an_error_page_is_given_to_the_reader_who_knows_walls_from_errors():
    page = fetched(Scene({"/": reply(b"<p>Sign in.", status="403 Forbidden")}))
    assert (page.status, page.body) == (403, b"<p>Sign in.")


@pytest.mark.parametrize(
    ("status", "kind"),
    [("404 Not Found", FailureKind.NOT_FOUND), ("500 Oops", FailureKind.ERROR), ("401 No", FailureKind.LOGIN)],
)
def test_an_error_without_a_page_is_a_failure_of_its_kind(status, kind):
    assert failed(Scene({"/": reply(b"{}", status=status, content_type="application/json")})).kind is kind


@pytest.mark.parametrize("garbage", [b"\x00\x01\x02\r\n\r\n", b"HTTP/1.1 999999 X\r\n\r\n", b"SSH-2.0-OpenSSH\r\n\r\n"])
def test_what_is_no_http_is_a_broken_page(garbage):
    assert failed(Scene({"/": garbage})).kind is FailureKind.BROKEN


# ------------------------------------------------------------------------------------------------- busy sites


def test_a_site_that_says_how_long_to_wait_is_asked_once_more():
    busy = reply(b"later", "Retry-After: 0", status="429 Too Many Requests")
    scene = Scene({"/": [busy, reply(b"now")]})
    assert fetched(scene).body == b"now"
    assert scene.reasons == ["fetched", "fetched"]
    assert [(one.hop, one.status, one.how) for one in scene.decisions[1:]] == [
        (0, 429, "search result"),
        (1, 200, "search result"),
    ]
    again = Scene({"/": busy})
    assert fetched(again).status == 429
    assert len(again.server.urls) == 2


def test_a_refusal_of_another_type_is_waited_out_too():
    busy = reply(b"{}", "Retry-After: 0", status="429 Too Many Requests", content_type="application/json")
    assert fetched(Scene({"/": [busy, reply(b"now")]})).body == b"now"
    scene = Scene({"/": busy})
    assert failed(scene).kind is FailureKind.RATE_LIMIT
    assert [(one.allowed, one.reason, one.status) for one in scene.decisions[1:]] == [(True, "fetched", 429)] * 2


def test_a_site_that_asks_for_a_long_wait_is_left_alone_for_the_rest_of_the_run():
    async def act(scene):
        assert (await scene.get(f"{SITE}/")).status == 503
        return await scene.failure(f"{SITE}/other")

    scene = Scene({"/": reply(b"x", "Retry-After: 3600", status="503 Busy"), "/other": reply()})
    failure = play(scene, act)
    assert failure.kind is FailureKind.RATE_LIMIT
    assert "without requests" in failure.detail
    assert scene.server.urls == [f"{SITE}/"]
    assert (scene.decisions[-1].allowed, scene.decisions[-1].reason) == (False, "rate_limit")


def test_one_site_gets_few_requests_at_once():
    async def slow(asked, writer):
        await asyncio.sleep(0.05)
        writer.write(reply())

    async def act(scene):
        await asyncio.gather(*(scene.get(f"{SITE}/{number}") for number in range(6)))

    scene = Scene({f"/{number}": slow for number in range(6)}, politeness=Politeness(at_once=2, interval=0))
    play(scene, act)
    assert scene.server.most_at_once == 2


# ------------------------------------------------------------------------------------------------- robots.txt


@pytest.mark.parametrize("status", ["500 Oops", "503 Busy", "429 Slow down"])
def test_attack_36_a_site_whose_robots_fails_is_not_read(status):
    scene = Scene({"/robots.txt": reply(b"", status=status), "/": reply()})
    assert failed(scene).kind is FailureKind.ROBOTS
    assert scene.server.urls == []
    assert (scene.decisions[-1].allowed, scene.decisions[-1].reason) == (False, "robots")


@pytest.mark.parametrize("status", ["404 Not Found", "410 Gone", "403 Forbidden", "401 No"])
def test_attack_36_a_site_without_robots_is_read(status):
    assert fetched(Scene({"/robots.txt": reply(b"", status=status), "/": reply()})).status == 200


def test_attack_36_the_first_500_kib_of_robots_count():
    filler = b"# " + b"x" * 98 + b"\n"
    rules = b"User-agent: *\nDisallow: /early\n" + filler * 6000 + b"Disallow: /late\n"
    scene = Scene({"/robots.txt": reply(rules, content_type="text/plain"), "/late": reply()})

    async def act(scene):
        assert (await scene.failure(f"{SITE}/early")).kind is FailureKind.ROBOTS
        assert (await scene.get(f"{SITE}/late")).status == 200

    play(scene, act)


def test_robots_that_drips_costs_the_site_and_not_the_run(monkeypatch):
    monkeypatch.setattr("affidavit.egress.robots.ASK_SECONDS", 0.3)

    async def hang(asked, writer):
        await asyncio.sleep(60)

    async def act(scene):
        first = await scene.failure(f"{SITE}/a")
        second = await scene.failure(f"{SITE}/b")
        return first, second

    scene = Scene({"/robots.txt": hang, "/a": reply()})
    first, second = play(scene, act)
    assert first.kind is second.kind is FailureKind.ROBOTS
    assert len(scene.server.asked) == 1


# ------------------------------------------------------------------------------------------------- cache and archive


def test_a_fresh_page_is_not_asked_for_again_and_a_stale_one_is_asked_whether_it_changed(tmp_path):
    pages = {
        "/fresh": reply(b"fresh", "Cache-Control: max-age=600"),
        "/stale": [
            reply(b"stale", 'ETag: "1"', "Cache-Control: no-cache"),
            b'HTTP/1.1 304 Not Modified\r\nETag: "1"\r\nX-New: yes\r\n\r\n',
        ],
        "/never": [reply(b"one", "Cache-Control: no-store"), reply(b"two")],
    }

    async def act(scene):
        return [
            (await scene.get(f"{SITE}/{name}")).body for _ in range(2) for name in ("fresh", "stale", "never")
        ], await scene.get(f"{SITE}/stale")

    scene = Scene(pages, cache=PageCache(tmp_path))
    bodies, again = play(scene, act)
    assert bodies == [b"fresh", b"stale", b"one", b"fresh", b"stale", b"two"]
    assert scene.reasons == ["fetched"] * 3 + ["cached", "unchanged", "fetched", "unchanged"]
    assert again.header("x-new") == "yes"
    assert [asked.headers.get("if-none-match") for asked in scene.server.asked if asked.path == "/stale"] == [
        None,
        '"1"',
        '"1"',
    ]


def test_a_kept_page_of_a_private_host_does_not_outlive_the_permission(tmp_path):
    pages = {"/": reply(b"wiki", "Cache-Control: max-age=600")}
    answers = {"wiki.example.com": ["10.0.0.1"]}
    for allow_private, expected in ((("wiki.example.com",), "fetched"), (("wiki.example.com",), "cached"), ((), "")):
        policy = Policy(allow_private=allow_private)
        scene = Scene(pages, policy=policy, answers=Answers(dict(answers)), cache=PageCache(tmp_path))
        if expected:
            assert fetched(scene, "https://wiki.example.com/").body == b"wiki"
            assert scene.reasons == [expected]
        else:
            assert failed(scene, "https://wiki.example.com/").kind is FailureKind.BLOCKED_BY_POLICY
            assert scene.decisions[0].purpose == "robots"  # its rules are not there either


@pytest.mark.parametrize(
    ("policy", "answers"),
    [
        (Policy(types=frozenset({"application/pdf"})), {}),
        (Policy(), {"www.example.com": ["10.0.0.1"]}),
    ],
)
def test_a_kept_page_is_judged_as_a_new_one_even_under_the_same_scope(tmp_path, monkeypatch, policy, answers):
    monkeypatch.setattr("affidavit.egress.live._scope", lambda *_: "one scope for all")
    page = Received(
        url=f"{SITE}/",
        status=200,
        phrase="OK",
        headers=(("content-type", "text/html"),),
        raw=b"kept",
        retrieved_at="2026-01-02T03:04:05Z",
        address=next(iter(answers.values()), [PUBLIC])[0],
    )
    PageCache(tmp_path).put(page, 600, time.time(), "one scope for all")
    scene = Scene({"/": reply(b"new")}, policy=policy, answers=Answers(answers), cache=PageCache(tmp_path))
    assert failed(scene).kind in (FailureKind.BAD_TYPE, FailureKind.BLOCKED_BY_POLICY)


def test_a_304_that_nobody_asked_for_is_no_page():
    failure = failed(Scene({"/": b"HTTP/1.1 304 Not Modified\r\n\r\n"}))
    assert failure.kind is FailureKind.BROKEN
    assert "304" in str(failure)


def test_a_part_of_a_page_is_no_page():
    part = reply(b"<p>The pier was not", "Content-Range: bytes 0-18/400", status="206 Partial Content")
    failure = failed(Scene({"/": part}))
    assert failure.kind is FailureKind.BROKEN
    assert "only a part" in str(failure)


def test_robots_are_remembered_between_runs(tmp_path):
    pages = {"/robots.txt": reply(b"User-agent: *\nDisallow: /x\n"), "/": reply()}
    for expected in (1, 0):
        scene = Scene(pages, cache=PageCache(tmp_path))
        fetched(scene)
        assert len([asked for asked in scene.server.asked if asked.path == "/robots.txt"]) == expected


def test_what_was_fetched_can_be_read_again_as_an_archive(tmp_path):
    pages = {
        "/old": redirect("/new"),
        "/new": reply(gzip.compress(b"<p>Packed."), "Content-Encoding: gzip", "X-Name: Zoë", "Set-Cookie: a=b"),
        "/chunked": b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n"
        b"5\r\n<p>a \r\n2\r\n\r\n\r\n0\r\n\r\n",
    }

    async def act(scene):
        return [await scene.get(f"{SITE}/{name}") for name in ("old", "chunked")]

    with WarcWriter(tmp_path / "run.warc.gz") as writer:
        live = play(Scene(pages, keep=aside(writer.write)), act)
    archive = open_archive(tmp_path / "run.warc.gz")
    assert set(archive.urls()) == {f"{SITE}/new", f"{SITE}/chunked"}
    for page in live:
        assert archive.get(page.requested_url) == page


def test_a_run_that_wants_fresh_pages_asks_for_them_and_gets_those_that_are_still_the_same_for_nothing(tmp_path):
    page = reply(b"a" * 100, 'ETag: "1"', "Cache-Control: max-age=3600")

    async def answer(asked, writer):
        unchanged = reply(b"", 'ETag: "1"', status="304 Not Modified", content_type="")
        writer.write(unchanged if asked.headers.get("if-none-match") == '"1"' else page)

    robots = reply(b"User-agent: *\nDisallow: /x", content_type="text/plain")
    reasons = []
    for max_age in (None, 0, 3600, None):
        scene = Scene({"/": answer, "/robots.txt": robots}, cache=PageCache(tmp_path), max_age=max_age)
        assert fetched(scene).body == b"a" * 100
        reasons.append([(one.purpose, one.reason) for one in scene.decisions])
    cached, unchanged = [("page", "cached")], [("page", "unchanged")]
    assert reasons == [[("robots", "fetched"), ("page", "fetched")], unchanged, cached, cached]


def test_a_kept_page_larger_than_this_run_takes_is_asked_for_and_refused(tmp_path):
    page = reply(b"a" * 5000, "Cache-Control: max-age=3600")
    fetched(Scene({"/": page}, cache=PageCache(tmp_path)))
    scene = Scene({"/": page}, cache=PageCache(tmp_path), limits=Limits(received=1000))
    assert failed(scene).kind is FailureKind.TOO_LARGE


def test_sites_see_who_asks_in_one_line():
    assert "me@example.org" in user_agent("me@\nexample.org\r\n me@example.org")
    assert "\n" not in user_agent("a\r\nX: y")


def test_a_page_that_cannot_be_kept_is_not_given_out(tmp_path):
    (tmp_path / "file").write_text("")
    writer = WarcWriter(tmp_path / "file" / "run.warc.gz")

    async def act(scene):
        with pytest.raises(StorageError, match="cannot be kept"):
            await scene.get(f"{SITE}/")

    play(Scene({"/": reply()}, keep=aside(writer.write)), act)
