import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.verify.containment import contain

FOLLOWS = [
    ("The pier was closed in 1988.", "The pier was closed in 1988 after a storm."),
    ("In 1988 the pier was closed.", "The pier was closed in 1988 after a storm."),
    ("The pier was closed in 1988.", "In 1988, the pier was closed, and nobody complained."),
    ("The council closed the pier.", "The council, which had met in May, closed the pier."),
    ("The council closed the pier.", "The council closed the old wooden pier."),
    ("The colour of the hull was red.", "The color of the hull was red."),
    ("The tax rose by 10 percent.", "The tax rose by 10% in 1988."),
    ("The tax rose by 10 per cent.", "The tax rose by 10 % in 1988."),
    ("Three ships sank.", "3 ships sank in the harbour."),
    ("It has 36 floors.", "It was completed in 1989 and has 36 floors."),
    ("The film was directed by Ann Lee.", "The film was directed by Ann Lee, based on a novel."),
    ("Skunk is a comedy film.", "Skunk is a comedy film directed by Ann Lee."),
    ("Exercise is good for the heart.", "Exercise raises the pulse, but is good for the heart."),
    ("The songs reached the final.", "These came late, but the songs reached the final."),
]

LOSES = [
    ("Nobody was hurt.", "Nobody was hurt badly."),
    ("No delegate finished the report.", "No delegate finished the report on time."),
    ("Few members are from Europe.", "Few female members are from Europe."),
    ("It contains sand.", "It contains sand or salt."),
    ("It contains salt.", "It contains sand or salt."),
    ("He worked under the firm.", "He turned down offers to work under the firm."),
    ("He works for the firm.", "It is alleged that he works for the firm."),
    ("The two founded the site Funny in 2007.", "The two founded the site Funny or Die in 2007."),
    ("He taught at Franklin College.", "He taught at Franklin and Marshall College."),
    ("The landslides killed 3,185 people.", "The floods and landslides killed 3,185 people."),
    ("Anna married King John.", "Anna married the sister of King John."),
    ("They run a coffee.", "They run a coffee shop."),
    ("The minister resigned.", "The former minister resigned."),
    ("The token expires after 30 days.", "The token expires after 30 days unless it is renewed."),
    ("Jake won the game.", "None but Jake won the game."),
    ("Verifiers must store the secret.", "Verifiers operated by agencies must store the secret."),
    ("The pier was closed.", "The pier was nearly closed."),
    (
        "In 1902 the mill employed 340 people.",
        "In 1902 the mill employed 12 people, and 340 people worked in the port.",
    ),
    ("Sales rose.", "The ministry claimed that sales rose."),
]

IS_NOT_THERE = [
    ("The pier was opened in 1988.", "The pier was closed in 1988."),
    ("The dog bit the man.", "The man bit the dog."),
    ("The pier is very long.", "The council closed the pier in 1988."),
    ("", "The council closed the pier in 1988."),
]


@pytest.mark.parametrize(("claim", "span"), FOLLOWS)
def test_what_is_left_out_of_an_upward_context_takes_nothing_along(claim: str, span: str):
    found = contain(claim, span)
    assert found is not None
    assert found.risks == ()


@pytest.mark.parametrize(("claim", "span"), LOSES)
def test_what_the_claim_hangs_on_is_named_as_a_risk(claim: str, span: str):
    found = contain(claim, span)
    assert found is None or found.risks


@pytest.mark.parametrize(("claim", "span"), IS_NOT_THERE)
def test_other_words_or_another_order_are_not_contained(claim: str, span: str):
    assert contain(claim, span) is None


def test_each_sentence_of_a_claim_must_stand_somewhere():
    span = "The pier was closed in 1988. A storm had damaged it."
    assert contain("A storm had damaged it. The pier was closed in 1988.", span) is not None
    assert contain("The pier was closed in 1988. Nobody complained.", span) is None


WORDS = st.lists(st.sampled_from("the old pier was closed by a storm in May nobody not or and".split()), min_size=1)


@given(WORDS)
def test_every_text_of_words_contains_itself_without_risk(words: list[str]):
    text = " ".join(words) + "."
    found = contain(text, text)
    assert found is not None
    assert found.risks == ()


@given(WORDS, st.data())
def test_a_claim_with_a_word_that_the_span_has_not_is_never_contained(words: list[str], data: st.DataObject):
    at = data.draw(st.integers(0, len(words)))
    claim = " ".join([*words[:at], "zeppelin", *words[at:]]) + "."
    assert contain(claim, " ".join(words) + ".") is None
