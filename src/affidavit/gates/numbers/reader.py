"""Read the numbers of a text: names and dates first, then amounts, ranges and ratios, then what is counted."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from functools import cache

from affidavit.evidence.characters import INVISIBLES, character_class
from affidavit.evidence.sentences import sentences
from affidavit.gates.numbers import calendar, identifier, subject
from affidavit.gates.numbers.amount import Amount, read_amount
from affidavit.gates.numbers.convention import has_decimal_comma, language_of
from affidavit.gates.numbers.lexicon import months, words
from affidavit.gates.numbers.mention import Kind, Mention, Modifier
from affidavit.gates.numbers.numeral import BLANK, plain
from affidavit.gates.numbers.surroundings import modifier_after, modifier_before

_TRIGGER = re.compile(r"\d|[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒]|[^\W\d_]+")
_INVISIBLE = re.compile(f"[{character_class(INVISIBLES)}]+")
_B = r"[ \u00a0\n]+"
_DASH = re.compile(r"[ \u00a0]?(?:–|—|-|−|‒|~)[ \u00a0]?(?=[$€£¥₹\d½¼¾A-Z−-])")
_TO = re.compile(rf"{_B}(?:to|through|bis|à|a){_B}(?=\S)|-{_B}to{_B}")
_AND = re.compile(rf"{_B}(?:and|und|et|y|e){_B}(?=\S)")
_OR = re.compile(rf"{_B}or{_B}(?=\S)")
_BETWEEN = re.compile(rf"\b(?:between|zwischen|entre|tra)(?:{_B}(?:about|around|approximately|roughly))?{_B}$", re.I)
_FROM = re.compile(rf"\b(?:from|von|de){_B}$", re.I)
_CHANGE = re.compile(
    r"\b(?:r[io]se|rising|risen|fell|fall(?:s|ing|en)?|gr[eo]w(?:s|ing|n)?|increas\w+|decreas\w+|dropp?\w*|declin\w+"
    r"|climb\w+|chang\w+|mov\w+|cut|rais\w+|reduc\w+|went|go(?:es|ing)?|jump\w*|expand\w+|shr[aiu]nk\w*|up|down"
    r"|improv\w+|doubl\w+|tripl\w+|lower\w*|slid\w*|stieg|sank)\b[^.;]{0,60}$",
    re.I,
)
_IN = re.compile(rf"{_B}(?:in|out{_B}of){_B}(?:every{_B})?")
_COLON = re.compile(r"(?P<m>\d{1,3}(?:\.\d+)?):(?P<n>\d{1,3}(?:,\d{3})*|\d+)(?![\w:]|\.\d)")
_TIMES = re.compile(
    rf"{_B}times\b(?={_B}(?:the|as|more|less|higher|larger|bigger|faster|that|its|their|his|her|greater"
    r"|smaller|lower|longer|likely|than|what|better|worse|stronger|heavier|cheaper)\b)"
)
_OCCASIONS = re.compile(rf"{_B}times\b")
_ORDINAL = re.compile(r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:st|nd|rd|th)(?!\w)", re.I)
_VERBS_TIMES = {"doubled": 2, "tripled": 3, "trebled": 3, "quadrupled": 4, "quintupled": 5}
_TWICE = re.compile(rf"{_B}(?:as|the|that|what|its|their|his|her|more)\b")
_BEFORE_ORDINAL = re.compile(
    rf"\b(?:the|its|his|her|their|our|my|your|a|an|this|that|every|each|came|finished|ranked|placed|rank|is|was|in|on|"
    rf"and|[a-z]+'s){_B}$",
    re.I,
)
_LEXICAL_ORDINAL = re.compile(
    r"(?:[ -](?:party|parties|person|world|world-|class|hand|hands|rate|degree|opinion|thought|thoughts|nature|aid|lady"
    r"|name|names|place|language|sight|glance|amendment|time|times|step|steps|thing|things|half|quarter|base|minister"
    r"|principles?|come|served|of all|and foremost|to last|look|draft))\b",
    re.I,
)
_PART = re.compile(
    rf"(?:-|{_B})(?P<part>hal(?:f|ves)|thirds?|quarters?|fourths?|fifths?|sixths?|sevenths?|eighths?|ninths?|"
    r"tenths?|twelfths?|sixteenths?|twentieths?|hundredths?|thousandths?)\b",
    re.I,
)
_HALF = re.compile(
    rf"(?P<of>{_B}of\b)|{_B}(?:an?{_B})?(?P<unit>percent|per cent|hour|mile|minute|second|litre|liter|day|year|pint|acre|tonne|"
    rf"metre|meter|kilometre|kilometer|pound|point|percentage{_B}point|century|decade|month)\b"
    rf"|(?P<the>{_B}(?:the|its|their|his|her|our|all|these|those)\b)",
    re.I,
)
_ADJECTIVE = re.compile(r"-(?:[^\W\d_]+-)?(?P<noun>[^\W\d_]+)(?:-[^\W\d_]+)?")
_ROMAN_YEAR = re.compile(r"M{1,2}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})$")
_ROMAN = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
_DECIMAL_LIKE = re.compile(r"\d+\.\d+$")
_SAYS_VERSION = re.compile(r"\b[Vv]ersions?\b")
# Capital letters before a decimal that are no name of a program: the symbols of statistics.
_STATISTICS = frozenset(
    "CI SD SE SEM OR HR RR AUC IQR ICC GPA BMI M F R T P N GDP CPI AQI EPS PE QALY ROI MSE RMSE".split()
)
_EACH = re.compile(rf"{_B}(?:of{_B})?each\b|{_B}apiece\b")
_AGE = re.compile(r"\b(?:aged?|ages|between)(?:[ \u00a0](?:of|from|between))?[ \u00a0]$", re.I)


def mentions(text: str, locale: str | None = None, scope: str | None = None) -> tuple[Mention, ...]:
    """Every number of `text` that a reader would find, in order, none overlapping.

    `locale` is a BCP 47 tag and settles which sign starts the decimals and which number words are known; without it
    the text is guessed from. `scope` is a note that says what the counts of this text count ("placements, not
    offices"): its head noun is the subject of every count, whatever the sentence says.
    """
    hidden = _INVISIBLE.search(text)
    if hidden is None:
        return tuple(_scoped(_Reader(text, plain(text), locale).read(), scope))
    kept = [index for index, character in enumerate(text) if not _INVISIBLE.match(character)]
    seen = "".join(text[index] for index in kept)
    return tuple(_scoped((_placed(found, text, kept) for found in _Reader(seen, plain(seen), locale).read()), scope))


def _placed(mention: Mention, text: str, kept: list[int]) -> Mention:
    """`mention` of the visible text, moved to where it stands in `text`."""
    start, end = kept[mention.start], kept[mention.end - 1] + 1
    first, last = kept[mention.sentence[0]], kept[mention.sentence[1] - 1] + 1
    return replace(mention, raw=text[start:end], start=start, end=end, sentence=(first, last))


def _scoped(found: Iterator[Mention], scope: str | None) -> Iterator[Mention]:
    noun = subject.scope_noun(scope) if scope else None
    for mention in found:
        counts = noun and mention.kind is Kind.COUNT and mention.unit is None
        yield replace(mention, subject=noun, direct=True) if counts else mention


@cache
def _number_words(language: str) -> frozenset[str]:
    own, english = words(language), words("en")
    found = set(own.add) | set(own.times) | set(own.part) - {"second"}
    if language in ("en", "de"):
        found |= set(own.ordinal)
    if language == "en":
        found |= {*english.scale, "half", "twice", "thrice", *_VERBS_TIMES}
    else:
        found |= {word for word, worth in own.scale.items() if worth == 1000}
    return frozenset(found)


def _roman_year(word: str) -> bool:
    return word[0] == "M" and len(word) >= 5 and word.isupper() and _ROMAN_YEAR.match(word) is not None


@cache
def _forms(language: str) -> frozenset[str]:
    """Every word, as it may be written, at which a number or date can begin."""
    plain_forms = _number_words(language) | set(months())
    capitals = {form for word in plain_forms for form in (word.capitalize(), word.upper())}
    return frozenset(
        plain_forms | capitals | set("Q H FY KW week Week Woche fiscal Fiscal financial Financial".split())
    )


class _Reader:
    """One pass over one text. `at` is where the next number may begin; what lies before belongs to another."""

    def __init__(self, text: str, prepared: str, locale: str | None) -> None:
        self.source = text
        self.text = prepared
        self.locale = locale
        self.language = language_of(text, locale)
        self.comma = has_decimal_comma(self.language, locale)
        self.german = self.language == "de"
        self.bounds = sentences(text, self.language) or [(0, len(text))]
        self.starts = [start for start, _ in self.bounds]
        self.at = 0
        self.found: list[Mention] = []
        self.version_majors: set[str] = set()

    def read(self) -> Iterator[Mention]:
        addresses = identifier.addresses(self.text)
        next_address = 0
        known = _number_words(self.language)
        names = months()
        forms = _forms(self.language)
        for trigger in _TRIGGER.finditer(self.text):
            word = trigger.group()
            if (
                word not in forms
                and word[0].isalpha()
                and not (self._compound(word) if self.german else word[0] == "M" and _roman_year(word))
            ):
                continue
            at = trigger.start()
            if at < self.at:
                continue
            while next_address < len(addresses) and addresses[next_address].end <= at:
                next_address += 1
            if next_address < len(addresses) and addresses[next_address].start <= at:
                self._keep_named(addresses[next_address], only_with_digits=True)
                continue
            if not word[0].isalpha() or word.isnumeric():
                self._digits(at)
            elif word not in names or not self._dated(calendar.read_month(self.text, at)):
                self._word(at, word, known)
        yield from self.found

    # ── names and dates ────────────────────────────────────────────────────────────────────────────────────────

    def _word(self, at: int, word: str, known: frozenset[str]) -> None:
        lower = word.lower()
        if lower not in known:
            if self._compound(word):
                self._spelled(at)
            elif not self._dated(calendar.read_period(self.text, at)) and _roman_year(word):
                self._roman(at, word)
            return
        if self.text[at - 1 : at] == "-" and self.text[at - 2 : at - 1].isalpha():
            return
        self._spelled(at)

    def _compound(self, word: str) -> bool:
        """Whether a German word may be tens and ones in one ("fünfundvierzig")."""
        return self.german and len(word) > 9 and "und" in word

    def _dated(self, dated: calendar.Dated | None) -> bool:
        if dated is None:
            return False
        start, floor = dated.start, self.at
        self._keep(
            Mention(
                raw=self.source[start : dated.end],
                start=start,
                end=dated.end,
                kind=dated.kind,
                value=dated.value,
                unit=dated.unit,
                sentence=self._sentence(start),
                modifier=modifier_before(self.text, start, floor) if dated.kind is not Kind.DATE else None,
                step=Decimal(1) if isinstance(dated.value, Decimal) else None,
            )
        )
        return True

    def _roman(self, at: int, word: str) -> None:
        worth = [_ROMAN[letter] for letter in word]
        value = sum(-one if one < after else one for one, after in zip(worth, [*worth[1:], 0], strict=True))
        if 1000 <= value <= 2199:
            self._dated(calendar.Dated(at, at + len(word), Kind.YEAR, Decimal(value)))

    def _digits(self, at: int) -> None:
        text = self.text
        if text[at - 1 : at] == "." and at - 1 >= self.at and not text[at - 2 : at - 1].strip(" \u00a0\n(=<>$€£"):
            at -= 1  # ".25"
        sentence = self._sentence(at)
        line = text.rfind("\n", 0, at) + 1
        if self._period_before(at):
            return
        if text[at].isdecimal():
            dated = calendar.read_date(text, at, self.locale)
            if dated and not self._glued_to_letters(at) and self._dated(dated):
                return
            named = (
                identifier.line_marker(text, at, line)
                or identifier.inline_marker(text, at, sentence[0])
                or self._by_form(at)
                or self._version(at)
            )
            if named:
                self._keep_named(named)
                return
            ordinal = _ORDINAL.match(text, at)
            if ordinal and self._ordinal_at(at, ordinal.end(), int(re.sub(r"\D", "", ordinal.group()))):
                return
        amount = read_amount(text, at, self.at, language=self.language, comma=self.comma)
        if amount is None:
            return
        if text[amount.end : amount.end + 1].isalpha() and self._cased(amount.end):
            named = identifier.digits_with_letters(text, at)
            if named:
                self._keep_named(named)
                return
        if re.compile(r"-[A-Z]{1,4}(?![\w])").match(text, amount.end) and amount.bare:
            self._keep_named(identifier.digits_with_letters(text, at) or identifier.Named(at, amount.end, "code"))
            return
        if amount.bare or (amount.decimals and not amount.unit and not amount.scaled and not amount.signed):
            named = self._named_by_words(at, amount, sentence)
            if named:
                self._keep_named(named)
                return
        self._figure(amount, sentence)

    def _cased(self, at: int) -> bool:
        return self.text[at].upper() != self.text[at].lower()

    def _glued_to_letters(self, at: int) -> bool:
        before = self.text[at - 1 : at]
        return before.isalpha() and before.upper() != before.lower()

    def _by_form(self, at: int) -> identifier.Named | None:
        """An identifier by form, unless the letters before the digits are a currency or FY, Q, H."""
        text = self.text
        named = identifier.by_form(text, at, self.at)
        if named is None or named.role != "code" or not text[at - 1 : at].isalpha():
            return named
        amount = read_amount(text, at, self.at, language=self.language, comma=self.comma)
        return None if amount and amount.unit and amount.unit.currency and amount.start < at else named

    def _period_before(self, at: int) -> bool:
        """A period whose letters were no trigger of their own because they run on into the digits ("FY24")."""
        for width in (1, 2):
            start = at - width
            if start >= self.at and (start == 0 or not self.text[start - 1].isalnum()):
                dated = calendar.read_period(self.text, start)
                if dated and dated.end > at:
                    return self._dated(dated)
        return False

    def _version(self, at: int) -> identifier.Named | None:
        named = identifier.version(self.text, at)
        if named is None:
            return None
        word, _ = identifier.label_before(self.text, at, self.at)
        label = identifier.labelled(word, False, False) if word else None
        if label and label[0] not in ("version", "standard"):
            return identifier.Named(at, named.end, label[0])
        return named

    def _named_by_words(self, at: int, amount: Amount, sentence: tuple[int, int]) -> identifier.Named | None:
        """A number that a word before it makes a name: a label, a list of labelled numbers, a capitalised name."""
        text = self.text
        word, start = identifier.label_before(text, at, max(self.at, sentence[0]))
        extent = max(identifier.extent(text, at), amount.end)
        plural = subject.plural_next(text, amount.end)
        opens = start <= sentence[0]
        if word:
            label = identifier.labelled(word, opens, plural)
            if label and not (label[0] == "page" and amount.decimals):
                if label[1] is Kind.VERSION and amount.bare and plural and word.islower():
                    return None
                return identifier.Named(at, extent, label[0], label[1])
        previous = self.found[-1] if self.found else None
        if (
            previous
            and previous.role not in (None, "url", "footnote", "list_marker")
            and previous.sentence == sentence
            and identifier.chained(text, previous.end, at)
            and not subject.noun_follows(text, amount.end)
        ):
            return identifier.Named(at, extent, previous.role or "code", previous.kind)
        if amount.decimals:
            return self._decimal_version(at, amount, word, plural)
        if amount.digits >= 2 and text[at] == "0" and amount.value:
            return identifier.Named(at, amount.end, "code")
        adjacent = (
            previous is not None and previous.role in ("code", "phone") and text[previous.end : at] in (" ", BLANK)
        )
        if (amount.digits >= 9 or adjacent) and not subject.noun_follows(text, amount.end):
            return identifier.Named(at, amount.end, "code")
        if word and self._is_name(word, start, opens, amount, sentence, plural):
            return identifier.Named(at, amount.end, "name")
        return None

    def _decimal_version(self, at: int, amount: Amount, word: str, plural: bool) -> identifier.Named | None:
        written = self.text[at : amount.end]
        if not _DECIMAL_LIKE.match(written) or _DASH.match(self.text, amount.end) or word in _STATISTICS:
            return None
        after_version = written.split(".")[0] in self.version_majors
        begin, end = self._sentence(at)
        after_version = after_version or _SAYS_VERSION.search(self.text, begin, end) is not None
        if after_version and not plural:
            return identifier.Named(at, amount.end, "version", Kind.VERSION)
        named = word[:1].isupper() and word[-1:].isalnum() and word.lower() not in identifier.openers()
        if named and (word.isupper() or not self._opens(at, word)) and not calendar.is_month(word):
            return identifier.Named(at, amount.end, "version", Kind.VERSION)
        return None

    def _opens(self, at: int, word: str) -> bool:
        return at - len(word) - 1 <= self._sentence(at)[0]

    def _is_name(
        self, word: str, start: int, opens: bool, amount: Amount, sentence: tuple[int, int], plural: bool
    ) -> bool:
        """Whether the capitalised word before a bare number and the number are one name ("Apollo 11")."""
        if not word[0].isupper() or not word[-1].isalnum() or word.lower() in identifier.openers():
            return False
        if calendar.is_month(word) or word == "AD" or (amount.digits == 4 and 1500 <= amount.value <= 2199):
            return False
        text = self.text
        counted = plural and amount.value != 1
        if opens:
            return not subject.noun_follows(text, amount.end) and not word.endswith(("ed", "s"))
        lead = text[sentence[0] : start]
        if counted and re.search(
            r"\b(?:[Ii]n|[Aa]t|[Ff]or|[Ff]rom|[Oo]f|[Tt]o|[Bb]y|[Tt]hat|[Aa]nd|has|have)[ \u00a0]$", lead
        ):
            return False
        if re.search(r":[^:]*$", lead) and re.compile(r"[ \u00a0]*(?:,|;|\.?$)").match(text, amount.end):
            return False
        return True

    def _keep_named(self, named: identifier.Named, *, only_with_digits: bool = False) -> None:
        raw = self.source[named.start : named.end]
        if only_with_digits and not any(character.isdigit() for character in raw):
            self.at = named.end
            return
        value = self.text[named.start : named.end]
        if named.kind is Kind.VERSION:
            self.version_majors.add(value.split(".")[0])
        self._keep(
            Mention(
                raw=raw,
                start=named.start,
                end=named.end,
                kind=named.kind,
                value=value,
                role=named.role,
                sentence=self._sentence(named.start),
            )
        )

    # ── words ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _spelled(self, at: int) -> None:
        text = self.text
        sentence = self._sentence(at)
        known = words(self.language)
        match = re.compile(r"[^\W\d_]+").match(text, at)
        word = match.group().lower() if match else ""
        end = match.end() if match else at
        if word in _VERBS_TIMES or word in ("twice", "thrice"):
            self._multiplied(at, end, word, sentence)
            return
        if self._fraction(at, end, word, sentence) or self._ordinal_word(at, sentence):
            return
        amount = read_amount(text, at, self.at, language=self.language, comma=self.comma)
        if amount is None:
            return
        if amount.year:
            self._dated(calendar.Dated(at, amount.end, Kind.YEAR, amount.value))
            return
        if amount.spelled == 1 and amount.value == 1 and not self._one_counts(amount):
            return
        if word in known.scale and amount.start == at and amount.spelled == 1 and self.language == "en":
            return
        label, start = identifier.label_before(text, at, sentence[0])
        if match and match.group()[0].isupper() and start > sentence[0] and amount.spelled == 1 and amount.unit is None:
            self.at = max(self.at, amount.end)
            return
        if label[:1].isupper() and start > sentence[0] and identifier.labelled(label, False, False):
            return
        self._figure(amount, sentence)

    def _one_counts(self, amount: Amount) -> bool:
        """A lone "one" is a number where a unit, "in five" or a second number follows."""
        text = self.text
        if amount.unit is not None or amount.times:
            return True
        link = _IN.match(text, amount.end) or _OR.match(text, amount.end) or _TO.match(text, amount.end)
        if link is None or link.end() >= len(text):
            return False
        second = read_amount(text, link.end(), link.end(), language=self.language, comma=self.comma)
        return second is not None and second.value > 1

    def _multiplied(self, at: int, end: int, word: str, sentence: tuple[int, int]) -> None:
        value = Decimal(_VERBS_TIMES.get(word) or {"twice": 2, "thrice": 3}[word])
        if word in ("twice", "thrice"):
            link = _TWICE.match(self.text, end)
            if link is None:
                return
            noun = subject.after(self.text, self._past_many(end), sentence[1])
        else:
            noun = None
        named = noun[0] if noun else subject.linked(self.text, sentence[0], at)
        self._add(at, end, Kind.RATIO, value, sentence, unit="times", subject=named)

    def _past_many(self, end: int) -> int:
        match = re.compile(rf"{_B}(?:as|the|its|their|that)(?:{_B}(?:many|much|of))?\b").match(self.text, end)
        return match.end() if match else end

    def _fraction(self, at: int, end: int, word: str, sentence: tuple[int, int]) -> bool:
        """ "half of", "half an hour", "two thirds", "a third of", "one-tenth"."""
        text = self.text
        if word in (
            "half",
            "quarter",
            "third",
            "fifth",
            "tenth",
            "sixth",
            "eighth",
            "fourth",
            "twentieth",
            "hundredth",
        ):
            if word == "half":
                return self._half(at, end, sentence)
            article = re.search(r"\b[Aa][ \u00a0]$|\b[Aa]n[ \u00a0]$", text[max(self.at, at - 3) : at])
            link = re.compile(rf"{_B}of{_B}").match(text, end)
            if article is None or link is None:
                return False
            part = words("en").part[word]
            scaled = re.compile(rf"{_B}of{_B}an?{_B}(?P<scale>million|billion|hour|mile|century)\b").match(text, end)
            start = at - len(article.group())
            if scaled:
                return self._part_of(start, scaled, part, sentence)
            noun = subject.of_phrase(text, end, sentence[1])
            value = Decimal(1) / part
            self._add(
                start,
                end,
                Kind.RATIO,
                value,
                sentence,
                unit="fraction",
                subject=noun,
                parts=(Decimal(1), Decimal(part)),
            )
            return True
        if word not in words("en").add or self.language != "en":
            return self._part_word(at, end, word, sentence)
        match = _PART.match(text, end)
        if match is None or (match["part"].lower() in ("half", "fourth") and text[end : end + 1] != "-"):
            return False
        upper, lower = words("en").add[word], words("en").part[match["part"].lower()]
        if upper >= lower or (upper == 1) != (
            not match["part"].lower().endswith("s") or match["part"].lower() == "half"
        ):
            return False
        noun = subject.of_phrase(text, match.end(), sentence[1])
        parts = (Decimal(upper), Decimal(lower))
        self._add(
            at, match.end(), Kind.RATIO, parts[0] / parts[1], sentence, unit="fraction", subject=noun, parts=parts
        )
        return True

    def _part_word(self, at: int, end: int, word: str, sentence: tuple[int, int]) -> bool:
        """A part in another language after its numerator: "zwei Drittel", "deux tiers", "la mitad"."""
        known = words(self.language)
        if self.language == "en":
            return False
        if word in known.part:
            value = Decimal(1) / known.part[word]
            self._add(
                at,
                end,
                Kind.RATIO,
                value,
                sentence,
                unit="fraction",
                subject=subject.of_phrase(self.text, end, sentence[1], german=self.german),
                parts=(Decimal(1), Decimal(known.part[word])),
            )
            return True
        if word not in known.add:
            return False
        match = re.compile(rf"{_B}(?P<part>[^\W\d_]+)").match(self.text, end)
        lower = known.part.get(match["part"].lower()) if match else None
        if match is None or lower is None or known.add[word] >= lower:
            return False
        parts = (Decimal(known.add[word]), Decimal(lower))
        noun = subject.of_phrase(self.text, match.end(), sentence[1], german=self.german)
        self._add(
            at, match.end(), Kind.RATIO, parts[0] / parts[1], sentence, unit="fraction", subject=noun, parts=parts
        )
        return True

    def _half(self, at: int, end: int, sentence: tuple[int, int]) -> bool:
        text = self.text
        scaled = re.compile(rf"{_B}an?{_B}(?P<scale>million|billion|trillion|dozen|hundred|thousand)\b").match(
            text, end
        )
        if scaled:
            return self._part_of(at, scaled, 2, sentence)
        if re.search(
            r"(?:\b(?:a|one|and|first|second|other|each|every|the)[ \u00a0-]|-)$", text[max(0, at - 8) : at].lower()
        ):
            article = re.search(r"\b(?:a|an)[ \u00a0]$", text[max(0, at - 3) : at].lower())
            if article is None or not re.compile(rf"{_B}(?:hours?|miles?|minutes?|centur\w+|days?)\b|-hour").match(
                text, end
            ):
                return True
        match = _HALF.match(text, end)
        if match is None:
            return True
        if match["unit"]:
            unit = " ".join(match["unit"].lower().split())
            name = {
                "percent": "percent",
                "per cent": "percent",
                "percentage point": "percentage_point",
                "liter": "litre",
                "meter": "metre",
                "kilometer": "kilometre",
                "pound": "GBP",
                "point": None,
                "century": "century_long",
                "decade": "decade_long",
            }.get(unit, unit)
            kind = Kind.PERCENT if name in ("percent", "percentage_point") else Kind.COUNT
            noun = subject.of_phrase(text, match.end(), sentence[1]) if kind is Kind.PERCENT else None
            self._add(at, match.end(), kind, Decimal("0.5"), sentence, unit=name, subject=noun, step=Decimal("0.1"))
            return True
        noun = subject.of_phrase(text, end, sentence[1])
        if noun is None and match["the"]:
            following = subject.after(text, match.end(), sentence[1], one=True)
            noun = following[0] if following else None
        self._add(
            at,
            end,
            Kind.RATIO,
            Decimal("0.5"),
            sentence,
            unit="fraction",
            subject=noun,
            parts=(Decimal(1), Decimal(2)),
        )
        return True

    def _part_of(self, start: int, match: re.Match[str], part: int, sentence: tuple[int, int]) -> bool:
        """ "half a million", "a quarter of a million", "a quarter of an hour"."""
        scale = match["scale"].lower()
        english = words("en")
        worth = english.scale.get(scale) or english.times.get(scale)
        unit = None if worth else {"century": "century_long"}.get(scale, scale)
        value = Decimal(worth or 1) / part
        amount = Amount(start, match.end(), value, value, spelled=2)
        if unit:
            self._add(start, match.end(), Kind.COUNT, value, sentence, unit=unit)
        else:
            currency = read_amount(self.text, start, start, language="en", comma=False) if scale != "dozen" else None
            if currency and currency.unit:
                amount = replace(amount, end=currency.end, unit=currency.unit)
            self._figure(amount, sentence)
        return True

    def _ordinal_word(self, at: int, sentence: tuple[int, int]) -> bool:
        match = re.compile(
            r"(?:(?P<tens>twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)[- ])?(?P<one>[a-z]+)\b", re.I
        ).match(self.text, at)
        ordinals = words("en").ordinal
        if self.language != "en" or match is None or match["one"].lower() not in ordinals:
            return False
        value = ordinals[match["one"].lower()]
        if match["tens"]:
            if value >= 10:
                return False
            value += words("en").add[match["tens"].lower()]
        dated = calendar.read_quarter(self.text, at, value, match.end()) or calendar.read_ordinal_day(
            self.text, at, value, match.end()
        )
        if self._dated(dated):
            return True
        lead = self.text[max(sentence[0], at - 14) : at]
        named = match.group()[0].isupper() and at > sentence[0]
        if named or _LEXICAL_ORDINAL.match(self.text, match.end()) or not _BEFORE_ORDINAL.search(lead):
            self.at = match.end()
            return True
        if value <= 2 and not re.search(rf"\b(?:the|its|his|her|their|our){_B}$", lead, re.I):
            self.at = match.end()
            return True
        return self._ordinal_at(at, match.end(), value)

    def _ordinal_at(self, at: int, end: int, value: int) -> bool:
        sentence = self._sentence(at)
        if self._dated(calendar.read_quarter(self.text, at, value, end)):
            return True
        tail = end
        joined = re.compile(r"-[^\W\d_]+").match(self.text, end)
        if joined:
            tail = joined.end()
        noun = subject.after(self.text, tail, sentence[1], one=True)
        if noun is None or re.compile(rf"{_B}in\b").match(self.text, end):
            place = re.compile(rf"{_B}in{_B}(?!the\b)([a-z]+)\b").match(self.text, end)
            noun = (place[1], 0) if place else None
        self._add(at, end, Kind.ORDINAL, Decimal(value), sentence, subject=noun[0] if noun else None, step=Decimal(1))
        return True

    # ── figures ────────────────────────────────────────────────────────────────────────────────────────────────

    def _figure(self, amount: Amount, sentence: tuple[int, int]) -> None:
        floor = max(self.at, sentence[0])
        ratio = self._ratio(amount, sentence)
        if ratio:
            return
        if self._range(amount, sentence, floor):
            return
        self._single(amount, sentence, floor)

    def _ratio(self, amount: Amount, sentence: tuple[int, int]) -> bool:
        text = self.text
        if amount.parts and not amount.mixed and not amount.unit:
            return self._slash(amount, sentence)
        if amount.times:
            noun = subject.of_phrase(text, amount.end, sentence[1])
            noun = noun or subject.linked(text, sentence[0], amount.start)
            self._add_amount(amount, Kind.RATIO, sentence, unit="times", subject=noun)
            return True
        if amount.unit or amount.signed:
            return False
        times = _TIMES.match(text, amount.end)
        if times:
            following = subject.after(text, self._past_many(times.end()), sentence[1])
            noun = following[0] if following else None
            if noun is None:
                match = re.compile(rf"{_B}(?:the|as)(?:{_B}(?:many|much))?{_B}([a-z]+)").match(text, times.end())
                noun = subject.singular(match[1]) if match and match[1] not in ("many", "much") else None
            widened = replace(amount, end=times.end())
            self._add_amount(widened, Kind.RATIO, sentence, unit="times", subject=noun)
            return True
        if amount.bare and text[amount.end : amount.end + 1] == ":":
            match = _COLON.match(text, amount.start)
            if match and int(re.sub(r"\D", "", match["n"])):
                parts = (Decimal(match["m"]), Decimal(match["n"].replace(",", "")))
                self._add(
                    amount.start,
                    match.end(),
                    Kind.RATIO,
                    parts[0] / parts[1],
                    sentence,
                    unit="ratio",
                    subject=subject.linked(text, sentence[0], amount.start),
                    parts=parts,
                )
                return True
        return self._one_in(amount, sentence)

    def _one_in(self, amount: Amount, sentence: tuple[int, int]) -> bool:
        """ "one in five", "3 out of 45": a share, where the second number is the larger and no year."""
        text = self.text
        link = _IN.match(text, amount.end)
        if (
            link is None
            or amount.decimals
            or link.end() >= len(text)
            or not (text[link.end()].isdigit() or text[link.end()].isalpha())
        ):
            return False
        second = read_amount(text, link.end(), link.end(), language=self.language, comma=self.comma)
        if second is None or second.unit or second.parts or second.decimals or not amount.value < second.value:
            return False
        if "out" not in link.group() and (
            second.scaled
            or (second.bare and 1500 <= second.value <= 2199)
            or amount.value < 1
            or (amount.value > 10 and second.value not in (100, 1000, 10000))
        ):
            return False
        following = subject.after(text, second.end, sentence[1])
        parts = (amount.value, second.value)
        self._add(
            amount.start,
            second.end,
            Kind.RATIO,
            parts[0] / parts[1],
            sentence,
            unit="fraction",
            subject=following[0] if following else self._of_counted(second.end, sentence),
            parts=parts,
        )
        return True

    def _of_counted(self, end: int, sentence: tuple[int, int]) -> str | None:
        return subject.of_phrase(self.text, end, sentence[1], german=self.german)

    def _slash(self, amount: Amount, sentence: tuple[int, int]) -> bool:
        text = self.text
        assert amount.parts
        if amount.parts == (24, 7):
            self._keep_named(identifier.Named(amount.start, amount.end, "idiom"))
            return True
        noun = self._of_counted(amount.end, sentence)
        if noun is None:
            following = subject.after(text, amount.end, sentence[1])
            noun = following[0] if following else None
        self._add(
            amount.start,
            amount.end,
            Kind.RATIO,
            amount.value,
            sentence,
            unit="fraction",
            subject=noun,
            parts=amount.parts,
        )
        return True

    def _range(self, first: Amount, sentence: tuple[int, int], floor: int) -> bool:
        """A range that begins with `first`; a change ("rose from 12 to 15") becomes two figures of one unit."""
        text = self.text
        lead = text[floor : first.start]
        between = _BETWEEN.search(lead) is not None
        link = self._link(first, between)
        if link is None or link.end() >= len(text):
            return False
        at = link.end()
        lowered = text[at] in "−-+$€£¥₹" or (text[at].isalpha() and not text[at].isdigit())
        second = self._second(at, lowered)
        if second is None or second.parts or (second.times and not first.bare and not first.times):
            return False
        if not self._matches(first, second, link.group(), between):
            return False
        changed = _FROM.search(lead) and _CHANGE.search(text, sentence[0], first.start)
        if changed or (not between and "to" in link.group() and self._opposed(first, second)):
            self._two(first, second, sentence, floor)
            return True
        low, high = self._aligned(first, second)
        if not low < high:
            return self._score(first, second, sentence) if link.group().strip() in ("-", "–", "to") else False
        self._add_range(first, second, low, high, sentence, floor)
        return True

    def _link(self, first: Amount, between: bool) -> re.Match[str] | None:
        text = self.text
        hyphened = re.compile(rf"-{_B}(?:to|or){_B}").match(text, first.end)
        if hyphened and first.unit is None:
            return hyphened
        if between:
            return _AND.match(text, first.end)
        dash = _DASH.match(text, first.end)
        if dash:
            return dash
        small = first.bare or first.spelled
        return _TO.match(text, first.end) or (_OR.match(text, first.end) if small else None)

    def _second(self, at: int, lowered: bool) -> Amount | None:
        text = self.text
        if lowered and not text[at].isalpha():
            digit = re.compile(r"[−\-+]?[$€£¥₹]?[−\-]?[ \u00a0]?(?=\d)").match(text, at)
            if digit is None:
                return None
            return read_amount(text, digit.end(), at, language=self.language, comma=self.comma)
        if text[at].isalpha():
            code = re.compile(r"[A-Z]{1,3}\$?[ \u00a0]?(?=\d)").match(text, at)
            if code:
                return read_amount(text, code.end(), at, language=self.language, comma=self.comma)
        return read_amount(text, at, at, language=self.language, comma=self.comma)

    def _matches(self, first: Amount, second: Amount, link: str, between: bool) -> bool:
        """Whether two amounts joined by `link` are of one kind at all."""
        if first.unit and second.unit and first.unit.name != second.unit.name:
            return False
        if first.unit and not second.unit and not first.unit.currency:
            return False
        if second.end < len(self.text) and self.text[second.end].isalpha() and self._cased(second.end):
            return False
        word = link.strip(" \u00a0\n-") or link.strip()
        if word == "or":
            return second.value == first.value + 1 or (second.value <= 2 * first.value and not second.unit)
        if word in ("to", "a", "à", "through", "bis"):
            return word != "a" or self.language in ("es", "pt", "it")
        if between:
            return True
        return not (first.spelled and not second.spelled) and " " not in link.strip()

    def _opposed(self, first: Amount, second: Amount) -> bool:
        """ "by 52 to 48": two numbers that go down are no range."""
        low, high = self._aligned(first, second)
        return low > high and (first.unit is not None or second.unit is not None)

    def _aligned(self, first: Amount, second: Amount) -> tuple[Decimal, Decimal]:
        """Both values under the multiplier that only the second carries ("3 to 5 million")."""
        factor = Decimal(1)
        if second.scaled and not first.scaled and not first.grouped and first.value < 1000:
            digits = read_amount(
                self.text,
                second.end - (second.end - second.start),
                second.start,
                language=self.language,
                comma=self.comma,
            )
            factor = self._factor(digits or second)
        return first.value * factor, second.value

    def _factor(self, amount: Amount) -> Decimal:
        step = amount.step or Decimal(1)
        exponent = step.adjusted()
        return Decimal(1).scaleb(exponent // 3 * 3) if exponent > 0 else self._decimal_factor(amount)

    def _decimal_factor(self, amount: Amount) -> Decimal:
        return Decimal(1).scaleb(max(0, amount.value.adjusted() // 3 * 3))

    def _two(self, first: Amount, second: Amount, sentence: tuple[int, int], floor: int) -> None:
        unit = first.unit or second.unit
        low, _ = self._aligned(first, second)
        scaled = low != first.value
        step = first.step * (low / first.value) if scaled and first.step and first.value else first.step
        self._single(replace(first, unit=unit, value=low, step=step, scaled=first.scaled or scaled), sentence, floor)
        self._single(second, sentence, self.at)

    def _score(self, first: Amount, second: Amount, sentence: tuple[int, int]) -> bool:
        if not (first.bare and second.bare) or not second.value or first.digits > 3:
            return False
        self._add(
            first.start,
            second.end,
            Kind.RATIO,
            first.value / second.value,
            sentence,
            unit="ratio" if first.value == second.value else "score",
            parts=(first.value, second.value),
            subject=subject.linked(self.text, sentence[0], first.start),
        )
        return True

    def _add_range(
        self, first: Amount, second: Amount, low: Decimal, high: Decimal, sentence: tuple[int, int], floor: int
    ) -> None:
        text = self.text
        end = second.end
        unit = (second.unit or first.unit).name if (second.unit or first.unit) else None  # type: ignore[union-attr]
        if second.times or first.times:
            unit = "times"
        noun = None
        if unit is None and first.bare and second.bare and self._is_year(first, sentence) and 1000 <= high <= 2199:
            unit = "year"
        elif unit is None and _AGE.search(text[floor : first.start]) and high <= 120 and second.bare:
            unit, noun = "year", self._aged(first.start, sentence)
        if unit is None:
            following = subject.after(text, end, sentence[1], german=self.german)
            noun = following[0] if following else subject.linked(text, sentence[0], first.start)
        elif unit != "year" or noun is None:
            noun = subject.of_phrase(text, end, sentence[1]) or (
                self._measured(end, sentence) or subject.linked(text, sentence[0], first.start)
            )
        self._add(
            first.start,
            end,
            Kind.RANGE,
            (low, high),
            sentence,
            unit=unit,
            subject=noun,
            modifier=modifier_before(text, first.start, floor),
            step=second.step,
        )

    def _measured(self, end: int, sentence: tuple[int, int]) -> str | None:
        """The noun right after a measure written with a hyphen: "fifteen-year leases"."""
        if "-" not in self.text[end - 12 : end]:
            return None
        following = subject.after(self.text, end, sentence[1], one=True)
        return following[0] if following else None

    def _aged(self, start: int, sentence: tuple[int, int]) -> str | None:
        match = re.search(r"([^\W\d_]+)[ \u00a0]aged?[ \u00a0](?:of |from |between )?$", self.text[sentence[0] : start])
        return subject.singular(match[1]) if match else None

    def _single(self, amount: Amount, sentence: tuple[int, int], floor: int) -> None:
        text = self.text
        if amount.unit is not None:
            self._with_unit(amount, sentence, floor)
            return
        dated = calendar.era(text, amount.start, amount.end, amount.value) if amount.bare else None
        if dated:
            self._add(dated[0], dated[1], Kind.YEAR, dated[2], sentence, step=Decimal(1))
            return
        if amount.bare and self._is_year(amount, sentence):
            modifier = modifier_before(text, amount.start, floor)
            about = modifier if modifier is Modifier.ABOUT else None
            self._add_amount(amount, Kind.YEAR, sentence, modifier=about)
            return
        if _OCCASIONS.match(text, amount.end):
            noun, direct = "time", True
        else:
            noun, direct = self._counted(amount, sentence, floor)
        self._add_amount(
            amount, Kind.COUNT, sentence, subject=noun, direct=direct, modifier=self._modifier(amount, floor)
        )

    def _is_year(self, amount: Amount, sentence: tuple[int, int]) -> bool:
        text = self.text
        if not amount.bare or text[amount.end : amount.end + 1] == "-":
            return False
        word, start = identifier.label_before(text, amount.start, max(sentence[0], 0))
        before = text[amount.start - 1 : amount.start]
        opens = not word or amount.start <= sentence[0] or word.endswith((",", ";", ":")) or before in "([\"'“"
        return calendar.is_year(
            amount.value,
            word.lower() if start >= sentence[0] else "",
            subject.plural_next(text, amount.end),
            amount.digits,
            opens=opens,
            glued_before=before if before == "-" and amount.start > 1 and text[amount.start - 2].isalpha() else "",
        )

    def _with_unit(self, amount: Amount, sentence: tuple[int, int], floor: int) -> None:
        text = self.text
        assert amount.unit
        kind = Kind.CURRENCY if amount.unit.currency else Kind.COUNT
        if amount.unit.name in ("percent", "percentage_point", "basis_point", "permille"):
            kind = Kind.PERCENT
        noun = subject.of_phrase(text, amount.end, sentence[1], german=self.german)
        if noun is None:
            noun = self._measured(amount.end, sentence)
        if noun is None and kind is not Kind.COUNT and amount.unit.currency:
            noun = self._bought(amount, sentence)
        if noun is None and kind is Kind.PERCENT:
            following = subject.after(text, amount.end, sentence[1], one=True, german=self.german)
            noun = following[0] if following and self._adjacent(amount.end, following[1]) else None
        if noun is None:
            noun = subject.linked(text, sentence[0], amount.start) or self._repeated(amount, sentence)
        if noun is None and text[sentence[0] : amount.start].rstrip(" \u00a0").endswith(":"):
            noun = subject.before(text, sentence[0], amount.start)
        self._add_amount(
            amount,
            kind,
            sentence,
            unit=amount.unit.name,
            subject=noun,
            modifier=self._modifier(amount, floor),
        )

    def _adjacent(self, end: int, noun_end: int) -> bool:
        return "\n" not in self.text[end:noun_end] and noun_end - end < 24

    def _bought(self, amount: Amount, sentence: tuple[int, int]) -> str | None:
        following = subject.after(self.text, amount.end, sentence[1])
        return following[0] if following and self._adjacent(amount.end, following[1]) else None

    def _repeated(self, amount: Amount, sentence: tuple[int, int]) -> str | None:
        """The subject of the figure before, where this one only restates or continues it ("2.5 ha, or 6.2 acres")."""
        if not self.found or self.found[-1].sentence != sentence:
            return None
        between = self.text[self.found[-1].end : amount.start]
        if len(between) > 24 or re.match(r"[ \u00a0]*(?:[,(]|and\b|or\b|\w+ and\b|\w+\))", between) is None:
            return None
        return self.found[-1].subject

    def _counted(self, amount: Amount, sentence: tuple[int, int], floor: int) -> tuple[str | None, bool]:
        """The subject of a plain count, and whether it stands right beside the number."""
        text = self.text
        adjective = _ADJECTIVE.match(text, amount.end) if text[amount.end : amount.end + 1] == "-" else None
        if adjective and adjective["noun"].lower() in ("odd", "something", "ish", "plus"):
            following = subject.after(text, adjective.end(), sentence[1])
            return (following[0] if following else None), False
        if adjective:
            return subject.singular(adjective["noun"]), True
        if _EACH.match(text, amount.end):
            return self._last_plural(amount.start, sentence), False
        bounded = modifier_after(text, amount.end)
        end = bounded[1] if bounded else amount.end
        following = subject.after(text, end, sentence[1], one=amount.value == 1, german=self.german)
        if following:
            return following[0], True
        if self.text[amount.start - 1 : amount.start] == "(" or not self._continues(amount):
            noun = subject.before(text, sentence[0], amount.start)
            if noun:
                return noun, False
        repeated = self._elliptic(amount, sentence)
        if repeated:
            return repeated, False
        return subject.before(text, sentence[0], amount.start) or subject.linked(text, sentence[0], amount.start), False

    def _continues(self, amount: Amount) -> bool:
        if not self.found:
            return False
        return (
            re.fullmatch(
                r"[ \u00a0]*(?:,|and|or|,[ \u00a0]?and|\(\w+\),)?[ \u00a0]*",
                self.text[self.found[-1].end : amount.start],
            )
            is not None
        )

    def _elliptic(self, amount: Amount, sentence: tuple[int, int]) -> str | None:
        """ "no more than 5 people, no fewer than 2": the noun of the count before in the same sentence."""
        if not re.compile(r"[ \u00a0]*(?:[.,;)]|$|\((?!\d)|in\b|of\b)").match(self.text, amount.end):
            return None
        for earlier in reversed(self.found):
            if earlier.sentence != sentence or amount.start - earlier.end > 60:
                return None
            if earlier.subject and earlier.unit is None and earlier.kind in (Kind.COUNT, Kind.RANGE):
                between = self.text[earlier.end : amount.start]
                return earlier.subject if re.search(r"[,;(]|\b(?:and|but|or|to|while|of)\b", between) else None
        return None

    def _last_plural(self, start: int, sentence: tuple[int, int]) -> str | None:
        lead = re.findall(r"[^\W\d_]+", self.text[sentence[0] : start])
        return next((subject.singular(word) for word in reversed(lead) if subject.is_plural(word)), None)

    def _trailing(self, amount: Amount) -> Modifier | None:
        after = modifier_after(self.text, amount.end)
        return after[0] if after else None

    def _modifier(self, amount: Amount, floor: int) -> Modifier | None:
        if amount.plus:
            return Modifier.AT_LEAST
        if self.found and amount.unit and self.text[self.found[-1].end : amount.start].strip() == "over":
            return None  # "£1.2bn over 5 years": a span, no bound
        return modifier_before(self.text, amount.start, floor) or self._trailing(amount)

    def _add_amount(
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
        self._add(
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

    def _add(
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
        self._keep(
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

    def _keep(self, mention: Mention) -> None:
        self.found.append(mention)
        self.at = max(self.at, mention.end)

    def _sentence(self, at: int) -> tuple[int, int]:
        index = max(0, bisect_right(self.starts, at) - 1)
        start, end = self.bounds[index]
        return start, max(end, at + 1)
