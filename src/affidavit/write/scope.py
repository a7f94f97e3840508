"""Whether a figure of a draft counts what the fact that it was taken from counts.

The noun after a figure tells little: "45 countries' worth of placements", "45 members of staff across our countries".
So a figure's frame in the draft is held against the frames of all facts. It is said to be mismatched only for a reason
that can be named:

- `denied`: the draft says what the fact's scope note says the figure does not count ("placements, not offices").
- `noun`: the draft counts another thing, one that the register knows by itself.
- `uncounted`: the draft counts another thing, which the register does not have.
- `rival`: of two facts that count the same noun, the draft has the words that tell the other one from this.
- `named`: the fact is of something with a name of its own, and neither the sentence nor what stands before it names it.
- `owner`: the figure is a client's, and the draft says "we" and not whose it is.
- `period`: the fact is for a year, and the draft tells it as a total, or the reverse.
- `widened`: "every", "all", where the fact says so of one.
- `dated`: the fact is as of a year, and the draft says "today".
- `priced`: the figure is the price of another thing.
- `share`: of a share nothing is said that the fact says of it.
- `strange`: the sentence, and what stands before it, has no word in common with the fact.

A figure that several facts hold is mismatched only where it is with each of them.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from affidavit.evidence.fact import Fact
from affidavit.gates.numbers.compare import measure
from affidavit.gates.numbers.mention import Kind, Mention
from affidavit.gates.numbers.reader import mentions
from affidavit.gates.numbers.subject import singular
from affidavit.write.frame import Figures, Frame, frame, meet, same_things, sized, stems
from affidavit.write.ourselves import Ourselves

_DENIAL = re.compile(r"\b(?:not|never|excluding|except|rather than|instead of|as opposed to|other than|no)\b", re.I)
_PART = re.compile(r"(?<!\d),|,(?!\d)|[;()—–\n]|(?<=[.!?])\s")
_WIDE = re.compile(r"\b(?:every|all|any)\b(?! of (?:this|that|it)\b)", re.IGNORECASE)
_NOW = re.compile(r"\b(?:now|today|currently|these days|at present|nowadays)\b", re.IGNORECASE)
_TELLING = 6
"""A long sentence shares a word with anything: of so many words that would tell a rival, one more must be said. Swept
3, 6, 10 over what docs/measured.md names: 3 lost "placed in 45 countries", 10 flagged two right figures more than 6."""
_ENOUGH = 3
"""Words that say something, in a sentence and a fact, from which on having none in common tells them apart."""
_AS_OF = re.compile(r"\b(?:19|20)\d\d\b")
_SOMEBODY = re.compile(
    r"\b(?:an?|one|another|this|that|the)[ \u00a0](?:[a-z-]+[ \u00a0]){0,2}(?:client|customer|partner)\b", re.IGNORECASE
)
_PRICE = stems(
    "cost costs costing price prices priced charge charges fee fees pay paid pays rate rates start sell sold"
)
_PROPER = re.compile(r"(?<![\w.])\.?(?:[a-z]*[A-Z][\w&.'’-]*|\w+\.\w[\w.]*|\w*\d\w*[A-Za-z]\w*)|(?<!\S)\.[a-z]\w*")


@dataclass(frozen=True, slots=True)
class Mismatch:
    """`reason` is one of the words above; `message` says it of these figures."""

    reason: str
    message: str


@dataclass(frozen=True, eq=False)
class Scope:
    """What a fact says that its figures count."""

    fact: Fact
    text: str

    @cached_property
    def mentions(self) -> tuple[Mention, ...]:
        return tuple(sorted((*mentions(self.text), *sized(self.text)), key=lambda one: one.start))

    @cached_property
    def frames(self) -> tuple[Frame, ...]:
        others = Figures.of(self.mentions)
        return tuple(frame(self.text, one, *one.sentence, others) for one in self.mentions if one.is_figure)

    @cached_property
    def told(self) -> frozenset[str]:
        """What the subject and the scope note say that it counts. A part of the note with a figure of its own speaks of
        another."""
        return stems(self.fact.subject).union(*(stems(part) for part in self._parts(denied=False)))

    @cached_property
    def denied(self) -> frozenset[str]:
        """What the scope note says that it does not count."""
        return frozenset[str]().union(*(stems(part) for part in self._parts(denied=True)))

    def _parts(self, *, denied: bool) -> Iterator[str]:
        for part in _PART.split(self.fact.scope_note or ""):
            found = _DENIAL.search(part)
            own = not re.search(r"\d", part) or (self.fact.value or "\0") in part
            if denied:
                yield part[found.end() :] if found else "" if own else part
            elif own:
                yield part[: found.start()] if found else part

    @cached_property
    def names(self) -> frozenset[str]:
        """The names in the fact's subject, lower case; none where the fact's own words do without them. A first word
        that only begins the subject is no name."""
        found = ((match.start(), match.group().rstrip(".")) for match in _PROPER.finditer(self.fact.subject))
        names = frozenset(name for start, name in found if name and (start or not name.istitle() or self._within(name)))
        text = self.text.lower()
        told = any(name.lower() in text or _initials(self.text, name.lower()) for name in names)
        return frozenset(name.lower() for name in names) if told else frozenset()

    @cached_property
    def places(self) -> frozenset[str]:
        """Those of the names that only say where ("practices in Kent")."""
        return frozenset(
            name
            for name in self.names
            if re.search(rf"\b(?:in|at|near|across) {re.escape(name)}\b", self.fact.subject.lower())
        )

    @cached_property
    def also(self) -> frozenset[str]:
        """The names in the fact's text, lower case: they name it too."""
        return frozenset(
            match.group().rstrip(".").lower() for match in _PROPER.finditer(self.text) if self._within(match.group())
        )

    def _within(self, name: str) -> bool:
        """Whether the fact's text writes the word with a capital where no sentence begins."""
        return re.search(rf"(?<=[\w,] ){re.escape(name)}\b", self.text) is not None

    def of(self, mention: Mention) -> Frame | None:
        """The frame of one of its own figures."""
        return next((one for one in self.frames if one.mention.start == mention.start), None)


