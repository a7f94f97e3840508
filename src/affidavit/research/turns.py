"""The loop: turn by turn the researcher calls tools, until it drafts or code says that it must.

The convergence check is asked after each turn from the second on; the reserve, the time and the stall detector need
nobody to ask.
"""

from dataclasses import dataclass, field

from affidavit.errors import ModelFailure, ModelFailureKind
from affidavit.evidence.envelope import neutralise
from affidavit.models.model import Model
from affidavit.models.prompt import load_prompt
from affidavit.models.reply import ModelReply
from affidavit.models.request import ModelRequest, OutputShape, ToolCall, ToolSpec, User
from affidavit.research.allowance import Allowance
from affidavit.research.asking import Asker
from affidavit.research.convergence import ACTION_CHARS, Convergence, Rounds, landing
from affidavit.research.conversation import Conversation
from affidavit.research.crew import Crew
from affidavit.research.investigation import Investigation
from affidavit.research.landing import draft_request
from affidavit.research.reserve import Reserve
from affidavit.research.tool_arguments import DraftAnswer, draft_spec, tool_specs
from affidavit.research.toolbox import Toolbox
from affidavit.research.tools import Tools

ROOM = "affidavit.research"
FIRST_CHECK = 2
"""The turn after which the convergence check is asked for the first time (contract R4)."""
EMPTY_HANDED = 4
"""Calls without a quotation after which a draft may be handed in all the same. Not swept."""
READ_AFTER = 2
"""Calls without a page after which the runtime reads the best of the listed pages itself: a small model searches on and
on, or talks. Not swept; a model that reads does so with its first call."""
READ_AT_ONCE = 2
"""Pages it then shows, which a small context still takes."""
READ_TO_LAND = 4
"""Pages it reads where the loop ends and none was read: shown to nobody, and drafted from as they stand."""
READING = (20.0, 0.15)
"""Seconds kept for that, and the most of the run's time that they may be: calls of the loop end so much earlier while
nothing was read. Not swept; four pages of an archive take under 2."""
CUT_IN_A_ROW = 2
"""Replies cut off at their bound, with no call finished, that end the loop: the model was told after the first, and
goes round in circles."""
HANDED_IN = "the researcher handed in its draft"
TIME_UP = "its time is up"
SPENT = "its money or its tokens are used up, but for what is kept for the draft"
PREVIEW_CHARS = 120
"""Characters of a quotation that the convergence check sees (contract R4)."""


