"""An answer for a terminal: the answer first, the machinery compact, 80 columns enough.

Laid out with rich from `Text` objects only, never from its markup, so a page's ``[bold]`` is two words in
brackets. Colour, weight and OSC 8 links appear on a terminal that wants them and nowhere else: what is piped, or
printed under NO_COLOR, is plain characters.
"""

import shlex
from collections.abc import Iterable, Sequence
from functools import partial
from os import PathLike, fspath
from typing import TextIO, TypeVar

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.style import Style
from rich.table import Table
from rich.text import Text

from affidavit.evidence.answer import Answer, State
from affidavit.report import inert, wording
from affidavit.report.outline import Citation, Outline, Section, Statement, drop_reason, side_note
from affidavit.report.screen import WIDTH, laid_out, print_on

Row = TypeVar("Row")

# Lines of machinery shown without --verbose; what is left out is counted, never silent.
FEW = 6
SIDE_BY_SIDE = 64
_STATE_STYLE = {
    State.PUBLISHED: "bold green",
    State.PUBLISHED_WITH_GAPS: "bold yellow",
    State.NEEDS_HUMAN: "bold magenta",
    State.NOTHING_SOURCED: "bold yellow",
    State.FAILED: "bold red",
}


def show(
    answer: Answer, stream: TextIO | None = None, *, verbose: bool = False, bundle: PathLike[str] | None = None
) -> None:
    """Print `answer` on `stream` (standard output), styled where `stream` is a terminal that wants it."""
    print_on(stream, partial(render_terminal, answer, verbose=verbose, bundle=bundle))


def render_terminal(
    answer: Answer,
    *,
    width: int = WIDTH,
    styled: bool = False,
    verbose: bool = False,
    bundle: PathLike[str] | None = None,
) -> str:
    """`answer` as text for `width` columns; with ANSI styles and OSC 8 links when `styled`, else without any escape.

    `verbose` shows every source, dropped claim, search and the whole of each quotation. `bundle` is where its bundle
    was written, so that the command that checks it can be copied.
    """
    return laid_out(_Page(Outline(answer), width, verbose, bundle).parts(), width=width, styled=styled)


def _text(words: str, style: str = "") -> Text:
    return Text(inert.line(words), style)


def _numbers(citations: Iterable[Citation]) -> Text:
    """`` [1][3]``, each a link to the live page where the terminal shows links. It does not break off its claim."""
    marks = Text()
    for citation in citations:
        marks.append(f"[{citation.number}]", Style(color="cyan", link=citation.link))
    return marks


def _indent(what: RenderableType, by: int = 2) -> Padding:
    return Padding(what, (0, 0, 0, by))


def _heading(title: str) -> Text:
    return Text(f"\n{title}", "bold underline")


def _bullet(what: RenderableType, mark: str = "•") -> Table:
    grid = Table.grid(padding=(0, 1))
    grid.add_column(width=len(mark), no_wrap=True)
    grid.add_column(ratio=1, overflow="fold")
    grid.add_row(Text(mark, "dim"), what)
    return grid


def _unbroken(url: str, link: str | None) -> Group:
    """An address on a line of its own, never wrapped: one that is cut in two cannot be opened or copied.

    In a Group because the console joins bare Texts and forgets that this one does not wrap.
    """
    return Group(Text(url, Style(dim=True, link=link), no_wrap=True, overflow="ignore"))