@dataclass(frozen=True)
class Scopes:
    """The facts that may be used. `own_names` are words that name the customer, lower case; `others` facts that may not
    be used, and that tell what else there is to count."""

    scopes: tuple[Scope, ...]
    own_names: frozenset[str] = frozenset()
    others: tuple[Scope, ...] = ()
    us: Ourselves = field(default_factory=Ourselves)

    def mismatch(self, ours: Frame, held: Sequence[tuple[Scope, Mention]], about: str) -> Mismatch | None:
        """Why the figure of `ours` fits none of the figures of facts that it may have been taken from; None where it
        fits one, or where none is known. `about` is what the reader has in mind."""
        first: Mismatch | None = None
        for scope, mention in held:
            theirs = scope.of(mention)
            if theirs is None:
                return None
            found = self._against(ours, scope, theirs, about)
            if found is None:
                return None
            first = first or found
        return first

    def _against(self, ours: Frame, scope: Scope, theirs: Frame, about: str) -> Mismatch | None:
        raw = ours.mention.raw
        counts = f"“{raw}” is of {scope.fact.subject}"
        said = ours.words | ours.phrase
        own = theirs.words | theirs.phrase | scope.told
        denied = meet(said, (scope.denied | theirs.denied)) - meet(said, own)
        near = ours.governor if meet(ours.governor, denied) else said - ours.phrase
        if denied and not meet(near - self.us.stems, scope.told | theirs.words):
            spoken = _in_words(denied, ours.sentence)
            return Mismatch("denied", f"{counts}, and expressly not of {spoken}: {scope.fact.scope_note}.")
        other = _other_noun(ours, theirs)
        if other is not None:
            reason = "noun" if self._known(other, scope) else "uncounted"
            here, there = _as_said(other, ours.sentence), _as_said(theirs.noun or "", theirs.sentence)
            return Mismatch(reason, f"“{raw}” counts {here} here; the fact counts {there}: “{scope.fact.text}”")
        rival = self._rival(ours, scope, theirs)
        if rival is not None:
            return Mismatch(
                "rival",
                f"{counts} (“{scope.fact.text}”), and this is said as in “{rival.fact.text}”: see which is meant.",
            )
        return (
            self._whose(ours, scope, about)
            or _period(ours, scope, theirs)
            or _widened(ours, scope)
            or _dated(ours, scope)
            or _share(ours, scope, theirs, self.us.stems)
            or _priced(ours, scope, theirs, about)
            or _strange(ours, scope, about, self.us.stems)
        )

    def _known(self, noun: str, scope: Scope) -> bool:
        """Whether the register has that noun: the fact's own words do, or some fact counts it."""
        return (
            noun == "time"
            or bool(meet(stems(noun), stems(scope.text) | scope.told))
            or any(
                one.noun is not None and same_things(noun, one.noun)
                for other in (*self.scopes, *self.others)
                for one in other.frames
            )
        )

    def _rival(self, ours: Frame, scope: Scope, theirs: Frame) -> Scope | None:
        """Another fact of the same noun, with another value, whose words the draft has and this one's it has not."""
        for other in (*self.scopes, *self.others):
            for frame_ in other.frames:
                if frame_.mention.value == theirs.mention.value or not _one_kind(frame_, theirs):
                    continue
                if measure(frame_.mention).dimension != measure(theirs.mention).dimension:
                    continue
                mine = (theirs.words | (scope.told if other is not scope else frozenset())) - theirs.phrase
                its = (frame_.words | (other.told if other is not scope else frozenset())) - frame_.phrase
                telling = its - meet(its, mine)
                kept = mine - meet(mine, its)
                near = ours.governor if meet(ours.governor, telling | kept) else ours.words
                if len(meet(near, telling)) > len(telling) // _TELLING and not meet(near, kept):
                    return other
        return None

    def _whose(self, ours: Frame, scope: Scope, about: str) -> Mismatch | None:
        near = f"{about}\n{ours.sentence}".lower()
        fact = scope.fact
        as_ours = ours.own or self.us.named(ours.sentence) or not _SOMEBODY.search(ours.sentence)
        if fact.owner is not None and as_ours and not _named(fact.owner, near):
            return Mismatch("owner", f"“{ours.mention.raw}” is {fact.owner}'s, and here it reads as yours.")
        names = scope.names - self.own_names
        if ours.own or self.us.named(ours.sentence):
            names -= scope.places  # "our 12 practices" are those in Kent, where no fact has another number of them
        if (
            names
            and not any(name in near for name in names | (scope.also - self.own_names))
            and not _initials(fact.subject, near)
        ):
            return Mismatch("named", f"“{ours.mention.raw}” is of {fact.subject}, which is named nowhere near.")
        return None


