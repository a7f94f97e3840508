"""Whether one figure bears out another: the rules of the module, one by one."""

import pytest

from affidavit.gates.numbers import Relation, compare, mentions

CASES = [
    ("28%", "28 percent", Relation.SAME),
    ("28%", "18%", Relation.OTHER_VALUE),
    ("28%", "28.4%", Relation.ROUNDED),
    ("28.4%", "28%", Relation.OTHER_VALUE),
    ("3.2%", "3.7%", Relation.OTHER_VALUE),
    ("4%", "3.7%", Relation.OTHER_VALUE),
    ("in 2018", "in 2019", Relation.OTHER_VALUE),
    ("3.3 million people", "3,301,234 people", Relation.ROUNDED),
    ("about 3.3 million people", "3,301,234 people", Relation.ROUNDED),
    ("about 140,000 people", "140,803 people", Relation.ROUNDED),
    ("140,000 people", "140,803 people", Relation.OTHER_VALUE),
    ("about 300 people", "345 people", Relation.OTHER_VALUE),
    ("more than 140,000 people", "140,803 people", Relation.BOUNDED),
    ("140,803 people", "more than 140,000 people", Relation.OTHER_VALUE),
    ("more than 150,000 people", "140,803 people", Relation.OTHER_DIRECTION),
    ("over 100 people", "140,803 people", Relation.OTHER_VALUE),
    ("nearly 3.3 million people", "3,301,234 people", Relation.OTHER_DIRECTION),
    ("nearly 3.4 million people", "3,301,234 people", Relation.BOUNDED),
    ("over half", "58%", Relation.BOUNDED),
    ("at least 60 people", "more than 60 people", Relation.SAME),
    ("more than 60 people", "at least 60 people", Relation.ADDED_BOUND),
    ("fewer than 60 people", "more than 60 people", Relation.OTHER_DIRECTION),
    ("at most 70 people", "at most 60 people", Relation.OTHER_VALUE),
    ("60 people", "at least 60 people", Relation.DROPPED_BOUND),
    ("at least 60 people", "60 people", Relation.ADDED_BOUND),
    ("5m people", "5 million people", Relation.SAME),
    ("5 million people", "5 billion people", Relation.OTHER_SCALE),
    ("5%", "5 percentage points", Relation.OTHER_UNIT),
    ("50 bps", "0.5 percentage points", Relation.SAME),
    ("$5", "€5", Relation.OTHER_UNIT),
    ("5 km", "5000 m", Relation.SAME),
    ("5 km", "5 miles", Relation.OTHER_VALUE),
    ("2 hours", "120 minutes", Relation.SAME),
    ("12 months", "365 days", Relation.OTHER_UNIT),
    ("half of them", "50%", Relation.SAME),
    ("one in five", "20%", Relation.SAME),
    ("two thirds", "66.7%", Relation.SAME),
    ("two thirds", "65%", Relation.OTHER_VALUE),
    ("4–6 mg", "between 4 and 6 mg", Relation.SAME),
    ("4–6 mg", "4–7 mg", Relation.OTHER_VALUE),
    ("4 mg", "4–6 mg", Relation.OTHER_VALUE),
    ("in 2019", "on 4 May 2019", Relation.SAME),
    ("in May 2019", "on 4 May 2019", Relation.SAME),
    ("on 4 May", "on 4 May 2019", Relation.SAME),
    ("on 4 May 2019", "in May 2019", Relation.OTHER_VALUE),
    ("in Q2 2019", "on 4 May 2019", Relation.SAME),
    ("in the 1990s", "in 1994", Relation.BOUNDED),
    ("the 21st boat", "21 boats", Relation.OTHER_UNIT),
    ("1978 boats", "in 1978", Relation.OTHER_UNIT),
]


@pytest.mark.parametrize(("claim", "source", "relation"), CASES)
def test_each_rule(claim: str, source: str, relation: Relation) -> None:
    (ours,), (theirs,) = mentions(claim), mentions(source)
    assert compare(ours, theirs).relation is relation


def test_a_figure_bears_itself_out() -> None:
    for text in {text for case in CASES for text in case[:2]}:
        (found,) = mentions(text)
        assert compare(found, found).relation is Relation.SAME
