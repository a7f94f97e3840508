"""A commission in the ledger, and read back from there (contract L2): facts, memory, profile, prompt, draft, all of it.

What was approved changes; what a piece was written from must not. So the values stand in the event themselves, not
names under which a register holds something else today.
"""

from collections.abc import Mapping
from datetime import date
from typing import Any

from affidavit.errors import NotRecorded
from affidavit.facts.record import fact_of, fact_record
from affidavit.ledger.canonical import plain
from affidavit.write.commission import Commission
from affidavit.write.memory import Memory
from affidavit.write.pack import Assignment, SourceNote
from affidavit.write.pieces import recalled, remembered
from affidavit.write.profile import Profile

COMMISSION = "commission"
"""The event with all that decides a piece."""


def commission_json(commission: Commission) -> dict[str, object]:
    """`commission` as plain JSON."""
    return {
        "customer": commission.customer,
        "assignment": plain(commission.assignment),
        "profile": commission.profile.model_dump(mode="json"),
        "facts": [fact_record(fact) for fact in commission.facts],
        "rejected": [fact_record(fact) for fact in commission.rejected],
        "withheld": [fact_record(fact) for fact in commission.withheld],
        "memory": [remembered(piece) for piece in commission.memory.pieces],
        "sources": plain(commission.sources),
        "prompt": commission.prompt,
        "draft": commission.draft,
        "today": commission.today.isoformat(),
        "budget": commission.budget,
    }


def commission_from_json(said: Mapping[str, Any]) -> Commission:
    """What `commission_json` wrote. Raises NotRecorded for what another version wrote otherwise."""
    try:
        profile = said["profile"]
        return Commission(
            customer=said["customer"],
            assignment=Assignment(**said["assignment"]),
            profile=Profile.model_validate({**profile, **{name: tuple(profile[name]) for name in _LISTS}}),
            facts=tuple(map(fact_of, said["facts"])),
            rejected=tuple(map(fact_of, said["rejected"])),
            withheld=tuple(map(fact_of, said["withheld"])),
            memory=Memory(tuple(map(recalled, said["memory"]))),
            sources=tuple(SourceNote(**source) for source in said["sources"]),
            prompt=said["prompt"],
            draft=said["draft"],
            today=date.fromisoformat(said["today"]),
            budget=said["budget"],
        )
    except (KeyError, TypeError, ValueError) as error:
        raise NotRecorded(f"the commission is not as this version records one: {error}") from error


_LISTS = ("key_messages", "keywords")
