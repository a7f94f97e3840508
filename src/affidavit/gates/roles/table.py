"""The tables of `words.toml`."""

import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import Any

from affidavit.gates.polarity.table import stem

_TABLE: dict[str, Any] = tomllib.loads(
    files("affidavit.gates.roles").joinpath("words.toml").read_text(encoding="utf-8")
)

DETERMINERS = frozenset[str](_TABLE["determiners"].split())
PASSED = frozenset[str](_TABLE["passed"].split())
NOT_ADVERBS = frozenset[str](_TABLE["not_adverbs"].split())
GOVERNING = frozenset[str](_TABLE["governing"].split())
BE = frozenset[str](_TABLE["be"].split())
PARTICLES = frozenset[str](_TABLE["particles"].split())
WITHIN = frozenset[str](_TABLE["within"].split())

_IRREGULAR = [row.split() for row in _TABLE["irregular"].split("|")]
_BASES = {form: row[0] for row in _IRREGULAR for form in row}
_PARTICIPLES = frozenset(row[-1] for row in _IRREGULAR)
SYMMETRIC = frozenset(stem(word) for word in _TABLE["symmetric"].split())


@lru_cache(maxsize=16384)
def verb(word: str) -> str:
    """The stem of a verb's base form: "bought" and "buys" are "buy"."""
    return stem(_BASES.get(word, word))


def is_verb_form(word: str) -> bool:
    """Whether a word looks like a verb in the past or a participle."""
    return word in _BASES or (word.endswith("ed") and len(word) > 4)


def is_participle(word: str) -> bool:
    return word in _PARTICIPLES or (word.endswith("ed") and len(word) > 4)


@lru_cache(maxsize=1)
def converses() -> dict[str, tuple[str, bool]]:
    """Each relation of a converse pair to one name for both, and whether it looks from the far side."""
    found: dict[str, tuple[str, bool]] = {}
    for row in _TABLE["converse"]:
        near, far = ([_relation(word) for word in half] for half in (_halves(side) for side in row.split("|")))
        for side, turned in ((near, False), (far, True)):
            found |= dict.fromkeys(side, (near[0], turned))
    return found


def _halves(side: str) -> list[str]:
    """``lose to`` is one relation, ``beat defeat`` are two."""
    words = side.split()
    return [side] if words[-1] in PARTICLES else words


def _relation(name: str) -> str:
    word, _, particle = name.partition(" ")
    return f"{verb(word)} {particle}".strip()
