"""A compound question taken apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.ranking.decompose import decompose


def test_a_part_that_lacks_the_subject_is_given_it() -> None:
    assert decompose("Who manages the 3.15 and 3.16 releases of Python, and when is each expected to be final?", 5) == [
        "Who manages the 3.15 and 3.16 releases of Python?",
        "when is each expected to be final (manages 3.15 3.16 releases Python)?",
    ]


def test_a_part_that_lacks_its_verb_is_given_it() -> None:
    assert decompose("What draught and how many berths does the harbour at Larkhill have?", 5) == [
        "What draught does the harbour at Larkhill have?",
        "how many berths does the harbour at Larkhill have?",
    ]


def test_what_is_said_before_the_first_question_holds_for_each() -> None:
    assert decompose("Under Rule 12, how long must a notice hang, and what may follow Rule 13?", 5) == [
        "Under Rule 12, how long must a notice hang (Rule 13)?",
        "Under Rule 12, what may follow Rule 13?",
    ]


def test_a_run_of_questions_is_taken_apart() -> None:
    assert decompose("Where is the Larkhill bridge? How long is it?", 5) == [
        "Where is the Larkhill bridge?",
        "How long is it (Larkhill bridge)?",
    ]


@pytest.mark.parametrize(
    "question",
    [
        "How deep is the harbour?",
        "Who founded Acme and when?",
        "How do the north and south piers compare in length and cost?",
        "What did the report say about who paid and how much they paid?",
        "Unless otherwise agreed, how many boats may enter?",
        "harbour depth",
        "Wann wurde der Hafen gebaut und wer bezahlte ihn?",
        "",
    ],
)
def test_where_the_joints_are_not_plain_the_question_stays_whole(question: str) -> None:
    assert decompose(question, 5) == [question]


def test_at_most_so_many_parts_and_the_last_holds_the_rest() -> None:
    question = "When was Larkhill founded, what charter was it given, and who burned it down?"
    assert len(decompose(question, 3)) == 3
    two = decompose(question, 2)
    assert len(two) == 2
    assert "burned" in two[1]
    assert decompose(question, 1) == [question]


@given(st.text(max_size=80), st.integers(min_value=0, max_value=6))
def test_some_part_is_always_left(question: str, at_most: int) -> None:
    parts = decompose(question, at_most)
    assert 1 <= len(parts) <= max(at_most, 1)
