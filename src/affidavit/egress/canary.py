"""Strings of a run that must never leave it: a mark planted in a prompt, a key, a name that a user protects.

Provenance already keeps a model from composing addresses. What is left is a page or a redirect that a server made with
data it was given earlier, and the queries of searches, which a model does compose. So every address is searched for the
marks before it is asked for, redirects too, and every query before it is sent. The search sees through case,
percent-encoding, separators, reversal, hexadecimal and base64. It cannot see through encryption, or through one letter
at a time: it is a second line, and an alarm.
"""

import base64
from collections.abc import Iterable
from urllib.parse import unquote

from affidavit.errors import SearchFailure, SearchFailureKind

SHORTEST = 8
"""Letters and digits in the shortest mark. A shorter one stands in honest addresses by chance."""
SHORTEST_KEY = 16
"""The same for keys: those of the providers have 22 (OpenAlex) and more."""
_DECODINGS = 3


def is_mark(text: str) -> bool:
    """Whether `text` is long enough to be a mark."""
    return len(_fold(text)) >= SHORTEST


def marks_of(keys: Iterable[str]) -> tuple[str, ...]:
    """The marks that `keys` make. A short one is a word that stands for a key ("placeholder")."""
    return tuple(sorted(key for key in keys if len(_fold(key)) >= SHORTEST_KEY))


class Canaries:
    """The marks of one run."""

    def __init__(self, marks: Iterable[str] = ()) -> None:
        """Raises ValueError for a mark that is too short to mean anything."""
        self._folded: set[str] = set()
        self._encoded: set[str] = set()
        for mark in marks:
            folded = _fold(mark)
            if len(folded) < SHORTEST:
                raise ValueError(f"a mark of {len(folded)} letters and digits is too short; take {SHORTEST} or more")
            self._folded |= {folded, folded[::-1], mark.encode().hex()}
            self._encoded |= _base64_forms(mark.encode())

    def within(self, url: str) -> bool:
        """Whether `url` carries one of them. The fragment is never sent and is not looked at."""
        return self._carried_by(url.partition("#")[0])

    def check_query(self, query: str, provider: str) -> None:
        """Raises SearchFailure for a query to `provider` that carries one of them."""
        if self._carried_by(query):
            raise SearchFailure(
                SearchFailureKind.BAD_REQUEST,
                provider,
                "the query carries a key or a mark of this run, which must not leave it, and was not sent",
                advice="ask without it",
            )

    def _carried_by(self, text: str) -> bool:
        if not self._folded:
            return False
        for _ in range(_DECODINGS + 1):
            folded = _fold(text)
            if any(form in text for form in self._encoded) or any(form in folded for form in self._folded):
                return True
            decoded = unquote(text)
            if decoded == text:
                return False
            text = decoded
        return False


def _fold(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def _base64_forms(data: bytes) -> set[str]:
    """What base64 makes of `data` wherever it stands in a longer text: one form for each alignment and alphabet."""
    forms: set[str] = set()
    for offset, spoilt in enumerate((0, 2, 3)):
        text = base64.b64encode(b"\0" * offset + data).decode().rstrip("=")
        whole = text if (offset + len(data)) % 3 == 0 else text[:-1]
        form = whole[spoilt:]
        forms |= {form, form.translate(str.maketrans("+/", "-_"))}
    return forms
