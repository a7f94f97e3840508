"""Whether quoted words stand in the source that is named."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.gates.finding import Severity
from affidavit.gates.quotation_check import QuotationResult, QuotationStatus, check_quotation, check_quotations
from affidavit.gates.quotations import quotations
from affidavit.gates.source_texts import PreparedSources, SourceText

HARBOUR = SourceText(
    "The harbour of Ostby",
    "The harbour opened in 1904. Keepers SHALL NOT be asked to pay more than $1,500 a year, and use of it is low. "
    'They may use the "paste" key. The board was unable to close it.\n\nThe gauge stands at the non-tidal quay, '
    "where boats wait for the tide to turn before they go on to the north.",
    url="https://harbour.example/rfc-0012/",
)
TALK = SourceText(
    "A talk at the quay",
    "Ann Lee: I am proud of the quay.\n\nBo Roe: We paid too much for it.\n\nAnn Lee: It was worth it.\n\n"
    "Bo Roe: That is what you say.",
    url="https://talk.example/2024/",
)
SOURCES = PreparedSources.of([HARBOUR, TALK])


def check(text: str, sources: PreparedSources = SOURCES) -> QuotationResult:
    return check_quotations(text, sources)[0]


@pytest.mark.parametrize(
    "text",
    [
        "It says “The harbour opened in 1904.”",
        "It says “the harbour opened in 1904”.",
        "It says “[t]he harbour opened in 1904,” and more.",
        "It says “harbour opened\u00a0in 19\u00ad04”.",
        "It says “They may use the ‘paste’ key.”",
        "It says “The harbour opened … use of it is low.”",
        "It says “The harbour opened [...] use of it is low.”",
        "It says “[The quay] opened in 1904.”",
        "It says “They may use the [red] key.”",
        "It says “The harbour opened in 1904 [sic].”",
        "It says “where boats wait for the tide.”",
    ],
)
def test_the_words_of_a_source_are_found_with_the_edits_that_quoting_allows(text: str) -> None:
    result = check(text)
    assert result.status is QuotationStatus.FOUND, result
    assert result.passage is not None
    assert HARBOUR.text[result.passage.start : result.passage.end] == result.passage.text


@pytest.mark.parametrize(
    "text",
    [
        "It says “The harbour opened in 1905.”",
        "It says “Keepers SHALL be asked to pay more”.",
        "It says “Keepers SHALL … be asked to pay more”.",
        "It says “Keepers SHALL [always] be asked to pay more”.",
        "It says “able to close it.”",
        "It says “Keepers shall not be asked to pay”.",
        "It says “tidal quay, where boats wait”.",
        "It says “pay more than $1”.",
        "It says “500 a year, and use of it is low”.",
        "It says “use of it is low … The harbour opened”.",
        "It says “the tide to turn before they go on to the nort”.",
    ],
)
def test_what_changes_a_word_or_cuts_one_or_hides_a_denial_is_rejected(text: str) -> None:
    result = check(text)
    assert result.status in (QuotationStatus.ALTERED, QuotationStatus.NOT_FOUND)
    assert [finding.severity for finding in result.findings] == [Severity.BLOCK]


def test_the_nearest_passage_is_shown_word_by_word() -> None:
    nearest = check("It says “where boats wait for the wind to turn before they go”.").nearest
    assert nearest is not None
    assert nearest.shown() == "where boats wait for the [-wind-] {+tide+} to turn before they go"


def test_an_invention_shows_no_passage() -> None:
    result = check("It says “our customers adore every single aspect of our offering”.")
    assert result.status is QuotationStatus.NOT_FOUND
    assert result.nearest is None


def test_every_edit_is_shown() -> None:
    result = check("It says “[t]he harbour opened … use of it is low.”")
    assert next((one.kind, one.original) for one in result.changes) == (
        "ellipsis",
        "in 1904. Keepers SHALL NOT be asked to pay more than $1,500 a year, and",
    )
    assert "case" in [one.kind for one in result.changes]


def test_a_long_cut_with_a_denial_is_a_warning() -> None:
    result = check("It says “The harbour opened … use of it is low.”")
    assert [(one.code, one.severity) for one in result.findings] == [("quotation_cut_denies", Severity.WARN)]


def test_a_denial_left_before_the_mark_is_a_warning_unless_the_draft_says_it() -> None:
    assert [one.code for one in check("Keepers can “be asked to pay more”.").findings] == ["quotation_clipped"]
    assert check("Keepers can not “be asked to pay more”.").findings == ()


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("“I am proud of the quay,” said Ann Lee.", QuotationStatus.FOUND),
        ("“I am proud of the quay,” said Bo Roe.", QuotationStatus.MISATTRIBUTED),
        ("“I am proud of the quay,” said one keeper.", QuotationStatus.FOUND),
        ("The harbour says “We paid too much for it.”", QuotationStatus.FOUND),
        ("Critics said “We paid too much for it.”", QuotationStatus.FOUND),
        ("As RFC 12 says, “The harbour opened in 1904.”", QuotationStatus.FOUND),
        ("As RFC 13 says, “The harbour opened in 1904.”", QuotationStatus.MISATTRIBUTED),
        ("As RFC 12 says, “We paid too much for it.”", QuotationStatus.MISATTRIBUTED),
        ("According to The harbour of Ostby, “The harbour opened in 1904.”", QuotationStatus.FOUND),
    ],
)
def test_a_name_binds_the_words_to_its_source_or_its_turn(text: str, status: QuotationStatus) -> None:
    assert check(text).status is status


def test_a_missing_closing_mark_warns_and_does_not_block() -> None:
    finding = check("It says “The harbour opened in 1905 and so on.").findings[0]
    assert (finding.code, finding.severity) == ("quotation_unclosed", Severity.WARN)


def test_scare_quotes_are_left_alone() -> None:
    assert check("A “fix”.").status is QuotationStatus.TOO_SHORT


def test_no_quotation_crosses_what_the_page_leaves_out() -> None:
    text = "The first part ends here and the second part begins there."
    broken = PreparedSources.of([SourceText("x", text, breaks=(text.index("and"),))])
    assert check("“ends here and the second part”", broken).status is not QuotationStatus.FOUND
    assert check("“the second part begins there”", broken).status is QuotationStatus.FOUND


def test_inner_quotations_are_part_of_the_outer_one() -> None:
    results = check_quotations("“They may use the ‘paste’ key.”", SOURCES)
    assert len(results) == 1


def test_no_sources_find_nothing() -> None:
    (quotation,) = quotations("“I am proud of the quay”")
    assert check_quotation(quotation, []).status is QuotationStatus.NOT_FOUND


WORDS = "harbour keeper tide boat quay gauge stone storm ledger vessel".split()


@given(st.lists(st.sampled_from(WORDS), min_size=12, max_size=30), st.data())
def test_any_run_of_words_is_found_and_no_changed_one_is(said: list[str], data: st.DataObject) -> None:
    text = " ".join(said)
    sources = PreparedSources.of([SourceText("x", text)])
    start = data.draw(st.integers(0, len(said) - 4))
    quoted = said[start : data.draw(st.integers(start + 4, len(said)))]
    assert check(f"“{' '.join(quoted)}”", sources).found
    changed = list(quoted)
    changed[data.draw(st.integers(0, len(quoted) - 1))] = "never"
    assert not check(f"“{' '.join(changed)}”", sources).found


@pytest.mark.parametrize("words", ["[sic] [sic] [sic]", "\ufeff" * 12, "... ... ... ...", "[sic!] ... [sic!]"])
def test_a_quotation_that_says_nothing_is_not_found_and_nothing_fails(words: str) -> None:
    for result in check_quotations(f"He wrote “{words}” there.", SOURCES):
        assert not result.found
