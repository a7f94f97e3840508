"""What a number counts: the head noun, in the singular.

The noun comes from the syntax of the sentence, in this order: the noun phrase after the number ("12 new electric
buses"), the phrase after "of" ("45% of members", "12 of the ships"), a label before a colon ("Staff: 45"), "the number
of mice rose to 40", the noun before a bracket or apposition ("women (34)", "the children, 30 in all"), the subject of a
linking verb ("the wall is 5 m long"). A scope note of the caller is read by `scope_noun` and stands over all of these.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from affidavit.gates.numbers.lexicon import table

_TOKEN = re.compile(r"(?:(?<=[ \u00a0])\.)?[^\W\d_]+(?:['’-][^\W\d_]+)*|[.,;:!?()\[\]{}—–\"“”|/\n\u2029]|\d\S*")
_OF = re.compile(r"\)?[ \u00a0\n]+(?:of|de|der|des|del|von|di)[ \u00a0\n]+", re.IGNORECASE)
_OF_D = re.compile(r"[ \u00a0]+d'", re.IGNORECASE)
_DETERMINER = re.compile(
    r"(?:the|these|those|our|its|their|his|her|my|your|all|some|any|such|les|la"
    r"|le|los|las|der|die|das|den)\b[ \u00a0\n]+",
    re.IGNORECASE,
)
_NUMBER_OF = re.compile(
    r"(?<!\ba )\b(?:number|count|total|tally|share|percentage|proportion|rate|population)"
    r" of (?:the |its |our |their |all )?"
    r"(?P<np>[^\W\d_][\w' -]*?)(?= (?:is|was|are|were|rose|fell|grew|stood|stands|reached|has|had|dropped|increased|"
    r"decreased|climbed|to|in|at|by|from|remained|exceeds?|who|that)\b|[:,(])",
    re.IGNORECASE,
)
_LABEL = re.compile(r"(?P<np>[^\W\d_][\w'’ /-]{0,40}?)[ \u00a0]*(?:\([^()]{0,30}\))?[ \u00a0]*[:=|][ \u00a0]*$")
_BRACKET = re.compile(
    r"(?P<noun>[^\W\d_]+(?:-[^\W\d_]+)*)[ \u00a0]*\([ \u00a0]*(?:n[ \u00a0]*=[ \u00a0]*|about |some |~)?$"
)
_WHOLE_OF = re.compile(
    r"(?<!-)\b(?P<noun>[a-z]{3,})[ \u00a0]of[ \u00a0](?:about |some |nearly |almost |over |only )?$", re.IGNORECASE
)
_APPOSITION = re.compile(r"(?P<noun>[^\W\d_]+),[ \u00a0]*(?:some |about |all )?$")
_COPULA = re.compile(
    r"(?P<np>[^\W\d_][\w'’ -]*?)[ \u00a0\n]+(?P<verb>[^\W\d_]+)"
    r"(?:[ \u00a0\n]+(?:about|around|only|just|now|nearly|almost|over|under|to|by|at|approximately|roughly|auf|um|de))*"
    r"[ \u00a0\n]*$"
)
_NEXT = re.compile(
    r"[ \u00a0\n]+(?P<word>[^\W\d_]+)"
    r"(?P<object>[ \u00a0\n]+(?:an?(?! (?:day|week|month|year|hour|minute|night|piece)\b)"
    r"|the|that|its|their|this|any|how|whether|to|\d+)\b(?![ \u00a0]+(?:are|were|have|is)\b))?"
)
_COUNTED = re.compile(r"\d[\d.,\u00a0 ]*(?:millions?|billion|thousand|Millionen|Milliarden|Mio\.|Mrd\.)?[ \u00a0]*")
_PARTICIPLE = re.compile(r"\w+(?:ed|ing|ly)$")
# How many words a noun phrase after a number may have before its head is looked for no further.
_REACH = 7


@cache
def _words(row: str) -> frozenset[str]:
    return frozenset(table("nouns")["words"][row].split())


@cache
def _ending_verbs() -> frozenset[str]:
    return _words("verbs") | _words("verbs_or_nouns")


@cache
def _irregular() -> dict[str, str]:
    return dict(pair.split("=") for pair in table("nouns")["plurals"]["irregular"].split())


@cache
def _plural_row(row: str) -> frozenset[str]:
    return frozenset(table("nouns")["plurals"][row].split())


@lru_cache(maxsize=8192)
def singular(noun: str) -> str:
    """`noun` in the singular, lower case, by the rules of English; unchanged where it is no plural."""
    lower = re.sub(r"^[dl]'", "", noun.lower())
    head, hyphen, last = lower.rpartition("-")
    return head + hyphen + _singular(last) if hyphen else _singular(lower)


def _singular(word: str) -> str:
    known = _irregular().get(word)
    if known is not None:
        return known
    if word in _plural_row("same") or word in _plural_row("singular_s") or len(word) < 4 or not word.endswith("s"):
        return word
    if word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "sses", "xes", "zzes")):
        return word[:-2]
    return word[:-1]


@cache
def _alike() -> tuple[frozenset[str], ...]:
    return tuple(frozenset(group.split()) for group in table("nouns")["alike"]["groups"])


def same_noun(one: str, other: str) -> bool:
    """Whether two nouns in the singular count the same things ("employee" and "staff")."""
    return one == other or any(one in group and other in group for group in _alike())


@lru_cache(maxsize=8192)
def is_plural(word: str) -> bool:
    """Whether a word looks like a plural noun."""
    lower = word.lower().rpartition("-")[2]
    return (
        lower in _irregular()
        or lower in _plural_row("same")
        or (_singular(lower) != lower and lower not in _words("stop"))
    )


def is_function(word: str) -> bool:
    """Whether a word in lower case is one of the small words and verbs that stand before a number, and no noun."""
    return word in _words("stop") or word in _words("verbs") or word in _words("linking")


def noun_follows(text: str, at: int) -> bool:
    """Whether a lower-case noun that a number can count comes next, or after adjectives: "boats", "electric buses"."""
    head = _head(text, at, len(text), one=False)
    return head is not None and head[0][0].islower() and is_plural(head[0])


def noun_next(text: str, at: int) -> bool:
    """Whether the next word may be a noun: it is no mark, and none of the words that end a noun phrase."""
    match = re.compile(r"[ \u00a0\n]+(?P<word>[^\W\d_]+)|-").match(text, at)
    return match is not None and (match["word"] is None or match["word"].lower() not in _words("stop"))


def plural_next(text: str, at: int) -> bool:
    """Whether the very next word is a lower-case plural noun, and not a verb before its object ("establishes a")."""
    match = _NEXT.match(text, at)
    return match is not None and match["object"] is None and match["word"].islower() and is_plural(match["word"])


def scope_noun(note: str) -> str | None:
    """The head of a caller's scope note ("placements of candidates, not offices" → placement)."""
    head = _head(note, 0, len(note), one=False)
    return singular(head[0]) if head else None


