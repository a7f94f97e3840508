"""Names of a claim that its span does not have, and the spellings that are the same name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.gates.finding import Severity
from affidavit.gates.names import check_names, names


def missing(claim: str, span: str) -> list[str]:
    return [claim[finding.start : finding.end] for finding in check_names(claim, span)]


@pytest.mark.parametrize(
    ("claim", "span"),
    [
        ("The pact was signed by Norway.", "Norway signed the pact."),
        ("Ludwig's sister moved to Zürich.", "The sister of Ludwig moved to Zurich."),
        ("It was praised by the WHO.", "The World Health Organization praised it."),
        ("It was praised by the World Health Organization.", "The WHO praised it."),
        ("There were adverse drug events (ADEs) in Oslo.", "In Oslo they counted adverse drug events."),
        ("It was led by Angela Merkel.", "Merkel led it."),
        ("It was led by Merkel.", "Angela Merkel led it."),
        ("It was led by Tim Roth.", "Timothy Roth led it."),
        ("They moved to the US.", "They moved to the United States."),
        ("They moved to the U.S. in May.", "In May they moved to America."),
        ("It is a French company.", "The company is from France."),
        ("The Parisian press liked it.", "The press of Paris liked it."),
        ("A video on YouTube shows it.", "You Tube has a video that shows it."),
        ("He studied at Yale University.", "He studied at Yale."),
        ("He thanked Mr Jones.", "He thanked Jones."),
        ("Growth came in Q4 2020.", "Growth came in the fourth quarter of 2020."),
        ("Jenna Jameson worked as a model.", "She had worked as a model."),
    ],
)
def test_another_spelling_of_a_name_is_the_name(claim: str, span: str) -> None:
    assert missing(claim, span) == []


@pytest.mark.parametrize(
    ("claim", "span", "name"),
    [
        ("Meteora is an album by Linkin Park.", "Meteora is an album by Metallica.", "Linkin Park"),
        ("It rains in North Korea.", "It rains in Korea.", "North"),
        ("It was seen by Michelle Obama.", "It was seen by Barack Obama.", "Michelle"),
        ("Acme was founded in March.", "Acme was founded in April.", "March"),
        ("It was praised by the WHO.", "The World Trade Organization praised it.", "WHO"),
        ("It is a German company.", "It is a French company.", "German"),
        ("They sell the iPhone there.", "They sell telephones there.", "iPhone"),
    ],
)
def test_a_name_that_the_span_lacks_caps_the_claim(claim: str, span: str, name: str) -> None:
    assert missing(claim, span) == [name]
    assert {(one.code, one.severity) for one in check_names(claim, span)} == {("name_not_there", Severity.CAP)}


def test_neither_an_opening_word_nor_a_headline_is_read_as_a_name() -> None:
    assert missing("Results were better than ever.", "They were better than ever.") == []
    assert missing("Seven Simple Rules For Better Writing Today", "Some rules.") == []


def test_joining_words_hold_a_name_together_and_and_does_not() -> None:
    found = names("It was sold by the Bank of England to Spain and France.")
    assert [name.words for name in found] == [("Bank", "England"), ("Spain",), ("France",)]


@given(st.text(alphabet="aB cD.É'’-(1) ", max_size=60))
def test_a_text_names_whatever_it_names(text: str) -> None:
    assert check_names(text, text) == ()
    for name in names(text):
        assert all(text[start:end] == word for word, (start, end) in zip(name.words, name.places, strict=True))


@pytest.mark.parametrize(
    ("claim", "span", "name"),
    [
        ("She worked for the Department of Justice.", "She worked for the Department of Education.", "Justice"),
        ("It is an XML Web Token.", "It is a JSON Web Token.", "XML"),
        ("Including XML support helps.", "She said so. Including TOML support helps.", "XML"),
    ],
)
def test_what_is_left_out_of_a_name_is_a_title_or_a_form_and_nothing_that_tells(
    claim: str, span: str, name: str
) -> None:
    assert missing(claim, span) == [name]
    assert missing("They met Justice Kagan of Acme Ltd.", "They met Kagan of Acme.") == []
