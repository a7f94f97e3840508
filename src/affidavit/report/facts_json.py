"""A register and a fact as JSON (J4): plain dicts and lists in the shape of `facts_schema`."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import date
from typing import Any, cast

from affidavit.evidence.fact import Fact, FactState
from affidavit.facts.dropped import Dropped
from affidavit.facts.history import CustomerRegister
from affidavit.facts.record import fact_record
from affidavit.facts.renew import Change, Changes
from affidavit.facts.run import FactRun
from affidavit.report.facts_schema import (
    ChangesJson,
    CrawlJson,
    DroppedFactJson,
    FactChangeJson,
    FactConflictJson,
    FactDetailJson,
    FactJson,
    PageGapJson,
    RegisterJson,
)


def register_json(
    now: CustomerRegister,
    *,
    today: date,
    facts: Iterable[Fact] | None = None,
    changes: ChangesJson | None = None,
    crawl: CrawlJson | None = None,
    warnings: Iterable[str] = (),
) -> RegisterJson:
    """`now` ready for `json.dumps`; of its facts only `facts` where given, and `crawl` in place of its last one."""
    shown = now.facts if facts is None else facts
    return {
        "schema_version": "1.0",
        "kind": "register",
        "customer": now.customer,
        "revision": now.revision,
        "facts": [fact_json(now, fact, today) for fact in shown],
        "conflicts": conflicts_json(now),
        "crawl": crawl or _last_crawl(now),
        "changes": changes,
        "warnings": [*(now.crawl.warnings if now.crawl else ()), *warnings],
    }


def fact_json(now: CustomerRegister, fact: Fact, today: date) -> FactJson:
    """`fact` as it stands in the register `now`."""
    moments = now.history.get(fact.fact_id, ())
    more = {
        "revision": moments[-1].revision if moments else now.revision,
        "usable": fact.usable(today),
        "contested": now.contested.get(fact.fact_id),
    }
    return cast("FactJson", fact_record(fact) | more)


def fact_detail_json(now: CustomerRegister, fact: Fact, rivals: Iterable[Fact], today: date) -> FactDetailJson:
    """Everything that the register knows of `fact`."""
    return {
        "schema_version": "1.0",
        "kind": "fact",
        "customer": now.customer,
        "revision": now.revision,
        "fact": fact_json(now, fact, today),
        "rivals": [fact_json(now, rival, today) for rival in rivals],
        "history": [
            {
                "revision": moment.revision,
                "at": moment.at,
                "type": moment.type,
                "by": moment.by,
                "changes": [
                    {"field": name, "before": before, "after": after}
                    for name, (before, after) in moment.changes.items()
                ],
            }
            for moment in now.history.get(fact.fact_id, ())
        ],
    }


def conflicts_json(now: CustomerRegister) -> list[FactConflictJson]:
    """The conflicts with two or more statements that nobody rejected."""
    return [
        {"conflict_group": name, "facts": [fact.fact_id for fact in facts]}
        for name, facts in now.register.conflicts().items()
        if sum(fact.state is not FactState.REJECTED for fact in facts) > 1
    ]


def crawl_json(run: FactRun, run_id: str, at: str, cost: Mapping[str, Any]) -> CrawlJson:
    """The reading that has just been done."""
    return {
        "run_id": run_id,
        "site_url": run.site_url,
        "at": at,
        "pages": len(run.pages),
        "gaps": [cast("PageGapJson", asdict(gap)) for gap in run.gaps],
        "dropped": [_dropped(one) for one in run.dropped],
        "cost": dict(cost),
    }


def renewal_json(
    before: CustomerRegister, after: CustomerRegister, changes: Changes, recorded: bool, today: date
) -> ChangesJson:
    """What a crawl changes in a register."""

    def one(change: Change) -> FactChangeJson:
        return {
            "fact_id": cast("Fact", change.after or change.before).fact_id,
            "why": change.why,
            "before": None if change.before is None else fact_json(before, change.before, today),
            "after": None if change.after is None else fact_json(after, change.after, today),
        }

    return {
        "recorded": recorded,
        "added": [one(change) for change in changes.added],
        "changed": [one(change) for change in changes.changed],
        "removed": [one(change) for change in changes.removed],
        "contested": [one(change) for change in changes.contested],
        "kept": changes.kept,
    }


def decided_json(before: CustomerRegister, after: CustomerRegister, today: date) -> ChangesJson:
    """What a decision changed in a register."""
    old = {fact.fact_id: fact for fact in before.facts}
    changed = [fact for fact in after.facts if old.get(fact.fact_id) != fact]

    def one(fact: Fact) -> FactChangeJson:
        was = old.get(fact.fact_id)
        last = after.history[fact.fact_id][-1]
        return {
            "fact_id": fact.fact_id,
            "why": f"{last.type} by {last.by}",
            "before": None if was is None else fact_json(before, was, today),
            "after": fact_json(after, fact, today),
        }

    return {
        "recorded": after.revision != before.revision,
        "added": [one(fact) for fact in changed if fact.fact_id not in old],
        "changed": [one(fact) for fact in changed if fact.fact_id in old],
        "removed": [],
        "contested": [],
        "kept": len(after.facts) - len(changed),
    }


def _last_crawl(now: CustomerRegister) -> CrawlJson | None:
    if now.crawl is None:
        return None
    return {
        "run_id": now.crawl.run_id,
        "site_url": now.crawl.site_url,
        "at": now.crawl.at,
        "pages": now.crawl.read,
        "gaps": [cast("PageGapJson", dict(gap)) for gap in now.crawl.gaps],
        "dropped": None,
        "cost": None,
    }


def _dropped(one: Dropped) -> DroppedFactJson:
    return {
        "stage": one.stage.value,
        "why": one.why.value,
        "text": one.text,
        "url": one.url,
        "ids": list(one.ids),
        "detail": one.detail,
    }
