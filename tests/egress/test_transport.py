"""The connection goes to the address that was judged, under the name that was asked for."""

import asyncio

import httpx2
import pytest

from affidavit.egress.transport import PINNED_ADDRESS, PinnedTransport
from affidavit.errors import FailureKind, HostFailure

from .hostile_server import PUBLIC, Answers, HostileServer, reply


async def ask(server, url, answers=None, method="GET", **options):
    detour = server.detour
    transport = PinnedTransport(answers or Answers(), ssl_context=server.trust, dialler=detour, **options)
    async with httpx2.AsyncClient(transport=transport, trust_env=False) as client:
        response = await client.request(method, url)
    return response, detour


def test_host_and_certificate_are_the_name_and_the_connection_is_the_address():
    async def scene():
        async with HostileServer({"/": reply(b"hello")}) as server:
            response, detour = await ask(server, "https://www.example.com/")
            assert response.text == "hello"
            assert response.extensions["network_stream"].get_extra_info(PINNED_ADDRESS) == PUBLIC
            assert (detour.dialled, server.asked[0].host) == ([PUBLIC], "www.example.com")

    asyncio.run(scene())


def test_a_certificate_for_another_name_is_refused_before_anything_is_sent():
    async def scene():
        async with HostileServer({"/": reply()}, names=("evil.example.net",)) as server:
            with pytest.raises(HostFailure, match="certificate") as caught:
                await ask(server, "https://www.example.com/")
            assert (caught.value.kind, caught.value.address) == (FailureKind.TLS, PUBLIC)
            assert server.asked == []

    asyncio.run(scene())


@pytest.mark.parametrize("proxy", ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "all_proxy"])
def test_attack_30_a_proxy_of_the_environment_is_ignored(proxy, monkeypatch):
    monkeypatch.setenv(proxy, "http://127.0.0.1:9/")

    async def scene():
        async with HostileServer({"/": reply()}) as server:
            response, _ = await ask(server, "http://www.example.com/")
            assert response.status_code == 200

    asyncio.run(scene())


def test_a_name_with_one_private_answer_is_not_connected_to_at_all():
    async def scene():
        async with HostileServer() as server:
            answers = Answers({"a.example.com": [PUBLIC, "10.0.0.1"]})
            detour = server.detour
            async with (
                PinnedTransport(answers, dialler=detour) as transport,
                httpx2.AsyncClient(transport=transport, trust_env=False) as client,
            ):
                with pytest.raises(HostFailure, match=r"10\.0\.0\.1 is private network") as caught:
                    await client.get("http://a.example.com/")
            assert caught.value.kind is FailureKind.BLOCKED_BY_POLICY
            assert (caught.value.reason, detour.dialled) == ("address", [])

    asyncio.run(scene())


@pytest.mark.parametrize("host", ["127.1", "2130706433", "0x7f.1", "localhost", "[::ffff:7f00:1]", "017700000001"])
def test_another_parser_of_urls_changes_nothing(host):
    """httpx2 reads URLs by rules of its own; what it makes of them is judged again before dialling."""

    async def scene():
        async with HostileServer() as server:
            detour = server.detour
            transport = PinnedTransport(dialler=detour)
            async with httpx2.AsyncClient(transport=transport, trust_env=False) as client:
                with pytest.raises((HostFailure, httpx2.HTTPError, httpx2.InvalidURL)):
                    await client.get(f"http://{host}/")
            assert detour.dialled == []

    asyncio.run(scene())


def test_an_operator_may_open_one_private_host_and_only_that():
    async def scene():
        async with HostileServer({"/": reply(b"wiki")}) as server:
            answers = Answers({"wiki": ["10.0.0.5"], "other": ["10.0.0.5"], "meta.example.com": ["169.254.169.254"]})
            response, detour = await ask(server, "http://wiki/", answers, allow_private=("wiki",))
            assert (response.text, detour.dialled) == ("wiki", ["10.0.0.5"])
            with pytest.raises(HostFailure, match="no dot"):
                await ask(server, "http://other/", answers, allow_private=("wiki",))
            with pytest.raises(HostFailure, match="link-local"):
                await ask(server, "http://meta.example.com/", answers, allow_private=("meta.example.com",))

    asyncio.run(scene())


def test_the_next_address_is_tried_when_one_refuses():
    async def scene():
        async with HostileServer({"/": reply()}) as server:
            detour = server.detour
            real, plain = detour.connect_tcp, detour.ports[80]

            async def refuse_the_first(host, *rest):
                detour.ports[80] = plain if detour.dialled else 9
                return await real(host, *rest)

            detour.connect_tcp = refuse_the_first
            answers = Answers({"a.example.com": ["2606:4700:4700::1111", PUBLIC]})
            async with httpx2.AsyncClient(
                transport=PinnedTransport(answers, dialler=detour), trust_env=False
            ) as client:
                assert (await client.get("http://a.example.com/")).status_code == 200
            assert detour.dialled == ["2606:4700:4700::1111", PUBLIC]

    asyncio.run(scene())


def test_a_host_that_nobody_answers_at_is_a_typed_failure():
    async def scene():
        async with HostileServer() as server:
            detour = server.detour
            detour.ports[80] = 9
            async with httpx2.AsyncClient(transport=PinnedTransport(Answers(), dialler=detour)) as client:
                with pytest.raises(HostFailure, match="no connection") as caught:
                    await client.get("http://a.example.com/")
            assert caught.value.kind is FailureKind.UNREACHABLE

    asyncio.run(scene())


def test_a_broken_reply_is_the_exception_of_httpx():
    async def scene():
        async with HostileServer({"/": b"nonsense\r\n\r\n"}) as server:
            with pytest.raises(httpx2.RemoteProtocolError):
                await ask(server, "http://a.example.com/")

    asyncio.run(scene())


def test_posts_of_search_apis_pass_through():
    async def scene():
        async with HostileServer({"/search": reply(b"{}", content_type="application/json")}) as server:
            response, _ = await ask(server, "https://api.example.com/search", method="POST")
            assert (response.json(), server.asked[0].method) == ({}, "POST")

    asyncio.run(scene())
