"""`check`: is a false sentence ever called sourced, end to end, and a true one always?

Each claim is a draft of its own, held by the real check against all the spans of the data, each a small page; so the
other spans are there to mislead. A row is one of `judge`, with `source_url` besides.
"""

import hashlib
from collections.abc import Iterable
from typing import Protocol

from affidavit.check import Checker, CheckSource, plain_draft
from affidavit.evals.records import Records
from affidavit.evals.rows import Row, read_row
from affidavit.evals.suite import Case, CaseState, Measured, Progress, counted
from affidavit.evidence.check import CheckedSentence, SentenceState
from affidavit.evidence.document import Block, BlockKind, Document
from affidavit.models.embedded import PairJudge, SentenceEncoder

_GRAVEST = (SentenceState.REJECTED, SentenceState.COULD_NOT_CHECK, SentenceState.UNSOURCED, SentenceState.SOURCED)
FIGURES = ("number", "unit", "scale", "date")
QUOTATIONS = ("quotation", "quotation_source")
DENIALS = ("negation",)


class CheckRow(Row):
    """`twin` is None for a near miss, and how a true twin says it otherwise."""

    source_url: str
    source_title: str | None = None
    span: str
    claim: str
    twin: str | None = None


class CheckSuite:
    name = "check"
    about = "drafts of one claim against many pages: near misses never sourced, true twins sourced"
    version = "1"
    data = "near_misses.jsonl"

    def measure(self, records: Records, progress: Progress) -> Measured:
        rows = [read_row(CheckRow, placed) for placed in records.rows]
        checker = Checker(span_sources(rows), SentenceEncoder(), scorer=PairJudge() if PairJudge.available() else None)
        cases: list[Case] = []
        for index, row in enumerate(rows):
            cases.append(_case(row, _state(checker, row.claim)))
            progress(index + 1, len(rows))
        near = [case for case, row in zip(cases, rows, strict=True) if row.twin is None]
        twins = {row.id: row.twin for row in rows if row.twin is not None}
        return Measured(
            tuple(cases),
            (
                counted("false_certified", "of the near misses, those called sourced", near, more_is_better=False),
                *(
                    counted(f"false_{name}", f"of those in {about}", near, *kinds, more_is_better=False)
                    for name, about, kinds in (
                        ("figures", "a figure, unit, scale or date", FIGURES),
                        ("quotations", "a quotation or its source", QUOTATIONS),
                        ("denials", "a denial", DENIALS),
                    )
                ),
                *(
                    counted(
                        f"{twin}_certified",
                        f"of the true twins that are {twin}, those called sourced",
                        [case for case in cases if twins.get(case.case_id) == twin],
                    )
                    for twin in dict.fromkeys(twins.values())
                ),
            ),
        )


def _case(row: CheckRow, state: SentenceState) -> Case:
    wanted = (state is SentenceState.SOURCED) is (row.twin is not None)
    if state is SentenceState.COULD_NOT_CHECK:
        return Case(row.id, row.kind, CaseState.COULD_NOT_CHECK, row.claim)
    detail = "" if wanted else f"{state}: {row.claim}"
    return Case(row.id, row.kind, CaseState.RIGHT if wanted else CaseState.WRONG, detail)


def _state(checker: Checker, claim: str) -> SentenceState:
    return gravest(checker.check(plain_draft("claim.txt", claim), run_id="run_eval").sentences)


def gravest(sentences: Iterable[CheckedSentence]) -> SentenceState:
    """The state of a claim that is a draft of its own: that of its gravest sentence."""
    states = {sentence.state for sentence in sentences if sentence.state is not None}
    return next((state for state in _GRAVEST if state in states), SentenceState.UNSOURCED)


class SpanRow(Protocol):
    """A row whose span can be a source."""

    @property
    def kind(self) -> str: ...
    @property
    def source_url(self) -> str: ...
    @property
    def source_title(self) -> str | None: ...
    @property
    def span(self) -> str: ...


def span_sources(rows: Iterable[SpanRow]) -> list[CheckSource]:
    """Each span once, as a small page of its own at the address that it comes from."""
    return [CheckSource(_page(row)) for row in {(row.source_url, row.span): row for row in rows}.values()]


def _page(row: SpanRow) -> Document:
    kind = BlockKind.HEADING if row.kind == "heading" else BlockKind.PARAGRAPH
    block = Block(0, len(row.span), kind, level=2 if kind is BlockKind.HEADING else None)
    return Document(
        requested_url=row.source_url,
        final_url=row.source_url,
        canonical_url=row.source_url,
        retrieved_at="2026-01-01T00:00:00Z",
        status=200,
        headers=(),
        media_type="text/plain",
        sha256=hashlib.sha256(row.span.encode()).hexdigest(),
        extractor="evals/1",
        title=row.source_title,
        published=None,
        language="en",
        text=row.span,
        blocks=(block,),
    )
