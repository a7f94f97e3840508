"""A register on a terminal of any width, its changes as a diff, and its JSON by its schema."""

import json
from dataclasses import replace
from datetime import date
from typing import Any

import jsonschema
import pytest

from affidavit.evidence.fact import Category, Fact, FactSource, FactState, Register
from affidavit.facts.dropped import Dropped, Stage, Why
from affidavit.facts.history import CustomerRegister, Moment, changes_of, in_order
from affidavit.facts.page import GapKind, PageGap
from affidavit.facts.renew import Change, Changes
from affidavit.facts.run import FactRun
from affidavit.report.facts_changes import changed_fields, render_changes, render_reading
from affidavit.report.facts_json import crawl_json, fact_detail_json, register_json, renewal_json
from affidavit.report.facts_terminal import Listing, render_fact, render_register, standing
from affidavit.report.schema import load_schema
from affidavit.report.schema_file import generate

TODAY = date(2026, 3, 2)
LONG = "The harbour of Aldermoor has 45 berths for yachts, 12 for barges and a slipway that is open to all. " * 2


def fact(number: int, text: str, **more: Any) -> Fact:
    source = FactSource(
        url="https://harbour.example/about/the-harbour-and-its-history",
        doc_id="doc_0123456789abcdef",
        start=0,
        end=len(text),
        quote=text,
        retrieved_at="2026-03-01T12:00:00Z",
    )
    given: dict[str, Any] = {
        "fact_id": f"fact_{number:016x}",
        "text": text,
        "category": Category.NUMBERS,
        "subject": "berth",
        "confidence": 0.9,
        "sources": (source,),
    }
    return Fact(**(given | more))


SMALL = fact(0x1111 << 48, LONG, value="45", conflict_group="conflict_berth")
LARGE = fact(0x2222 << 48, "We run 60 berths.", value="60", conflict_group="conflict_berth")
OLD = fact(
    0x3333 << 48,
    "Opened in 1871.\x1b[31m",
    category=Category.HISTORY,
    value="1871",
    subject="har[bold]bour",
    scope_note="its first basin",
    state=FactState.APPROVED,
    decided_by="rule",
    decided_at="2026-03-01T12:00:00Z",
)
GONE = replace(
    OLD, fact_id=f"fact_{0x4444 << 48:016x}", text="Closed in 1950.", state=FactState.REJECTED, decided_by="Ada"
)


def holding(*facts: Fact, contested: dict[str, str] | None = None) -> CustomerRegister:
    def born(one: Fact) -> Moment:
        return Moment(revision=2, at="2026-03-01T12:00:00Z", type="facts.found", by=None, changes=changes_of(None, one))

    return CustomerRegister(
        customer="Harbour",
        revision=2,
        register=Register("Harbour", in_order(facts)),
        contested=contested or {},
        history={one.fact_id: (born(one),) for one in facts},
    )


NOW = holding(SMALL, LARGE, OLD, GONE, contested={OLD.fact_id: "the page says 1872 now"})


def listing(now: CustomerRegister = NOW, **more: Any) -> Listing:
    return Listing(register=now, facts=now.facts, conflicts=standing(now), today=TODAY, **more)


@pytest.mark.parametrize("width", [40, 80, 100, 140])
@pytest.mark.parametrize("verbose", [False, True])
def test_no_line_of_a_listing_is_wider_than_the_terminal(width: int, verbose: bool):
    text = render_register(listing(verbose=verbose), width=width)
    assert max(map(len, text.splitlines())) <= width
    assert "\x1b" not in text


def test_what_does_not_agree_stands_together_before_the_rest():
    text = render_register(listing())
    assert text.index("CONFLICT") < text.index("We run 60 berths.") < text.index("\nhistory")
    assert text.count("“We run 60 berths.”") == 1
    assert "har[bold]bour" in render_register(listing(), width=140)
    assert "! the page says 1872 now" in text


