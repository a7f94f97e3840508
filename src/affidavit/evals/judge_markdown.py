"""An eval of a verifier as Markdown: headline, floors, tables by data set and by kind, what it certified wrongly."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from affidavit.evals import judge_wording as wording
from affidavit.evals.agreement import Confusion
from affidavit.evals.judge import SUITE, SUITE_VERSION, JudgeEval, Measured
from affidavit.evals.reliability import Reliability
from affidavit.report import inert


def render_judge_markdown(done: JudgeEval) -> str:
    """`done` as a Markdown document in which nothing of the data acts as markup."""
    return "\n".join(_lines(done)).rstrip("\n") + "\n"


def _lines(done: JudgeEval) -> Iterator[str]:
    yield f"# {inert.markdown(wording.card(done.measured))} on labelled claims\n"
    yield f"**{wording.OUTCOMES[done.outcome]}** Suite {SUITE}/{SUITE_VERSION}, run {done.run_id}."
    for warning in done.warnings:
        yield f"\n> Warning: {inert.markdown(warning)}"
    yield f"\n{wording.data(done)}:\n"
    for file in done.data.files:
        yield f"- {inert.markdown(file.name)}: {file.rows} rows, sha256 {file.sha256}"
    if done.floors:
        yield "\n## Floors\n"
        yield from (f"- {wording.floor(one)}" for one in done.floors)
    yield from _measured(done.measured)
    if done.measured.falsely_supported:
        yield f"\n## {wording.FALSELY} ({len(done.measured.falsely_supported)})\n"
        for one in done.measured.falsely_supported:
            yield f"- {inert.markdown(f'{one.row.dataset} {one.row.row_id}')} ({one.row.label}):"
            yield f"  {inert.markdown(one.row.claim)}"
    found = done.paired
    if done.against is not None and found is not None:
        yield from _measured(done.against)
        yield f"\n## Held against each other\n\n{inert.markdown(wording.paired(done, found))}"


def _measured(measured: Measured) -> Iterator[str]:
    yield f"\n## {inert.markdown(wording.card(measured))}\n"
    told = wording.headline(measured)
    yield f"{told[0].upper()}{told[1:]}; {wording.agreement(measured)};"
    yield f"{wording.checked_only(measured)}. {wording.speed(measured)}.\n"
    yield f"{wording.LEGEND}\n"
    balanced, wrong, recall, unchecked = wording.means(measured)
    mean = (
        wording.MEAN,
        "",
        "",
        wording.decimal(balanced.value),
        wording.percent(wrong.value),
        "",
        wording.percent(recall.value),
        "",
        "",
        wording.percent(unchecked.value),
    )
    yield from _table("data set", {**measured.sets, wording.POOLED: measured.pooled}, [mean])
    if wording.tells_kinds(measured):
        yield ""
        yield from _table("kind", measured.kinds, [])
    if measured.twins:
        yield ""
        yield from _table("true twin", measured.twins, [])
    if measured.reliability is not None:
        yield from _reliability(measured.reliability)


def _table(what: str, groups: Mapping[str, Confusion], more: Sequence[Sequence[str]]) -> Iterator[str]:
    yield _row([what, *wording.HEADS])
    yield _row(["---", *["--:"] * len(wording.HEADS)])
    yield from (_row([inert.markdown(name), *wording.cells(one)]) for name, one in groups.items())
    yield from map(_row, more)


def _reliability(found: Reliability) -> Iterator[str]:
    yield f"\nScores ({found.rows} rows, expected calibration error {wording.decimal(found.expected_error)}):\n"
    yield _row(["score", "rows", "mean score", "SUPPORTED"])
    yield _row(["---", "--:", "--:", "--:"])
    for one in found.bins:
        if one.rows:
            span = f"{one.low:.1f}–{one.high:.1f}"
            yield _row([span, str(one.rows), wording.decimal(one.mean_score), wording.percent(one.supported)])


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
