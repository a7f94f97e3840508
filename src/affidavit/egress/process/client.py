"""The run's end: a session with a gateway's process, and what of it a run uses: a `Web`, and a search.

`RemoteWeb` stands under the run's own `Gateway`, as the live web would: the run decides, and records, by the same
code wherever its pages come from. What the gateway's process decided on the way (redirects, robots.txt, its own
refusals) comes back with each page and is recorded as if it had happened here.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import cast

from affidavit.egress.api import ApiCall
from affidavit.egress.gateway import Decision, warn
from affidavit.egress.policy import Policy
from affidavit.egress.process import frames
from affidavit.egress.process.frames import BadFrame, Frame, Pipe
from affidavit.egress.process.line import Line
from affidavit.egress.process.messages import (
    PROTOCOL,
    Cancel,
    Fetch,
    Hello,
    Open,
    Said,
    Search,
    Status,
    read_fetch,
    read_search,
)
from affidavit.egress.process.place import Place
from affidavit.egress.process.token import CLIENT, SERVER, nonce, proof, proves
from affidavit.egress.reason import ADVICE
from affidavit.egress.received import Received
from affidavit.egress.target import Target, read_target
from affidavit.egress.web import Hop, Watch
from affidavit.errors import FailureKind, GatewayError, PageFailure, SearchFailure, SearchFailureKind
from affidavit.evidence.document import Fetched
from affidavit.ranking.hit import Hit

CONNECT_SECONDS = 10.0
OPEN_SECONDS = 60.0
REPLY_SECONDS = 900.0
"""For one answer: a page's own limits and its turn at a busy site are long over by then."""


class Session:
    """One run at a gateway's process. Made by `open_session`; belongs to one event loop.

    `policy` is what the run and the gateway both allow; `search` the name of its providers, None if it asked for none.
    """

    def __init__(self, place: Place, pipe: Pipe, at_once: int, opened: Mapping[str, object]) -> None:
        self.place = place
        self.policy = Policy.from_json(cast("Mapping[str, object]", opened["policy"]))
        self.search = cast("str | None", opened["search"])
        self._pipe = pipe
        self._turns = asyncio.Semaphore(at_once)
        self._waiting: dict[int, asyncio.Future[Frame]] = {}
        self._next = 0
        self._lost: GatewayError | None = None

    async def ask(self, request: Callable[[int], Fetch | Search]) -> Frame:
        """The answer to the request that `request` makes of its number.

        Raises GatewayLost where the gateway has gone; GatewayFault where it could not do it.
        """
        async with self._turns:
            if self._lost is not None:
                raise self._lost
            n, self._next = self._next, self._next + 1
            self._waiting[n] = asyncio.get_running_loop().create_future()
            try:
                async with asyncio.timeout(REPLY_SECONDS):
                    await self._send(request(n))
                    frame = await self._waiting[n]
            except TimeoutError as error:
                self._give_up(n)
                raise GatewayLost(self.place, f"gave no answer within {REPLY_SECONDS:g} s") from error
            except BaseException:
                self._give_up(n)
                raise
            finally:
                del self._waiting[n]
        if "broken" in frame.said:
            raise GatewayFault(f"the gateway at {self.place}: {frame.said['broken']}")
        return frame

    async def read(self) -> None:
        """Take the answers as they come, until the gateway goes."""
        why = "ended the connection"
        try:
            while (frame := await self._pipe.receive()) is not None:
                if "refused" in frame.said:
                    why = f"ended the run: {frame.said['refused']}"
                    break
                n = frame.said.get("n")
                waiting = self._waiting.get(n) if isinstance(n, int) else None
                # One that nobody waits for was cancelled while its answer was on the way.
                if waiting is not None and not waiting.done():
                    waiting.set_result(frame)
        except BadFrame as error:
            why = f"does not speak as it should ({error})"
        finally:
            self._lost = GatewayLost(self.place, why)
            for waiting in self._waiting.values():
                if not waiting.done():
                    waiting.set_exception(self._lost)

    async def _send(self, request: Said) -> None:
        try:
            await self._pipe.send(request.model_dump())
        except (ConnectionError, BadFrame) as error:
            raise self._lost or GatewayLost(self.place, f"takes nothing any more ({error})") from error

    def _give_up(self, n: int) -> None:
        """Nobody waits for `n`. The gateway hears of it before it hears of what takes its turn."""
        waiting = self._waiting[n]
        if waiting.cancelled() or not waiting.done():  # whoever is cancelled while it waits has cancelled this, too
            self._pipe.post(Cancel(n=n).model_dump())
        else:
            waiting.exception()  # looked at, so that nobody is told of it as never retrieved


