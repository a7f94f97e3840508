"""A model that says what a script says: for tests and demonstrations, never for answers.

It fails loudly. A call after the end of the script, or one that is not what the script expects, is a mistake of whoever
wrote one of the two, and raises AssertionError rather than a failure that a run would survive.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from affidavit.errors import ModelFailure
from affidavit.models.reply import Finish, ModelReply, Usage
from affidavit.models.request import ModelRequest, ToolCall, message_json

Answer = ModelReply | ModelFailure | Callable[[ModelRequest], ModelReply]


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One step of a script. `expects` must stand in the request's system text or in its last message, or be true of the
    request; `seconds` is how long the reply takes."""

    answer: Answer
    expects: str | Callable[[ModelRequest], bool] | None = None
    seconds: float = 0.0


class ScriptedModel:
    """Replies turn by turn, in the order in which it is asked. `requests` are all it was asked."""

    def __init__(self, script: Sequence[Answer | Turn], *, name: str = "scripted:script") -> None:
        self.name = name
        self.requests: list[ModelRequest] = []
        self._turns = [turn if isinstance(turn, Turn) else Turn(answer=turn) for turn in script]

    async def complete(self, request: ModelRequest) -> ModelReply:
        """The next reply of the script, or its ModelFailure. Raises AssertionError."""
        number = len(self.requests)
        self.requests.append(request)
        last = str(message_json(request.messages[-1])["text"])
        if number >= len(self._turns):
            raise AssertionError(f"{self.name}: the script has {len(self._turns)} turns; call {number + 1}: {last!r}")
        turn = self._turns[number]
        if isinstance(turn.expects, str) and turn.expects not in request.system and turn.expects not in last:
            raise AssertionError(f"{self.name}: turn {number + 1} expects {turn.expects!r}, and was asked {last!r}")
        if callable(turn.expects) and not turn.expects(request):
            raise AssertionError(f"{self.name}: turn {number + 1} does not expect {last!r}")
        if turn.seconds:
            await asyncio.sleep(turn.seconds)
        match turn.answer:
            case ModelFailure():
                raise turn.answer
            case ModelReply():
                return turn.answer
            case _:
                return turn.answer(request)

    def finish(self) -> None:
        """Raises AssertionError where turns are left."""
        left = len(self._turns) - len(self.requests)
        if left > 0:
            raise AssertionError(f"{self.name}: {left} of {len(self._turns)} turns were never asked for")


def said(text: str, *, finish: Finish = Finish.STOP, tokens: tuple[int, int] = (10, 5)) -> ModelReply:
    """A reply that is `text`. `tokens` are input and output."""
    usage = Usage(input=tokens[0], output=tokens[1], cost=Decimal(0))
    return ModelReply(text=text, usage=usage, finish=finish, model="script", latency=0.0)


def called(*calls: tuple[str, Mapping[str, object]], text: str = "", tokens: tuple[int, int] = (10, 5)) -> ModelReply:
    """A reply that calls tools: ``called(("web_search", {"query": "pier"}))``."""
    made = tuple(
        ToolCall(call_id=f"call_{index}", name=name, arguments=arguments)
        for index, (name, arguments) in enumerate(calls, 1)
    )
    usage = Usage(input=tokens[0], output=tokens[1], cost=Decimal(0))
    return ModelReply(text=text, calls=made, usage=usage, finish=Finish.TOOL_CALL, model="script", latency=0.0)
