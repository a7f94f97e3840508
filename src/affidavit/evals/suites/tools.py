"""`tools`: what a model may say to the runtime, right and wrong, and what the runtime must make of it.

A row is a conversation: a question, what a model says turn by turn as its provider would pass it on, and how each of
its calls must be handled: ``fetch_page ok``, or the code of the refusal (``extract_quote LOCATOR_NOT_FOUND``). It runs
through the whole research loop over the pages that ship, or those that `web` names.
"""

import itertools
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from affidavit.errors import ModelFailure, ModelFailureKind
from affidavit.evals.agreement import Share
from affidavit.evals.records import Records
from affidavit.evals.rows import Row, read_row
from affidavit.evals.scripted import NAME, Ran, Shown, calling, planned, stage
from affidavit.evals.suite import Case, CaseState, Figure, Measured, Progress
from affidavit.ledger.event import BEGUN
from affidavit.models.reply import Finish, ModelReply
from affidavit.models.request import ModelRequest

_HOLE = re.compile(r"\{\{(url|doc|span):([^}]*)\}\}")
_CODE = re.compile(r"([A-Z][A-Z_]{4,})(?: \([^)]*\))?: ?")
_REMARK = re.compile(r"(?:\S+: )?([A-Z][A-Z_]{4,}): ")
_DRAFT = ("draft_answer", {"claims": [], "summary": ""})


class Reply(BaseModel):
    """What a model says in one turn: text, calls with their arguments (text as it was written, or JSON), or why it says
    nothing. ``{{url:…}}`` stands for the listed address that ends so, ``{{doc:…}}`` for the id of the page that was
    read from there, ``{{span:1}}`` for the id of the first quotation."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str = ""
    calls: tuple[tuple[str, str | dict[str, Any]], ...] = ()
    finish: Finish | None = None
    failure: ModelFailureKind | None = None


class ToolsRow(Row):
    """`handled` is how the calls are handled, in order, `used` what they cost of each budget, `state` and `published`
    how the run ends. After its last turn the model hands in a draft without claims."""

    question: str
    web: tuple[Path, ...] = ()
    budgets: dict[str, int] = {}
    turns: tuple[Reply, ...]
    handled: tuple[str, ...]
    used: dict[str, int] = {}
    state: str
    published: int = 0


class ToolsSuite:
    name = "tools"
    about = "what models say to the runtime: calls refused with the right code, budgets charged and kept, no crash"
    version = "1"
    data = "tools.jsonl"

    def measure(self, records: Records, progress: Progress) -> Measured:
        rows = [read_row(ToolsRow, placed) for placed in records.rows]
        ran = _played(rows, progress)
        told = [(row, ran[row.id]) for row in rows]
        handled = [_matches(row.handled, _handled(one)) for row, one in told]
        charged = [(row, _charged(row, one)) for row, one in told if row.used]
        crashed = sum(bool(one.failed) for _, one in told)
        over = sum(bool(_over(one)) for _, one in told)
        return Measured(
            tuple(_case(row, one) for row, one in told),
            (
                Figure(
                    name="handled",
                    about="of the calls, those handled as expected",
                    share=Share(sum(hits for hits, _ in handled), sum(of for _, of in handled)),
                ),
                Figure(
                    name="charged",
                    about="of the conversations with a bill, those that cost exactly that",
                    share=Share(sum(not wrong for _, wrong in charged), len(charged)),
                ),
                Figure(
                    name="ended",
                    about="of the conversations, those that end and publish as expected",
                    share=Share(sum(not _ended(row, one) for row, one in told), len(told)),
                ),
                Figure(
                    name="crashed",
                    about="of the conversations, those that ended a run with an error",
                    share=Share(crashed, len(told)),
                    more_is_better=False,
                ),
                Figure(
                    name="over_budget",
                    about="of the conversations, those that spent more than they may",
                    share=Share(over, len(told)),
                    more_is_better=False,
                ),
            ),
        )


class Speaker:
    """A researcher that says what its row says, turn by turn."""

    name = NAME

    def __init__(self, row: ToolsRow) -> None:
        self._question = row.question
        self._turns = list(row.turns)

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Raises ModelFailure where the turn is one."""
        if request.output is not None:
            return planned(self._question)
        if not self._turns:
            return calling(_DRAFT)
        turn = self._turns.pop(0)
        if turn.failure is not None:
            raise ModelFailure(turn.failure, NAME, "so says the script")
        shown = Shown.of(request)
        calls = [(name, _filled(given, shown)) for name, given in turn.calls]
        finish = turn.finish or (Finish.TOOL_CALL if calls else Finish.STOP)
        return calling(*calls, text=str(_filled(turn.text, shown)), finish=finish)