class GatewayLost(GatewayError):
    """The gateway answered once and does not now."""

    def __init__(self, place: Place, why: str) -> None:
        super().__init__(f"the gateway at {place} {why}; start it with `affidavit gateway`, and ask again")


class GatewayFault(GatewayError):
    """The gateway failed at one request; it answers others."""


class RemoteWeb:
    """A `Web` whose pages a gateway's process fetches. `keep` is given every response as it came, from a thread."""

    def __init__(self, session: Session, keep: Callable[[Received], None] | None = None) -> None:
        self._session = session
        self._keep = keep

    async def fetch(self, url: str, watch: Watch) -> Fetched:
        """Raises PageFailure, also where the gateway has gone (UNREACHABLE) or failed at this page (CRASHED): what it
        reads is the page's making, so one page must not be able to end the run."""
        try:
            reply = read_fetch(await self._session.ask(lambda n: Fetch(n=n, url=url)))
        except GatewayLost as error:
            raise PageFailure(FailureKind.UNREACHABLE, url, str(error)) from error
        except GatewayError as error:
            warn(url, error)
            raise PageFailure(FailureKind.CRASHED, url, f"{error}; use another source") from error
        for decision in reply.decisions:
            watch.record(_hop(decision))
        if self._keep is not None and reply.kept:
            await asyncio.to_thread(_each, self._keep, reply.kept)
        self._judge_again(url, reply.decisions, watch)
        if isinstance(reply.result, PageFailure):
            raise reply.result
        return reply.result

    def _judge_again(self, url: str, decisions: Iterable[Decision], watch: Watch) -> None:
        """Where a redirect led is judged here, too: this process may know what the other does not, above all its own
        keys, which it tells nobody. The request was made; its page is not used, and the record shows both."""
        for decision in decisions:
            target = read_target(decision.url) if decision.allowed and decision.url != url else None
            if isinstance(target, Target) and (reason := watch.permit(target)) is not None:
                watch.record(Hop(url=decision.url, allowed=False, reason=reason.value, purpose=decision.purpose))
                raise PageFailure(
                    FailureKind.BLOCKED_BY_POLICY,
                    url,
                    f"redirects to {decision.url[:300]}: {reason.value}: {ADVICE[reason]}",
                )


class RemoteSearch:
    """A search that a gateway's process makes, with the keys it has. Its hits count as seen there, too."""

    def __init__(
        self,
        session: Session,
        on_call: Callable[[ApiCall], None],
        on_failure: Callable[[SearchFailure], None],
    ) -> None:
        self.name = session.search or "none"
        self._session = session
        self._on_call = on_call
        self._on_failure = on_failure

    async def search(self, query: str, recency_days: int | None = None, limit: int = 10) -> list[Hit]:
        """Raises SearchFailure, also where the gateway has gone (UNAVAILABLE) or failed at this (BAD_RESPONSE)."""
        try:
            frame = await self._session.ask(lambda n: Search(n=n, query=query, recency_days=recency_days, limit=limit))
            reply = read_search(frame)
        except GatewayLost as error:
            raise SearchFailure(SearchFailureKind.UNAVAILABLE, self.name, str(error)) from error
        except GatewayError as error:
            raise SearchFailure(SearchFailureKind.BAD_RESPONSE, self.name, str(error)) from error
        for call in reply.calls:
            self._on_call(call)
        if isinstance(reply.result, SearchFailure):
            raise reply.result
        for failure in reply.failures:
            self._on_failure(failure)
        return list(reply.result)


