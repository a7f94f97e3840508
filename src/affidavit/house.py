"""The house: everything that asking needs, open over the same pages for as many questions as there are.

A question is asked in it once, or gone on with after it was cut off: as it began, from what its record holds.
"""

import asyncio
import hashlib
from collections.abc import Callable, Generator, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, ExitStack, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol, cast

from affidavit.bench import Bench, Work, check_resumable, plan_of, policy_bytes, replayed, with_alerts
from affidavit.egress.policy import Policy as WebPolicy
from affidavit.egress.process.messages import MAX_GIVEN, MOST_GIVEN
from affidavit.errors import FailureKind, IntegrityError, SearchFailure, UserError
from affidavit.evidence.answer import Answer
from affidavit.extract import EXTRACTORS
from affidavit.extract.kept import KeptPages
from affidavit.extract.worker import Workers
from affidavit.ledger import Ledger, Run
from affidavit.ledger.event import answer_payload
from affidavit.ledger.run import RunLog
from affidavit.ledger.violation import refuse_violations
from affidavit.models.cast import Cast
from affidavit.models.embedded import SentenceEncoder
from affidavit.models.prices import load_prices
from affidavit.models.spend import Spend
from affidavit.ranking.policy import Policy, load_policy
from affidavit.reach import LiveMaker, Reach, live_here, saving
from affidavit.report.as_json import answer_json
from affidavit.report.bundle import write_bundle
from affidavit.research.loop import investigate
from affidavit.research.plan import Plan
from affidavit.research.recalled import Calls, as_uncertain, read_calls
from affidavit.research.recorded import Recorded, ResumedLog
from affidavit.research.recording import Recording, read_recording
from affidavit.research.run import Research, research
from affidavit.research.similarity import Remembering
from affidavit.research.tools import Log, Tools
from affidavit.search.build import Builder
from affidavit.search.catalogue import named
from affidavit.search.embedded import EmbeddedSearch
from affidavit.search.together import Together
from affidavit.settings import Settings
from affidavit.staff import Staff, VerifierMaker, has_researcher, recalled_staff, staffed
from affidavit.usual import RATES
from affidavit.verify import Verifier
from affidavit.verify.calibration import (
    CALIBRATED,
    Calibrated,
    calibration_file,
    read_calibration,
    recorded_calibration,
)
from affidavit.verify.model import MODEL, signature
from affidavit.wiring import Listeners, Pages, open_gateway, open_ledger, open_pages, open_verifier, open_workers


class StaffMaker(Protocol):
    """Hires the models of a run, as `staffed` does."""

    def __call__(
        self,
        settings: Settings,
        log: Log,
        open_verifier: VerifierMaker,
        *,
        calls: Calls | None = None,
        spend: Spend | None = None,
    ) -> AbstractAsyncContextManager[Staff]: ...


