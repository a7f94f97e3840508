"""The words and numbers of a judge's drift, for every format alike."""

from affidavit.evals.drift import NEXT, SHIPPED, Drift, Judge, Measurement
from affidavit.evals.judge_wording import interval, percent
from affidavit.report.wording import counted

MEASURED = ("measured", "verifier", "rows", "agree", "95% interval", "false S", "unchecked")
JUDGED = ("job", "verifier", "from", "until", "runs", "changed", "measured")
NOTHING = "Nothing was measured in this time: affidavit eval judge --verifier NAME."
LEGEND = (
    "agree: of the rows that the verifier could check, those answered with their very label. false S: of the rows that "
    "are not SUPPORTED, those certified. Of a model's two parts the second is the digest of its prompt."
)


def headline(found: Drift) -> str:
    """``Judges since 2026-11-01: measured 3 times, 1 not measured since it was changed.``"""
    unmeasured = len(found.unmeasured)
    told = f"{counted(unmeasured, 'judge')} that nobody has measured" if unmeasured else "every judge was measured"
    fallen = f", {counted(len(found.fallen), 'fall')} in agreement" if found.fallen else ""
    return f"Judges since {day(found.since)}: {counted(len(found.measurements), 'measurement')}, {told}{fallen}."


def measured(one: Measurement) -> tuple[str, ...]:
    """A line of the table `MEASURED`."""
    agreement = one.agreement
    return (
        minute(one.at),
        one.verifier,
        f"{one.rows} ({rows(one.digest)})",
        percent(agreement.value),
        interval(agreement),
        percent(one.false_supported.value),
        percent(one.could_not_check.value),
    )


def series(one: Measurement) -> str:
    """The verifier and the rows, which all figures of a series have in common."""
    return f"{one.verifier} on {counted(one.rows, 'row')} ({rows(one.digest)})"


def judged(one: Judge) -> tuple[str, ...]:
    """A line of the table `JUDGED`."""
    when = (day(one.first), day(one.last)) if one.job != NEXT else ("now", "–")
    known = "NOBODY" if one.measured is None else "elsewhere" if one.measured == SHIPPED else day(one.measured)
    return one.job, one.verifier, *when, str(one.runs), " and ".join(one.changed) or "–", known


def warnings(found: Drift) -> list[str]:
    """One line for each judge that nobody has measured, and for each fall."""
    told = [_unmeasured(one) for one in found.unmeasured]
    for before, after in found.fallen:
        told.append(
            f"{after.verifier} agrees less than it did on the same rows: {percent(before.agreement.value)} on "
            f"{day(before.at)} ({before.run_id}), {percent(after.agreement.value)} on {day(after.at)} ({after.run_id})"
        )
    return told


def _unmeasured(one: Judge) -> str:
    what = f" ({' and '.join(one.changed)} changed)" if one.changed else ""
    if one.job == NEXT:
        told = f"{one.verifier}{what} would judge the next run"
    else:
        told = f"{one.verifier}{what} judged {counted(one.runs, one.job)} since {day(one.first)} ({one.run_id})"
    return f"{told}, and nobody has measured it: affidavit eval judge --verifier {one.verifier.rsplit('/', 1)[0]}"


def rows(digest: str) -> str:
    """A digest of rows, short enough for a table."""
    return digest.removeprefix("sha256:")[:8]


def day(at: str) -> str:
    return at[:10]


def minute(at: str) -> str:
    return at[:16].replace("T", " ")
