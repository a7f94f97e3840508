"""One sentence in, near misses and true twins of it out: one edit each, as ``data/near_misses.toml`` lists them.

An edit that the span might bear out is not made: a number, unit or name that stands in the span anyway, a smaller
count ("two" of three), a weaker bound. What is left is judged by form alone, so a reader goes through what is shipped
(``data/near_misses_left_out.toml``).
"""

import hashlib
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

TABLE = Path(__file__).resolve().parent / "data/near_misses.toml"
T = TypeVar("T")

FIGURES = ("number", "unit", "scale", "date")
QUOTATIONS = ("quotation", "quotation_source")
WORDING = ("negation", "modality", "quantifier", "comparator", "attribution", "scope")
STATELESS = ("question", "heading")
KINDS = (*FIGURES, "name", *WORDING, "role", *QUOTATIONS, *STATELESS)

MONTHS = "January February March April May June July August September October November December".split()
SMALL = "zero one two three four five six seven eight nine ten eleven twelve".split()
QUOTED = 12
_NUMBER = re.compile(r"(?<![\w.,:/#§\[–-])(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\w–-]|[.,:/]\d)")
_SPELLED = re.compile(rf"\b(?:{'|'.join(SMALL[2:])})(?= [a-z]+s\b)")
LABELLED = re.compile(
    r"(?:[A-Z][\w.]*|\b(?i:section|table|figure|chapter|step|part|page|version|level|phase|update|item|no|number|line"
    r"|port|type|class|appendix|candidate|beta|alpha|release|issue|rule|note|example|protocol|status|error|code|option"
    r"|case|bit|index|value|returns?|python|requirement))[ \u00a0]?\(?$"
)
_BOUND = re.compile(
    r"(?i:\b(?:at least|at most|more than|less than|fewer than|greater than|over|under|up to|within|about|around|nearly"
    r"|almost|approximately|roughly|some|to|of|and|or|first|last|every|between|than|minimum|maximum|top|only|through"
    r"|additional|another|exceed|past|next|per|as few as|as many as|as little as|as much as|like|latter"
    r"|previous|following|these|those|above|the)[ ~$]*(?:the |a )?)$|[~$<>]$"
)
_UPPER = re.compile(
    r"(?i:\b(?:at most|less than|fewer than|under|up to|within|before|limited to|no more than|no longer than|first"
    r"|exceeds?)\s(?:\S+\s){0,2})$"
)
_LOWER = re.compile(
    r"(?i:\b(?:at least|more than|greater than|over|minimum(?: of)?|longer than|least once)\s(?:\S+\s){0,3})$"
)
_OR_MORE = re.compile(r"[^.;]{0,20}\bor (?:longer|more|greater|fewer|less|above|higher|later|so)\b")
_DAY = re.compile(rf"\b(?P<month>{'|'.join(MONTHS)}) (?P<day>\d{{1,2}})(?=,|\b)(?! (?:minutes|hours))")
_MONTH = re.compile(rf"\b(?P<month>{'|'.join(MONTHS)})(?= (?:of )?(?:19|20)\d\d\b)")
_YEAR = re.compile(r"(?<![\w/.-])(?:19[6-9]|20[0-2])\d(?![\w/-]|\.\d)")
_OPEN_YEAR = re.compile(
    r"(?i:\b(?:since|by|before|after|until|from|to|between|and|act of|proceedings.*|through|of|FY) ?)$|[-–—(]$"
)
_SUBORDINATE = re.compile(
    r"\b(?:if|when|that|which|who|whose|where|because|whether|although|though|while|as|since|unless|how|what|to|and|or"
    r"|but|so|than|before|after|until|once)\b|[,;:(“\"]",
    re.IGNORECASE,
)
_NOT_A_PERSON = (
    r"(?!(?:That|As|It|He|She|We|They|This|Which|Who|I|One|You|PEP|But|And|The|People|Some|Someone|Others|These|There"
    r"|What|Nothing|Everyone|Nobody|Congress|Python|If|When|Many|Most|Like|Unless|NIST|Users|Developers|Also|So|Somebody|Other|Originally|Several|No|Nothing|Nobody|Both)\b)"
)
_PERSON = rf"{_NOT_A_PERSON}(?P<name>[A-ZŁ][\w’-]+(?: (?:van )?[A-ZŁ][\w’-]+)?)"
_NOUN = r"(?:(?:[Tt]he|[Aa]n?) [a-z-]+(?: [a-z-]+)?)"
_THING = r"(?:(?:the|an?) [a-z-]+(?: [a-z-]+)?)"
_ENDS = r"(?=[.,;](?!\w)|(?: (?:when|if|with|by|during|before|after|using|via|at|on|for|in|as|while|because)\b))"


