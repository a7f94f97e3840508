"""Near misses: sentences with one figure changed, beside the same figure written another way.

The generator below edits a sentence with its own patterns, which know nothing of the extractor: one digit, two digits
swapped, the decimal point, a thousands sign read as a decimal point, the multiplier, the unit, the currency, the year,
the month, per cent for percentage points, more for fewer. Its true twins change only the writing. No near miss may be
certified; of the twins nearly all must be.
"""

import random
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from lxml import html
from warcio.archiveiterator import ArchiveIterator

from affidavit.evidence.sentences import sentences
from affidavit.gates.figures import check_figures
from affidavit.gates.finding import Severity

MADE = """
About 3.3 million people live in the district, which has 45 schools and 1,204 shops.
Sales rose 4.2% in 2019, to $3.4 billion, while costs fell by 1.5 percentage points.
The bridge is 503 metres long and carries 16,000 cars a day.
More than 140,000 visitors came between March 19, 2021 and 4 May 2022.
The fund holds €12.5 million in 27 countries, at least 60 of its 140 staff abroad.
Founded in 1978, the firm has 80 offices and 5,600 employees.
The session must end after 30 minutes, or after 12 hours at most.
Fewer than 250 of the 1,932 boats were licensed by June 2018.
The levy was £0.125 per litre in 1998 and £0.25 in 2004.
Two thirds of the 900 pupils walk 3 km to school.
The file grew from 40 MB to 4 GB in 18 months.
At least 28% of members voted, and nearly 1.4 million ballots were counted.
Fees rose from CHF 40 to CHF 45 on 1 July 2021.
Turnout was 63.7 percent, up from 58.1 percent five years before.
The company employs 2,300 people at 14 sites and pays them 85 million dollars a year.
The salt has to be at least 32 bits long, and 112 bits is the least strength allowed.
A mass of 250 kg was lifted 12.4 metres in 9 seconds.
Nine out of ten dentists agree, according to a survey of 1,250 patients in 2016.
""".strip().split("\n")


class Pair(NamedTuple):
    claim: str
    source: str
    what: str


# A number that is no part of a code, a section, a version or a longer number.
NUMBER = re.compile(r"(?<![\w.,:/#§\[-])(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\w-]|[.,:/]\d)")
NAMED = re.compile(
    r"(?:[A-Z][\w.]*|\b(?i:section|table|figure|chapter|step|part|page|version|level|phase|update|item|no|number|line"
    r"|port|type|class|appendix|candidate|beta|alpha|release|issue|rule|note|example|protocol|status|error|code))"
    r"[ \u00a0]?\(?$"
)
MONTHS = "January February March April May June July August September October November December".split()
DATE = re.compile(rf"\b(?P<m>{'|'.join(MONTHS)}) (?P<d>\d{{1,2}}), (?P<y>\d{{4}})\b")
SMALL = "zero one two three four five six seven eight nine ten eleven twelve".split()
SWAPS = (
    ("scale", r"\bmillion\b", "billion"),
    ("scale", r"\bbillion\b", "million"),
    ("unit", r"(?<=\d)%|\bper ?cent\b", " percentage points"),
    ("unit", r"\bpercentage points\b", "percent"),
    ("unit", r"(?<=\d )minutes\b", "hours"),
    ("unit", r"(?<=\d )hours\b", "minutes"),
    ("unit", r"(?<=\d )days\b", "weeks"),
    ("unit", r"(?<=\d )months\b", "years"),
    ("unit", r"(?<=\d )years\b", "months"),
    ("unit", r"(?<=\d )bits\b", "bytes"),
    ("unit", r"(?<=\d )metres\b", "feet"),
    ("unit", r"(?<=\d )km\b", "miles"),
    ("unit", r"(?<=\d )kg\b", "g"),
    ("unit", r"(?<=\d )MB\b", "GB"),
    ("currency", r"\$(?=\d)", "€"),
    ("currency", r"€(?=\d)", "$"),
    ("currency", r"£(?=\d)", "$"),
    ("direction", r"\b[Mm]ore than (?=\d)", "fewer than "),
    ("direction", r"\b[Ff]ewer than (?=\d)", "more than "),
    ("direction", r"\b[Aa]t least (?=\d)", "at most "),
    ("direction", r"\b[Nn]early (?=\d)", "over "),
)
TWINS = (
    ("per cent", r"(?<=\d)%", " percent"),
    ("per cent", r"(?<=\d) percent\b", "%"),
    ("multiplier", r"(?<=\d) million\b", "m"),
    ("multiplier", r"(?<=\d) billion\b", "bn"),
    ("currency", r"\$(?=\d)", "US$"),
    ("currency", r"€(?=\d)", "EUR "),
    ("unit", r"(?<=\d )metres\b", "m"),
    ("unit", r"(?<=\d )km\b", "kilometres"),
    ("unit", r"(?<=\d )kg\b", "kilograms"),
    ("unit", r"(?<=\d )minutes\b", "min"),
    ("spaces", r"(?<=\d) (?=million|billion|km|kg|MB|GB|metres)", "\u00a0"),
)


def numbers(text: str) -> Iterator[re.Match[str]]:
    for match in NUMBER.finditer(text):
        if not NAMED.search(text[: match.start()]) or text[: match.start()].endswith(tuple(f"{m} " for m in MONTHS)):
            yield match


