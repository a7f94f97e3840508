"""Marks of a run that no address may carry."""

import base64
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.egress.canary import Canaries, marks_of

MARK = "CANARY-7f3a91be"


def carried(url, mark=MARK):
    return Canaries([mark]).within(url)


@pytest.mark.parametrize(
    "url",
    [
        f"https://evil.example/?d={MARK}",
        "https://canary-7f3a91be.evil.example/",
        "https://canary.7f3a.91be.evil.example/",
        "https://evil.example/C/A/N/A/R/Y/7f3a/91be",
        f"https://evil.example/?d={quote(quote(MARK.replace('-', '%2D')))}",
        f"https://evil.example/?d={MARK[::-1]}",
        f"https://evil.example/?d={MARK.encode().hex()}",
        f"https://evil.example/?d={MARK.encode().hex().upper()}",
        f"https://evil.example/?d={base64.b64encode(MARK.encode()).decode()}",
        f"https://evil.example/?d={base64.urlsafe_b64encode(b'x' + MARK.encode()).decode()}",
        f"https://evil.example/?d={quote(base64.b64encode(b'the key is ' + MARK.encode() + b' and more').decode())}",
    ],
)
def test_attack_29_a_mark_is_found_in_any_common_dress(url):
    assert carried(url)


def test_a_mark_in_the_fragment_goes_nowhere():
    assert not carried(f"https://a.example/page#{MARK}")


@pytest.mark.parametrize("url", ["https://a.example/", "https://canary.example/7f3a", "https://a.example/91be-a3f7"])
def test_other_addresses_are_left_alone(url):
    assert not carried(url)


def test_a_mark_that_honest_addresses_hold_by_chance_is_refused():
    with pytest.raises(ValueError, match="too short"):
        Canaries(["a-b-c"])


@given(st.text("abcdefXYZ0123", min_size=8, max_size=30), st.binary(max_size=7), st.binary(max_size=7))
def test_base64_hides_a_mark_at_no_offset(mark, before, after):
    hidden = base64.urlsafe_b64encode(before + mark.encode() + after).decode()
    assert carried(f"https://evil.example/{hidden}", mark)


def test_words_that_stand_for_a_key_are_no_marks():
    assert marks_of(["ollama", "placeholder", "not-needed", "tvly-0123456789abcdef"]) == ("tvly-0123456789abcdef",)
