"""Derives a run's result again from the ledger alone, and compares (contract L2). No network, no model.

    chain ─ forbidden actions again ─ what is missing ─ the run's own code over its record ─ steps and result compared

What has changed since the run was made (the version, an extractor, a verifier) is said, and the run is derived with
what is here: so a replay also shows what a change changes.
"""

import asyncio
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from affidavit.bench import Bench, plan_of, policy_bytes, policy_of, replayed
from affidavit.check import GATES
from affidavit.check_record import checked_again, read_check_record
from affidavit.crawl_record import gathered, read_crawl_record
from affidavit.errors import BlobMismatch, NotRecorded, StorageError, UserError
from affidavit.evidence.document import Document, Fetched
from affidavit.extract.worker import Workers
from affidavit.house import as_begun, work_again
from affidavit.ledger import Event, Ledger, Run
from affidavit.ledger.canonical import canonical
from affidavit.ledger.event import FINISHED
from affidavit.ledger.violation import violations
from affidavit.models.embedded import PairJudge, SentenceEncoder, TokenCounter
from affidavit.piece_record import read_piece_record
from affidavit.ranking.policy import Policy, load_policy
from affidavit.report.as_json import answer_json, first_difference
from affidavit.report.check_json import check_json
from affidavit.report.piece_json import piece_json
from affidavit.report.replay_report import Difference, ReplayReport
from affidavit.research.recording import Recording, key_of, read_recording
from affidavit.settings import Settings
from affidavit.version import __version__
from affidavit.wiring import open_ledger, tell_nobody
from affidavit.write.checks import VERSION as CHECKS
from affidavit.write.pieces import Pieces
from affidavit.write.reviewer import PROMPT_SHA256

_NO_STEPS = ("run.", "model.", "gateway", "search.call", "web.kept", "published", "piece")
"""How the types of events begin that tell of requests, and of the run's start and end. The others are research: they
follow from the record."""
_ANY_ORDER = ("fetched", "document", "page_failed")
"""Pages are read all at once, and come in any order."""


def replay(run_id: str, settings: Settings, on_step: Callable[[str, str], None] = tell_nobody) -> ReplayReport:
    """The replay of the run whose id is, or begins with, `run_id`.

    Raises UserError for a run that is not there or has no result, IntegrityError for one whose chain is broken, and
    StorageError. What is missing or differs is no error: the report says it.
    """
    with open_ledger(settings) as ledger:
        run = ledger.run(run_id)
        ledger.verify(run.run_id)
        events = ledger.events(run.run_id)
        if events[-1].type != FINISHED:
            how = "wait for its end"
            if run.resumable:
                how = f"resume it with: {resume_command(run)}" if run.kind == "ask" else f"begin the {run.kind} again"
            raise UserError(f"{run.run_id} is {run.state} and has no result yet; {how}")
        replayer = _REPLAYERS.get(run.kind)
        if replayer is None:
            raise UserError(f"{run.run_id} is a {run.kind}; runs of the kinds {', '.join(_REPLAYERS)} can be replayed")
        with Workers(settings.workers, settings.page_seconds, settings.page_megabytes) as workers:
            job = _Job(run, events, ledger, workers, settings, on_step)
            for broken in violations(events):
                job.differences.append(
                    Difference("forbidden action", f"event {broken.seq}: {broken.rule}: {broken.detail}")
                )
            if run.product != __version__:
                job.notes.append(f"the run was made by affidavit {run.product}, and this is {__version__}")
            cut = sum("[redacted:" in canonical(event.payload) for event in events)
            if cut:
                what = "what follows from an address that had one, ids too, may differ"
                job.notes.append(f"secrets were cut out of {cut} events: {what}")
            replayer(job)
            return job.report()


def resume_command(run: Run) -> str:
    """What to type so that the run goes on. Where the archives lie is not in the ledger, only what they are called."""
    web = cast("Sequence[Mapping[str, object]]", run.settings.get("web") or ())
    names = [str(archive["name"]) for archive in web]
    named = [*names, "live"] if run.settings.get("live") and names else names
    return " ".join(["affidavit ask --resume", run.run_id, *(f"--web {name}" for name in named)])


