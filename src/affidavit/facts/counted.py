"""What a statement is of: the noun that a figure counts, what an amount or a time is of, what happened in a year.

The noun stands beside most counts, and the reader of numbers has it. Amounts, shares and times mostly have none
("saves over $1.2 million a year"): then it is what stands before or behind the figure in its clause, in the page's own
words. A subject is never the owner's name: who has a figure and what it counts are two things.
"""

import re

from affidavit.gates.numbers import Kind, Mention, mentions
from affidavit.gates.numbers.subject import is_plural, linked, singular
from affidavit.ranking.terms import STOP_WORDS

DATING = frozenset({Kind.YEAR, Kind.DATE})
MOST_WORDS = 4

_BIRTH = r"(?:founded|established|incorporated|formed|set up|started|created)"
_FOUNDED = re.compile(
    rf"^{_BIRTH}\b|\b(?:was|were|been) (?:first )?{_BIRTH}\b|\b{_BIRTH} (?:the|our|this) (?:company|firm|business|"
    r"agency|practice|organi[sz]ation|charity|studio|family)\b"
    r"|\bwe (?:began|started|opened)(?: our doors)? (?:in|on)\b",
    re.IGNORECASE,
)
# "$90 million in tax refunds", "£5m of savings", "20 hours of training".
_IN_WHAT = re.compile(r"(?:\s+worth)?\s+(?P<link>in|of)\s+(?P<what>[A-Za-z][\w-]*(?: [A-Za-z][\w-]*){0,4})")
# "cost-savings of over $1.2 million", "prices from £49", "a grant worth £5m".
_OF_WHICH = re.compile(
    r"(?P<what>[A-Za-z][a-z-]+(?: [a-z-]+)?)\s+(?:from \S+ to|of|at|from|to|by|worth|totall?ing|is|are|was|were)"
    r"(?:\s+(?:an?|just|only|about|over|up to|around|nearly|almost|roughly|average|an average of|more than|less than"
    r"|at least|approximately|some))*\s*$"
)
_CLAUSE = re.compile(r"[,;:()—–]|\s-\s|\b(?:and|but|while|that|which|who|because)\b")
_LOOSE = frozenset(
    "about approximately around nearly almost over under more less than up to at least most just only some roughly an a"
    " the of in by for with from on every each all its their our his her per within after before since until as into"
    " now currently also total and or is are was were be been has have had will would can could not it they we this"
    " that these those there so such very over average total".split()
)
_SIZE = re.compile(r"(?:hundred|thousand|million|billion|trillion)s?$", re.IGNORECASE)
_FIGURE = re.compile(r"[\d$€£¥%]")
_EVENT = re.compile(
    r"\b(?:founded|established|incorporated|began|started|formed|opened|launched|created|acquired|merged|joined|became"
    r"|won|received|completed|worked|released|moved|introduced|published|signed|awarded|bought|sold)\b",
    re.IGNORECASE,
)
_PREDICATE = re.compile(
    r"\b(?:is|are|was|were|has|have|offers?|provides?|helps?|builds?|designs?|delivers?|works?|serves?|supports?"
    r"|makes?|operates?|employs?|runs?|trains?|advises?|specialis\w+|specializ\w+|partner\w*|collaborat\w+|ships?"
    r"|sells?|gain|gains|gathered|gathers?)\b"
)


def is_founding(text: str, names: tuple[str, ...]) -> bool:
    """Whether the sentence says when the customer, called by `names`, came to be."""
    founds = (rf"\b{_BIRTH}\s+(?:the )?{re.escape(name)}\b" for name in names)
    return _FOUNDED.search(text) is not None or any(re.search(one, text, re.IGNORECASE) for one in founds)


