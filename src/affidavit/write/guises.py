"""Numbers in a guise, and claims of number that have no value: "vingt vans", "f i f t y", "f1fty", "🔟", "fiftyvans",
"a trio of depots", "a handful of offices".

What stands for a number is read as that number, and the sentence is held to the facts once more, with the number in
its place: who writes "zwanzig roofers" has said "twenty roofers". A guise that nobody takes on without meaning the
number is read wherever it stands; plain English that also serves as a manner of speaking only where the sentence speaks
of the business. What has no value to compare ("thousands strong", "a six-figure sum") is told there. So is what could
be something else: "XL vans" are large vans, or forty.

Words that a text of the whitelist has are that text's own, and nothing is said of them.
"""

import re
import tomllib
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.resources import files
from typing import Any

from affidavit.check.draft import Draft, DraftBlock
from affidavit.evidence.characters import LOOKALIKES
from affidavit.evidence.document import BlockKind
from affidavit.evidence.piece import Issue
from affidavit.gates.numbers.lexicon import words
from affidavit.gates.numbers.signs import is_roman, roman
from affidavit.gates.numbers.subject import after, is_plural, noun_follows
from affidavit.write.allowed import Allowed
from affidavit.write.drafted import ReadDraft
from affidavit.write.figure_checks import figure_issues
from affidavit.write.set_phrases import expression
from affidavit.write.weight import structural_nouns

