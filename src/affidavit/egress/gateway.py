"""The one way to fetch a page (contract G1): it decides, it records each decision, and only then asks the web.

What it takes and gives are plain values (addresses, pages, failures, decisions), so that it can stand in this process
or in one of its own. Policy, provenance and canaries are judged here, for the address asked for and again for every
redirect; that the connection goes to a public address is the transport's to see to.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from affidavit.egress.canary import Canaries
from affidavit.egress.policy import Policy
from affidavit.egress.provenance import Provenance, SeenUrl
from affidavit.egress.reason import ADVICE, MAX_URL, Reason
from affidavit.egress.target import Target, read_target
from affidavit.egress.web import Hop, Web
from affidavit.errors import AffidavitError, FailureKind, InvalidArgument, PageFailure
from affidavit.evidence.document import Fetched

MOST_AT_ONCE = 4
"""Addresses in one call of `fetch_many` (contract G9)."""

OnFault = Callable[[str, Exception], None]
"""Told of an error of ours that ended one fetch: the address, and what was raised."""

_log = logging.getLogger(__name__)


def warn(url: str, error: Exception) -> None:
    """Log a fault as a warning, with where it arose at level DEBUG. The address and the message are the page's words:
    only their ASCII form is printed, which acts in no terminal."""
    _log.warning("reading %s failed with %s: %s", ascii(url[:300]), type(error).__name__, ascii(str(error)[:300]))
    _log.debug("where it arose", exc_info=error)


@dataclass(frozen=True, slots=True)
class Decision:
    """One request, allowed or refused (contract G7). `url` is what was asked of the web, as the run had seen it; of a
    refusal what was asked of the gateway. `reason` is a `Reason`, or a `FailureKind` of one that failed.

    `bytes` are of the decoded body and `received` of what came over the wire, `seconds` from the request to its end;
    all are 0 for a refusal. `how` says where the run had seen the address (None if it had not). `hop` counts the
    requests of one fetch from 0; `purpose` is ``page`` or ``robots``. `address` is None where no connection was made.
    """

    url: str
    host: str
    allowed: bool
    reason: str
    bytes: int
    seconds: float
    how: str | None
    method: str = "GET"
    address: str | None = None
    status: int | None = None
    received: int = 0
    hop: int = 0
    purpose: str = "page"


class Gateway:
    """Fetches for one run. `on_decision` is called once for each request, before its result is given out.

    What `on_decision` raises stops the fetch: a decision that could not be recorded did not happen. `canaries` are
    strings that no address may carry. Whatever else a page makes us raise is the failure of that page alone, and
    `on_fault` is told, so that no page can end a run and no mistake of ours goes unseen.
    """

    def __init__(
        self,
        web: Web,
        on_decision: Callable[[Decision], None],
        policy: Policy | None = None,
        *,
        canaries: Iterable[str] = (),
        on_fault: OnFault = warn,
    ) -> None:
        self._web = web
        self._on_fault = on_fault
        self._on_decision = on_decision
        self._policy = policy or Policy()
        self._canaries = Canaries(canaries)
        self._seen = Provenance()

    def saw(self, url: str, how: str) -> None:
        """This run has seen `url`: `how` is where ("search result", "link on https://…", "given by the user").

        The three are the words that `ledger.violation` knows. An address the policy would refuse is not remembered: it
        could never be fetched.
        """
        if self._policy.refusal(url) is None:
            self._seen.saw(url, how)

    async def fetch(self, url: str) -> Fetched:
        """The page at `url`. Raises PageFailure: BLOCKED_BY_POLICY, saying why and what to do, the web's own, or
        CRASHED for what nobody foresaw. Errors of ours that are no page's (a full disk) pass through."""
        seen = self._allowed(url)
        watch = _Watch(seen, self._permit, self._record)
        start = time.monotonic()
        try:
            page = await self._web.fetch(seen.url, watch)
        except PageFailure as failure:
            watch.settle(failure.kind.value, start)
            raise
        except BaseException as error:
            watch.settle(Reason.FAILED.value, start)
            if isinstance(error, AffidavitError) or not isinstance(error, Exception) or watch.unrecorded:
                raise
            self._on_fault(seen.url, error)
            raise _crashed(url, error) from error
        self._check_landing(page, seen, watch, start)
        watch.settle(Reason.FETCHED.value, start, page)
        self.saw(page.final_url, f"redirect from {seen.url}")
        return replace(page, requested_url=url)

    async def fetch_many(self, urls: Sequence[str]) -> list[Fetched | PageFailure]:
        """The pages at `urls`, one to four, fetched at once and given in their order; a failure in its page's place."""
        if not 1 <= len(urls) <= MOST_AT_ONCE:
            raise InvalidArgument(f"{len(urls)} addresses in one call; give 1 to {MOST_AT_ONCE}")
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._settled(url)) for url in urls]
        return [task.result() for task in tasks]

    async def _settled(self, url: str) -> Fetched | PageFailure:
        try:
            return await self.fetch(url)
        except PageFailure as failure:
            return failure

    def _permit(self, target: Target) -> Reason | None:
        """Why `target` may not be asked for as a redirect, or None if it may. Who redirects need not have been seen."""
        return Reason.CANARY if self._canaries.within(target.url) else self._policy.refusal_of(target)

    def _allowed(self, url: str) -> SeenUrl:
        refusal = self._policy.refusal(url)
        if refusal is None and self._canaries.within(url):
            refusal = Reason.CANARY
        seen = None if refusal else self._seen.find(url)
        if seen is not None and not self._canaries.within(seen.url):
            return seen
        reason = refusal or (Reason.NOT_SEEN if seen is None else Reason.CANARY)
        self._record(Hop(url=url, allowed=False, reason=reason.value), None, 0)
        raise _blocked(url, reason)

    def _check_landing(self, page: Fetched, seen: SeenUrl, watch: "_Watch", start: float) -> None:
        """Where an archive's own redirect led is judged too: a denied host stays denied."""
        refusal = self._policy.refusal(page.final_url)
        if page.final_url != seen.url and refusal is not None:
            watch.settle(refusal.value, start, allowed=False)
            raise _blocked(page.final_url, refusal)

    def _record(self, hop: Hop, how: str | None, number: int) -> None:
        self._on_decision(
            Decision(
                url=hop.url[:MAX_URL],
                host=_host(hop.url),
                allowed=hop.allowed,
                reason=hop.reason,
                bytes=hop.bytes,
                seconds=hop.seconds,
                how=how,
                address=hop.address,
                status=hop.status,
                received=hop.received,
                hop=number,
                purpose=hop.purpose,
            )
        )


