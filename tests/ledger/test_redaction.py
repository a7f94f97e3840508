import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.errors import OperatorError
from affidavit.ledger.canonical import canonical
from affidavit.ledger.redaction import Redactor

LETTERS = "abcdEFGH0123456789" * 4

KEYS = [
    "sk-" + LETTERS[:48],
    "sk-proj-" + LETTERS[:40],
    "sk-ant-api03-" + LETTERS[:40],
    "tvly-dev-" + LETTERS[:32],
    "BSA" + LETTERS[:28],
    "AIza" + LETTERS[:35],
    "ghp_" + LETTERS[:36],
    "github_pat_" + LETTERS[:40],
    "xoxb-" + LETTERS[:24],
    "AKIA" + "ABCDEFGH01234567",
    "hf_" + LETTERS[:34],
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJlYnl0ZXM",
]


@pytest.mark.parametrize("key", KEYS)
def test_no_part_of_a_key_stays_wherever_it_stands(key: str) -> None:
    payload = {"a": [f"the key {key}, it said"], f"under {key}": 1, "url": f"https://x.test/?q={key}&b=1"}
    clean = canonical(Redactor().value(payload))
    assert key not in clean
    assert LETTERS[:16] not in clean
    assert "[redacted:" in clean


def test_a_configured_secret_goes_in_every_form_it_travels_in() -> None:
    secret = "s3cr&t value/õ"
    import base64
    import urllib.parse

    forms = [secret, urllib.parse.quote(secret, safe=""), urllib.parse.quote_plus(secret)]
    forms.append(base64.b64encode(secret.encode()).decode())
    for form in forms:
        assert "[redacted:secret]" in Redactor([secret]).text(f"before {form} after"), form


@given(st.text(), st.text(min_size=6), st.text())
def test_a_configured_secret_never_stays_in_a_text(before: str, secret: str, after: str) -> None:
    if secret in "[redacted:secret]":
        return
    try:
        secret.encode()
    except UnicodeEncodeError:
        return
    clean = Redactor([secret]).text(before + secret + after)
    assert secret not in clean.replace("[redacted:secret]", "\x00")


def test_user_and_password_of_a_url_go_and_the_host_stays() -> None:
    clean = Redactor().text("see https://ann:pa@ss@example.com/a@b and ftp://bob@h.test, mail to a@b.test")
    assert clean == (
        "see https://[redacted:userinfo]@example.com/a@b and ftp://[redacted:userinfo]@h.test, mail to a@b.test"
    )


@pytest.mark.parametrize("key", KEYS)
def test_a_host_that_looks_like_a_key_stays_and_a_key_behind_it_goes(key: str) -> None:
    for site in (f"http://{key}.example.com", f"HTTPS://a.{key}:8080"):
        assert Redactor().text(f"see {site}/") == f"see {site}/"
        for glue in ("/", "?a=", "#", ";", ",", " "):
            assert key not in Redactor().text(f"{site}{glue}{key}").removeprefix(site)
    assert Redactor().text(f"http://{key}@h.test/") == "http://[redacted:userinfo]@h.test/"


def test_a_configured_secret_goes_from_a_host_too() -> None:
    assert Redactor(["hunter22"]).text("http://hunter22.test/") == "http://[redacted:secret].test/"


def test_values_under_a_secret_name_go_whatever_they_are() -> None:
    clean = Redactor().value({"Authorization": "x", "api_key": 5, "headers": [["Set-Cookie", "a=b"], ["etag", "c"]]})
    assert clean == {
        "Authorization": "[redacted:named]",
        "api_key": "[redacted:named]",
        "headers": [["Set-Cookie", "[redacted:named]"], ["etag", "c"]],
    }


@pytest.mark.parametrize(
    "text",
    [
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "doc_0123456789abcdef span_fedcba9876543210 run_1m8mq80nx6p6at",
        "commit 4b825dc642cb6eb9a060e54bf8d69288fbee4904",
        "https://example.com/a?key=v&token_count=3&q=risk-based-authentication-and-more",
        "The sk-learn package; task-force-on-something-long-enough-to-look-odd",
        "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==",
    ],
)
def test_digests_ids_and_ordinary_words_are_left_alone(text: str) -> None:
    assert Redactor().text(text) == text


@given(st.text(alphabet="ab:/@?=&.-_sk[]redacted") | st.sampled_from(KEYS))
def test_redacting_twice_changes_nothing_more(text: str) -> None:
    redactor = Redactor(["tops3cret"])
    once = redactor.text(text)
    assert redactor.text(once) == once


def test_a_secret_too_short_to_find_is_refused_without_being_shown() -> None:
    with pytest.raises(OperatorError, match="3 characters") as caught:
        Redactor(["abc"])
    assert "abc" not in str(caught.value)