@dataclass(frozen=True, slots=True)
class Made:
    """A sentence made of another. `label` is what it is beside the span of the other; a higher `rank` is a worse
    example of its kind."""

    kind: str
    claim: str
    label: str
    rank: int = 0


@dataclass(frozen=True, slots=True)
class Edit:
    kind: str
    find: re.Pattern[str]
    put: str
    label: str = "NOT_SUPPORTED"
    unless: re.Pattern[str] | None = None
    after: re.Pattern[str] | None = None
    main: bool = False
    rank: int = 0

    @classmethod
    def of(cls, row: dict[str, Any], kind: str = "") -> "Edit":
        patterns = {key: re.compile(row[key]) for key in ("find", "unless", "after") if key in row}
        rest = {key: row[key] for key in ("put", "label", "main", "rank") if key in row}
        return cls(kind=row.get("kind", kind), **patterns, **rest)

    def apply(self, text: str) -> str | None:
        """The sentence with the first match edited, its capital kept; None where the edit is not made."""
        match = self.find.search(text)
        if match is None or (self.unless and self.unless.search(text)):
            return None
        before = text[: match.start()]
        if (self.after and self.after.search(before)) or (self.main and _SUBORDINATE.search(before)):
            return None
        put = match.expand(self.put)
        if put and match.group()[:1].isupper():
            put = put[0].upper() + put[1:]
        made = before + put + text[match.end() :]
        return made if made != text else None


@cache
def table() -> dict[str, Any]:
    return tomllib.loads(TABLE.read_text("utf-8"))


@cache
def edits() -> tuple[Edit, ...]:
    return tuple(Edit.of(row) for row in table()["edit"])


def digest(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6])


def pick(items: Sequence[T], text: str) -> T:
    """One of `items`, always the same for the same text."""
    return items[digest(text) % len(items)]


def near_misses_of(sentence: str, span: str, url: str) -> Iterator[Made]:
    """Every near miss of `sentence`, which stands in `span` on the page at `url`; quotations come last."""
    made = [
        *numbers(sentence, span),
        *units(sentence, span, "unit", table()["units"]),
        *units(sentence, span, "scale", table()["scales"]),
        *dates(sentence, span),
        *names(sentence, span),
        *speakers(sentence, span),
        *roles(sentence, span),
    ]
    for edit in edits():
        claim = edit.apply(sentence)
        if claim is not None and claim not in span:
            made.append(Made(edit.kind, claim, edit.label, edit.rank))
    yield from made
    # One sentence in `QUOTED` will do: any sentence can be quoted.
    if digest(f"quoted {sentence}") % QUOTED == 0 and not set(sentence) & set('"“”‘’«»…'):
        yield from quotations(sentence, span, url, made)


def numbers(sentence: str, span: str) -> Iterator[Made]:
    standing = set(_NUMBER.findall(span)) | set(re.findall(r"\d+", span))
    for match in _NUMBER.finditer(sentence):
        before, after, written = sentence[: match.start()], sentence[match.end() :], match.group()
        if (
            _OR_MORE.match(after)
            or LABELLED.search(before)
            or _BOUND.search(before)
            or _YEAR.fullmatch(written)
            or written in ("0", "1", "100")
        ):
            continue
        if any(month in sentence[max(0, match.start() - 12) : match.end() + 12] for month in MONTHS):
            continue
        counted = re.match(r"%| percent\b| (?:million|billion|thousand)\b| (?:[a-z-]+ ){0,2}[a-z]{3,}s\b", after)
        if counted is None or ("." in written and not re.match(r"%| percent| million| billion", after)):
            continue
        other = _larger(written, before + after)
        small = SMALL[int(other)] if other.isdigit() and int(other) < len(SMALL) else other
        if other not in standing and not re.search(rf"\b{small}\b", span):
            yield Made("number", before + other + after, "NOT_SUPPORTED")
    match = _SPELLED.search(sentence)
    if match and not _BOUND.search(sentence[: match.start()]) and not LABELLED.search(sentence[: match.start()]):
        value = SMALL.index(match.group()) + 1 + digest(sentence) % 2
        if value < len(SMALL) and not re.search(rf"\b(?:{SMALL[value]}|{value})\b", span):
            rank = 2 if re.match(r" (?:of|ways|things|kinds|types|birds)\b", sentence[match.end() :]) else 1
            made = sentence[: match.start()] + SMALL[value] + sentence[match.end() :]
            yield Made("number", made, "NOT_SUPPORTED", rank)


