"""Numbers in a guise, and claims of number that have no value: "vingt vans", "f i f t y", "f1fty", "🔟", "fiftyvans",
"a trio of depots", "a handful of offices".

What stands for a number is read as that number, and the sentence is held to the facts once more, with the number in
its place: who writes "zwanzig roofers" has said "twenty roofers". A guise that nobody takes on without meaning the
number is read wherever it stands; plain English that also serves as a manner of speaking only where the clause speaks
of the business, or before what a business is told in: a trio of depots is three, a trio of cheeses a dish. What has no
value to compare ("thousands strong", "a six-figure sum") is told there. So is what could be something else: "XL vans"
are large vans, or forty.

Words that a text of the whitelist has are that text's own, and nothing is said of them.
"""

import re
import tomllib
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

from affidavit.check.draft import Draft, DraftBlock
from affidavit.evidence.characters import LOOKALIKES
from affidavit.evidence.document import BlockKind
from affidavit.evidence.piece import Issue
from affidavit.gates.numbers.lexicon import words
from affidavit.gates.numbers.mention import Kind, Mention
from affidavit.gates.numbers.signs import roman
from affidavit.gates.numbers.subject import after, is_function, is_plural, noun_follows, same_noun, singular
from affidavit.gates.source_figures import Sourced
from affidavit.write.allowed import Allowed
from affidavit.write.drafted import ReadDraft
from affidavit.write.figure_checks import figure_issues
from affidavit.write.frame import Figures, frame
from affidavit.write.set_phrases import expression
from affidavit.write.weight import size_of_a_business, size_told, structural_nouns

_READ = frozenset(
    {"figure_without_source", "rejected_figure", "count_without_source", "years_of_experience", "subject_mismatch"}
)
_NUM = r"(?:\d[\d,.]*|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty)"
_NTH = "(?:second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)"
_SINCE = r"(since|established in|founded in|back to|dates? from) the (?:swinging |roaring |early |late |mid[- ])?"
_SPREAD = r"[\s.\-_*|·‧•!,/\\~]{1,2}"
_SHORT = 5
"""Letters from which on a number word may be parted in one place alone: "o ne" and "si x" are met by accident."""
_ENDINGS = frozenset("ties teens somes folds scores aires".split())
"""What makes another word of a number word: seventies, threesomes, millionaires."""
_TOKEN = re.compile(r"\S{4,20}")
_MASKS = re.compile(r"[^\x00-\x7f]|[0-9!@$|]")
_LEET = ("0135478!@$|", ("oieastbiasi", "olesstbiasl"))
_CAPITALS = re.compile(r"(?<![\w.&'’-])(?:(?P<roman>X|(?:XL|LX{1,3}|XC)(?:IX|IV|V?I{0,3}))|[SZB]0+)(?![\w&'’-])")
"""Roman numbers up to a hundred that are no everyday abbreviations; the reader of figures knows those of I, V and X."""
_NUMBERED = re.compile(r"(?<![\w-])(?P<noun>[a-z]{3,}s)(?:(?P<times>[ \u00a0]?[x×]\d+)|\d{2,})(?![\w-])")
_SPOKEN_OF = re.compile(r"\W*(?:voted|rated|established|founded|est\b|trusted|in business|\w+ since)\b", re.IGNORECASE)


_NEW_CLAUSE = re.compile(
    r";|,\s+(?:and|but|so|yet|while|whereas)\s+(?=(?:we|our|us|you|your|it|its|they|their|he|she|the|an?|this|that|these)\b)",
    re.IGNORECASE,
)
_OF_WORDS = re.compile(
    r"\b(?:in (?:French|German|Spanish|Italian|Portuguese|Dutch|Swedish)|the words?|means?"
    r"|pronounced?|spel(?:l|t|led))\b",
    re.IGNORECASE,
)
_HALF = Decimal(50)
"""Of a hundred."""
_MARKS = 200
"""Characters before a word in which the mark stands that opens a quotation of it."""
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class _Guise:
    """``[start, end)`` of the text is read as `plain`. `anyhow` says that it is, whoever is spoken of; `sure` that
    nothing else can be meant; `money` that it may be an amount of it ("ten grand")."""

    start: int
    end: int
    plain: str
    anyhow: bool = True
    sure: bool = True
    money: bool = False


