"""Drafts in every encoding that people have, and those that nobody can tell."""

from collections.abc import Callable

import pytest

from affidavit.check import Draft, read_draft
from affidavit.errors import UserError
from affidavit.evidence.document import Fetched
from affidavit.extract import extract

ENGLISH = "The “harbour” café was opened in 1999.\n\nIt carries 40 tonnes.\n"
JAPANESE = "港の橋は1902年に開通した。橋は40トンまで支える。これは日本語の文章です。\n"
RUSSIAN = "Портовый мост был открыт в 1902 году. Он выдерживает 40 тонн.\n"


@pytest.fixture
def read(respond: Callable[..., Fetched]) -> Callable[..., Draft]:
    def make(body: bytes, kind: str = "text/markdown", name: str = "draft.md") -> Draft:
        return read_draft(name, respond(body, content_type=kind, url=f"https://source.invalid/{name}"), extract)

    return make


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
def test_a_draft_is_read_in_its_own_encoding(read: Callable[..., Draft], encoding: str):
    assert read(ENGLISH.encode(encoding)).source == ENGLISH


@pytest.mark.parametrize("text", [JAPANESE, RUSSIAN])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_other_scripts_are_read_where_their_encoding_is_plain(read: Callable[..., Draft], text: str, encoding: str):
    assert read(text.encode(encoding)).source == text


@pytest.mark.parametrize("encoding", ["shift_jis", "euc-jp"])
def test_an_encoding_that_nobody_can_tell_is_refused_and_never_judged(read: Callable[..., Draft], encoding: str):
    with pytest.raises(UserError, match=r"draft\.md: .*save it as UTF-8"):
        read(JAPANESE.encode(encoding))


def test_one_broken_byte_does_not_change_the_encoding_of_the_rest(read: Callable[..., Draft]):
    assert read(RUSSIAN.encode() + b"\xff\n").source == RUSSIAN + "\ufffd\n"
    assert read(ENGLISH.encode() + b"\xff\n").source.startswith("The “harbour” café")


@pytest.mark.parametrize(
    "body", [b"", b" \n\n", b"\xef\xbb\xbf", b"\xff\xfe", b"\xef\xbb\xbf \r\n", "\u3000\n".encode()]
)
def test_a_draft_without_a_character_is_empty(read: Callable[..., Draft], body: bytes):
    with pytest.raises(UserError, match="is empty"):
        read(body)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\u2028", "\u2029"])
@pytest.mark.parametrize("name", ["draft.md", "draft.txt"])
def test_offsets_count_the_characters_of_the_file_whatever_ends_its_lines(
    read: Callable[..., Draft], end: str, name: str
):
    source = f"# The harbour{end}{end}The bridge was{end}opened by Ada.{end}{end}It is old.{end}"
    draft = read(source.encode(), "text/markdown" if name.endswith("md") else "text/plain", name)
    assert draft.source == source
    for at, character in enumerate(draft.text):
        start, stop = draft.place(at, at + 1)
        assert draft.source[start:stop] == character or character.isspace()
    assert "opened by Ada." in draft.text


def test_what_no_reader_sees_keeps_its_place(read: Callable[..., Draft]):
    source = "The pi\u200ber is **old**.\u200b\n\nIt \u00adis red.\n"
    draft = read(source.encode())
    at = draft.text.index("red")
    assert draft.source[slice(*draft.place(at, at + 3))] == "red"
