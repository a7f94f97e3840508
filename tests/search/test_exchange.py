import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from affidavit.egress.api import ApiRequest, ApiResponse
from affidavit.errors import FailureKind, PageFailure, SearchFailure, SearchFailureKind
from affidavit.search.exchange import Exchange, Manners, by_status, retry_after
from affidavit.search.limits import Limits, Rate

NOW = datetime(2026, 6, 30, 12, tzinfo=UTC)
EVER = Rate(1000, 1, burst=1000)
Step = ApiResponse | PageFailure


class Scripted:
    """An `Api` that gives what its script says and counts how many requests are open at once."""

    def __init__(self, *script: Step, takes: float = 0.0) -> None:
        self.script = list(script)
        self.takes = takes
        self.has_key = False
        self.open = self.most = 0

    def ready(self, endpoint: str) -> str | None:
        return None

    def keyed(self, endpoint: str) -> bool:
        return self.has_key

    async def send(self, request: ApiRequest, seconds: float) -> ApiResponse:
        self.open += 1
        self.most = max(self.most, self.open)
        await asyncio.sleep(self.takes)
        self.open -= 1
        step = self.script.pop(0)
        if isinstance(step, PageFailure):
            raise step
        return step


def response(status: int, **headers: str) -> ApiResponse:
    return ApiResponse(status=status, headers=tuple((k.replace("_", "-"), v) for k, v in headers.items()), body=b"{}")


class Run:
    def __init__(self, folder: Path, api: Scripted, seconds: float = 20.0, at_once: int = 4, draw: float = 1.0) -> None:
        self.waits: list[float] = []
        self.limits = Limits(folder / "l.sqlite")
        self.exchange = Exchange(
            api, self.limits, {"p": Manners(EVER, EVER, at_once)}, seconds=seconds,
            on_partial=lambda _: None, sleep=self._sleep, draw=lambda: draw,
        )  # fmt: skip

    async def _sleep(self, seconds: float) -> None:
        self.waits.append(seconds)

    async def send(self) -> ApiResponse:
        return await self.exchange.call("p", lambda _: None).send(ApiRequest(endpoint="e"))


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., Run]:
    return lambda *script, **options: Run(tmp_path, Scripted(*script), **options)


def test_waits_double_and_are_spread(run: Callable[..., Run]):
    one = run(response(500), response(500), response(200))
    assert asyncio.run(one.send()).status == 200
    assert one.waits == [0.5, 1.0]
    other = run(response(500), response(500), response(200), draw=0.0)
    asyncio.run(other.send())
    assert other.waits == [0.25, 0.5]


def test_the_providers_own_wait_is_never_undercut(run: Callable[..., Run]):
    one = run(response(429, retry_after="7"), response(200))
    asyncio.run(one.send())
    assert one.waits[0] == 7


def test_what_the_deadline_does_not_allow_is_not_waited_for(run: Callable[..., Run]):
    one = run(response(503, retry_after="30"), response(200), seconds=20)
    with pytest.raises(SearchFailure) as raised:
        asyncio.run(one.send())
    assert raised.value.retry_after == 30
    assert one.waits == []
    assert one.limits.reserve("p", Rate(1, 1), 0) > 25, "and other runs do not knock either"


def test_a_key_does_not_wait_for_what_was_refused_without_it(tmp_path: Path):
    api = Scripted(response(429, retry_after="3600"), response(200), response(200))
    one = Run(tmp_path, api)
    with pytest.raises(SearchFailure):
        asyncio.run(one.send())
    with pytest.raises(SearchFailure, match="turn does not come"):
        asyncio.run(one.send())
    api.has_key = True
    assert asyncio.run(one.send()).status == 200


