"""What a run with a model may spend: the meter of every run, with the model's tool calls and tokens beside it."""

from collections.abc import Mapping
from dataclasses import dataclass

from affidavit.models.context import most_tokens
from affidavit.models.reply import ModelReply
from affidavit.models.request import ModelRequest
from affidavit.research.meter import Meter


@dataclass(slots=True)
class Allowance(Meter):
    """`tool_calls` counts every step of the model: a call, refused or not, or a reply without one. `kept` are tokens
    that only the landing may spend."""

    tool_calls: int = 0
    tokens: int = 0
    kept: int = 0

    def take_tool_call(self) -> bool:
        return self._take("tool_calls", self.limits.max_tool_calls)

    def take_last_fetch(self) -> bool:
        """Take a fetch for the landing: one that is left may be used though the loop's time is up, which its calls of
        models are cut short for."""
        return self._take("fetches", self.limits.max_fetches, timed=False)

    @property
    def in_time(self) -> bool:
        return "seconds" not in self.out

    @property
    def at_reserve(self) -> bool:
        """Whether no more calls are left than the landing needs."""
        return self.limits.max_tool_calls - self.tool_calls <= self.limits.reserve_calls

    def keep(self, *requests: ModelRequest) -> None:
        """Keep the tokens of `requests`, answered at full length, from all others; nothing where that is more than half
        of what the run may spend."""
        most = sum(map(most_tokens, requests))
        self.kept = most if 2 * most <= self.limits.max_tokens else 0

    def affords(self, request: ModelRequest) -> bool:
        """Whether the tokens of `request`, answered at full length, are left beside those that are kept."""
        return self.tokens + self.kept + most_tokens(request) <= self.limits.max_tokens

    def book(self, request: ModelRequest, reply: ModelReply) -> None:
        """Count what a call took: as the provider counted it, or as it was estimated where it did not."""
        usage = reply.usage
        self.tokens += most_tokens(request) if usage is None else usage.input + usage.output

    def left(self) -> str:
        """What is left, as a model reads it at the end of each tool result.

        Time and money are left out, and bound all the same: they differ from one run of the same steps to the next, and
        a run that is derived again must ask the same words.
        """
        limits = self.limits
        counts = (
            ("tool calls", self.tool_calls, limits.max_tool_calls),
            ("searches", self.searches, limits.max_searches),
            ("fetches", self.fetches, limits.max_fetches),
            ("quotations", self.spans, limits.max_spans),
            ("tokens", self.tokens, limits.max_tokens),
        )
        return "Left: " + ", ".join(f"{max(0, limit - used)} of {limit} {name}" for name, used, limit in counts) + "."

    def report(self) -> Mapping[str, Mapping[str, float | None]]:
        return {
            **Meter.report(self),
            "tool_calls": {"used": self.tool_calls, "limit": self.limits.max_tool_calls},
            "tokens": {"used": self.tokens, "limit": self.limits.max_tokens},
        }
