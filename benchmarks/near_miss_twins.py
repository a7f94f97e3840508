"""True twins of a sentence: its parts in another order, or other words for the same (``data/near_misses.toml``)."""

import re
from functools import cache

from near_miss_edits import LABELLED, MONTHS, SMALL, Edit, table


@cache
def synonyms() -> tuple[Edit, ...]:
    return tuple(Edit.of(row, "paraphrased") for row in table()["synonym"])


def paraphrased(sentence: str) -> tuple[str, int]:
    """The sentence in other words for the same, and how many places changed: at most one of each kind, none twice."""
    places: list[tuple[int, int, str]] = []
    for edit in (*synonyms(), _DIGITS_FOR_WORDS):
        match = edit.find.search(sentence)
        if match is None or (edit.unless and edit.unless.search(sentence)):
            continue
        before, after = sentence[: match.start()], sentence[match.end() :]
        if (edit.after and edit.after.search(before)) or before.endswith("-") or after.startswith("-"):
            continue
        if all(match.end() <= start or end <= match.start() for start, end, _ in places):
            places.append((*match.span(), _put(edit, match)))
    text = sentence
    for start, end, put in sorted(places[:MOST_CHANGES], reverse=True):
        text = text[:start] + put + text[end:]
    return text.replace(" %", "%").replace("U.S..", "U.S."), min(len(places), MOST_CHANGES)


def _put(edit: Edit, match: re.Match[str]) -> str:
    if edit is _DIGITS_FOR_WORDS:
        written = match.group()
        return SMALL[int(written)] if written.isdigit() else str(SMALL.index(written))
    put = match.expand(edit.put)
    return put[0].upper() + put[1:] if match.group()[:1].isupper() else put


MOST_CHANGES = 4
_DIGITS_FOR_WORDS = Edit(
    "paraphrased",
    re.compile(rf"(?<![\w.,:/$#%-])(?:[2-9]|1[0-2]|{'|'.join(SMALL[2:])})(?= [a-z]{{3,}}s\b)"),
    "",
    after=re.compile(rf"{LABELLED.pattern}|^$|\bthe $"),
)
_PRONOUN = re.compile(
    r"\b(?:it|its|they|them|their|this|that|these|those|he|she|his|her|such|so|then|also|there)\b", re.I
)
_LEADING = re.compile(
    r"(?P<a>(?:If|When|While|Because|Although|After|Before|Once|During|Until|In (?:\w+ )?\d{4}|At the|On [A-Z]\w+"
    r"|With a|For the) [^,]{6,110}),"
    r" (?P<b>(?:the|an?|we|you|I|all|each|some|most|many|there|[A-Z][\w-]+) [^,;:]{15,})\.$"
)
_TRAILING = re.compile(
    r"(?P<b>(?P<first>The|An?|You|We|Each|All|Any|Users|Every|Some|Most|Many|[A-Z]+s?|\d\S*) [^,;:]{12,120}?)"
    r" (?P<a>(?:(?:because|if|when|although|before|after|once|until|while|whenever|unless)\b (?!per )[^,;:]{4,110}"
    rf"|in (?:(?:{'|'.join(MONTHS)}) )?(?:19|20)\d\d))\.$"
)
_LIST = re.compile(
    r"\b(?P<lead>such as|including|like) (?P<a>[\w-]+(?: [\w-]+)?), (?P<b>[\w-]+(?: [\w-]+)?),? and"
    r" (?P<c>[\w-]+(?: [\w-]+)?)(?=[.,;])"
)
_LOOSE = re.compile(
    r"\b(?:that|which|who|whether|how|what|where|and|or|not|even|only|as|than|see|know|just|right|to)\b"
    r"|\b(?:time|days?|weeks?|months?|years?|hours?|minutes?|shortly|immediately|long|soon|limit)$"
)
_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|can|may|must|should|will|would|could|SHALL|SHOULD|MUST|MAY|often|fails?|goes"
    r"|changes|needs?|works?|takes?|started|launched|decided|began|joined|published|became|does|do)\b"
)
_BACK = re.compile(r"\b(?:it|they|them|its|their|that|this|which|whom|how)\b")
_PASSIVE = re.compile(
    r"(?P<thing>(?:The|This|An?) [^,;:]{4,60}?|PEP \d+) (?:was|were) "
    r"(?P<verb>created|developed|designed|written|proposed"
    r"|introduced|built|added|authored) by (?P<who>[^,;:]{3,60})\.$"
)


def reordered(sentence: str) -> str | None:
    """The sentence with its parts in another order, every word kept (an active for a passive apart)."""
    match = _LEADING.match(sentence)
    if match and not _PRONOUN.search(match["a"] + " " + match["b"]) and not re.search(r"\band\b|\bor\b", match["b"]):
        return f"{match['b'][0].upper()}{match['b'][1:]} {match['a'][0].lower()}{match['a'][1:]}."
    match = _TRAILING.match(sentence)
    if match and not _LOOSE.search(match["b"]) and _FINITE.search(match["b"]) and not _BACK.search(match["a"]):
        lowered = match["first"] in (
            "The",
            "A",
            "An",
            "You",
            "We",
            "Each",
            "All",
            "Any",
            "Users",
            "Every",
            "Some",
            "Most",
            "Many",
        )
        whole = match["b"][0].lower() + match["b"][1:] if lowered else match["b"]
        return f"{match['a'][0].upper()}{match['a'][1:]}, {whole}."
    match = _LIST.search(sentence)
    if match:
        listed = f"{match['lead']} {match['c']}, {match['a']}, and {match['b']}"
        return sentence[: match.start()] + listed + sentence[match.end() :]
    match = _PASSIVE.match(sentence)
    if match and not re.search(r"\b(?:that|which|who|and|in|it|using)\b", match["who"]):
        verb = {"written": "wrote", "built": "built"}.get(match["verb"], match["verb"])
        thing = match["thing"] if match["thing"].startswith("PEP") else match["thing"][0].lower() + match["thing"][1:]
        return f"{match['who'][0].upper()}{match['who'][1:]} {verb} {thing}."
    return None