def subject_of(one: Mention, text: str, before: Mention | None) -> str:
    """What `one` counts, in the singular where it is a noun. `before` is the figure before it in the sentence: in
    "Of the 90 ships, about 60%" the share is of ships."""
    if one.kind in DATING:
        return _event(text, one)
    share = _IN_WHAT.match(text, one.end) if one.kind is Kind.PERCENT else None
    if share is not None and share["link"] == "of" and (noun := phrase_head(share["what"])) is not None:
        return noun
    guessed = one.kind is Kind.CURRENCY or (one.kind is Kind.PERCENT and not one.direct)
    if one.subject is not None and not guessed and not (one.unit or "").startswith(one.subject):
        return one.subject
    if one.kind is Kind.PERCENT and before is not None and before.subject is not None and text[:3].lower() == "of ":
        return before.subject
    return _beside(text, one) or one.subject or topic_of_sentence(text)


def topic_of_sentence(text: str) -> str:
    """What a sentence without a figure says: its predicate, in a few words."""
    found = _PREDICATE.search(text)
    place = found.start() if found is not None else 0
    return _trimmed(_words(text[place:]), keep_first=found is not None) or " ".join(text.split()[:MOST_WORDS])


def following(one: Mention, text: str) -> str:
    """The words after the noun that a figure counts, to the end of the clause, five at most."""
    after = re.split(r"[,;:.()—–]|\b(?:and|but|while|than)\b", text[one.end :])[0].split()
    return " ".join(after[1:6] if one.direct else after[:5])


def phrase_head(words: str) -> str | None:
    """The noun phrase at the beginning of `words`, to its first plural: "tax refunds to taxpayers" → tax refund."""
    kept: list[str] = []
    for word in words.split():
        small = word.lower() in _LOOSE | STOP_WORDS and not word.isupper()  # "IT" is none
        if small or mentions(word):
            if not kept and not mentions(word):
                continue  # "of our clients"
            break
        kept.append(word)
        if is_plural(word):
            return " ".join([*kept[:-1], singular(word)])
    return kept[0] if len(kept) == 1 else " ".join(kept[:2]) or None


def _event(text: str, one: Mention) -> str:
    """What happened on a date, in the words of the page."""
    events = list(_EVENT.finditer(text))
    if not events:
        return topic_of_sentence(text)
    nearest = min(events, key=lambda event: abs(event.start() - one.start))
    told = _trimmed(
        _words(text[nearest.start() : one.start] if nearest.start() < one.start else text[nearest.start() :])
    )
    return told or topic_of_sentence(text)


def _beside(text: str, one: Mention) -> str | None:
    """What an amount, a share or a time is of."""
    what = _IN_WHAT.match(text, one.end)
    if what is not None and one.unit != "month":
        noun = phrase_head(what["what"])
        if noun is not None:
            return noun
    lead = text[one.sentence[0] : one.start]
    which = _OF_WHICH.search(lead)
    if which is not None:
        words = [word for word in which["what"].split() if word.lower() not in _LOOSE]
        if len(words) == 2 and is_plural(words[0]) and not is_plural(words[1]):
            words.pop()  # "prices start at"
        if words and not words[-1].lower().endswith("ly"):
            return " ".join([*words[:-1], singular(words[-1])]).lower()
    noun = linked(text, one.sentence[0], one.start)
    if noun is not None:
        return noun
    before = _words(_CLAUSE.split(lead)[-1])[-MOST_WORDS - 1 :]
    while before and (before[0][:1].isupper() or before[0] in _LOOSE):  # who has it: "OFA distributes"
        before.pop(0)
    return _trimmed(before) or None


def _words(text: str) -> list[str]:
    """The words of `text` to the end of its clause."""
    return [word.strip(".,;:()“”\"'!?") for word in _CLAUSE.split(text)[0].split()]


def _trimmed(words: list[str], *, keep_first: bool = False) -> str:
    """`words` less what says nothing at their edges, and less their figures; four at most."""
    kept = [word for word in words if word and not _FIGURE.search(word) and not _SIZE.match(word)][: MOST_WORDS + 2]
    while kept and not keep_first and kept[0].lower() in _LOOSE:
        kept.pop(0)
    kept = kept[:MOST_WORDS]
    while kept and kept[-1].lower() in _LOOSE:
        kept.pop()
    return " ".join(kept)
