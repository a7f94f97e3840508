"""What may be asked for, whatever it holds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.egress.policy import Policy, load_web_policy
from affidavit.egress.reason import ADVICE, OUTCOMES, Reason
from affidavit.errors import UserError


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


def test_attack_13_hosts_match_whole_labels_and_deny_stands_over_allow():
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


@pytest.mark.parametrize("entry", ["EXAMPLE.org.", " example.org ", "例え.example.org", "*.MÜNCHEN.example"])
def test_entries_are_kept_as_hosts_are_compared(entry):
    (kept,) = Policy(allow=(entry,)).allow
    assert kept.isascii()
    assert Policy(allow=(kept,)).allow == (kept,)


def test_star_and_public_web_are_one_policy():
    assert Policy(allow=("*",)) == Policy(allow=("public-web",)) == Policy()


@pytest.mark.parametrize(
    "entry", ["", "https://a.example", "a.example/path", "a.example:80", "*", "a.*.example", "a b"]
)
def test_an_entry_that_is_no_host_is_refused(entry):
    with pytest.raises(UserError, match=r"no host|exactly"):
        Policy(allow_private=(entry,))


def test_a_private_host_must_be_named_exactly():
    with pytest.raises(UserError, match="name each host exactly"):
        Policy(allow_private=("*.corp.example",))
    opened = Policy(allow=("example.org",), allow_private=("wiki",))
    assert opened.refusal("http://wiki/") is None
    assert opened.refusal("http://other/") is Reason.HOST_NOT_ALLOWED


def test_each_scheme_has_its_own_port():
    assert Policy().refusal("https://a.example:80/") is Reason.PORT
    assert Policy().refusal("http://a.example:443/") is Reason.PORT


def test_a_policy_comes_from_a_file_and_goes_into_the_record(tmp_path):
    path = tmp_path / "web.toml"
    path.write_text('allow = ["*.gov"]\ndeny = ["bad.gov"]\nports = [8443]\ntypes = ["text/html"]\n')
    policy = load_web_policy(path)
    assert policy == Policy(allow=("*.gov",), deny=("bad.gov",), ports=(8443,), types=frozenset({"text/html"}))
    assert Policy.from_json(policy.as_json()) == policy


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("alow = []", "alow"),
        ("ports = [0]", "ports"),
        ('allow = "a.example"', "allow"),
        ('deny = ["a/b"]', "no host"),
        ("allow = [", "not TOML"),
    ],
)
def test_a_policy_file_that_says_something_else_is_refused_by_name(tmp_path, text, message):
    path = tmp_path / "web.toml"
    path.write_text(text)
    with pytest.raises(UserError, match=message) as caught:
        load_web_policy(path)
    assert str(path) in str(caught.value)


def test_a_policy_file_that_is_not_there_is_said(tmp_path):
    with pytest.raises(UserError, match="cannot be read"):
        load_web_policy(tmp_path / "none.toml")
