"""Every word a report says of its own, in one place, so that terminal, Markdown and HTML say the same.

Tables only, and the few sentences that count something. A reader meets no enum value: each has a label, what it
means, and, where there is one, what to do next.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from affidavit.evidence.answer import Answer, GapKind, State, VerifierCard
from affidavit.evidence.claim import Label, Stance
from affidavit.report import inert


@dataclass(frozen=True, slots=True)
class Term:
    """A word of ours as a person reads it: its `label`, what it `means`, and what to do `next` (or "")."""

    label: str
    means: str
    next: str = ""

    @property
    def short(self) -> str:
        """The label for the head of a narrow column."""
        return self.label if len(self.label) <= 7 else f"{self.label[:5]}."


STATES: dict[State, Term] = {
    State.PUBLISHED: Term(
        "Sourced",
        "Each claim below stands on a quotation, and a check that saw only the two found it supported. "
        "Whether it answers you is yours to judge.",
    ),
    State.PUBLISHED_WITH_GAPS: Term(
        "Sourced, with gaps",
        "Each claim below stands on a quotation, and a check that saw only the two found it supported. "
        "Part of what was asked stays open and is listed.",
    ),
    State.NEEDS_HUMAN: Term(
        "A person must decide",
        "These pages do not settle this by themselves. What was found is shown so that a person can decide.",
    ),
    State.NOTHING_SOURCED: Term(
        "Nothing sourced",
        "No sentence in these pages answers this.",
    ),
    State.FAILED: Term(
        "The run failed",
        "The run could not do what was asked. What it had recorded is kept.",
    ),
}

GAPS: dict[GapKind, Term] = {
    GapKind.NOTHING_FOUND: Term(
        "Nothing found",
        "No sentence that was read answers this.",
        "Ask in other words, or add pages that cover it with --web.",
    ),
    GapKind.BLOCKED: Term(
        "Not reached",
        "A page or a search that may hold the answer could not be read.",
        "Open it yourself; if it is useful, save it to a folder and pass that folder with --web.",
    ),
    GapKind.BUDGET_OUT: Term(
        "Budget used up",
        "The run reached a limit before it could look further.",
        "Raise that limit and ask again.",
    ),
    GapKind.VERIFIER_UNAVAILABLE: Term(
        "Not checked",
        "Something was found, but no verifier could judge it. It is neither confirmed nor refuted.",
        "See `affidavit doctor`, then ask again.",
    ),
    GapKind.CONTRADICTED: Term(
        "Contradicted",
        "The pages contradict each other here, and nothing is averaged.",
        "Read both quotations and decide which one applies.",
    ),
    GapKind.UNRESOLVED: Term(
        "Not settled",
        "Pages were read, and nothing shows that a sentence of theirs settles this.",
        "Ask a narrower question, or add pages that speak to it directly.",
    ),
    GapKind.INTERRUPTED: Term(
        "Interrupted",
        "The run was stopped before it had looked everywhere it meant to.",
        "Ask again; pages that were read are in the cache.",
    ),
}

LABELS: dict[Label, Term] = {
    Label.SUPPORTED: Term("Supported", "The quotation by itself establishes the claim."),
    Label.PARTIAL: Term("Supported in part", "The quotation establishes some of the claim, not all of it."),
    Label.NOT_SUPPORTED: Term("Not supported", "The quotation does not establish the claim."),
    Label.COULD_NOT_CHECK: Term("Could not be checked", "No verdict was reached: neither confirmed nor refuted."),
}

STANCES: dict[Stance, Term] = {
    Stance.FOR: Term("Evidence for the claim", "No sentence in these pages speaks for the claim."),
    Stance.AGAINST: Term("Evidence against the claim", "No sentence in these pages speaks against the claim."),
}
NO_STANCE = "Also found, neither for nor against"

TIERS: dict[str, Term] = {
    "primary": Term("Primary", "the body or document itself"),
    "secondary": Term("Secondary", "reports on it"),
    "aggregator": Term("Aggregator", "collects what others wrote"),
}

# The four terms of the score, in the order of the policy.
SCORE_TERMS: dict[str, Term] = {
    "tier": Term("Tier", "how close the site is to the origin of what it says"),
    "recency": Term("Recency", "how recent the stated date is; no date counts half"),
    "data": Term("Data", "whether the result carries figures"),
    "independence": Term("Independence", "whether other results come from the same domain"),
}

ANSWER = "Answer"
INFERRED = Term("Inferred", "These follow from the findings above. The sentence itself stands in no source.")
PARTIAL = Term(
    "Supported in part", "The quotation establishes some of the claim, not all of it. Not part of the answer."
)
LACKS = "The quotation does not establish"
GAPS_TITLE = Term("What is missing", "Asked for, and not sourced.")
CONFLICTS = Term("Where sources disagree", "Both quotations are shown as they stand. Nothing is averaged or resolved.")
EXHIBITS = Term("Quotations", "Each one where it stands on its page, as the page was stored when it was read.")
SOURCES = Term(
    "Sources",
    "Ranked by a weighted sum of four terms from 0 to 1. A high score makes a source worth reading, not true.",
)
DROPPED = Term("What was dropped, and why", "Drafted and not published. None of it is part of the answer.")
TRIED = Term("What was tried", "Each search, and how much of what it brought had not been seen before.")
VERIFIER = "Who checked"
BUDGET = "Budget"
AGAIN = "Check it again"
WARNINGS = "Warnings"
NOTHING_DROPPED = "Nothing was dropped."
NOTHING_TRIED = "No search was made."
NO_SOURCES = "No source was found."
NO_MISSING = "Nothing: each part of what was asked has a sourced claim."
NOT_READ = "not read"
NOT_CITED = "not cited"
LEFT_OUT = "A visible part of the page was left out here."
UNCALIBRATED = "Not calibrated: nobody has measured how often this verifier is wrong. Read the quotations yourself."
CALIBRATED = "How good it is known to be"
CALIBRATION_KEYS: dict[str, str] = {
    "set": "measured on",
    "dataset": "measured on",
    "date": "measured",
    "when": "measured",
    "n": "labelled pairs",
    "agreement": "agreement with people",
    "false_supported": "wrongly called supported",
    "false_supported_rate": "wrongly called supported",
    "supported_recall": "of what is supported, found",
    "could_not_check": "left to a reader",
    "unseen_pairs": "of them new to the model",
    "unseen_false_supported": "of those, wrongly called supported",
    "unseen_supported_recall": "of those, found",
    "near_misses": "near misses tried",
    "near_misses_supported": "near misses wrongly called sourced",
    "made_to_mislead": "falsehoods made to mislead",
    "made_to_mislead_supported": "of those, called sourced",
    "made_to_mislead_supported_strictly": "of those, called sourced with --strict",
}
WORD_FOR_WORD = "word for word"
INJECTION = "A page carried text addressed to a machine. It was treated as text and obeyed by nothing:"
AGAIN_STEPS: tuple[tuple[str, str], ...] = (
    ("affidavit runs show {run_id}", "shows every recorded step of this run."),
    (
        "affidavit verify FILE",
        "checks a bundle that was written with --bundle FILE, offline: hashes, extraction, every quotation.",
    ),
)
AGAIN_STEPS_BUNDLED = (
    AGAIN_STEPS[0],
    ("affidavit verify {bundle}", "checks its bundle, offline: hashes, extraction, every quotation."),
)
"""The same where the answer's bundle was written."""
AGAIN_NOTE = (
    "Each quotation carries the digests of the bytes received and of the text read from them. "
    "The live page may have changed since; its link opens it at the quotation where the browser can."
)


