"""A draft and its sources in, a `Check` out: atomise, bind, judge."""

import hashlib
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from affidavit.check.atomise import VERSION as ATOMISE_VERSION
from affidavit.check.atomise import atomise
from affidavit.check.bind import Binder, Bound, Encoder
from affidavit.check.claim import Claim
from affidavit.check.draft import Draft, Unit
from affidavit.check.judge import VERSION as JUDGE_VERSION
from affidavit.check.judge import Judged, gravest, judge
from affidavit.check.parts import parts
from affidavit.check.passages import Passages, content
from affidavit.check.sources import CheckSource
from affidavit.check.table import Cell, judge_cell, row_cells
from affidavit.evidence.answer import VerifierCard
from affidavit.evidence.check import (
    Check,
    CheckedFigure,
    CheckedQuotation,
    CheckedSentence,
    CheckedSource,
    Remark,
    SentenceKind,
    SentenceState,
)
from affidavit.evidence.claim import Label, Verdict
from affidavit.evidence.document import BlockKind
from affidavit.evidence.fold import fold
from affidavit.evidence.span import Span
from affidavit.gates.figures import VERSION as FIGURES_VERSION
from affidavit.gates.figures import check_figures
from affidavit.gates.polarity import VERSION as POLARITY_VERSION
from affidavit.gates.quotation_check import VERSION as QUOTATIONS_VERSION
from affidavit.gates.quotation_check import Passage, QuotationResult, QuotationStatus, check_quotation
from affidavit.gates.quotations import quotations
from affidavit.gates.source_figures import SourceFigures, read_sources
from affidavit.gates.source_texts import PreparedSources
from affidavit.verify.embedded import Scorer

CARD = VerifierCard(
    name="keyless",
    version=JUDGE_VERSION.partition("/")[2],
    calibration={
        "set": "133 sentences of 11 drafts over real pages, those that set the thresholds (benchmarks/drafts.py)",
        "date": "2026-11-30",
        "agreement": 0.865,
        "near_misses": 232,
        "near_misses_supported": 1,
        "made_to_mislead": 283,
        "made_to_mislead_supported": 75,
        "made_to_mislead_supported_strictly": 1,
    },
)
GATES = (ATOMISE_VERSION, QUOTATIONS_VERSION, FIGURES_VERSION, POLARITY_VERSION, JUDGE_VERSION)
QUOTED = 0.4
"""From this part of it on, a claim that stands within quotation marks, and in a source, says little besides."""
_LABELS = {
    SentenceState.SOURCED: Label.SUPPORTED,
    SentenceState.UNSOURCED: Label.PARTIAL,
    SentenceState.REJECTED: Label.NOT_SUPPORTED,
    SentenceState.COULD_NOT_CHECK: Label.COULD_NOT_CHECK,
}


def _tell_nobody(_done: int, _total: int) -> None:
    """For whoever does not listen."""