def _other_noun(ours: Frame, theirs: Frame) -> str | None:
    """The noun that the draft counts, where the fact counts another thing."""
    if ours.noun is None or theirs.noun is None or not ours.mention.direct or not theirs.mention.direct:
        return None
    if ours.mention.kind is Kind.PERCENT or same_things(ours.noun, theirs.noun):
        return None
    return None if meet(stems(theirs.noun), ours.phrase) else ours.noun


def _as_said(noun: str, sentence: str) -> str:
    """A noun in the form in which the sentence has it."""
    return next((word for word in re.findall(r"[^\W\d_][\w-]*", sentence) if singular(word) == noun), noun)


def _one_kind(one: Frame, other: Frame) -> bool:
    """Whether two figures could be taken for each other: of one noun that both name, or in one unit."""
    if one.noun is None or other.noun is None:
        return one.mention.unit is not None and one.mention.unit == other.mention.unit
    return same_things(one.noun, other.noun)


def _period(ours: Frame, scope: Scope, theirs: Frame) -> Mismatch | None:
    """A share is of no time, and a year of none but itself."""
    if ours.mention.kind in (Kind.YEAR, Kind.DATE, Kind.PERCENT, Kind.RATIO) or ours.mention.unit == "year":
        return None
    if theirs.period is not None and theirs.period not in ours.periods:
        return Mismatch("period", f"“{ours.mention.raw}” is for a {theirs.period} (“{scope.fact.text}”): say so.")
    if ours.period is not None and ours.period not in theirs.periods:
        return Mismatch("period", f"“{ours.mention.raw}” is for a {ours.period} here, and not in “{scope.fact.text}”")
    return None


