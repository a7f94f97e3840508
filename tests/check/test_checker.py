"""What a whole check says of drafts with known faults; each fault is of a kind, in a subject of its own."""

from collections.abc import Callable

import pytest

from affidavit.check import Checker, markdown_draft
from affidavit.evidence.check import Check, SentenceState
from affidavit.models.embedded import SentenceEncoder

Checked = Callable[..., Check]

MILL = """# The Aldermoor mill

The Aldermoor mill was built in 1871 by Ada Marsh, and it ground 40 tonnes of barley a day. The keeper must close the
sluice before sunset. Visitors may enter the loft on Sundays. The wheel turns in summer, and it does not turn in
winter. In 1902 the mill employed 12 people, and 340 people worked in the harbour. The miller is paid on a monthly
basis. “The wheel has never stood still for long,” the miller wrote. Most of the millstones came from France.

| Stone | Origin | Weight |
|---|---|---|
| Upper | France | 900 kg |
| Lower | Wales | 1,100 kg |
"""


def states(check: Check) -> list[str]:
    return [sentence.state.value for sentence in check.claims if sentence.state]


def codes(check: Check) -> set[str]:
    return {remark.code for sentence in check.claims for remark in sentence.findings}


@pytest.mark.parametrize(
    "claim",
    [
        "The Aldermoor mill was built in 1871 by Ada Marsh.",
        "Ada Marsh built the Aldermoor mill in 1871.",
        "The keeper must close the sluice before sunset.",
        "The mill ground 40 tonnes of barley a day.",
        "The miller wrote: “The wheel has never stood still for long.”",
        "In 1902, 340 people worked in the harbour.",
    ],
)
def test_what_a_source_says_is_sourced(checked: Checked, claim: str):
    check = checked(claim, MILL)
    assert states(check) == ["sourced"], check.claims
    (sentence,) = check.claims
    assert sentence.span is not None
    assert check.document(sentence.span.doc_id).text[sentence.span.start : sentence.span.end] == sentence.span.text


@pytest.mark.parametrize(
    ("claim", "code"),
    [
        ("The Aldermoor mill was built in 1873 by Ada Marsh.", "figure_without_source"),
        ("The mill ground 40 litres of barley a day.", "figure_other_unit"),
        ("The miller wrote: “The wheel has always stood still for long.”", "quotation_altered"),
        ("“Bread is the measure of a town,” the miller wrote.", "quotation_not_found"),
        ("The keeper may close the sluice before sunset.", "modality"),
        ("The keeper must not close the sluice before sunset.", "negation_added"),
        ("In winter the wheel does turn.", None),
        ("In 1902 the mill employed 340 people.", "figure_of_another"),
        ("The miller is paid on a weekly basis.", "other_period"),
        ("All of the millstones came from France.", "quantifier"),
    ],
)
def test_what_no_source_says_or_a_source_denies_is_never_sourced(checked: Checked, claim: str, code: str | None):
    check = checked(claim, MILL)
    assert states(check) != ["sourced"]
    if code is not None:
        assert states(check) == ["rejected"], check.claims
        assert code in codes(check)


@pytest.mark.parametrize(
    "claim",
    ["The mill is the prettiest in the county.", "Bakers prefer its flour.", "The mill was sold to a brewery."],
)
def test_what_no_source_speaks_of_is_unsourced(checked: Checked, claim: str):
    assert states(checked(claim, MILL)) == ["unsourced"]


def test_a_derived_figure_is_unsourced_and_says_of_what(checked: Checked):
    check = checked("The mill employed 328 fewer people than the harbour.", MILL)
    assert states(check)[0] in ("unsourced", "rejected")
    assert codes(check) & {"figure_derived", "figure_without_source"}


def test_a_row_is_held_against_the_sources_cell_by_cell(checked: Checked):
    draft = "| Stone | Origin |\n|---|---|\n| Upper | France |\n| Lower | France |\n"
    assert states(checked(draft, MILL)) == ["sourced", "rejected"]


def test_headings_and_questions_get_no_state(checked: Checked):
    check = checked("# Built in 1999\n\nWho built it in 1999?\n\nAda Marsh built the Aldermoor mill in 1871.\n", MILL)
    assert [sentence.state for sentence in check.sentences] == [None, None, SentenceState.SOURCED]
    assert check.counts["not_claims"] == 2


def test_a_quotation_given_to_the_wrong_source_is_rejected(checked: Checked):
    bridge = "# PEP 7\n\nThe bridge is old.\n"
    mill = "# PEP 8\n\nThe wheel has never stood still for long.\n"
    check = checked("As PEP 7 says, “The wheel has never stood still for long.”", bridge, mill)
    assert states(check) == ["rejected"]
    assert check.quotations[0].status == "misattributed"


def test_what_another_passage_lets_somebody_say_is_not_sourced_by_one_that_only_names_them(checked: Checked):
    others = "# The county\n\n“We are glad to have a mill and its wheel,” said Ruth Ellery of the county council.\n"
    quoted = "“The wheel has never stood still for long,”"
    check = checked(
        f"{quoted} said Ruth Ellery of the county council, glad to have a mill and its wheel.", others, MILL
    )
    assert states(check) == ["unsourced"]
    assert "said_elsewhere" in codes(check), check.claims
    check = checked(f"{quoted} the miller wrote.", others, MILL)
    assert states(check) == ["sourced"]
    assert "said_elsewhere" not in codes(check)


def test_offsets_of_findings_are_in_the_file_itself(checked: Checked):
    draft = "# A title\n\nThe *Aldermoor* mill was **built** in 1873 by Ada Marsh.\n"
    check = checked(draft, MILL)
    (finding,) = [one for one in check.claims[0].findings if one.code == "figure_without_source"]
    assert draft[finding.start : finding.end] == "1873"
    assert [draft[one.start : one.end] for one in check.figures] == ["1873"]


def test_without_a_source_nothing_is_checked_and_nothing_passes(encoder: SentenceEncoder):
    check = Checker([], encoder).check(markdown_draft("d.md", "It was built in 1871, “they all say so”."), run_id="r")
    assert states(check) == ["could_not_check"]
    assert check.state is SentenceState.COULD_NOT_CHECK


def test_a_draft_that_claims_nothing_was_not_checked(checked: Checked):
    assert checked("# Only a title\n\nReally?\n", MILL).state is SentenceState.COULD_NOT_CHECK


@pytest.mark.parametrize(
    "draft",
    [
        "这座磨坊建于1871年。它每天磨九十吨粮食。",
        "بُنيت الطاحونة عام 1871. كانت تطحن أربعين طنا في اليوم.",
        "โรงสีสร้างขึ้นในปี 1871",
        "Die Mühle wurde 1871 gebaut. Sie mahlte 40 Tonnen Gerste am Tag.",
    ],
)
def test_a_draft_in_another_language_than_its_source_is_not_called_sourced(checked: Checked, draft: str):
    assert "sourced" not in states(checked(draft, MILL))


def test_a_draft_is_sourced_by_a_source_in_its_own_language(checked: Checked):
    source = "Die Mühle wurde 1871 von Ada Marsh gebaut. Sie mahlte 40 Tonnen Gerste am Tag.\n"
    assert states(checked("Sie mahlte 40 Tonnen Gerste am Tag.", source)) == ["sourced"]
    assert states(checked("Sie mahlte 90 Tonnen Gerste am Tag.", source)) == ["rejected"]