class Checker:
    """Sources made ready once; checks any number of drafts. Pure but for the encoder it is given."""

    def __init__(
        self,
        sources: Sequence[CheckSource],
        encoder: Encoder,
        *,
        scorer: Scorer | None = None,
        allow_derived: bool = False,
    ) -> None:
        self.sources = tuple(sources)
        self._allow_derived = allow_derived
        self._scorer = scorer
        texts = [source.document.text for source in sources]
        titles = [source.document.title for source in sources if source.document.title]
        self._figures: SourceFigures = read_sources(texts, titles=titles)
        self._quotable = PreparedSources.of(source.as_text() for source in sources)
        self._binder = Binder(Passages(sources), self._figures, encoder)

    def check(
        self,
        draft: Draft,
        *,
        run_id: str,
        sha256: str | None = None,
        unread: Sequence[CheckedSource] = (),
        warnings: Sequence[str] = (),
        progress: Callable[[int, int], None] = _tell_nobody,
    ) -> Check:
        """Hold `draft` against the sources. `unread` are sources that could not be read, to be named beside them."""
        blocks = [(block.start, block.end) for block in draft.blocks if block.kind is BlockKind.QUOTATION]
        code = [*draft.code, *((block.start, block.end) for block in draft.blocks if block.kind is BlockKind.CODE)]
        quoted = quotations(draft.text, blocks, code)
        units = atomise(draft, quoted)
        outer = [one for one in quoted if one.depth == 0] if self.sources else []
        results = [check_quotation(one, self._quotable, draft.text) for one in outer]
        sentences: list[CheckedSentence] = []
        figures: list[CheckedFigure] = []
        run = _Context()
        for index, unit in enumerate(units):
            progress(index, len(units))
            here = results[bisect_left(results, unit.first, key=_begins) : bisect_left(results, unit.last, key=_begins)]
            sentences.append(self._sentence(draft, index, unit, here, run))
            if unit.kind is SentenceKind.CLAIM:
                figures += _figures(draft, index, unit, sentences[-1])
        used = {span.doc_id for sentence in sentences if (span := sentence.span)}
        shown = [self._quotation(draft, units, one) for one in results]
        used |= {one.span.doc_id for one in shown if one.span}
        documents = {source.document.doc_id: source.document for source in self.sources}
        return Check(
            run_id=run_id,
            draft=draft.name,
            draft_text=draft.source,
            draft_sha256=sha256 or hashlib.sha256(draft.source.encode()).hexdigest(),
            of_file=draft.of_file,
            sentences=tuple(sentences),
            quotations=tuple(shown),
            figures=tuple(figures),
            sources=(*(_source(one) for one in self.sources), *unread),
            documents=tuple(document for doc_id, document in documents.items() if doc_id in used),
            verifier=CARD,
            warnings=tuple(warnings),
        )

    def _sentence(
        self, draft: Draft, index: int, unit: Unit, here: Sequence[QuotationResult], run: "_Context"
    ) -> CheckedSentence:
        text = draft.text[unit.first : unit.last]
        if unit.kind is not SentenceKind.CLAIM:
            run.passed_over(unit, text)
            return _shown(draft, index, unit, None, (), None, None)
        claim = self._claim(text, unit, here, run.terms)
        if not self.sources:
            remark = Remark("no_source", "There is no source to hold it against.", unit.start, unit.end, "warn")
            return _shown(draft, index, unit, SentenceState.COULD_NOT_CHECK, (remark,), None, None)
        near = self._binder.bind(claim, run.source, run.bound)
        gated = [*_quotation_remarks(here, unit), *self._figure_remarks(text, here, unit)]
        judged = judge(claim, self._binder, near, gated, self._scorer)
        cells = row_cells(draft, unit) if judged.state is SentenceState.UNSOURCED else []
        judged = self._by_cells(cells, judged) if cells else self._by_parts(claim, judged, gated, run)
        run.bound_to(claim, judged.bound, self._binder)
        span = self._span(judged.bound)
        verdict = _verdict(text, span, judged)
        remarks = tuple(_in_source(draft, unit, one) for one in judged.remarks)
        return _shown(draft, index, unit, judged.state, remarks, span, verdict)

    def _claim(self, text: str, unit: Unit, here: Sequence[QuotationResult], terms: frozenset[str]) -> Claim:
        found = [one for one in here if one.status is QuotationStatus.FOUND]
        quoted = sum(one.quotation.end - one.quotation.start for one in found) >= QUOTED * len(text)
        credited = " ".join(
            one.quotation.attribution.name
            for one in found
            if one.quotation.attribution is not None and self._is_own(one.quotation.attribution.name, one.passage)
        )
        said = [one for one in found if one.quotation.attribution is not None]
        return Claim(
            text, unit.heads, terms, quoted=quoted, credited=credited, quotes=_places(found), said=_places(said)
        )

    def _is_own(self, name: str, passage: Passage | None) -> bool:
        """Whether `name` is in the title, the author or the address of the page that has the passage."""
        if passage is None:
            return False
        source = self.sources[passage.source].as_text()
        told = fold(" ".join(one or "" for one in (source.name, source.author, source.url))).text.casefold()
        return all(word in told for word in fold(name).text.casefold().split())

    def _by_parts(self, whole: Claim, judged: Judged, gated: Sequence[Remark], run: "_Context") -> Judged:
        """A sentence of several claims is no better sourced than the worst of them; what rejects the whole stays."""
        ranges = parts(whole.text)
        if judged.state is SentenceState.REJECTED or judged.certain or len(ranges) < 2:
            return judged
        found: list[tuple[Judged, int]] = []
        for start, end in ranges:
            claim = replace(whole, text=whole.text[start:end], context=run.terms | whole.terms, part=True)
            near = self._binder.bind(claim, run.source, judged.bound or run.bound)
            here = [_moved(one, -start) for one in gated if start <= one.start < end]
            found.append((judge(claim, self._binder, near, here, self._scorer), start))
        state = gravest(one.state for one, _ in found)
        worst, start = next((one, start) for one, start in found if one.state is state)
        if state is judged.state:
            return judged
        remarks = tuple(_moved(one, start) for one in worst.remarks)
        return Judged(state, remarks, worst.bound, f"one of its {len(ranges)} claims decides: {worst.reason}")

    def _by_cells(self, cells: Sequence[Cell], whole: Judged) -> Judged:
        """A row that stands whole in no passage is as well sourced as its worst cell."""
        found = [judge_cell(cell, self._binder) for cell in cells]
        state = gravest(one.state for one in found)
        decisive = next(one for one in found if one.state is state)
        text = self._binder.passages.text(decisive.line, decisive.line + 1) if decisive.line >= 0 else ""
        bound = Bound(decisive.line, decisive.line + 1, text, 1.0, 1.0, 1.0) if decisive.line >= 0 else whole.bound
        remarks = tuple(one.remark for one in found if one.remark is not None)
        return Judged(state, remarks, bound, "each cell is held against the sources by itself")

    def _figure_remarks(self, text: str, here: Sequence[QuotationResult], unit: Unit) -> Iterator[Remark]:
        """What the gate for figures finds outside quotations that stand in a source: those are the source's own."""
        found = [
            (one.quotation.start - unit.first, one.quotation.end - unit.first)
            for one in here
            if one.status is QuotationStatus.FOUND
        ]
        for finding in check_figures(text, self._figures, allow_derived=self._allow_derived):
            if not any(start <= finding.start < end for start, end in found):
                yield Remark(finding.code, finding.message, finding.start, finding.end, finding.severity.value)

    def _span(self, bound: Bound | None) -> Span | None:
        if bound is None:
            return None
        lines = self._binder.passages.lines
        document = self.sources[lines[bound.first].source].document
        start, end = lines[bound.first].start, lines[bound.last - 1].end
        cut = document.break_within(start, end)
        return Span.at(document, start, cut if cut is not None and cut > start else end)

    def _quotation(self, draft: Draft, units: Sequence[Unit], result: QuotationResult) -> CheckedQuotation:
        quotation = result.quotation
        start, end = draft.place(quotation.start, quotation.end)
        index = bisect_right(units, quotation.start, key=lambda one: one.first) - 1
        unit = index if index >= 0 and quotation.start < units[index].last else None
        passage = result.passage or (result.nearest.passage if result.nearest else None)
        return CheckedQuotation(
            text=quotation.words,
            start=start,
            end=end,
            sentence=unit,
            status=result.status.value,
            attributed_to=quotation.attribution.name if quotation.attribution else None,
            span=self._passage(passage),
            difference=result.nearest.shown() if result.nearest else None,
            changes=tuple(f"{one.quoted} for {one.original}" for one in result.changes),
        )

    def _passage(self, passage: Passage | None) -> Span | None:
        if passage is None:
            return None
        document = self.sources[passage.source].document
        if document.break_within(passage.start, passage.end) is not None:
            return None
        return Span.at(document, passage.start, passage.end)


