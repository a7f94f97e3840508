"""The gateway's process from its start to its end: its place, its token, its keys, and how it is told to stop."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from affidavit.egress.endpoints import key_variables
from affidavit.egress.keys import Keys
from affidavit.egress.policy import Policy
from affidavit.egress.process.notify import READY, STOPPING, notify
from affidavit.egress.process.place import Listening, Place
from affidavit.egress.process.server import Log, Server, ServerLimits
from affidavit.egress.process.token import make_token
from affidavit.errors import UserError
from affidavit.extract.worker import Workers
from affidavit.search.served import LiveBackend
from affidavit.settings import Settings

_MEGABYTE = 1024 * 1024

MakeBackend = Callable[[Settings, Keys, Workers, Callable[[str], None]], LiveBackend]


def live_backend(settings: Settings, keys: Keys, workers: Workers, on_trouble: Callable[[str], None]) -> LiveBackend:
    return LiveBackend(settings, keys, workers, on_trouble=on_trouble)


@dataclass(frozen=True, slots=True, kw_only=True)
class Serving:
    """Where and to whom. `token_file` is where a new token is written; a port has to have one.

    `group` may connect to a Unix socket beside this user and root. `given_allowed` is whether a run may say that a
    person gave it an address.
    """

    place: Place
    policy: Policy
    group: str | None = None
    token_file: Path | None = None
    given_allowed: bool = True

    def __post_init__(self) -> None:
        if self.place.path is None and self.token_file is None:
            raise UserError(
                f"--listen {self.place}: every user of this machine can reach a port; say with --token-file FILE where "
                "to write the token that runs must show"
            )
        if self.place.path is None and self.group is not None:
            raise UserError("--group opens a Unix socket to a group; a port is opened by its token alone")


async def serve_gateway(
    settings: Settings,
    serving: Serving,
    *,
    log: Log,
    on_ready: Callable[[Place], None],
    make_backend: MakeBackend = live_backend,
) -> None:
    """Serve until SIGTERM or SIGINT. Raises OperatorError, UserError for what keeps it from starting."""
    keys = _taken_keys()
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    with ExitStack() as stack:
        # Started by the first page whose links are wanted: most gateways never need them.
        workers = stack.enter_context(
            closing(Workers(settings.workers, settings.page_seconds, settings.page_megabytes))
        )
        backend = make_backend(settings, keys, workers, lambda said: log("trouble", {"said": said}))
        listening = stack.enter_context(Listening(serving.place, serving.group))
        token = None
        if serving.token_file is not None:
            token = make_token(serving.token_file)
            stack.callback(serving.token_file.unlink, missing_ok=True)
        server = Server(
            backend,
            serving.policy,
            log=log,
            token=token,
            uids=None if serving.group is not None else frozenset({os.geteuid(), 0}),
            given_allowed=serving.given_allowed,
            limits=ServerLimits(unread_bytes=settings.gateway_unread_megabytes * _MEGABYTE),
        )

        def ready() -> None:
            on_ready(listening.place)
            notify(READY)

        await server.serve(listening, stop, ready)
        notify(STOPPING)


def log_line(event: str, fields: Mapping[str, object]) -> None:
    """One event as one line of JSON on stderr, where journals and containers look."""
    at = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    print(json.dumps({"at": at, "event": event, **fields}), file=sys.stderr, flush=True)


def _taken_keys() -> Keys:
    """The keys, out of the environment: what this process starts does not inherit them."""
    keys = Keys.from_environment()
    for variable in key_variables().values():
        os.environ.pop(variable, None)
    return keys
