"""The summary says what published claims say; what it says beside that is cut."""

import pytest

from affidavit.research.anaphora import leans_back

from .conftest import draft, fetch, judging, plan, quote

ASKED = "When was Aldersbrook pier closed?"
REBUILT = "When was Aldersbrook pier rebuilt?"
CLOSED = "Aldersbrook pier was closed in March 1988."
AGAIN = "Aldersbrook pier was rebuilt in 1994."
CLOSED_QUOTE = quote("pier.md", "The pier at Aldersbrook was closed", max_chars=80)
REBUILT_QUOTE = quote("pier.md", "The pier was rebuilt in 1994", max_chars=80)


def summed_up(world, summary, *, claims=((CLOSED, 0), (AGAIN, 1)), judge=None, **more):
    script = [plan(ASKED, REBUILT), fetch("pier.md"), CLOSED_QUOTE, REBUILT_QUOTE, draft(*claims, summary=summary)]
    return world.ask(script, **({"judge": judge} if judge else {}), **more)


def test_a_sentence_that_no_claim_says_is_cut_and_the_cut_recorded(world):
    ran = summed_up(world, "The pier was closed in March 1988. Ships avoided Portugal in 1755.")
    assert ran.answer.summary == "The pier was closed in March 1988."
    assert ran.of("verified")[0]["cut"] == ["Ships avoided Portugal in 1755."]


def test_what_leans_on_a_sentence_that_was_cut_is_cut_with_it(world):
    ran = summed_up(
        world, "Ships avoided Portugal in 1755. It was closed in March 1988. Aldersbrook pier was rebuilt in 1994."
    )
    assert ran.answer.summary == AGAIN
    assert len(ran.of("verified")[0]["cut"]) == 2


def test_a_figure_that_no_claim_has_cuts_the_sentence_whatever_the_judge_says(world):
    ran = summed_up(world, "Aldersbrook pier was closed in March 1989. Aldersbrook pier was rebuilt in 1994.")
    assert ran.answer.summary == AGAIN


def test_a_summary_of_nothing_but_cut_sentences_is_the_claims(world):
    ran = summed_up(world, "Ships avoided Portugal in 1755.")
    assert ran.answer.summary == f"{CLOSED} {AGAIN}"


def test_the_sentences_of_one_subquestion_stand_together_in_the_order_of_the_claims(world):
    ran = summed_up(world, f"{AGAIN} {CLOSED}")
    assert ran.answer.summary == f"{CLOSED} {AGAIN}"


def test_a_dropped_claim_says_nothing_in_the_summary(world):
    ran = summed_up(
        world, f"{CLOSED} {AGAIN}", judge=judging("NOT_SUPPORTED", AGAIN, "rebuilt in 1994"), max_tool_calls=6
    )
    assert ran.published == [CLOSED]
    assert ran.answer.summary == CLOSED


def test_a_summary_in_another_language_than_the_question_is_not_taken(world):
    german = "Der Pier von Aldersbrook wurde im März 1988 nach einem Sturm geschlossen und ist es nicht mehr."
    ran = summed_up(world, german)
    assert ran.answer.summary == f"{CLOSED} {AGAIN}"
    assert ran.of("verified")[0]["cut"] == [german]


def test_a_question_in_german_gets_its_summary_in_german(world):
    asked = "Wann wurde der Pier von Aldersbrook geschlossen und wann ist er wieder gebaut worden?"
    claim = "Der Pier von Aldersbrook wurde 1988 geschlossen."
    ran = world.ask([plan(asked), fetch("pier.md"), CLOSED_QUOTE, draft((claim, 0), summary=claim)], question=asked)
    assert ran.published == [claim]
    assert ran.answer.summary == claim


def test_a_claim_that_leans_on_a_dropped_one_falls_with_it(world):
    ran = summed_up(
        world,
        "",
        claims=(("Importers closed the pier.", 0), ("It was closed in March 1988.", 0), (AGAIN, 1)),
        judge=judging("NOT_SUPPORTED", "Importers", "Importers"),
        max_tool_calls=6,
    )
    assert ran.published == [AGAIN]
    assert "leans on the sentence before it" in ran.answer.dropped[1].reason


@pytest.mark.parametrize(
    ("language", "text", "leans"),
    [
        ("en", "It was closed in 1988.", True),
        ("en", "However, the council objected.", True),
        ("en", "These rules apply to importers.", True),
        ("en", "This means that importers report.", True),
        ("en", "This law applies to importers.", False),
        ("en", "The council objected.", False),
        ("en", "Italy joined in 1957.", False),
        ("de", "Sie wurde 1988 geschlossen.", True),
        ("de", "Jedoch widersprach der Rat.", True),
        ("de", "Der Rat widersprach.", False),
        ("fr", "Cependant, le conseil a refusé.", True),
        ("fr", "Le conseil a refusé.", False),
        ("es", "Sin embargo, el consejo se opuso.", True),
        ("zh", "它于1988年关闭。", False),
        ("en", "", False),
        ("en", "1988.", False),
    ],
)
def test_what_leans_on_the_sentence_before_it(language, text, leans):
    assert leans_back(text, language) is leans
