"""The rules of a robots.txt that are for us."""

import pytest

from affidavit.egress.own_rules import MAX_RULES, TooManyRules, own_rules


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("User-agent: *\nDisallow: /a", ["Disallow: /a"]),
        ("User-agent: other\nDisallow: /a", []),
        ("User-agent: other\nUser-agent: *\nDisallow: /a\nAllow: /b", ["Disallow: /a", "Allow: /b"]),
        ("User-agent: *\nDisallow: /a\nUser-agent: other\nDisallow: /b", ["Disallow: /a"]),
        ("User-agent: *\nDisallow: /a\n\nUser-agent: affidavit\nDisallow: /b", ["Disallow: /b"]),
        (
            "User-agent: affidavit\nDisallow: /a\nUser-agent: x\nAllow: /\nUser-agent: Affidavit/2\nAllow: /b",
            ["Disallow: /a", "Allow: /b"],
        ),
        ("User-agent: affidavit\nDisallow:\n\nUser-agent: *\nDisallow: /", []),
        ("User-agent: affi\nUser-agent: affidavit-news\nDisallow: /a", []),
        ("User-agent: *\nUser-agent: *\nDisallow: /a", ["Disallow: /a"]),
        ("User-agent: affidavit\nSitemap: /s\nFoo: bar\nUser-agent: x\nDisallow: /a", ["Disallow: /a"]),
        ("useragent *\n dissallow /a:b # why\nCrawl-delay : 3", ["Disallow: /a:b", "Crawl-delay: 3"]),
        ("Disallow: /\nUser-agents: *\nDisallow: /", []),
    ],
)
def test_only_the_groups_that_are_for_us_are_kept(text, rules):
    kept = own_rules(text, "Affidavit")
    assert kept.splitlines() == (["User-agent: *", *rules] if rules else [])


def test_rules_past_the_cap_are_not_cut_off_but_refused():
    most = "User-agent: *\n" + "Disallow: /a\n" * MAX_RULES
    assert own_rules(most, "Affidavit").count("Disallow") == MAX_RULES
    with pytest.raises(TooManyRules):
        own_rules(most + "Disallow: /a\n", "Affidavit")
    assert own_rules(most + "Disallow: /a\nUser-agent: affidavit\nAllow: /\n", "Affidavit").count("\n") == 1


def test_many_agents_with_many_rules_are_no_more_than_the_file():
    agents = "".join(f"useragent:{number:x}\n" for number in range(3000))
    assert own_rules(agents + "allow:/\n" * 3000, "Affidavit") == ""
    assert len(own_rules(agents + "useragent:*\n" * 3000 + "allow:/\n" * 3000, "Affidavit").splitlines()) == 3001