@dataclass(slots=True)
class Turns:
    """One loop over one conversation. `why` says afterwards why it ended; `name` tells the calls of one loop from those
    of another in the run's record."""

    found: Investigation
    tools: Tools
    crew: Crew
    asker: Asker
    allowance: Allowance
    reserve: Reserve
    system: str
    name: str
    most: int
    rounds: Rounds = field(init=False)
    _showed: bool = False
    _cut: int = 0
    _refused: ToolCall | None = None
    _stuck: str | None = None
    why: str = "the run was stopped"

    def __post_init__(self) -> None:
        self.rounds = Rounds(len(self.found.plan.subquestions))

    async def run(self, toolbox: Toolbox, said: Conversation) -> DraftAnswer | None:
        """The draft that the model handed in by itself, or None when it must land."""
        for turn in range(1, self.most + 1):
            self._progress("research", f"turn {turn}")
            quotations, asked = len(self.found.quotes), len(self.found.asked)
            reason, draft = self._must_land(), None
            if reason is None:
                reason, draft = await self._turn(toolbox, said, f"research/{self.name}-{turn}")
            if draft is not None:
                self.why = HANDED_IN
                return draft
            for query in self.found.asked[asked:]:
                self.rounds.searched(self.found.plan.nearest(query), quotations)
            if reason is None and await self._read_unasked(toolbox, said):
                continue  # before the check, which would close what two searches left bare
            if reason is None and turn >= FIRST_CHECK and self._must_land() is None:
                reason = await self._check(said, f"research/{self.name}-check-{turn}")
            if reason is not None:
                return await self._land(toolbox, reason)
        return await self._land(toolbox, "its turns are used up")

    async def _read_unasked(self, toolbox: Toolbox, said: Conversation) -> bool:
        """Show the best of the listed pages to a model that has not asked for any, once. Whether any were there."""
        if self._read or self._showed or self.found.idle < READ_AFTER or self._must_land() is not None:
            return False
        self._showed = True
        shown = await toolbox.read_best(READ_AT_ONCE)
        if shown:
            asked = load_prompt(ROOM, "read.user").fill(pages=shown, left=self.allowance.left())
            said.add(User(asked))
        return bool(shown)

    @property
    def _read(self) -> bool:
        return bool(self.found.gathered.documents)

    def _must_land(self) -> str | None:
        """What code knows without asking anybody."""
        limits = self.allowance.limits
        if not self.allowance.in_time:
            return TIME_UP
        if self.allowance.at_reserve:
            self.allowance.out.add("tool_calls")
            return "the reserve of tool calls is reached"
        if self.found.idle >= limits.stall_window:
            return f"the last {self.found.idle} tool calls brought no new quotation"
        return None

    async def _land(self, toolbox: Toolbox, reason: str) -> None:
        """End without a draft. What was listed is read now where nothing was: a run whose model is slow or lost has
        sentences of pages to publish as they stand. Where no model answered at all, it failed and reads nothing."""
        self.why = reason
        of_the_run = (ModelFailureKind.SPEND_LIMIT, ModelFailureKind.TIME_LIMIT)
        if not self._read and (self.asker.answered or all(one.kind in of_the_run for one in self.asker.failures)):
            await toolbox.read_best(READ_TO_LAND, landing=True)
        self.tools.log.record("landing", {"loop": self.name, "reason": reason, "quotations": len(self.found.quotes)})

    async def _turn(self, toolbox: Toolbox, said: Conversation, key: str) -> tuple[str | None, DraftAnswer | None]:
        """One turn: ask, do what is called, answer. Gives why the run must land, or a draft, or neither."""
        request = self._request(said, key)
        while not self.crew.context.takes(request) and said.shorten():
            request = self._request(said, key)
        reply = await self._ask(self.crew.researcher, request)
        while isinstance(reply, ModelFailure) and reply.kind is ModelFailureKind.CONTEXT_LENGTH and said.shorten():
            reply = await self._ask(self.crew.researcher, self._request(said, key))
        if isinstance(reply, ModelFailure) and not self.allowance.in_time:
            return TIME_UP, None
        if isinstance(reply, ModelFailure) and reply.kind is ModelFailureKind.SPEND_LIMIT:
            return SPENT, None
        if isinstance(reply, ModelFailure):
            return f"the researcher did not answer: {reply.kind.value.replace('_', ' ')}", None
        said.add(reply.turn())
        self._cut = self._cut + 1 if reply.cut_off and not reply.calls else 0
        if self._cut == CUT_IN_A_ROW:
            return f"{CUT_IN_A_ROW} replies in a row were cut off at their bound", None
        if not reply.calls:
            if not self.allowance.take_tool_call():
                return "its budget is used up", None
            self.found.idle += 1
            said.add(User(self._prompted("cut.user" if reply.cut_off else "nudge.user")))
            return None, None
        draft: DraftAnswer | None = None
        for call in reply.calls:
            if draft is not None:
                break
            self._progress(call.name.replace("_", " "), str(next(iter(call.arguments.values()), "")))
            done = await toolbox.call(call)
            self._observe(call, refused=done.result.failed)
            said.add(done.result)
            draft = done.draft
        return None, draft

    def _observe(self, call: ToolCall, *, refused: bool) -> None:
        """Note whether a call was refused twice in a row: its tool is not offered until another call was made."""
        before, self._refused = self._refused, call if refused else None
        same = before is not None and (before.name, before.arguments) == (call.name, call.arguments)
        self._stuck = call.name if refused and same else None

    def _prompted(self, prompt: str) -> str:
        """What is said to a model that called nothing."""
        names = ", ".join(tool.name for tool in self._offered())
        return load_prompt(ROOM, prompt).fill(tools=names, left=self.allowance.left())

    async def _ask(self, model: Model, request: ModelRequest) -> ModelReply | ModelFailure:
        """Ask, with what the landing needs kept."""
        landing = draft_request(
            self.found, self.found.quotes, why=self.why, name=self.name, system=self.system, crew=self.crew
        )
        self.reserve.keep(self.found, landing)
        return await self.asker.ask(model, request)

    def _request(self, said: Conversation, key: str) -> ModelRequest:
        offered = self._offered()
        return ModelRequest(
            system=self.system,
            messages=tuple(said.messages),
            tools=offered,
            must_call=True,
            known=self.found.known(),
            max_tokens=self.crew.draft_tokens(len(self.found.quotes) if draft_spec() in offered else 0),
            seconds=self._seconds(),
            key=key,
        )

    def _offered(self) -> tuple[ToolSpec, ...]:
        """The tools that there is something for: a model that has seen nothing but snippets drafts from snippets, and
        one that has quoted nothing drafts from nothing. After some calls that led nowhere it may hand in that nothing
        was found."""
        offered = tool_specs()
        if not self.found.quotes and self.found.idle < EMPTY_HANDED:
            offered = offered[:3] if self._read else offered[:2]
        return tuple(tool for tool in offered if tool.name != self._stuck)

    def _seconds(self) -> float | None:
        """No call of the loop outlasts the run's time, less what is kept to read in, but for the second it fails in."""
        if self.allowance.late_from is not None:
            return None
        seconds, share = READING
        kept = 0.0 if self._read else min(seconds, share * self.allowance.limits.max_seconds)
        return max(1.0, self.allowance.seconds_left - kept)

    async def _check(self, said: Conversation, key: str) -> str | None:
        """Ask whether to go on. Gives why not; else the one action proposed is passed on to the researcher."""
        tried = self.found.tried()
        reply = await self._ask(self.crew.convergence, self._check_request(tried, key))
        if isinstance(reply, ModelFailure) or not isinstance(reply.value, Convergence):
            return None  # the budgets and the stall detector bound the run without it
        check = reply.value
        self.rounds.observe(check, list(self.found.quotes))
        reason = landing(check, self.rounds, tried, spans=bool(self.found.quotes))
        self.tools.log.record(
            "convergence",
            {
                "coverage": {str(number): state for number, state in sorted(self.rounds.states.items())},
                "closed": self.rounds.closed,
                "decision": check.decision,
                "next_action": check.next_action,
                "reason": check.reason[:300],
                "landing": reason,
            },
        )
        if reason is None and check.next_action:
            self.rounds.actions.append(check.next_action)
            advice = neutralise(" ".join(check.next_action.split())[:ACTION_CHARS]).text
            said.add(User(f"The check of your progress proposes, to take or leave: {advice}"))
        return reason

    def _check_request(self, tried: list[str], key: str) -> ModelRequest:
        limits = self.allowance.limits
        spans = [
            f"{span_id}: {neutralise(' '.join(quote.span.text[:PREVIEW_CHARS].split())).text}"
            for span_id, quote in self.found.quotes.items()
        ]
        asked = load_prompt(ROOM, "convergence.user").fill(
            subquestions=self.found.listed(),
            spans="\n".join(spans) or "(none)",
            tried=neutralise("\n".join(tried)).text or "(nothing)",
            idle=self.found.idle,
            left=self.allowance.left(),
        )
        system = load_prompt(ROOM, "convergence.system").fill(
            reserve_calls=limits.reserve_calls, stall_window=limits.stall_window
        )
        return ModelRequest(
            system=system,
            messages=(User(asked),),
            output=OutputShape(Convergence),
            max_tokens=self.crew.replies.check,
            seconds=self._seconds(),
            key=key,
            context_tokens=self.crew.context.tokens,
        )

    def _progress(self, phase: str, detail: str) -> None:
        """Tell a person where the run is: what is covered, what is used, what it has cost, and then what it is at; a
        terminal shows the beginning."""
        meters = (
            f"{self.rounds.told()}, {self.allowance.tool_calls}/{self.allowance.limits.max_tool_calls} calls, "
            f"{len(self.found.quotes)} quotations, ${self.crew.spend.spent:.4f}"
        )
        self.tools.progress(phase, f"{meters}; {' '.join(detail.split())[:60]}")
