"""The one way to fetch a page (contract G1): it decides, it records each decision, and only then asks the web.

Provenance (G3) is what keeps a steered model from carrying data out in an address that it made up: only an
address that this run has seen may be fetched. Other spellings of a seen address count as seen, but its query must
be the seen one byte for byte, less known tracking parameters; and what is asked of the web is the address as it was
seen, never as the model spelled it, so a "tracking" parameter of the model's goes nowhere.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from urllib.parse import unquote_plus

import ada_url

from affidavit.egress.policy import Policy
from affidavit.egress.reason import ADVICE, Reason
from affidavit.egress.web import Web
from affidavit.errors import FailureKind, PageFailure
from affidavit.evidence.document import Fetched
from affidavit.ranking.canonical import canonical_url
from affidavit.ranking.tracking import is_tracking


@dataclass(frozen=True, slots=True)
class Decision:
    """One fetch, allowed or refused. `reason` is a `Reason`, or a `FailureKind` of an allowed fetch that failed.

    `bytes` are of the decoded body, `seconds` from the request to its end; both are 0 for a refusal. `how` says
    where the run had seen the address (None if it had not).
    """

    url: str
    host: str
    allowed: bool
    reason: str
    bytes: int
    seconds: float
    how: str | None


@dataclass(frozen=True, slots=True)
class _Seen:
    """An address as the run first saw it, and where."""

    url: str
    how: str


class Gateway:
    """Fetches for one run. `on_decision` is called once for each fetch, before its result is given out.

    What `on_decision` raises stops the fetch: a decision that could not be recorded did not happen.
    """

    def __init__(self, web: Web, on_decision: Callable[[Decision], None], policy: Policy | None = None) -> None:
        self._web = web
        self._on_decision = on_decision
        self._policy = policy or Policy()
        self._seen: dict[tuple[str, str], _Seen] = {}

    def saw(self, url: str, how: str) -> None:
        """This run has seen `url`: `how` is where ("search result", "link on https://…", "given by the user").

        An address the policy would refuse is not remembered: it could never be fetched.
        """
        if self._policy.refusal(url) is None:
            self._seen.setdefault(_key(url), _Seen(url, how))

    async def fetch(self, url: str) -> Fetched:
        """The page at `url`. Raises PageFailure: BLOCKED_BY_POLICY, saying why and what to do, or the web's own."""
        refusal = self._policy.refusal(url)
        seen = None if refusal else self._seen.get(_key(url))
        if seen is None:
            refusal = refusal or Reason.NOT_SEEN
            self._record(url, refusal, None)
            raise PageFailure(FailureKind.BLOCKED_BY_POLICY, url[:500], f"{refusal.value}: {ADVICE[refusal]}")
        start = time.monotonic()
        try:
            page = await self._web.fetch(seen.url)
        except PageFailure as failure:
            self._record(url, failure.kind, seen.how, seconds=time.monotonic() - start)
            raise
        except BaseException:
            self._record(url, Reason.FAILED, seen.how, seconds=time.monotonic() - start)
            raise
        self._record(url, Reason.FETCHED, seen.how, seconds=time.monotonic() - start, size=len(page.body))
        self.saw(page.final_url, f"redirect from {seen.url}")
        return replace(page, requested_url=url)

    def _record(
        self, url: str, reason: Reason | FailureKind, how: str | None, *, seconds: float = 0.0, size: int = 0
    ) -> None:
        self._on_decision(Decision(url, _host(url), how is not None, reason.value, size, seconds, how))


def _key(url: str) -> tuple[str, str]:
    """What makes two addresses one for provenance: the canonical form, and the query as it is spelled."""
    query = ada_url.URL(url).search.removeprefix("?")
    kept = [part for part in query.split("&") if part and not is_tracking(unquote_plus(part.partition("=")[0]))]
    return canonical_url(url), "&".join(kept)


def _host(url: str) -> str:
    try:
        return ada_url.URL(url).hostname
    except ValueError:
        return ""