def with_guises(plain: Sequence[Issue], read: ReadDraft, bounds: Allowed, today: date) -> list[Issue]:
    """The findings `plain` of the figures of the draft, and what is wrong with its numbers in a guise, in no order.

    A number that is a part of a guise is no number of its own: what `plain` says of the "four" of "four ty" goes. Of a
    place with findings of both only those of a guise that block, where none of the others does, are told beside them.
    """
    speech = _Speech(read, bounds)
    told = [one for one in _guises(read) if _shown(read, one.start, one.end) and speech.takes(one)]
    wholes = sorted(read.draft.place(one.start, one.end) for one in told if one.sure)
    kept = [one for one in plain if not _part(one, wholes)]
    told = [one for one in told if not speech.says(read.text[one.start : one.end])]
    found = list(_read_plain(read, bounds, today, told))
    for currency in {one.mention.unit for one in bounds.sources.figures if one.mention.kind is Kind.CURRENCY}:
        amounts = [replace(one, plain=f"{one.plain} {currency}") for one, _ in found if one.money]
        missing = {one.start for one, _ in _read_plain(read, bounds, today, amounts)}
        found = [(one, issue) for one, issue in found if not one.money or one.start in missing]
    return [*kept, *_unless_said([*(issue for _, issue in found), *_apart(_without_value(read, speech))], kept)]


def _apart(issues: Iterator[Issue]) -> Iterator[Issue]:
    """Of the issues that overlap the one that begins first: "savings run into the millions" is told once."""
    end = 0
    for issue in sorted(issues, key=lambda one: (one.start or 0, -(one.end or 0))):
        if (issue.start or 0) >= end:
            end = issue.end or 0
            yield issue


def _part(issue: Issue, wholes: Sequence[tuple[int, int]]) -> bool:
    row = bisect_right(wholes, (issue.start or 0, 1 << 62)) - 1
    return issue.start is not None and row >= 0 and (issue.end or 0) <= wholes[row][1]


def _unless_said(found: Sequence[Issue], plain: Sequence[Issue]) -> Iterator[Issue]:
    said = sorted((one.start, one.end, one.blocks) for one in plain if one.start is not None and one.end is not None)
    for issue in found:
        start, end = issue.start or 0, issue.end or 0
        beside = said[
            bisect_left(said, start, key=lambda one: one[1] - 1) : bisect_left(said, end, key=lambda one: one[0])
        ]
        if not any(blocks or not issue.blocks for _, _, blocks in beside):
            yield issue


def _without_value(read: ReadDraft, speech: "_Speech") -> Iterator[Issue]:
    for anyhow, row in ((True, "claims"), (False, "vague")):
        for match in _expressions(row).finditer(read.text):
            if (anyhow or speech.ours(match.start())) and read.told_at(match.start()):
                noun = after(read.text, match.end(), read.sentence_at(match.start())[1])
                if noun is None or noun[0] not in structural_nouns():
                    yield from _untold(read, speech, match)
    for bounds, pattern in _amounts():
        for match in pattern.finditer(read.text):
            if speech.ours(match.start()) and read.told_at(match.start()):
                noun = _counted(read, match, one=bounds == "every")
                if noun is not None and not speech.counts(noun, bounds):
                    yield from _untold(read, speech, match)


def _untold(read: ReadDraft, speech: "_Speech", match: re.Match[str]) -> Iterator[Issue]:
    if not speech.says(match.group()):
        said = " ".join(match.group().split())
        message = f"No source has “{said}”: say the figure that a fact has, or leave it out."
        yield read.issue("count_without_source", message, match.span(), read.sentence_at(match.start()))


def _counted(read: ReadDraft, match: re.Match[str], *, one: bool = False) -> str | None:
    last = read.sentence_at(match.start())[1]
    return size_told(read.text, match.end(), last, one=one)


def _shown(read: ReadDraft, start: int, end: int) -> bool:
    return read.told_at(start) or read.told_at(end - 1)


def _within(mention: Mention, bounds: str) -> bool:
    if not isinstance(mention.value, Decimal) or bounds in ("none", "every"):
        return False
    if bounds == "shares":
        return mention.kind is Kind.PERCENT and mention.value > _HALF
    least, most = map(Decimal, bounds.split())
    return mention.kind is Kind.COUNT and least <= mention.value <= most


