"""What a run is worked on with, and the run that is worked on again: resumed where it was left, or replayed.

Both are the research code itself in a world that is recorded. A replay has nothing else; a run that is resumed has the
house it is open in for what is not recorded.
"""

import asyncio
import hashlib
import json
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType
from typing import Any

from affidavit.errors import PageFailure, SearchFailure, UserError
from affidavit.evidence.answer import Answer
from affidavit.evidence.document import Document, Fetched
from affidavit.evidence.rates import Rates
from affidavit.extract.kept import KeptPages
from affidavit.extract.worker import Workers
from affidavit.ledger import Ledger
from affidavit.ranking.policy import Policy
from affidavit.ranking.tiers import Tier
from affidavit.research.ask import Ask
from affidavit.research.plan import Plan, make_plan
from affidavit.research.recorded import Recorded, ReplayedLog, late_from, no_deadline
from affidavit.research.recording import Recording
from affidavit.research.run import Research
from affidavit.research.tools import Encoder, Log, Search, Tools, Web
from affidavit.settings import Settings
from affidavit.usual import RATES, answer_rates, answer_with_alerts, before_of, rates_event, signed, usual_rates
from affidavit.verify import VerbatimVerifier
from affidavit.version import __version__


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """What a run is worked on with, wherever its pages come from: the web, an archive, or the record of a run.

    What is in `kept` is not read again; without it every page is, as it must be where a run is derived again."""

    settings: Settings
    workers: Workers
    policy: Policy
    encoder: Encoder
    on_step: Callable[[str, str], None]
    kept: KeptPages | None = None

    def tools(
        self,
        log: Log,
        searches: Sequence[Search],
        web: Web,
        *,
        keep: Callable[[bytes], str],
        now: Callable[[], datetime],
        notes: Sequence[str],
        missed: list[SearchFailure],
        clock: Callable[[], float] = time.monotonic,
        deadline: Callable[[float], AbstractAsyncContextManager[object]] = asyncio.timeout,
        late_from: int | None = None,
        cut_short: bool = False,
    ) -> Tools:
        """The tools of one run. `missed` gathers the failures that cost a search a part of its results."""
        return Tools(
            searches=searches,
            web=web,
            extract=self._extract,
            verifier=VerbatimVerifier(),
            encoder=self.encoder,
            policy=self.policy,
            log=log,
            keep=keep,
            now=now,
            progress=self.on_step,
            notes=notes,
            missed=lambda: _taken(missed),
            recency_days=self.settings.search_recency_days,
            clock=clock,
            deadline=deadline,
            late_from=late_from,
            cut_short=cut_short,
        )

    async def _extract(self, page: Fetched) -> Document:
        """Raises PageFailure."""
        outcome = None if self.kept is None else self.kept.get(page)
        if outcome is None:
            try:
                outcome = await asyncio.wrap_future(self.workers.submit(page))
            except PageFailure as failure:
                outcome = failure
            if self.kept is not None:
                self.kept.put(page, outcome)
        if isinstance(outcome, PageFailure):
            raise outcome
        return outcome


def policy_bytes(policy: Policy) -> bytes:
    """The policy in force as canonical JSON: a blob of the ledger, whose key is in each run's settings."""
    values = {name: getattr(policy, name) for name in policy.__dataclass_fields__}
    plain = {name: dict(value) if isinstance(value, Mapping) else value for name, value in values.items()}
    return json.dumps(plain, sort_keys=True).encode()


def policy_of(stored: bytes) -> Policy:
    """The policy that `policy_bytes` wrote."""
    values = json.loads(stored)
    tiers = {name: Tier(tier) for name, tier in values.pop("tiers").items()}
    worth = {Tier(tier): value for tier, value in values.pop("tier_values").items()}
    return Policy(tiers=MappingProxyType(tiers), tier_values=MappingProxyType(worth), **values)


Work = Callable[[Plan, Tools], Awaitable[Research]]
"""The research itself, with a model or without."""


