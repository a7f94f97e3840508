"""Every word that a report of a piece says of its own."""

from collections import Counter
from collections.abc import Iterable, Sequence

from affidavit.evidence.piece import Issue, Origin, Piece, PieceState
from affidavit.report import inert
from affidavit.report.piece_json import REASONS
from affidavit.report.wording import Term, counted

STATES: dict[PieceState, Term] = {
    PieceState.ACCEPTED: Term(
        "Accepted", "Its figures, quotations and addresses were held against the approved facts, and nothing was found."
    ),
    PieceState.ACCEPTED_WITH_WARNINGS: Term(
        "Accepted, with warnings", "Nothing in it blocks; what was found is for you to weigh before you publish it."
    ),
    PieceState.NEEDS_ATTENTION: Term(
        "Withheld",
        "We did not hand this draft out.",
        "Correct the brief or the facts and write it anew, or mend the draft yourself and check it with --draft.",
    ),
    PieceState.FAILED: Term(
        "Failed", "No piece was written: a model could not be asked.", "What was written until then is in the ledger."
    ),
}
UNREAD = "What it claims without them was read by nobody."
READ = "What it claims without them was read by {}, who found nothing that blocks."
UNREVIEWED = "We did not hand this draft out: nobody could review it, and an unavailable reviewer is not a passing one."

CODES: dict[str, Term] = {
    "figure_without_source": Term(
        "A figure without a source", "Neither the approved facts nor the notes have this figure."
    ),
    "rejected_figure": Term("A rejected figure", "The customer rejected the fact that has this figure."),
    "subject_mismatch": Term(
        "A figure of something else", "The facts have the figure, and count something else by it."
    ),
    "repeated_figure": Term("A figure used again", "The piece states the same figure more than once."),
    "reused_statistic": Term("A statistic used before", "An earlier piece of this customer states it."),
    "reused_sentence": Term("A sentence published before", "An earlier piece has nearly this sentence."),
    "figure_bound": Term("Another bound", "“Over”, “up to” or the other end of a range was added or left out."),
    "count_without_source": Term("A count without a source", "A small count that neither facts nor notes state."),
    "name_without_source": Term("A standard that nobody named", "No text that the writer was given names it."),
    "contact_without_source": Term("An address that nobody gave", "It may not be yours, or nobody's."),
    "quotation_not_found": Term("A quotation that nobody said", "The quoted words stand in none of the texts."),
    "quotation_altered": Term("An altered quotation", "A text says nearly this, in other words."),
    "quotation_misattributed": Term("A quotation given to another", "The words are somebody else's."),
    "over_length": Term("Too long", "The draft has more words than were asked for."),
    "years_of_experience": Term("Years that were worked out", "A founding year, reckoned up to today."),
    "prose_in_code": Term("A sentence set as code", "The checks of figures do not read code."),
    "empty_draft": Term("An empty draft", "There is nothing to check."),
    "cut_off": Term("A draft without its end", "The writer ran out of tokens."),
    "generic_copy": Term("Could be anybody's", "A paragraph that any company of the industry could publish unchanged."),
    "off_brief": Term("Off the brief", "It does not deliver what the title promises, or ignores the notes."),
    "unsupported_claim": Term("A claim without support", "Nothing that the writer was given says this."),
    "repeated_idea": Term("The same point again", "One point, three times or more, in other words."),
    "tone": Term("Another tone", "The voice contradicts the tone or the key messages."),
    "needs_sources": Term("A statistic that is not there", "The notes ask for one that no approved fact has."),
}

COUNTED: dict[str, tuple[str, str]] = {
    "figure_without_source": ("figure without a source", "figures without a source"),
    "rejected_figure": ("rejected figure", "rejected figures"),
    "prose_in_code": ("sentence set as code", "sentences set as code"),
}
"""What the checks find often in one draft, counted."""
BY_GRAVITY = (
    "subject_mismatch", "figure_bound", "unsupported_claim", "years_of_experience", "name_without_source",
    "contact_without_source", "quotation_misattributed", "quotation_not_found", "quotation_altered",
    "count_without_source", "needs_sources", "off_brief", "generic_copy", "tone", "repeated_idea", "reused_sentence",
    "reused_statistic", "repeated_figure", "over_length",
)  # fmt: skip
"""What does not block, what may be untrue before what is only unwelcome."""


def code(name: str) -> Term:
    return CODES.get(name) or Term(name.replace("_", " ").capitalize(), "")


def advice(piece: Piece) -> str:
    """What to do next; nothing where it is handed out."""
    if piece.text is not None:
        return ""
    if piece.state is PieceState.NEEDS_ATTENTION and piece.writer is None and piece.blocking():
        return "Mend what is named here, or approve a fact that says so, and check it again."
    return STATES[piece.state].next