@dataclass(frozen=True)
class _Speech:
    """Of whom the clauses of a draft speak, and what the texts of the whitelist say; each asked once."""

    read: ReadDraft
    bounds: Allowed

    def takes(self, guise: _Guise) -> bool:
        return guise.anyhow or self.ours(guise.start)

    def ours(self, at: int) -> bool:
        """Whether the clause at `at` speaks of the business."""
        first, last = self.read.sentence_at(at)
        if first not in self._cuts:
            self._cuts[first] = [match.start() for match in _NEW_CLAUSE.finditer(self.read.text, first, last)]
        cuts = self._cuts[first]
        row = bisect_right(cuts, at)
        begin, stop = cuts[row - 1] if row else first, cuts[row] if row < len(cuts) else last
        if begin not in self._ours:
            clause = self.read.text[begin:stop]
            self._ours[begin] = self.bounds.us.in_sentence(clause) or _SPOKEN_OF.match(clause) is not None
        return self._ours[begin]

    def says(self, said: str) -> bool:
        """Whether a text that licenses figures has those words, with or without their hyphens."""
        if said not in self._said:
            folded = said.replace("-", " ")
            self._said[said] = self.bounds.says(said) or any(folded.lower() in one for one in self._unhyphened)
        return self._said[said]

    def counts(self, noun: str, bounds: str) -> bool:
        """Whether a text has a number of these that an amount of the table may stand for."""
        if (noun, bounds) not in self._counts:
            self._counts[noun, bounds] = any(
                _within(one.mention, bounds) and self._of(one, noun) for one in self.bounds.sources.figures
            )
        return self._counts[noun, bounds]

    def _of(self, figure: Sourced, noun: str) -> bool:
        text = self.bounds.sources.texts[figure.text]
        theirs = frame(text, figure.mention, *figure.mention.sentence, Figures())
        return theirs.noun is not None and same_noun(noun, theirs.noun)

    @cached_property
    def _counts(self) -> dict[tuple[str, str], bool]:
        return {}

    @cached_property
    def _cuts(self) -> dict[int, list[int]]:
        return {}

    @cached_property
    def _ours(self) -> dict[int, bool]:
        return {}

    @cached_property
    def _said(self) -> dict[str, bool]:
        return {}

    @cached_property
    def _unhyphened(self) -> tuple[str, ...]:
        return tuple(text.replace("-", " ") for text in self.bounds.sources.lowered)


def _read_plain(
    read: ReadDraft, bounds: Allowed, today: date, guises: Sequence[_Guise]
) -> Iterator[tuple[_Guise, Issue]]:
    """The findings of the sentences with their guises taken off, those that concern a guise, each with it."""
    text: list[str] = []
    blocks: list[DraftBlock] = []
    places: list[tuple[int, int, _Guise]] = []
    size = 0

    def add(part: str) -> None:
        nonlocal size
        text.append(part)
        size += len(part)

    at, stop = 0, -1
    for guise in guises:
        if guise.start < at:
            continue  # it overlaps the one before
        if guise.start >= stop:
            if stop >= 0:
                add(read.text[at:stop])
                blocks.append(DraftBlock(blocks.pop().start, size, _kind(read, at)))
                add("\n\n")
            first, stop = read.sentence_at(guise.start)
            at = first
            blocks.append(DraftBlock(size, size, BlockKind.PARAGRAPH))
        add(read.text[at : guise.start])
        places.append((size, size + len(guise.plain), guise))
        add(guise.plain)
        at = guise.end
    if not places:
        return
    add(read.text[at:stop])
    blocks.append(DraftBlock(blocks.pop().start, size, _kind(read, at)))
    plain = "".join(text)
    draft = Draft(name="plain", source=plain, text=plain, blocks=tuple(blocks), of_file=True)
    for issue in figure_issues(ReadDraft(draft), bounds, today):
        row = bisect_right(places, issue.end or 0, key=lambda one: one[0] + 1) - 1
        if issue.code not in _READ or row < 0 or issue.start is None or places[row][1] <= issue.start:
            continue
        yield places[row][2], _of_guise(read, places[row][2], issue)


