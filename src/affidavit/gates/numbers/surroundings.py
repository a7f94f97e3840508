"""The words around a figure that bound it: "about", "more than", "or so", a plus sign."""

import re
from functools import cache

from affidavit.gates.numbers.lexicon import alternation, split_bar, table
from affidavit.gates.numbers.mention import Modifier

_REACH = 28
_LETTER_END = re.compile(r"[\w.)-]$")


@cache
def _before() -> tuple[re.Pattern[str], dict[str, Modifier], frozenset[str]]:
    rows = table("modifiers")["before"]
    phrases = {phrase: Modifier(name) for name, row in rows.items() for phrase in split_bar(row)}
    worded = [phrase for phrase in phrases if phrase[0].isalpha() and phrase[0].isascii()]
    signs = [phrase for phrase in phrases if phrase not in worded]
    pattern = re.compile(
        rf"(?:(?<![\w-])(?P<word>{alternation(worded)})|(?P<sign>{alternation(signs)}))"
        r"(?:[ \u00a0\n]+(?:the|a|an|only|just|some|about|total of))?[ \u00a0\n]*$",
        re.IGNORECASE,
    )
    last = frozenset(re.split(r"[ \u00a0]", phrase)[-1][-3:].lower() for phrase in phrases)
    return pattern, phrases, last


@cache
def _after() -> tuple[re.Pattern[str], dict[str, Modifier]]:
    rows = table("modifiers")["after"]
    phrases = {phrase: Modifier(name) for name, row in rows.items() for phrase in split_bar(row)}
    return re.compile(rf"[ \u00a0\n]?(?P<phrase>{alternation(phrases)})(?!\w)", re.IGNORECASE), phrases


def modifier_before(text: str, start: int, floor: int) -> Modifier | None:
    """The modifier whose words end right before the figure that starts at `start`."""
    lead = text[max(floor, start - _REACH) : start]
    bare = lead.rstrip(" \u00a0\n")
    if not bare or bare[-1] in ",;:!?)":
        return None
    pattern, phrases, last = _before()
    known_end = bare[-3:].lower().lstrip() in last or not bare[-1].isascii()
    if not known_end and bare[-1].isalnum() and not _determined(bare, last):
        return None
    match = pattern.search(lead)
    if match is None or (match["sign"] in (">", "<") and lead[: match.start()].endswith(("-", "=", "<", "|"))):
        return None
    written = " ".join((match["word"] or match["sign"]).lower().split())
    return phrases[written]


def _determined(bare: str, last: frozenset[str]) -> bool:
    words = bare.lower().split()
    return (
        len(words) > 1
        and words[-1] in ("the", "a", "an", "only", "just", "of")
        and any(words[-2].endswith(ending) for ending in last)
    ) or (bare[-2:].strip().lower() in last)


def modifier_after(text: str, end: int) -> tuple[Modifier, int] | None:
    """The modifier that stands right after the figure that ends at `end`, and where its words end."""
    if text[end : end + 1] in "\n.;:!?":
        return None
    pattern, phrases = _after()
    match = pattern.match(text, end)
    return (phrases[" ".join(match["phrase"].lower().split())], match.end()) if match else None
