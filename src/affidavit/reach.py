"""Which pages a job may read, and the live web opened for one run of it.

A `Reach` is what a person named: archives, the live web, and of both which hosts. A `Live` is the way to the live web,
from this process or from another; nothing above it can tell which.
"""

from collections.abc import AsyncGenerator, Callable, Generator, Sequence
from contextlib import AbstractAsyncContextManager, ExitStack, asynccontextmanager, contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Protocol

from affidavit.egress.api import ApiCall, HttpApi
from affidavit.egress.archive import Archive, open_archive
from affidavit.egress.cache import PageCache
from affidavit.egress.client import user_agent
from affidavit.egress.keys import Keys
from affidavit.egress.live import LiveWeb, aside
from affidavit.egress.policy import PUBLIC_WEB, Policy, load_web_policy
from affidavit.egress.politeness import Politeness
from affidavit.egress.process.narrowed import narrowed
from affidavit.egress.received import Limits, Received
from affidavit.egress.transport import PinnedTransport
from affidavit.egress.warc_writer import WarcWriter
from affidavit.egress.web import Web
from affidavit.errors import ArchiveError, SearchFailure, UserError
from affidavit.ledger.run import RunLog
from affidavit.search.elsewhere import open_elsewhere
from affidavit.search.live import live_search, open_api
from affidavit.search.provider import Provider
from affidavit.settings import Settings

LIVE = "live"
"""What stands for the live web among the names after ``--web``. A folder of that name is ``./live``."""

_MEGABYTE = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """`archives` are WARC and WACZ files and folders of pages; `live` is the web beside them.

    `allow_hosts` and `deny_hosts` take from what the web policy lets be read, and never add to it. What is read of the
    live web is also appended to the file `save`.
    """

    archives: tuple[str, ...] = ()
    live: bool = False
    allow_hosts: tuple[str, ...] = ()
    deny_hosts: tuple[str, ...] = ()
    save: Path | None = None
    within: Policy | None = None
    """What the run that is resumed was allowed; it never gets more, whatever the web policy has become."""

    @classmethod
    def named(
        cls,
        web: Sequence[str],
        *,
        otherwise_live: bool = False,
        allow_hosts: Sequence[str] = (),
        deny_hosts: Sequence[str] = (),
        save: Path | None = None,
    ) -> "Reach":
        """What the names after ``--web`` mean; no name is the live web if `otherwise_live`. Raises UserError."""
        if any(not name.strip() for name in web):
            raise UserError("one of the names after --web is empty; is a variable unset?")
        return cls(
            archives=tuple(name for name in web if name != LIVE),
            live=LIVE in web or (otherwise_live and not web),
            allow_hosts=tuple(allow_hosts),
            deny_hosts=tuple(deny_hosts),
            save=save,
        )

    def check(self, settings: Settings) -> None:
        """Raises UserError where there is nothing to read, or nothing that may be."""
        if self.live and settings.offline:
            raise UserError(
                "offline, so the live web is not read: name pages with --web FILE, or leave out --offline "
                "(AFFIDAVIT_OFFLINE, the setting offline)"
            )
        if self.save is not None:
            if not self.live:
                raise UserError(
                    f"--save-web {self.save}: only what is read of the live web is saved, and it is not read"
                )
            _check_saved(self.save)

    def check_searched(self) -> None:
        """Raises UserError where a folder of the user's own would be searched together with the live web: its words
        could leave in a query. An archive is a recording of what others published."""
        folder = next((path for path in self.archives if Path(path).expanduser().is_dir()), None)
        if self.live and folder is not None:
            raise UserError(
                f"--web {folder} with --web live: what a folder of yours says could leave in a search. Keep the pages "
                "of the web first (--web live --save-web web.warc.gz), then ask both: --web web.warc.gz "
                f"--web {folder}"
            )

    def policy(self, settings: Settings) -> Policy:
        """The web policy of the settings, narrowed. Raises UserError."""
        whole = load_web_policy(settings.web_policy)
        if self.within is not None:
            whole = narrowed(whole, self.within)
        if not self.allow_hosts and not self.deny_hosts:
            return whole
        wanted = Policy(allow=self.allow_hosts or (PUBLIC_WEB,), deny=self.deny_hosts)
        private = tuple(host for host in whole.allow_private if not self.allow_hosts or host in wanted.allow)
        found = narrowed(whole, replace(wanted, ports=whole.ports, allow_private=private, types=whole.types))
        if not found.allow:
            named = ", ".join(self.allow_hosts)
            raise UserError(f"--allow-host {named}: the web policy allows none of them; see the setting web_policy")
        return found

    def open_archives(self) -> list[Archive]:
        """Raises ArchiveError for what is none."""
        return [open_archive(Path(path).expanduser()) for path in self.archives]


def _check_saved(path: Path) -> None:
    """A WARC file can be added to; anything else that is there would be spoilt."""
    if not path.exists() or (path.is_file() and path.stat().st_size == 0):
        return
    try:
        open_archive(path)
    except ArchiveError as error:
        raise UserError(f"--save-web {path}: something lies there that is no WARC file; name another") from error


