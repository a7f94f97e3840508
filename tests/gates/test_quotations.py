"""Where a text quotes, and whom it gives the words to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.gates.quotations import quotations


def words(text: str) -> list[str]:
    return [quotation.words for quotation in quotations(text)]


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ('He said "hello there friend" and left.', "hello there friend"),
        ("He said “hello there friend” and left.", "hello there friend"),
        ("He said ‘hello there friend’ and left.", "hello there friend"),
        ("He said 'hello there friend' and left.", "hello there friend"),
        ("„Das ist ein Zitat“, sagte sie.", "Das ist ein Zitat"),
        ("‚Das ist ein Zitat‘, sagte sie.", "Das ist ein Zitat"),
        ("»Das ist ein Zitat«, sagte sie.", "Das ist ein Zitat"),
        ("« Une citation ici », dit-elle.", "Une citation ici"),
        ("«\u202fUne citation ici\u202f», dit-elle.", "Une citation ici"),
        ("Il dit ‹une citation ici›.", "une citation ici"),
        ("Powiedziała: „cytat jest tutaj”.", "cytat jest tutaj"),
        ("”Svenskt citat här”, säger han.", "Svenskt citat här"),
        ("»Svenskt citat här», säger han.", "Svenskt citat här"),
        ("彼は「これは引用文です」と言った。", "これは引用文です"),
        ("彼は『これは引用文です』と言った。", "これは引用文です"),
        ("他说：“这是一个引用的句子。”然后走了。", "这是一个引用的句子。"),
        ('他说："这是一个直引号的引用句子"。', "这是一个直引号的引用句子"),
        ('他说"这是一个直引号的引用句子"了。', "这是一个直引号的引用句子"),
        ("``A quotation in TeX'' it was.", "A quotation in TeX"),
        ("''A quotation in a wiki'' it was.", "A quotation in a wiki"),
        (",,Ein getipptes Zitat'' war es.", "Ein getipptes Zitat"),
        ('“Opened curly, closed straight" it was.', "Opened curly, closed straight"),
        ("He said — “after a dash” — no more.", "after a dash"),
        ("(“in brackets here”)", "in brackets here"),
    ],
)
def test_every_typographic_kind_is_read(text: str, quoted: str) -> None:
    assert words(text) == [quoted]


@pytest.mark.parametrize(
    "text",
    [
        "They don't know what the boys' house is, and it's Ann's.",
        "They don’t know what the boys’ house is, and it’s Ann’s.",
        "In the '90s and the ’80s, rock 'n' roll was the users' choice.",
        "'Tis true and 'twas always so, 'cause they told 'em.",
        'He is 5\'10" tall and the pipe is 6" wide, 12" long.',
        "A 5′10″ man.",
        "\"\"\"a docstring here\"\"\" and '''another one here'''",
        "O'Brien, D’Arcy and the Joneses' dog.",
    ],
)
def test_apostrophes_and_inches_quote_nothing(text: str) -> None:
    assert words(text) == []


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("He said 'the boys' house is old' and left.", "the boys' house is old"),
        ("He said ‘the boys’ house is old’ and left.", "the boys’ house is old"),
        ("He said 'it isn't the '90s' twice.", "it isn't the '90s"),
        ('"a 6" pipe is used here" he said.', 'a 6" pipe is used here'),
    ],
)
def test_apostrophes_and_inches_end_no_quotation(text: str, quoted: str) -> None:
    assert words(text) == [quoted]


def test_a_year_before_the_closing_mark_is_no_inch() -> None:
    assert words('"born in 1999" and "died in 2019"') == ["born in 1999", "died in 2019"]


def test_a_quotation_within_a_quotation_is_one_deeper() -> None:
    found = quotations("“outer ‘inner words’ outer,” he said, “and „deep” too”")
    assert [(one.words, one.depth) for one in found] == [
        ("outer ‘inner words’ outer,", 0),
        ("inner words", 1),
        ("and „deep” too", 0),
        ("deep", 1),
    ]


def test_paragraphs_that_begin_with_the_mark_again_go_on() -> None:
    (found,) = quotations("“First paragraph.\n\n“Second paragraph.\n\n“Third,” said Ann Lee.")
    assert found.words == "First paragraph.\n\nSecond paragraph.\n\nThird,"
    assert found.closed


def test_a_mark_that_nothing_closes_gives_an_open_quotation_to_the_end_of_its_paragraph() -> None:
    found = quotations("He said “these words and left.\n\nAnother “closed one here”.")
    assert [(one.words, one.closed) for one in found] == [
        ("these words and left.", False),
        ("closed one here", True),
    ]


def test_paragraphs_that_nothing_ever_closes_are_each_told_of() -> None:
    found = quotations("“One paragraph here\n\n“Another one here\n\nAnd the end.")
    assert [(one.words, one.closed) for one in found] == [("One paragraph here", False), ("Another one here", False)]


def test_text_made_of_marks_is_read_in_its_stride() -> None:
    assert len(quotations("'a " * 2000 + "“b ‘c " * 2000)) <= 4001


def test_an_unclosed_mark_does_not_swallow_the_next_quotation() -> None:
    found = quotations('- "one without an end\n- "another with an end"')
    assert [(one.words, one.closed) for one in found] == [
        ("one without an end\n-", False),
        ("another with an end", True),
    ]


def test_marks_in_code_quote_nothing() -> None:
    text = 'Call `print("hello world")` and “read this text”.'
    assert [one.words for one in quotations(text, code=[(5, 27)])] == ["read this text"]


def test_short_ones_are_scare_quotes() -> None:
    assert [one.scare for one in quotations("a “fix” and a “real quotation”")] == [True, False]


def test_a_block_quotation_is_quoted_whole_without_its_line_marks_and_signature() -> None:
    text = "Ann says:\n\n> The harbour opened\n> in 1904.\n> — Bo Roe, keeper\n\nAfter."
    start = text.index("> The")
    (found,) = quotations(text, blocks=[(start, text.index("\n\nAfter"))])
    assert found.words == "The harbour opened\nin 1904."
    assert found.kind == "block"
    assert found.attribution is not None
    assert found.attribution.name == "Bo Roe"


def test_a_block_that_begins_with_a_mark_and_adds_who_spoke_is_quoted_by_its_marks() -> None:
    text = "> “The harbour opened in 1904,” said the keeper."
    assert [one.words for one in quotations(text, blocks=[(0, len(text))])] == ["The harbour opened in 1904,"]


def test_a_line_that_leads_in_names_who_a_block_is_from() -> None:
    text = "As RFC 9110 says:\n\n> A client MUST send it."
    (found,) = quotations(text, blocks=[(text.index(">"), len(text))])
    assert found.attribution is not None
    assert found.attribution.name == "RFC 9110"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("“The harbour is open,” said Chris Holly.", "Chris Holly"),
        ("“The harbour is open,” Chris Holly said.", "Chris Holly"),
        ("“The harbour is open.” — Chris Holly, keeper", "Chris Holly"),
        ("“The harbour is open” (Holly, 2019).", "Holly"),
        ("According to NIST, it is “open for all now”.", "NIST"),
        ("As PEP 416 puts it, it is “safe by design.”", "PEP 416"),
        ("PEP 703 calls the lock “a major obstacle.”", "PEP 703"),
        ("As section 6 says, “Lifetimes are short.”", "section 6"),
        ("In Jane Roe’s own words, it was “a long day”.", "Jane Roe"),
        ("It was described by Jane Roe as “a long day”.", "Jane Roe"),
        ("NIST: “Passwords shall be long.”", "NIST"),
        ("**Ann Lee:** “Passwords shall be long.”", "Ann Lee"),
        ("In 2017 NIST wrote that “passwords shall be long”.", "NIST"),
        ("PEP 703 (by Sam Gross) says “the lock is global”.", "PEP 703"),
        ("The NIST guideline, which is old, says “words are long”.", "NIST guideline"),
        ("As the authors of PEP 703 put it, “the lock is global”.", "authors of PEP 703"),
        ("“The harbour is open” (NIST SP 800-63B, section 5.1).", "NIST SP 800-63B"),
        ("„Das ist alles“, sagte Anna Berg.", "Anna Berg"),
        ("« C’est une citation », dit Paul Roux.", "Paul Roux"),
    ],
)
def test_the_sentence_names_who_said_it(text: str, name: str) -> None:
    found = next(one for one in quotations(text)).attribution
    assert found is not None
    assert (found.name, found.named) == (name, True)
    assert text[found.start : found.end] == name


def test_a_quotation_taken_up_again_has_the_same_speaker() -> None:
    found = quotations("“The harbour,” said Ann Lee, “is open to all of us.” “It is,” said Bo Roe.")
    names = [one.attribution.name if one.attribution else None for one in found]
    assert names == ["Ann Lee", "Ann Lee", "Bo Roe"]


@pytest.mark.parametrize(
    "text",
    [
        "“The harbour is open,” he said.",
        "One reason was that “use of it is low.” PEP 814 adds a type.",
        "“The harbour is open.”\n\nAs section 6 says, it is shut.",
        "They call it “a very long day”.",
        "Ann Lee asked Bo Roe, who replied, “it is a very long day”.",
        "It is “a very long day” (see Section 5).",
        "It is “a very long day” (emphasis added).",
    ],
)
def test_a_pronoun_or_another_sentence_names_nobody(text: str) -> None:
    assert next(one for one in quotations(text)).attribution is None


def test_one_judge_is_nobody_in_particular() -> None:
    found = next(one for one in quotations("“I work from my recliner,” said one judge.")).attribution
    assert found is not None
    assert not found.named


@given(st.text(alphabet="ab \n.,'’\"“”„‘«»「」`5>", max_size=60))
def test_any_text_is_read_and_the_ranges_lie_in_it(text: str) -> None:
    for one in quotations(text, blocks=[(0, len(text))]):
        assert 0 <= one.start < one.end <= len(text)
        assert one.words.strip()


@given(
    st.lists(st.text(alphabet="abcde", min_size=1, max_size=6), min_size=3, max_size=8),
    st.sampled_from(["“”", "„“", "„”", "«»", "»«", "‹›", "‘’", "‚‘", "「」", "『』", '""', "””"]),
)
def test_words_set_between_marks_come_back(said: list[str], marks: str) -> None:
    sentence = " ".join(said)
    assert words(f"They wrote: {marks[0]}{sentence}{marks[1]}.") == [sentence]


@pytest.mark.parametrize("mark", ["「", "“", "„", "«", '"', "'", "“a” ", '"a '])
def test_a_text_of_marks_ends(mark: str) -> None:
    """What never closes lies within itself; held against each other, such ranges took time with their square."""
    for one in quotations(mark * (6_000 // len(mark))):
        assert one.start < one.end
