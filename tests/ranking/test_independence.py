"""Copies of one report are one source."""

from affidavit.ranking.independence import copied_share, independence_groups

BODY = (
    "The council voted on Tuesday to repair the mill at a cost of 56 million crowns, ending a dispute of five years. "
    "The vote followed a survey in which engineers counted 469 cracked stones and called the north arch unsafe. "
    "Work is to start in April and to last sixteen months, and traffic will be led over the old ford meanwhile. "
    "Opponents said the money would be better spent on the ferry, which lost nine crossings to fog last year."
)
OTHER = (
    "We measured the north arch over two nights and found it sinking by two millimetres a month. Three laboratories "
    "tested the mortar for us; two found salt and one found nothing. The survey that the council was given says "
    "nothing of the mortar, and its author would not speak to us this week about what we had found there."
)


def test_copies_under_other_headlines_are_one_source() -> None:
    texts = [
        f"Relief as mill is saved. By staff. {BODY}",
        OTHER,
        f"Mill row ends. {BODY} Post plc, all rights reserved.",
    ]
    assert independence_groups(texts) == [0, 1, 0]


def test_a_copy_cut_short_is_still_a_copy() -> None:
    assert independence_groups([BODY, BODY[: len(BODY) // 2]]) == [0, 0]


def test_the_same_form_with_other_figures_is_another_report() -> None:
    other = BODY.replace("56", "12").replace("469", "88").replace("Tuesday", "Friday").replace("sixteen", "eight")
    other = other.replace("April", "March").replace("nine", "two").replace("five", "three").replace("mill", "weir")
    assert independence_groups([BODY, other]) == [0, 1]


def test_copies_of_copies_are_one_group() -> None:
    half = len(BODY) // 2
    assert independence_groups([BODY[:half], BODY, BODY[half:]]) == [0, 0, 0]


def test_a_text_too_short_to_say_stands_alone() -> None:
    assert independence_groups(["Closed for the season.", "Closed for the season.", ""]) == [0, 1, 2]
    assert copied_share("Closed.", "Closed.") == 0.0


def test_the_share_counts_runs_of_the_shorter_text() -> None:
    assert copied_share(BODY, f"{BODY} {OTHER}") == 1.0
    assert copied_share(BODY, OTHER) == 0.0
