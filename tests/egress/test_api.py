"""Calls to search APIs over the pinned transport and real sockets. What is special to an API is in tests/search."""

import asyncio
import gzip
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from affidavit.egress.api import ApiCall, ApiRequest, HttpApi, own_hosts
from affidavit.egress.endpoints import Endpoint, KeyPlace
from affidavit.egress.keys import Keys
from affidavit.egress.transport import PinnedTransport
from affidavit.errors import AffidavitError, FailureKind, PageFailure, UserError


class Echo(BaseHTTPRequestHandler):
    """Answers with what it was sent: the request line, the headers, the body."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        size = int(self.headers.get("Content-Length", 0))
        said = f"{self.command} {self.path}\n{self.headers}".encode() + self.rfile.read(size)
        body = gzip.compress(said) if "/gzip" in self.path else said
        self.send_response(302 if "/moved" in self.path else 200)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Set-Cookie", "id=1")
        self.send_header("X-Echo", self.headers.get("x-api-key", ""))
        if "/gzip" in self.path:
            self.send_header("Content-Encoding", "gzip")
        if "/brotli" in self.path:
            self.send_header("Content-Encoding", "br")
        if "/moved" in self.path:
            self.send_header("Location", "/elsewhere")
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield server.server_address[1]
    server.shutdown()
    server.server_close()


KEY = "key-0123456789"


def place(**more: Any) -> KeyPlace:
    values = {"variable": "K_API_KEY", "header": None, "param": None, "scheme": "", "required": False, "keyless": ()}
    return KeyPlace(**{**values, **more})


@pytest.fixture
def calls() -> list[ApiCall]:
    return []


@pytest.fixture
def send(port: int, calls: list[ApiCall]) -> Callable[..., str]:
    """Asks one endpoint made of the options and gives the answer's text."""

    def ask(
        request: ApiRequest | None = None,
        *,
        path: str = "/api",
        method: Any = "GET",
        key: KeyPlace | None = None,
        contact_param: str | None = None,
        keys: dict[str, str] | None = None,
        permit: bool = True,
        **options: Any,
    ) -> str:
        url = f"http://127.0.0.1:{port}{path}"
        endpoint = Endpoint(name="e", provider="p", method=method, url=url, own=True, key=key, contact=contact_param)

        async def run() -> str:
            transport = PinnedTransport(allow_private=own_hosts([endpoint]) if permit else ())
            held = Keys({"K_API_KEY": KEY} if keys is None else keys)
            async with HttpApi(
                [endpoint], held, transport=transport, user_agent="agent/1", on_call=calls.append, **options
            ) as api:
                response = await api.send(request or ApiRequest(endpoint="e"), 5)
                again = await api.send(request or ApiRequest(endpoint="e"), 5)
                assert b"Cookie" not in again.body, "nothing is kept between two calls"
                assert KEY not in repr(response)
                return response.body.decode()

        return asyncio.run(run())

    return ask


def test_a_request_is_the_endpoints_address_and_its_own_parameters(send: Callable[..., str], calls: list[ApiCall]):
    said = send(ApiRequest(endpoint="e", params=(("q", "a b&c=d#é"), ("n", "1"))))
    assert said.startswith("GET /api?")
    assert dict(parse_qsl(urlsplit(said.split()[1]).query)) == {"q": "a b&c=d#é", "n": "1"}
    assert "User-Agent: agent/1" in said
    assert "Accept-Encoding: gzip, identity" in said
    assert [(call.reason, call.status, call.method, call.host) for call in calls] == [
        ("answered", 200, "GET", "127.0.0.1")
    ] * 2
    assert all("?" not in call.url for call in calls)


def test_a_body_is_sent_as_json_to_an_endpoint_that_takes_one(send: Callable[..., str]):
    said = send(ApiRequest(endpoint="e", body={"query": "Zürich \ud83d"}), method="POST")
    assert said.startswith("POST /api\n")
    assert said.endswith('{"query": "Zürich ?"}')


@pytest.mark.parametrize(("method", "body"), [("GET", {"a": 1}), ("POST", None)])
def test_a_body_goes_with_post_alone(send: Callable[..., str], calls: list[ApiCall], method: str, body: Any):
    with pytest.raises(AffidavitError, match="POST"):
        send(ApiRequest(endpoint="e", body=body), method=method)


