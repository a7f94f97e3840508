"""Which sentences of the span a claim's sentence is about, and where its words stand in them."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from affidavit.gates.polarity.reading import Sentence
from affidavit.gates.polarity.table import stem, word_set

# Every number below was swept with benchmarks/near_misses.py, counting what is blocked or capped: false alarms on the
# 2,464 SUPPORTED pairs of verify/dev, hits on its 3,230 others, and 640 near misses of two draws. The values chosen
# give 48 alarms, 323 hits and 599 near misses; 599 stand everywhere below unless it says so.
#
# Share of the claim's content words that a sentence of the span must hold to be about the same thing: 0.35 gives 56
# alarms and 337 hits, 0.45 gives 45 and 311, 0.55 gives 42 and 287.
LEAST_SHARE = 0.4
# How near to the best sentence another must come. 0.7: 56 and 328; 1.0: 48 and 321.
NEAR_BEST = 0.85
# Two neighbours are taken together where that adds so much ("… shall be short. That is, they shall not …").
# 0.15: 51 and 331, 598 near misses; 0.4: 48 and 316.
NEIGHBOUR_GAIN = 0.25

# Shares of the claim's and of the span's content words that are common to two texts that differ by an edit.
# The claim's: 0.7 gives 52 and 328, 601 near misses, 0.9 gives 47 and 313, 591 near misses. The span's: 0.5 gives 59
# and 331, 0.85 gives 45 and 314, 596 near misses.
CLOSE_CLAIM = 0.8
CLOSE_SPAN = 0.7

_UN = ("under", "unit", "union", "uniq", "until", "uncle", "unless", "uniform", "univers")
_ADJECTIVE = (
    "able",
    "ible",
    "ent",
    "ant",
    "ate",
    "al",
    "ect",
    "ete",
    "ive",
    "ular",
    "ure",
    "ly",
    "ity",
    "ant",
    "le",
    "al",
)
_DIS = frozenset(
    "agree agreed agrees allow allowed allows approve approved approves appear appeared appears connect connected"
    " connects continue continued continues honest like liked likes prove proved proven proves satisfied similar trust"
    " trusted able abled assemble assembled loyal obey obeyed qualify qualified regard regarded".split()
)


def positive(word: str) -> str | None:
    """What a word with a denying prefix or suffix denies: "insecure" denies "secure". None for any other word."""
    for prefix in ("non", "un", "in", "im", "ir", "il", "dis"):
        base = word[len(prefix) :]
        if not word.startswith(prefix) or len(base) < 5:
            continue
        if prefix == "un" and word.startswith(_UN):
            continue
        if prefix in ("in", "im", "ir", "il") and not word.endswith(_ADJECTIVE):
            continue
        if prefix == "dis" and base not in _DIS:
            continue
        return base
    suffix = next(iter(word_set("negation", "suffixes")))
    if word.endswith(suffix) and len(word) > len(suffix) + 3:
        return word[: -len(suffix)]
    return None


@lru_cache(maxsize=65536)
def positive_stem(word: str) -> str | None:
    base = positive(word)
    return None if base is None else stem(base)


@dataclass(frozen=True)
class Aligned:
    """A sentence of the claim beside the sentences of the span that are about the same, best first."""

    claim: Sentence
    spans: tuple[Sentence, ...]
    share: float
    all_texts: frozenset[str]

    @cached_property
    def close(self) -> bool:
        """Whether claim and span are nearly the same words: nothing but an edit lies between them."""
        held = self.spans[0].stems
        shared = len(held & self.claim.stems)
        return self.share >= CLOSE_CLAIM and shared >= CLOSE_SPAN * len(held)

    @cached_property
    def one_apart(self) -> bool:
        """Whether but one word of weight differs: too short, often, for shares to tell."""
        held = self.spans[0].stems
        shared = len(held & self.claim.stems)
        return shared >= 2 and len(held) <= shared + 1 and len(self.claim.stems) <= shared + 1

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        return frozenset(stem for sentence in self.spans for stem in sentence.stems)

    @cached_property
    def texts(self) -> frozenset[str]:
        return frozenset(text for sentence in self.spans for text in sentence.texts)

    @cached_property
    def ours(self) -> dict[str, list[tuple[int, bool]]]:
        """For each stem its places in the claim, and whether it is denied there."""
        return dict(_places(self.claim, self.vocabulary))

    @cached_property
    def theirs(self) -> dict[str, list[tuple[int, bool]]]:
        found: dict[str, list[tuple[int, bool]]] = defaultdict(list)
        for sentence in self.spans:
            for key, places in _places(sentence, self.claim.stems).items():
                found[key] += places
        return found


def _places(sentence: Sentence, others: frozenset[str]) -> dict[str, list[tuple[int, bool]]]:
    """Where each stem stands and whether it is denied; "unsafe" is a denied "safe" where the other side says "safe"."""
    found: dict[str, list[tuple[int, bool]]] = defaultdict(list)
    for index in sentence.content:
        word = sentence.words[index]
        denied = index in sentence.denied
        base = None if word.stem in others else positive_stem(word.text)
        if base is not None and base in others:
            found[base].append((index, not denied))
        else:
            found[word.stem].append((index, denied))
    return found


def align(claim: Sentence, spans: Sequence[Sentence]) -> Aligned | None:
    """The claim's sentence beside what it is about; None where no sentence of the span is about the same."""
    if not claim.stems:
        return None
    shares = [_share(claim, sentence.stems) for sentence in spans]
    best = max(shares, default=0.0)
    order = sorted(range(len(spans)), key=lambda index: -shares[index])
    near = tuple(spans[index] for index in order if shares[index] >= best * NEAR_BEST)
    for index in range(len(spans) - 1):
        both = _share(claim, spans[index].stems | spans[index + 1].stems)
        if both >= best + NEIGHBOUR_GAIN:
            best, near = both, (spans[index], spans[index + 1])
    every = frozenset(text for sentence in spans for text in sentence.texts)
    return Aligned(claim, near, best, every) if best >= LEAST_SHARE else None


def _share(claim: Sentence, stems: frozenset[str]) -> float:
    held = sum(_held(claim.words[index].text, claim.words[index].stem, stems) for index in claim.content)
    return held / len(claim.content)


def _held(text: str, key: str, stems: frozenset[str]) -> bool:
    return key in stems or positive_stem(text) in stems
