"""The deterministic checks of a draft: what blocks, what is told, and where."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.evidence.fact import Category, Fact, FactState
from affidavit.write.checks import ADVISORY, BLOCKING, check_draft
from affidavit.write.memory import Memory, Recalled

TODAY = date(2026, 10, 1)


def fact(text, subject="it", *, value=None, note=None, owner=None, state=FactState.APPROVED, name=None):
    return Fact(
        fact_id=name or text,
        text=text,
        category=Category.NUMBERS,
        subject=subject,
        value=value,
        scope_note=note,
        owner=owner,
        state=state,
        decided_by="the owner",
        added_by="the owner",
    )


def check(draft, *facts, rejected=(), allowed=(), memory=None, max_words=None):
    return check_draft(
        draft,
        facts=facts,
        rejected=rejected,
        allowed=allowed,
        memory=memory or Memory(),
        max_words=max_words,
        today=TODAY,
    )


def codes(issues):
    return [issue.code for issue in issues]


def blocked(draft, *facts, **given):
    return [draft[one.start : one.end] for one in check(draft, *facts, **given) if one.blocks]


OFFICES = fact(
    "The company has offices in 45 countries.", "offices", note="countries with an office, not placements", value="45"
)
PLACED = fact(
    "Candidates have been placed in 91 countries.",
    "placements",
    note="placements, not offices; the company has offices in 45 countries",
    value="91",
)


def test_a_draft_that_says_what_the_facts_say_has_no_issue():
    assert check("We have offices in 45 countries and have placed candidates in 91.", OFFICES, PLACED) == ()


def test_every_issue_blocks_only_by_the_two_codes_that_may():
    assert not BLOCKING & ADVISORY
    for issue in check("We have 12% and 45 countries' offices, ISO 9001, and 45 countries.", OFFICES):
        assert issue.blocks == (issue.code in BLOCKING)


def test_twenty_two_invented_figures_of_a_tax_article_all_block():
    draft = """# Relief for research

From 1 April 2024 the credit is 20%, worth 15% after tax. Firms that spend 30% of £2.5m may claim at 14.5%, or £27 for
every £100. The average claim was £57,228; 65,690 firms made one, 23 per cent of them manufacturers, and 1,940 of those
claimed twice as much as in 2022.

