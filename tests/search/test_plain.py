import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.search.plain import plain


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("A <span class='searchmatch'>password</span> is", "A password is"),
        ("CO<sub>2</sub> <i>in vivo</i>", "CO2 in vivo"),
        ("<jats:title>Abstract</jats:title><jats:p>Words.</jats:p>", "Abstract Words."),
        ("one<br/>two<p>three</p>", "one two three"),
        ("Q&amp;A &lt;b&gt;bold&lt;/b&gt; &quot;x&quot;", 'Q&A bold "x"'),
        ("R&amp;amp;D", "R&D"),
        ("std::vector<int> and a < b and c > d", "std::vector<int> and a < b and c > d"),
        ("if (a<b && c>d)", "if (a<b && c>d)"),
        ("<script>alert(1)</script>seen", "seen"),
        ("<style>p{}</style>seen <!-- not seen -->", "seen"),
        ("a\u200bb\u202ec\u00add \x07e\tf\ng", "abcd e f g"),
        ("half \ud83d emoji", "half emoji"),
        ("<math><mi>x</mi><mo>=</mo><mn>2</mn></math>", "x=2"),
        ("<mml:math><mml:msup><mml:mi>x</mml:mi><mml:mn>2</mml:mn></mml:msup></mml:math>", "x2"),
        ("", ""),
        (None, ""),
        ("<a href='javascript:alert(1)' onclick=\"x\">link</a>", "link"),
        ("<img src=x onerror=alert(1)>", ""),
        ("Zürich 北京 ✈️", "Zürich 北京 ✈️"),
    ],
)
def test_markup_goes_and_text_stays(text: str | None, wanted: str):
    assert plain(text) == wanted


def test_a_long_text_is_cut_at_a_word():
    cut = plain("word " * 100, 22)
    assert cut == "word word word word…"
    assert len(plain("x" * 5000, 100)) == 100


@given(st.text(max_size=300), st.integers(10, 60))
def test_what_comes_is_one_short_line_that_stays_as_it_is(text: str, longest: int):
    line = plain(text, longest)
    assert len(line) <= longest
    assert "\n" not in line
    assert line == line.strip()


@pytest.mark.parametrize(
    "text",
    [
        "<" * 50_000,
        "<script>" * 20_000,
        "<!--" * 20_000,
        "<i " * 20_000,
        "<i a" + " " * 50_000,
        "<i" + " " * 50_000,
        "&amp;" * 20_000,
    ],
)
def test_hostile_text_takes_no_time(text: str):
    plain(text)
