"""The research job without a model, on one page.

    ask ─ plan ─ gather (search, rank, read) ─ draft ─ publish (verify, prune) ─ Answer

Each step takes what the one before it gave and nothing else; none can reach back. What a step did is in the log
before the next begins.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from affidavit.evidence.answer import Answer
from affidavit.evidence.document import Fetched
from affidavit.research.draft import draft
from affidavit.research.gather import Gathered, gather
from affidavit.research.interruption import carried_through, interrupted
from affidavit.research.meter import Meter
from affidavit.research.plan import Plan
from affidavit.research.publish import publish
from affidavit.research.tools import Tools
from affidavit.settings import Budgets


@dataclass(frozen=True, slots=True)
class Research:
    """An answer with the responses its documents were extracted from, by ``doc_id``."""

    answer: Answer
    pages: Mapping[str, Fetched]


async def research(plan: Plan, tools: Tools, budgets: Budgets) -> Research:
    """Answer what `plan` asks from what `tools` reach.

    Cancelled while it gathers, it answers from what it has and says that it was interrupted; cancelled again, it ends.
    What comes after the gathering is carried through a first cancellation: nothing is lost by it.
    """
    log = tools.log
    meter = Meter(
        budgets,
        clock=tools.clock,
        late_from=tools.late_from,
        on_late=lambda take: log.record("late", {"take": take}),
    )
    ask = plan.ask
    log.record(
        "plan",
        {
            "asked": ask.asked,
            "falsifier": ask.falsifier,
            "subquestions": [item.text for item in plan.subquestions],
            "searches": [search.name for search in tools.searches],
            "notes": list(tools.notes),
        },
    )
    gathered = Gathered()
    gathered.interrupted = await interrupted(gather(plan, tools, meter, gathered))
    if gathered.interrupted:
        log.record("interrupted", {"searches": meter.searches, "documents": len(gathered.documents)})
    tools.progress("choose", f"{len(gathered.documents)} pages")
    drafted = draft(plan, gathered, tools.encoder, meter)
    log.record(
        "draft",
        {
            "claims": [
                {"text": claim.text, "spans": [[span.doc_id, span.start, span.end] for span in claim.spans]}
                for claim in drafted.claims
            ],
            "open": drafted.open,
            "doubts": drafted.doubts,
        },
    )
    tools.progress("verify", f"{len(drafted.claims)} claims")
    publishing = publish(plan, gathered, drafted, tools, meter)
    answer, _ = await carried_through(publishing, stopped=gathered.interrupted)
    used = {document.doc_id for document in answer.documents}
    return Research(answer, {doc_id: page for doc_id, page in gathered.raw.items() if doc_id in used})
