"""An answer arranged for reading: its claims in sections, its quotations numbered.

Terminal, Markdown and HTML print this one arrangement, so a number means the same quotation in each of them. A
number belongs to a span: the same span cited twice has one number, and numbers rise in reading order.
"""

from dataclasses import dataclass
from functools import cached_property

from affidavit.evidence.answer import Answer, Dropped, Gap, GapKind, Side, Source, VerifiedClaim
from affidavit.evidence.claim import Stance
from affidavit.evidence.document import Document
from affidavit.evidence.selectors import text_fragment_url
from affidavit.evidence.span import Span
from affidavit.report import inert, wording


@dataclass(frozen=True, slots=True)
class Citation:
    """One numbered quotation. `link` opens the live page at it; None where the page has no web address."""

    number: int
    span: Span
    document: Document
    link: str | None

    @property
    def url(self) -> str:
        """The page's address for display: inert, and clickable only when `link` is not None."""
        return inert.web_url(self.document.final_url) or inert.line(self.document.final_url)

    @property
    def title(self) -> str:
        return inert.line(self.document.title or "") or self.host

    @property
    def host(self) -> str:
        return inert.web_host(self.document.final_url)


@dataclass(frozen=True, slots=True)
class Statement:
    """A claim with its citations, one for each of its spans.

    `premises` are what an inference follows from (their own premises are not repeated). `verbatim` is whether the
    claim is a quotation's own words. `lacks` is what its quotations do not establish.
    """

    verified: VerifiedClaim
    citations: tuple[Citation, ...]
    premises: tuple["Statement", ...] = ()

    @property
    def text(self) -> str:
        return self.verified.claim.text

    @property
    def verbatim(self) -> bool:
        words = inert.line(self.text)
        return any(words in inert.line(citation.span.text) for citation in self.citations)

    @property
    def lacks(self) -> tuple[str, ...]:
        elements = (verdict.unsupported_element for verdict in self.verified.verdicts)
        return tuple(dict.fromkeys(element for element in elements if element))


