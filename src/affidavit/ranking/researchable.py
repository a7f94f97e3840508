"""Whether any result could change the answer. If none could, there is nothing to research.

A claim needs something that would refute it, and wording that can be refuted. A question needs an answer that
stands in the world and not in the asker. What fails is refused with what is wrong and with a better way to ask:
an agent that answers it anyway decorates an opinion.
"""

import re
import tomllib
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from affidavit.errors import NotResearchable
from affidavit.ranking.small_words import small_words

_WORD = re.compile(r"[^\W_]+(?:[-’'][^\W_]+)*")
_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|«[^»]*»|„[^“”]*[“”]|‘[^’]*’")
_BECAUSE = re.compile(r"^(.+?),?\s+(?:because|since|as|for)\s+(.+)$", re.IGNORECASE | re.DOTALL)
_SMALL = small_words("researchable")
# Share of the reason's words that the statement already holds, from which the reason repeats it.
_CIRCULAR = 0.75


@dataclass(frozen=True, slots=True, kw_only=True)
class _Table:
    """`vague.toml`, compiled. `turns` and `questions` pair a pattern with what is wrong with what it matches."""

    words: frozenset[str]
    excused: re.Pattern[str]
    turns: tuple[tuple[re.Pattern[str], str], ...]
    questions: tuple[tuple[re.Pattern[str], str], ...]
    settled: re.Pattern[str]


@lru_cache(maxsize=1)
def _table() -> _Table:
    read: dict[str, Any] = tomllib.loads(files("affidavit.ranking").joinpath("vague.toml").read_text(encoding="utf-8"))

    def whole(pattern: str) -> str:
        return pattern.replace("(?&judged)", read["parts"]["judged"]).replace("\n", "")

    def rows(name: str) -> tuple[tuple[re.Pattern[str], str], ...]:
        return tuple((re.compile(whole(row["pattern"]), re.IGNORECASE), row["fault"]) for row in read[name])

    return _Table(
        words=frozenset(read["words"]),
        excused=re.compile("|".join(rf"\b(?:{phrase})" for phrase in read["excused"]), re.IGNORECASE),
        turns=rows("turns"),
        questions=rows("questions"),
        settled=re.compile("|".join(whole(row["pattern"]) for row in read["settled_by"]), re.IGNORECASE),
    )


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a claim or question is not researched, and how to put it instead."""

    reason: str
    suggestion: str


def refuse_claim(text: str, falsifier: str | None) -> Refusal | None:
    """None if `text` can be tested: it has a falsifier of its own and leans on no vague word."""
    if not _WORD.search(text):
        return Refusal("the claim is empty", "state one thing that can be true or false")
    wording = _refuse_wording(text)
    if wording:
        return wording
    if falsifier is None or not _WORD.search(falsifier):
        return Refusal(
            "it has no falsifier", "name a finding that would make you give the claim up, such as a figure or a date"
        )
    if _content(text) == _content(falsifier):
        return Refusal("its falsifier only repeats it", "name a finding that would contradict the claim")
    return None


def refuse_question(text: str) -> Refusal | None:
    """None if some result could change the answer to `text`."""
    asked = " ".join(text.split())
    if not _WORD.search(asked):
        return Refusal("the question is empty", "ask for a fact: who, when, how many, whether")
    bare = _table().excused.sub(" ", _QUOTED.sub(" ", asked))
    if _table().settled.search(bare):
        return None
    fault = next((fault for pattern, fault in _table().questions if pattern.search(bare)), None)
    if fault is None:
        return None
    return Refusal(fault, "name the measure and whose record counts, as in 'which … has the lowest …, according to …'")


def require_researchable(text: str, falsifier: str | None = None) -> None:
    """Raise NotResearchable, with reason and suggestion, for a claim (with `falsifier`) or a question (without)."""
    refusal = refuse_question(text) if falsifier is None else refuse_claim(text, falsifier)
    if refusal is not None:
        shown = text if len(text) <= 200 else text[:199] + "…"
        raise NotResearchable(f"{shown!r} cannot be researched: {refusal.reason}; {refusal.suggestion}")


def vague_words(text: str) -> tuple[str, ...]:
    """The vague words that `text` leans on, in order; not those it quotes, nor parts of terms and names."""
    bare = _table().excused.sub(" ", _QUOTED.sub(" ", unicodedata.normalize("NFC", text)))
    matches = list(_WORD.finditer(bare))
    shouted = sum(match.group()[0].isupper() for match in matches) > len(matches) / 2
    return tuple(
        match.group()
        for index, match in enumerate(matches)
        if match.group().lower() in _table().words and (shouted or not _is_name(bare, matches, index))
    )


def _refuse_wording(text: str) -> Refusal | None:
    vague = vague_words(text)
    if vague:
        return Refusal(
            f"it leans on {', '.join(repr(word) for word in dict.fromkeys(vague))}",
            "say what would be measured: which figure, of whom, when",
        )
    fault = next((fault for pattern, fault in _table().turns if pattern.search(text)), None)
    if fault:
        return Refusal(fault, "say who does or says what, in a way that a source could contradict")
    because = _BECAUSE.match(text)
    if because:
        said, reason = _content(because.group(1)), _content(because.group(2))
        if reason and len(said & reason) / len(reason) >= _CIRCULAR:
            return Refusal("its reason repeats it", "state the claim alone, with something that could contradict it")
    return None


def _is_name(text: str, matches: list[re.Match[str]], index: int) -> bool:
    """A capital inside a sentence, or at its start before another: ``Best Buy``, ``Good Friday``."""
    if not matches[index].group()[0].isupper():
        return False
    starts = index == 0 or text[: matches[index].start()].rstrip()[-1:] in ".!?:"
    following = matches[index + 1].group() if index + 1 < len(matches) else ""
    return not starts or (following[:1].isupper() and len(following) > 1)


def _content(text: str) -> frozenset[str]:
    """The words that carry what is said, cut to their beginnings so that "center" and "centered" are one."""
    words = (word.lower() for found in _WORD.findall(text) for word in found.split("-"))
    return frozenset(word[:5] for word in words if word not in _SMALL)
