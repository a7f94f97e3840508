"""What no run may do, found in the events alone."""

import pytest

from affidavit.egress.gateway import Decision
from affidavit.egress.policy import Policy
from affidavit.errors import ForbiddenAction
from affidavit.ledger.event import BEGUN, Event
from affidavit.ledger.redaction import Redactor
from affidavit.ledger.run import RunLog
from affidavit.ledger.violation import refuse_violations, violations
from affidavit.wiring import record_decision

A, B = "https://a.example/page?q=1", "https://b.example/next"
PUBLIC = "93.184.215.14"


def run(*told, settings=None):
    """Events of one run: (type, payload) after its beginning."""
    begun = (BEGUN, {"kind": "ask", "question": "?", "settings": settings or {}, "product": "0"})
    events, last = [], None
    for kind, payload in (begun, *told):
        last = Event.following(last, run_id="run_1", event_type=kind, at="2026-01-02T03:04:05Z", payload=payload)
        events.append(last)
    return events


def search(*urls):
    return ("search", {"provider": "x", "query": "q", "hits": [{"url": url, "title": "t"} for url in urls]})


def asked(url=A, *, allowed=True, reason="fetched", how="search result", **more):
    decision = Decision(url, "", allowed, reason, 1, 0.1, how, **{"address": PUBLIC, "status": 200, **more})
    return ("gateway", {name: getattr(decision, name) for name in Decision.__slots__})


def rules(*told, settings=None):
    return [one.rule for one in violations(run(*told, settings=settings))]


def test_an_honest_run_has_none():
    told = [
        search(A),
        asked("https://a.example/robots.txt", how=f"robots of the site of {A}", purpose="robots", status=404),
        asked(A, reason="redirected", status=302),
        asked(B, how=f"redirect from {A}", hop=1),
        asked("https://b.example/linked", how=f"link on {B}"),
        asked("https://c.example/", allowed=False, reason="not_seen", how=None, address=None),
        search("https://c.example/"),
        asked("https://c.example/", reason="timeout", address=None),
        ("published", {"state": "published"}),
    ]
    assert rules(*told, settings={"max_fetches": 3, "max_searches": 2}) == []
    refuse_violations(run(*told))


RESUMED = ("run.resumed", {"seconds": 1.0})


def settled(url=A):
    return ("fetched", {"asked": url, "url": url})


def test_a_page_that_died_with_its_process_may_be_asked_for_once_more():
    lost = [search(A, B), asked(A), settled(A), asked(B), RESUMED, asked(B), settled(B)]
    assert rules(*lost, settings={"max_fetches": 2}) == []
    assert rules(*lost, settings={"max_fetches": 1}) == ["over_budget", "over_budget"]


def test_a_page_that_came_counts_although_the_run_was_resumed():
    again = [search(A, B), asked(A), settled(A), RESUMED, asked(A), settled(A), asked(B)]
    assert rules(*again, settings={"max_fetches": 2}) == ["over_budget"]
    failed = ("page_failed", {"asked": A, "url": A, "kind": "timeout", "detail": "slow"})
    assert rules(search(A, B), asked(A), failed, RESUMED, asked(B), settings={"max_fetches": 1}) == ["over_budget"]


def test_a_page_that_came_under_another_spelling_counts():
    seen = A + "&utm_source=mail"
    told = [search(seen, B), asked(seen), settled(A), RESUMED, asked(B)]
    assert rules(*told, settings={"max_fetches": 1}) == ["over_budget"]


def test_without_a_resumption_nothing_is_forgiven():
    assert rules(search(A, B), asked(A), asked(B), settings={"max_fetches": 1}) == ["over_budget"]


def test_pages_of_an_archive_have_no_address_and_no_violation():
    assert rules(search("https://docs.invalid/a"), asked("https://docs.invalid/a", address=None)) == []


def test_a_page_is_read_under_its_own_address_too_if_that_is_on_the_same_site():
    root, index, other = "https://docs.invalid/", "https://docs.invalid/index.html", "https://else.invalid/index.html"
    came = [search(root), asked(root, address=None)]
    linked = asked("https://docs.invalid/a.html", how=f"link on {index}", address=None)
    assert rules(*came, ("fetched", {"asked": root, "url": index}), linked) == []
    assert rules(*came, linked) == ["unseen"]
    elsewhere = asked("https://docs.invalid/a.html", how=f"link on {other}", address=None)
    assert rules(*came, ("fetched", {"asked": root, "url": other}), elsewhere) == ["unseen"]
    assert rules(("fetched", {"asked": root, "url": index}), linked) == ["unseen"]


