"""What a language model answered, in our own words and the provider's own counts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any, cast

from pydantic import BaseModel

from affidavit.models.request import Assistant, ToolCall, call_json


class Finish(StrEnum):
    """Why a reply ends where it does."""

    STOP = "stop"
    LENGTH = "length"
    TOOL_CALL = "tool_call"
    CONTENT_FILTER = "content_filter"
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens as the provider counted them. `cached` and `written` (to its cache) are parts of `input`.

    `cost` is in US dollars, where the provider itself said what the call cost; None where it did not.
    """

    input: int
    output: int
    cached: int = 0
    written: int = 0
    cost: Decimal | None = None


@dataclass(frozen=True, kw_only=True)
class ModelReply:
    """One answer. `usage` is None where the provider gave no counts: then nobody knows what it cost.

    `model` is what the provider says it was. `latency` is in seconds, of the one try that succeeded. `value` is the
    object that `ModelRequest.output` asked for. `repairs` tells what had to be put right before the reply could be
    read; empty for one that came as it should.
    """

    text: str
    calls: tuple[ToolCall, ...] = ()
    value: BaseModel | None = None
    usage: Usage | None
    finish: Finish
    model: str
    latency: float
    repairs: tuple[str, ...] = ()
    trace: str | None = None

    @property
    def cut_off(self) -> bool:
        """Whether it ends where it does because it may not be longer: what was not finished must not be used."""
        return self.finish is Finish.LENGTH

    def turn(self) -> Assistant:
        """This reply as a message of the next request."""
        return Assistant(text=self.text, calls=self.calls, trace=self.trace)

    def as_json(self) -> dict[str, object]:
        """The reply as plain JSON, without `value`, which is read again from the text: for the ledger, and back."""
        usage = self.usage
        return {
            "text": self.text,
            "calls": [call_json(call) for call in self.calls],
            "usage": None
            if usage is None
            else {
                "input": usage.input,
                "output": usage.output,
                "cached": usage.cached,
                "written": usage.written,
                "cost": None if usage.cost is None else str(usage.cost),
            },
            "finish": self.finish.value,
            "model": self.model,
            "latency": self.latency,
            "trace": self.trace,
        }

    @classmethod
    def from_json(cls, said: Mapping[str, Any]) -> "ModelReply":
        """What `as_json` wrote. Raises KeyError, TypeError or ValueError for anything else."""
        counts = cast("Mapping[str, Any] | None", said["usage"])
        calls = cast("Sequence[Mapping[str, Any]]", said["calls"])
        return cls(
            text=said["text"],
            calls=tuple(ToolCall(**call) for call in calls),
            usage=None if counts is None else _usage(counts),
            finish=Finish(said["finish"]),
            model=said["model"],
            latency=said["latency"],
            trace=said["trace"],
        )


def _usage(counts: Mapping[str, Any]) -> Usage:
    cost = counts["cost"]
    return Usage(
        input=counts["input"],
        output=counts["output"],
        cached=counts["cached"],
        written=counts["written"],
        cost=None if cost is None else Decimal(cost),
    )
