import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.search.wording import as_question, as_text, content_words


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("What is NIST 800-63B?", "What is NIST 800-63B"),
        ('site:evil.example "exact" -not +must !g :de', "site evil.example exact not must g de"),
        ("cats AND dogs OR (birds NOT fish)", "cats and dogs or birds not fish"),
        ("a  b\n\tc\x00d", "a b c d"),
        ("don't stop: e-mail at 10:30", "don't stop: e-mail at 10:30"),
        ("C++ or C#", "C++ or C#"),
        ("- -- !", ""),
        ("-\U0001342f0 +$5", "\U0001342f0 $5"),
        ("Was ist los, Zürich 北京?", "Was ist los, Zürich 北京"),
    ],
)
def test_operators_become_words_or_nothing(query: str, wanted: str):
    assert as_text(query) == wanted


@given(st.text(max_size=200))
def test_no_operator_is_left_and_a_second_pass_changes_nothing(query: str):
    text = as_text(query)
    assert not set(text) & set('"()[]{}<>*~^|\\')
    assert not {"AND", "OR", "NOT"} & set(text.split())
    assert not any(word.startswith(("-", "+", "!")) for word in text.split())
    assert as_text(text) == text


@given(st.text(max_size=900), st.integers(1, 400))
def test_a_query_is_cut_to_its_length(query: str, longest: int):
    assert len(as_text(query, longest)) <= longest
    assert len(as_question(query, longest)) <= longest


def test_content_words_leave_out_how_it_is_asked():
    assert content_words("What must a verifier do when it limits failed attempts?") == [
        "verifier", "limits", "failed", "attempts",
    ]  # fmt: skip
    assert content_words("who is the who") == ["who", "is", "the"]
    assert content_words("?!") == []
    assert len(content_words(" ".join(f"w{n}" for n in range(99)))) == 12
