"""Every word that a check's report says of its own: what each state and each finding means to a person."""

from dataclasses import dataclass

from affidavit.evidence.answer import VerifierCard
from affidavit.evidence.check import (
    BY_ITS_WORDS,
    Check,
    CheckedSentence,
    CheckedSource,
    Remark,
    SentenceKind,
    SentenceState,
)
from affidavit.report import inert
from affidavit.report.wording import Term, calibration_fact, counted

STATES: dict[SentenceState, Term] = {
    SentenceState.SOURCED: Term("Sourced", "A source says this."),
    SentenceState.UNSOURCED: Term(
        "Unsourced",
        "It may be true; none of the sources establishes it.",
        "Cite a source that says it, say it as the source does, or mark it as your own.",
    ),
    SentenceState.REJECTED: Term(
        "Rejected",
        "A quotation or a figure that no source has, or the opposite of what a source says.",
        "Correct it or take it out.",
    ),
    SentenceState.COULD_NOT_CHECK: Term(
        "Could not check", "Nothing was found out about this sentence: neither confirmed nor refuted."
    ),
}

WHOLE: dict[SentenceState, str] = {
    SentenceState.SOURCED: "Every sentence that claims something is sourced.",
    SentenceState.UNSOURCED: "Nothing is rejected; some sentences are unsourced.",
    SentenceState.REJECTED: "Some sentences are rejected: they must not ship as they stand.",
    SentenceState.COULD_NOT_CHECK: "This could not be checked. It is no pass.",
}

KINDS: dict[SentenceKind, str] = {
    SentenceKind.CLAIM: "claim",
    SentenceKind.HEADING: "heading",
    SentenceKind.QUESTION: "question",
    SentenceKind.CODE: "code",
    SentenceKind.OTHER: "not a claim",
}

CODES: dict[str, Term] = {
    "quotation_not_found": Term("A quotation that no source has", "The quoted words stand in none of the sources."),
    "quotation_altered": Term("An altered quotation", "A source says nearly this, in other words."),
    "quotation_misattributed": Term("A quotation given to another", "The words stand in another source than named."),
    "quotation_unclosed": Term("A quotation without its end", "The closing quotation mark is missing."),
    "figure_without_source": Term("A figure that no source has", "The figure stands in none of the sources."),
    "figure_other_scale": Term("A figure of another scale", "The digits stand in a source in another scale."),
    "figure_other_unit": Term("A figure in another unit", "The digits stand in a source in another unit."),
    "figure_other_direction": Term("A figure with its bound reversed", "At least beside at most, more beside fewer."),
    "figure_bound_added": Term("A figure with a bound added", "The source states the figure without that bound."),
    "figure_bound_dropped": Term("A figure without its bound", "The source bounds the figure."),
    "figure_derived": Term("A derived figure", "It follows from figures of the sources, and stands in none."),
    "figure_end_of_range": Term("One end of a range", "The source gives a range, and the claim one end of it."),
    "figure_other_subject": Term("A figure that counts something else", "The source counts something else with it."),
    "figure_of_another": Term("A figure of something else", "A source has the figure, and gives it to another thing."),
    "figure_not_there": Term("A figure from elsewhere", "The figure does not stand in the same passage."),
    "name_without_source": Term("A name that no source has", "A version, standard or code that no source names."),
    "version_without_source": Term("A version that no source names", "The sources name others of its series."),
    "said_elsewhere": Term("A quotation that stands elsewhere", "The passage does not have it, so not who says it."),
    "name_not_there": Term("A name the passage lacks", "The passage does not name it."),
    "negation_added": Term("A denial the source lacks", "The sentence denies what the source asserts."),
    "negation_dropped": Term("A denial left out", "The sentence asserts what the source denies."),
    "denied": Term("Denied by the source", "The source denies it."),
    "opposite": Term("The opposite", "The source says the opposite."),
    "modality": Term("Another duty", "Must, should, may and is are different claims."),
    "quantifier": Term("Another quantity", "All, most, many and some are different claims."),
    "bound": Term("Another bound", "At least, at most, more and fewer are different claims."),
    "other_period": Term("Another period", "The source says how often, otherwise."),
    "cell_of_another_row": Term("Another row's words", "The source's table has this in another row."),
    "cell_otherwise": Term("A cell that a source fills otherwise", "The source has another value for it."),
    "cell_not_there": Term("A cell that no source has", "No passage about the row's subject has it."),
    "operator_not_there": Term("A word that decides is missing", "The passage has no such denial, duty or quantity."),
    "condition_dropped": Term("A condition left out", "The source holds it under a condition."),
    "attribution_dropped": Term("A speaker left out", "The source has somebody say it."),
    "quotation_clipped": Term("A quotation cut short", "The words before or behind it may turn its meaning round."),
    "quotation_cut_denies": Term(
        "A quotation cut round a denial", "What was left out of it denies or binds what is left."
    ),
    "roles_swapped": Term("The parties are swapped", "The source has the other one do it, or come first."),
    "opposite_relation": Term("The opposite comparison", "The source compares the two the other way round."),
    "other_kind": Term("Another sort of thing", "The source says it of another sort."),
    "negation_prefix": Term("A word and its denial", "One of the two denies what the other says by a prefix."),
    "only_added": Term("A limit the source lacks", "The source does not say that it is only this."),
    "only_dropped": Term("An “only” left out", "The source says it of this alone."),
    "superlative_added": Term("A rank the source lacks", "The source ranks nothing."),
    "scope_widened": Term("Said of more than the source does", "The source says it of a part, or in some cases."),
    "limit_dropped": Term("A limit left out", "The source says it of some cases, or nearly."),
    "doubt_dropped": Term("A doubt left out", "The source says that it may be so."),
    "attribution_added": Term("A speaker the source lacks", "The source does not name who the claim says has said it."),
    "attribution_changed": Term("Another speaker", "The source has somebody else say it."),
    "not_the_same": Term(
        "Nearly a sentence of the source", "What was left out or put in place of other words may change it."
    ),
    "language_not_judged": Term(
        "A language the rules do not know", "Only what stands in the source word for word is certified."
    ),
    "verifier": Term("The verifier did not confirm it", "A verifier read the claim beside its passage."),
    "by_its_words": Term("Sourced by its words", "The passage has its words; read whether it says the same with them."),
    "no_passage": Term("No passage", "No source has a passage about this."),
    "not_established": Term("Not established", "The nearest passage does not say it in these words."),
    "no_source": Term("No source", "There was no source to hold it against."),
}