@dataclass(frozen=True, slots=True)
class Group:
    """The statements of one sub-question; `title` is None where the question itself is meant."""

    title: str | None
    statements: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the answer. `empty` is what to print when it has no groups."""

    title: str
    groups: tuple[Group, ...]
    empty: str = ""


@dataclass(frozen=True, slots=True)
class CitedSource:
    """A ranked source and the numbers of the citations that point into it."""

    source: Source
    numbers: tuple[int, ...]


class Outline:
    """See the module. Build one per answer; everything is derived from it and nothing is left out."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self._citations: dict[str, Citation] = {}
        self.sections = self._sections()
        self.inferred = tuple(self._statement(verified) for verified in answer.claims if verified.claim.inference)
        self.partial = tuple(self._statement(verified) for verified in answer.partial)
        self.sides = tuple((self.cite(pair.a.span), self.cite(pair.b.span)) for pair in answer.conflicts)

    @property
    def citations(self) -> tuple[Citation, ...]:
        """Every citation of published claims, partial claims and conflicts, by number."""
        return tuple(self._citations.values())

    def cite(self, span: Span) -> Citation:
        """The citation of `span`, numbered at its first use."""
        found = self._citations.get(span.span_id)
        if found is None:
            document = self.answer.document(span.doc_id)
            link = inert.web_url(text_fragment_url(span, document))
            if inert.web_host(document.final_url).endswith(".invalid"):
                link = None  # a page of a folder: RFC 6761 keeps the name from ever being an address
            found = Citation(len(self._citations) + 1, span, document, link)
            self._citations[span.span_id] = found
        return found

    @cached_property
    def pages(self) -> tuple[tuple[Citation, ...], ...]:
        """The citations page by page, in the order in which the pages are first cited."""
        pages: dict[str, list[Citation]] = {}
        for citation in self.citations:
            pages.setdefault(citation.span.doc_id, []).append(citation)
        return tuple(map(tuple, pages.values()))

    @cached_property
    def word_for_word(self) -> frozenset[int]:
        """The numbers of quotations that a published claim prints whole, so that printing them again says nothing."""
        statements = [
            statement for section in self.sections for group in section.groups for statement in group.statements
        ]
        return frozenset(
            citation.number
            for statement in (*statements, *self.inferred)
            for citation in statement.citations
            if inert.line(citation.span.text) == inert.line(statement.text)
        )

    @cached_property
    def gaps(self) -> dict[GapKind, tuple[Gap, ...]]:
        """The gaps by kind, in the order in which the kinds first occur."""
        kinds: dict[GapKind, list[Gap]] = {}
        for gap in self.answer.gaps:
            kinds.setdefault(gap.kind, []).append(gap)
        return {kind: tuple(gaps) for kind, gaps in kinds.items()}

    @cached_property
    def sources(self) -> tuple[CitedSource, ...]:
        """The answer's sources in its own order, with what is cited of each."""
        by_document: dict[str, list[int]] = {}
        for citation in self.citations:
            by_document.setdefault(citation.span.doc_id, []).append(citation.number)
        return tuple(
            CitedSource(source, tuple(by_document.get(source.doc_id or "", ()))) for source in self.answer.sources
        )

    @cached_property
    def summary(self) -> str:
        """The answer's summary, or "" where it is only claims printed again below it."""
        summary = inert.line(self.answer.summary)
        rest = summary
        for words in sorted(
            (inert.line(verified.claim.text) for verified in self.answer.claims), key=len, reverse=True
        ):
            rest = rest.replace(words, "")
        return summary if rest.strip() else ""

    @property
    def lead(self) -> str:
        """What the state means for this answer, with the reason where there is one."""
        reason = self.answer.failure or self.answer.needs_human
        means = wording.STATES[self.answer.state].means
        return f"{means} {inert.line(reason)}" if reason else means

    def _statement(self, verified: VerifiedClaim) -> Statement:
        premises = tuple(
            Statement(other, tuple(self.cite(span) for span in other.claim.spans))
            for other in self.answer.claims
            if other.claim.claim_id in verified.claim.premises
        )
        return Statement(verified, tuple(self.cite(span) for span in verified.claim.spans), premises)

    def _sections(self) -> tuple[Section, ...]:
        found = [verified for verified in self.answer.claims if not verified.claim.inference]
        if self.answer.tested_claim is None:
            return (Section(wording.ANSWER, self._groups(found)),) if found else ()
        sections = [
            Section(
                wording.STANCES[stance].label,
                self._groups([verified for verified in found if verified.claim.stance is stance]),
                wording.STANCES[stance].means,
            )
            for stance in Stance
        ]
        rest = [verified for verified in found if verified.claim.stance is None]
        if rest:
            sections.append(Section(wording.NO_STANCE, self._groups(rest)))
        return tuple(sections)

    def _groups(self, found: list[VerifiedClaim]) -> tuple[Group, ...]:
        groups: dict[str | None, list[Statement]] = {}
        asked = {self.answer.question, self.answer.tested_claim}
        for verified in found:
            about = verified.claim.subquestion
            groups.setdefault(None if about in asked else about, []).append(self._statement(verified))
        return tuple(Group(title, tuple(statements)) for title, statements in groups.items())


def side_note(side: Side) -> str:
    """What one side of a conflict measures: ``15 minutes, as of 2017``; "" where nothing was said."""
    value = " ".join(part for part in (side.value, side.unit) if part)
    return ", ".join(part for part in (inert.line(value), side.as_of and f"as of {inert.line(side.as_of)}") if part)


def drop_reason(dropped: Dropped) -> str:
    """Why a claim was dropped: verdict, reason, and the element that was not established where it says more."""
    label = wording.LABELS[dropped.label].label
    reason = f"{label}: {inert.line(dropped.reason)}" if dropped.reason else label
    element = inert.line(dropped.unsupported_element or "")
    lacking = bool(element) and element != inert.line(dropped.claim.text)
    return f"{reason.rstrip('.')}. {wording.LACKS}: {element}" if lacking else reason


def score_reason(source: Source) -> str:
    """The terms of a source's score, in words: ``tier 0.45 · recency 0.12 · …``."""
    return " · ".join(f"{wording.score_term(name).label.lower()} {value:.2f}" for name, value in source.terms.items())