def near_misses(text: str) -> Iterator[Pair]:
    for match in numbers(text):
        written = match.group()
        for what, other in edits(written):
            yield Pair(text[: match.start()] + other + text[match.end() :], text, what)
    for what, pattern, other in SWAPS:
        match = re.search(pattern, text)
        if match:
            yield Pair(text[: match.start()] + other + text[match.end() :], text, what)
    date = DATE.search(text)
    if date:
        month = MONTHS[(MONTHS.index(date["m"]) + 1) % 12]
        yield Pair(text[: date.start()] + date.group().replace(date["m"], month) + text[date.end() :], text, "month")


def edits(written: str) -> Iterator[tuple[str, str]]:
    digits = [index for index, character in enumerate(written) if character.isdigit()]
    last = digits[-1]
    yield "digit", written[:last] + str((int(written[last]) + 1) % 10) + written[last + 1 :]
    first = digits[0]
    yield "digit", written[:first] + str(int(written[first]) % 9 + 1) + written[first + 1 :]
    for one, other in pairwise(digits):
        if written[one] != written[other] and not (one == 0 and written[other] == "0"):
            swapped = list(written)
            swapped[one], swapped[other] = written[other], written[one]
            yield "swap", "".join(swapped)
            break
    if "," in written and "." not in written:
        yield "thousands", written.replace(",", ".", 1)
    if "." in written:
        yield "decimal", written.replace(".", "")
    elif len(digits) > 1 and "," not in written:
        yield "decimal", f"{written[:-1]}.{written[-1]}"


def true_twins(text: str) -> Iterator[Pair]:
    for match in numbers(text):
        written = match.group()
        for what, other in rewritings(text, match, written):
            yield Pair(text[: match.start()] + other + text[match.end() :], text, what)
    for what, pattern, other in TWINS:
        match = re.search(pattern, text)
        if match:
            yield Pair(text[: match.start()] + other + text[match.end() :], text, what)
    date = DATE.search(text)
    if date:
        month = MONTHS.index(date["m"]) + 1
        for other in (f"{date['d']} {date['m']} {date['y']}", f"{date['y']}-{month:02}-{int(date['d']):02}"):
            yield Pair(text[: date.start()] + other + text[date.end() :], text, "date")


def rewritings(text: str, match: re.Match[str], written: str) -> Iterator[tuple[str, str]]:
    if "," in written:
        for sign in ("\u2009", "\u202f", "'", "’"):
            yield "thousands", written.replace(",", sign)
        if len(written) > 5 or not re.match(r"[12]\d{3}$", written.replace(",", "")):
            yield "thousands", written.replace(",", "")
    dated = any(month in text[max(0, match.start() - 12) : match.end() + 12] for month in MONTHS)
    plain = re.match(r" [a-z]{3,}s\b", text[match.end() :]) and not re.search(r"[$€£~-]$", text[: match.start()])
    if written.isdigit() and 1 < int(written) <= 12 and plain and not dated:
        yield "words", SMALL[int(written)]


def certified(pair: Pair) -> bool:
    """Whether the figures gate lets the claim through as sourced."""
    return all(finding.severity is Severity.WARN for finding in check_figures(pair.claim, [pair.source]))


def same_figures(pair: Pair) -> bool:
    """An edit that the rest of the sentence happens to state ("3 of 4" made "4 of 4") is no near miss."""
    before = Counter(match.group() for match in NUMBER.finditer(pair.source))
    return not Counter(match.group() for match in NUMBER.finditer(pair.claim)).keys() <= before.keys()


def genuine(pairs: Iterator[Pair]) -> list[Pair]:
    return [
        pair for pair in pairs if pair.what in ("scale", "unit", "currency", "direction", "month") or same_figures(pair)
    ]


def real_sentences(shared: Path) -> list[str]:
    found: list[str] = []
    for archive in sorted((shared / "data/web").glob("*.warc.gz")):
        with archive.open("rb") as stream:
            for index, record in enumerate(ArchiveIterator(stream)):
                if index % 10 or record.rec_type != "response" or record.http_headers is None:
                    continue
                if "html" not in (record.http_headers.get_header("content-type") or ""):
                    continue
                tree = html.document_fromstring(record.content_stream().read())
                for element in tree.iter("p", "li"):
                    text = " ".join(element.text_content().split())
                    found += [text[a:b] for a, b in sentences(text, "en") if 40 < b - a < 300]
    unique = [
        text for text in dict.fromkeys(found) if any(True for _ in numbers(text)) and not re.search(r"[=_{}<>|`]", text)
    ]
    return random.Random(7).sample(unique, min(160, len(unique)))


def test_no_made_near_miss_is_certified() -> None:
    pairs = [pair for text in MADE for pair in genuine(near_misses(text))]
    assert len(pairs) >= 150
    assert [pair for pair in pairs if certified(pair)] == []


def test_every_made_sentence_and_its_true_twins_are_certified() -> None:
    assert [text for text in MADE if not certified(Pair(text, text, "verbatim"))] == []
    pairs = [pair for text in MADE for pair in true_twins(text)]
    assert len(pairs) >= 50
    assert [pair for pair in pairs if not certified(pair)] == []


def test_no_near_miss_of_a_real_sentence_is_certified(shared: Path) -> None:
    texts = real_sentences(shared)
    pairs = [pair for text in texts for pair in genuine(near_misses(text))]
    assert len(pairs) >= 300
    assert [pair for pair in pairs if certified(pair)] == []


def test_real_sentences_and_their_true_twins_are_certified(shared: Path) -> None:
    texts = real_sentences(shared)
    assert [text for text in texts if not certified(Pair(text, text, "verbatim"))] == []
    pairs = [pair for text in texts for pair in true_twins(text)]
    lost = [pair for pair in pairs if not certified(pair)]
    assert len(lost) <= 0.02 * len(pairs), lost