def test_the_state_is_said_as_whether_it_may_be_used():
    late = replace(OLD, expires=date(2026, 3, 1))
    text = render_register(listing(holding(OLD, GONE)))
    assert "2 facts, 1 may be used, 1 rejected" in text
    assert "by rule" in text
    assert "expired" in render_register(listing(holding(late)))


def test_an_empty_register_and_an_empty_filter_say_so():
    assert "No facts yet." in render_register(listing(holding()))
    assert "of that kind" in render_register(replace(listing(holding()), filtered=True))


def test_one_fact_is_shown_with_its_rivals_and_its_life():
    text = render_fact(NOW, SMALL, TODAY)
    assert "It does not agree with" in text
    assert "We run 60 berths." in text
    assert "the crawl found it" in text
    assert max(map(len, text.splitlines())) <= 80


def test_a_register_and_a_fact_are_as_their_schemas_say():
    jsonschema.validate(register_json(NOW, today=TODAY), load_schema("register"))
    jsonschema.validate(fact_detail_json(NOW, SMALL, [LARGE], TODAY), load_schema("fact"))


def test_the_schemas_that_ship_are_those_of_the_code():
    assert load_schema("register") == generate("register")
    assert load_schema("fact") == generate("fact")


CHANGES = Changes(
    added=(Change(before=None, after=LARGE, why="new on the page"),),
    changed=(Change(before=SMALL, after=replace(SMALL, value="46"), why=""),),
    removed=(Change(before=GONE, after=None, why="no page says it any more"),),
    contested=(Change(before=OLD, after=OLD, why="the page says 1872 now"),),
    kept=3,
)
RUN = FactRun(
    site_url="https://harbour.example/",
    pages=(),
    register=Register("Harbour"),
    gaps=(
        PageGap(url="https://harbour.example/x", kind=GapKind.FAILED, detail="not there", failure="not_found"),
        PageGap(url="https://harbour.example/", kind=GapKind.OVER_LIMIT, detail="12 more pages were found"),
    ),
    dropped=(Dropped(stage=Stage.REGISTER, why=Why.LOW_CONFIDENCE, text="About 12 tugs."),),
    warnings=("Two pages are in French.",),
)


def test_changes_are_told_like_a_diff_and_a_dry_run_says_that_it_is_one():
    text = render_changes(NOW, NOW, CHANGES, recorded=False)
    assert text.startswith("A dry run: nothing is recorded.")
    assert "1 new, 1 changed, 1 gone, 1 in doubt; 3 as before" in text
    for words in ("+  2222", "~  1111", "value: 45 → 46", "-  4444", "!  3333", "the page says 1872 now"):
        assert words in text
    assert max(map(len, text.splitlines())) <= 80
    assert render_changes(NOW, NOW, Changes(kept=4), recorded=True) == "Nothing new; 4 as before\n"


def test_a_change_of_the_source_alone_is_told_as_such():
    assert changed_fields(SMALL, replace(SMALL, candidates=("cand_1",))) == []
    assert changed_fields(SMALL, replace(SMALL, conflict_group=None)) == ["in no conflict any more"]


def test_a_reading_tells_what_could_not_be_read():
    text = render_reading(RUN)
    assert "0 pages of https://harbour.example/ read" in text
    assert "Not read: https://harbour.example/x (not there)" in text
    assert "Beyond the limits" in text
    assert "Two pages are in French." in text


def test_a_crawl_as_json_has_its_changes_its_gaps_and_what_was_dropped():
    found = register_json(
        NOW,
        today=TODAY,
        changes=renewal_json(NOW, NOW, CHANGES, True, TODAY),
        crawl=crawl_json(RUN, "run_1", "2026-03-02T09:00:00Z", {}),
    )
    jsonschema.validate(found, load_schema("register"))
    assert json.loads(json.dumps(found)) == found
    crawl = found["crawl"]
    assert crawl is not None
    assert [one["why"] for one in crawl["dropped"] or ()] == ["low_confidence"]
