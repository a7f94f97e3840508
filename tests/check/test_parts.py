"""Sentences cut into claims. Those marked "|" are cut there; the others stay whole."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.check.clauses import LONGEST
from affidavit.check.parts import parts

CUT = (
    "The bridge was opened in 1902, and | it carries 70 tonnes.",
    "The bridge was opened in 1902; | the ferry was stopped in 1910.",
    "Ada Marsh opened the bridge, and | Bo Roe closed the ferry.",
    "The gate is not shut, but | the bell is rung.",
    "The gate is shut; | however, the bell is not rung.",
    "A daily limit has a floor, whereas | a monthly limit has a ceiling.",
    "The ferry was opened by Ada Marsh, the mayor, and | the road was closed.",
    "NIST says the gate is shut, while | OMB says the bell is rung.",
    "The harbour is deep and | it has two piers.",
    "The Steering Council has five members; | the board has nine, who are elected every year.",
    "The purpose of this feature is not to implement a boundary, but | it is to discourage changes.",
    "The profile is implemented in C, although | it is not a replacement for the older one.",
)
LEADING = "While the first level allows one factor, | the second level requires two factors."
WHOLE = (
    "If the level is low, the gate is shut and the bell is rung.",
    "The gate must be shut and the bell must be rung, unless the tide is low.",
    "The gate is shut when the tide is low, and the bell is rung.",
    "Provided the tide is low, the gate is shut; the bell is rung.",
    "The gate is shut; otherwise, the bell is rung.",
    "In 2019, Ada Marsh was the mayor and Bo Roe was the harbour master.",
    "Under the old rules the gate was shut, and the bell was rung.",
    "Usually the gate is shut, and the bell is rung.",
    "The gate is shut, and the bell is rung, in most cases.",
    "He denied that the bridge was shut and the ferry was sunk.",
    "It is not the case that the bridge was shut, and the ferry was sunk.",
    "The gate is shut, and the bell is rung, the mayor said.",
    "The gate is shut, while the mayor says the bell is rung.",
    "According to the mayor the gate is shut; the bell is rung.",
    "Neither the gate is shut nor the bell is rung.",
    "Not only is the gate shut, but the bell is rung.",
    "Either the gate is shut or the bell is rung.",
    "The bridge, the road and the ferry were opened in 1902.",
    "The team that built the bridge and the team that built the road were merged.",
    "The rules say what the mayor must do, and the clerk must do it.",
    "Ada Marsh built the bridge, the dam, and the road paved with stone.",
    "Federation helps relying parties, but requires subscribers to have trust.",
    "The bridge was opened (it was old, and the road was new).",
    "He wrote: “The gate is shut, and the bell is rung.”",
    'He wrote: "The gate is shut; the bell is rung."',
    "While the pump was running, the sensor was logging the data.",
    "Most values are compared by equality, however the singletons True, False and None are compared by identity.",
    "The readers are similar to the first and the second, some code is duplicated.",
    "The cost of buying is small, and renewing them is not.",
    "| 1 year | $2M | The bridge was opened, and it was closed. |",
    "Is the gate shut, and is the bell rung?",
    "Was die Brücke war, und was der Turm was, ist nicht klar; der Rest ist es auch nicht.",
    "",
    "   ",
)


@pytest.mark.parametrize("marked", [*CUT, LEADING])
def test_a_sentence_of_several_claims_is_cut_where_each_begins(marked: str):
    text = marked.replace("| ", "")
    found = parts(text)
    begins = [len(before) for before in stems(marked.split("| "))]
    assert [start for start, _ in found][1:] == begins, [text[a:b] for a, b in found]


def stems(pieces: list[str]) -> list[str]:
    """What stands before each piece but the first."""
    return ["".join(pieces[:index]) for index in range(1, len(pieces))]


@pytest.mark.parametrize("text", WHOLE)
def test_what_might_lose_its_condition_its_speaker_or_its_denial_stays_whole(text: str):
    assert [text[start:end] for start, end in parts(text)] == ([text.strip()] if text.strip() else [])


def test_a_sentence_longer_than_any_stays_whole():
    text = "The gate is shut, and the bell is rung. " * (LONGEST // 20)
    assert len(parts(text)) == 1


WORDS = (
    "the gate is not shut , and but while whereas although ; if unless never no bell rung it was Ada "
    "that he said “ ” ( ) in 2019 70 tonnes must may which"
).split()
BETWEEN = re.compile(r"[\s,;]*(?:and|but|while|whereas|although|though|even though)?\s*", re.IGNORECASE)


@given(st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join))
def test_nothing_but_conjunctions_stands_outside_the_parts(text: str):
    found = parts(text)
    if not text.strip():
        assert found == []
        return
    assert BETWEEN.fullmatch(text, 0, found[0][0])
    assert found[-1][1] == len(text.rstrip())
    assert all(start < end for start, end in found)
    assert all(BETWEEN.fullmatch(text, one[1], other[0]) for one, other in pairwise(found))


@given(st.text(max_size=200))
def test_any_text_has_parts_in_order(text: str):
    found = parts(text)
    assert all(0 <= start < end <= len(text) for start, end in found)
    assert all(one[1] <= other[0] for one, other in pairwise(found))