DERIVED = "figure_derived"
"""Shown whatever became of its sentence: a reader must see that no source states the figure."""

REMEDY = (
    "Read the nearest passage. Say what it says, cite another source that says this, or take the sentence out. What is "
    "your own word can be given as an allowed text."
)
QUOTE = "Nearest passage"
SOURCES = "Sources"
CITED = "Passages were taken from these."
OTHERS = "read and not cited"
UNREAD = "Could not be read"
NOT_CLAIMS = "Headings, questions, code and calls to act claim nothing and are not judged."
JUDGED_BY = (
    "Judged by rules, and by a small model where it is installed. What stands in a source nearly as written is "
    "certified; what is said in quite other words stays unsourced."
)


def judged_by(card: VerifierCard) -> str:
    """How the sentences were judged, and how often that is wrong, as far as anybody has measured it."""
    if not card.calibration:
        return JUDGED_BY
    facts = (calibration_fact(key, value) for key, value in card.calibration.items())
    return f"{JUDGED_BY} {card.name} {card.version}: " + "; ".join(f"{label} {value}" for label, value in facts) + "."


def label(sentence: CheckedSentence) -> str:
    """The state of a claim in a word, or in which degree it is sourced."""
    if sentence.by_its_words:
        return CODES[BY_ITS_WORDS].label
    return STATES[sentence.state].label if sentence.state is not None else ""


def code(name: str) -> Term:
    """What a finding's code means; one that the table does not know is shown as it is."""
    return CODES.get(name) or (
        Term(STATES[SentenceState(name)].label, STATES[SentenceState(name)].means)
        if name in {state.value for state in SentenceState}
        else Term(inert.line(name.replace("_", " ")).capitalize(), "See the message.")
    )


def message(remark: Remark) -> str:
    """The finding's message as a sentence of its own. The gates write theirs to stand after a colon."""
    said = inert.line(remark.message)
    return said[:1].upper() + said[1:] + ("" if said.endswith((".", "!", "?", "…")) else ".")


def place(check: Check, sentence: CheckedSentence) -> str | None:
    """The line of the draft that the sentence begins in; None where the draft has no lines that a person edits."""
    if not check.of_file:
        return None
    return f"line {check.draft_text.count(chr(10), 0, sentence.start) + 1}"


@dataclass(frozen=True, slots=True)
class Arranged:
    """The sources of a check: those a passage was taken from, those read besides, those that could not be read."""

    cited: tuple[CheckedSource, ...]
    others: tuple[CheckedSource, ...]
    unread: tuple[CheckedSource, ...]


def arranged(check: Check) -> Arranged:
    """The sources in their order, parted by what became of them."""
    cited = {document.doc_id for document in check.documents}
    read = [source for source in check.sources if source.failure is None]
    return Arranged(
        tuple(source for source in read if source.doc_id in cited),
        tuple(source for source in read if source.doc_id not in cited),
        tuple(source for source in check.sources if source.failure is not None),
    )


def tally(check: Check) -> str:
    """The counts in one line."""
    counts = check.counts
    parts = [counted(len(check.claims), "claim")]
    parts += [
        f"{counts[state.value]} {STATES[state].label.lower()}"
        for state in (
            SentenceState.REJECTED,
            SentenceState.UNSOURCED,
            SentenceState.COULD_NOT_CHECK,
            SentenceState.SOURCED,
        )
        if counts[state.value]
    ]
    likely = sum(sentence.by_its_words for sentence in check.sentences)
    if likely:
        parts[-1] += f" ({likely} by words alone)"
    read = sum(source.failure is None for source in check.sources)
    return " · ".join((*parts, counted(read, "source")))
