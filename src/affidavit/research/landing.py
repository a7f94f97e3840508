"""The draft at the end: asked for once, from the quotations alone.

The request is a fresh one. It holds the quotations and nothing of the search, so it fits where the search no longer
did, and no preview, snippet or instruction of a page is in sight when the claims are written.
"""

from collections.abc import Collection
from dataclasses import replace

from affidavit.errors import ModelFailure, ModelFailureKind, ToolError
from affidavit.models.prompt import load_prompt
from affidavit.models.request import Message, ModelRequest, ToolResult, User
from affidavit.research.asking import Asker
from affidavit.research.crew import Crew
from affidavit.research.handed_in import check_bound
from affidavit.research.investigation import Investigation
from affidavit.research.tool_arguments import DraftAnswer, draft_spec, read_arguments
from affidavit.research.tools import Tools

ROOM = "affidavit.research"
TRIES = 3
"""Replies that may be no draft before the run goes on without one; each is told what was wrong with it."""


def draft_request(
    found: Investigation, spans: Collection[str], *, why: str, name: str, system: str, crew: Crew
) -> ModelRequest:
    """The first request for a draft from the quotations whose ids are `spans`."""
    asked = load_prompt(ROOM, "draft.user").fill(
        question=found.plan.ask.asked, subquestions=found.listed(), reason=why, spans=found.envelopes(spans)
    )
    return ModelRequest(
        system=system,
        messages=(User(asked),),
        tools=(draft_spec(),),
        must_call=True,
        known={"draft_answer": ({"span_ids": tuple(spans)},)},
        max_tokens=crew.draft_tokens(len(spans)),
        key=f"research/{name}-draft-1",
    )


async def land(
    found: Investigation,
    spans: Collection[str],
    *,
    why: str,
    name: str,
    system: str,
    crew: Crew,
    asker: Asker,
    tools: Tools,
) -> DraftAnswer | None:
    """The researcher's draft from the quotations whose ids are `spans`; None where there are none, or no draft came.
    One that is cut off is asked for once more."""
    if not spans:
        return None
    tools.progress("draft", f"{len(spans)} quotations")
    request = draft_request(found, spans, why=why, name=name, system=system, crew=crew)
    said: list[Message] = [*request.messages]
    cut = 0
    for number in range(1, TRIES + 1):
        asked = replace(request, messages=tuple(said), key=f"research/{name}-draft-{number}")
        reply = await asker.ask(crew.researcher, asked)
        while isinstance(reply, ModelFailure) and reply.kind is ModelFailureKind.CONTEXT_LENGTH and len(spans) > 1:
            # The later half is left out, until the server takes it.
            spans = list(spans)[: len(spans) // 2]
            asked = draft_request(found, spans, why=why, name=name, system=system, crew=crew)
            said = [*asked.messages]
            reply = await asker.ask(crew.researcher, asked)
        if isinstance(reply, ModelFailure):
            return None
        said.append(reply.turn())
        problem = "that was no call of draft_answer"
        if reply.cut_off:
            cut += 1
            problem = (
                f"that was cut off after {asked.max_tokens} tokens: give fewer claims, and nothing before the call"
            )
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
        if cut > 1:
            return None
        if not reply.calls:
            said.append(User(f"{problem}. Call draft_answer."))
    return None
