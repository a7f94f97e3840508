"""A check for a terminal: the draft in its order, each sentence with its state, its trouble and the nearest quote.

Laid out with rich from `Text` objects only, as an answer is; piped it is plain characters in 80 columns.
"""

from collections.abc import Iterable
from functools import partial
from typing import TextIO

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from affidavit.evidence.check import Check, CheckedSentence, Remark, SentenceKind, SentenceState
from affidavit.report import check_wording, inert
from affidavit.report.screen import WIDTH, laid_out, print_on
from affidavit.report.wording import uncalibrated

QUOTE_CHARS = 280
"""A longer quote is cut at a word; the other formats hold it whole."""
_STYLES = {
    SentenceState.SOURCED: "green",
    SentenceState.UNSOURCED: "yellow",
    SentenceState.REJECTED: "bold red",
    SentenceState.COULD_NOT_CHECK: "magenta",
}
_LIKELY = "~"
_MARKS = {
    SentenceState.SOURCED: "ok",
    SentenceState.UNSOURCED: "?",
    SentenceState.REJECTED: "NO",
    SentenceState.COULD_NOT_CHECK: "--",
}


def show_check(check: Check, stream: TextIO | None = None, *, verbose: bool = False, brief: bool = False) -> None:
    """Print `check` on `stream` (standard output), styled where `stream` is a terminal that wants it."""
    print_on(stream, partial(render_check_terminal, check, verbose=verbose, brief=brief))


def render_check_terminal(
    check: Check, *, width: int = WIDTH, styled: bool = False, verbose: bool = False, brief: bool = False
) -> str:
    """`check` as text for `width` columns. `verbose` shows the quotes of sourced sentences, and every remark; `brief`
    only the sentences that something is said of."""
    return laid_out(_parts(check, verbose, brief), width=width, styled=styled)


def _parts(check: Check, verbose: bool, brief: bool) -> Iterable[RenderableType]:
    yield Text.assemble((inert.line(check.draft), "bold"), f": {check_wording.WHOLE[check.state]}")
    yield Text(check_wording.tally(check), "dim")
    for warning in check.warnings:
        yield Text.assemble(("Warning: ", "yellow"), inert.line(warning))
    for source in check.sources:
        if source.failure is not None:
            yield Text.assemble(
                (f"{check_wording.UNREAD}: ", "yellow"), f"{inert.line(source.name)} ({inert.line(source.failure)})"
            )
    if brief:
        for sentence in check.claims:
            if sentence.state is not SentenceState.SOURCED or _shown(sentence, verbose):
                yield from _sentence(check, sentence, verbose)
        return
    headed = False
    for sentence in check.sentences:
        if not headed and sentence.kind is not SentenceKind.HEADING:
            yield Text()
        headed = True
        yield from _sentence(check, sentence, verbose)
    yield Text()
    yield Text(check_wording.judged_by(check.verifier), "dim")
    unmeasured = uncalibrated(check.verifier)
    if unmeasured is not None:
        yield Text(unmeasured, "yellow")


def _sentence(check: Check, sentence: CheckedSentence, verbose: bool) -> Iterable[RenderableType]:
    text = inert.line(sentence.words)
    if sentence.state is None:
        if sentence.kind is SentenceKind.HEADING:
            yield Text(f"\n   {text}", "bold")
        else:
            yield Padding(Text(text, "dim"), (0, 0, 0, 3))
        return
    mark = (_LIKELY if sentence.by_its_words else _MARKS[sentence.state]).ljust(2)
    yield _hung(mark, Text(text), _STYLES[sentence.state])
    line = check_wording.place(check, sentence)
    if sentence.state is not SentenceState.SOURCED and line is not None:
        place = line if check.draft == "-" else f"{inert.line(check.draft)}:{line.removeprefix('line ')}"
        yield Padding(Text(place, "dim", no_wrap=True, overflow="ignore"), (0, 0, 0, 6), expand=False)
    for remark in _shown(sentence, verbose):
        label = check_wording.code(remark.code).label
        yield Padding(Text.assemble((f"{label}. ", "bold"), check_wording.message(remark)), (0, 0, 0, 6))
    if sentence.span is not None and (verbose or sentence.state is not SentenceState.SOURCED):
        source = check.source(sentence.span.doc_id)
        quote = cut(inert.line(sentence.span.text), QUOTE_CHARS)
        yield Padding(Text(f"“{quote}”", "italic"), (0, 0, 0, 6))
        yield Padding(Text(inert.line(source.name), "dim", no_wrap=True, overflow="ignore"), (0, 0, 0, 6), expand=False)


def _shown(sentence: CheckedSentence, verbose: bool) -> list[Remark]:
    """The remarks that a reader needs: advice on a sourced sentence only where no source states its figure."""
    everything = verbose or sentence.state is SentenceState.UNSOURCED
    return [
        remark
        for remark in sentence.findings
        if everything or remark.severity != "warn" or remark.code == check_wording.DERIVED
    ]


def _hung(mark: str, what: Text, style: str) -> RenderableType:
    grid = Table.grid(padding=(0, 1))
    grid.add_column(width=2, no_wrap=True)
    grid.add_column(ratio=1, overflow="fold")
    grid.add_row(Text(mark, style), what)
    return grid


def cut(text: str, most: int) -> str:
    """`text`, at most `most` characters of it, cut at a word."""
    if len(text) <= most:
        return text
    return text[:most].rsplit(" ", 1)[0].rstrip(",;:–—- ") + " …"
