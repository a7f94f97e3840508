"""What a run with a model will take, said before it begins.

From the arithmetic of a typical run on a question of three parts: 14 turns at 9,000 tokens read and 430 written, 12
convergence checks at 1,200 and 150, 9 claims verified at 1,400 and 120, most of them once more denied, 9 sentences of
a summary likewise. It scales with the number of sub-questions, and the budgets bound it. What stops a run is its
budgets.
"""

from dataclasses import dataclass
from decimal import Decimal

from affidavit.models.prices import Prices
from affidavit.models.reply import Usage
from affidavit.models.roles import Role, model_of
from affidavit.settings import Settings
from affidavit.verify.model import CALLS_A_PAIR

PARTS = 3
_DRAFT = (24_000, 4096)
_VERDICT = (7_000, 1024)
"""Bytes that a draft of twelve quotations of the usual length reads, and a verdict; tokens that each may write."""


@dataclass(frozen=True, slots=True)
class Line:
    """One role's share: calls, tokens read and written, dollars where its price is known."""

    role: Role
    model: str
    calls: int
    input: int
    output: int
    usd: Decimal | None


@dataclass(frozen=True, slots=True)
class Estimate:
    """`usd` is None where a price is missing; `most` is what the token budget can cost at the dearest of the models.
    `kept` is what a run under a limit keeps for its draft and the verdicts on it (`Reserve`), at their worst."""

    lines: tuple[Line, ...]
    usd: Decimal | None
    most: Decimal | None
    kept: Decimal | None
    limit: Decimal | None

    def told(self) -> str:
        """For a person, a line each."""
        rows = [
            f"{line.role.value}: {line.model}, about {line.calls} calls, {line.input:,} tokens read and "
            f"{line.output:,} written, {_dollars(line.usd)}"
            for line in self.lines
        ]
        if self.limit is not None and self.kept is not None:
            kept = _dollars(self.kept)
            rows.append(
                f"of ${self.limit:f}, about {kept} is kept for the draft and its verification"
                if 2 * self.kept <= self.limit
                else f"${self.limit:f} is less than twice the {kept} that a draft and its verification may cost: "
                "nothing is kept for them, and quotations may be published as they stand"
            )
        rows.append(f"together about {_dollars(self.usd)}; the budget of tokens allows at most {_dollars(self.most)}")
        return "\n".join(rows)


_TYPICAL = (
    (Role.RESEARCHER, 14, 9_000, 430),
    (Role.CONVERGENCE, 12, 1_200, 150),
    (Role.VERIFIER, 34, 1_400, 120),
)


def estimate(settings: Settings, subquestions: int, prices: Prices) -> Estimate:
    """The estimate for a question of so many `subquestions`; the embedded verifier costs nothing and has no line."""
    lines: list[Line] = []
    for role, calls, read, written in _TYPICAL:
        model = model_of(role, settings.models)
        if model is None:
            continue
        count = max(1, round(calls * subquestions / PARTS))
        if role is not Role.VERIFIER:
            count = min(count, settings.max_tool_calls + 1)
        usage = Usage(input=count * read, output=count * written)
        price = prices.of(model)
        lines.append(Line(role, model, count, usage.input, usage.output, None if price is None else price.cost(usage)))
    known = [line.usd for line in lines if line.usd is not None]
    usd = sum(known, Decimal(0)) if len(known) == len(lines) else None
    dearest = [price.most(0, settings.max_tokens) for line in lines if (price := prices.of(line.model)) is not None]
    most = max(dearest) if dearest and len(dearest) == len(lines) else None
    if settings.max_usd is not None:
        most = settings.max_usd if most is None else min(most, settings.max_usd)
    return Estimate(tuple(lines), usd, most, _kept(settings, prices), settings.max_usd)


def _kept(settings: Settings, prices: Prices) -> Decimal | None:
    """The worst case of a draft of the most claims, and of as many verdicts, every byte read as a token."""
    total = Decimal(0)
    judged = settings.max_claims * CALLS_A_PAIR
    for role, calls, read, written in ((Role.RESEARCHER, 1, *_DRAFT), (Role.VERIFIER, judged, *_VERDICT)):
        model = model_of(role, settings.models)
        price = None if model is None else prices.of(model)
        if model is not None and price is None:
            return None
        total += Decimal(0) if price is None else calls * price.most(read, written)
    return total


def _dollars(amount: Decimal | None) -> str:
    return "an unknown amount" if amount is None else f"${amount:.4f}"
