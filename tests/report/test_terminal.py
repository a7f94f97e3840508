import io
import re
from dataclasses import replace
from pathlib import Path

import pytest
from rich.cells import cell_len

from affidavit.evidence.answer import Dropped, Tried
from affidavit.evidence.claim import Claim, Label
from affidavit.evidence.document import BlockKind
from affidavit.report import inert
from affidavit.report.terminal import FEW, render_terminal, show

ADDRESS = re.compile(r"^\s*https?://\S+$")
ESCAPE = re.compile(r"\x1b\[[0-9;]*m|\x1b\]8;[^\x1b]*\x1b\\")


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self):
        return True


def words(text):
    return " ".join(text.split())


def test_every_published_claim_and_its_address_are_printed(answer):
    text = render_terminal(answer)
    for verified in answer.claims:
        assert words(verified.claim.text) in words(text)
        for span in verified.claim.spans:
            assert answer.document(span.doc_id).final_url in text


def test_the_command_that_verifies_names_the_bundle_that_was_written(answer):
    assert "  affidavit verify 'my answer.affidavit'\n" in render_terminal(answer, bundle=Path("my answer.affidavit"))
    assert "  affidavit verify FILE\n" in render_terminal(answer)


def test_a_word_longer_than_the_line_is_folded_and_not_cut(answer, make_document, span_of, verified):
    text = f"It is at https://www.example.org/{'very' * 40}/long today."
    page = make_document([(BlockKind.PARAGRAPH, text)])
    held = replace(
        answer, claims=(verified(text, span_of(page, text)),), partial=(), dropped=(), conflicts=(), documents=(page,)
    )
    assert text.replace(" ", "") in "".join(render_terminal(held).split())


def test_the_answer_comes_first_and_the_machinery_after(answer):
    text = render_terminal(answer, verbose=True)
    order = [
        "Sourced, with gaps.",
        "The viaduct opened in 1918. [1]",
        "What is missing",
        "Where sources disagree",
        "Sources",
        "What was dropped, and why",
        "What was tried",
        "Who checked",
        "Budget",
    ]
    places = [text.index(words) for words in order]
    assert places == sorted(places)


def test_what_did_not_make_the_answer_is_counted_and_shown_when_asked_for(answer):
    other = replace(answer.sources[0], url="https://other.example.org/", title="Another page entirely", doc_id=None)
    held = replace(answer, sources=(*answer.sources, other))
    short, long = render_terminal(held), render_terminal(held, verbose=True)
    assert other.title not in short
    assert "more that are not cited (--verbose shows them)" in short
    assert other.title in long
    assert "Budget" in long
    assert "Budget" not in short


@pytest.mark.parametrize("width", [40, 60, 80, 100])
@pytest.mark.parametrize("verbose", [False, True])
def test_no_line_but_an_address_is_wider_than_the_terminal(answer, width, verbose):
    for row in render_terminal(answer, width=width, verbose=verbose).splitlines():
        assert cell_len(row) <= width or ADDRESS.match(row)


def test_an_address_is_never_cut_in_two(answer, report_document):
    long = "https://www.example.org/" + "very/" * 40 + "long"
    document = replace(report_document, final_url=long)
    claim = answer.claims[0]
    spans = tuple(replace(span, doc_id=document.doc_id) for span in claim.claim.spans)
    assert document.doc_id == report_document.doc_id
    held = replace(answer, documents=(document, answer.documents[1]))
    assert spans
    assert f"  {long}\n" in render_terminal(held)


def test_plain_output_holds_no_escape(answer):
    assert "\x1b" not in render_terminal(answer)


def test_a_terminal_gets_links_and_weight(answer, monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    stream = Terminal()
    show(answer, stream)
    assert "\x1b[1m" in stream.getvalue()
    assert "\x1b]8;" in stream.getvalue()
    assert "#:~:text=" in stream.getvalue()


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_a_terminal_that_wants_none_gets_none(answer, monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    stream = Terminal()
    show(answer, stream)
    assert "\x1b" not in stream.getvalue()


def test_a_pipe_gets_plain_text_even_where_colour_is_forced(answer, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    stream = io.StringIO()
    show(answer, stream)
    assert stream.getvalue() == render_terminal(answer)


def test_a_stream_of_a_small_character_set_still_gets_the_answer(answer):
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii")
    show(answer, stream)
    stream.flush()
    assert b"The viaduct opened in 1918." in raw.getvalue()


@pytest.mark.parametrize("styled", [False, True])
def test_nothing_a_page_says_steers_the_terminal(hostile, styled):
    text = render_terminal(hostile, styled=styled, verbose=True)
    rest = ESCAPE.sub("", text)
    assert all(char == "\n" or (ord(char) >= 32 and not 127 <= ord(char) < 160) for char in rest)
    assert not set(rest) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
    targets = re.findall(r"\x1b\]8;[^;]*;([^\x1b]*)\x1b\\", text)
    assert all(target == "" or target.startswith("https://h.example/") for target in targets)


def test_rich_markup_of_a_page_is_words(hostile, hostile_text):
    assert words(inert.line(hostile_text)) in words(render_terminal(hostile, width=400))


def test_what_is_left_out_is_counted_and_verbose_shows_it(answer):
    many = replace(
        answer,
        dropped=tuple(Dropped(Claim(text=f"Claim {n}.", spans=()), Label.NOT_SUPPORTED, "no") for n in range(30)),
        tried=tuple(Tried(query=f"query {n}", provider="archive", results=n, novelty=0.5) for n in range(30)),
    )
    text = render_terminal(many)
    assert f"and {30 - FEW} more dropped claims" in text
    assert "Claim 29." not in text
    assert "Claim 29." in render_terminal(many, verbose=True)
    assert "query 29" in render_terminal(many, verbose=True)


def test_an_uncalibrated_verifier_is_said_to_be_so(answer):
    assert "Not calibrated" in render_terminal(answer)
    card = replace(answer.verifier, calibration={"agreement": 0.93, "set": "triples v1"})
    text = words(render_terminal(replace(answer, verifier=card)))
    assert "Not calibrated" not in text
    assert "agreement with people: 93.0%" in text
    assert "measured on: triples v1" in text


def test_nothing_sourced_says_so_plainly(nothing):
    text = render_terminal(nothing)
    assert "Nothing sourced. No sentence in these pages answers this." in text
    assert "What did it cost?" in text


def test_the_two_sides_of_a_conflict_stand_beside_each_other(answer):
    row = next(row for row in render_terminal(answer).splitlines() if "26,100 people a day, as of" in row)
    assert "24,800 people a day" in row