@dataclass(frozen=True, slots=True)
class Opened:
    """The live web of one run."""

    web: Web
    search: Provider


class Live(Protocol):
    """A way to the live web."""

    def open(
        self,
        keep: Callable[[Received], None],
        on_call: Callable[[ApiCall], None],
        on_failure: Callable[[SearchFailure], None],
        given: Sequence[str] = (),
        run_id: str | None = None,
    ) -> AbstractAsyncContextManager[Opened]:
        """The live web for one run, in its event loop. `keep` gets every response, from a thread; `on_call` is told of
        each request to a search API, `on_failure` of each provider that failed beside others that did not. `given` are
        the addresses that a person gave, `run_id` what a record kept elsewhere calls the run."""
        ...


class LiveHere:
    """The live web from this process.

    `transport` makes the way to pages and `api` the way to the search APIs; a test gives ones that lead to servers of
    its own.
    """

    def __init__(
        self,
        settings: Settings,
        policy: Policy,
        *,
        on_trouble: Callable[[str], None],
        transport: Callable[[Policy], PinnedTransport] = lambda policy: PinnedTransport(
            allow_private=policy.allow_private
        ),
        api: Callable[[Settings, Callable[[ApiCall], None], Keys], HttpApi] = open_api,
        keys: Keys | None = None,
    ) -> None:
        self._settings = settings
        self._policy = policy
        self._transport = transport
        self._api = api
        self._keys = keys or Keys.from_environment()
        self._cache = PageCache(settings.cache_dir / "web", on_trouble=on_trouble)

    @asynccontextmanager
    async def open(
        self,
        keep: Callable[[Received], None],
        on_call: Callable[[ApiCall], None],
        on_failure: Callable[[SearchFailure], None],
        given: Sequence[str] = (),  # noqa: ARG002 - the run's own gateway knows them
        run_id: str | None = None,  # noqa: ARG002 - its record is the run's
    ) -> AsyncGenerator[Opened]:
        settings = self._settings
        web = LiveWeb(
            self._transport(self._policy),
            agent=user_agent(settings.contact),
            limits=Limits(seconds=settings.fetch_seconds, received=settings.fetch_megabytes * _MEGABYTE),
            types=self._policy.types,
            cache=self._cache,
            max_age=settings.cache_seconds,
            keep=aside(keep),
            politeness=Politeness(),
        )
        async with web, self._api(settings, on_call, self._keys) as api:
            yield Opened(web, live_search(settings, api, on_failure))


class LiveElsewhere:
    """The live web by the gateway's process that the setting `gateway` names. This process opens no other socket to it,
    and reads no key."""

    def __init__(self, settings: Settings, policy: Policy) -> None:
        self._settings = settings
        self._policy = policy

    @asynccontextmanager
    async def open(
        self,
        keep: Callable[[Received], None],
        on_call: Callable[[ApiCall], None],
        on_failure: Callable[[SearchFailure], None],
        given: Sequence[str] = (),
        run_id: str | None = None,
    ) -> AsyncGenerator[Opened]:
        async with open_elsewhere(
            self._settings,
            self._policy,
            keep=keep,
            on_call=on_call,
            on_failure=on_failure,
            given=given,
            run_id=run_id,
        ) as there:
            yield Opened(there.web, there.search)


LiveMaker = Callable[[Settings, Policy, Callable[[str], None]], Live]


def live_here(settings: Settings, policy: Policy, on_trouble: Callable[[str], None]) -> Live:
    """The live web as the settings have it: by the gateway's process they name, or else by this one."""
    if settings.gateway is not None:
        return LiveElsewhere(settings, policy)
    return LiveHere(settings, policy, on_trouble=on_trouble)


@contextmanager
def keeping(settings: Settings, log: RunLog, saved: WarcWriter | None) -> Generator[Callable[[Received], None]]:
    """Where a run's live responses go: a WARC file of its own beside the ledger, and `saved`.

    The run's record names the file, so that what was quoted can be read again as it came.
    """
    with WarcWriter(_unused(settings.data_dir / "web" / f"{log.run_id}.warc.gz")) as own:

        def keep(received: Received) -> None:
            own.write(received)
            if saved is not None:
                saved.write(received)

        try:
            yield keep
        finally:
            if own.records:
                log.record("web.kept", {"file": own.path.name, "records": own.records})


def _unused(path: Path) -> Path:
    """`path`, or one beside it: a process that was killed may have left half a record at the end of the first."""
    tries = (path.with_name(path.name.replace(".", f"-{number}.", 1)) for number in range(2, 1000))
    return path if not path.exists() else next(one for one in tries if not one.exists())


@contextmanager
def saving(reach: Reach) -> Generator[WarcWriter | None]:
    """The file that the user wants live responses in."""
    with ExitStack() as stack:
        yield None if reach.save is None else stack.enter_context(WarcWriter(reach.save))


def record_call(log: RunLog, call: ApiCall) -> None:
    log.record("search.call", asdict(call))