def test_a_used_up_allowance_that_is_raised_is_used_at_once(run: Callable[..., Run]):
    one = run(response(402, retry_after="3600"), response(200))
    with pytest.raises(SearchFailure) as raised:
        asyncio.run(one.send())
    assert raised.value.retry_after == 3600
    assert asyncio.run(one.send()).status == 200


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 302, 418, 422])
def test_what_would_fail_again_is_not_tried_again(run: Callable[..., Run], status: int):
    one = run(response(status), response(200))
    with pytest.raises(SearchFailure):
        asyncio.run(one.send())
    assert one.waits == []


@pytest.mark.parametrize("kind", [FailureKind.TIMEOUT, FailureKind.UNREACHABLE, FailureKind.BROKEN])
def test_a_broken_connection_is_tried_again(run: Callable[..., Run], kind: FailureKind):
    one = run(PageFailure(kind, "u", "d"), response(200))
    assert asyncio.run(one.send()).status == 200


@pytest.mark.parametrize(
    ("kind", "wanted"),
    [
        (FailureKind.TOO_LARGE, SearchFailureKind.BAD_RESPONSE),
        (FailureKind.BLOCKED_BY_POLICY, SearchFailureKind.BAD_REQUEST),
        (FailureKind.DNS, SearchFailureKind.UNAVAILABLE),
    ],
)
def test_what_the_gateway_refuses_is_not_tried_again(
    run: Callable[..., Run], kind: FailureKind, wanted: SearchFailureKind
):
    one = run(PageFailure(kind, "u", "d"), response(200))
    with pytest.raises(SearchFailure) as raised:
        asyncio.run(one.send())
    assert raised.value.kind is wanted


def test_a_server_that_never_answers_is_left_at_the_deadline(tmp_path: Path):
    api = Scripted(response(200), takes=30)
    with pytest.raises(SearchFailure, match="within 0 s"):
        asyncio.run(Run(tmp_path, api, seconds=0.2).send())


@pytest.mark.parametrize("at_once", [1, 3])
def test_no_more_requests_are_open_than_the_provider_likes(tmp_path: Path, at_once: int):
    api = Scripted(*[response(200)] * 8, takes=0.05)
    one = Run(tmp_path, api, at_once=at_once)

    async def many() -> None:
        await asyncio.gather(*(one.send() for _ in range(8)))

    asyncio.run(many())
    assert 1 <= api.most <= at_once


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        ("120", 120.0), (" 0 ", 0.0), ("1.5", 1.5), ("Tue, 30 Jun 2026 12:01:00 GMT", 60.0),
        ("Tue, 30 Jun 2026 11:00:00 GMT", 0.0), ("Tuesday, 30-Jun-26 12:01:00 GMT", 60.0), ("99999999", 86400.0),
        ("-5", None), ("soon", None), ("", None), (None, None), ("1e9", None), ("٣", None),
    ],
)  # fmt: skip
def test_retry_after_is_a_number_or_a_date(value: str | None, wanted: float | None):
    assert retry_after(value, NOW) == wanted


@given(
    st.text(max_size=40)
    | st.lists(
        st.sampled_from(["Mon,", "Jan", "1", "0", "9999", "31", "23:59:59", "+9999", "-2400", "+99999999999999", "("])
    ).map(" ".join)
)
@example("Mon, 01 Jan 2024 00:00:00 +99999999999999999999")
@example("Mon, 99999999999999999999 Jan 2024 00:00:00 GMT")
@example("Fri, 31 Dec 9999 23:59:59 -2359")
def test_no_retry_after_breaks_it(value: str):
    found = retry_after(value, NOW)
    assert found is None or 0 <= found <= 86400


@given(st.integers(100, 599))
def test_every_status_but_success_is_a_problem(status: int):
    assert (by_status(response(status)) is None) == (200 <= status < 300)


def test_a_redirect_names_the_host_and_nothing_more():
    problem = by_status(response(301, location="https://elsewhere.example/path?key=secret"))
    assert problem is not None
    assert "elsewhere.example" in problem.detail
    assert "secret" not in problem.detail