def _widened(ours: Frame, scope: Scope) -> Mismatch | None:
    before = re.split(r"[,;:]", ours.clause.partition(ours.mention.raw)[0])[-1]
    wide = _WIDE.search(before)
    if wide is None or wide.end() >= len(before.rstrip()) - 4 or _WIDE.search(scope.text):
        return None
    if _period_word(before, wide):
        return None
    return Mismatch("widened", f"“{wide.group()}” makes “{ours.mention.raw}” wider than “{scope.fact.text}”")


def _period_word(before: str, wide: re.Match[str]) -> bool:
    return re.match(r" (?:year|month|week|day|quarter|time|night|hour|season)\b", before[wide.end() :]) is not None


def _dated(ours: Frame, scope: Scope) -> Mismatch | None:
    year = _AS_OF.search(f"{scope.fact.subject} {scope.fact.scope_note or ''}")
    if year is None or year.group() in ours.clause or not _NOW.search(ours.clause) or _NOW.search(scope.text):
        return None
    return Mismatch("dated", f"“{ours.mention.raw}” is as of {year.group()}, and this says “now”.")


def _share(ours: Frame, scope: Scope, theirs: Frame, name: frozenset[str]) -> Mismatch | None:
    if ours.mention.kind is not Kind.PERCENT and ours.mention.unit != "fraction":
        return None
    own = theirs.words | scope.told
    said = (ours.words | ours.phrase) - stems(theirs.noun or "") - name
    if not theirs.words - name or meet(said, own):
        return None
    return Mismatch("share", f"“{ours.mention.raw}” is said of something else than in “{scope.fact.text}”")


def _priced(ours: Frame, scope: Scope, theirs: Frame, about: str) -> Mismatch | None:
    """A price of one thing, said of another: that both cost something is nothing in common."""
    if ours.mention.kind is not Kind.CURRENCY:
        return None
    own, said = theirs.words | theirs.phrase | scope.told, ours.words | ours.phrase
    bare = said - _PRICE
    if not (said & _PRICE and bare and own - _PRICE) or meet(bare | stems(about), own - _PRICE):
        return None
    return Mismatch("priced", f"“{ours.mention.raw}” is the price of something else in “{scope.fact.text}”")


def _strange(ours: Frame, scope: Scope, about: str, name: frozenset[str]) -> Mismatch | None:
    here, there = stems(ours.sentence), stems(scope.text) | scope.told
    if (
        ours.mention.kind in (Kind.YEAR, Kind.DATE)
        or min(len(here), len(there)) < _ENOUGH
        or meet((here | stems(about)) - name, there - name)
    ):
        return None
    return Mismatch("strange", f"“{ours.mention.raw}” stands here with no word of “{scope.fact.text}”")


def _named(name: str, near: str) -> bool:
    words = [word for word in re.findall(r"[\w.&'’-]+", name.lower()) if len(word) > 2 and word != "the"]
    return any(word in near for word in words)


def _initials(subject: str, near: str) -> bool:
    """Whether the initials of a name stand for it ("the FAC")."""
    letters = "".join(word[0] for word in re.findall(r"[A-Z]\w*", subject)).lower()
    return len(letters) > 1 and re.search(rf"\b{re.escape(letters)}\b", near) is not None


def _in_words(found: frozenset[str], sentence: str) -> str:
    """Stems as the sentence spells them."""
    said = (match.group() for match in re.finditer(r"[^\W\d_][\w'’-]*", sentence))
    return ", ".join(dict.fromkeys(word.lower() for word in said if meet(stems(word), found))) or "that"