def _kind(read: ReadDraft, at: int) -> BlockKind:
    index = read.block_at(at - 1)
    kind = BlockKind.PARAGRAPH if index is None else read.draft.blocks[index].kind
    return kind if kind in (BlockKind.HEADING, BlockKind.TABLE_ROW) else BlockKind.PARAGRAPH


def _of_guise(read: ReadDraft, guise: _Guise, issue: Issue) -> Issue:
    written = " ".join(read.text[guise.start : guise.end].split())
    message = f"“{written}” reads as “{guise.plain.strip()}”: {issue.message}"
    hard = issue.blocks and guise.sure
    code = issue.code if hard or not issue.blocks else "count_without_source"
    at = (guise.start, guise.end)
    return read.issue(code, message, at, read.sentence_at(guise.start), blocks=hard)


def _guises(read: ReadDraft) -> list[_Guise]:
    """Every guise of the draft, in order."""
    text = read.text
    found = [*_by_table(read), *_foreign(read), *_parted(text), *_masked(text), *_glued(text), *_doubtful(read)]
    return sorted(found, key=lambda one: (one.start, -one.end))


def _by_table(read: ReadDraft) -> Iterator[_Guise]:
    for row in ("hidden", "spoken", "counting"):
        for pattern, plain in _rules(row):
            for match in pattern.finditer(read.text):
                if row != "counting" or _counted(read, match) is not None:
                    money = plain.endswith(("thousand", "million"))
                    yield _Guise(*match.span(), match.expand(plain), row == "hidden", money=money)


def _foreign(read: ReadDraft) -> Iterator[_Guise]:
    """Number words of another language, in lower case or in capitals throughout, before what they count; not where a
    sentence is about such words."""
    text = read.text
    pattern, english, lone, sizes = _foreign_words()
    about: dict[int, bool] = {}
    for match in pattern.finditer(text):
        run = match.group().lower().split()
        known = [one for one in run if one in english]
        own = any(one in lone for one in known) or len(known) > 1
        own = own or (known[0] in sizes and _counted(read, match) is not None)
        if own and (match.group().islower() or match.group().isupper()) and noun_follows(text, match.end()):
            first, last = read.sentence_at(match.start())
            if first not in about:
                about[first] = _OF_WORDS.search(text, first, last) is not None
            if not about[first]:
                plain = " ".join(english[one] for one in known)
                plain = f"a {plain}" if plain in ("hundred", "thousand") else plain
                yield _Guise(*match.span(), plain, sure=not _quoted(text, first, match.start()))


def _quoted(text: str, first: int, start: int) -> bool:
    """Whether a quotation is open at `start`: its words may be spoken of, and not spoken."""
    lead = text[max(first, start - _MARKS) : start]
    return lead.count("“") > lead.count("”") or lead.count('"') % 2 == 1


def _parted(text: str) -> Iterator[_Guise]:
    """Number words with signs or blanks between their letters: "f i f t y", "fif-\\nty", "for ty"."""
    for match in _parted_words().finditer(text):
        whole = "".join(filter(str.isalpha, match.group())).lower()
        pieces = re.split(r"[^a-z]+", match.group().lower())
        by_chance = pieces[1:] == ["teen"] and "-" not in match.group()  # "six teen drivers"
        if len(pieces) > 1 and not by_chance and (len(whole) >= _SHORT or len(pieces) == len(whole)):
            yield _Guise(*match.span(), whole)


def _masked(text: str) -> Iterator[_Guise]:
    """Number words in signs that look like letters: "f1fty", "fоrty" with a Cyrillic letter, "ｆｉｆｔｙ"."""
    for token in _TOKEN.finditer(text):
        if _MASKS.search(token.group()) is None:
            continue
        bare = token.group().strip("*_.,;:()\"“”'’?")
        start = token.start() + token.group().index(bare) if bare else token.start()
        plain = _unmasked(bare)
        if plain is not None:
            yield _Guise(start, start + len(bare), plain)


def _unmasked(token: str) -> str | None:
    letters = (
        "".join(one for one in unicodedata.normalize("NFKD", token) if not unicodedata.combining(one))
        .translate(LOOKALIKES)
        .lower()
    )
    if letters == token.lower():
        if not any(map(str.isalpha, token)):
            return None
        readings = {letters.translate(str.maketrans(_LEET[0], to)) for to in _LEET[1]}
    else:
        readings = {letters}
    return next((one for one in readings if len(one) > 3 and one in _english() and one != token.lower()), None)


