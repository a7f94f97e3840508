import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.errors import UserError
from affidavit.evals.agreement import Share
from affidavit.evals.floors import Floors
from affidavit.evals.judge import LEAST_OF_A_KIND, OTHER_KINDS, JudgeEval, Outcome, measure
from affidavit.evals.run import run_judge
from affidavit.evals.triples import LABELS, Triple
from affidavit.evidence.claim import Label
from affidavit.evidence.document import BlockKind
from affidavit.ledger import Ledger
from affidavit.verify import Guarded, VerbatimVerifier

from .conftest import N, P, S, ScoringTable, Table, X, rows, run, triples

Done = Callable[..., JudgeEval]


def test_a_verifier_sees_claim_and_span_and_neither_label_nor_neighbour():
    found = rows(S, N)
    seen: list[tuple[str, str]] = []

    class Watching(Table):
        async def verify(self, pair):
            seen.append((pair.claim_text, pair.span.text))
            return await super().verify(pair)

    asyncio.run(measure(Watching({row.claim: S for row in found}), found))
    assert seen == [(row.claim, row.span) for row in found]


def test_rows_are_pooled_and_told_by_set_and_by_kind():
    found = rows(S, N, dataset="a", kinds=("number",) * 2) + rows(
        *[N] * LEAST_OF_A_KIND, dataset="b", kinds=("date",) * 8
    )
    measured = run(Table({row.claim: S for row in found}), found)
    assert list(measured.sets) == ["a", "b"]
    assert list(measured.kinds) == ["date", OTHER_KINDS]
    assert measured.pooled.rows() == sum(one.rows() for one in measured.sets.values()) == 10
    assert [one.row.label for one in measured.falsely_supported] == [N] * 9


def test_near_misses_are_told_apart_from_the_rest():
    found = rows(S, N, P, N, kinds=("number", "number", "scope", None))
    measured = run(Table({row.claim: S if row.label is not N else N for row in found}), found)
    assert measured.near_misses is not None
    assert measured.near_misses.certified_right == Share(1, 2)
    assert run(Table({row.claim: S for row in found}), (found[0], found[3])).near_misses is None


def test_a_heading_is_shown_to_the_verifier_as_one_and_true_twins_are_told_apart():
    text = "Where the harbour is"
    as_heading, as_text = (
        Triple(dataset="a", row_id=block, claim=text, span=text, label=S, twin="verbatim", block=block)
        for block in (BlockKind.HEADING, BlockKind.PARAGRAPH)
    )
    seen: list[tuple[BlockKind, ...]] = []

    class Watching(Table):
        async def verify(self, pair):
            seen.append(pair.kinds)
            return await super().verify(pair)

    measured = run(Watching({text: N}), (as_heading, as_text))
    assert seen == [(BlockKind.HEADING,), (BlockKind.PARAGRAPH,)]
    assert measured.twins["verbatim"].rows() == 2


def test_progress_is_told_row_by_row():
    found, told = rows(S, N, N), list[tuple[int, int]]()
    asyncio.run(measure(Table({row.claim: N for row in found}), found, lambda done, total: told.append((done, total))))
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_only_a_verifier_with_scores_has_a_reliability_table():
    found = rows(S, N)
    said = {row.claim: row.label for row in found}
    assert run(Table(said), found).reliability is None
    scored = run(ScoringTable(said, scores={found[0].claim: 0.9}), found).reliability
    assert scored is not None
    assert scored.rows == 1


def test_a_score_is_heard_through_the_guards_and_only_where_they_asked():
    near, verbatim = (
        Triple(dataset="a", row_id=claim, claim=claim, span="The pier was closed in 1988.", label=S)
        for claim in ("The pier was closed.", "The pier was closed in 1988.")
    )
    said = {near.claim: N, verbatim.claim: N}
    guarded = Guarded(ScoringTable(said, scores={near.claim: 0.25, verbatim.claim: 0.5}))
    answers = run(guarded, (near, verbatim, near)).answers
    assert [one.score for one in answers] == [0.25, None, 0.25]
    assert [one.said for one in answers] == [N, S, N]


