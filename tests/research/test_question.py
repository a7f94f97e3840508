import pytest

from affidavit.ranking.terms import parts, stem, terms, words
from affidavit.research.question import Wanted, read_question


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("When was the bridge opened?", Wanted.DATE),
        ("In which year did the tower fall?", Wanted.DATE),
        ("How many ships were sunk?", Wanted.NUMBER),
        ("How much slower is the new engine?", Wanted.NUMBER),
        ("How much revenue did the port make?", Wanted.MONEY),
        ("Who built the pier?", Wanted.PERSON),
        ("Why was the pier built?", Wanted.ANYTHING),
        ("What must a keeper do when the lamp goes out?", Wanted.ANYTHING),
    ],
)
def test_the_wanted_kind_is_read_from_the_question(text: str, wanted: Wanted):
    assert read_question(text).wanted is wanted


@pytest.mark.parametrize(
    ("question", "sentence", "shows"),
    [
        ("How many ships were sunk?", "Three ships were sunk.", True),
        ("How many ships were sunk?", "Many ships were sunk.", False),
        ("How many ships were sunk?", "See Section 4.2 for the ships that were sunk.", False),
        ("How many ships were sunk?", "The ships are listed in RFC 2119.", False),
        ("How many ships were sunk in 1916?", "Ships were sunk in 1916.", False),
        ("How many ships were sunk in 1916?", "In 1916, 14 ships were sunk.", True),
        ("How much slower is it?", "It is 10-15% slower.", True),
        ("When was it built?", "It was built in 1871.", True),
        ("When was it built?", "It was built long ago.", False),
        ("Who built the Long Pier?", "The Long Pier was built by Ada Marsh.", True),
        ("Who built the Long Pier?", "The Long Pier was built by hand.", False),
        ("How much revenue did it make?", "It made $4.2 million.", True),
        ("How much revenue did it make?", "It made a profit.", False),
    ],
)
def test_a_sentence_shows_what_was_wanted_or_does_not(question: str, sentence: str, shows: bool):
    assert read_question(question).shows_wanted(sentence) is shows


def test_what_is_counted_named_or_dated_is_the_focus():
    assert read_question("How many taxpayers used the pilot?").focus >= {"taxpay"}
    assert read_question("Who is the harbour master of Brackwater?").focus >= {"master"}
    assert read_question("When was the pier closed?").focus == {"close"}
    assert read_question("How many times was the film downloaded?").focus == {"download"}


@pytest.mark.parametrize(
    ("question", "sought"),
    [
        ("Which countries ban lighthouses?", {"countri"}),
        ("Which electric boat has the longest range?", {"boat"}),
        ("On which pier is coffee served?", {"pier"}),
        ("What dress code does the harbour have?", {"code"}),
        ("What caused the fire?", set[str]()),
        ("What is the depth?", set[str]()),
        ("What did the keeper say?", set[str]()),
        ("What kind of lamp is it?", set[str]()),
    ],
)
def test_the_noun_after_which_or_what_is_sought(question: str, sought: set[str]):
    assert read_question(question).sought == sought


def test_of_a_role_its_last_word_is_the_focus():
    assert read_question("Who is the chief executive of the harbour?").focus == {stem("executive")}


def test_names_are_the_capitalised_words_that_do_not_begin_the_question():
    assert read_question("Did Ada Marsh visit Brackwater?").names == {"ada", "marsh", "brackwat"}


def test_an_identifier_is_one_specific_term_and_no_sum_of_parts():
    (term,) = [term for term in read_question("What does 800-63B-4 say?").terms if term.specific]
    assert not term.within(terms("SP 800-63B has four parts, 800, 63, B and 4."))
    assert term.within(terms("SP 800-63B-4 is out."))


def test_a_compound_is_found_by_its_parts():
    (term,) = [term for term in read_question("Is there a lock-file?").terms if term.parts]
    assert term.within(terms("The lock is kept in a file."))


def test_past_forms_meet_their_verbs():
    assert stem("chose") == stem("choose") == stem("chosen")
    assert stem("began") == stem("begins")


def test_scripts_without_spaces_give_pairs_of_characters():
    assert words("東京都庁") == ["東京", "京都", "都庁"]
    assert parts("800-63B") == ()