def _glued(text: str) -> Iterator[_Guise]:
    """A number word and what it counts in one: "fiftyvans", "threehundred sites", and no name ("Sevenoaks")."""
    for match in _glued_words().finditer(text):
        rest = match["rest"].lower()
        one_case = match.group().islower() or match.group().isupper()
        counted = len(match["word"]) > 3 and is_plural(rest) and rest not in _ENDINGS
        if one_case and (counted or rest in _english()):
            yield _Guise(*match.span(), f"{match['word']} {match['rest']}")


def _doubtful(read: ReadDraft) -> Iterator[_Guise]:
    """Before or in what a business has in number, what would be a number, and is as likely a size or a name: "XL vans",
    "S0 buckets", "vans50"; "vans x50" is as good as sure."""
    text = read.text
    for match in _CAPITALS.finditer(text):
        if _counted(read, match) is None or _named_before(read, match.start()):
            continue
        letters = match.group()
        worth = str(roman(letters)) if match["roman"] else letters.translate(str.maketrans("SZB", "528"))
        yield _Guise(*match.span(), worth, anyhow=False, sure=False)
    for match in _NUMBERED.finditer(text):
        if size_of_a_business(singular(match["noun"])):
            number = match.group()[len(match["noun"]) :].strip(" \u00a0x×")
            sure = match["times"] is not None
            yield _Guise(*match.span(), f"{number} {match['noun']}", anyhow=sure, sure=sure)


def _named_before(read: ReadDraft, start: int) -> bool:
    """Whether a name stands right before `start`: "Mark X", "Series XL"."""
    lead = _WORD.findall(read.text, max(read.sentence_at(start)[0], start - 40), start)
    return bool(lead) and lead[-1][0].isupper() and not is_function(lead[-1].lower())


@cache
def _table() -> Mapping[str, Any]:
    return tomllib.loads(files("affidavit.write").joinpath("guises.toml").read_text(encoding="utf-8"))


def _compiled(written: str) -> re.Pattern[str]:
    return re.compile(
        expression(written.replace("NUM", _NUM).replace("NTH", _NTH).replace("SINCE ", _SINCE)), re.IGNORECASE
    )


@cache
def _rules(row: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((_compiled(written), plain) for written, plain in _table()[row].items())


@cache
def _expressions(row: str) -> re.Pattern[str]:
    return _compiled("|".join(_table()[row]["expressions"]))


@cache
def _amounts() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((bounds, _compiled(written)) for bounds, written in _table()["amounts"].items())


@cache
def _english() -> frozenset[str]:
    known = words("en")
    return frozenset(word for word in (*known.add, *known.times, *known.scale) if len(word) > 2)


@cache
def _foreign_words() -> tuple[re.Pattern[str], dict[str, str], frozenset[str], frozenset[str]]:
    tables = _table()["foreign"]
    pairs = {
        kind: dict(pair.split("=") for row in rows.values() for pair in row.split()) for kind, rows in tables.items()
    }
    english = {**pairs["beside"], **pairs["sizes"], **pairs["lone"]}
    each = "|".join(sorted(english, key=len, reverse=True))
    run = re.compile(
        rf"(?<![\w-])(?:{each})(?:[ \u00a0](?:(?:y|et|und|e)[ \u00a0])?(?:{each}))*(?![\w-])", re.IGNORECASE
    )
    return run, english, frozenset(pairs["lone"]), frozenset(pairs["sizes"])


@cache
def _parted_words() -> re.Pattern[str]:
    ordered = sorted((word for word in _english() if len(word) > 3), key=len, reverse=True)
    each = "|".join(rf"(?:{_SPREAD})?".join(word) for word in ordered)
    return re.compile(rf"(?<![^\W_]|['’])(?:{each})(?![^\W_]|['’]|-[a-z])", re.IGNORECASE)


@cache
def _glued_words() -> re.Pattern[str]:
    each = "|".join(sorted(_english(), key=len, reverse=True))
    return re.compile(rf"(?<![\w-])(?P<word>{each})(?P<rest>[a-z]{{3,}})(?![\w-])", re.IGNORECASE)
