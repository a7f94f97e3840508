"""How much a call of the researcher may hold, where its model reads little: 8,192 tokens are usual for one on a desk.

A server that is asked for more refuses, or drops the beginning in silence, which is the rules. So what is shown is cut
to a share of the context before it is shown, and what was shown is left out again before a call would not fit.
"""

from dataclasses import dataclass

from affidavit.models.request import ModelRequest
from affidavit.research.allowance import BYTES_A_TOKEN, most_tokens

RESULT = 0.25
"""Share of the context that the answer to one call may be."""
QUOTATIONS = 0.35
"""Share that all quotations together may be: the draft is made of them."""
REPLY = 0.25
"""Share that a reply may be. The rest, 0.4 of 8,192 tokens, holds the rules and the tools, 2,900 tokens as they are
reckoned here. None of the three is swept; a run on such a model is in tests/research/test_context.py."""


@dataclass(frozen=True, slots=True)
class Context:
    """`tokens` that the model reads and writes in one call; None where that is not known, and nothing is cut."""

    tokens: int | None = None

    def takes(self, request: ModelRequest) -> bool:
        """Whether `request`, answered at full length, fits."""
        return self.tokens is None or most_tokens(request) <= self.tokens

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