def test_a_key_goes_into_its_header_and_is_cut_from_the_answer(send: Callable[..., str]):
    said = send(key=place(header="X-API-Key", scheme="Bearer "))
    assert "X-API-Key: Bearer [redacted:secret]" in said


def test_a_key_goes_into_its_parameter_and_is_cut_from_the_answer(send: Callable[..., str]):
    assert "GET /api?api_key=[redacted:secret]" in send(key=place(param="api_key"))


def test_without_a_key_the_keyless_headers_are_sent(send: Callable[..., str]):
    said = send(key=place(header="Authorization", keyless=(("X-Mode", "keyless"),)), keys={})
    assert "X-Mode: keyless" in said
    assert "Authorization" not in said


def test_an_endpoint_without_its_required_key_is_not_asked(send: Callable[..., str], calls: list[ApiCall]):
    with pytest.raises(UserError, match="K_API_KEY"):
        send(key=place(header="X-API-Key", required=True), keys={})
    assert calls == []


def test_an_endpoint_that_does_not_exist_is_not_asked(send: Callable[..., str]):
    with pytest.raises(UserError, match="no such endpoint"):
        send(ApiRequest(endpoint="other"))


def test_the_contact_goes_where_the_endpoint_takes_one(send: Callable[..., str]):
    assert "GET /api?mailto=a%40b.example" in send(contact_param="mailto", contact="a@b.example")
    assert "a%40b.example" not in send(contact="a@b.example")


def test_a_redirect_is_an_answer_like_any_other(send: Callable[..., str], calls: list[ApiCall]):
    assert send(path="/moved").startswith("GET /moved")
    assert {call.status for call in calls} == {302}


def test_gzip_is_undone_and_what_nobody_asked_for_refused(send: Callable[..., str], calls: list[ApiCall]):
    assert send(path="/gzip").startswith("GET /gzip")
    with pytest.raises(PageFailure, match="br") as raised:
        send(path="/brotli")
    assert raised.value.kind is FailureKind.BAD_TYPE
    assert calls[-1].reason == "bad_type"


def test_a_private_address_needs_a_permit(send: Callable[..., str], calls: list[ApiCall]):
    with pytest.raises(PageFailure) as raised:
        send(permit=False)
    assert raised.value.kind is FailureKind.BLOCKED_BY_POLICY
    assert calls[-1].reason == "blocked_by_policy"


def test_an_answer_past_the_cap_is_refused(send: Callable[..., str], calls: list[ApiCall]):
    with pytest.raises(PageFailure) as raised:
        send(ApiRequest(endpoint="e", params=(("q", "x" * 3000),)), cap=2000)
    assert raised.value.kind is FailureKind.TOO_LARGE


def test_a_proxy_of_the_environment_plays_no_part(send: Callable[..., str], monkeypatch: pytest.MonkeyPatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "HTTPS_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    assert send().startswith("GET /api")


def test_a_call_that_cannot_be_recorded_gives_nothing_out(port: int):
    def refuse(call: ApiCall) -> None:
        raise AffidavitError("the ledger is full")

    url = f"http://127.0.0.1:{port}/api"
    endpoint = Endpoint(name="e", provider="p", method="GET", url=url, own=True, key=None, contact=None)

    async def run() -> None:
        transport = PinnedTransport(allow_private=own_hosts([endpoint]))
        async with HttpApi([endpoint], Keys({}), transport=transport, user_agent="a", on_call=refuse) as api:
            await api.send(ApiRequest(endpoint="e"), 5)

    with pytest.raises(AffidavitError, match="ledger is full"):
        asyncio.run(run())


def test_a_port_where_nobody_listens_is_unreachable_and_told(calls: list[ApiCall]):
    endpoint = Endpoint(
        name="e", provider="p", method="GET", url="http://127.0.0.1:1/", own=True, key=None, contact=None
    )

    async def run() -> None:
        transport = PinnedTransport(allow_private=own_hosts([endpoint]))
        async with HttpApi([endpoint], Keys({}), transport=transport, user_agent="a", on_call=calls.append) as api:
            await api.send(ApiRequest(endpoint="e", params=(("q", "the question"),)), 5)

    with pytest.raises(PageFailure) as raised:
        asyncio.run(run())
    assert raised.value.kind is FailureKind.UNREACHABLE
    assert "the question" not in str(raised.value)
    assert [call.reason for call in calls] == ["unreachable"]