@dataclass(slots=True)
class _Job:
    """One replay under way."""

    run: Run
    events: Sequence[Event]
    ledger: Ledger
    workers: Workers
    settings: Settings
    on_step: Callable[[str, str], None]
    agreed: list[str] = field(default_factory=list[str])
    steps: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])
    differences: list[Difference] = field(default_factory=list[Difference])
    missing: list[str] = field(default_factory=list[str])
    notes: list[str] = field(default_factory=list[str])

    def report(self) -> ReplayReport:
        return ReplayReport(
            run_id=self.run.run_id,
            kind=self.run.kind,
            product=self.run.product,
            events=len(self.events),
            agreed=tuple(self.agreed),
            steps=tuple(self.steps),
            differences=tuple(self.differences),
            missing=tuple(self.missing),
            notes=tuple(self.notes),
        )

    def blobs_missing(self, needed: Mapping[str, str]) -> None:
        """Note every blob of `needed` (its key to what it is) that is not there, so that all are known at once."""
        absent = [key for key in needed if key not in self.ledger.blobs]
        self.missing += [
            f"{needed[key]}: its bytes (blob {key[:12]}…) are not in {self.ledger.blobs.root}" for key in absent
        ]

    def compare(self, again: Mapping[str, Any], before: Mapping[str, Any]) -> None:
        """Field by field. What the ledger cut out of the one is cut out of the other."""
        clean = cast("Mapping[str, Any]", self.ledger.cleaned(again))
        for name in (*before, *(name for name in clean if name not in before)):
            if name not in clean or name not in before:
                self.differences.append(
                    Difference(name, f"only in what {'is derived' if name in clean else 'was published'}")
                )
                continue
            said = _first(clean[name], before[name], name)
            if said is None:
                self.agreed.append(name)
            else:
                self.differences.append(Difference(name, said))


def _replay_ask(job: _Job) -> None:
    recording = read_recording(job.events)
    published = recording.published
    job.missing += recording.missing
    if published is None or "answer" not in published:
        job.missing.append("the answer as it was published (an older version kept its digest alone)")
    job.blobs_missing({one.blob: f"the page {one.url}" for one in recording.responses.values()})
    policy = _policy(job, recording)
    if job.missing or policy is None or published is None:
        return
    settings = as_begun(job.settings, job.run)
    encoder = SentenceEncoder()
    bench = Bench(settings=settings, workers=job.workers, policy=policy, encoder=encoder, on_step=job.on_step)
    if recording.settings.get("encoder") != encoder.name:
        job.notes.append(f"sentences were compared by {recording.settings.get('encoder')}; here it is {encoder.name}")
    plan = plan_of(recording, settings.max_subquestions)
    try:
        found, log = asyncio.run(
            replayed(bench, plan, recording, job.run.run_id, job.ledger, work_again(settings, recording))
        )
    except (NotRecorded, BlobMismatch) as error:
        job.missing.append(str(error))
        return
    _compare_steps(job, log.said)
    job.compare(cast("Mapping[str, Any]", answer_json(found.answer)), cast("Mapping[str, Any]", published["answer"]))


def _policy(job: _Job, recording: Recording) -> Policy | None:
    """The source policy that was in force; None, and noted as missing, where it cannot be had."""
    key = str(recording.settings.get("policy_sha256"))
    here = load_policy(job.settings.policy)
    if hashlib.sha256(policy_bytes(here)).hexdigest() == key:
        return here
    job.notes.append("the source policy is another here than the one that was in force; the stored one is used")
    try:
        return policy_of(job.ledger.blobs.get(key))
    except (StorageError, BlobMismatch) as error:
        job.missing.append(f"the source policy that was in force: {error}")
        return None


def _compare_steps(job: _Job, said: Sequence[tuple[str, object]]) -> None:
    """What was recorded on the way, kind by kind: the first that differs shows where a replay left the run's way."""
    types = dict.fromkeys([*(event.type for event in job.events), *(event_type for event_type, _ in said)])
    for name in [one for one in types if not one.startswith(_NO_STEPS)]:
        before: list[Any] = [event.payload for event in job.events if event.type == name]
        again: list[Any] = [payload for event_type, payload in said if event_type == name]
        if name == "document":
            _note_extractors(job, before, again)
        if name in _ANY_ORDER:
            before.sort(key=lambda payload: key_of(name, payload))
            again.sort(key=lambda payload: key_of(name, payload))
        otherwise = _first(again, before, name)
        if otherwise is not None:
            job.differences.append(Difference(f"step {name}", otherwise))
        elif before:
            job.steps.append((name, len(before)))