class _Context:
    """What the draft has been speaking of, and of which source."""

    def __init__(self) -> None:
        self.terms: frozenset[str] = frozenset()
        self.source: int | None = None
        self.bound: Bound | None = None
        self._heading: frozenset[str] = frozenset()

    def passed_over(self, unit: Unit, text: str) -> None:
        if unit.kind is SentenceKind.HEADING:
            self._heading = content(text)
            self.terms = self._heading

    def bound_to(self, claim: Claim, bound: Bound | None, binder: Binder) -> None:
        self.terms = self._heading | claim.terms
        self.bound = bound
        if bound is not None:
            self.source = binder.passages.lines[bound.first].source


def _shown(
    draft: Draft,
    index: int,
    unit: Unit,
    state: SentenceState | None,
    findings: tuple[Remark, ...],
    span: Span | None,
    verdict: Verdict | None,
) -> CheckedSentence:
    text, seen = draft.source[unit.start : unit.end], draft.text[unit.first : unit.last]
    return CheckedSentence(
        index=index,
        text=text,
        seen="" if seen == text else seen,
        start=unit.start,
        end=unit.end,
        kind=unit.kind,
        state=state,
        findings=findings,
        span=span,
        verdict=verdict,
    )


def _in_source(draft: Draft, unit: Unit, remark: Remark) -> Remark:
    """The remark at its place in the writer's own text."""
    first = min(unit.first + max(0, remark.start), unit.last - 1)
    last = min(max(unit.first + remark.end, first + 1), unit.last)
    start, end = draft.place(first, last)
    return Remark(remark.code, remark.message, start, end, remark.severity)


