import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from affidavit.models.excerpt import beginning, excerpt

CLAIM = "The lighthouse at Skerryvore was lit in 1844."
SPAN = "First lit in 1844, the lighthouse at Skerryvore still guides ships."


@pytest.fixture(scope="module")
def words() -> Tokenizer:
    """A token is a word or a run of punctuation."""
    tokenizer = Tokenizer(WordLevel({"?": 0}, unk_token="?"))
    tokenizer.pre_tokenizer = Whitespace()
    return tokenizer


def _filler(count: int) -> str:
    return " ".join(f"The {number}th barrel of herring was salted and stored." for number in range(count))


@pytest.mark.parametrize("place", [0, 20, 40])
def test_the_sentence_most_like_the_claim_is_read_wherever_it_stands(words: Tokenizer, place: int):
    assert SPAN in excerpt(f"{_filler(place)} {SPAN} {_filler(40 - place)}", CLAIM, 60, words)


def test_what_is_read_keeps_its_order(words: Tokenizer):
    seen = excerpt(f"In 1844 the keeper came. {_filler(40)} {SPAN} Skerryvore is a rock.", CLAIM, 40, words)
    assert seen.index("keeper") < seen.index("First lit") < seen.index("is a rock")


def test_a_sentence_longer_than_what_is_read_is_cut(words: Tokenizer):
    assert excerpt("Skerryvore " * 500, CLAIM, 60, words).split() == ["Skerryvore"] * 60


def test_a_span_that_fits_is_read_as_it_stands(words: Tokenizer):
    assert excerpt(f"  {SPAN}\n\n{SPAN}", CLAIM, 60, words) == f"  {SPAN}\n\n{SPAN}"


@given(span=st.text("ab .\n!,", max_size=300), limit=st.integers(0, 40))
def test_what_is_read_never_has_more_tokens_than_the_limit(words: Tokenizer, span: str, limit: int):
    assert len(words.encode(excerpt(span, "a b aa", limit, words))) <= limit
    read, count = beginning(span, limit, words)
    assert span.startswith(read)
    assert len(words.encode(read)) == count <= limit