async def replayed(
    bench: Bench, plan: Plan, recording: Recording, run_id: str, ledger: Ledger, work: Work
) -> tuple[Research, ReplayedLog]:
    """What the run's own code makes of its record alone, and what it would have recorded on the way.

    Raises NotRecorded where the record has not got what was asked for; StorageError, BlobMismatch for a stored page.
    """
    missed: list[SearchFailure] = []
    log = ReplayedLog(run_id, recording, ledger.cleaned)
    world = Recorded(recording, log, ledger.cleaned, ledger.blobs.get)
    tools = bench.tools(
        log,
        [world.search(name, missed.append) for name in recording.names],
        world.web(),
        keep=lambda body: hashlib.sha256(body).hexdigest(),
        now=lambda: recording.now or datetime.fromisoformat(recording.events[0].at),
        notes=recording.notes,
        missed=missed,
        clock=lambda: log.seconds,
        deadline=no_deadline,
        late_from=late_from(recording),
        cut_short=recording.cut_short,
    )
    found = await work(plan, tools)
    recorded = [(event.type, event.payload) for event in recording.events if event.type == RATES]
    if recorded:
        found, _ = with_alerts(found, [*log.said, *recorded], ledger)
        log.record(RATES, recorded_rates(found.answer, log.said, before_of(recorded[0][1])))
    return found, log


def with_alerts(
    found: Research, said: Sequence[tuple[str, Any]], ledger: Ledger
) -> tuple[Research, dict[str, object] | None]:
    """`found`, its answer warning of what is unusual about its rates, and the event that says what they were compared
    with. None where an event among `said`, the run's events, says it already: then that comparison holds."""
    card = found.answer.verifier
    known = next((payload for kind, payload in said if kind == RATES), None)
    before = usual_rates(ledger, "ask", signed(card.name, card.version)) if known is None else before_of(known)
    rates = answer_rates(found.answer, [payload for kind, payload in said if kind == "verdict"])
    told = replace(found, answer=answer_with_alerts(found.answer, rates, before))
    return told, recorded_rates(found.answer, said, before) if known is None else None


def recorded_rates(answer: Answer, said: Sequence[tuple[str, Any]], before: Sequence[Rates]) -> dict[str, object]:
    """The event of the run's rates, and of those it was compared with."""
    rates = answer_rates(answer, [payload for kind, payload in said if kind == "verdict"])
    return rates_event("ask", signed(answer.verifier.name, answer.verifier.version), rates, before)


def plan_of(recording: Recording, max_subquestions: int) -> Plan:
    """The plan of the run that was recorded, made again."""
    asked, falsifier = recording.begun["question"], recording.settings.get("falsifier")
    ask = Ask(question=asked) if falsifier is None else Ask(claim=asked, falsifier=falsifier)
    return make_plan(ask, max_subquestions)


def check_resumable(recording: Recording, here: Mapping[str, object]) -> None:
    """Raises UserError where the run cannot go on as it began; `here` is what would be recorded of this house."""
    run_id, begun = recording.events[0].run_id, recording.begun
    if begun["kind"] != "ask":
        raise UserError(f"{run_id} is a {begun['kind']}, which costs nothing to do again: begin a new one")
    if begun["product"] != __version__:
        raise UserError(
            f"{run_id} was begun by affidavit {begun['product']} and this is {__version__}: resume it with that one, "
            "or ask again"
        )
    if recording.missing:
        raise UserError(f"{run_id} cannot be resumed, because its record is short: {recording.missing[0]}; ask again")
    for name, what in (
        ("web", "other archives"),
        ("live", "another choice of the live web"),
        ("policy_sha256", "another source policy"),
    ):
        if recording.settings.get(name) != here[name]:
            raise UserError(f"{run_id} began with {what}: {_pages_needed(recording)}")


def _pages_needed(recording: Recording) -> str:
    names = [str(archive["name"]) for archive in recording.settings.get("web", ())]
    named = [*names, *(["live"] if recording.settings.get("live") else [])]
    return f"give the same pages ({', '.join(f'--web {name}' for name in named)}) and the same --policy"


def _taken(missed: list[SearchFailure]) -> list[SearchFailure]:
    """What is in `missed`, which is emptied."""
    taken = list(missed)
    missed.clear()
    return taken
