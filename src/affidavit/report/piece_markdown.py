"""A piece as Markdown: where it is handed out the piece alone, for whoever publishes it; else the reasons."""

from collections.abc import Iterator

from affidavit.evidence.piece import Issue, Piece
from affidavit.report import inert
from affidavit.report import piece_wording as words


def render_piece_markdown(piece: Piece) -> str:
    """The text of `piece`, character for character, or a report of why there is none, in which nothing acts as
    markup. A withheld draft is not in it."""
    if piece.text is not None:
        return piece.text if piece.text.endswith("\n") else piece.text + "\n"
    return "\n".join(_reasons(piece)) + "\n"


def _reasons(piece: Piece) -> Iterator[str]:
    yield f"# {words.STATES[piece.state].label}: {inert.markdown(piece.title)}"
    yield ""
    yield f"{inert.markdown(words.lead(piece))} {words.advice(piece)}".rstrip()
    for number, issue in enumerate(words.reasons(piece), 1):
        yield ""
        yield f"{number}. {_issue(issue, words.placed(piece, issue))}"
    if more := words.more(piece):
        yield f"\n… {more}. All of it: `{words.whole(piece)}`"
    for warning in piece.warnings:
        yield f"\n> {inert.markdown(warning)}"
    yield ""
    yield inert.markdown(words.made_by(piece))


def _issue(issue: Issue, place: str) -> str:
    where = f" In: “{inert.markdown(issue.sentence)}”" if issue.sentence else ""
    line = f" ({place})" if place else ""
    return f"**{words.code(issue.code).label}.** {inert.markdown(issue.message)}{where}{line}"
