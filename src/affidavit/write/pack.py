"""What a writer is given beside the assignment: the facts it may assert, and how (contract W6).

The pack stands at the beginning of the user turn, never in the system prompt, which is the customer's own and stays
byte for byte. Over its budget it is cut in a fixed order, item by item from the end: sources, recalled phrases,
recalled pieces, the voice sample. Facts are never cut, nor what must not be used, nor the rules: without one of them
the rest is an invitation to invent.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from affidavit.evidence.envelope import neutralise
from affidavit.evidence.fact import Fact
from affidavit.evidence.sentences import sentences
from affidavit.models.prompt import load_prompt
from affidavit.ranking.terms import STOP_WORDS, stem, terms
from affidavit.write.memory import Memory, Recalled
from affidavit.write.profile import Profile
from affidavit.write.shared_noun import SharedNoun, shared_nouns

BUDGET = 1800
"""Tokens of a pack. The seed's own figure, and what the evaluation there was made with."""
FACTS = 12
EXCLUDED = 12
PIECES = 5
STATISTICS = 10
SENTENCES = 10
TOKENS_A_WORD = 2
"""Of a piece, as it is written and as it is read again; in English prose 1.4 and, as is reckoned before a call, 2.1."""
ANY_LENGTH = 600
"""Tokens of a piece without a limit that are room enough: some 300 words."""
_STOPPED = frozenset(stem(word) for word in STOP_WORDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """What is to be written. `max_words` None: any length."""

    title: str
    notes: str = ""
    max_words: int | None = None

    @property
    def tokens(self) -> int:
        """What a piece takes that keeps to it, where there is little room."""
        return ANY_LENGTH if self.max_words is None else TOKENS_A_WORD * self.max_words


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceNote:
    """A page that the piece may draw on, in short."""

    title: str
    url: str | None
    summary: str


class Part(StrEnum):
    """What of a pack may be cut, in the order in which it is."""

    SOURCE = "source"
    SENTENCE = "published sentence"
    STATISTIC = "used statistic"
    PIECE = "earlier piece"
    VOICE = "voice sample"


@dataclass(frozen=True, slots=True)
class Cut:
    """An item that was left out to keep the budget."""

    part: Part
    text: str


@dataclass(frozen=True, kw_only=True)
class Pack:
    """`text` is what the writer reads. `tokens` is what it comes to; more than the budget only where facts, exclusions
    and rules alone are more. `facts` and `recalled` are those in it, `cuts` what was left out, in that order."""

    text: str
    tokens: int
    facts: tuple[Fact, ...]
    excluded: tuple[Fact, ...]
    shared: tuple[SharedNoun, ...]
    recalled: tuple[Recalled, ...]
    cuts: tuple[Cut, ...] = ()


def make_pack(
    assignment: Assignment,
    profile: Profile,
    *,
    facts: Sequence[Fact],
    excluded: Sequence[Fact] = (),
    memory: Memory | None = None,
    sources: Sequence[SourceNote] = (),
    count: Callable[[str], int],
    budget: int = BUDGET,
    fits: Callable[[str], bool] = lambda _text: True,
) -> Pack:
    """The pack of an assignment. `facts` are all that may be used and `excluded` all that must not, of which the
    twelve nearest to the assignment are shown. `count` says how many tokens a text is, `fits` whether those who get it
    have the room: it is cut for that as for the budget."""
    asked = terms(f"{assignment.title}\n{assignment.notes}") - _STOPPED
    shown = nearest(facts, asked, FACTS)
    earlier = _nearest_pieces(memory or Memory(), asked)
    contents = _Contents(
        name=profile.name,
        facts=shown,
        excluded=nearest(excluded, asked, EXCLUDED),
        shared=shared_nouns(shown),
        recalled=earlier,
        items={
            Part.SOURCE: [_source(source) for source in sources],
            Part.SENTENCE: _first_of_each([_without_statistics(piece) for piece in earlier], SENTENCES),
            Part.STATISTIC: _first_of_each([piece.statistics for piece in earlier], STATISTICS),
            Part.PIECE: [f"{piece.title}: {piece.summary}" for piece in earlier],
            Part.VOICE: [profile.voice_sample[start:end] for start, end in sentences(profile.voice_sample)],
        },
    )
    cuts: list[Cut] = []
    text = contents.text()
    while ((tokens := count(text)) > budget or not fits(text)) and (part := contents.next_to_cut()) is not None:
        cuts.append(Cut(part, contents.items[part].pop()))
        text = contents.text()
    return Pack(
        text=text,
        tokens=tokens,
        facts=contents.facts,
        excluded=contents.excluded,
        shared=contents.shared,
        recalled=earlier[: len(contents.items[Part.PIECE])],
        cuts=tuple(cuts),
    )


def allowed_texts(
    assignment: Assignment, profile: Profile, facts: Sequence[Fact], sources: Sequence[SourceNote] = ()
) -> tuple[str, ...]:
    """Every text whose figures and words a draft may use, each whole and once: the whitelist of the checks.

    `facts` are all that may be used, not only those that the pack has room for: a figure that a person approved is
    never a figure without a source. Their scope notes are no part of it: a note tells a figure from others ("not 16:
    …"), and would let in a figure that nobody approved. How far a note licenses its own is for the checks to say.
    """
    return tuple(dict.fromkeys(text for text in _texts(assignment, profile, facts, sources) if text))


def _texts(
    assignment: Assignment, profile: Profile, facts: Sequence[Fact], sources: Sequence[SourceNote]
) -> Iterator[str]:
    yield from (profile.name, profile.description, profile.industry, *profile.key_messages, *profile.keywords)
    yield from (fact.text for fact in facts)
    yield from (source.summary for source in sources)
    yield from (assignment.title, assignment.notes)


def nearest(facts: Sequence[Fact], asked: frozenset[str], most: int) -> tuple[Fact, ...]:
    """The `most` facts that share most terms with `asked`; of equals, the one that stands first in the register."""
    shared = [len(asked & terms(f"{fact.text}\n{fact.subject}\n{fact.scope_note or ''}")) for fact in facts]
    order = sorted(range(len(facts)), key=lambda index: (-shared[index], index))
    return tuple(facts[index] for index in order[:most])


def _nearest_pieces(memory: Memory, asked: frozenset[str]) -> tuple[Recalled, ...]:
    shared = [len(asked & terms(f"{piece.title}\n{piece.summary}")) for piece in memory.pieces]
    order = sorted(range(len(memory.pieces)), key=lambda index: (-shared[index], index))
    return tuple(memory.pieces[index] for index in order[:PIECES])


def _without_statistics(piece: Recalled) -> tuple[str, ...]:
    return tuple(sentence for sentence in piece.sentences if sentence not in piece.statistics)


def _first_of_each(lists: Sequence[Sequence[str]], most: int) -> list[str]:
    """The first of every list, then the second of every list, until there are `most`: each piece has its turn."""
    longest = max(map(len, lists), default=0)
    turns = (texts[turn] for turn in range(longest) for texts in lists if turn < len(texts))
    return list(dict.fromkeys(turns))[:most]


@dataclass(slots=True, kw_only=True)
class _Contents:
    """A pack while it is being cut."""

    name: str
    facts: tuple[Fact, ...]
    excluded: tuple[Fact, ...]
    shared: tuple[SharedNoun, ...]
    recalled: tuple[Recalled, ...]
    items: dict[Part, list[str]] = field(default_factory=dict[Part, list[str]])

    def next_to_cut(self) -> Part | None:
        return next((part for part in Part if self.items[part]), None)

    def text(self) -> str:
        return "\n\n".join(self._sections())

    def _sections(self) -> Iterator[str]:
        name = _line(self.name)
        if self.facts:
            yield _prompt("pack.facts", name=name, items=_numbered(map(self._fact, self.facts)))
        else:
            yield _prompt("pack.no_facts", name=name)
        if self.shared:
            yield _prompt("pack.shared", items=_bulleted(map(_shared, self.shared)))
        if self.excluded:
            yield _prompt("pack.excluded", items=_bulleted(map(self._fact, self.excluded)))
        published = [
            _prompt(f"pack.{file}", items=_bulleted(self.items[part]))
            for part, file in _PUBLISHED.items()
            if self.items[part]
        ]
        if published:
            yield _prompt("pack.published", items="\n\n".join(published))
        yield _prompt("pack.rules")
        if self.items[Part.SOURCE]:
            yield _prompt("pack.sources", items=_bulleted(self.items[Part.SOURCE]))
        if self.items[Part.VOICE]:
            yield _prompt("pack.voice", name=name, items=_line(" ".join(self.items[Part.VOICE])))

    def _fact(self, fact: Fact) -> str:
        note = f" ({fact.scope_note})" if fact.scope_note else ""
        whose = f" [a figure of {fact.owner}, not of {self.name}]" if fact.owner else ""
        return f"{fact.text}{note}{whose}"


_PUBLISHED = {Part.PIECE: "pieces", Part.STATISTIC: "statistics", Part.SENTENCE: "sentences"}


def _shared(noun: SharedNoun) -> str:
    figures = "; ".join(f"{raw}: {fact.scope_note or fact.text}" for raw, fact in noun.facts)
    return f"{noun.noun}: {figures}"


def _source(source: SourceNote) -> str:
    where = f" ({source.url})" if source.url else ""
    return f"{source.title}{where}: {source.summary}"


def _prompt(section: str, /, **holes: str) -> str:
    return load_prompt("affidavit.write", section).fill(**holes)


def _numbered(texts: Iterator[str]) -> str:
    return "\n".join(f"{number}. {_line(text)}" for number, text in enumerate(texts, 1))


def _bulleted(texts: Sequence[str] | Iterator[str]) -> str:
    return "\n".join(f"- {_line(text)}" for text in texts)


def _line(text: str) -> str:
    """`text` on one line, where it can open no section of its own and pose as nobody's turn."""
    return neutralise(" ".join(text.split())).text
