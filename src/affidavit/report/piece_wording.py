"""Every word that a report of a piece says of its own."""

from affidavit.evidence.piece import Issue, Piece, PieceState
from affidavit.report import inert
from affidavit.report.piece_json import REASONS
from affidavit.report.wording import Term, counted

STATES: dict[PieceState, Term] = {
    PieceState.ACCEPTED: Term("Accepted", "Nothing was found in it that speaks against publishing it."),
    PieceState.ACCEPTED_WITH_WARNINGS: Term(
        "Accepted, with warnings", "Nothing in it blocks; what was found is for you to weigh before you publish it."
    ),
    PieceState.NEEDS_ATTENTION: Term(
        "Withheld",
        "We did not hand this draft out: it did not pass the review of its accuracy.",
        "Correct the brief or the facts and write it anew, or mend the draft yourself and check it with --draft.",
    ),
    PieceState.FAILED: Term(
        "Failed", "No piece was written: a model could not be asked.", "What was written until then is in the ledger."
    ),
}
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


def code(name: str) -> Term:
    return CODES.get(name) or Term(name.replace("_", " ").capitalize(), "")


def advice(piece: Piece) -> str:
    """What to do next; nothing where it is handed out."""
    if piece.text is not None:
        return ""
    if piece.state is PieceState.NEEDS_ATTENTION and piece.writer is None and piece.blocking():
        return "Mend the draft where it is marked, or approve a fact that says so, and check it again."
    return STATES[piece.state].next


def lead(piece: Piece) -> str:
    """What the state means for this piece, in a sentence."""
    means = STATES[piece.state].means
    if piece.state is PieceState.NEEDS_ATTENTION and not piece.blocking():
        means = UNREVIEWED
    return f"{means} {inert.line(piece.reason)}" if piece.reason else means


def reasons(piece: Piece) -> tuple[Issue, ...]:
    """Why it is withheld, the first three."""
    return piece.blocking()[:REASONS] if piece.text is None else ()


def more(piece: Piece) -> str:
    """How many reasons there are beyond those, or ""."""
    left = len(piece.blocking()) - REASONS
    return f"and {left} more that {'blocks' if left == 1 else 'block'} it" if left > 0 else ""


def remarks(piece: Piece) -> tuple[Issue, ...]:
    """What was found in the last draft and does not block."""
    return tuple(issue for issue in piece.rounds[-1].issues if not issue.blocks) if piece.rounds else ()


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