def _larger(written: str, text: str) -> str:
    """A number by a digit larger: a count that is smaller would hold as well."""
    places = [index for index, character in enumerate(written) if character.isdigit() and character != "9"]
    if not places or (written.isdigit() and int(written) <= 12):
        return str(int(written.replace(",", "").partition(".")[0]) + 1 + digest(text) % 3)
    at = places[digest(text) % len(places)] if len(places) > 1 else places[0]
    return written[:at] + str(int(written[at]) + 1) + written[at + 1 :]


def units(sentence: str, span: str, kind: str, rows: dict[str, Any]) -> Iterator[Made]:
    for ladder in rows["ladders"]:
        for index, unit in enumerate(ladder):
            exact = unit.isupper() or len(unit) <= 3
            if unit not in sentence:
                continue
            for match in re.finditer(rf"(?<=[\d\w] ){unit}{'' if exact else 's?'}\b(?!\s?-)", sentence):
                before = sentence[: match.start()]
                counted = re.search(r"(?:\d|\b(?:two|three|four|five|six|ten|twelve|few|one|a|several|many)) $", before)
                number = re.search(r"\d $", before) if exact or kind == "unit" else counted
                if unit in ("second", "bit", "byte", "character", "day", "year") and re.search(
                    r"(?i:\b(?:a|one|few|several|many)) $", before
                ):
                    continue
                if not (number or counted) or (kind == "scale" and unit in ("hundred", "thousand") and not number):
                    continue
                bounded = _UPPER.search(before) or _OR_MORE.match(sentence[match.end() :])
                larger = index + 1 < len(ladder) and not bounded and (kind == "scale" or not _LOWER.search(before))
                smaller = index > 0 and kind == "unit" and not bounded and not _LOWER.search(before)
                steps = [step for step, fits in ((1, larger), (-1, smaller)) if fits]
                if not steps:
                    continue
                other = ladder[index + pick(steps, sentence)]
                if re.search(rf"\b{other}s?\b", span) or sentence[match.end() :].startswith(" separator"):
                    continue
                many = "s" if match.group().endswith("s") and not exact and not unit.endswith("s") else ""
                yield Made(kind, before + other + many + sentence[match.end() :], "NOT_SUPPORTED")
    for one, other in rows.get("swaps", ()):
        match = re.search(rf"(?<=\d){re.escape(one)}" if one != "$" else r"\$(?=\d)", sentence)
        if match and other.strip() not in span:
            yield Made(kind, sentence[: match.start()] + other + sentence[match.end() :], "NOT_SUPPORTED")


def dates(sentence: str, span: str) -> Iterator[Made]:
    day = _DAY.search(sentence)
    if day:
        other = str((int(day["day"]) + 2 + digest(sentence) % 9) % 28 + 1)
        if not re.search(rf"\b{other}\b", span):
            yield Made("date", sentence[: day.start("day")] + other + sentence[day.end("day") :], "NOT_SUPPORTED")
    for match in (day, _MONTH.search(sentence)):
        if match and not _OPEN_YEAR.search(sentence[: match.start()]):
            other = MONTHS[(MONTHS.index(match["month"]) + 1 + digest(sentence) % 10) % 12]
            if other not in span:
                made = sentence[: match.start("month")] + other + sentence[match.end("month") :]
                yield Made("date", made, "NOT_SUPPORTED")
            break
    for year in _YEAR.finditer(sentence):
        other = str(int(year.group()) + pick((-3, -2, -1, 1, 2, 3), sentence))
        if other not in span and not _OPEN_YEAR.search(sentence[: year.start()]):
            yield Made("date", sentence[: year.start()] + other + sentence[year.end() :], "NOT_SUPPORTED")
            break


