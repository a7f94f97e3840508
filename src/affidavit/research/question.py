"""What a question asks for, read without a model: the terms that matter and the kind of thing wanted."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from affidavit.ranking.terms import GENERIC, IRREGULAR, STOP_WORDS, parts, stem, words


class Wanted(StrEnum):
    """What a sentence must show to be an answer; ANYTHING asks for nothing in particular."""

    DATE = "date"
    NUMBER = "number"
    MONEY = "money"
    PERSON = "person"
    ANYTHING = "anything"


_WHEN = r"(?:until |since |by )?when\b"
_WANTED = (
    (
        Wanted.MONEY,
        r"\bhow (?:much|large|big|high)\b.*\b(?:revenue|cost|money|budget|spen[dt]|pa(?:y|id)|worth|salary|price|fee"
        r"|fine|appropriation|invest\w*|sav(?:e|ed|ings?)|earn\w*|charge\w*)\b"
        r"|\bwhat (?:\w+ ){0,4}(?:salary|budget|cost|price|fee|fine|revenue|amount of money)\b",
    ),
    (
        Wanted.DATE,
        rf"^\W*{_WHEN}|[,;]\s*(?:and )?{_WHEN}|\band {_WHEN}|\b(?:what|which) (?:\w+ )?(?:date|year|month|day)\b",
    ),
    (
        Wanted.NUMBER,
        r"\bhow (?:many|large|big|long|often|fast|tall|high|far|old|slow\w*"
        r"|much (?:faster|slower|more|less|larger|smaller|longer|time))\b"
        r"|\b(?:what|which) (?:\w+ ){0,4}(?:number|rate|percentage|share|size|length|speedup|count|ratio|age|attendance"
        r"|maximum|minimum)\b",
    ),
    (Wanted.PERSON, r"^\W*who\b|[,;]\s*(?:and )?who\b"),
)
_WANTED_PATTERNS = tuple((wanted, re.compile(pattern, re.IGNORECASE)) for wanted, pattern in _WANTED)

_YEAR = r"(?:1[5-9]|20)\d\d"
_SHOWS: dict[Wanted, re.Pattern[str]] = {
    Wanted.DATE: re.compile(rf"\b{_YEAR}\b|\b\d{{1,2}}[./-]\d{{1,2}}[./-]\d{{2,4}}\b"),
    Wanted.MONEY: re.compile(
        r"[$€£¥₹]\s?\d|\b\d[\d,.]*\s?(?:dollars?|euros?|pounds?|USD|EUR|GBP|cents?)\b|\bappropriat|\bfunds?\b", re.I
    ),
    Wanted.NUMBER: re.compile(
        r"\d|%|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|sixty|ninety|"
        r"dozen|hundred|thousand|million|billion|half|third|quarter|twice|yearly|annual|monthly|weekly|daily)\b",
        re.IGNORECASE,
    ),
    Wanted.PERSON: re.compile(
        r"(?:\b[A-Z][\w.'’-]+\s+(?:(?:van|von|de|der|den|la|le|bin|al|[A-Z]\.)\s+)*[A-Z][\w'’-]+)"
    ),
}
_NOT_A_FIGURE = re.compile(
    r"\b(?:PEP|RFC|ISO|SP|[Ss]ections?|Sec\.|[Cc]hapter|[Tt]able|[Ff]igure|[Aa]ppendix|[Pp]art|[Vv]ersion|v)"
    r"[\s#]*[\d.]+[\w.\-]*"
    r"|\b\d+(?:[-.]\d+){2,}\w*|\b(?:[A-Z][a-z]+|v) \d+\.\d+\b|\b\d+[A-Za-z]+\b(?<!m)(?<!k)(?<!bn)"
    r"|\b[A-Za-z]+-?\d+\b|\[\d+\]|\b\d{1,2}:\d\d\b",
)
"""Numbers that name something and count nothing: they do not answer "how many"."""

_GENERIC_WEIGHT = 0.5
"""Worth of a word of asking. Swept {0.25, 0.5, 1} on the dev questions: 0.25 and 0.5 level (30 of 35 gold pages, 23
gold sentences among 8), 1 loses one of each."""

_ASKING = re.compile(
    r"\bhow (long|often|large|big|high|tall|far|fast|old|much|many|quickly|frequently)\b", re.IGNORECASE
)
_JOINED = re.compile(
    r"[^.?!]{0,40}?(?:\b(?:and|or|than|to|versus|vs\.?|with|from)\b|[,/&])(?:\s+\w+){0,3}\s*", re.IGNORECASE
)
_WHO_IS = re.compile(r"^\W*who (?:is|was|are|were|will be) (?:the |an? )?", re.IGNORECASE)
_FOCUS = (
    re.compile(r"\bhow (?:many|much)\b", re.IGNORECASE),
    _WHO_IS,
    re.compile(r"^\W*who\b", re.IGNORECASE),
    re.compile(r"^\W*(?:what|which) (?:is|was|are|were) (?:the |an? )?(?=[\w\- ]+? (?:of|in|for|at)\b)", re.IGNORECASE),
)
_WHICH = re.compile(r"\W*(?:(?:in|on|for|to|with|from|at|under|by) )?(which|what)\b", re.IGNORECASE)
_AUXILIARIES = frozenset(
    "is are was were do does did has have had can could may might must shall should will would".split()
)


@dataclass(frozen=True, slots=True)
class Term:
    """`stem` is compared; `parts` may stand for it all together; `specific` terms may not be missing."""

    stem: str
    word: str
    parts: tuple[str, ...]
    specific: bool
    emphasis: float

    def within(self, found: frozenset[str]) -> bool:
        return self.stem in found or (bool(self.parts) and all(part in found for part in self.parts))


@dataclass(frozen=True, slots=True)
class Question:
    """`focus` are the stems of what is counted, dated or named; one of them must be there (empty: no such demand).
    `names` are the stems of proper names; an answer's page must have them all. `compares` are those specifics that
    stand side by side in the question, so that one sentence may be about one of them. `sought` is the stem of the noun
    after "which" or "what" (which countries …?): an answer has it about it (empty: no such noun)."""

    text: str
    terms: tuple[Term, ...]
    wanted: Wanted
    focus: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    compares: frozenset[str] = frozenset()
    sought: frozenset[str] = frozenset()

    def shows_wanted(self, sentence: str) -> bool:
        """Whether `sentence` holds something of the wanted kind that the question itself did not bring along."""
        if self.wanted is Wanted.ANYTHING:
            return True
        rest = self.unasked(sentence)
        if self.wanted is Wanted.PERSON:
            names = {term.stem for term in self.terms}
            named = (match.group() for match in _SHOWS[Wanted.PERSON].finditer(rest))
            return any(not {stem(word) for word in _content(name)} <= names for name in named)
        return _SHOWS[self.wanted].search(rest) is not None

    def unasked(self, sentence: str) -> str:
        """`sentence` without the numbers that the question brought along, and but for dates without those that name
        something and count nothing."""
        rest = sentence if self.wanted is Wanted.DATE else _NOT_A_FIGURE.sub(" ", sentence)
        for word in {term.word for term in self.terms if any(c.isdigit() for c in term.word)}:
            rest = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", " ", rest)
        return rest


def read_question(text: str) -> Question:
    """The terms, the wanted kind, the focus and the names of `text`, which may be a question or a claim."""
    found: dict[str, Term] = {}
    asking = {match.group(1).lower() for match in _ASKING.finditer(text)}
    for word in words(text):
        plain = word.lower().replace("’", "'")
        if plain in STOP_WORDS or plain in asking:
            continue
        key = stem(word)
        if key in found:
            continue
        specific = any(c.isdigit() for c in word) or (len(word) > 1 and word.isupper())
        emphasis = _GENERIC_WEIGHT if key in GENERIC else 1.0
        found[key] = Term(key, word, parts(word), specific, emphasis)
    wanted = next((kind for kind, pattern in _WANTED_PATTERNS if pattern.search(text)), Wanted.ANYTHING)
    inner = words(text)[1:]
    names = frozenset(stem(word) for word in inner if word[:1].isupper() and word.lower() not in STOP_WORDS)
    return Question(
        text, tuple(found.values()), wanted, _focus(text, wanted), names, _compared(text, found), _sought(text)
    )


def _sought(text: str) -> frozenset[str]:
    """The noun of "which <noun>" and "what <noun>": the last word before an auxiliary ("what password length does"),
    else, after "which", the first ("which countries ban"). After "what" a verb may stand there ("what caused")."""
    match = _WHICH.match(text)
    if match is None:
        return frozenset()
    run = _run(text[match.end() :])
    rest = words(text[match.end() :])[len(run) :]
    if run and rest and rest[0].lower() in _AUXILIARIES:
        return frozenset({stem(run[-1])}) - GENERIC
    return frozenset(stem(word) for word in run[:1] if match.group(1).lower() == "which") - GENERIC


def _compared(text: str, found: Mapping[str, Term]) -> frozenset[str]:
    """The specifics joined by "and", "or", "from … to …", "than" or a comma, at most a few words apart."""
    compared: set[str] = set()
    last: tuple[int, str] | None = None
    for match in re.finditer(r"\S+", text):
        word = next(iter(words(match.group())), "")
        term = found.get(stem(word))
        if term is None or not term.specific or not any(c.isdigit() for c in word):
            continue
        if last is not None and last[1] != term.stem and _JOINED.fullmatch(text[last[0] : match.start()]):
            compared |= {last[1], term.stem}
        last = (match.start() + match.group().find(word) + len(word), term.stem)
    return frozenset(compared)


def _focus(text: str, wanted: Wanted) -> frozenset[str]:
    """What is counted (how many taxpayers), named (who is the release manager) or dated (when was it released)."""
    if wanted is Wanted.DATE:
        clause = re.split(r"[,;?]", text[_start_of_when(text) :])[0]
        content = [word for word in _content(clause) if word[:1].islower()]
        return frozenset(stem(word) for word in content[-1:])
    for pattern in _FOCUS:
        match = pattern.search(text)
        if match is None:
            continue
        run = _run(text[match.end() :])
        telling = [word for word in run if stem(word) not in GENERIC]
        if not telling:
            rest = [word for word in _content(text[match.end() :]) if word[:1].islower() and word not in run]
            verbs = [word for word in rest if word.endswith(("ed", "en")) or word in IRREGULAR]
            telling = (verbs or rest)[:1]
        if pattern is _WHO_IS:  # a chief executive is an executive, and no other chief
            telling = telling[-1:]
        return frozenset(stem(word) for word in telling)
    return frozenset()


def _start_of_when(text: str) -> int:
    match = re.search(r"\bwhen\b|\b(?:what|which) (?:\w+ )?(?:date|year|month|day)\b", text, re.IGNORECASE)
    return match.end() if match else 0


def _content(text: str) -> list[str]:
    return [word for word in words(text) if word.lower().replace("’", "'") not in STOP_WORDS]


def _run(text: str) -> list[str]:
    """The content words at the start of `text`, up to the first stop word or mark."""
    run: list[str] = []
    for piece in text.split():
        word = next(iter(words(piece)), "")
        if not word or word.lower().replace("’", "'") in STOP_WORDS:
            break
        run.append(word)
        if piece[-1] in ",;:?.!":
            break
    return run


Weight = Callable[[str], float]
"""A term's weight by its stem: larger is rarer."""
