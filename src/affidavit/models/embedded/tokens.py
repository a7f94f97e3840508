"""How many tokens a text is, by the tokenizer that comes with the package.

No provider's own: each has another, and most publish none. WordPiece of an English vocabulary of 30,522 makes more
tokens of a text than the vocabularies of 100,000 and more that current models use, so a budget counted with it is kept
there too: the writing and the reviewing request of one assignment came to 993 and 1765 here, and to 978 and 1707 by
Qwen2.5's own count, its chat template included. A word that it does not know it would count as one token, whatever its
length; here such a word counts its bytes, since no tokenizer makes more tokens of a text than it has bytes.
"""

from functools import cached_property
from typing import TYPE_CHECKING

from affidavit.models.embedded.encoder import read_tokenizer

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_UNKNOWN = "[UNK]"


class TokenCounter:
    """Counts. Building one reads nothing; the first `count` loads the tokenizer, some 20 ms."""

    name = "all-MiniLM-L6-v2/wordpiece"

    def count(self, text: str) -> int:
        """The tokens of `text`, a line break one. Counts of lines add up: ``count(a + "\\n" + b)`` is one more than the
        counts of both."""
        found = self._tokenizer.encode(text, add_special_tokens=False)
        total = text.count("\n")
        for token, (start, end) in zip(found.tokens, found.offsets, strict=True):
            total += len(text[start:end].encode("utf-8", "surrogatepass")) if token == _UNKNOWN else 1
        return total

    @cached_property
    def _tokenizer(self) -> "Tokenizer":
        tokenizer = read_tokenizer()
        tokenizer.no_padding()
        tokenizer.no_truncation()
        return tokenizer
