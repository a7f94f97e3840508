"""The gateway's end: connections, who may have one, how many, and what each is told when something is wrong.

One connection is one run. What the run has seen, its requests and its turns end with the connection, so nothing can
be taken up by another that knows a run's id. Peers are strangers until they have said hello: until then they get few
bytes and little time.
"""

import asyncio
import time
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any

from affidavit.egress.policy import Policy
from affidavit.egress.process import frames
from affidavit.egress.process.frames import BadFrame, Frame, Pipe
from affidavit.egress.process.line import Line
from affidavit.egress.process.messages import (
    PROTOCOL,
    Cancel,
    Fetch,
    Open,
    Search,
    Status,
    fetch_frame,
    fields_of,
    read_first,
    read_hello,
    read_later,
    search_frame,
)
from affidavit.egress.process.place import Listening, Peer, peer_of
from affidavit.egress.process.served_run import Backend, ServedRun, serve_run
from affidavit.egress.process.token import CLIENT, SERVER, nonce, proof, proves
from affidavit.errors import AffidavitError, GatewayError
from affidavit.version import __version__

BACKLOG = 128
_GOODBYE_SECONDS = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerLimits:
    """How much one gateway does at once. `at_once` are requests of one run, which is told; `fetches` those of all;
    `unread_bytes` what one run may have waiting for it because it reads nothing, a single answer always."""

    runs: int = 32
    strangers: int = 32
    at_once: int = 32
    fetches: int = 256
    unread_bytes: int = 256 * 1024 * 1024
    hello_seconds: float = 5.0
    idle_seconds: float = 3600.0


Log = Callable[[str, Mapping[str, object]], None]
"""Told of each event and its fields: ``open``, ``close``, ``refused``, ``decision``, ``call``, ``fault``."""


