"""The draft at the end: asked for once, from the quotations alone.

The request is a fresh one. It holds the quotations and nothing of the search, so it fits where the search no longer
did, and no preview, snippet or instruction of a page is in sight when the claims are written.
"""

from collections.abc import Collection
from dataclasses import replace

from affidavit.errors import ModelFailure, ToolError
from affidavit.models.model import Model
from affidavit.models.prompt import load_prompt
from affidavit.models.request import Message, ModelRequest, ToolResult, User
from affidavit.research.asking import Asker
from affidavit.research.handed_in import check_bound
from affidavit.research.investigation import Investigation
from affidavit.research.tool_arguments import DraftAnswer, draft_spec, read_arguments
from affidavit.research.tools import Tools

ROOM = "affidavit.research"
DRAFT_TOKENS = 4096
"""Of a draft: twelve claims and a summary are some 1,500."""
TRIES = 3
"""Replies that may be no draft before the run goes on without one; each is told what was wrong with it."""


def draft_request(found: Investigation, spans: Collection[str], *, why: str, name: str, system: str) -> ModelRequest:
    """The first request for a draft from the quotations whose ids are `spans`."""
    asked = load_prompt(ROOM, "draft.user").fill(
        question=found.plan.ask.asked, subquestions=found.listed(), reason=why, spans=found.envelopes(spans)
    )
    return ModelRequest(
        system=system,
        messages=(User(asked),),
        tools=(draft_spec(),),
        must_call=True,
        max_tokens=DRAFT_TOKENS,
        key=f"research/{name}-draft-1",
    )


async def land(
    found: Investigation,
    spans: Collection[str],
    *,
    why: str,
    name: str,
    system: str,
    model: Model,
    asker: Asker,
    tools: Tools,
) -> DraftAnswer | None:
    """The draft of `model` from the quotations whose ids are `spans`; None where there are none, or no draft came."""
    if not spans:
        return None
    tools.progress("draft", f"{len(spans)} quotations")
    request = draft_request(found, spans, why=why, name=name, system=system)
    said: list[Message] = [*request.messages]
    for number in range(1, TRIES + 1):
        asked = replace(request, messages=tuple(said), key=f"research/{name}-draft-{number}")
        reply = await asker.ask(model, asked)
        if isinstance(reply, ModelFailure):
            return None
        said.append(reply.turn())
        problem = "that was no call of draft_answer"
        for call in reply.calls:
            try:
                arguments = read_arguments(call)
                if isinstance(arguments, DraftAnswer):
                    check_bound(arguments, spans)
                    return arguments
                problem = f"{call.name} is not offered any more"
            except ToolError as error:
                problem = str(error)
            said.append(ToolResult(call_id=call.call_id, name=call.name, text=problem, failed=True))
        tools.log.record("draft_refused", {"loop": name, "problem": problem})
        if not reply.calls:
            said.append(User(f"{problem}. Call draft_answer."))
    return None