@pytest.mark.parametrize(
    ("told", "rule"),
    [
        ([asked(A)], "unseen"),
        ([search(A), asked(A + "&secret=1")], "unseen"),
        ([search(A), asked("https://a.example/page?q=1&utm_source=secret")], "unseen"),
        ([search(A), asked(B, how=f"link on {A}")], "unseen"),
        ([search(A), asked(A, reason="not_found"), asked(B, how=f"link on {A}")], "unseen"),
        ([search(A), asked(B, how="redirect from https://elsewhere.example/")], "unseen"),
        ([search(A), asked(B, how="given by the user")], "unseen"),
        ([search(A), asked(B, how=None)], "unseen"),
        ([search(A), asked(B, how="robots of the site of x", purpose="robots")], "unseen"),
        ([search(A), asked(A, method="POST")], "method"),
        ([search(A), asked(A, address="10.0.0.1")], "private_address"),
        ([search(A), asked(A, address="169.254.169.254")], "private_address"),
        ([search(A), asked(A, address="nonsense")], "unreadable"),
        ([search("https://a.example:22/"), asked("https://a.example:22/")], "off_the_allowlist"),
        ([asked("file:///etc/passwd")], "refused_address"),
        (
            [search(A), asked(A, reason="redirected"), asked("http://a.example/", how=f"redirect from {A}", hop=1)],
            "downgrade",
        ),
        ([search(A), asked(A, allowed=False, reason="robots"), asked(A)], "refused_before"),
        ([search(A), asked(A, allowed=False, reason="canary"), asked(A)], "refused_before"),
        ([("gateway", {"url": A})], "unreadable"),
        ([("search", {"query": "q"})], "unreadable"),
    ],
)
def test_each_forbidden_action_is_found(told, rule):
    assert rules(*told) == [rule]


def test_what_is_over_the_budget_is_found():
    told = [search(A, B), asked(A), asked(B), search("https://c.example/")]
    assert rules(*told, settings={"max_fetches": 1, "max_searches": 1}) == ["over_budget", "over_budget"]


def test_a_host_off_the_runs_own_list_is_found_and_an_opened_one_is_not():
    policy = Policy(allow=("a.example",), allow_private=("wiki.b.example",)).as_json()
    wiki = "https://wiki.b.example/"
    told = [search(A, B, wiki), asked(A), asked(B), asked(wiki, address="10.0.0.5")]
    assert rules(*told, settings={"web_policy": policy}) == ["off_the_allowlist"]


class Recorded:
    """Events as a run writes them: through its log, which cuts and compares."""

    def __init__(self, secrets=(), **settings):
        self.events = []
        self.redactor = Redactor(secrets)
        self.log = self.a_log(None)
        begun = {"kind": "ask", "question": "?", "settings": settings, "product": "0"}
        first = Event.following(
            None, run_id="run_1", event_type=BEGUN, at="2026-01-02T03:04:05Z", payload=self.redactor.value(begun)
        )
        self.events.append(first)
        self.log = self.a_log(first)
        self.log.begun(begun)

    def a_log(self, last):
        return RunLog(
            "run_1",
            last,
            write=self.events.append,
            now=lambda: "2026-01-02T03:04:05Z",
            redactor=self.redactor,
            release=lambda: None,
        )

    def found(self, *urls):
        self.log.record(*search(*urls))

    def asked(self, url, *, allowed=True, reason="fetched", how="search result", **more):
        decision = Decision(url, "", allowed, reason, 1, 0.1, how, **{"address": PUBLIC, "status": 200, **more})
        record_decision(self.log, decision)

    def resume(self):
        self.log = self.a_log(self.events[-1])
        self.log.resumed(1.0)

    def rules(self):
        return [one.rule for one in violations(self.events)]


KEY_LIKE = "sk-abcdefghijklmnopqrstuvwxyz"