class Server:
    """Serves runs from `backend` under `policy`.

    `token` is asked of every peer if there is one. `uids` are the users who may connect to a Unix socket, by the
    kernel's word; None leaves it to the permissions of the socket.

    Who has not proved itself yet counts apart from the runs, and holds no place against others: the oldest such
    connection ends when there are too many. So strangers keep nobody out, who needs but a moment to say who it is.
    """

    def __init__(
        self,
        backend: Backend,
        policy: Policy,
        *,
        log: Log,
        token: str | None = None,
        uids: frozenset[int] | None = None,
        given_allowed: bool = True,
        limits: ServerLimits | None = None,
    ) -> None:
        self._backend = backend
        self._policy = policy
        self._log = log
        self._token = token
        self._uids = uids
        self._given_allowed = given_allowed
        self._limits = limits or ServerLimits()
        self._turns = asyncio.Semaphore(self._limits.fetches)
        self._open: set[asyncio.Task[None]] = set()
        self._strangers: dict[Pipe, None] = {}  # the oldest first
        self._at = ""
        self._runs: dict[str, Peer | None] = {}
        self._since = time.time()

    async def serve(
        self, listening: Listening, stop: asyncio.Event, on_ready: Callable[[], None] = lambda: None
    ) -> None:
        """Serve until `stop` is set; runs that are open then lose their connection. `on_ready` is called once peers
        can connect."""
        if listening.socket is None:
            raise GatewayError(f"nothing is listened at: {listening.place} is not open")
        self._at = listening.place.bound
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: Line(self._accept), sock=listening.socket, backlog=BACKLOG)
        try:
            on_ready()
            await stop.wait()
        finally:
            server.close()
            for task in tuple(self._open):
                task.cancel()
            await asyncio.gather(*self._open, return_exceptions=True)
            await server.wait_closed()

    def _accept(self, line: Line) -> None:
        pipe = Pipe(line, frames.FROM_STRANGER)
        task = asyncio.create_task(self._connection(pipe, peer_of(line.transport.get_extra_info("socket"))))
        self._open.add(task)
        task.add_done_callback(lambda done: self._ended(done, pipe))

    def _ended(self, task: asyncio.Task[None], pipe: Pipe) -> None:
        pipe.close()  # also where the task was cancelled before it began
        self._open.discard(task)

    async def _connection(self, pipe: Pipe, peer: Peer | None) -> None:
        try:
            await self._meet(pipe, peer)
        except AffidavitError as error:
            self._log("refused", {"peer": _said(peer), "why": str(error)})
            with suppress(ConnectionError, BadFrame):  # it has its answer, or does not want one
                await pipe.send({"refused": str(error)})
                await pipe.finish(_GOODBYE_SECONDS)
        except ConnectionError:
            return
        except Exception as error:  # noqa: BLE001 - one connection's fault ends that connection
            self._log("fault", {"error": f"{type(error).__name__}: {error}"})

    async def _meet(self, pipe: Pipe, peer: Peer | None) -> None:
        while len(self._strangers) >= self._limits.strangers:
            self._drop_oldest()
        self._strangers[pipe] = None
        try:
            async with asyncio.timeout(self._limits.hello_seconds):  # for all of it: a byte now and then buys no time
                await self._greet(pipe, peer)
                if self._token is not None:
                    self._strangers.pop(pipe, None)
                first = await pipe.receive()
        except TimeoutError:
            raise BadFrame(f"did not say within {self._limits.hello_seconds:g} s who it is and what it wants") from None
        finally:
            self._strangers.pop(pipe, None)
        match read_first(first) if first else None:
            case Open() as asked:
                await self._run(pipe, peer, asked)
            case Status():
                await pipe.send({"status": self._status()})
                await pipe.finish(_GOODBYE_SECONDS)
            case None:
                return

    def _drop_oldest(self) -> None:
        oldest = next(iter(self._strangers))
        self._log("refused", {"peer": None, "why": "said nothing yet, and others came"})
        del self._strangers[oldest]
        oldest.close()

    async def _greet(self, pipe: Pipe, peer: Peer | None) -> None:
        if self._uids is not None and peer is not None and peer.uid not in self._uids:
            raise GatewayError(f"user {peer.uid} may not use this gateway; it is another user's")
        ours = nonce()
        await pipe.send({"gateway": PROTOCOL, "version": __version__, "nonce": ours, "token": self._token is not None})
        frame = await pipe.receive()
        if frame is None:
            raise ConnectionAbortedError
        hello = read_hello(frame)
        if hello.protocol != PROTOCOL:
            raise GatewayError(
                f"the run speaks protocol {hello.protocol}, this gateway (affidavit {__version__}) {PROTOCOL}; install "
                "one version for both"
            )
        answer: str | None = None
        if self._token is not None:
            if not proves(hello.proof, self._token, CLIENT, self._at, ours, hello.nonce):
                raise GatewayError(
                    "the token is wrong, or meant for a gateway at another place; read it again from the gateway's "
                    "--token-file, which each start renews, and name the place as the gateway does"
                )
            answer = proof(self._token, SERVER, self._at, ours, hello.nonce)
        pipe.caps = frames.FROM_RUN
        await pipe.send({"welcome": PROTOCOL, "proof": answer, "at_once": self._limits.at_once})

    async def _run(self, pipe: Pipe, peer: Peer | None, asked: Open) -> None:
        if asked.run_id in self._runs:
            raise GatewayError(f"run {asked.run_id} is open already; a run has one connection")
        if len(self._runs) >= self._limits.runs:
            raise GatewayError(f"the gateway has {len(self._runs)} runs open, as many as it takes; try again later")
        self._runs[asked.run_id] = peer
        try:
            async with serve_run(
                asked,
                self._policy,
                self._backend,
                given_allowed=self._given_allowed,
                on_decision=lambda one: self._log("decision", {"run": asked.run_id, **fields_of(one)}),
                on_call=lambda one: self._log("call", {"run": asked.run_id, **fields_of(one)}),
                on_fault=lambda url, error: self._log(
                    "fault", {"run": asked.run_id, "url": url, "error": f"{type(error).__name__}: {error}"}
                ),
            ) as run:
                opened = {"policy": run.policy.as_json(), "search": run.search_name}
                self._log("open", {"run": asked.run_id, "peer": _said(peer), "given": len(asked.given), **opened})
                await pipe.send({"opened": opened})
                await _Requests(pipe, run, asked.run_id, self, self._limits).serve()
        finally:
            del self._runs[asked.run_id]
            self._log("close", {"run": asked.run_id})

    async def answer(
        self, run_id: str, run: ServedRun, request: Fetch | Search
    ) -> tuple[dict[str, object], list[bytes]]:
        """The frame that answers `request`. Whatever goes wrong here is told to this request alone."""
        try:
            if isinstance(request, Search):
                return search_frame(request.n, await run.search(request.query, request.recency_days, request.limit)), []
            async with self._turns:
                reply = await run.fetch(request.url)
            return fetch_frame(request.n, reply)
        except AffidavitError as error:
            return self.broken(run_id, request.n, str(error)), []
        except Exception as error:  # noqa: BLE001 - the run is told, and the gateway goes on for the others
            self._log("fault", {"run": run_id, "error": f"{type(error).__name__}: {error}"})
            return {"n": request.n, "broken": f"the gateway failed at it ({type(error).__name__}); see its log"}, []

    def broken(self, run_id: str, n: int, why: str) -> dict[str, object]:
        """The frame that says why request `n` has no answer."""
        self._log("fault", {"run": run_id, "error": why})
        return {"n": n, "broken": why}

    def _status(self) -> dict[str, object]:
        return {
            "version": __version__,
            "policy": self._policy.as_json(),
            "given": self._given_allowed,
            "runs": len(self._runs),
            "since": self._since,
            **self._backend.status(),
        }


