"""What each role of a run used: calls, tokens, dollars and time, from the providers' own counts."""

from dataclasses import dataclass, field
from decimal import Decimal

from affidavit.models.call import Call, CallState


@dataclass(slots=True)
class Line:
    """One role's use. `unpriced` are calls of unknown cost, `uncounted` those without counts of the provider, and
    `uncertain` those whose end is not known; `usd` holds none of them. `cut_off` are replies that reached their bound.
    `seconds` adds calls up that ran side by side.
    """

    calls: int = 0
    failed: int = 0
    uncertain: int = 0
    unpriced: int = 0
    uncounted: int = 0
    cut_off: int = 0
    input: int = 0
    output: int = 0
    cached: int = 0
    usd: Decimal = Decimal(0)
    seconds: float = 0.0
    models: set[str] = field(default_factory=set[str])

    def as_json(self) -> dict[str, object]:
        """`usd` as text, so that no rounding adds up; null where no call's cost is known."""
        known = self.calls - self.failed - self.uncertain - self.unpriced
        return {
            "calls": self.calls,
            "failed": self.failed,
            "uncertain": self.uncertain,
            "unpriced": self.unpriced,
            "uncounted": self.uncounted,
            "input_tokens": self.input,
            "output_tokens": self.output,
            "cached_tokens": self.cached,
            "usd": str(self.usd) if known or not self.calls else None,
            "seconds": round(self.seconds, 3),
            "models": sorted(self.models),
        }

    def told(self) -> str:
        """The line for a person: calls, tokens, dollars and what is not known."""
        known = f"${self.usd:.4f}" if self.usd or not self.unpriced else "cost not known"
        unknown = f", {self.unpriced} of unknown cost" if self.unpriced and self.usd else ""
        uncertain = f", {self.uncertain} that may have been charged" if self.uncertain else ""
        cut = f", {self.cut_off} cut off at their bound" if self.cut_off else ""
        return f"{self.calls} calls{cut}{unknown}{uncertain}, {self.input} tokens in, {self.output} out, {known}"


class Account:
    """Adds up what `on_call` is told; give it `Account.take`, or call that from your own listener."""

    def __init__(self) -> None:
        self._lines: dict[str, Line] = {}

    @property
    def lines(self) -> dict[str, Line]:
        """By role, in order of first use."""
        return self._lines

    def take(self, call: Call) -> None:
        if call.state is CallState.STARTED:
            return
        line = self._lines.setdefault(call.role, Line())
        line.calls += 1
        line.seconds += call.seconds
        line.failed += call.state is CallState.FAILED
        line.uncertain += call.state is CallState.UNCERTAIN
        if call.reply is None:
            return
        line.models.add(call.reply.model)
        line.cut_off += call.reply.cut_off
        if call.cost is None:
            line.unpriced += 1
        else:
            line.usd += call.cost
        usage = call.reply.usage
        if usage is None:
            line.uncounted += 1
            return
        line.input += usage.input
        line.output += usage.output
        line.cached += usage.cached

    def as_json(self) -> dict[str, object]:
        return {role: line.as_json() for role, line in self._lines.items()}
