import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.evidence import fold, folded_in

ALIKE = [
    ("3–5", "3-5"),
    ("a — b", "a - b"),
    ("one two", "one\xa0two"),
    ("one two", "one \n\t  two"),
    ("one two", "one\u2028two"),
    ("one two", "one\x85two"),
    ("one two", "one\r\n\r\ntwo"),
    ("10 000", "10\u202f000"),
    ("cooperation", "co\u00adoperation"),
    ("zero", "ze\u200bro\ufeff"),
    ("zero", "ze\u2060\u200dro"),
    ("hidden", "hid\U000e0041\U000e0042den"),
    ("turned", "\u202eturned\u202c"),
    ("'it' \"is\"", "‘it’ “is”"),
    ("„Gut“", '"Gut"'),
    ("non-stop", "non‑stop"),
    ("non-stop", "non‐stop"),
    ("-3", "−3"),
    ("3–5", "3‒5"),
    ("a—b", "a―b"),
    ("office finds", "oﬃce ﬁnds"),
    ("café", "cafe\u0301"),
    ("Å", "\u212b"),
    ("각", "\u1100\u1161\u11a8"),
    ("e\u0301", "e\u200d\u0301"),
    ("لا", "ﻻ"),
]

APART = [
    ("1,204", "1204"),
    ("3.2", "32"),
    ("3.2%", "3.2"),
    ("-3", "3"),
    ("+3", "3"),
    ("±3", "3"),
    ("< 3", "> 3"),
    ("≤ 3", "< 3"),
    ("$5", "5"),
    ("£5", "€5"),
    ("is", "is not"),
    ("don't", "dont"),
    ("Word", "word"),
    ("morning", "mоrning"),
    ("x²", "x2"),
    ("½", "1/2"),
    ("3–5", "35"),
    ("a—b", "ab"),
    ("a b", "ab"),
    ("it's", "it s"),
    ("5′", "5'"),
    ("١", "1"),
    ("naïve", "naive"),
    ("straße", "strasse"),
    ("Œuvre", "Oeuvre"),
    ("…", "..."),
    ("5 km", "5 \u3392"),
]

# Characters of every class that folding touches, and many that it must not.
MIXED = st.text(
    alphabet=st.one_of(
        st.sampled_from(
            " \t\n\r\x85\xa0\u2009\u2028\u3000\u00ad\u200b\u200d\u2060\ufeff\u202e\u2066\ufe0f\U000e0041"
            "'\"‘’“”„-‐‑−–‒—―ﬁﬃﬀﻻ\u0301\u0308\u0323eEoaAÅ\u212bé가\u1100\u1161\u11a8"
        ),
        st.sampled_from("0123456789.,+%±<>=≤≥$€£¥٣१abcxyzЖд中の"),
        st.characters(exclude_categories=("Cs",)),
    ),
    max_size=60,
)


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_what_a_reader_cannot_tell_apart_folds_alike(one: str, other: str) -> None:
    assert fold(one).text == fold(other).text


@pytest.mark.parametrize(("one", "other"), APART)
def test_what_a_reader_can_tell_apart_stays_apart(one: str, other: str) -> None:
    assert fold(one).text != fold(other).text


@given(MIXED)
def test_the_fold_of_a_fold_is_itself(text: str) -> None:
    once = fold(text).text
    assert fold(once).text == once


@given(MIXED)
def test_composed_and_decomposed_text_fold_alike(text: str) -> None:
    assert fold(unicodedata.normalize("NFD", text)).text == fold(unicodedata.normalize("NFC", text)).text


@given(st.text(alphabet="0123456789.,+%±<>=≤≥$€£¥٣१ abn't-−‐\u200b\u00ad\xa0“ﬁ", max_size=60))
def test_digits_signs_points_and_currency_come_through_in_order(text: str) -> None:
    keep = set("0123456789.,+%±<>=≤≥$€£¥٣१-")
    signed = text.replace("−", "-").replace("‐", "-")
    assert [c for c in fold(text).text if c in keep] == [c for c in signed if c in keep]


@given(MIXED)
def test_no_letter_or_digit_of_any_script_is_dropped(text: str) -> None:
    before = unicodedata.normalize("NFKD", text)
    after = unicodedata.normalize("NFKD", fold(text).text)
    assert [c for c in after if unicodedata.category(c)[0] in "LN"] == [
        c for c in before if unicodedata.category(c)[0] in "LN"
    ]


@given(MIXED, st.data())
def test_every_range_of_the_fold_leads_back_to_text_that_folds_to_it(text: str, data: st.DataObject) -> None:
    folded = fold(text)
    if not folded.text:
        return
    start = data.draw(st.integers(0, len(folded.text) - 1))
    end = data.draw(st.integers(start + 1, len(folded.text)))
    first, last = folded.to_source(start, end)
    assert 0 <= first < last <= len(text)
    assert folded.text[start:end] in fold(text[first:last]).text


@given(MIXED, st.data())
def test_every_range_of_the_source_stands_in_the_fold_where_the_map_says(text: str, data: st.DataObject) -> None:
    folded = fold(text)
    if not text:
        return
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    first, last = folded.from_source(start, end)
    assert 0 <= first <= last <= len(folded.text)
    if first < last:
        back = folded.to_source(first, last)
        # what a replacement covers is taken in whole, what was dropped at the edges is left out
        assert (
            fold(text[min(back[0], start) : max(back[1], end)])
            .text.strip(" ")
            .startswith(folded.text[first:last].strip(" ")[:1])
        )


def test_what_was_dropped_beside_a_range_stays_outside_it() -> None:
    text = "\u200bone\u200b two"
    assert fold(text).to_source(0, 3) == (1, 4)


def test_a_cut_inside_a_ligature_takes_the_ligature_whole() -> None:
    folded = fold("the oﬃce")
    at = folded.text.index("ice")
    assert folded.to_source(at, at + 3) == (5, 8)


def test_text_without_anything_to_fold_maps_onto_itself() -> None:
    folded = fold("plain text")
    assert folded.text == "plain text"
    assert folded.to_source(3, 7) == folded.from_source(3, 7) == (3, 7)


def test_folded_in_finds_words_and_never_nothing() -> None:
    assert folded_in("we won't", "He said “we\xa0won’t go”.")
    assert not folded_in("we will", "He said “we won’t go”.")
    assert not folded_in("", "anything")
    assert not folded_in(" \u200b ", "anything at all")