def after(text: str, end: int, stop: int, *, one: bool = False, german: bool = False) -> tuple[str, int] | None:
    """``(noun, its end)`` of the noun phrase that follows the number ending at `end`, within the sentence."""
    link = _OF.match(text, end, stop) or _OF_D.match(text, end, stop)
    if link:
        at = _past_determiner(text, link.end())
        counted = _COUNTED.match(text, at)
        found = _head(text, counted.end() if counted else at, stop, one=False, german=german)
        return (singular(found[0]) if not german else found[0], found[1]) if found else None
    found = _head(text, end, stop, one=one, german=german)
    if found is None:
        return None
    return (found[0] if german else singular(found[0])), found[1]


def of_phrase(text: str, end: int, stop: int, *, german: bool = False) -> str | None:
    """The noun after "of", where the number is a share or a measure: "45% of members", "100 tonnes of coal"."""
    link = _OF.match(text, end, stop) or _OF_D.match(text, end, stop)
    if link is None:
        return None
    at = _past_determiner(text, link.end())
    counted = _COUNTED.match(text, at)
    found = _head(text, counted.end() if counted else at, stop, one=True, german=german)
    return (found[0] if german else singular(found[0])) if found else None


def before(text: str, begin: int, start: int) -> str | None:
    """The noun that a number refers back to: a label, "the number of X", a bracket, an apposition."""
    lead = text[max(begin, start - 160) : start]
    bare = lead.rstrip(" \u00a0")
    label = _LABEL.search(lead[-64:]) if bare.endswith((":", "=", "|")) else None
    if label:
        return _last_noun(label["np"])
    bracket = _BRACKET.search(lead[-48:]) if "(" in lead[-16:] else None
    if bracket:
        return singular(bracket["noun"])
    counted = next(reversed(list(_NUMBER_OF.finditer(lead + ":"))), None)
    if counted and counted.end() > len(lead) - 60:
        found = _head(" " + counted["np"], 0, len(counted["np"]) + 1, one=False)
        return singular(found[0]) if found else None
    whole = _WHOLE_OF.search(lead[-40:]) if " of" in lead[-12:] else None
    if whole and whole["noun"].lower() not in _words("stop") and whole["noun"].lower() != "total":
        return singular(whole["noun"])
    apposition = _APPOSITION.search(lead[-40:]) if "," in lead[-10:] else None
    if apposition and is_plural(apposition["noun"]):
        return singular(apposition["noun"])
    return None


