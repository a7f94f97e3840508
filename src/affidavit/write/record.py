"""A commission in the ledger, and read back from there (contract L2): facts, memory, profile, prompt, draft, all of it.

What was approved changes; what a piece was written from must not. So the values stand in the event themselves, not
names under which a register holds something else today. Earlier pieces alone are named: a customer of years has
hundreds, the ledger has each of them once and for good, and a `memory_id` is a digest of all that is recalled.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any

from affidavit.errors import NotRecorded
from affidavit.facts.record import fact_of, fact_record
from affidavit.ledger.canonical import plain
from affidavit.write.commission import Commission
from affidavit.write.memory import Memory
from affidavit.write.pack import Assignment, SourceNote
from affidavit.write.pieces import recalled
from affidavit.write.profile import Profile

Recall = Callable[[str, Sequence[str]], Memory]
"""Takes a customer and ids of earlier pieces, and gives those pieces in that order."""
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
        "memory": [piece.memory_id for piece in commission.memory.pieces],
        "sources": plain(commission.sources),
        "prompt": commission.prompt,
        "draft": commission.draft,
        "today": commission.today.isoformat(),
        "budget": commission.budget,
    }


def commission_from_json(said: Mapping[str, Any], recall: Recall) -> Commission:
    """What `commission_json` wrote, its earlier pieces by `recall`. Raises NotRecorded for what another version wrote
    otherwise, and for an earlier piece that is not in the ledger."""
    try:
        profile = said["profile"]
        return Commission(
            customer=said["customer"],
            assignment=Assignment(**said["assignment"]),
            profile=Profile.model_validate({**profile, **{name: tuple(profile[name]) for name in _LISTS}}),
            facts=tuple(map(fact_of, said["facts"])),
            rejected=tuple(map(fact_of, said["rejected"])),
            withheld=tuple(map(fact_of, said["withheld"])),
            memory=_memory(said["memory"], said["customer"], recall),
            sources=tuple(SourceNote(**source) for source in said["sources"]),
            prompt=said["prompt"],
            draft=said["draft"],
            today=date.fromisoformat(said["today"]),
            budget=said["budget"],
        )
    except (KeyError, TypeError, ValueError) as error:
        raise NotRecorded(f"the commission is not as this version records one: {error}") from error


def _memory(said: Sequence[Any], customer: str, recall: Recall) -> Memory:
    if all(isinstance(one, str) for one in said):
        return recall(customer, said)
    return Memory(tuple(map(recalled, said)))  # before version 0.2 each run recorded them whole


_LISTS = ("key_messages", "keywords")
