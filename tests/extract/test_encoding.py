"""Decoding the bytes of a page."""

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.extract.encoding import DecidedBy, decode

LONG_RUSSIAN = "Мост через реку был построен в тысяча девятьсот тридцать втором году и стоит до сих пор."


def page(text: str, head: str = "") -> str:
    return f"<!DOCTYPE html><html><head>{head}</head><body><p>{text}</p></body></html>"


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [(codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")],
)
def test_a_byte_order_mark_beats_the_header(mark: bytes, encoding: str) -> None:
    decoded = decode(mark + page("naïve").encode(encoding), "text/html; charset=windows-1252")
    assert "naïve" in decoded.text
    assert decoded.decided_by is DecidedBy.BOM
    assert not decoded.text.startswith("\ufeff")


def test_the_label_iso_8859_1_means_windows_1252() -> None:
    decoded = decode(page("€ 12 — “dear”").encode("cp1252"), "text/html; charset=ISO-8859-1")
    assert "€ 12 — “dear”" in decoded.text
    assert (decoded.encoding, decoded.decided_by) == ("windows-1252", DecidedBy.HEADER)


def test_the_header_beats_the_declaration_inside() -> None:
    body = page("Бюджет", '<meta charset="koi8-r">').encode("cp1251")
    assert "Бюджет" in decode(body, "text/html; charset=windows-1251").text


@pytest.mark.parametrize(
    "head",
    [
        "<meta charset=shift_jis>",
        '<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS">',
        "<META content='text/html;charset=x-sjis' http-equiv=content-type>",
    ],
)
def test_a_declaration_inside_counts_in_any_spelling(head: str) -> None:
    decoded = decode(page("表示の機能①", head).encode("cp932"), "text/html")
    assert "表示の機能①" in decoded.text


def test_an_xml_declaration_counts() -> None:
    body = b'<?xml version="1.0" encoding="iso-8859-2"?>' + page("Łódź").encode("iso-8859-2")
    assert "Łódź" in decode(body, "application/xhtml+xml").text


def test_a_declaration_in_a_comment_does_not_count() -> None:
    body = page("naïve café", "<!-- <meta charset=koi8-r> -->").encode()
    assert decode(body, "text/html").decided_by is DecidedBy.VALID_UTF8


def test_a_readable_declaration_of_utf_16_means_utf_8() -> None:
    decoded = decode(page("66 metres — paved", "<meta charset=utf-16>").encode(), "text/html")
    assert (decoded.encoding, "66 metres — paved" in decoded.text) == ("utf-8", True)


def test_the_labels_gb2312_and_euc_kr_mean_their_supersets() -> None:
    assert "镕基，长503米" in decode(page("镕基，长503米", "<meta charset=gb2312>").encode("gb18030"), None).text
    assert "똠방각하" in decode(page("똠방각하", "<meta charset=euc-kr>").encode("cp949"), None).text


def test_plain_utf_8_outweighs_a_label_for_another_encoding() -> None:
    text = "Žluťoučký kůň – „úpěl“"
    decoded = decode(page(text).encode(), "text/html; charset=iso-8859-1")
    assert text in decoded.text
    assert decoded.decided_by is DecidedBy.VALID_UTF8


def test_a_wrong_label_of_utf_8_gives_way_to_a_declaration_that_fits() -> None:
    body = page(LONG_RUSSIAN, "<meta charset=windows-1251>").encode("cp1251")
    decoded = decode(body, "text/html; charset=utf-8")
    assert LONG_RUSSIAN in decoded.text
    assert decoded.decided_by is DecidedBy.META


def test_a_few_broken_bytes_are_replaced_and_reported() -> None:
    body = page("rings @ of iron").encode().replace(b"@", b"\xff\xfe\x80")
    decoded = decode(body, "text/html; charset=utf-8")
    assert decoded.lossy
    assert "\ufffd of iron" in decoded.text


def test_undeclared_text_is_utf_8_when_it_can_be() -> None:
    assert decode(page("naïve").encode(), None).decided_by is DecidedBy.VALID_UTF8


def test_undeclared_short_legacy_text_falls_back_to_windows_1252() -> None:
    decoded = decode(page("café").encode("cp1252"), None)
    assert ("café" in decoded.text, decoded.decided_by) == (True, DecidedBy.FALLBACK)


def test_undeclared_long_legacy_text_is_guessed() -> None:
    decoded = decode(page(LONG_RUSSIAN).encode("cp1251"), None)
    assert (LONG_RUSSIAN in decoded.text, decoded.decided_by) == (True, DecidedBy.GUESS)


def test_utf_16_without_any_mark_is_seen_by_its_shape() -> None:
    decoded = decode(page("bells").encode("utf-16-le"), None)
    assert ("bells" in decoded.text, decoded.decided_by) == (True, DecidedBy.SHAPE)


def test_a_label_nobody_may_use_is_ignored() -> None:
    assert decode(page("naïve").encode(), "text/html; charset=utf-7").encoding == "utf-8"


@given(st.binary(max_size=300), st.sampled_from([None, "text/html; charset=utf-8", "text/html; charset=big5", "x"]))
def test_any_bytes_decode(body: bytes, content_type: str | None) -> None:
    assert isinstance(decode(body, content_type).text, str)


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\ufeff\0"), max_size=200))
def test_declared_utf_8_comes_back_as_it_was(text: str) -> None:
    assert decode(text.encode(), "text/html; charset=utf-8").text == text
