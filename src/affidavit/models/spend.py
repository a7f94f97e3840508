"""A cap in dollars that no call can break through, because a call whose worst case would is not made.

Before a call its worst case is set aside; after it the real cost takes its place. A call whose end is not known keeps
its worst case: it may have been charged. So at any moment what was spent and what is set aside are within the limit.
"""

from collections import OrderedDict
from dataclasses import dataclass
from decimal import Decimal
from typing import cast

from affidavit.errors import ModelFailure, ModelFailureKind
from affidavit.models.prices import Price, Prices
from affidavit.models.reply import ModelReply
from affidavit.models.request import ModelRequest, message_json, sha256_of

_TEMPLATE_TOKENS = 16
"""What a chat template puts around one message or tool, and then some: 4 to 8 in the published ones."""
_HIDDEN_TOKENS = 1024
"""What a provider puts in front of tools or a schema unseen: 300 to 800 tokens, as Anthropic documents its own."""
_REMEMBERED = 256


@dataclass(frozen=True, slots=True)
class Reservation:
    """What is set aside for one call under way; nothing where no price is known."""

    model: str
    price: Price | None
    most: Decimal


class Spend:
    """The money of one run. `limit` is in US dollars; None counts and stops nothing.

    `spent`, `uncertain` and `unpriced` are those of a run that is resumed, from before it was interrupted.
    """

    def __init__(
        self,
        prices: Prices,
        limit: Decimal | None = None,
        *,
        spent: Decimal = Decimal(0),
        uncertain: Decimal = Decimal(0),
        unpriced: int = 0,
    ) -> None:
        self.limit = limit
        self._prices = prices
        self._spent = spent
        self._reserved = Decimal(0)
        self._uncertain = uncertain
        self._unpriced = unpriced
        self._kept = Decimal(0)
        self._counted: OrderedDict[tuple[str, str], int] = OrderedDict()

    @property
    def spent(self) -> Decimal:
        """Dollars that finished calls of known price cost."""
        return self._spent

    @property
    def uncertain(self) -> Decimal:
        """The most that calls whose end is not known may have cost."""
        return self._uncertain

    @property
    def unpriced(self) -> int:
        """Calls of which nobody knows what they cost."""
        return self._unpriced

    @property
    def left(self) -> Decimal | None:
        """Dollars that may still be set aside; None without a limit."""
        return None if self.limit is None else self.limit - self._spent - self._reserved - self._uncertain

    def keep(self, amount: Decimal) -> None:
        """Keep so many dollars from every call until something else is said; none where that is more than half of the
        limit."""
        self._kept = amount if self.limit is not None and 2 * amount <= self.limit else Decimal(0)

    def most(self, model: str, request: ModelRequest) -> Decimal | None:
        """The most that `request` can cost; None where `model` has no price."""
        price = self._prices.of(model)
        return None if price is None else price.most(self._most_input(model, request), request.max_tokens)

    def reserve(self, model: str, request: ModelRequest) -> Reservation:
        """Set the worst case of `request` aside. Raises ModelFailure, SPEND_LIMIT, where the limit does not allow it,
        or where nobody can tell because the model has no price."""
        price = self._prices.of(model)
        if price is None:
            if self.limit is not None:
                raise ModelFailure(
                    ModelFailureKind.SPEND_LIMIT,
                    model,
                    f"its price is not known, so a limit of ${self.limit:f} cannot be kept",
                    advice="add a row for it to a file named in models.prices, or leave --max-usd out",
                )
            return Reservation(model, None, Decimal(0))
        most = price.most(self._most_input(model, request), request.max_tokens)
        left = self.left
        if left is not None and most > left - self._kept:
            kept = f", of which ${self._kept:.4f} is kept for the draft" if self._kept else ""
            raise ModelFailure(
                ModelFailureKind.SPEND_LIMIT, model, f"the call may cost ${most:.4f}, and ${max(left, Decimal(0)):.4f} "
                f"of ${self.limit:f} is left{kept}"
            )  # fmt: skip
        self._reserved += most
        return Reservation(model, price, most)

    def settle(self, reservation: Reservation, request: ModelRequest, reply: ModelReply) -> Decimal | None:
        """Book what `reply` cost and return it; None where that is not known. Without counts of the provider the worst
        case is booked as uncertain."""
        self._reserved -= reservation.most
        if reply.usage is not None:
            self._count(reservation.model, request, reply.usage.input)
        cost = None
        if reply.usage is not None:
            cost = reply.usage.cost if reservation.price is None else reservation.price.cost(reply.usage)
        if cost is None:
            self._unpriced += 1
            self._uncertain += reservation.most
        else:
            self._spent += cost
        return cost

    def release(self, reservation: Reservation, *, uncertain: bool) -> None:
        """The call failed. `uncertain` keeps its worst case, because it may have been charged."""
        self._reserved -= reservation.most
        if uncertain:
            self._uncertain += reservation.most
            self._unpriced += 1

    def report(self) -> dict[str, object]:
        """The state in plain JSON, dollars as text, so that no rounding adds up."""
        return {
            "limit": None if self.limit is None else str(self.limit),
            "spent": str(self._spent),
            "uncertain": str(self._uncertain),
            "unpriced_calls": self._unpriced,
        }

    def _most_input(self, model: str, request: ModelRequest) -> int:
        """No tokenizer makes more tokens than a text has bytes. Where the beginning of `request` was asked before, the
        provider's own count of it stands for that part: a loop that only adds is then known nearly to the token."""
        total = _most_tokens(request, 0)
        for length in range(len(request.messages), 0, -1):
            if (counted := self._counted.get((model, _beginning(request, length)))) is not None:
                return min(total, counted + _most_tokens(request, length))
        return total

    def _count(self, model: str, request: ModelRequest, tokens: int) -> None:
        self._counted[model, _beginning(request, len(request.messages))] = tokens
        while len(self._counted) > _REMEMBERED:
            self._counted.popitem(last=False)


def _beginning(request: ModelRequest, length: int) -> str:
    said = request.as_json()
    return sha256_of([said["system"], said["tools"], said["output"], [*map(message_json, request.messages[:length])]])


def _most_tokens(request: ModelRequest, after: int) -> int:
    """The most tokens that the messages from `after` on can be; with what stands before them, where that is all."""
    said = request.as_json()
    parts: list[object] = [message_json(message) for message in request.messages[after:]]
    hidden = 0
    if after == 0:
        parts += [said["system"], said["output"], *cast("list[object]", said["tools"])]
        hidden = _HIDDEN_TOKENS if request.tools or request.output else 0
    return hidden + sum(len(_bytes(part)) + _TEMPLATE_TOKENS for part in parts)


def _bytes(part: object) -> bytes:
    return repr(part).encode("utf-8", "surrogatepass")
