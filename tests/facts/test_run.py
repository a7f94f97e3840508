"""A site read for facts: over folders of pages made here, with the real gateway and extraction."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from affidavit.errors import FailureKind, PageFailure, UserError
from affidavit.evidence.document import Document, Fetched
from affidavit.evidence.fact import FactState
from affidavit.extract import extract
from affidavit.facts import CrawlLimits, FactRun, GapKind, PageType, Why, gather_facts, renewed
from affidavit.facts.page_type import page_type
from affidavit.models.scripted import ScriptedModel, said
from affidavit.models.structured import Structured

SITE = "https://harbour.example/"
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
FILLER = "<p>The people of the firm work hard at what they do, and they like their tea with a little milk.</p>"


def page(*said: str, links: tuple[str, ...] = (), title: str = "Harbour", lang: str = "en") -> str:
    nav = "".join(f'<a href="{link}">{link.strip("/").replace("-", " ")}</a> ' for link in links)
    body = "".join(f"<p>{text}</p>" for text in said)
    main = f"<main><h1>{title}</h1>{body}{FILLER}</main>"
    return f"<html lang={lang}><title>{title}</title><body><nav>{nav}</nav>{main}</body></html>"


class Pages:
    """A web of these pages by path; a tuple redirects, a FailureKind fails, a number is a status.
    `asked` are the paths that were fetched."""

    def __init__(self, pages: Mapping[str, str | tuple[str] | FailureKind | int]) -> None:
        self._pages = pages
        self.asked: list[str] = []
        self.seen: set[str] = set()

    def saw(self, url: str, how: str) -> None:
        self.seen.add(url)

    async def fetch(self, url: str) -> Fetched:
        assert url in self.seen, f"{url} was fetched and never seen"
        path = "/" + url.split("/", 3)[3]
        self.asked.append(path)
        got = self._pages.get(path, FailureKind.NOT_FOUND)
        if isinstance(got, FailureKind):
            raise PageFailure(got, url, "as the test says")
        final, body = (got[0], page("Elsewhere.")) if isinstance(got, tuple) else (url, str(got))
        return Fetched(
            requested_url=url,
            final_url=final,
            retrieved_at="2026-03-01T12:00:00Z",
            status=got if isinstance(got, int) else 200,
            headers=(("content-type", "text/html; charset=utf-8"),),
            body=body.encode(),
        )


async def read(fetched: Fetched) -> Document:
    return extract(fetched)


def gather(web: Pages, **more: object) -> FactRun:
    given = {"customer": "Harbour", "now": lambda: NOW} | more
    return asyncio.run(gather_facts(SITE, web, read, **given))  # type: ignore[arg-type]


WHOLE = {
    "/": page("We have 80 offices in 45 countries.", links=("/legal", "/careers", "/about", "/services", "/blog/one")),
    "/about": page("The firm was founded in 1978.", title="About us", links=("/team",)),
    "/services": page("We train 300 engineers a year.", title="Services"),
    "/careers": page("Our staff get 30 days of leave.", title="Careers"),
    "/legal": page("We keep records for 7 years.", title="Legal"),
    "/blog/one": page("We opened an office in 2020.", title="One"),
    "/team": page("Our team has 120 people.", title="Team"),
}


def test_pages_are_read_breadth_first_and_by_the_worth_of_their_links():
    web = Pages(WHOLE)
    run = gather(web)
    assert web.asked == ["/", "/about", "/services", "/team", "/blog/one", "/careers", "/legal"]
    assert [one.page.depth for one in run.pages] == [0, 1, 1, 2, 1, 1, 1]
    assert run.pages[1].page.page_type is PageType.ABOUT


def test_case_studies_two_links_deep_come_before_posts_and_lists_of_posts_come_last():
    site = {
        "/": page(
            "We have 80 offices.",
            links=("/tags/news//", "/privacy", "/blog/a", "/blog/our-year-in-review", "/case-studies"),
        ),
        "/case-studies": page(
            "We work for 40 towns.", links=("/case-studies/one", "/case-studies/two", "/tags/news/"), title="Work"
        ),
        "/case-studies/one": page("The quay of Aldmouth is 300 m long.", title="One"),
        "/case-studies/two": page("The quay of Berwick is 200 m long.", title="Two"),
        "/blog/a": page("We moved in 2020.", title="A", links=("/blog/b",)),
        "/blog/our-year-in-review": page("We built 12 quays in 2025.", title="Review"),
        "/privacy": page("We keep records for 7 years.", title="Privacy"),
        "/tags/news//": page("Posts about news.", title="News", links=("/blog/deep",)),
    }
    web = Pages(site)
    run = gather(web)
    posts = ["/blog/our-year-in-review", "/blog/a", "/blog/b"]
    assert web.asked == [
        "/",
        "/case-studies",
        "/case-studies/one",
        "/case-studies/two",
        *posts,
        "/privacy",
        "/tags/news//",
        "/blog/deep",
    ]
    assert [gap.url for gap in run.gaps] == [SITE + "blog/b", SITE + "blog/deep"]
    assert run.pages[-1].page.page_type is PageType.LISTING


def test_what_lies_beyond_the_depth_is_counted_and_told():
    run = gather(Pages(WHOLE), limits=CrawlLimits(depth=1))
    assert [(gap.kind, gap.url) for gap in run.gaps] == [(GapKind.OVER_LIMIT, SITE + "team")]
    assert "--depth" in run.gaps[0].detail


def test_the_limits_end_a_crawl_and_what_was_not_read_is_told():
    run = gather(Pages(WHOLE), limits=CrawlLimits(pages=3))
    assert len(run.pages) == 3
    assert [gap.kind for gap in run.gaps] == [GapKind.OVER_LIMIT]
    shallow = gather(Pages(WHOLE), limits=CrawlLimits(depth=0))
    assert len(shallow.pages) == 1


def test_a_page_seen_within_thirty_days_is_not_fetched_and_keeps_its_facts():
    first = gather(Pages(WHOLE))
    web = Pages(WHOLE)
    again = gather(web, previous=first.pages, now=lambda: NOW + timedelta(days=29))
    assert web.asked == []
    assert again.candidates == first.candidates
    assert again.register.facts[0].fact_id == first.register.facts[0].fact_id
    later = Pages(WHOLE)
    third = gather(later, previous=first.pages, now=lambda: NOW + timedelta(days=30))
    assert len(later.asked) == len(WHOLE)
    assert third.candidates == first.candidates
    assert third.pages[0].page.seen_at > first.pages[0].page.seen_at


def test_a_changed_page_is_read_again_and_only_its_facts_change():
    first = gather(Pages(WHOLE))
    changed = {**WHOLE, "/about": page("The firm was founded in 1979.", title="About us", links=("/team",))}
    run = gather(Pages(changed), previous=first.pages, limits=CrawlLimits(fresh_days=0))
    register, changes = renewed(first.register, run.register)
    assert len(changes.changed) == 1, [(one.why, one.before, one.after) for one in changes.changed]
    (change,) = changes.changed
    assert (change.before.value, change.after.value) == ("1978", "1979")  # type: ignore[union-attr]
    assert not changes.added
    assert not changes.removed
    assert {one.value for one in register.facts} == {one.value for one in run.register.facts}


def test_what_a_person_decided_stands_and_what_the_site_now_says_waits_beside_it():
    first = gather(Pages(WHOLE))
    ada = {"decided_by": "Ada", "decided_at": "2026-03-02T09:00:00Z"}
    mine = tuple(
        replace(one, state=FactState.APPROVED, **ada)  # type: ignore[arg-type]
        if one.value == "1978"
        else replace(one, state=FactState.REJECTED, **ada)  # type: ignore[arg-type]
        if one.value == "80"
        else one
        for one in first.register.facts
    )
    changed = {**WHOLE, "/about": page("The firm was founded in 1979.", title="About us", links=("/team",))}
    run = gather(Pages(changed))
    register, changes = renewed(replace(first.register, facts=mine), run.register)
    held = {one.value: one for one in register.facts}
    assert held["1978"].state is FactState.APPROVED
    assert held["1978"].decided_by == "Ada"
    assert held["1979"].state is FactState.PENDING
    assert held["1979"].conflict_group == held["1978"].conflict_group is not None
    assert held["80"].state is FactState.REJECTED
    assert len(changes.contested) == 1
    assert renewed(register, run.register)[0] == register


@pytest.mark.parametrize(
    ("about", "stands"),
    [
        (FailureKind.TIMEOUT, True),
        (FailureKind.ROBOTS, True),
        (FailureKind.NOT_FOUND, True),  # not in the archive: nobody says that the page is gone
        (("https://other.example/",), True),
        (500, True),
        (503, True),
        (404, False),
        (410, False),
        (page("The firm likes the sea and the people who work on it.", title="About us"), False),
    ],
)
def test_a_fact_goes_only_with_a_page_that_was_read_or_is_gone(
    about: str | int | tuple[str] | FailureKind, stands: bool
):
    first = gather(Pages(WHOLE))
    run = gather(Pages({**WHOLE, "/about": about}), previous=first.pages, limits=CrawlLimits(fresh_days=0))
    register, changes = renewed(first.register, run.register)
    assert [one.before.value for one in changes.removed if one.before] == ([] if stands else ["1978"])
    assert not changes.added
    assert ("1978" in {one.value for one in register.facts}) is stands
    assert (SITE + "about" in {facts.page.url for facts in run.carried}) is stands
    told = " ".join(warning for warning in run.warnings if "not read again" in warning)
    assert (SITE + "about" in told) is stands


def test_what_two_pages_stated_goes_when_both_do_and_what_was_not_read_can_still_be_contradicted():
    said = "The firm was founded in 1978."
    both = {"/": page(said, links=("/about",)), "/about": page(said, title="About us")}
    first = gather(Pages(both))
    (fact,) = first.register.facts
    assert len(fact.sources) == 2
    everything = CrawlLimits(fresh_days=0)
    bare = page("The firm likes the sea and the people who work on it.", links=("/about",))
    one = gather(Pages({"/": bare, "/about": 503}), previous=first.pages, limits=everything)
    assert [source.url for fact in one.register.facts for source in fact.sources] == [SITE + "about"]
    known = (*one.pages, *one.carried)
    none = gather(Pages({"/": bare, "/about": 404}), previous=known, limits=everything)
    assert not none.register.facts
    other = page("The firm was founded in 1979.", links=("/about",))
    against = gather(Pages({"/": other, "/about": 503}), previous=first.pages, limits=everything)
    assert {(fact.value, fact.state, fact.conflict_group is None) for fact in against.register.facts} == {
        ("1978", FactState.PENDING, False),
        ("1979", FactState.PENDING, False),
    }


def test_the_pages_of_another_host_stay_beside_what_is_read_and_are_told():
    elsewhere = gather(Pages(WHOLE))
    pages = tuple(
        replace(facts, page=replace(facts.page, url=old, asked=old))
        for facts in elsewhere.pages
        for old in [facts.page.url.replace("harbour", "old-harbour")]
    )
    run = gather(Pages({"/": page("We have 12 pilots.")}), previous=pages)
    assert {"12", "1978"} <= {fact.value for fact in run.register.facts}
    assert any("old-harbour.example" in warning and "--customer" in warning for warning in run.warnings)
    nothing = gather(Pages({"/": 500}), previous=pages)
    assert not nothing.register.facts


def test_a_site_that_leads_elsewhere_forbids_robots_or_has_no_text_says_so():
    off = gather(Pages({"/": ("https://other.example/",)}))
    assert [gap.kind for gap in off.gaps] == [GapKind.OFF_SITE]
    assert "other.example" in off.warnings[0]
    robots = gather(Pages({"/": FailureKind.ROBOTS}))
    assert [(gap.kind, gap.failure) for gap in robots.gaps] == [(GapKind.FAILED, "robots")]
    assert not robots.register.facts
    assert robots.warnings


def test_a_site_that_loops_ends_and_is_read_once():
    loop = {"/": page("We have 80 offices.", links=("/a?p=1", "/a?p=2", "/a?p=3"))}
    same = page("We have 45 depots.", links=("/a?p=4", "/a?p=5", "/"))
    web = Pages({**loop, **{f"/a?p={n}": same for n in range(9)}})
    run = gather(web, limits=CrawlLimits(pages=50, depth=9))
    assert len(run.pages) == 2
    assert {gap.kind for gap in run.gaps} == {GapKind.SAME_TEXT}


def test_a_page_in_another_language_is_left_out_and_told():
    german = "Unsere Firma hat 45 Büros in der ganzen Welt und sie ist mit ihren Kunden sehr zufrieden. " * 8
    web = Pages({"/": page("We have 80 offices.", links=("/de",)), "/de": page(german, lang="de", title="Büros")})
    run = gather(web)
    assert [gap.kind for gap in run.gaps] == [GapKind.OTHER_LANGUAGE]
    assert run.warnings


def test_a_site_that_calls_itself_otherwise_than_the_customer_is_told():
    web = {"/": page("Fennwick Roofing was founded in 1987 by two sisters.", title="Fennwick Roofing")}
    otherwise = gather(Pages(web), customer="Aldermoor")
    assert "no page calls the business Aldermoor" in " ".join(otherwise.warnings)
    assert not gather(Pages(web), customer="Fennwick").warnings


def test_an_address_that_is_none_or_of_another_site_is_refused():
    with pytest.raises(UserError, match="is not on"):
        gather(Pages(WHOLE), also=("https://other.example/x",))
    with pytest.raises(UserError):
        asyncio.run(gather_facts("harbour", Pages(WHOLE), read, customer="Harbour", now=lambda: NOW))


def quoted(*facts: tuple[str, str, str | None]) -> str:
    rows = [
        {
            "quote": quote,
            "text": quote,
            "category": "numbers",
            "subject": subject,
            "value": value,
            "owner": None,
            "confidence": 0.9,
        }
        for quote, subject, value in facts
    ]
    return json.dumps({"summary": "A page.", "facts": rows})


def test_a_models_quote_must_be_on_the_page_and_its_value_in_the_quote():
    one = {"/": page("We have 80 offices in 45+ countries.")}
    script = quoted(
        ("We have 80 offices in 45+ countries.", "office", "80"),
        ("We have 80 offices in 45+ countries.", "country", "45+"),
        ("We have 900 offices on the moon.", "office", "900"),
        ("We have 80 offices", "desk", "many"),
    )
    model = Structured(ScriptedModel([said(script)]))
    run = gather(Pages(one), extractor=model)
    assert {(c.subject, c.value) for c in run.candidates} == {("office", "80"), ("country", "45+"), ("desk", None)}
    assert [d.why for d in run.dropped][:2] == [Why.QUOTE_NOT_ON_PAGE, Why.VALUE_NOT_IN_SOURCE]
    assert run.pages[0].summary == "A page."
    assert "scripted" in run.pages[0].extractor


def test_a_page_that_the_model_does_not_answer_for_is_a_gap_and_read_again_next_time():
    broken = Structured(ScriptedModel([said("no json")] * 3))
    run = gather(Pages({"/": page("We have 80 offices.")}), extractor=broken)
    assert [gap.kind for gap in run.gaps] == [GapKind.NOT_EXTRACTED]
    web = Pages({"/": page("We have 80 offices.")})
    mended = Structured(ScriptedModel([said(quoted(("We have 80 offices.", "office", "80")))]))
    again = gather(web, extractor=mended, previous=run.pages)
    assert web.asked == ["/"]
    assert [one.value for one in again.candidates] == ["80"]
    mute = Structured(ScriptedModel([said("no json")] * 3))
    third = gather(web, extractor=mute, previous=again.pages, limits=CrawlLimits(fresh_days=0))
    assert [one.value for one in third.register.facts] == ["80"]


def test_a_consolidator_that_fails_leaves_a_register_made_by_rules_and_a_warning():
    run = gather(Pages(WHOLE), consolidator=Structured(ScriptedModel([said("no")] * 3)))
    assert run.register.facts
    assert any("the rules made it" in warning for warning in run.warnings)


@pytest.mark.parametrize(
    ("url", "words", "kind"),
    [
        ("https://a.example/", None, PageType.HOME),
        ("https://a.example/about-us/", None, PageType.ABOUT),
        ("https://a.example/case-studies/acme", None, PageType.CASE_STUDY),
        ("https://a.example/2024/03/19/ten/", None, PageType.ARTICLE),
        ("https://a.example/p/77", "Privacy policy", PageType.OTHER),
        ("https://a.example/p/78", "Services", PageType.SERVICES),
        ("https://a.example/privacy-policy", None, PageType.LEGAL),
        ("https://a.example/jobs/welder", None, PageType.CAREERS),
        ("https://a.example/tags/agile//", None, PageType.LISTING),
        ("https://a.example/blog/page/2/", None, PageType.LISTING),
        ("https://a.example/2024/03/", None, PageType.LISTING),
    ],
)
def test_a_page_is_known_by_its_address_and_then_by_its_words(url: str, words: str | None, kind: PageType):
    assert page_type(url, words, 1, start="https://a.example/") is kind
