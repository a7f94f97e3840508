from dataclasses import replace

from affidavit.evidence.answer import Dropped
from affidavit.evidence.claim import Claim, Label
from affidavit.report import wording
from affidavit.report.outline import Outline, drop_reason


def statements(outline):
    return [one for section in outline.sections for group in section.groups for one in group.statements]


def test_every_claim_stands_in_the_outline_once_and_in_order(answer):
    outline = Outline(answer)
    printed = [one.verified for one in (*statements(outline), *outline.inferred)]
    assert printed == list(answer.claims)
    assert [one.verified for one in outline.partial] == list(answer.partial)


def test_numbers_rise_in_reading_order_and_one_span_has_one_number(answer):
    outline = Outline(answer)
    assert [citation.number for citation in outline.citations] == [1, 2, 3, 4]
    assert len({citation.span.span_id for citation in outline.citations}) == 4
    bond = outline.inferred[0].citations[0]
    assert outline.partial[0].citations == (bond,)
    assert outline.sides[0] == (outline.citations[1], outline.citations[2])


def test_claims_are_grouped_by_sub_question(answer):
    (section,) = Outline(answer).sections
    assert section.title == wording.ANSWER
    assert [group.title for group in section.groups] == ["When did the viaduct open?", "How many use it?"]


def test_a_sub_question_that_is_the_question_is_not_printed_again(answer):
    outline = Outline(replace(answer, question="When did the viaduct open?"))
    assert outline.sections[0].groups[0].title is None


def test_a_tested_claim_keeps_evidence_for_and_against_apart_and_shows_the_empty_side(tested):
    for_it, against = Outline(tested).sections
    assert for_it.title == "Evidence for the claim"
    assert len(for_it.groups) == 1
    assert against.title == "Evidence against the claim"
    assert not against.groups
    assert against.empty == "No sentence in these pages speaks against the claim."


def test_an_inference_shows_its_premises(answer):
    (inferred,) = Outline(answer).inferred
    assert [premise.text for premise in inferred.premises] == [answer.claims[0].claim.text, answer.claims[1].claim.text]


def test_nothing_sourced_has_no_sections_and_no_citations(nothing):
    outline = Outline(nothing)
    assert not outline.sections
    assert not outline.citations
    assert outline.lead == "No sentence in these pages answers this."


def test_a_reason_follows_the_state(answer):
    assert Outline(replace(answer, needs_human="The two counts disagree.")).lead.endswith("The two counts disagree.")
    assert Outline(replace(answer, failure="disk full")).lead.endswith("disk full")


def test_a_summary_that_only_repeats_claims_is_left_out(answer):
    repeated = " ".join(verified.claim.text for verified in answer.claims[:2])
    assert Outline(replace(answer, summary=repeated)).summary == ""
    assert Outline(answer).summary == answer.summary


def test_sources_know_what_is_cited_of_them(answer):
    outline = Outline(answer)
    assert [cited.numbers for cited in outline.sources] == [(1, 2, 4), (3,)]


def test_a_drop_names_verdict_reason_and_element(answer):
    (dropped,) = answer.dropped
    assert drop_reason(dropped) == "Not supported: silent on cost. The quotation does not establish: cost"
    whole = Dropped(Claim(text="All of it.", spans=()), Label.COULD_NOT_CHECK, "no verdict", "All of it.")
    assert drop_reason(whole) == "Could not be checked: no verdict"
