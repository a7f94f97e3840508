"""What a URL is, to us and to whoever connects."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.egress.reason import Reason
from affidavit.egress.target import Target, a_labels, read_target, resolve


@pytest.mark.parametrize(
    ("url", "host", "sent"),
    [
        ("https://Example.COM/Path", "example.com", "https://example.com/Path"),
        ("https://example.com./a", "example.com", "https://example.com/a"),
        ("HTTP://example.com:80", "example.com", "http://example.com/"),
        ("https://example.com:443/?#x", "example.com", "https://example.com/"),
        ("https://münchen.example/ü?ü", "xn--mnchen-3ya.example", "https://xn--mnchen-3ya.example/%C3%BC?%C3%BC"),
        ("https://example.com/a b?c d", "example.com", "https://example.com/a%20b?c%20d"),
        ("https://example.com/a/../b", "example.com", "https://example.com/b"),
        ("https://example.com/نام‌ه", "example.com", "https://example.com/%D9%86%D8%A7%D9%85%E2%80%8C%D9%87"),
        ("https://example.com/?text=a%0Ab", "example.com", "https://example.com/?text=a%0Ab"),
        ("https://example.com/a#b\\c%0d%0a", "example.com", "https://example.com/a"),
        ("http://93.184.215.14/", "93.184.215.14", "http://93.184.215.14/"),
        ("https://[2606:4700::1]:8443/", "[2606:4700::1]", "https://[2606:4700::1]:8443/"),
        ("https://نامه\u200cای.example/", "xn--mgba3gch31f060k.example", "https://xn--mgba3gch31f060k.example/"),
        ("https://i\u2764\ufe0f.example/", "xn--i-7iq.example", "https://xn--i-7iq.example/"),
        ("https://a_b.example.com/", "a_b.example.com", "https://a_b.example.com/"),
        ("https://xn--p1ai.example/", "xn--p1ai.example", "https://xn--p1ai.example/"),
    ],
)
def test_an_honest_address_is_read_as_a_browser_reads_it(url, host, sent):
    target = read_target(url)
    assert isinstance(target, Target)
    assert (target.host, target.url) == (host, sent)


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://2130706433/", Reason.SPELLING),
        ("http://0x7f000001/", Reason.SPELLING),
        ("http://0177.0.0.1/", Reason.SPELLING),
        ("http://127.1/", Reason.SPELLING),
        ("http://0/", Reason.SPELLING),
        ("http://127.0.0.1./", Reason.SPELLING),
        ("http://①②⑦.⓪.⓪.①/", Reason.SPELLING),
        ("http://[fe80::1%25eth0]/", Reason.NOT_A_URL),
        ("http://256.256.256.256/", Reason.NOT_A_URL),
        ("http://allowed@127.0.0.1/", Reason.USERINFO),
        ("https://@example.com/", Reason.USERINFO),
        ("http://127.0.0.1\\@allowed/", Reason.TRICK),
        ("https://example.com/a\\b", Reason.TRICK),
        ("https://exa\tmple.com/", Reason.TRICK),
        ("https://example.com/\r\nX: y", Reason.TRICK),
        ("https://example.com/%0d%0AX:%20y", Reason.TRICK),
        ("https://example.com/%00", Reason.TRICK),
        ("https://exam\u200bple.com/", Reason.TRICK),
        ("https://exam\u200dple.com/", Reason.NOT_A_URL),
        ("https://exam\u180eple.com/", Reason.TRICK),
        (" https://example.com/", Reason.TRICK),
        ("https://example.com/ ", Reason.TRICK),
        ("https://example.com/\u202egnp.exe", Reason.TRICK),
        ("https:/example.com/", Reason.NOT_A_URL),
        ("https:example.com/", Reason.NOT_A_URL),
        ("https:///example.com/", Reason.NOT_A_URL),
        ("//example.com/", Reason.NOT_A_URL),
        ("file:///etc/passwd", Reason.SCHEME),
        ("gopher://example.com/", Reason.SCHEME),
        ("data:text/html,x", Reason.SCHEME),
        ("javascript:alert(1)", Reason.SCHEME),
        ("https://*.example.com/", Reason.HOST_NAME),
        ("https://example..com/", Reason.HOST_NAME),
        ("https://.example.com/", Reason.HOST_NAME),
        ("https://exam$ple.com/", Reason.HOST_NAME),
        ("https://" + "a" * 64 + ".com/", Reason.HOST_NAME),
        ("https://xn--a.example/", Reason.HOST_NAME),
        ("https://xn--a-ecp.ru/", Reason.HOST_NAME),
        ("https://example.com:65536/", Reason.NOT_A_URL),
        ("https://\ud800.example/", Reason.NOT_A_URL),
        ("https://example.com/" + "x" * 9000, Reason.TOO_LONG),
        ("https://example.com/" + "語" * 1000, Reason.TOO_LONG),
    ],
)
def test_attacks_2_9_to_12_and_16_to_18_what_two_readers_could_read_differently_is_refused(url, reason):
    assert read_target(url) is reason


@pytest.mark.parametrize(
    ("location", "leads"),
    [
        ("/b", "https://example.com/b"),
        ("?c=d", "https://example.com/a?c=d"),
        ("../up", "https://example.com/up"),
        ("//other.example/x", "https://other.example/x"),
        ("https://other.example/", "https://other.example/"),
        ("/mit leerzeichen", "https://example.com/mit%20leerzeichen"),
        ("", "https://example.com/a"),
        ("/a@b:c", "https://example.com/a@b:c"),
    ],
)
def test_a_location_leads_where_a_browser_would_go(location, leads):
    target = resolve(read_target("https://example.com/a"), location)
    assert isinstance(target, Target)
    assert target.url == leads


@pytest.mark.parametrize(
    "location", ["/\\evil.example", "https:evil.example", "//", "///evil.example", "http://[::1", "\t/x"]
)
def test_attack_52_a_location_that_a_browser_would_repair_is_refused(location):
    assert isinstance(resolve(read_target("https://example.com/a"), location), Reason)


def test_hosts_of_a_policy_are_read_the_same_way():
    assert a_labels("MÜNCHEN.example.") == "xn--mnchen-3ya.example"
    assert a_labels("[::1]") == "[::1]"
    assert a_labels("127.0.0.1") == "127.0.0.1"
    for bad in ("", "a/b", "a:80", "a b", "http://a", "*.a", "a?b", "a@b", "127.1"):
        assert a_labels(bad) is None


@given(st.text())
def test_reading_what_was_read_changes_nothing(text):
    for url in (text, f"https://{text}", f"http://example.com/{text}", f"https://{text}.example.com:443/"):
        target = read_target(url)
        if isinstance(target, Target):
            assert read_target(target.url) == target
            assert target.url.isascii()
            assert not set("\\ \r\n\t#") & set(target.url)
