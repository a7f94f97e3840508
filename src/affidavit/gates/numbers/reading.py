"""The state of one pass over one text: what was found, and where the next number may begin."""

import re
from bisect import bisect_right
from decimal import Decimal
from functools import cached_property

from affidavit.evidence.sentences import sentences
from affidavit.gates.numbers import calendar, identifier
from affidavit.gates.numbers.amount import Amount
from affidavit.gates.numbers.convention import has_decimal_comma, language_of
from affidavit.gates.numbers.lexicon import alternation, table
from affidavit.gates.numbers.mention import Kind, Mention, Modifier
from affidavit.gates.numbers.signs import marks_of
from affidavit.gates.numbers.surroundings import modifier_before

BLANKS = r"[ \u00a0\n]+"
_EMPTY_LINE = re.compile(r"\n(?=[ \t\u00a0]*\n)")
# What may stand between two amounts that belong together.
TO = re.compile(rf"{BLANKS}(?:to|through|bis|à|a){BLANKS}(?=\S)|-{BLANKS}to{BLANKS}")
OR = re.compile(rf"{BLANKS}or{BLANKS}(?=\S)")
IN = re.compile(rf"{BLANKS}(?:in|out{BLANKS}of){BLANKS}(?:every{BLANKS})?")

_OF_A_PROGRAM = re.compile(
    rf"\b(?i:versions?|{alternation(table('labels')['strong']['version'].split())})[ \u00a0]v?(?P<major>\d+)\.\d"
)


def _majors(text: str) -> set[str]:
    """The first numbers of versions that the text names: another decimal that begins so is a version as well."""
    return {match["major"] for match in _OF_A_PROGRAM.finditer(text)} if "." in text else set()


class Reading:
    """One text and the numbers found in it. `at` is where the next may begin; what lies before belongs to another."""

    def __init__(self, text: str, prepared: str, locale: str | None) -> None:
        self.source = text
        # No number runs on over an empty line, so one counts as no blank between its parts.
        self.text = _EMPTY_LINE.sub("\u2029", prepared) if "\n" in prepared else prepared
        self.locale = locale
        self.language = language_of(text, locale)
        self.comma = has_decimal_comma(self.language, locale)
        self.german = self.language == "de"
        self.bounds = sentences(text, self.language) or [(0, len(text))]
        self.starts = [start for start, _ in self.bounds]
        self.at = 0
        self.found: list[Mention] = []
        self.version_majors = _majors(prepared)

    @cached_property
    def marks(self) -> frozenset[int]:
        return marks_of(self.text)

    def sentence_at(self, at: int) -> tuple[int, int]:
        index = max(0, bisect_right(self.starts, at) - 1)
        start, end = self.bounds[index]
        return start, max(end, at + 1)

    def keep(self, mention: Mention) -> None:
        self.found.append(mention)
        self.at = max(self.at, mention.end)

    def add(
        self,
        start: int,
        end: int,
        kind: Kind,
        value: Decimal | tuple[Decimal, Decimal],
        sentence: tuple[int, int],
        *,
        unit: str | None = None,
        subject: str | None = None,
        direct: bool = False,
        modifier: Modifier | None = None,
        parts: tuple[Decimal, Decimal] | None = None,
        step: Decimal | None = None,
    ) -> None:
        if modifier is None and kind is Kind.RATIO:
            modifier = modifier_before(self.text, start, max(self.at, sentence[0]))
        self.keep(
            Mention(
                raw=self.source[start:end],
                start=start,
                end=end,
                kind=kind,
                value=value,
                unit=unit,
                subject=subject,
                direct=direct,
                modifier=modifier,
                parts=parts,
                step=step,
                sentence=sentence,
            )
        )

    def add_amount(
        self,
        amount: Amount,
        kind: Kind,
        sentence: tuple[int, int],
        *,
        unit: str | None = None,
        subject: str | None = None,
        direct: bool = False,
        modifier: Modifier | None = None,
    ) -> None:
        self.add(
            amount.start,
            amount.end,
            kind,
            amount.value,
            sentence,
            unit=unit,
            subject=subject,
            direct=direct,
            modifier=modifier,
            step=amount.step,
        )

    def keep_named(self, named: identifier.Named, *, only_with_digits: bool = False) -> None:
        raw = self.source[named.start : named.end]
        if only_with_digits and not any(character.isdigit() for character in raw):
            self.at = named.end
            return
        value = self.text[named.start : named.end]
        if named.kind is Kind.VERSION:
            self.version_majors.add(value.split(".")[0])
        self.keep(
            Mention(
                raw=raw,
                start=named.start,
                end=named.end,
                kind=named.kind,
                value=value,
                role=named.role,
                sentence=self.sentence_at(named.start),
            )
        )

    def keep_dated(self, dated: calendar.Dated | None) -> bool:
        if dated is None:
            return False
        start, floor = dated.start, self.at
        self.keep(
            Mention(
                raw=self.source[start : dated.end],
                start=start,
                end=dated.end,
                kind=dated.kind,
                value=dated.value,
                unit=dated.unit,
                sentence=self.sentence_at(start),
                modifier=modifier_before(self.text, start, floor) if dated.kind is not Kind.DATE else None,
                step=Decimal(1) if isinstance(dated.value, Decimal) else None,
            )
        )
        return True

    def cased(self, at: int) -> bool:
        return self.text[at].upper() != self.text[at].lower()