def _moved(remark: Remark, by: int) -> Remark:
    return replace(remark, start=remark.start + by, end=remark.end + by)


def _places(results: Iterable[QuotationResult]) -> tuple[tuple[int, int, int], ...]:
    """Where they stand: source number, start, end."""
    return tuple((one.passage.source, one.passage.start, one.passage.end) for one in results if one.passage is not None)


def _begins(result: QuotationResult) -> int:
    return result.quotation.start


def _quotation_remarks(here: Sequence[QuotationResult], unit: Unit) -> Iterator[Remark]:
    for result in here:
        for one in result.findings:
            yield Remark(one.code, one.message, one.start - unit.first, one.end - unit.first, one.severity.value)


def _figures(draft: Draft, index: int, unit: Unit, sentence: CheckedSentence) -> Iterator[CheckedFigure]:
    claim = Claim(draft.text[unit.first : unit.last], unit.heads, frozenset())
    for mention in claim.mentions:
        if not mention.is_figure:
            continue
        start, end = draft.place(unit.first + mention.start, unit.first + mention.end)
        value = " to ".join(map(str, mention.value)) if isinstance(mention.value, tuple) else str(mention.value)
        codes = tuple(one.code for one in sentence.findings if start <= one.start < end and "figure" in one.code)
        yield CheckedFigure(
            text=mention.raw,
            start=start,
            end=end,
            sentence=index,
            kind=mention.kind.value,
            value=value,
            unit=mention.unit,
            findings=codes,
        )


def _source(source: CheckSource) -> CheckedSource:
    document = source.document
    return CheckedSource(
        name=source.name,
        url=source.url,
        path=source.path,
        doc_id=document.doc_id,
        title=document.title,
        sha256=document.sha256,
        allowed=source.allowed,
        retrieved_at=document.retrieved_at,
    )


def _verdict(text: str, span: Span | None, judged: Judged) -> Verdict | None:
    if span is None:
        return None
    label = _LABELS[judged.state]
    worst = next((one for one in judged.remarks if one.severity in ("block", "cap")), None)
    element = None if label is Label.SUPPORTED or worst is None else text[worst.start : worst.end] or text
    return Verdict(
        claim_text=text,
        span_id=span.span_id,
        label=label,
        verifier=JUDGE_VERSION,
        reason=judged.reason,
        unsupported_element=element,
    )


__all__ = ["CARD", "GATES", "Checker"]