class House:
    """Everything that asking needs, open over the same pages for as many questions as there are."""

    def __init__(self, bench: Bench, pages: Pages, ledger: Ledger, staff: StaffMaker = staffed) -> None:
        self._bench = bench
        self._staff = staff
        self._settings = bench.settings
        self._pages = pages
        self._ledger = ledger

    def ask(
        self,
        plan: Plan,
        *,
        bundle: Path | None = None,
        signing_key: bytes | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> Answer:
        """Run `plan` and record it; write its bundle if asked. Raises AffidavitError. Blocks: it has a loop of its own.

        In the main thread a first Ctrl-C ends the gathering: the answer is made of what was read until then.
        """
        return asyncio.run(self.aask(plan, bundle=bundle, signing_key=signing_key, now=now))

    async def aask(
        self,
        plan: Plan,
        *,
        bundle: Path | None = None,
        signing_key: bytes | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> Answer:
        """`ask` for a program that has an event loop; as many at once as it likes.

        Cancelled while it gathers, it answers from what was read until then, and says so; cancelled again, it ends, and
        the run can be resumed.
        """
        self._ledger.blobs.put(policy_bytes(self._bench.policy))
        recorded = _recorded(self._settings, self._pages, self._bench.policy) | {
            "falsifier": plan.ask.falsifier,
            CALIBRATED: _known_of_verifier(self._settings, self._ledger),
        }
        with self._ledger.begin("ask", plan.ask.asked, recorded) as log:
            found = self._published(await self._research(plan, log, now), log)
        self._bundle(found, bundle, signing_key)
        return found.answer

    def resume(
        self,
        run_id: str,
        *,
        bundle: Path | None = None,
        signing_key: bytes | None = None,
        repeat_uncertain: bool = False,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> Answer:
        """Go on with an interrupted run from where it was left: nothing that it recorded is asked for again.

        The house must be open over the pages that the run read. A call of a model that was under way when the run was
        cut off is made again with `repeat_uncertain` only: it may have been charged. Raises UserError without, where
        the pages are others, and for a run that is finished, is no research, or was begun by another version; else as
        `ask` does. Blocks as it does.
        """
        again = self.aresume(run_id, bundle=bundle, signing_key=signing_key, repeat_uncertain=repeat_uncertain, now=now)
        return asyncio.run(again)

    async def aresume(
        self,
        run_id: str,
        *,
        bundle: Path | None = None,
        signing_key: bytes | None = None,
        repeat_uncertain: bool = False,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> Answer:
        """`resume` for a program that has an event loop; cancelled as `aask` is."""
        before = read_recording(self._ledger.events(run_id))
        check_resumable(before, _recorded(self._settings, self._pages, self._bench.policy))
        uncertain = read_calls(before.events).to_repeat
        if uncertain and not repeat_uncertain:
            asked = ", ".join(dict.fromkeys(f"{one['model']} as {one['role']}" for one in uncertain))
            raise UserError(
                f"{len(uncertain)} calls of models were under way when {before.events[0].run_id} was cut off "
                f"({asked}), and may have been charged: resume it with --repeat-uncertain to make them again"
            )
        with self._ledger.resume(run_id) as log:
            for call in uncertain:
                if "state" not in call or call["state"] != "uncertain":
                    log.record("model.uncertain", as_uncertain(call))
            recording = read_recording(self._ledger.events(log.run_id))
            plan = plan_of(recording, self._settings.max_subquestions)
            if recording.published is None:
                found = self._published(await self._research(plan, log, now, recording), log)
            else:  # it was killed between its answer and its end
                work = work_again(self._settings, recording)
                found, _ = await replayed(
                    replace(self._bench, kept=None), plan, recording, log.run_id, self._ledger, work
                )
                if answer_payload(found.answer)["digest"] != recording.published["digest"]:
                    raise IntegrityError(f"{log.run_id}: what it published cannot be derived again from its record")
                log.finish(found.answer.state)
        self._bundle(found, bundle, signing_key)
        return found.answer

    def _published(self, found: Research, log: RunLog) -> Research:
        """`found` as it is recorded and given out: with what is unusual about it for this user's runs."""
        events = self._ledger.events(log.run_id)
        refuse_violations(events)
        said = [(event.type, event.payload) for event in events]
        found, rates = with_alerts(found, said, self._ledger)
        if rates is not None:
            log.record(RATES, rates)
        log.publish(found.answer, answer_json(found.answer))
        return found

    def _bundle(self, found: Research, bundle: Path | None, signing_key: bytes | None) -> None:
        if bundle is not None:
            events = self._ledger.events(found.answer.run_id)
            write_bundle(bundle, found.answer, found.pages, events, signing_key=signing_key)

    async def _research(
        self, plan: Plan, log: RunLog, now: Callable[[], datetime], recording: Recording | None = None
    ) -> Research:
        missed: list[SearchFailure] = []
        async with AsyncExitStack() as stack:
            given = _seen_before(recording) if recording is not None else ()
            web, providers = await open_pages(self._pages, self._settings, log, missed.append, stack, given)
            searches = providers if len(providers) == 1 else [Together(providers, missed.append)]
            gateway = open_gateway(web, log, self._pages.policy, self._settings)
            notes = _unread(self._pages.search) if self._pages.search is not None else ()
            keep = self._ledger.blobs.put
            if recording is None:
                tools = self._bench.tools(log, searches, gateway, keep=keep, now=now, notes=notes, missed=missed)
                return await self._work(plan, tools)
            if recording.names and list(recording.names) != [search.name for search in searches]:
                raise UserError(
                    f"{log.run_id} searched {', '.join(recording.names)}, and here "
                    f"{', '.join(search.name for search in searches)} would be: set the same search providers"
                )
            world = Recorded(recording, ResumedLog(log, recording, log.cleaned), log.cleaned, self._ledger.blobs.get)
            tools = self._bench.tools(
                world.log,
                [world.search(search.name, missed.append, search) for search in searches],
                world.web(gateway),
                keep=keep,
                now=lambda: recording.now or now(),
                notes=recording.notes if recording.names else notes,
                missed=missed,
                clock=lambda: world.log.seconds,
                late_from=recording.late_from,
                cut_short=recording.cut_short,
            )
            return await self._work(plan, tools, read_calls(recording.events))

    async def _work(self, plan: Plan, tools: Tools, calls: Calls | None = None) -> Research:
        """The run itself: with a model where the settings name one that researches, else without. `calls` were made and
        paid for before the run was interrupted."""
        if not has_researcher(self._settings):
            return await research(plan, tools, self._settings)
        spend = None
        if calls is not None:
            prices = load_prices(self._settings.models.prices)
            spend = Spend(
                prices,
                self._settings.max_usd,
                spent=calls.spent,
                uncertain=calls.may_have_cost(prices),
                unpriced=calls.unpriced,
            )
        maker = _known_as(self._ledger.run(tools.log.run_id).settings)
        async with self._staff(self._settings, tools.log, maker, calls=calls, spend=spend) as staff:
            with_verifier = replace(tools, verifier=staff.verifier)
            return await investigate(plan, with_verifier, staff.crew, self._settings)


@contextmanager
def open_house(
    settings: Settings,
    reach: Reach,
    listeners: Listeners | None = None,
    *,
    live: LiveMaker = live_here,
    staff: StaffMaker = staffed,
) -> Generator[House]:
    """A house over what `reach` names, closed afterwards. Builds the indexes of its archives, which may take minutes.

    `live` makes the way to the live web where it is read, and `staff` hires the models of a run that has some. Raises
    AffidavitError.
    """
    told = listeners or Listeners()
    if not reach.archives and not reach.live:
        raise UserError("no pages to read: name a WARC file, a WACZ file or a folder of pages with --web FILE")
    reach.check(settings)
    reach.check_searched()
    if reach.live:
        named(settings.search)  # a name that is none is told before a run begins
    policy, web_policy = load_policy(settings.policy), reach.policy(settings)
    archives = reach.open_archives()
    with ExitStack() as stack:
        ledger = stack.enter_context(open_ledger(settings))
        workers = stack.enter_context(open_workers(settings))
        search = None
        if archives:
            search = stack.enter_context(EmbeddedSearch.open(archives, _builder(settings, workers, told)))
        pages = Pages(
            archives=archives,
            search=search,
            live=live(settings, web_policy, told.on_warning) if reach.live else None,
            policy=web_policy,
            saved=stack.enter_context(saving(reach)),
        )
        # A page of the live web is another each time it is fetched; one of an archive is the same for ever.
        kept = KeptPages(settings.cache_dir / "pages", EXTRACTORS, told.on_warning) if archives else None
        bench = Bench(
            settings=settings,
            workers=workers,
            policy=policy,
            encoder=Remembering(SentenceEncoder()),
            on_step=told.on_step,
            kept=kept,
        )
        yield House(bench, pages, ledger, staff)
    if kept is not None:
        kept.prune()


def begun_as(run_id: str, settings: Settings, reach: Reach) -> tuple[Settings, Reach]:
    """`settings` and `reach` for going on with that run: what decides its outcome as it began, the rest as it is here.

    Raises UserError for a run that is not there, or that cannot be resumed.
    """
    with open_ledger(settings) as ledger:
        run = ledger.run(run_id)
        if not run.resumable:
            raise UserError(f"{run.run_id} is {run.state}, and only what was interrupted can be resumed")
        if run.kind != "ask":
            raise UserError(f"{run.run_id} is a {run.kind}, and only research is resumed: begin it again")
    allowed = WebPolicy.from_json(cast("Mapping[str, object]", run.settings["web_policy"]))
    return as_begun(settings, run), replace(reach, within=allowed)


def as_begun(settings: Settings, run: Run) -> Settings:
    """`settings` with what decides a run's outcome as it was when `run` began."""
    # web_policy names a file among the settings, and is the policy itself among what is recorded.
    kept = {name: run.settings[name] for name in run.settings.keys() & Settings.model_fields.keys() - {"web_policy"}}
    here = {name: getattr(settings, name) for name in _OF_MACHINE}
    models = {**settings.models.model_dump(), **cast("Mapping[str, object]", kept.get("models") or {})}
    return Settings.model_validate({**settings.model_dump(), **kept, **here, "models": models})


def work_again(settings: Settings, recording: Recording) -> Work:
    """The research of a run that is replayed: what models said is in its record."""

    async def work(plan: Plan, tools: Tools) -> Research:
        if not has_researcher(settings):
            return await research(plan, tools, settings)
        staff = recalled_staff(settings, read_calls(recording.events), _known_as(recording.settings))
        return await investigate(plan, replace(tools, verifier=staff.verifier), staff.crew, settings)

    return work


_OF_MACHINE = ("workers", "page_seconds", "page_megabytes", "offline")
"""Settings that are recorded and belong to the machine, or to whoever sits at it, not to the run."""
_NOT_RECORDED = (
    "cache_dir", "data_dir", "ledger", "policy", "web_policy", "contact",
    "gateway", "gateway_token", "gateway_unread_megabytes",
)  # fmt: skip
"""Settings that are paths of this machine, say who runs it, or are another process's."""


def _recorded(settings: Settings, pages: Pages, policy: Policy) -> dict[str, object]:
    """What of the settings decides a run's outcome."""
    budgets = settings.model_dump(
        mode="json", exclude={**dict.fromkeys(_NOT_RECORDED, True), "models": {"servers": True, "prices": True}}
    )
    return {
        **budgets,
        "web": [{"name": archive.path.name, "sha256": archive.digest} for archive in pages.archives],
        "live": pages.live is not None,
        "web_policy": pages.policy.as_json(),
        "policy_sha256": hashlib.sha256(policy_bytes(policy)).hexdigest(),
        "encoder": SentenceEncoder.name,
    }


def _seen_before(recording: Recording) -> list[str]:
    """The addresses that the interrupted run had seen, for a gateway in a process of its own, to which the run that
    goes on is a new one: as many as it takes, those first that are still to be read."""
    return [url for url in recording.urls if len(url) <= MAX_GIVEN][:MOST_GIVEN]


def _known_of_verifier(settings: Settings, ledger: Ledger) -> Mapping[str, object] | None:
    """How good the model that verifies a run is known to be as the run begins; None where nobody has measured it, and
    where the verifier is no model: that one's card says what there is."""
    if not has_researcher(settings) or settings.models.verifier is None:
        return None
    signed = "/".join(signature(settings.models.verifier))
    file = calibration_file(settings.data_dir / "calibration", signed)
    return read_calibration(file, signed) or recorded_calibration(ledger, signed)


def _known_as(begun: Mapping[str, object]) -> VerifierMaker:
    """Opens verifiers as `open_verifier` does. A model is known to be as good as it was known to be when the run began
    that recorded `begun`, whatever was measured since: so a replay says the same."""

    def opened(name: str, settings: Settings, hired: Cast) -> Verifier:
        verifier = open_verifier(name, settings, hired)
        if not name.startswith(MODEL) or CALIBRATED not in begun:
            return verifier
        return Calibrated(verifier, cast("Mapping[str, object] | None", begun[CALIBRATED]))

    return opened


def _unread(search: EmbeddedSearch) -> tuple[str, ...]:
    """Which pages no question can be answered from, in at most one line. A redirect is no page that is missing."""
    pages = [page for page in search.unreadable() if page.kind != FailureKind.REDIRECT_STUB.value]
    if not pages:
        return ()
    listed = ", ".join(f"{page.url} ({page.kind.replace('_', ' ')})" for page in pages[:3])
    more = f" and {len(pages) - 3} more" if len(pages) > 3 else ""
    return (f"Pages that could not be read and are not searched: {listed}{more}.",)


def _builder(settings: Settings, workers: Workers, told: Listeners) -> Builder:
    return Builder(
        settings.cache_dir / "search",
        lambda: workers,
        EXTRACTORS,
        lambda done, total, archive: told.on_index(done, total, archive.path.name),
        told.on_warning,
    )
