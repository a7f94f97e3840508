"""What may be asked for, whatever it holds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.egress.policy import Policy
from affidavit.egress.reason import ADVICE, OUTCOMES, Reason


@pytest.mark.parametrize(
    "url",
    [
        "https://a.example/",
        "http://a.example",
        "HTTPS://A.example:443/x?y#z",
        "https://münchen.example/",
        "http://a.example:80/",
    ],
)
def test_ordinary_addresses_pass(url):
    assert Policy().refusal(url) is None


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("file:///etc/passwd", Reason.SCHEME),
        ("ftp://a.example/", Reason.SCHEME),
        ("javascript:alert(1)", Reason.SCHEME),
        ("data:text/html,x", Reason.SCHEME),
        ("https://user@a.example/", Reason.USERINFO),
        ("https://user:word@a.example/", Reason.USERINFO),
        ("https://a.example\\@b.example/", Reason.TRICK),
        ("https://a.example/\r\nHost: b", Reason.TRICK),
        ("https://a.example/\t", Reason.TRICK),
        (" https://a.example/", Reason.TRICK),
        ("https://a.exam\u200bple/", Reason.TRICK),
        ("https://a.example/\u202egpj", Reason.TRICK),
        ("https://a.example:8080/", Reason.PORT),
        ("https://a.example:22/", Reason.PORT),
        ("a.example/page", Reason.NOT_A_URL),
        ("https://", Reason.NOT_A_URL),
        ("", Reason.NOT_A_URL),
        ("https://a.example/" + "x" * 9000, Reason.TOO_LONG),
    ],
)
def test_the_rest_is_refused_with_its_reason(url, reason):
    assert Policy().refusal(url) is reason


def test_hosts_match_whole_labels_and_deny_stands_over_allow():
    policy = Policy(allow=("example.org", "*.gov"), deny=("bad.gov",))
    assert policy.refusal("https://example.org/") is None
    assert policy.refusal("https://www.example.org/") is Reason.HOST_NOT_ALLOWED
    assert policy.refusal("https://a.b.gov/") is None
    assert policy.refusal("https://a.b.gov./") is None
    assert policy.refusal("https://badexample.org/") is Reason.HOST_NOT_ALLOWED
    assert policy.refusal("https://example.org.evil.com/") is Reason.HOST_NOT_ALLOWED
    assert policy.refusal("https://sub.example.org/") is Reason.HOST_NOT_ALLOWED
    assert policy.refusal("https://bad.gov/") is Reason.HOST_DENIED
    assert policy.refusal("https://BAD.gov/") is Reason.HOST_DENIED


def test_a_policy_may_open_a_port():
    assert Policy(ports=(8080,)).refusal("http://a.example:8080/") is None


def test_every_refusal_says_what_to_do():
    assert set(ADVICE) == set(Reason) - OUTCOMES


@given(st.text())
def test_no_text_is_an_accident(url):
    Policy().refusal(url)
    Policy().refusal("https://" + url)
