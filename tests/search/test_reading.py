import pytest

from affidavit.egress.api import ApiResponse
from affidavit.search.reading import Answer, peek_json, text_of


class Counted(Answer):
    count: int


def answer(charset: str, body: bytes) -> ApiResponse:
    return ApiResponse(status=200, headers=(("content-type", f"application/json; charset={charset}"),), body=body)


@pytest.mark.parametrize("label", ["utf-8", "latin1", "x-user-defined", "shift_jis", "gb18030", "koi8-r", "macintosh"])
def test_an_answer_is_read_in_whatever_charset_of_the_web_it_names(label: str):
    assert peek_json(answer(label, b'{"count": 1}'), Counted) == Counted(count=1)


@pytest.mark.parametrize(
    "label",
    ["utf-8", "utf-16le", "utf-16be", "x-user-defined", "replacement", "hz-gb-2312", "iso-2022-jp", "big5", "euc-kr",
     "none-such", "", "hex", "zip", "rot13", "idna", "undefined", "\x00"],
)  # fmt: skip
def test_no_bytes_in_any_charset_break_the_reading(label: str):
    for body in (b"", b"\xff\xfe\x00", bytes(range(256)), b"\x1b$)C\x0e"):
        assert isinstance(text_of(answer(label, body)), str)
        assert peek_json(answer(label, body), Counted) is None
