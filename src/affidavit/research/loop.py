"""The research job with a model, on one page.

    ask ─ plan ─ open (as asked, refutation) ─ turns: search · fetch · quote ─ draft ─┐
                                                                                      │
          ┌──── verify every (claim, span) at once ─ prune (drop, never reword) ──────┘
          │
          ├─ a sub-question bare, and budget left? ─ once more, for what was dropped ─ draft ─ verify ─ prune
          │
          └─ summary, from what is published ─ Answer

The model chooses what to search, fetch and quote, and it drafts; everything else is decided here. What it is told of
its budget lets it plan; what stops it is the runtime.
"""

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from affidavit.errors import ModelFailure, ModelFailureKind
from affidavit.evidence.answer import Gap, GapKind
from affidavit.evidence.claim import Label
from affidavit.evidence.language import guess_language
from affidavit.evidence.quote import Quoter
from affidavit.models.prompt import load_prompt
from affidavit.models.request import ModelRequest, OutputShape, User
from affidavit.research.allowance import Allowance
from affidavit.research.asking import Asker
from affidavit.research.conflict import Confirmed, confirmed
from affidavit.research.conversation import Conversation
from affidavit.research.crew import Crew
from affidavit.research.gather import Gathered
from affidavit.research.handed_in import HandedIn, drafted_json, read_draft
from affidavit.research.interruption import carried_through, interrupted
from affidavit.research.investigation import Investigation
from affidavit.research.landing import land
from affidavit.research.language_names import LANGUAGES
from affidavit.research.model_plan import SubQuestions, planned
from affidavit.research.plan import Plan
from affidavit.research.prune import Pruned, prune
from affidavit.research.publish import Findings, conclude
from affidavit.research.reserve import Reserve
from affidavit.research.run import Research
from affidavit.research.summary import traced
from affidavit.research.tool_arguments import TOOL_NAMES
from affidavit.research.toolbox import Toolbox
from affidavit.research.tools import Tools
from affidavit.research.turns import ROOM, Turns
from affidavit.research.without_model import FELL, WARNING, answers_quoted, draft_without_model
from affidavit.settings import Budgets

PLAN_SHARE = 0.25
"""Of the run's time, what splitting the question may take; then it is searched for as it stands. Not swept."""
PROMPTS = (
    "researcher.system",
    "plan.user",
    "opening.user",
    "nudge.user",
    "cut.user",
    "read.user",
    "draft.user",
    "second.user",
    "convergence.system",
    "convergence.user",
    *(f"tool.{tool}" for tool in TOOL_NAMES),
)
"""Every prompt of a run; its record has their hashes."""
_OF_THE_RUN = (ModelFailureKind.SPEND_LIMIT, ModelFailureKind.TIME_LIMIT, ModelFailureKind.CONTEXT_LENGTH)
"""Failures of calls that are no fault of a model's: the first two are gaps as what ran out, the last was mended."""
SECOND_ROUND_TURNS = 6
"""Turns of the second round: a search, a fetch, a quotation, and as many again. Not swept."""
UNCONFIRMED = (
    "Where sources seem to disagree was told by their words and figures; the verifier could not confirm it all"
)
STEERING = "A quotation of this run speaks to a model: a person should look at the page before anything of it is used"
OBEYED = "The researcher drafted what a page told it to say; that was dropped, and its other claims need a person's eye"


async def investigate(plan: Plan, tools: Tools, crew: Crew, budgets: Budgets) -> Research:
    """Answer what `plan` asks; the sub-questions of a question are made anew by the researcher.

    Cancelled while it gathers, it drafts from what it has and says that it was interrupted; cancelled while it drafts
    or verifies, it goes no second round. Cancelled again, it ends.
    """
    log = tools.log
    allowance = Allowance(
        budgets,
        clock=tools.clock,
        late_from=tools.late_from,
        on_late=lambda take: log.record("late", {"take": take}),
    )
    return await _Run(plan, tools, crew, allowance).answered()