def names(sentence: str, span: str) -> Iterator[Made]:
    for group, members in table()["names"].items():
        if group == "speakers":
            continue
        for name in members:
            if name not in sentence:
                continue
            match = re.search(rf"(?<![\w.(-]){re.escape(name)}(?![\w-]| \([A-Z]|\))", sentence)
            if match is None or re.search(r"(?i:\b(?:an?|or|and|/|like|as)) ?$", sentence[: match.start()]):
                continue
            if match.start() == 0 and group == "languages":
                continue
            others = [one for one in members if one not in span and name not in one and one not in name]
            if others:
                other = pick(others, sentence)
                yield Made("name", sentence[: match.start()] + other + sentence[match.end() :], "NOT_SUPPORTED")
    match = re.search(r"\bPEP (\d{1,4})\b", sentence)
    if match:
        number = match.group(1)
        other = str(int(number) + pick((1, 2, 10, 100), sentence))
        if other not in span and span.count(number) == 1:
            made = sentence[: match.start(1)] + other + sentence[match.end(1) :]
            yield Made("name", made, "NOT_SUPPORTED", 1)


def speakers(sentence: str, span: str) -> Iterator[Made]:
    """The same words in another mouth."""
    verbs = table()["speech"]["verbs"]
    patterns = (
        rf"(?:^|[,;”\"] ){_PERSON}(?:,? \([^)]*\),?)? (?:also |has |have |once )?(?:{verbs})\b",
        rf"[”\"] (?:{verbs}) {_PERSON}",
        rf"\b[Aa]ccording to {_PERSON}(?=[,.])",
        rf"\b(?:suggested|proposed|written|pointed out|requested|authored) by {_PERSON}",
    )
    for pattern in patterns:
        match = re.search(pattern, sentence)
        if match is None:
            continue
        other = pick(table()["names"]["speakers"], sentence)
        if " " not in match["name"]:
            other = other.partition(" ")[0]
        made = sentence[: match.start("name")] + other + sentence[match.end("name") :]
        yield Made("attribution", made, "NOT_SUPPORTED", 0 if set(sentence) & set('“"') else 1)
        return


def roles(sentence: str, span: str) -> Iterator[Made]:
    """Who did it to whom, which replaced which, from where to where: the two change places."""
    rows = table()["roles"]
    verb = rf"(?:(?:SHALL|SHOULD|MUST|MAY|must|may|should|can|will|would) (?:{rows['bases']})|{rows['verbs']})"
    patterns = (
        rf"(?:^|[,;] )(?P<a>{_NOUN}) {verb}(?: to| from)? (?P<b>{_THING}){_ENDS}",
        r"\b(?P<a>PEP \d+)(?: \([^)]*\))?"
        r" (?:supersedes|replaces|extends|updates|builds on|depends on|defers to) (?:the )?(?P<b>PEP \d+)\b",
        r"\b(?P<a>(?:an?|the) [a-z-]+) (?:rather than|instead of) (?P<b>(?:an?|the) [a-z-]+)(?=[.,;])",
        r"\b(?P<a>[a-z-]{3,}s) (?:rather than|instead of) (?P<b>[a-z-]{3,}s)(?=[.,;])",
        r"\b(?P<a>[A-Z][\w.]+) (?:rather than|instead of) (?P<b>[A-Z][\w.]+)(?=[.,; ])",
        r"\b(?P<a>[a-z]+ing) (?:rather than|instead of) (?P<b>[a-z]+ing)(?=[.,;])",
        r"\bfrom (?P<a>(?:an? |the )?[a-z-]+) to (?P<b>(?:an? |the )?[a-z-]+)(?=[.,;])",
        r"\bfrom (?P<a>[A-Z]\w+) to (?P<b>[A-Z]\w+)\b",
    )
    for number, pattern in enumerate(patterns):
        match = re.search(pattern, sentence)
        if match is None or match["a"].lower() == match["b"].lower():
            continue
        if re.search(r"\b(?:or|and) $", sentence[: match.start()]) or re.search(
            r"\b(?:rang|span|from .* from)", sentence
        ):
            continue
        if match["a"].endswith("ly") or match["b"].endswith("ly"):
            continue
        if {match["a"], match["b"]} & {"which", "what", "how", "where", "there", "here"}:
            continue
        if {"time", "start", "end", "year", "day"} & {match["a"].split()[-1], match["b"].split()[-1]}:
            continue
        first = match["b"][0].upper() + match["b"][1:] if match.start("a") == 0 else match["b"]
        second = match["a"][0].lower() + match["a"][1:] if re.match(r"(?:The|An?) ", match["a"]) else match["a"]
        middle = sentence[match.end("a") : match.start("b")]
        made = sentence[: match.start("a")] + first + middle + second + sentence[match.end("b") :]
        yield Made("role", made, "NOT_SUPPORTED", 0 if number < 2 else 1)


