"""A piece for a terminal: its state, why it is withheld or what is to be weighed, then the text."""

from collections.abc import Iterable
from functools import partial
from typing import TextIO

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from affidavit.evidence.piece import Issue, Piece, PieceState
from affidavit.report import inert
from affidavit.report import piece_wording as words
from affidavit.report.screen import WIDTH, laid_out, print_on

_STYLES = {
    PieceState.ACCEPTED: "bold green",
    PieceState.ACCEPTED_WITH_WARNINGS: "bold yellow",
    PieceState.NEEDS_ATTENTION: "bold red",
    PieceState.FAILED: "bold red",
}


def show_piece(piece: Piece, stream: TextIO | None = None, *, drafts: bool = False, file: str | None = None) -> None:
    """Print `piece` on `stream` (standard output), styled where `stream` is a terminal that wants it."""
    print_on(stream, partial(render_piece_terminal, piece, drafts=drafts, file=file))


def render_piece_terminal(
    piece: Piece, *, width: int = WIDTH, styled: bool = False, drafts: bool = False, file: str | None = None
) -> str:
    """`piece` as text for `width` columns. `drafts` shows every round whole, also of what is withheld. `file` is what
    a person's draft lies in, for the lines of what was found in it."""
    return laid_out(_parts(piece, drafts, file), width=width, styled=styled)


def _parts(piece: Piece, drafts: bool, file: str | None) -> Iterable[RenderableType]:
    term = words.STATES[piece.state]
    yield Text(inert.line(piece.title), "bold")
    yield Text.assemble((term.label, _STYLES[piece.state]), f". {words.lead(piece)}")
    for issue in words.reasons(piece):
        yield from _issue(issue, words.placed(piece, issue, file))
    if more := words.more(piece):
        yield Padding(Text(f"… {more}.", "dim"), (0, 0, 0, 3))
    if advice := words.advice(piece):
        yield Text(advice)
    for issue in words.remarks(piece):
        yield from _issue(issue, words.placed(piece, issue, file))
    for warning in piece.warnings:
        yield Text.assemble(("Note: ", "yellow"), inert.line(warning))
    if piece.text is not None:
        yield Text()
        yield Text(inert.passage(piece.text).strip())
    if drafts:
        yield from _drafts(piece)
    yield Text()
    yield Text(words.made_by(piece), "dim")
    yield Text(words.given(piece), "dim")
    if piece.text is None and piece.rounds and not drafts:
        what = "All of it, beside the draft" if words.more(piece) else "The draft"
        yield Text(f"{what}: {words.whole(piece)}", "dim")


def _drafts(piece: Piece) -> Iterable[RenderableType]:
    for number, one in enumerate(piece.rounds, 1):
        yield Text()
        yield Text(f"Draft {number} of {len(piece.rounds)}", "bold")
        yield Text(inert.passage(one.draft).strip())
        for issue in words.by_gravity(one.issues):
            yield from _issue(issue, words.place(one.draft, issue))
        if one.review is not None and one.review.summary:
            yield Text.assemble(("Reviewer: ", "bold"), inert.line(one.review.summary))


def _issue(issue: Issue, place: str) -> Iterable[RenderableType]:
    mark, style = ("NO", "bold red") if issue.blocks else ("? ", "yellow")
    label = words.code(issue.code).label
    yield Text.assemble((mark, style), " ", (f"{label}. ", "bold"), inert.line(issue.message))
    if issue.sentence:
        yield Padding(Text(f"“{inert.line(issue.sentence)}”", "italic"), (0, 0, 0, 3))
    if place:
        yield Padding(Text(place, "dim", no_wrap=True, overflow="ignore"), (0, 0, 0, 3), expand=False)
