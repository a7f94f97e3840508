"""What makes two statements one: the words that two texts have in common, and the ids made of them.

A fact keeps its id over re-runs as long as it says the same, whatever page says it; without that a person's decision
would be lost with the next change of a page.
"""

import hashlib
import re

from affidavit.evidence.fold import fold

_NOT_WORD = re.compile(r"[^\w%$€£+.,]+")


def normal(text: str) -> str:
    """`text` without case, white space and punctuation at the edges of words; figures keep their signs."""
    words = (
        word.strip(".,+" if not any(map(str.isdigit, word)) else ".,") for word in _NOT_WORD.split(fold(text).text)
    )
    return " ".join(word for word in words if word).casefold()


def candidate_id(doc_id: str, start: int, end: int, text: str, subject: str, value: str | None) -> str:
    return _id("cand", doc_id, str(start), str(end), normal(text), normal(subject), value or "")


def fact_id(text: str, subject: str, value: str | None, owner: str | None) -> str:
    return _id("fact", normal(text), normal(subject), normal(value or ""), normal(owner or ""))


def group_id(members: tuple[str, ...]) -> str:
    """The name of a conflict among facts of these ids."""
    return _id("conflict", *sorted(members))


def _id(kind: str, *parts: str) -> str:
    return f"{kind}_" + hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]
