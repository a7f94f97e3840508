import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.check.inline import Plain, read_inline


def shown(text: str) -> Plain:
    plain = Plain()
    read_inline(text, range(len(text)), plain)
    return plain


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("It is **bold** and *slanted*.", "It is bold and slanted."),
        ("A `code span` here.", "A code span here."),
        ("See [the page](https://a.example/x_(y) 'title').", "See the page."),
        ("See [the *page*][ref].", "See the page."),
        ("Said before.[^1]", "Said before."),
        ("[^1]: A note.", " A note."),
        (r"Five \* six", "Five * six"),
        ("5 * 6 and 2*3", "5 * 6 and 2*3"),
        ("snake_case_name stays", "snake_case_name stays"),
        ("R&amp;D costs &euro;5", "R&D costs €5"),
        ("a <b>word</b><!-- note -->", "a word"),
        ("<https://a.example/b>", "https://a.example/b"),
        ("a [bracketed] change", "a [bracketed] change"),
        ("![a chart](x.png) shows", "a chart shows"),
        ("~~gone~~ here", "gone here"),
    ],
)
def test_what_a_reader_sees_stays_and_marks_go(source: str, text: str):
    assert shown(source).text == text


@given(st.text(alphabet="ab *_`[]()!\\&;<>~\n1^:", max_size=60))
def test_every_character_knows_where_it_stood(source: str):
    plain = shown(source)
    assert len(plain.text) == len(plain.starts) == len(plain.ends)
    for character, start, end in zip(plain.text, plain.starts, plain.ends, strict=True):
        assert 0 <= start < end <= len(source)
        assert end - start > 1 or source[start] == character
    assert list(plain.starts) == sorted(plain.starts)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("``a`b`` c", "a`b c"),
        ("a `b", "a `b"),
        ("`a ``b` c", "a ``b c"),
        ("\\`a`", "`a`"),
        ("`a <b` <i>x</i>", "a <b x"),
        ("`` ` ``", " ` "),
        ("a <!-- b --> c", "a  c"),
        ("a <!-- b", "a <!-- b"),
        ("<!-- a --> <!-- b", " <!-- b"),
    ],
)
def test_code_and_comments_end_where_they_do(source: str, text: str):
    assert shown(source).text == text


@pytest.mark.parametrize("mark", ["`", "``a ", "<!--", "<!-- ", "[", "![", "[a](", "[a]( ", "**a", "_a", "<a ", "&#"])
def test_text_of_nothing_but_marks_ends(mark: str):
    """Each of these took minutes where a pattern looked through the whole text at every mark."""
    source = mark * (120_000 // len(mark))
    assert len(shown(source).text) <= len(source)


def test_a_run_of_spaces_in_a_link_ends():
    assert shown("[a](" + " " * 50_000 + "b").text.startswith("[a](")