def _filled(value: object, shown: Shown) -> object:
    """`value` with its holes filled from what the model was shown."""
    if isinstance(value, Mapping):
        return {str(key): _filled(item, shown) for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if isinstance(value, list | tuple):
        return [_filled(item, shown) for item in value]  # pyright: ignore[reportUnknownVariableType]
    return _HOLE.sub(lambda hole: _meant(hole[1], hole[2], shown), value) if isinstance(value, str) else value


def _meant(kind: str, name: str, shown: Shown) -> str:
    match kind:
        case "url":
            return next((url for url in shown.listed if url.endswith(name)), name)
        case "doc":
            return next((doc_id for url, doc_id in shown.pages.items() if url.endswith(name)), "doc_0000000000000000")
        case _:
            place = int(name) - 1
            return shown.spans[place] if place < len(shown.spans) else "span_0000000000000000"


def _played(rows: Sequence[ToolsRow], progress: Progress) -> dict[str, Ran]:
    """The run of each row, by its id; rows of one budget are played on one stage."""
    found: dict[str, Ran] = {}
    done = itertools.count(1)

    def told() -> None:
        progress(next(done), len(rows))

    for web, budgets in dict.fromkeys(map(_stage_of, rows)):
        here = [row for row in rows if _stage_of(row) == (web, budgets)]
        with stage(web, dict(budgets)) as opened:
            ran = opened.play([(row.question, Speaker(row)) for row in here], told)
        found |= {row.id: one for row, one in zip(here, ran, strict=True)}
    return found


def _stage_of(row: ToolsRow) -> tuple[tuple[Path, ...], tuple[tuple[str, int], ...]]:
    return row.web, tuple(sorted(row.budgets.items()))


def _handled(ran: Ran) -> list[str]:
    """How each call was handled, in order: its tool and ``ok``, or the code of what was said against it."""
    found: list[str] = []
    for kind, payload in ran.events:
        if kind == "draft_refused":
            found.append("draft refused")
        elif kind == "tool":
            found.append(f"{payload['name']} {_code(str(payload['result']), failed=payload['failed'])}")
    return found


def _code(result: str, *, failed: bool) -> str:
    """The last of the codes that the result begins with: a refusal may say which kind of one it is."""
    if not failed:
        remark = _REMARK.match(result)
        return remark[1] if remark else "ok"
    code = "without a code"
    while found := _CODE.match(result):
        code, result = found[1], result[found.end() :]
    return code


def _matches(expected: Sequence[str], got: Sequence[str]) -> tuple[int, int]:
    return sum(one == other for one, other in zip(expected, got, strict=False)), max(len(expected), len(got))


def _charged(row: ToolsRow, ran: Ran) -> list[str]:
    if ran.answer is None:
        return ["nothing is known of what it cost"]
    used = {name: ran.answer.budget[name]["used"] for name in row.used}
    return [f"{name}: {used[name]} used, not {of}" for name, of in row.used.items() if used[name] != of]


def _over(ran: Ran) -> list[str]:
    """What was done more often than the run's settings allow, counted from its record and not by its meter."""
    counts = {
        "searches": len(ran.of("search")) + len(ran.of("search_failed")),
        "fetches": sum(one["purpose"] == "page" and one["hop"] == 0 and one["allowed"] for one in ran.of("gateway")),
        "spans": len(ran.of("span")),
        "tool_calls": sum(not str(one["result"]).startswith("BUDGET_OUT") for one in ran.of("tool")),
        "tokens": sum(_tokens(one["reply"]) for one in ran.of("model.replied")),
    }
    return [
        f"{name}: {count} of {most}"
        for begun in ran.of(BEGUN)
        for name, count in counts.items()
        if count > (most := begun["settings"][f"max_{name}"])
    ]


def _tokens(reply: Mapping[str, Any]) -> int:
    usage = reply["usage"]
    return usage["input"] + usage["output"]


def _ended(row: ToolsRow, ran: Ran) -> list[str]:
    if ran.answer is None:
        return [f"no answer: {ran.failed}"]
    got = ran.answer.state, len(ran.answer.claims)
    return [] if got == (row.state, row.published) else [f"ended as {got[0]} with {got[1]} published"]


def _case(row: ToolsRow, ran: Ran) -> Case:
    got = _handled(ran)
    wrong = [] if list(row.handled) == got else [f"handled: {', '.join(got) or 'no call'}"]
    wrong += [*_charged(row, ran), *_ended(row, ran), *_over(ran)]
    wrong += [ran.failed] if ran.failed and ran.answer is not None else []
    state = CaseState.WRONG if wrong else CaseState.RIGHT
    return Case(row.id, row.kind, CaseState.COULD_NOT_CHECK if row.debatable else state, "; ".join(wrong))
