"""What a check leaves in the ledger so that it can be done again from there alone, and that check done again.

The draft and each source as they were given, bytes and all; which were left out and why. The same `Checker` then gives
the same `Check`, or the difference is of this version, this extractor, or this machine's model.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, cast

from affidavit.check import Checker, CheckSource, read_draft, strictly
from affidavit.check.confirm import confirm
from affidavit.egress.local import as_page
from affidavit.errors import NotRecorded, PageFailure
from affidavit.evidence.answer import VerifierCard
from affidavit.evidence.check import Check, CheckedSource
from affidavit.evidence.claim import Label, Verdict
from affidavit.evidence.document import Document, Fetched
from affidavit.evidence.rates import Rates
from affidavit.ledger import Event
from affidavit.ledger.run import RunLog
from affidavit.models.embedded import PairJudge, SentenceEncoder
from affidavit.research.recording import Response, response_of
from affidavit.usual import RATES, before_of, check_with_alerts
from affidavit.verify.pair import Pair
from affidavit.verify.verifier import Verifier

DRAFT, SOURCE, LEFT_OUT, WARNING = "draft.read", "document", "source.failed", "warning"
CARD, VERDICT = "verifier", "verdict"
_SOURCE = ("asked", "status", "headers", "retrieved_at", "blob", "path", "allowed")


def open_checker(sources: Sequence[CheckSource], *, allow_derived: bool) -> Checker:
    """The checker over `sources`, with the model of this machine where there is one."""
    scorer = PairJudge() if PairJudge.available() else None
    return Checker(sources, SentenceEncoder(), scorer=scorer, allow_derived=allow_derived)


class Noted:
    """`inner`, its card and each of its verdicts recorded: what a model said cannot be derived again."""

    def __init__(self, inner: Verifier, log: RunLog) -> None:
        self._inner = inner
        self._log = log
        card = inner.card
        log.record(CARD, {"name": card.name, "version": card.version, "calibration": card.calibration})

    @property
    def card(self) -> VerifierCard:
        return self._inner.card

    async def verify(self, pair: Pair) -> Verdict:
        verdict = await self._inner.verify(pair)
        self._log.record(VERDICT, asdict(verdict))
        return verdict


class Heard:
    """The verdicts that `Noted` recorded, by claim and span."""

    def __init__(self, card: VerifierCard, verdicts: Mapping[tuple[str, str], Verdict]) -> None:
        self.card = card
        self._verdicts = verdicts

    async def verify(self, pair: Pair) -> Verdict:
        verdict = self._verdicts.get((pair.claim_text, pair.span.span_id))
        if verdict is None:
            raise NotRecorded(f"no verdict of {self.card.name} on {pair.claim_text[:80]!r} beside {pair.span.span_id}")
        return verdict


def looked_over(check: Check, verifier: Verifier | None, *, strict: bool) -> Check:
    """`check` after what comes behind the rules: a verifier that is asked, and the strict reading."""
    if verifier is not None:
        check = asyncio.run(confirm(check, verifier))
    return strictly(check) if strict else check


def record_inputs(
    log: RunLog,
    draft: Mapping[str, str],
    sources: Iterable[tuple[CheckSource, Response]],
    left_out: Iterable[CheckedSource],
    warnings: Iterable[str],
) -> None:
    """Record what a check is made from. `draft` are its name, media type and blob; bodies are in the blobs already."""
    log.record(DRAFT, draft)
    for source, response in sources:
        document = source.document
        log.record(
            SOURCE,
            {
                **response.as_json(),
                "doc_id": document.doc_id,
                "sha256": document.sha256,
                "extractor": document.extractor,
                "text_sha256": document.text_sha256,
                "path": source.path,
                "allowed": source.allowed,
            },
        )
    for one in left_out:
        said = {"name": one.name, "url": one.url, "path": one.path, "failure": one.failure}
        log.record(LEFT_OUT, said)
    for text in warnings:
        log.record(WARNING, {"text": text})


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckRecord:
    """What `record_inputs` wrote. `missing` names what an older version did not write."""

    settings: Mapping[str, Any]
    draft: Mapping[str, str]
    sources: tuple[tuple[Response, Mapping[str, Any]], ...]
    left_out: tuple[CheckedSource, ...]
    warnings: tuple[str, ...]
    verifier: Heard | None
    before: tuple[Rates, ...]
    checked: Mapping[str, Any]
    missing: tuple[str, ...]


def read_check_record(events: Sequence[Event]) -> CheckRecord:
    """The record of a check that came to its end."""
    of_type: dict[str, list[Mapping[str, Any]]] = {}
    for event in events:
        of_type.setdefault(event.type, []).append(event.payload)
    missing: list[str] = []
    sources: list[tuple[Response, Mapping[str, Any]]] = []
    for said in of_type.get(SOURCE, []):
        absent = [name for name in _SOURCE if name not in said]
        if absent:
            missing.append(f"the source {said.get('url')}: {', '.join(absent)} (an older version kept none)")
        else:
            sources.append((response_of(said), said))
    checked = of_type.get("checked", [{}])[0]
    if not of_type.get(DRAFT):
        missing.insert(0, "the draft (an older version kept none)")
    if "check" not in checked:
        missing.append("the check as it was given out (an older version kept its counts alone)")
    return CheckRecord(
        settings=cast("Mapping[str, Any]", events[0].payload["settings"]),
        draft=cast("Mapping[str, str]", of_type.get(DRAFT, [{}])[0]),
        sources=tuple(sources),
        left_out=tuple(_left_out(said) for said in of_type.get(LEFT_OUT, [])),
        warnings=tuple(str(said["text"]) for said in of_type.get(WARNING, [])),
        verifier=_heard(of_type.get(CARD, []), of_type.get(VERDICT, [])),
        before=tuple(before_of(of_type[RATES][0])) if RATES in of_type else (),
        checked=checked,
        missing=tuple(missing),
    )


def checked_again(
    record: CheckRecord,
    run_id: str,
    blob: Callable[[str], bytes],
    extract: Callable[[Fetched], Document],
    progress: Callable[[int, int], None],
) -> Check:
    """The check that follows from `record`. Raises NotRecorded for a source that cannot be read again, StorageError,
    BlobMismatch."""
    usable: list[CheckSource] = []
    for response, said in record.sources:
        try:
            document = extract(response.fetched(blob(response.blob)))
        except PageFailure as failure:
            raise NotRecorded(
                f"the source {response.url} was read then and cannot be read here: {failure}"
            ) from failure
        usable.append(CheckSource(document, said["path"], allowed=said["allowed"]))
    body = blob(record.draft["blob"])
    page = as_page(record.draft["name"], body, record.draft["media_type"], record.draft["read_at"])
    checker = open_checker(usable, allow_derived=record.settings.get("derived") == "allow")
    check = checker.check(
        read_draft(record.draft["name"], page, extract),
        run_id=run_id,
        sha256=record.draft["blob"],
        unread=record.left_out,
        warnings=record.warnings,
        progress=progress,
    )
    check = looked_over(check, record.verifier, strict=bool(record.settings.get("strict")))
    return check_with_alerts(check, record.before)


def _heard(cards: Sequence[Mapping[str, Any]], said: Sequence[Mapping[str, Any]]) -> Heard | None:
    if not cards:
        return None
    verdicts = [replace(Verdict(**one), label=Label(one["label"])) for one in said]
    return Heard(VerifierCard(**cards[0]), {(one.claim_text, one.span_id): one for one in verdicts})


def _left_out(said: Mapping[str, Any]) -> CheckedSource:
    return CheckedSource(
        name=said["name"],
        url=said.get("url"),
        path=said.get("path"),
        doc_id=None,
        title=None,
        sha256=None,
        failure=said["failure"],
    )