class _Page:
    """The parts of the printed answer, top to bottom."""

    def __init__(self, outline: Outline, width: int, verbose: bool, bundle: PathLike[str] | None = None) -> None:
        self.outline = outline
        self.bundle = bundle
        self.answer = outline.answer
        self.width = width
        self.verbose = verbose

    def parts(self) -> Iterable[RenderableType]:
        yield from self._head()
        for section in self.outline.sections:
            yield from self._section(section)
        yield from self._inferred()
        yield from self._partial()
        yield from self._gaps()
        yield from self._conflicts()
        yield from self._quotations()
        yield from self._sources()
        yield from self._dropped()
        yield from self._tried()
        yield from self._checks()

    def _few(self, rows: Sequence[Row], kind: str) -> tuple[Sequence[Row], list[RenderableType]]:
        """The rows to show, and the line that counts those left out, if any are."""
        if self.verbose or len(rows) <= FEW + 1:
            return rows, []
        return rows[:FEW], [Text(f"    and {len(rows) - FEW:,} more {kind} (--verbose shows them)", "dim")]

    def _head(self) -> Iterable[RenderableType]:
        answer = self.answer
        state = wording.STATES[answer.state]
        yield Text(inert.line(answer.question or answer.tested_claim or ""), "bold")
        if answer.tested_claim and answer.tested_claim != answer.question:
            yield Text.assemble(("Claim tested: ", "dim"), _text(answer.tested_claim))
        if answer.falsifier:
            yield Text.assemble(("Would be refuted by: ", "dim"), _text(answer.falsifier))
        yield Text()
        yield Text.assemble((f"{state.label}. ", _STATE_STYLE[answer.state]), self.outline.lead)
        yield Text(wording.tally(answer), "dim")
        if answer.injection_observed:
            yield Text.assemble((wording.INJECTION, "bold red"), f" “{inert.line(answer.injection_observed)}”")
        for warning in answer.warnings:
            yield Text.assemble(("Warning: ", "yellow"), _text(warning))
        if self.outline.summary:
            yield Text()
            yield Text(self.outline.summary)

    def _section(self, section: Section) -> Iterable[RenderableType]:
        yield _heading(section.title)
        if not section.groups:
            yield _indent(Text(section.empty, "dim"))
        for group in section.groups:
            if group.title:
                yield _indent(_text(group.title, "italic"))
            for statement in group.statements:
                yield _indent(_bullet(self._claim(statement)))

    def _claim(self, statement: Statement) -> Text:
        return _text(statement.text) + Text(" ") + _numbers(statement.citations)

    def _inferred(self) -> Iterable[RenderableType]:
        if not self.outline.inferred:
            return
        yield _heading(wording.INFERRED.label)
        yield _indent(Text(wording.INFERRED.means, "dim"))
        for statement in self.outline.inferred:
            yield _indent(_bullet(self._claim(statement), "∴"))
            for premise in statement.premises:
                yield _indent(Text("from: ", "dim") + self._claim(premise), 6)

    def _partial(self) -> Iterable[RenderableType]:
        if not self.outline.partial:
            return
        yield _heading(wording.PARTIAL.label)
        yield _indent(Text(wording.PARTIAL.means, "dim"))
        for statement in self.outline.partial:
            yield _indent(_bullet(self._claim(statement), "◐"))
            for element in statement.lacks:
                yield _indent(Text.assemble((f"{wording.LACKS}: ", "yellow"), _text(element)), 4)

    def _gaps(self) -> Iterable[RenderableType]:
        if not self.answer.gaps:
            return
        yield _heading(wording.GAPS_TITLE.label)
        for kind, gaps in self.outline.gaps.items():
            term = wording.GAPS[kind]
            yield _indent(_bullet(Text.assemble((f"{term.label}. ", "yellow"), term.means), "○"))
            rows, more = self._few(gaps, "of these")
            for gap in rows:
                about = f"“{inert.line(gap.subquestion)}” " if gap.subquestion else ""
                yield _indent(_bullet(Text.assemble(about, _text(gap.detail, "dim")), "-"), 4)
            yield from more
            yield _indent(Text.assemble(("Next: ", "bold"), term.next), 4)

    def _conflicts(self) -> Iterable[RenderableType]:
        if not self.answer.conflicts:
            return
        yield _heading(wording.CONFLICTS.label)
        yield _indent(Text(wording.CONFLICTS.means, "dim"))
        for conflict, citations in zip(self.answer.conflicts, self.outline.sides, strict=True):
            yield _indent(_text(conflict.measure, "bold"))
            sides = [
                Text.assemble(
                    (note + "\n" if (note := side_note(side)) else "", "bold"),
                    f"“{inert.line(citation.span.text)}” ",
                    _numbers([citation]),
                    (f"\n{citation.host}", "dim"),
                )
                for side, citation in zip((conflict.a, conflict.b), citations, strict=True)
            ]
            grid = Table.grid(padding=(0, 2), expand=True)
            if self.width >= SIDE_BY_SIDE:
                grid.add_column(ratio=1, overflow="fold")
                grid.add_column(ratio=1, overflow="fold")
                grid.add_row(*sides)
            else:
                grid.add_column(overflow="fold")
                for side in sides:
                    grid.add_row(side)
            yield _indent(grid, 4)

    def _quotations(self) -> Iterable[RenderableType]:
        if not self.outline.citations:
            return
        yield _heading(wording.EXHIBITS.label)
        for page in self.outline.pages:
            document = page[0].document
            facts = [page[0].host] if page[0].title != page[0].host else []
            facts += [f"published {inert.line(document.published)}"] if document.published else []
            facts += [f"read {document.retrieved_at[:10]}"]
            yield _indent(Text.assemble((page[0].title, "bold"), (f" · {' · '.join(facts)}", "dim")))
            yield _unbroken("  " + page[0].url, inert.web_url(document.final_url))
            if self.verbose:
                yield _indent(Text(f"bytes sha256 {document.sha256}\ntext  sha256 {document.text_sha256}", "dim"))
            copied = [c for c in page if c.number in self.outline.word_for_word and not self.verbose]
            if copied:
                yield _indent(_numbers(copied) + Text(f" {wording.WORD_FOR_WORD}, as printed above", "dim"))
            for citation in page:
                if citation not in copied:
                    yield _indent(_bullet(self._quotation(citation), f"[{citation.number}]"))
                if self.verbose and citation.link:
                    yield _unbroken(" " * 6 + citation.link, citation.link)

    def _quotation(self, citation: Citation) -> Text:
        words = Text(f"“{inert.line(citation.span.text)}”")
        if self.verbose:
            span = citation.span
            words.append(f"\n{span.span_id} · {span.doc_id} · characters {span.start:,} to {span.end:,}", "dim")
        return words

    def _sources(self) -> Iterable[RenderableType]:
        # All sources when asked for, else those that are cited: the rest did not make the answer.
        rows = [cited for cited in self.outline.sources if self.verbose or cited.numbers]
        if not rows and not self.verbose:
            return
        yield _heading(wording.SOURCES.label)
        if not rows:
            yield _indent(Text(wording.NO_SOURCES, "dim"))
            return
        names = list(dict.fromkeys(name for cited in rows for name in cited.source.terms))
        table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim", expand=True)
        for title in ("Score", *(wording.score_term(name).short for name in names)):
            table.add_column(title, justify="right", no_wrap=True)
        table.add_column("Source", ratio=1, overflow="fold")
        for cited in rows:
            source = cited.source
            host = inert.web_host(source.url)
            marks = "".join(f"[{number}]" for number in cited.numbers)
            facts = [wording.tier(source.tier).label, host, inert.line(source.published or "") or "no date"]
            facts.append(marks or (wording.NOT_CITED if source.doc_id else wording.NOT_READ))
            about = Text(inert.line(source.title or "") or host)
            if not self.verbose:
                about.truncate(max(self.width - 2 - 7 - 9 * len(names), 12), overflow="ellipsis")
            about.append(f"\n{' · '.join(facts)}", "dim")
            terms = (f"{source.terms[name]:.2f}" if name in source.terms else "–" for name in names)
            table.add_row(f"{source.score:.2f}", *(Text(term, "dim") for term in terms), about)
        yield _indent(table)
        if len(rows) < len(self.outline.sources):
            rest = len(self.outline.sources) - len(rows)
            yield _indent(Text(f"and {rest:,} more that are not cited (--verbose shows them)", "dim"))

    def _dropped(self) -> Iterable[RenderableType]:
        if not self.answer.dropped and not self.verbose:
            return
        yield _heading(wording.DROPPED.label)
        if not self.answer.dropped:
            yield _indent(Text(wording.NOTHING_DROPPED, "dim"))
        rows, more = self._few(self.answer.dropped, "dropped claims")
        for dropped in rows:
            claim = _text(dropped.claim.text)
            if not self.verbose:
                claim.truncate(2 * (self.width - 6), overflow="ellipsis")
            yield _indent(_bullet(claim + Text(f"\n{drop_reason(dropped)}", "dim"), "×"))
        yield from more

    def _tried(self) -> Iterable[RenderableType]:
        yield _heading(wording.TRIED.label)
        if not self.answer.tried:
            yield _indent(Text(wording.NOTHING_TRIED, "dim"))
            return
        if not self.verbose:
            count = wording.counted(len(self.answer.tried), "search", "searches")
            read = wording.counted(sum(source.doc_id is not None for source in self.answer.sources), "page")
            yield _indent(Text(f"{count}, {read} read (--verbose shows them)", "dim"))
            return
        table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim", expand=True)
        table.add_column("Search", ratio=1, overflow="fold")
        table.add_column("Where", no_wrap=True)
        table.add_column("Results", justify="right", no_wrap=True)
        table.add_column("New", justify="right", no_wrap=True)
        for tried in self.answer.tried:
            table.add_row(_text(tried.query), _text(tried.provider), f"{tried.results:,}", f"{tried.novelty:.0%}")
        yield _indent(table)

    def _checks(self) -> Iterable[RenderableType]:
        answer = self.answer
        card = answer.verifier
        yield _heading(wording.VERIFIER)
        yield _indent(Text(inert.line(f"{card.name} {card.version}"), "bold"))
        unmeasured = wording.uncalibrated(card)
        if unmeasured is not None:
            yield _indent(Text(unmeasured, "yellow"))
        for key, value in (card.calibration or {}).items():
            label, fact = wording.calibration_fact(key, value)
            yield _indent(Text.assemble((f"{label}: ", "dim"), fact))
        if self.verbose:
            yield _heading(wording.BUDGET)
            parts = [
                f"{inert.line(key.replace('_', ' '))} {wording.spent(value.get('used'), value.get('limit'))}"
                for key, value in answer.budget.items()
            ]
            yield _indent(Text(" · ".join([*parts, f"cost {wording.cost(answer.cost_usd)}"])))
        yield _heading(wording.AGAIN)
        for command, does in wording.AGAIN_STEPS if self.bundle is None else wording.AGAIN_STEPS_BUNDLED:
            bundle = "" if self.bundle is None else shlex.quote(inert.line(fspath(self.bundle)))
            said = command.format(run_id=inert.line(answer.run_id), bundle=bundle)
            yield _indent(Text(said, "bold", no_wrap=True, overflow="ignore"))
            yield _indent(Text(does), 4)