class _Requests:
    """The requests of one run, each in a task of its own, and how many bytes of answers it has not read yet."""

    def __init__(self, pipe: Pipe, run: ServedRun, run_id: str, server: Server, limits: ServerLimits) -> None:
        self._pipe = pipe
        self._run = run
        self._run_id = run_id
        self._server = server
        self._limits = limits
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._unread = 0

    async def serve(self) -> None:
        """Until the run goes. Raises BadFrame for what is no request."""
        try:
            while True:
                try:
                    frame = await self._pipe.receive(self._limits.idle_seconds)
                except TimeoutError:
                    raise BadFrame(f"the run asked for nothing in {self._limits.idle_seconds:g} s") from None
                if frame is None:
                    return
                await self._take(frame)
        finally:
            for task in self._tasks.values():
                task.cancel()
            await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def _take(self, frame: Frame) -> None:
        request = read_later(frame)
        if isinstance(request, Cancel):
            if (task := self._tasks.get(request.n)) is not None:
                task.cancel()
            return
        if request.n in self._tasks:
            raise BadFrame(f"request {request.n} is not answered yet, and came again")
        while len(self._tasks) >= self._limits.at_once:  # nothing more is read until one of them is done
            await asyncio.wait(self._tasks.values(), return_when=asyncio.FIRST_COMPLETED)
            await asyncio.sleep(0)
        self._start(request.n, self._answer(request))

    def _start(self, n: int, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks[n] = task
        task.add_done_callback(lambda _: self._tasks.pop(n, None))

    async def _answer(self, request: Fetch | Search) -> None:
        said, blobs = await self._server.answer(self._run_id, self._run, request)
        size = sum(map(len, blobs))
        if self._unread and self._unread + size > self._limits.unread_bytes:
            said, blobs = self._server.broken(self._run_id, request.n, self._too_much(size)), []
            size = 0
        self._unread += size
        try:
            await self._pipe.send(said, blobs)
        except (ConnectionError, BadFrame):
            self._pipe.close()  # nobody takes what is sent: the reading side sees the end
        finally:
            self._unread -= size

    def _too_much(self, size: int) -> str:
        return (
            f"the run has not read {self._unread:,} bytes of answers yet, and with the {size:,} of this one it would "
            f"have more than the {self._limits.unread_bytes:,} that are kept for it: it must read faster or ask for "
            "less at once, or the gateway be given a larger gateway_unread_megabytes"
        )


def _said(peer: Peer | None) -> dict[str, int] | None:
    return None if peer is None else asdict(peer)