def lead(piece: Piece) -> str:
    """What the state means for this piece, in a sentence or two."""
    means = STATES[piece.state].means
    if piece.text is not None:
        read = UNREAD if piece.reviewer is None else READ.format(inert.line(piece.reviewer))
        means = f"{means} {read}" if piece.state is PieceState.ACCEPTED else means
    elif piece.state is PieceState.NEEDS_ATTENTION:
        found = _widest(piece.blocking())
        means = f"{means.removesuffix('.')}: {_found(found)}." if found else UNREVIEWED
    return f"{means} {inert.line(piece.reason)}" if piece.reason else means


def _found(issues: Sequence[Issue]) -> str:
    """Who found what, counted: "the checks found 14 figures without a source"."""
    by_code = Counter(issue.code for issue in issues if issue.origin is Origin.CHECK)
    parts: list[str] = []
    for name, number in by_code.items():
        label = code(name).label
        one, many = COUNTED.get(name, (f"“{label}”", f"times “{label}”"))
        once = number == 1 and name not in COUNTED
        parts.append(f"{label[:1].lower()}{label[1:]}" if once else counted(number, one, many))
    said = [f"the checks found {_joined(parts)}"] if parts else []
    if objected := sum(issue.origin is Origin.REVIEWER for issue in issues):
        said.append(f"the reviewer found {counted(objected, 'fault')}")
    return _joined(said)


def _joined(parts: Sequence[str]) -> str:
    return " and ".join([*([", ".join(parts[:-1])] if parts[:-1] else []), *parts[-1:]])


def reasons(piece: Piece) -> tuple[Issue, ...]:
    """Why it is withheld: all of it for the person who wrote the draft, of a model's the first three."""
    if piece.text is not None:
        return ()
    found = _widest(piece.blocking())
    return found if piece.writer is None else found[:REASONS]


def more(piece: Piece) -> str:
    """How many reasons there are beyond those, or ""."""
    left = len(_widest(piece.blocking())) - len(reasons(piece))
    if piece.text is not None or left <= 0:
        return ""
    return f"and {left} more that {'blocks' if left == 1 else 'block'} it"


def whole(piece: Piece) -> str:
    """The command that shows every draft of a piece, and all that was found in it."""
    return f"affidavit pieces show {inert.line(piece.run_id)} --drafts"


def remarks(piece: Piece) -> tuple[Issue, ...]:
    """What was found in the last draft and does not block, the gravest first."""
    return by_gravity(issue for issue in piece.rounds[-1].issues if not issue.blocks) if piece.rounds else ()


def by_gravity(issues: Iterable[Issue]) -> tuple[Issue, ...]:
    """`issues`, what blocks first, then in the order of `BY_GRAVITY`, then as they come; what a wider one of the same
    code says at the same place is left out."""
    rank = {name: number for number, name in enumerate(BY_GRAVITY)}
    return tuple(
        sorted(_widest(issues), key=lambda issue: (not issue.blocks, not issue.blocks and rank.get(issue.code, 0)))
    )


def _widest(issues: Iterable[Issue]) -> tuple[Issue, ...]:
    """`issues` without those whose place lies within that of another of the same code."""
    kept: list[Issue] = []
    given = list(issues)
    for number, issue in enumerate(given):
        around = (
            (other.start, -(other.end or 0), place) < (issue.start, -(issue.end or 0), number)
            for place, other in enumerate(given)
            if issue.start is not None
            and issue.end is not None
            and other.start is not None
            and other.end is not None
            and other.code == issue.code
            and place != number
            and other.start <= issue.start
            and issue.end <= other.end
        )
        if not any(around):
            kept.append(issue)
    return tuple(kept)


def place(draft: str, issue: Issue, file: str | None = None) -> str:
    """The line of `draft` that an issue begins in, after the name of its file where it has one; "" for none."""
    if issue.start is None:
        return ""
    number = draft.count("\n", 0, issue.start) + 1
    return f"line {number}" if file in (None, "-") else f"{inert.line(file or '')}:{number}"


def placed(piece: Piece, issue: Issue, file: str | None = None) -> str:
    """`place` in the last draft, for the person who wrote it; "" of a model's, whose draft nobody has at hand."""
    return place(piece.rounds[-1].draft, issue, file) if piece.writer is None and piece.rounds else ""


def made_by(piece: Piece) -> str:
    """Who wrote it, who reviewed it, in how many rounds."""
    writer = inert.line(piece.writer) if piece.writer else "a person"
    reviewer = f"reviewed by {inert.line(piece.reviewer)}" if piece.reviewer else "reviewed by nobody"
    return f"Written by {writer}, {reviewer}; {counted(len(piece.rounds), 'round')}."


def given(piece: Piece) -> str:
    """What the writer was given, in a line."""
    if piece.pack is None:
        return ""
    cut = f", {counted(len(piece.pack.cuts), 'item')} left out for want of room" if piece.pack.cuts else ""
    facts = counted(len(piece.pack.facts), "approved fact")
    pieces = counted(len(piece.pack.recalled), "earlier piece")
    size = f"{piece.pack.tokens} of {piece.pack.budget} tokens by {inert.line(piece.pack.tokenizer)}"
    used = f" Facts used: {len(piece.used)}." if piece.text is not None else ""
    return f"Pack: {facts}, {pieces}; {size}{cut}.{used}"