def linked(text: str, begin: int, start: int) -> str | None:
    """The subject of the linking verb right before the number: "the wall is", "speed was", "costs fell"."""
    lead = text[max(begin, start - 120) : start]
    clause = re.split(r"[,;:(—–]|\b(?:and|while|but|und|or)\b", lead)[-1]
    match = _COPULA.search(clause.strip("\n"))
    if match is None or match["verb"].lower() not in _words("linking"):
        return None
    phrase = re.split(r"\b(?:of|for|in|on|at|from|with|by|that|which|per)\b", match["np"])[0]
    return _last_noun(phrase)


def _last_noun(phrase: str) -> str | None:
    words = re.findall(r"[^\W\d_]+(?:-[^\W\d_]+)*", phrase)
    while words and (words[-1].lower() in _words("stop") or words[-1].lower() in _words("linking")):
        words.pop()
    if not words or words[-1].lower() in _words("pronouns"):
        return None
    return singular(words[-1])


def _past_determiner(text: str, at: int) -> int:
    match = _DETERMINER.match(text, at)
    return match.end() if match else at


def _tokens(text: str, at: int, stop: int) -> Iterator[re.Match[str]]:
    return _TOKEN.finditer(text, at, min(stop, at + 120))


def _head(text: str, at: int, stop: int, *, one: bool, german: bool = False) -> tuple[str, int] | None:
    """The head noun of the phrase at `at` and its end.

    The head is the first plural, or the last of several in a row ("sports cars"), then the last word before what
    ends the phrase. German nouns are the first word with a capital.
    """
    words: list[tuple[str, int]] = []
    plural: tuple[str, int] | None = None
    last_end = at
    ended = False
    for match in _tokens(text, at, stop):
        word = match.group()
        if len(word) > 1 and word[0] == ".":  # ".gov domains": part of a name, and no end of the sentence
            words.append((word, match.end()))
            last_end = match.end()
            continue
        lower = word.lower()
        if word[0].isalpha() and lower == word.upper():
            return None  # a script without capitals: no plural tells the noun
        if text[last_end : match.start()].strip(" \u00a0\n-'’*_"):
            break
        if not word[0].isalpha() or lower in _words("stop") or (words and lower in _ending_verbs()):
            ended = True
            break
        if not words and (lower in _words("verbs") or lower in _words("linking")) and not is_plural(word):
            break
        last_end = match.end()
        if german:
            if word[0].isupper():
                return word, match.end()
            words.append((word, match.end()))
            if len(words) >= _REACH:
                break
            continue
        if is_plural(word) and not one:
            plural = (word, match.end())
        elif plural is not None:
            ended = True
            break
        words.append((word, match.end()))
        if len(words) >= _REACH:
            break
    else:
        ended = True
    if plural is not None:
        return plural
    if german or not words:
        return None
    if one:
        usable = [word for word in words if not (_PARTICIPLE.match(word[0]) and len(words) > 1)]
        return usable[-1] if ended and usable and len(words) <= 4 else words[0]
    if ended and len(words) <= 3:
        nouns = [word for word in words if not re.match(r"\w+ly$|total$|overall$|combined$", word[0])]
        return nouns[-1] if nouns else None
    return None
