"""Whether a sentence leans on the one before it, so that it falls when that one is dropped (contract R7).

By its first words alone: pronouns, pointers without a noun, connectives. A sentence that begins so and stands by itself
all the same is lost only together with the one before it; a sentence that leans in its middle is not seen.
"""

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from affidavit.evidence.language import guess_language

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


@dataclass(frozen=True, slots=True)
class _Words:
    openers: frozenset[str]
    pointers: frozenset[str]
    after: frozenset[str]


def leans_back(text: str, language: str | None = None) -> bool:
    """Whether `text` begins with a word that needs the sentence before it. One sentence is short to guess a `language`
    from: give that of the whole text."""
    table = _tables().get(language or guess_language(text))
    found = [match.lower() for match in _WORD.findall(text[:80])[:2]]
    if table is None or not found:
        return False
    first, second = found[0], found[1] if len(found) > 1 else ""
    if first in table.openers or f"{first}-{second}" in table.openers:
        return True
    return first in table.pointers and (second in table.after or not second)


@lru_cache(maxsize=1)
def _tables() -> dict[str, _Words]:
    file = resources.files("affidavit.research").joinpath("anaphora.toml")
    rows = tomllib.loads(file.read_text(encoding="utf-8"))
    return {
        language: _Words(
            frozenset(row["openers"].split()), frozenset(row["pointers"].split()), frozenset(row["after"].split())
        )
        for language, row in rows.items()
    }
