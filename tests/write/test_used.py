"""Which facts a text uses."""

from affidavit.write.used import used_facts

from .conftest import make_fact

FACTS = [
    make_fact(1, "Harbour has offices in 45 countries.", "offices", "45"),
    make_fact(2, "Harbour has placed candidates in 91 countries.", "placements", "91"),
    make_fact(3, "Harbour repairs wooden boats for fishing families.", "repairs"),
]


def test_a_fact_is_used_where_a_sentence_has_its_figure_and_speaks_of_it():
    assert used_facts("Our offices are in 45 countries.", FACTS) == ("fact_0001",)


def test_the_figure_of_something_else_uses_nothing():
    assert used_facts("The band played 45 songs.", FACTS) == ()


def test_a_fact_without_a_figure_is_used_by_its_words():
    assert used_facts("Fishing families bring their wooden boats to us for repairs.", FACTS) == ("fact_0003",)
    assert used_facts("We like boats.", FACTS) == ()