@pytest.mark.parametrize(
    ("answers", "floors", "outcome"),
    [
        ([(S, S), (N, N)], {}, Outcome.MEASURED),
        ([(S, S), (N, N)], {"max_false_supported": 0.0, "min_balanced_accuracy": 1.0}, Outcome.PASSED),
        ([(S, S), (N, S)], {"max_false_supported": 0.5}, Outcome.BELOW_FLOOR),
        ([(S, N), (N, N)], {"min_balanced_accuracy": 0.6}, Outcome.BELOW_FLOOR),
        ([(S, X), (N, X)], {}, Outcome.COULD_NOT_CHECK),
        ([(S, X), (N, X)], {"max_false_supported": 0.5}, Outcome.COULD_NOT_CHECK),
        ([(S, S)], {"max_false_supported": 0.5}, Outcome.COULD_NOT_CHECK),
        ([(N, N)], {"min_balanced_accuracy": 0.5}, Outcome.COULD_NOT_CHECK),
        ([(N, S)], {"min_balanced_accuracy": 0.5, "max_false_supported": 0.5}, Outcome.BELOW_FLOOR),
    ],
)
def test_a_floor_that_does_not_hold_or_cannot_be_told_is_no_pass(
    done: Done, answers: list[tuple[Label, Label]], floors: dict[str, float], outcome: Outcome
):
    given_rows = [("a", None, true, said, None) for true, said in answers]
    assert done(*given_rows, floors=Floors(**floors)).outcome is outcome


@given(st.lists(st.tuples(st.sampled_from(LABELS), st.sampled_from(Label)), min_size=1, max_size=30), st.floats(0, 1))
def test_no_run_passes_that_certified_more_than_its_floor_allows(pairs: list[tuple[Label, Label]], bound: float):
    found = rows(*(true for true, _ in pairs))
    measured = run(Table({row.claim: said for row, (_, said) in zip(found, pairs, strict=True)}), found)
    floors = Floors(max_false_supported=bound).held_against(measured.pooled)
    ended = JudgeEval(run_id="r", measured_at="", data=triples(found), measured=measured, against=None, floors=floors)
    if ended.outcome is Outcome.PASSED:
        assert len(measured.falsely_supported) <= bound * sum(true is not S for true, _ in pairs) + 1e-9
        assert any(said is not X for _, said in pairs)


@pytest.mark.parametrize("bound", [-0.1, 1.1, 5])
def test_a_floor_that_is_no_share_is_refused(bound: float):
    with pytest.raises(UserError, match="--max-false-supported"):
        Floors(max_false_supported=bound)


def test_a_run_is_recorded_with_its_data_its_figures_and_every_answer(tmp_path: Path):
    found = triples(rows(S, N, P, dataset="a"))
    first = Table({row.claim: row.label for row in found.rows})
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        ended = run_judge(
            first, found, ledger, against=Guarded(VerbatimVerifier()), progress=lambda name, done, total: None
        )
        (recorded,) = ledger.runs()
        events = ledger.events(recorded.run_id)
        ledger.verify(recorded.run_id)
    assert (recorded.run_id, recorded.kind, recorded.question, recorded.state) == (
        ended.run_id,
        "eval",
        "judge",
        "measured",
    )
    assert recorded.settings["data"]["digest"] == found.digest
    assert recorded.settings["verifier"] == "table/1"
    figures = [event.payload for event in events if event.type == "eval.figures"]
    assert figures[0]["pooled"]["as_not_supported"]["balanced_accuracy"] == 1.0
    answers = [event.payload["said"] for event in events if event.type == "eval.answers"]
    assert answers[0] == {"0": "SUPPORTED", "1": "NOT_SUPPORTED", "2": "PARTIAL"}
    assert ended.paired is not None
    assert ended.paired.first_only == 1
    json.dumps(figures)


def test_a_run_that_breaks_off_is_recorded_as_failed(tmp_path: Path):
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        with pytest.raises(KeyError):
            run_judge(Table({}), triples(rows(S)), ledger, progress=lambda name, done, total: None)
        assert ledger.runs()[0].state == "failed"
