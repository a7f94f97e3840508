from affidavit.check import strictly
from affidavit.evidence.check import SentenceState

SOURCE = (
    "The mill was erected in 1871 by Ada Marsh, who came from a family of bakers. "
    "Its great wheel stands still in winter because the river freezes over every year."
)
COPY = "The mill was erected in 1871 by Ada Marsh."
LIKELY = "Ada Marsh, who was from a family of bakers, erected the mill in 1871."


def states(check):
    return [one.state for one in check.claims]


def test_what_stands_in_a_sentence_is_sourced_in_the_first_degree(checked):
    check = checked(COPY, SOURCE)
    assert states(check) == [SentenceState.SOURCED]
    assert not check.claims[0].by_its_words
    assert strictly(check) == check


def test_what_is_sourced_by_its_words_says_so_and_strictly_is_not(checked):
    check = checked(LIKELY, SOURCE)
    assert states(check) == [SentenceState.SOURCED]
    assert check.claims[0].by_its_words
    strict = strictly(check)
    assert states(strict) == [SentenceState.UNSOURCED]
    assert [one.severity for one in strict.claims[0].findings] == ["cap"]


def test_strictly_changes_nothing_else(checked):
    check = checked("The mill was erected in 1872 by Ada Marsh.", SOURCE)
    assert strictly(check) == check


def test_a_bound_that_begins_with_no_denies_nothing(checked):
    said = "Cap each team's budget at no more than $10 million, that is between $1.5 and $4 million a year."
    assert states(checked(said, said)) == [SentenceState.SOURCED]
    allowed = "Boats may go up to 4 miles per hour on the canal."
    assert states(checked(allowed, "Boats on the canal must not exceed 4 miles per hour.")) != [SentenceState.REJECTED]