@dataclass(slots=True)
class _Run:
    plan: Plan
    tools: Tools
    crew: Crew
    allowance: Allowance
    asker: Asker = field(init=False)
    reserve: Reserve = field(init=False)
    found: Investigation = field(init=False)
    toolbox: Toolbox = field(init=False)
    why: str = "the run was stopped"
    warnings: list[str] = field(default_factory=list[str])

    def __post_init__(self) -> None:
        self.asker = Asker(self.allowance, self._failed)
        self.reserve = Reserve(self.crew, self.tools.verifier, self.allowance)
        self._begin(self.plan)

    def _begin(self, plan: Plan) -> None:
        limits = self.allowance.limits
        quoter = Quoter(max_spans=limits.max_spans, max_total_chars=limits.max_spans * limits.max_span_chars)
        self.plan = plan
        self.found = Investigation(plan, Gathered(), quoter)
        self.toolbox = Toolbox(self.found, self.tools, self.allowance, self.crew.context)

    def _failed(self, failure: ModelFailure) -> None:
        self.tools.log.record(
            "model_failed", {"model": failure.model, "kind": failure.kind.value, "detail": failure.detail}
        )

    async def answered(self) -> Research:
        handed: list[HandedIn] = []
        stopped = await interrupted(self._gather(handed))
        self._stopped(stopped)
        self.found.settle(self.tools)
        pruned, cut = await carried_through(self._first(handed), stopped=stopped)
        stopped = self._cut_short(cut) or stopped
        bare = self._bare(pruned)
        if bare and not stopped and self._may_go_on():
            stopped = await interrupted(self._second(bare, pruned, handed))
            self._stopped(stopped)
            self.found.settle(self.tools)
        concluded, _ = await carried_through(self._concluded(handed, pruned), stopped=stopped)
        return concluded

    async def _first(self, handed: list[HandedIn]) -> Pruned:
        """What is left of the first draft, which is asked for here if none was handed in."""
        if not handed:
            handed.append(await self._landed())
        return await self._judged(handed[0])

    def _stopped(self, stopped: bool, **more: object) -> None:
        gathered = self.found.gathered
        if stopped:
            gathered.interrupted = True
            said = {"searches": self.allowance.searches, "documents": len(gathered.documents)}
            self.tools.log.record("interrupted", said | more)

    def _cut_short(self, cut: bool) -> bool:
        """Whether the run was cancelled while it landed, now or in its record: it is not gone on with."""
        cut = cut or self.tools.cut_short
        self._stopped(cut, landing=True)
        return cut

    # Gather.

    async def _gather(self, handed: list[HandedIn]) -> None:
        """Plan, open, and go turn by turn; a draft that the model hands in by itself is put in `handed`."""
        await self._make_plan()
        self.tools.progress("search", f"{len(self.plan.subquestions)} sub-questions")
        results = await self.toolbox.open()
        opening = load_prompt(ROOM, "opening.user").fill(
            question=self.plan.ask.asked,
            subquestions=self.found.listed(),
            results=results,
            left=self.allowance.left(),
        )
        turns = self._turns(self.plan, "turn", self.allowance.limits.max_tool_calls + 1)
        draft = await turns.run(self.toolbox, Conversation([User(opening)]))
        self.why = turns.why
        if draft is not None:
            handed.append(read_draft(draft, self.plan, self.found.quotes, self.allowance.limits.max_claims))

    async def _make_plan(self) -> None:
        """Let the researcher split a question that may have parts; a test of a claim has its two sides already."""
        most = self.allowance.limits.max_subquestions
        if self.plan.ask.question is not None and most > 1:
            self.tools.progress("plan", self.plan.ask.asked)
            asked = load_prompt(ROOM, "plan.user").fill(question=self.plan.ask.asked, max_subquestions=most)
            request = ModelRequest(
                system=self._system(),
                messages=(User(asked),),
                output=OutputShape(SubQuestions),
                max_tokens=self.crew.replies.plan,
                seconds=None if self.tools.late_from is not None else PLAN_SHARE * self.allowance.limits.max_seconds,
                key="research/plan",
                context_tokens=self.crew.context.tokens,
            )
            reply = await self.asker.ask(self.crew.researcher, request, part=True)
            if not isinstance(reply, ModelFailure) and isinstance(reply.value, SubQuestions):
                self._begin(planned(self.plan, reply.value, most))
        self.tools.log.record(
            "plan",
            {
                "asked": self.plan.ask.asked,
                "falsifier": self.plan.ask.falsifier,
                "subquestions": [item.text for item in self.plan.subquestions],
                "searches": [search.name for search in self.tools.searches],
                "notes": list(self.tools.notes),
                "models": {"researcher": self.crew.researcher.name, "convergence": self.crew.convergence.name},
                "prompts": {name: load_prompt(ROOM, name).sha256 for name in PROMPTS},
            },
        )

    def _turns(self, plan: Plan, name: str, most: int) -> Turns:
        """A loop over the sub-questions of `plan`."""
        found = self.found
        found.plan = plan
        return Turns(found, self.tools, self.crew, self.asker, self.allowance, self.reserve, self._system(), name, most)

    def _system(self) -> str:
        limits = self.allowance.limits
        language = LANGUAGES.get(guess_language(self.plan.ask.asked), "the language of the question")
        return load_prompt(ROOM, "researcher.system").fill(
            max_subquestions=limits.max_subquestions,
            max_span_chars=limits.max_span_chars,
            max_claims=limits.max_claims,
            max_tool_calls=limits.max_tool_calls,
            max_searches=limits.max_searches,
            max_fetches=limits.max_fetches,
            max_spans=limits.max_spans,
            reserve_calls=limits.reserve_calls,
            language=language,
        )

    # Draft and verify.

    async def _landed(self) -> HandedIn:
        """The draft asked for at the end of the search; without a usable one, sentences as they stand."""
        draft = await self._land("turn", self.found.quotes, self.allowance.limits.max_claims)
        if draft is not None:
            return draft
        handed = draft_without_model(self.found, self.tools.encoder, self.allowance)
        if handed.claims:
            self.warnings.append(WARNING)
        return handed

    async def _land(
        self, name: str, spans: Collection[str], most: int, before: Collection[str] | None = None
    ) -> HandedIn | None:
        self.reserve.release()
        draft = await land(
            self.found,
            spans,
            why=self.why,
            name=name,
            system=self._system(),
            crew=self.crew,
            asker=self.asker,
            tools=self.tools,
        )
        if draft is None:
            return None
        return read_draft(draft, self.found.plan, self.found.quotes, most, used_before=before)

    async def _judged(self, handed: HandedIn) -> Pruned:
        self.reserve.release()
        self.tools.log.record(
            "draft",
            {
                "claims": drafted_json(handed.claims),
                "unbound": [{"text": one.claim.text, "reason": one.reason} for one in handed.unbound],
                "summary": handed.summary,
                "open": {},
            },
        )
        self.tools.progress("verify", f"{len(handed.claims)} claims")
        policy = self.allowance.limits.partial
        pruned = await prune(handed.claims, self.found.documents, self.tools, partial=policy)
        pruned.dropped[:0] = handed.unbound
        return pruned

    # Once more, for what was dropped.

    def _bare(self, pruned: Pruned) -> Plan | None:
        """The plan of what is bare: sub-questions of which claims were drafted, and none was published."""
        answered = {item.claim.subquestion for item in pruned.published}
        tried = {item.claim.subquestion for item in (*pruned.partial, *pruned.dropped)}
        bare = tuple(one for one in self.plan.subquestions if one.text in tried - answered)
        return replace(self.plan, subquestions=bare) if bare else None

    def _may_go_on(self) -> bool:
        allowance = self.allowance
        searched = (
            allowance.searches < allowance.limits.max_searches or allowance.fetches < allowance.limits.max_fetches
        )
        return (
            allowance.in_time
            and not allowance.at_reserve
            and searched
            and allowance.spans < allowance.limits.max_spans
            and not allowance.out & {"tokens", "usd"}
        )

    async def _second(self, bare: Plan, pruned: Pruned, handed: list[HandedIn]) -> None:
        """One more round for the dropped claims of `bare`; its claims are new claims, on quotations of its own."""
        names = {one.text for one in bare.subquestions}
        dropped = [one.claim for one in pruned.dropped if one.claim.subquestion in names]
        dropped += [one.claim for one in pruned.partial if one.claim.subquestion in names]
        before = set(self.found.quotes)
        self.tools.log.record("second_round", {"subquestions": sorted(names), "claims": [one.text for one in dropped]})
        self.found.idle = 0
        most = self.allowance.limits.max_claims - len(pruned.published)
        turns = self._turns(bare, "second", SECOND_ROUND_TURNS)
        opening = load_prompt(ROOM, "second.user").fill(
            question=self.plan.ask.asked,
            subquestions=self.found.listed(),
            claims="\n".join(f"- {claim.text}" for claim in dropped),
            pages="\n".join(self.found.pages()) or "(none)",
            left=self.allowance.left(),
        )
        try:
            draft = await turns.run(self.toolbox, Conversation([User(opening)]))
            if draft is not None:
                handed.append(read_draft(draft, bare, self.found.quotes, most, used_before=before))
                return
            self.why = turns.why
            landed = await self._land(
                "second", [name for name in self.found.quotes if name not in before], most, before
            )
            if landed is not None:
                handed.append(landed)
        finally:
            self.found.plan = self.plan

    # Conclude.

    async def _concluded(self, handed: Sequence[HandedIn], pruned: Pruned) -> Research:
        """The answer, with what a second round brought; its summary traced to what is published."""
        for more in handed[1:]:
            pruned.add(await self._judged(more))
        if pruned.fell:
            await self._in_the_pages_words(pruned)
        log = self.tools.log
        said = " ".join(one.summary for one in handed)
        (summary, cut), disagreeing = await asyncio.gather(
            traced(said, pruned.published, self.tools.verifier, self.plan.ask.asked),
            confirmed([item.claim for item in pruned.published], self.found.documents, self.tools),
        )
        if disagreeing.unjudged:
            self.warnings.append(UNCONFIRMED)
        judged = {label.value: count for label, count in sorted(pruned.judged.items())}
        log.record(
            "verified",
            {
                "published": len(pruned.published),
                "partial": len(pruned.partial),
                "dropped": len(pruned.dropped),
                "judged": judged,
                "cut": cut,
            },
        )
        failure = self._failure()
        findings = Findings(
            published=pruned.published,
            partial=pruned.partial,
            dropped=pruned.dropped,
            summary=summary,
            open={} if failure else self._open(pruned),
            gaps=self._gaps(pruned),
            injection=next((one.injection for one in handed if one.injection), None),
            needs_human=self._needs_human(handed, pruned, disagreeing),
            conflicts=disagreeing.conflicts,
            failure=failure,
            cost_usd=None if self.crew.spend.unpriced else float(self.crew.spend.spent),
            warnings=[*self.warnings, *self._cut_off(), *self._own_judge()],
        )
        answer = conclude(self.plan, self.found.gathered, findings, self.tools, self.allowance)
        used = {document.doc_id for document in answer.documents}
        raw = self.found.gathered.raw
        return Research(answer, {doc_id: page for doc_id, page in raw.items() if doc_id in used})

    async def _in_the_pages_words(self, pruned: Pruned) -> None:
        """Of claims that all fell, what their quotations answer, as it stands."""
        quoted = answers_quoted(self.found, self.tools.encoder, self.allowance)
        if quoted.claims:
            found = await self._judged(quoted)
            found.judged.clear()  # they say nothing of how well the researcher drafts
            pruned.add(found)
            self.warnings.append(FELL)

    def _open(self, pruned: Pruned) -> dict[str, str]:
        """Why nothing was drafted, for each sub-question of which nothing was."""
        drafted = {item.claim.subquestion for item in (*pruned.published, *pruned.partial, *pruned.dropped)}
        detail = f"no quotation that answers it was drafted from; the search ended because {self.why}"
        return {one.text: detail for one in self.plan.subquestions if one.text not in drafted}

    def _gaps(self, pruned: Pruned) -> list[Gap]:
        unjudged = [one for one in pruned.dropped if one.label is Label.COULD_NOT_CHECK]
        found = [Gap(GapKind.VERIFIER_UNAVAILABLE, one.claim.subquestion, one.reason) for one in unjudged]
        kinds = {failure.kind: failure for failure in self.asker.failures}
        for kind, failure in kinds.items():
            if kind not in _OF_THE_RUN:
                found.append(Gap(GapKind.BLOCKED, None, str(failure)))
        return found

    def _needs_human(self, handed: Sequence[HandedIn], pruned: Pruned, disagreeing: Confirmed) -> str | None:
        """What the draft asks for, where sources contradict each other, what a page tried, what policy holds back."""
        reasons = [one.needs_human for one in handed if one.needs_human]
        if disagreeing.sure:
            measures = dict.fromkeys(one.measure for one in disagreeing.sure)
            reasons.append(f"Sources contradict each other, and nothing here can settle it: {'; '.join(measures)}")
        if pruned.steering:
            pages = dict.fromkeys(self.found.documents[span.doc_id].final_url for span in pruned.steering)
            reasons.append(f"{STEERING}: {', '.join(pages)}")
        if pruned.dictated:
            reasons.append(OBEYED)
        if pruned.partial and self.allowance.limits.partial == "hold":
            reasons.append("Claims that their quotations establish in part are held for a person to decide")
        return "; ".join(reasons) or None

    def _failure(self) -> str | None:
        if self.asker.answered or not self.asker.failures or self.found.gathered.documents:
            return None
        return f"The researcher model gave no reply, so nothing was researched: {self.asker.failures[0]}"

    def _cut_off(self) -> list[str]:
        """What to do where replies of the researcher ended at their bound."""
        count = self.asker.cut_off
        said = "A reply was" if count == 1 else f"{count} replies were"
        model = self.crew.researcher.name
        return [f"{said} cut off at the bound ({model}): raise models.reply_tokens, or name another model"] * (
            count > 0
        )

    def _own_judge(self) -> list[str]:
        """What a reader must know of a verifier that is the writer."""
        if self.tools.verifier.card.name != f"model:{self.crew.researcher.name}":
            return []
        return [f"The model that wrote the claims ({self.crew.researcher.name}) also judged them, as you asked it to."]