_READ = frozenset(
    {"figure_without_source", "rejected_figure", "count_without_source", "years_of_experience", "subject_mismatch"}
)
_NUM = r"(?:\d[\d,.]*|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty)"
_SINCE = r"(since|established in|founded in|back to|dates? from) the (?:swinging |roaring |early |late |mid[- ])?"
_SPREAD = r"[\s.\-_*|·‧•!,/\\~]{1,2}"
_SHORT = 5
"""Letters from which on a number word may be parted in one place alone: "o ne" and "si x" are met by accident."""
_ENDINGS = frozenset("ties teens somes folds scores aires".split())
"""What makes another word of a number word: seventies, threesomes, millionaires."""
_TOKEN = re.compile(r"\S{4,20}")
_MASKS = re.compile(r"[^\x00-\x7f]|[0-9!@$|]")
_LEET = ("0135478!@$|", ("oieastbiasi", "olesstbiasl"))
_CAPITALS = re.compile(r"(?<![\w.&'’-])(?:[IVXLCDM]{2,}|X|[SZB]0+)(?![\w&'’-])")
_NUMBERED = re.compile(r"(?<![\w-])(?P<noun>[a-z]{4,})(?P<n>\d{2,})(?![\w-])")
_SPOKEN_OF = re.compile(r"\W*(?:voted|rated|established|founded|est\b|trusted|in business|\w+ since)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Guise:
    """``[start, end)`` of the text is read as `plain`. `anyhow` says that it is, whoever is spoken of; `sure` that
    nothing else can be meant."""

    start: int
    end: int
    plain: str
    anyhow: bool = True
    sure: bool = True


def guise_issues(read: ReadDraft, bounds: Allowed, today: date) -> Iterator[Issue]:
    """What is wrong with such numbers in the running text of the draft, in no order."""
    told = [one for one in _guises(read.text) if _shown(read, one.start, one.end) and not _theirs(read, bounds, one)]
    yield from _read_plain(read, bounds, today, told)
    for anyhow, row in ((True, "claims"), (False, "vague")):
        for match in _expressions(row).finditer(read.text):
            first, last = read.sentence_at(match.start())
            own = anyhow or _of_the_business(read.text[first:last], bounds)
            if own and read.told_at(match.start()) and not bounds.says(match.group()):
                noun = after(read.text, match.end(), last)
                if noun is None or noun[0] not in structural_nouns():
                    said = " ".join(match.group().split())
                    message = f"No source has “{said}”: say the figure that a fact has, or leave it out."
                    yield read.issue("count_without_source", message, match.span(), (first, last))


def _shown(read: ReadDraft, start: int, end: int) -> bool:
    return read.told_at(start) or read.told_at(end - 1)


def _theirs(read: ReadDraft, bounds: Allowed, guise: _Guise) -> bool:
    """Whether nothing is to be said: a text has the words, or they are said of somebody else."""
    first, last = read.sentence_at(guise.start)
    own = guise.anyhow or _of_the_business(read.text[first:last], bounds)
    return not own or bounds.says(read.text[guise.start : guise.end])


def _of_the_business(sentence: str, bounds: Allowed) -> bool:
    return bounds.us.in_sentence(sentence) or _SPOKEN_OF.match(sentence) is not None


def _read_plain(read: ReadDraft, bounds: Allowed, today: date, guises: list[_Guise]) -> Iterator[Issue]:
    """The findings of the sentences with their guises taken off, those that concern a guise."""
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
        yield _of_guise(read, places[row][2], issue)


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


def _guises(text: str) -> list[_Guise]:
    """Every guise of `text`, in order."""
    found = [*_by_table(text), *_foreign(text), *_parted(text), *_masked(text), *_glued(text), *_doubtful(text)]
    return sorted(found, key=lambda one: (one.start, -one.end))


def _by_table(text: str) -> Iterator[_Guise]:
    for anyhow, rules in ((True, _rules("hidden")), (False, _rules("spoken"))):
        for pattern, plain in rules:
            for match in pattern.finditer(text):
                yield _Guise(*match.span(), match.expand(plain), anyhow)


def _foreign(text: str) -> Iterator[_Guise]:
    """Number words of another language, in lower case or in capitals throughout, before what they count."""
    pattern, english, lone = _foreign_words()
    for match in pattern.finditer(text):
        run = match.group().lower().split()
        known = [one for one in run if one in english]
        own = any(one in lone for one in known) or len(known) > 1
        if own and (match.group().islower() or match.group().isupper()) and noun_follows(text, match.end()):
            plain = " ".join(english[one] for one in known)
            yield _Guise(*match.span(), f"a {plain}" if plain in ("hundred", "thousand") else plain)


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


def _doubtful(text: str) -> Iterator[_Guise]:
    """What would be a number, and is as likely a size or a name: "XL vans", "S0 buckets", "windows11"."""
    for match in _CAPITALS.finditer(text):
        letters = match.group()
        if not noun_follows(text, match.end()):
            continue
        if letters[-1] == "0":
            worth = letters.translate(str.maketrans("SZB", "528"))
        elif is_roman(letters):
            worth = str(roman(letters))
        else:
            continue
        yield _Guise(*match.span(), worth, anyhow=False, sure=False)
    for match in _NUMBERED.finditer(text):
        if is_plural(match["noun"]):
            yield _Guise(*match.span(), f"{match['n']} {match['noun']}", anyhow=False, sure=False)


@cache
def _table() -> Mapping[str, Any]:
    return tomllib.loads(files("affidavit.write").joinpath("guises.toml").read_text(encoding="utf-8"))


def _compiled(written: str) -> re.Pattern[str]:
    return re.compile(expression(written.replace("NUM", _NUM).replace("SINCE ", _SINCE)), re.IGNORECASE)


@cache
def _rules(row: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((_compiled(written), plain) for written, plain in _table()[row].items())


@cache
def _expressions(row: str) -> re.Pattern[str]:
    return _compiled("|".join(_table()[row]["expressions"]))


@cache
def _english() -> frozenset[str]:
    known = words("en")
    return frozenset(word for word in (*known.add, *known.times, *known.scale) if len(word) > 2)


@cache
def _foreign_words() -> tuple[re.Pattern[str], dict[str, str], frozenset[str]]:
    tables = _table()["foreign"]
    pairs = {
        kind: dict(pair.split("=") for row in rows.values() for pair in row.split()) for kind, rows in tables.items()
    }
    english = {**pairs["beside"], **pairs["lone"]}
    each = "|".join(sorted(english, key=len, reverse=True))
    run = re.compile(
        rf"(?<![\w-])(?:{each})(?:[ \u00a0](?:(?:y|et|und|e)[ \u00a0])?(?:{each}))*(?![\w-])", re.IGNORECASE
    )
    return run, english, frozenset(pairs["lone"])


@cache
def _parted_words() -> re.Pattern[str]:
    ordered = sorted((word for word in _english() if len(word) > 3), key=len, reverse=True)
    each = "|".join(rf"(?:{_SPREAD})?".join(word) for word in ordered)
    return re.compile(rf"(?<![^\W_]|['’])(?:{each})(?![^\W_]|['’])", re.IGNORECASE)


@cache
def _glued_words() -> re.Pattern[str]:
    each = "|".join(sorted(_english(), key=len, reverse=True))
    return re.compile(rf"(?<![\w-])(?P<word>{each})(?P<rest>[a-z]{{3,}})(?![\w-])", re.IGNORECASE)
