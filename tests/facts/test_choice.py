"""Which thirty facts a register has where a site gives more."""

from dataclasses import replace

from affidavit.evidence.fact import Fact
from affidavit.facts.choice import chosen_of
from affidavit.facts.dropped import Why
from affidavit.facts.enforce import MOST

from .made import fact, source


def of_page(number: int, page: str, value: str = "450", **more: object) -> Fact:
    text = f"Quay {number} of {page} has {value} berths."
    quote = replace(source(text, f"https://harbour.example/{page}"), doc_id=f"doc_{page}", start=number, end=99)
    return fact(text, value=value, subject=f"berth of {page} {number}", sources=(quote,), **more)


def test_no_page_fills_the_register_while_others_have_something_to_say():
    long = [of_page(number, "post") for number in range(40)]
    others = [of_page(number, f"page-{number}", confidence=0.85) for number in range(10)]
    kept, dropped = chosen_of([*long, *others])
    assert len(kept) == MOST
    assert {one.fact_id for one in others} <= {one.fact_id for one in kept}
    assert {one.why for one in dropped} == {Why.NOT_CHOSEN}
    assert len(dropped) == 20


def test_the_figures_of_one_sentence_come_together_or_not_at_all():
    text = "We have 80 offices in 45 countries."
    both = [
        fact(text, fact_id=f"fact_{value}", value=value, subject=noun) for value, noun in (("80", "a"), ("45", "b"))
    ]
    many = [of_page(number, f"page-{number}", confidence=0.95) for number in range(MOST - 1)]
    kept, _ = chosen_of([*many, *both])
    assert len(kept) == MOST - 1
    kept, _ = chosen_of([*many[1:], *both])
    assert {"fact_80", "fact_45"} <= {one.fact_id for one in kept}


def test_a_count_of_two_rounds_gives_way_to_an_amount_and_own_words_to_nobody():
    slight = of_page(1, "a", value="two")
    amount = of_page(2, "b", value="$200 million")
    theirs = of_page(3, "c", value="$200 million", owner="Acme")
    own = of_page(4, "d", value="$200 million")
    many = [of_page(number, f"page-{number}") for number in range(MOST - 1)]
    for better, worse in ((amount, slight), (own, theirs)):
        kept, _ = chosen_of([worse, better, *many])
        assert better in kept
        assert worse not in kept


def test_both_sides_of_a_conflict_are_chosen_first():
    sides = [of_page(number, f"side-{number}", confidence=0.71, conflict_group="conflict_1") for number in (1, 2)]
    many = [of_page(number, f"page-{number}", confidence=0.95) for number in range(MOST)]
    kept, _ = chosen_of([*many, *sides])
    assert kept[:2] == sides