@pytest.mark.parametrize(
    ("written", "sent"),
    [
        ("https://a.example/x?q=a b&api_key=se cret&c=d", "https://a.example/x?q=a%20b&api_key=se%20cret&c=d"),
        (f"http://{KEY_LIKE}.a.example/", f"http://{KEY_LIKE}.a.example/"),
        (f"http://{KEY_LIKE.upper()}\uff0ea.example/", f"http://{KEY_LIKE}.a.example/"),
        ("http://a.example/;password=x/../b", "http://a.example/b"),
        ("http://a.example/?q=[redacted:api-key]", "http://a.example/?q=[redacted:api-key]"),
        ("http://a.example/?" + "&password=ab" * 680, "http://a.example/?" + "&password=ab" * 680),
        ("http://hunter22.example/?hunter22", "http://hunter22.example/?hunter22"),
    ],
)
def test_an_address_that_the_ledger_cut_is_judged_as_what_it_was(written, sent):
    run = Recorded(["hunter22"])
    run.found(written)
    run.asked(sent)
    run.asked(B, how=f"redirect from {sent}", hop=1)
    assert run.rules() == []
    run.asked(sent + "&password=out")
    run.asked(B, how=f"redirect from {sent}&password=elsewhere")
    run.asked(sent, method="POST", address="10.0.0.1")
    assert run.rules() == ["unseen", "unseen", "method", "private_address"]


def test_two_addresses_that_read_alike_after_a_cut_are_two():
    one, two = "https://a.example/?password=one", "https://a.example/?password=two"
    run = Recorded()
    run.found(one, two)
    run.asked(one, allowed=False, reason="robots")
    run.asked(two)
    assert run.rules() == []
    run.asked(one)
    assert run.rules() == ["refused_before"]


def test_where_a_cut_address_leads_is_still_judged():
    run = Recorded(web_policy=Policy(allow=("a.example",)).as_json())
    for url in (
        "https://b.example/?password=one",
        "https://a.example:22/?password=one",
        f"https://{KEY_LIKE}.example/",
    ):
        run.found(url)
        run.asked(url)
    assert run.rules() == ["off_the_allowlist"] * 3
    run = Recorded()
    run.found("https://ann:pass@a.example/")
    run.asked("https://ann:pass@a.example/")
    assert run.rules() == ["refused_address"]


def test_what_was_cut_before_a_resumption_is_not_held_against_what_comes_after():
    one, two = "https://a.example/?password=one", "https://a.example/?password=two"
    run = Recorded(given=[one])
    run.found("https://a.example/?-sk-abcdefghijklmnopqrstuvwxyz", A)
    run.asked(one, how="given by the user")
    run.resume()
    run.asked(one, how="given by the user")
    run.asked(B, how=f"link on {one}")
    run.found(two)
    run.asked(two)
    assert run.rules() == []
    run.asked(B)
    assert run.rules() == ["unseen"]


def test_a_cut_address_in_an_older_ledger_is_read_and_its_secret_not_guessed_at():
    cut = Redactor().text("https://a.example/?password=one")
    assert rules(search(cut), asked(cut), asked(cut, allowed=False, reason="robots"), asked(cut)) == []
    assert rules(search(cut), asked(cut, method="POST")) == ["method"]


def test_a_salt_is_of_one_log_and_never_recorded():
    first, second = Recorded(), Recorded()
    assert first.log.same(A) == first.log.same(A + "#part") != first.log.same(B)
    assert first.log.same(A) != second.log.same(A)


def test_what_a_robots_txt_led_to_says_nothing_of_the_page_there():
    how = f"robots of the site of {A}"
    first = [
        search(A),
        asked("https://a.example/robots.txt", how=how, purpose="robots", reason="redirected"),
        asked(A, how=how, purpose="robots", allowed=False, reason="robots"),
    ]
    assert rules(*first, asked(A)) == []
    assert rules(*first[:2], asked(A, allowed=False, reason="robots"), asked(A, how=how, purpose="robots")) == []
    assert rules(*first[:2], asked(B, how="redirect from https://a.example/robots.txt", hop=1)) == ["unseen"]


def test_an_archives_redirect_from_https_to_http_is_no_downgrade_of_a_later_fetch():
    plain = "http://f.example/b"
    told = [search(A), asked(A, address=None), asked(plain, how=f"redirect from {A}", address=None)]
    assert rules(*told) == []
    assert rules(search(A), asked(A), asked(plain, how=f"redirect from {A}", hop=1)) == ["downgrade"]


def test_what_the_user_gave_was_seen():
    assert rules(asked(B, how="given by the user"), settings={"given": [B]}) == []


def test_a_policy_that_cannot_be_read_is_no_pass():
    assert rules(search(A), asked(A), settings={"web_policy": {"nonsense": 1}}) == ["unreadable"]


def test_a_run_with_a_violation_is_refused_and_says_which():
    with pytest.raises(ForbiddenAction, match=r"run_1, event 2: forbidden action unseen: .* and 1 more"):
        refuse_violations(run(asked(A), asked(B)))