def counted(number: int, one: str, many: str | None = None) -> str:
    """``1 page``, ``3 pages``; `many` where the plural is not one with an s."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def tally(answer: Answer) -> str:
    """What the answer holds, in one line of counts."""
    cited = {span.doc_id for verified in answer.claims for span in verified.claim.spans}
    parts = [counted(len(answer.claims), "published claim"), f"{counted(len(cited), 'page')} cited"]
    if answer.partial:
        parts.append(f"{len(answer.partial):,} supported in part")
    if answer.gaps:
        parts.append(counted(len(answer.gaps), "gap"))
    if answer.conflicts:
        parts.append(counted(len(answer.conflicts), "conflict"))
    if answer.dropped:
        parts.append(f"{len(answer.dropped):,} dropped")
    return " · ".join(parts)


def score_term(name: str) -> Term:
    """The term of that name; a name the table does not know is shown as it is."""
    return SCORE_TERMS.get(name, Term(inert.line(name.replace("_", " ")).capitalize(), ""))


def tier(name: str) -> Term:
    return TIERS.get(name, Term(inert.line(name).capitalize(), ""))


def calibration_fact(key: str, value: object) -> tuple[str, str]:
    """One fact of a verifier's card in words: ``("agreement with people", "93.0%")``."""
    return CALIBRATION_KEYS.get(key) or inert.line(key.replace("_", " ")), _told(value)


def _told(value: object) -> str:
    match value:
        case float() if 0 <= value <= 1:
            return f"{value:.1%}"
        case {"hits": int(hits), "of": int(of)}:
            return f"{hits} of {of} ({hits / of:.1%})" if of else "nothing to count"
        case Mapping():
            facts = (calibration_fact(str(key), one) for key, one in cast("Mapping[object, object]", value).items())
            return ", ".join(f"{label} {fact}" for label, fact in facts)
        case list() | tuple():
            return ", ".join(map(_told, cast("Sequence[object]", value)))
        case None:
            return "not known"
        case _:
            return inert.line(str(value))


def uncalibrated(card: VerifierCard) -> str | None:
    """The line that says that nobody has measured the verifier, or some of those that it is made of; None where each
    was measured."""
    facts = card.calibration
    if not facts:
        return UNCALIBRATED
    if any(not isinstance(one, Mapping | None) for one in facts.values()):
        return None  # the figures of one verifier
    unknown = [inert.line(name) for name, one in facts.items() if one is None]
    return f"{', '.join(unknown)}: {UNCALIBRATED}" if unknown else None


def amount(value: float | None) -> str:
    """A budget figure: whole numbers whole, others to two places, none as a dash."""
    if value is None:
        return "–"
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.2f}"


def spent(used: float | None, limit: float | None) -> str:
    """``3 of 12``, or ``3, no limit``."""
    return f"{amount(used)}, no limit" if limit is None else f"{amount(used)} of {amount(limit)}"


def cost(usd: float | None) -> str:
    """``US$0.0123``: four places, where two would say that something cost nothing."""
    if usd is None:
        return "not known"
    return f"US${usd:,.4f}" if 0 < usd < 1 else f"US${usd:,.2f}"