def quotations(sentence: str, span: str, url: str, made: Sequence[Made]) -> Iterator[Made]:
    """The sentence as a quotation with one word changed; and unchanged, given to another source."""
    leads = table()["quotation"]["leads"]
    changed = [one.claim for one in made if one.kind in (*FIGURES, "negation", "quantifier", "modality")]
    for word, other in table()["quotation"]["changed"]:
        edited = re.sub(rf"\b{word}\b(?!-)", other, sentence, count=1)
        if edited != sentence and other not in span and not re.search(rf"\ban? {word}\b", sentence):
            changed.append(edited)
    if changed:
        yield Made("quotation", pick(leads, sentence).format(pick(changed, sentence)), "NOT_SUPPORTED")
    other = pick(
        [one for one in ("NIST", "18F", "PEP 8", "PEP 20") if one != origin(url) and one not in span], sentence
    )
    yield Made("quotation_source", attributed(sentence, other), "NOT_SUPPORTED")


def attributed(sentence: str, source: str) -> str:
    forms = ("According to {}, “{}”", "As {} puts it, “{}”", "{} writes: “{}”")
    return pick(forms, sentence[::-1]).format(source, sentence)


def origin(url: str) -> str:
    """How a writer would name the source at `url`."""
    parts = urlsplit(url)
    if parts.hostname == "peps.python.org":
        number = re.search(r"pep-(\d+)", parts.path)
        return f"PEP {int(number.group(1))}" if number else "the PEP index"
    return "NIST" if parts.hostname == "pages.nist.gov" else "18F"


def statement_of(question: str) -> str | None:
    """What a question asks, said as if it were so."""
    plural = (
        r"(?P<subject>(?:I|we|you|there|users|developers|agencies"
        r"|the [a-z]+(?= [a-z]+(?:ed|able|ing|ful|ous|ive|al|ly|ible)\b"
        r"| (?:a|the|worth|still|too|ready|safe|in|on)\b)))"
    )
    match = re.match(
        rf"(?P<verb>Can|Could|Should|Would|Will|May|Must|Is|Are|Was|Were) {plural} (?P<rest>.+)\?$", question
    )
    if match:
        subject, verb = match["subject"], match["verb"].lower()
        return _claim_of(f"{subject} {verb} {match['rest']}.")
    match = re.match(r"Do (?P<subject>I|we|you|users|developers|agencies|[A-Z][a-z]+s) (?P<rest>[a-z].+)\?$", question)
    return _claim_of(f"{match['subject']} {match['rest']}.") if match else None


def _claim_of(text: str) -> str | None:
    if re.search(
        r"\b(?:you and|we and|how|any|anyone|anything|yet|at all|or not|ever|that|this|it|anymore|else|or)\b|[,;:]",
        text,
    ):
        return None
    return text[0].upper() + text[1:]


def report_of(heading: str) -> str | None:
    """What a heading proposes, told as if it had been done."""
    match = re.match(r"(?P<verb>[A-Z][a-z]+) (?P<thing>(?:an?|the) [\w’' .()-]{6,70})$", heading)
    told = table()["headings"].get(match["verb"]) if match else None
    if match is None or told is None or re.search(r"\b(?:and|or|but|not|by|that)\b|\.$", match["thing"]):
        return None
    noun, _, rest = match["thing"].partition(" for ")
    thing, link, tail = re.match(r"(.+?)(?:( (?:to|with|in|of|on|from|as) )(.+))?$", noun).groups("")  # type: ignore[union-attr]
    if link.strip() == "of":
        thing, link, tail = thing + link + tail, "", ""
    if re.search(r"s$|ed$|\b(?:of [a-z]+s)$", thing.partition(" of ")[0]):
        return None
    said = f"{thing} {told}{link}{tail}" + (f" for {rest}" if rest else "")
    return said[0].upper() + said[1:] + "."
