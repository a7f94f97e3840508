"""The words and numbers of an eval of a verifier, for the terminal and for Markdown alike."""

from affidavit.evals.agreement import Confusion, Mean, Share, mean_over_sets
from affidavit.evals.floors import Floor
from affidavit.evals.judge import OTHER_KINDS, JudgeEval, Measured, Outcome
from affidavit.evals.paired import Paired
from affidavit.evidence.claim import Label

OUTCOMES = {
    Outcome.MEASURED: "Measured; no floor was set.",
    Outcome.PASSED: "Every floor holds.",
    Outcome.BELOW_FLOOR: "Below a floor.",
    Outcome.COULD_NOT_CHECK: "Could not be told: that is no pass.",
}
POOLED = "pooled (every row once)"
MEAN = "mean (every set once)"
FALSELY = "Falsely SUPPORTED"
LEGEND = (
    "BAcc: balanced accuracy, SUPPORTED against the rest; chance is .500. false S: of the rows that are not SUPPORTED, "
    "those certified. S recall: of the SUPPORTED rows, those certified. unchecked: could_not_check, which certifies "
    "nothing and counts so in BAcc and recall."
)
_FLOORS = {"max_false_supported": ("false SUPPORTED", "at most"), "min_balanced_accuracy": ("BAcc", "at least")}


def decimal(value: float | None) -> str:
    """.62 as ``.620``; a dash for what the data cannot tell."""
    return "–" if value is None else f"{value:.3f}".removeprefix("0") if value < 1 else "1.000"


def percent(value: float | None) -> str:
    return "–" if value is None else f"{value:.1%}"


def interval(share: Share) -> str:
    """The 95% interval in per cent."""
    found = share.interval
    return "–" if found is None else f"{found[0]:.1%}–{found[1]:.1%}"


def labels(confusion: Confusion) -> str:
    """How many rows are SUPPORTED / PARTIAL / NOT_SUPPORTED."""
    return "/".join(str(confusion.rows(true=one)) for one in (Label.SUPPORTED, Label.PARTIAL, Label.NOT_SUPPORTED))


HEADS = ("n", "S/P/N", "BAcc", "false S", "95% interval", "S recall", "precision", "3-way, checked", "unchecked")


def cells(one: Confusion) -> tuple[str, ...]:
    """A row under `HEADS`."""
    return (
        str(one.rows()),
        labels(one),
        decimal(one.balanced_accuracy),
        percent(one.false_supported.value),
        interval(one.false_supported),
        percent(one.supported_recall.value),
        percent(one.precision.value),
        percent(one.checked.agreement.value),
        percent(one.could_not_check.value),
    )


def means(measured: Measured) -> tuple[Mean, Mean, Mean, Mean]:
    """Means over sets of balanced accuracy, false SUPPORTED, recall of SUPPORTED and could-not-check."""
    sets = list(measured.sets.values())
    return (
        mean_over_sets(sets, lambda one: one.balanced_accuracy),
        mean_over_sets(sets, lambda one: one.false_supported.value),
        mean_over_sets(sets, lambda one: one.supported_recall.value),
        mean_over_sets(sets, lambda one: one.could_not_check.value),
    )


def tells_kinds(measured: Measured) -> bool:
    """Whether a table by kind would say more than the rows together."""
    return bool(set(measured.kinds) - {OTHER_KINDS})


def headline(measured: Measured) -> str:
    """What to quote: the pooled figures with the interval of the error that matters."""
    pooled = measured.pooled
    wrong = pooled.false_supported
    return (
        f"false SUPPORTED {percent(wrong.value)} ({wrong.hits} of {wrong.of}, 95% interval {interval(wrong)}), "
        f"balanced accuracy {decimal(pooled.balanced_accuracy)}, "
        f"SUPPORTED recall {percent(pooled.supported_recall.value)}, "
        f"could not check {percent(pooled.could_not_check.value)}"
    )


def agreement(measured: Measured) -> str:
    """How often it certifies what the labels do and nothing else, near misses apart."""
    apart = "" if measured.near_misses is None else f", of the near misses {_counted(measured.near_misses)}"
    return f"certified just where SUPPORTED: {_counted(measured.pooled)}{apart}"


def _counted(confusion: Confusion) -> str:
    share = confusion.certified_right
    return f"{percent(share.value)} ({share.hits} of {share.of}, 95% interval {interval(share)})"


def checked_only(measured: Measured) -> str:
    """The other reading, for a verifier that leaves rows unchecked."""
    checked = measured.pooled.checked
    agree = checked.agreement
    return (
        f"over the {checked.rows()} rows it checked: balanced accuracy {decimal(checked.balanced_accuracy)}, "
        f"three labels agree {percent(agree.value)} (95% interval {interval(agree)}), "
        f"precision {percent(checked.precision.value)}"
    )


def card(measured: Measured) -> str:
    return f"{measured.verifier.name}/{measured.verifier.version}"


def data(done: JudgeEval) -> str:
    """How many rows of what, and their digest."""
    sets = len(done.measured.sets)
    rows = len(done.data.rows)
    return f"{rows} rows in {sets} data set{'' if sets == 1 else 's'}, {done.data.digest}"


def speed(measured: Measured) -> str:
    rate = measured.pairs_per_second
    return "" if rate is None else f"{rate:,.0f} pairs/s" if rate >= 10 else f"{rate:.1f} pairs/s"


def floor(one: Floor) -> str:
    """What was asked for and what was found."""
    name, bound = _FLOORS[one.name]
    found = "cannot be told from these data" if one.measured is None else f"is {one.measured:.3f}"
    return f"{name} {found}, asked for {bound} {one.bound:g}: {'holds' if one.met else 'does not hold'}"


def paired(done: JudgeEval, found: Paired) -> str:
    """Who was right where the other was not."""
    if done.against is None:
        return ""
    return (
        f"Of {len(done.measured.answers)} rows {card(done.measured)} alone is right on {found.first_only}, "
        f"{card(done.against)} alone on {found.second_only}: p = {found.p_value:.2g} (McNemar, exact, two-sided)."
    )