- Notify within 6 months, and claim within two years.
- Expect an answer in 40 days: one in five claims is opened, up from 3.5%.
- Penalties reach 70%, and £1.7bn was recovered from 2,000 companies.
"""
    found = blocked(draft)
    assert len(found) == 22
    assert "1 April 2024" in found
    assert "one in five" in found
    assert "two years" in found


def test_a_figure_is_matched_by_value_unit_and_scale():
    facts = (fact("The group has 1,386 devices and a turnover of £5m."),)
    assert blocked("It has nearly 1,400 devices and turns over 5 million pounds.", *facts) == []
    assert blocked("It has 1,386 devices and turns over £5bn.", *facts) == ["£5bn"]
    assert blocked("It has 1,386 devices and turns over $5m.", *facts) == ["$5m"]
    assert blocked("It has 13,860 devices.", *facts) == ["13,860"]


@pytest.mark.parametrize(
    ("said", "stated"),
    [
        ("forty-five countries", "45 countries"),
        ("5m users", "5,000,000 users"),
        ("five million users", "5m users"),
        ("between 10 and 14 weeks", "10 to 14 weeks"),
        ("a 20-year guarantee", "a guarantee of twenty years"),
        ("94 per cent of clients", "94% of clients"),
        ("two thirds of staff", "2/3 of staff"),
        ("founded in 1978", "The firm was founded in March 1978"),
    ],
)
def test_a_figure_may_be_written_another_way(said, stated):
    assert blocked(f"It is so: {said}.", allowed=[f"{stated}."]) == []


def test_no_figure_runs_on_over_an_empty_line():
    assert blocked("Turn it up to 11.\n\nDecember is near.", allowed=["Up to 11."]) == []


@pytest.mark.parametrize(
    "heading",
    ["Serving 91 Countries", "Why 91?", "Join 91 Companies", "Inside Ninety-One Practices", "We Employ 91 People"],
)
def test_a_heading_in_title_case_hides_no_figure(heading):
    assert blocked(f"## {heading}\n\nText.\n") in (["91"], ["Ninety-One"])


@pytest.mark.parametrize("heading", ["A Fortune 500 Company", "Windows 11 Users", "Apollo 11 Lessons", "Year 9 Pupils"])
def test_a_heading_in_title_case_may_hold_a_name_with_a_number(heading):
    assert blocked(f"## {heading}\n\nText.\n") == []


def test_a_year_needs_a_source_like_any_figure():
    assert blocked("In 1978 it began.", fact("Founded in 1978.")) == []
    assert blocked("In 1979 it began.", fact("Founded in 1978.")) == ["1979"]


@pytest.mark.parametrize(
    "draft",
    [
        "One of the best, on the other hand, one day, one by one.",
        "First ask, second listen. There are two of them and three reasons.",
        "Support is there 24/7, one-to-one, in a one-stop shop.",
        "1. Ask.\n2. Listen.\n3. Go.\n\n1) Step 1 is done.",
        "Step 1: call us. Part 2 of 5. A 3 min read. © 2026",
        "| Plan | For |\n|---|---|\n| A4 | Windows 11 |",
        "Run `pip install 45`.\n\n```\nx = 99\n```\n",
        "See [our page](https://example.org/2024/05/12) and ![a van](van-45.png).",
        "Form 1040, Section 12, COVID-19, B2B, 5G, the 21st century.",
        "A hundred reasons, half the battle, the eleventh hour, a thousand words.",
    ],
)
def test_numbers_that_state_nothing_never_block(draft):
    assert blocked(draft) == []


def test_a_small_count_in_words_blocks_only_where_it_is_claimed_of_the_customer():
    assert blocked("Take three colleagues to lunch.") == []
    assert blocked("Our four depots are open.") == ["four"]
    assert blocked("We run three workshops.") == ["three"]
    assert blocked("We reply within two days.") == ["two days"]
    assert codes(check("Wait two days before you decide.")) == ["count_without_source"]


def test_a_rejected_figure_blocks_whatever_its_form():
    rejected = [fact("We have more than 4,000 clients.", "clients", state=FactState.REJECTED)]
    for draft in ("Our 4,000 clients agree.", "Over four thousand clients agree.", "4k clients agree."):
        assert codes(check(draft, rejected=rejected)) == ["rejected_figure"]


def test_a_rejected_figure_is_rejected_though_the_profile_still_says_it():
    rejected = [fact("We have 4,000 clients.", "clients", state=FactState.REJECTED)]
    found = check("Our 4,000 clients agree.", rejected=rejected, allowed=["We serve 4,000 clients."])
    assert codes(found) == ["rejected_figure"]


def test_an_approved_fact_with_the_value_of_a_rejected_one_may_be_said():
    rejected = [fact("We have 12 hospitals.", "hospitals", state=FactState.REJECTED)]
    practices = fact("We have 12 practices.", "practices")
    assert check("We have 12 practices.", practices, rejected=rejected) == ()
    assert codes(check("We have 12 hospitals.", practices, rejected=rejected)) == ["rejected_figure"]


def test_a_year_that_only_a_rejected_fact_connects_with_the_founding_may_stand_elsewhere():
    rejected = [fact("The firm was founded in 2012.", "founding", state=FactState.REJECTED)]
    notes = ["Mention the 2012 conference in Leeds."]
    assert check("At the 2012 conference in Leeds everything changed.", rejected=rejected, allowed=notes) == ()
    assert codes(check("The firm was founded in 2012.", rejected=rejected, allowed=notes)) == ["rejected_figure"]


def test_a_figure_that_a_scope_note_denies_has_no_source():
    noted = fact("Offices in 45 countries.", "offices", note="not 70 countries, as an older page says")
    assert blocked("Offices in 70 countries.", noted) == ["70"]
    noted = fact("Offices in 1,450 towns.", "offices", note="“offices in 1,450 towns” (not “placed in 9,700 towns”)")
    assert blocked("Offices in 1,450 towns, and people in 700 towns.", noted) == ["700"]


def test_a_sum_has_no_source_whoever_did_the_adding():
    vets = fact("The group has 74 vets and 130 nurses.", "vets and nurses")
    assert blocked("In all, 204 vets and nurses work here.", vets) == ["204"]


def test_years_in_business_are_told_where_they_follow_and_block_where_they_do_not():
    founded = fact("The firm was founded in 1978.", "founding")
    for draft in (
        "With over 45 years of experience.",
        "For nearly half a century we have been roofers.",
        "48 years old.",
    ):
        assert codes(check(draft, founded)) == ["years_of_experience"]
    for draft in ("With over 60 years of experience.", "With 30 years in business."):
        assert codes(check(draft, founded)) == ["figure_without_source"]


def test_years_of_something_else_are_no_years_in_business():
    founded = fact("The firm was founded in 1978.", "founding")
    assert blocked("Two years ago a client rang. The van is five years old.", founded) == []
    draft = "For five decades we have been roofers. We have six decades of experience."
    assert blocked(draft, founded) == ["five decades", "six decades"]


def test_a_small_count_in_words_is_rejected_only_of_the_things_that_were():
    rejected = [fact("We have three offices.", "offices", state=FactState.REJECTED)]
    assert blocked("The three of them laughed. Three people came, for three reasons.", rejected=rejected) == []
    assert blocked("There are three offices.", rejected=rejected) == ["three"]


def test_an_anniversary_is_reckoned_too():
    founded = fact("The firm was founded in 1996.", "founding")
    assert codes(check("This is our 30th anniversary.", founded)) == ["years_of_experience"]
    assert codes(check("This is our 40th anniversary.", founded)) == ["figure_without_source"]


def test_a_bound_that_was_added_or_left_out_is_told():
    clients = fact("More than 11,000 bodies use it.")
    assert codes(check("11,000 bodies use it.", clients)) == ["figure_bound"]
    assert codes(check("35,000 petitions come in.", fact("25,000 to 35,000 petitions come in."))) == ["figure_bound"]


def test_a_standard_that_no_text_names_is_told():
    assert codes(check("We are certified to ISO 9001.")) == ["name_without_source"]
    assert check("We are certified to ISO 9001.", fact("Certified to ISO 9001.")) == ()


def test_sizes_are_held_against_sizes():
    facts = (fact("The site serves hundreds of thousands of users.", "the site"),)
    assert check("The site serves hundreds of thousands of users.", *facts) == ()
    assert blocked("The site serves hundreds of millions of users.", *facts) == ["hundreds of millions"]
    assert blocked("We print thousands of pages.", fact("The site serves millions of pages.", "the site")) == []
    assert codes(check("Thousands of readers like the site.")) == ["count_without_source"]


def test_a_figure_said_again_is_told_where_it_comes_again():
    draft = "# 19 farms\n\nWe buy from 19 farms.\n\nThe nineteen farms are small."
    found = check(draft, fact("Petrel buys from 19 farms.", "farms"))
    assert codes(found) == ["repeated_figure"]
    assert draft[found[0].start : found[0].end] == "nineteen"


def test_one_value_of_two_things_is_no_repetition():
    facts = (fact("There are 12 vans.", "vans"), fact("There are 12 drivers.", "drivers"))
    assert check("There are 12 vans. There are 12 drivers.", *facts) == ()


def test_what_an_earlier_piece_said_is_told_with_where():
    memory = Memory(
        (
            Recalled(
                title="Old",
                summary="",
                statistics=("We buy from 19 farms.",),
                sentences=("Cheap coffee is only cheap because somebody was paid less.",),
                url="https://e.example/old",
            ),
        )
    )
    draft = "There are 19 farms. Cheap coffee is only cheap because somebody was paid too little less."
    found = check(draft, fact("Petrel buys from 19 farms.", "farms"), memory=memory)
    assert codes(found) == ["reused_statistic", "reused_sentence"]
    assert all("“Old” (https://e.example/old)" in one.message for one in found)


def test_a_quotation_that_no_text_has_is_told_and_a_scare_quote_is_not():
    stated = fact("The judge said: “I can draft opinions on my tablet from the comfort of my recliner.”")
    assert check("“I can draft opinions on my tablet from the comfort of my recliner,” said the judge.", stated) == ()
    assert codes(check("“They changed our whole business overnight,” said a client.")) == ["quotation_not_found"]
    assert check("The so-called “best of breed” tool.") == ()


def test_too_many_words_are_told_from_the_first_that_is_too_many():
    draft = "One two three four. Five six seven."
    found = next(one for one in check(draft, max_words=5) if one.code == "over_length")
    assert draft[found.start : found.end] == "six seven."
    assert check("a b c", max_words=3) == ()


def test_offsets_are_of_the_markdown_as_given():
    draft = "## Why **91**?\n\n> We have [*offices*](x) in **91** countries &amp; more.\n"
    found = [one for one in check(draft, OFFICES) if one.blocks]
    assert [draft[one.start : one.end] for one in found] == ["91", "91"]
    assert found[1].sentence == "We have offices in 91 countries & more."


def test_front_matter_is_read_where_a_page_shows_it():
    draft = "---\ntitle: 45 offices\ndate: 2024-05-01\ndescription: 70 clients\n---\n\nText.\n"
    assert blocked(draft) == ["45", "70"]


@given(st.text(max_size=200))
def test_any_text_is_checked_and_every_place_is_in_it(draft):
    for issue in check(draft, OFFICES, PLACED, max_words=20):
        assert 0 <= issue.start <= issue.end <= len(draft)


@given(st.integers(13, 10**7))
def test_a_figure_that_a_fact_states_never_blocks(number):
    assert blocked(f"We have {number:,} trees.", fact(f"The estate has {number} trees.", "trees")) == []


@given(st.integers(13, 10**6), st.integers(13, 10**6))
def test_a_figure_of_another_value_always_blocks(number, other):
    stated = fact(f"The estate has {number} trees.", "trees")
    assert (blocked(f"We have {other} trees.", stated) == []) == (number == other)


def test_a_list_of_a_thousand_figures_is_one_sentence_of_which_each_finding_shows_a_part():
    draft = "We keep " + ", ".join(f"{number} crates" for number in range(2000, 3000)) + "."
    found = [one for one in check(draft, OFFICES) if one.blocks]
    assert len(found) == 1000
    middle = found[500]
    assert "2500 crates" in middle.sentence
    assert len(middle.sentence) < 700
    assert middle.sentence.startswith("…")
    assert middle.sentence.endswith("…")


def test_a_small_count_beside_another_number_of_the_same_things_blocks_and_names_that_number():
    (found,) = check("It has nine depots.", fact("The firm has 3 depots.", "depots", value="3"))
    assert (found.code, found.blocks) == ("figure_without_source", True)
    assert "“3”" in found.message


@pytest.mark.parametrize(
    ("draft", "through"),
    [
        ("The firm's nine depots are open.", False),
        ("Nine depots are open.", False),
        ("Two of the depots are open.", True),
        ("Two of the four depots are open.", True),
        ("Two more depots are planned.", True),
        ("Two people open a depot.", True),
    ],
)
def test_a_small_count_of_what_a_fact_counts_otherwise_blocks(draft, through):
    depots = fact("The firm has four depots.", "depots", value="4")
    people = fact("The firm has 36 people.", "people", value="36")
    assert (blocked(draft, depots, people) == []) is through


def test_a_time_belongs_to_the_figure_before_it_and_a_place_to_what_is_ours():
    vets = fact("The 74 vets treat 9,000 animals a year.", "vets", value="74")
    practices = fact("We run 12 practices in Kent.", "Practices in Kent", value="12")
    assert check("There are 74 vets at our 12 practices.", vets, practices) == ()


def test_an_unfilled_counter_is_a_figure_like_any_other():
    countries = fact("The firm serves 12 countries.", "countries", value="12")
    assert blocked("The firm serves 0+ countries.", countries) == ["0+"]
