"""How much one call may hold, where its model reads little: 8,192 tokens are usual for one on a desk.

A server that is asked for more refuses, or drops the beginning in silence, which is the rules. So what is shown is cut
before it is shown, the reply to what is left beside it, and what does not fit even so is not sent.
"""

import math
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from affidavit.models.request import ModelRequest

Item = TypeVar("Item")

BYTES_A_TOKEN = 3
"""UTF-8 bytes that a token of a request has at least, on average: four and more in English prose, three in code and
JSON. Used to know before a call what it would come to; afterwards the provider's own count is booked."""
READ_AGAIN = 1.5
"""Tokens, as they are reckoned, that a token of prose is which a model wrote: 4.5 bytes."""
RETELLING = 0.6
"""Share of what is left beside the rules that a reply may be which tells in fields what the rest of it says. A
candidate fact is some 80 tokens as they are reckoned, and an entry of a register that is made of it 100. Not swept."""
RESULT = 0.25
"""Share of the context that the answer to one call of the researcher may be."""
QUOTATIONS = 0.35
"""Share that all quotations together may be: the draft is made of them."""
REPLY = 0.25
"""Share that a reply of the researcher may be. The rest, 0.4 of 8,192 tokens, holds the rules and the tools, 2,900
tokens as they are reckoned here. None of the three is swept; a run on such a model is in
tests/research/test_context.py."""


@dataclass(frozen=True, slots=True)
class Context:
    """`tokens` that the model reads and writes in one call; None where that is not known, and nothing is cut."""

    tokens: int | None = None

    def takes(self, request: ModelRequest) -> bool:
        """Whether `request`, answered at full length, fits."""
        return self.tokens is None or most_tokens(request) <= self.tokens

    def left(self, request: ModelRequest) -> int | None:
        """The tokens that are left for a reply to `request`, below zero where that alone is too long; None without a
        limit."""
        return None if self.tokens is None else self.tokens - read_tokens(request)

    def fitted(self, request: ModelRequest, least: int) -> ModelRequest | None:
        """`request`, its reply cut to what is left for it; None where that is less than `least` tokens. Whoever asks it
        again, with more, knows the limit from it."""
        left = self.left(request)
        if left is None:
            return request
        if left < max(1, min(least, request.max_tokens)):
            return None
        return replace(request, max_tokens=min(request.max_tokens, left), context_tokens=self.tokens)

    def retelling(self, bare: ModelRequest) -> int:
        """The tokens of a reply that tells again, in fields, what `bare` will say once it has more; at most its own
        bound."""
        left = self.left(bare)
        return bare.max_tokens if left is None else min(bare.max_tokens, int(max(0, left) * RETELLING))

    def shown(self, most: int, parts: int = 1) -> int:
        """The characters of each of so many `parts` of one answer, at most `most`."""
        return most if self.tokens is None else min(most, self._bytes(RESULT) // max(1, parts))

    def quotes(self, taken: int) -> bool:
        """Whether quotations of `taken` bytes together leave room to draft from them."""
        return self.tokens is None or taken <= self._bytes(QUOTATIONS)

    def reply(self, most: int) -> int:
        """The tokens of a reply, at most `most`."""
        return most if self.tokens is None else min(most, int(self.tokens * REPLY))

    def _bytes(self, share: float) -> int:
        return int(self.tokens * share * BYTES_A_TOKEN) if self.tokens is not None else 0


def most_tokens(request: ModelRequest) -> int:
    """The tokens of `request`, answered at full length, as they are reckoned before a call."""
    return read_tokens(request) + request.max_tokens


def read_tokens(request: ModelRequest) -> int:
    """The tokens that the model reads of `request`, as they are reckoned before a call."""
    return text_tokens(str(request.as_json()))


def text_tokens(text: str) -> int:
    """The tokens of `text`, as they are reckoned before a call."""
    return math.ceil(len(text.encode("utf-8", "surrogatepass")) / BYTES_A_TOKEN)


def longest(whole: Sequence[Item], fits: Callable[[Sequence[Item]], bool]) -> int:
    """How much of `whole`, from its beginning, fits. What is shorter than what fits must fit."""
    if fits(whole):
        return len(whole)
    return bisect_right(range(1, len(whole) + 1), False, key=lambda length: not fits(whole[:length]))