def _note_extractors(job: _Job, before: Sequence[Mapping[str, Any]], again: Sequence[Mapping[str, Any]]) -> None:
    then = {str(one["asked"]): str(one["extractor"]) for one in before}
    changed = {(then.get(str(one["asked"])), str(one["extractor"])) for one in again}
    for was, now in sorted((was, now) for was, now in changed if was is not None and was != now):
        job.notes.append(f"pages were read by {was} then and are read by {now} here: their texts and ids may differ")


def _replay_check(job: _Job) -> None:
    record = read_check_record(job.events)
    job.missing += record.missing
    if "blob" in record.draft:
        job.blobs_missing({record.draft["blob"]: f"the draft {record.draft['name']}"})
    job.blobs_missing({response.blob: f"the source {response.url}" for response, _ in record.sources})
    _note_machine(job, record.settings)
    if job.missing:
        return
    try:
        check = checked_again(
            record,
            job.run.run_id,
            job.ledger.blobs.get,
            lambda page: job.workers.submit(page).result(),
            lambda done, total: job.on_step("check", f"{done + 1} of {total}"),
        )
    except (NotRecorded, BlobMismatch) as error:
        job.missing.append(str(error))
        return
    then = {str(said["extractor"]) for _, said in record.sources if "extractor" in said}
    now = {document.extractor for document in check.documents}
    if not now <= then:
        job.notes.append(f"sources were read by {', '.join(sorted(then))} then, by {', '.join(sorted(now))} here")
    job.compare(cast("Mapping[str, Any]", check_json(check)), cast("Mapping[str, Any]", record.checked["check"]))


def _note_machine(job: _Job, settings: Mapping[str, Any]) -> None:
    judge = PairJudge.name if PairJudge.available() else None
    here = {"gates": list(GATES), "encoder": SentenceEncoder.name, "judge": judge}
    for name, value in here.items():
        if settings.get(name) != value:
            job.notes.append(f"{name}: {_named(settings.get(name))} then, {_named(value)} here")


def _named(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value or "none")


def _first(again: Any, before: Any, name: str) -> str | None:
    """The first place that differs, in words a person can use: ids and digests only follow from something else."""
    said = first_difference(again, before, name)
    if said is None:
        return None
    # `first_difference` speaks of right and wrong; of a replay neither is known.
    told = first_difference(_without_ids(again), _without_ids(before), name) or said
    return told.replace(" where ", " derived, ").replace(" is right", " recorded").replace(" are right", " recorded")


def _without_ids(value: Any) -> Any:
    if isinstance(value, Mapping):
        named = cast("Mapping[str, Any]", value)
        return {
            name: _without_ids(one) for name, one in named.items() if not name.endswith(("_id", "sha256", "digest"))
        }
    return [_without_ids(one) for one in cast("list[Any]", value)] if isinstance(value, list) else value


def _replay_write(job: _Job) -> None:
    _note_writing(job)
    try:
        record = read_piece_record(job.run.run_id, job.events)
        piece, said = record.again(job.ledger.cleaned, Pieces(job.ledger).recall)
    except NotRecorded as error:
        job.missing.append(str(error))
        return
    _compare_steps(job, said)
    job.compare(cast("Mapping[str, Any]", piece_json(piece)), record.shown)


def _note_writing(job: _Job) -> None:
    """What decides a piece beside its record, and is another here than it was then."""
    here = {"checks": CHECKS, "tokenizer": TokenCounter.name, "reviewer_prompt_sha256": PROMPT_SHA256}
    for name, value in here.items():
        if job.run.settings.get(name) != value:
            job.notes.append(f"{name}: {_named(job.run.settings.get(name))} then, {_named(value)} here")


def _replay_facts(job: _Job) -> None:
    async def extract(page: Fetched) -> Document:
        return await asyncio.wrap_future(job.workers.submit(page))

    try:
        record = read_crawl_record(job.events)
        job.blobs_missing(record.blobs)
        if job.missing:
            return
        run = record.again(job.run.run_id, blob=job.ledger.blobs.get, cleaned=job.ledger.cleaned, extract=extract)
    except NotRecorded as error:
        job.missing.append(str(error))
        return
    job.compare(gathered(run), record.gathered)


_REPLAYERS: Mapping[str, Callable[[_Job], None]] = {
    "ask": _replay_ask,
    "check": _replay_check,
    "write": _replay_write,
    "facts": _replay_facts,
}