@asynccontextmanager
async def open_session(place: Place, asked: Open, *, token: str | None = None) -> AsyncGenerator[Session]:
    """A run at the gateway at `place`, which ends with the context. Raises GatewayError, which says what to do."""
    async with _connected(place, token) as greeted:
        opened = (await _answer(place, greeted.pipe, asked, "opened"))["opened"]
        session = Session(place, greeted.pipe, greeted.at_once, cast("Mapping[str, object]", opened))
        reading = asyncio.create_task(session.read())
        try:
            yield session
        finally:
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)


async def gateway_status(place: Place, *, token: str | None = None) -> Mapping[str, object]:
    """How the gateway at `place` is: version, policy, open runs, providers. Raises GatewayError."""
    async with _connected(place, token) as greeted:
        said = await _answer(place, greeted.pipe, Status(), "status")
        return cast("Mapping[str, object]", said["status"])


@dataclass(frozen=True, slots=True)
class _Greeted:
    pipe: Pipe
    at_once: int


@asynccontextmanager
async def _connected(place: Place, token: str | None) -> AsyncGenerator[_Greeted]:
    """A connection whose two ends have said who they are."""
    if place.path is None and token is None:
        # Whatever listens at a port may be anybody's, and would say that it wants none.
        raise GatewayError(
            f"the gateway at {place} wants a token, as at any port; set gateway_token to the file it writes"
        )
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            if place.path is not None:
                _, line = await loop.create_unix_connection(Line, str(place.path))
            else:
                _, line = await loop.create_connection(Line, place.host, place.port)
    except OSError as error:  # a TimeoutError is one
        why = error.strerror or "no answer in time"
        raise GatewayError(
            f"the gateway at {place} does not answer ({why}): start it with `affidavit gateway`, or take the setting "
            "gateway out to fetch from this process"
        ) from error
    async with Pipe(line, frames.FROM_GATEWAY) as pipe:
        yield _Greeted(pipe, await _greet(place, pipe, token))


async def _greet(place: Place, pipe: Pipe, token: str | None) -> int:
    """Say hello, and have both ends proved. Gives how many requests a run may have open at once."""
    first = await _receive(place, pipe, "gateway")
    theirs, ours = str(first["nonce"]), nonce()
    if first["token"] and token is None:
        raise GatewayError(f"the gateway at {place} wants a token; set gateway_token to the file it writes")
    said = proof(token, CLIENT, place.bound, theirs, ours) if token is not None else None
    welcome = await _answer(place, pipe, Hello(protocol=PROTOCOL, nonce=ours, proof=said), "welcome")
    answered = cast("str | None", welcome["proof"])
    if token is not None and not proves(answered, token, SERVER, place.bound, theirs, ours):
        raise GatewayError(
            f"what answers at {place} does not know the token, so it is not the gateway that wrote it; find out what "
            "listens there"
        )
    return cast("int", welcome["at_once"])


async def _answer(place: Place, pipe: Pipe, said: Said, key: str) -> Mapping[str, object]:
    with suppress(ConnectionError, BadFrame):  # it may have said why before it went
        await pipe.send(said.model_dump())
    return await _receive(place, pipe, key)


async def _receive(place: Place, pipe: Pipe, key: str) -> Mapping[str, object]:
    """The next frame's object, which has `key`. Raises GatewayError."""
    try:
        frame = await pipe.receive(OPEN_SECONDS)
    except (BadFrame, TimeoutError) as error:
        raise GatewayError(f"what answers at {place} is no gateway of this version ({error or 'no answer'})") from error
    if frame is None:
        raise GatewayLost(place, "ended the connection")
    if "refused" in frame.said:
        raise GatewayError(f"the gateway at {place} refused this run: {frame.said['refused']}")
    if key not in frame.said:
        raise GatewayError(f"what answers at {place} is no gateway of this version (it says {sorted(frame.said)[:5]})")
    return frame.said


def _each(keep: Callable[[Received], None], received: Iterable[Received]) -> None:
    for one in received:
        keep(one)


def _hop(decision: Decision) -> Hop:
    return Hop(
        url=decision.url,
        allowed=decision.allowed,
        reason=decision.reason,
        address=decision.address,
        status=decision.status,
        bytes=decision.bytes,
        received=decision.received,
        seconds=decision.seconds,
        purpose=decision.purpose,
    )