class _Watch:
    """Judges and records the hops of one fetch."""

    def __init__(
        self,
        seen: SeenUrl,
        permit: Callable[[Target], Reason | None],
        record: Callable[[Hop, str | None, int], None],
    ) -> None:
        self._permit = permit
        self._record = record
        self._seen = seen
        self._how = seen.how
        self._last: str | None = None
        self._hops = 0
        self.unrecorded = False
        """Whether a decision could not be written down, which is no page's failure."""

    def permit(self, target: Target) -> Reason | None:
        return self._permit(target)

    def record(self, hop: Hop) -> None:
        try:
            self._note(hop)
        except BaseException:
            self.unrecorded = True
            raise

    def _note(self, hop: Hop) -> None:
        if hop.purpose != "page":
            self._record(hop, f"{hop.purpose} of the site of {self._seen.url}", self._hops)
            return
        if self._last is not None and hop.url != self._last:  # the same again is a second try, not a redirect
            self._how = f"redirect from {self._last}"
        number, self._hops, self._last = self._hops, self._hops + 1, hop.url
        self._record(hop, self._how, number)

    def settle(self, reason: str, start: float, page: Fetched | None = None, *, allowed: bool = True) -> None:
        """Record the fetch of a web that records no hops of its own."""
        if self._hops:
            return
        self._record(
            Hop(
                url=self._seen.url,
                allowed=allowed,
                reason=reason,
                status=page.status if page else None,
                bytes=len(page.body) if page else 0,
                seconds=time.monotonic() - start,
            ),
            self._seen.how,
            0,
        )


def _blocked(url: str, reason: Reason) -> PageFailure:
    host = _host(url)
    shown = f" (its host is {host})" if host and host not in url.lower() else ""
    return PageFailure(FailureKind.BLOCKED_BY_POLICY, url[:500], f"{reason.value}: {ADVICE[reason]}{shown}")


def _crashed(url: str, error: Exception) -> PageFailure:
    detail = (
        f"fetching it failed with {type(error).__name__}, an error of affidavit's own; use another source, and report"
    )
    return PageFailure(FailureKind.CRASHED, url[:500], f"{detail} the address with the log")


def _host(url: str) -> str:
    """The host as it would be looked up, so that a look-alike shows in the ledger as what it is."""
    target = read_target(url)
    return "" if isinstance(target, Reason) else target.host
