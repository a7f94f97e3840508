"""Which of two texts a judge prefers, who knows neither's maker (contract X7).

    pairs ─ each in both orders ─ shuffled by a fixed seed ─ judge ─┬─ the same text twice: a win for it
                                                                    └─ anything else: a tie

A judge that likes what stands first would decide by the toss of the coin that laid the texts out; asked twice, it
contradicts itself and decides nothing. Wins are held against chance by the sign test, exact and two-sided; ties say
nothing, as in any sign test. A call that fails is neither a win nor a tie.
"""

import asyncio
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from affidavit.errors import ModelFailure, UserError
from affidavit.evals.agreement import Share
from affidavit.evals.paired import Paired
from affidavit.evidence.envelope import sealed
from affidavit.models.model import Model
from affidavit.models.prompt import load_prompt
from affidavit.models.request import ModelRequest, OutputShape, User, sha256_of

SEED = 20
"""Of the order in which pairs and their two orders are asked. Any number would do, as long as it is always the same."""
MAX_TOKENS = 2048
"""Of a preference: some 200 are needed; the rest is for models that think first and count it as output."""
_SYSTEM = load_prompt("affidavit.evals", "pairwise.system")
_USER = load_prompt("affidavit.evals", "pairwise.user")


class Better(StrEnum):
    """Of the two texts of a pair, whichever way they were shown."""

    FIRST = "first"
    SECOND = "second"
    TIE = "tie"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two texts for one `brief`. `facts` are true of the business, `refused` must not be said. Who made which is for
    whoever made the pair to know."""

    pair_id: str
    brief: str
    facts: tuple[str, ...]
    refused: tuple[str, ...] = ()
    first: str
    second: str


class Preferred(BaseModel):
    """What the judge must answer. The faults come before the verdict, so that they are found before it is given."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    faults_a: list[str]
    faults_b: list[str]
    reason: str = Field(min_length=1)
    better: Literal["A", "B", "tie"]
    confidence: int = Field(ge=0, le=100)


PROMPT_SHA256 = sha256_of([_SYSTEM.text, _USER.text, OutputShape(Preferred).schema])
"""Of all that a preference depends on beside the model: the words, and the shape of the answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """A pair in one order; `turned` where the second text was shown first. `faults` are those of the first and of the
    second text. `better` None: the call failed, and `reason` says how. `confidence` is of the judge's, 0 to 100."""

    turned: bool
    better: Better | None
    confidence: int | None
    reason: str
    faults: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())

    @property
    def shown_first(self) -> bool | None:
        """Whether the text shown first was preferred; None for a tie and a failed call."""
        if self.better is None or self.better is Better.TIE:
            return None
        return (self.better is Better.SECOND) is self.turned

    def as_json(self) -> Mapping[str, object]:
        return {
            "turned": self.turned,
            "better": None if self.better is None else self.better.value,
            "confidence": self.confidence,
            "reason": self.reason,
            "faults": [list(self.faults[0]), list(self.faults[1])],
        }


@dataclass(frozen=True, slots=True)
class Judged:
    """A pair with what was said of it in both orders."""

    pair: Pair
    straight: Judgement
    turned: Judgement

    @property
    def better(self) -> Better | None:
        """The text preferred in both orders; a tie where they differ; None where one could not be had."""
        if self.straight.better is None or self.turned.better is None:
            return None
        return self.straight.better if self.straight.better is self.turned.better else Better.TIE


@dataclass(frozen=True, slots=True, kw_only=True)
class Preference:
    """What a judge made of a set of pairs. `first` and `second` name the makers of the texts, which it never saw."""

    first: str
    second: str
    judge: str
    judged: tuple[Judged, ...]
    seed: int = SEED

    def count(self, better: Better | None) -> int:
        """How many pairs came out so; None: those that could not be judged."""
        return sum(one.better is better for one in self.judged)

    @property
    def preferred(self) -> Share:
        """Of the pairs told apart, those whose first text was preferred."""
        wins = self.count(Better.FIRST)
        return Share(wins, wins + self.count(Better.SECOND))

    @property
    def p_value(self) -> float:
        """How likely a split so uneven is where the judge prefers either with even chance: the sign test (Dixon & Mood
        1946), exact, two-sided. 1 where no pair was told apart."""
        return Paired(0, self.count(Better.FIRST), self.count(Better.SECOND), 0).p_value

    @property
    def shown_first(self) -> Share:
        """Of the judgements that preferred a text, those that preferred the one shown first: a half, or the judge leans
        on the order."""
        said = [
            one.shown_first
            for pair in self.judged
            for one in (pair.straight, pair.turned)
            if one.shown_first is not None
        ]
        return Share(sum(said), len(said))

    @property
    def confidence(self) -> float | None:
        """The mean over all judgements, 0 to 100."""
        said = [
            one.confidence for pair in self.judged for one in (pair.straight, pair.turned) if one.confidence is not None
        ]
        return sum(said) / len(said) if said else None

    def told(self) -> str:
        """The whole result in a line."""
        sure = "" if self.confidence is None else f", mean confidence {self.confidence:.0f}"
        lean = (
            ""
            if self.shown_first.value is None
            else f", the text shown first preferred in {self.shown_first.value:.0%}"
        )
        return (
            f"{self.first} against {self.second}, blind, in both orders, seed {self.seed}, judge {self.judge}: "
            f"{self.count(Better.FIRST)} won, {self.count(Better.SECOND)} lost, {self.count(Better.TIE)} ties, "
            f"{self.count(None)} not judged; p = {self.p_value:.3g} (sign test, exact, two-sided){sure}{lean}"
        )

    def as_json(self) -> Mapping[str, object]:
        """With every judgement, for the ledger."""
        return {
            "first": self.first,
            "second": self.second,
            "judge": self.judge,
            "seed": self.seed,
            "prompt_sha256": PROMPT_SHA256,
            "won": self.count(Better.FIRST),
            "lost": self.count(Better.SECOND),
            "ties": self.count(Better.TIE),
            "not_judged": self.count(None),
            "p_value": self.p_value,
            "pairs": [
                {
                    "pair_id": one.pair.pair_id,
                    "better": None if one.better is None else one.better.value,
                    "straight": one.straight.as_json(),
                    "turned": one.turned.as_json(),
                }
                for one in self.judged
            ],
        }


async def prefer(
    judge: Model,
    pairs: Sequence[Pair],
    *,
    first: str,
    second: str,
    seed: int = SEED,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> Preference:
    """Put `pairs` to `judge`, each in both orders, in a sequence that follows from `seed` alone. `first` and `second`
    name the makers, for the result. Raises UserError for two pairs of one id. Two texts of the same words are a tie,
    about which nobody is asked."""
    if len({pair.pair_id for pair in pairs}) < len(pairs):
        raise UserError("two pairs have the same id; name each pair once")
    asked = sorted(
        ((pair, turned) for pair in pairs for turned in (False, True)), key=lambda one: _place(seed, one[0], one[1])
    )
    done = 0

    async def judgement(pair: Pair, turned: bool) -> Judgement:
        nonlocal done
        found = await _judgement(judge, pair, turned)
        done += 1
        progress(done, len(asked))
        return found

    found = await asyncio.gather(*(judgement(pair, turned) for pair, turned in asked))
    by_order = {(pair.pair_id, turned): one for (pair, turned), one in zip(asked, found, strict=True)}
    judged = (Judged(pair, by_order[pair.pair_id, False], by_order[pair.pair_id, True]) for pair in pairs)
    return Preference(first=first, second=second, judge=judge.name, judged=tuple(judged), seed=seed)


def neutral(judge: str, writers: Sequence[str], *, own: bool = False, insist: str = "--own-judge") -> str | None:
    """What a reader should know of a `judge` that is the model of one of `writers`, which only `own` lets through; None
    for a neutral one. The same model of another provider is the same model. `insist` is how a person says `own`. Raises
    UserError."""
    same = next((writer for writer in writers if _model(writer) == _model(judge)), None)
    if same is None:
        return None
    if not own:
        raise UserError(
            f"{judge} would judge what {same} wrote, and a model prefers its own words: name another, or insist with "
            f"{insist}; the report then says so"
        )
    return f"{judge} judged what {same} wrote: it is no neutral judge"


def _model(name: str) -> str:
    """``openrouter:vendor/model`` is ``model``."""
    return name.partition(":")[2].rpartition("/")[2].lower() or name.lower()


def _place(seed: int, pair: Pair, turned: bool) -> str:
    """Where a judgement stands in the sequence: by a hash, which is the same on every machine and for every version."""
    return hashlib.sha256(f"{seed}\n{pair.pair_id}\n{turned}".encode()).hexdigest()


async def _judgement(judge: Model, pair: Pair, turned: bool) -> Judgement:
    if pair.first == pair.second:
        return Judgement(turned=turned, better=Better.TIE, confidence=None, reason="the same text")
    try:
        reply = await judge.complete(request_for(pair, turned=turned))
    except ModelFailure as failure:
        return Judgement(turned=turned, better=None, confidence=None, reason=str(failure))
    said = reply.value
    if not isinstance(said, Preferred):
        raise TypeError(f"{judge.name} gave no Preferred: a judge needs a model that is Structured")
    faults = (tuple(said.faults_a), tuple(said.faults_b))
    return Judgement(
        turned=turned,
        better=_of_pair(said, turned),
        confidence=said.confidence,
        reason=said.reason.strip(),
        faults=(faults[1], faults[0]) if turned else faults,
    )


def _of_pair(said: Preferred, turned: bool) -> Better:
    if said.better == "tie":
        return Better.TIE
    return Better.FIRST if (said.better == "A") is not turned else Better.SECOND


def request_for(pair: Pair, *, turned: bool) -> ModelRequest:
    """What is asked: the brief, the facts and the two texts, `turned` the second first. No name of a maker."""
    a, b = (pair.second, pair.first) if turned else (pair.first, pair.second)
    digest = sha256_of([pair.pair_id, a, b])[:16]
    return ModelRequest(
        system=_SYSTEM.fill(),
        messages=(
            User(
                _USER.fill(
                    brief=sealed("brief", pair.brief),
                    facts=sealed("facts", _listed(pair.facts)),
                    refused=sealed("refused", _listed(pair.refused)),
                    a=sealed("text_a", a),
                    b=sealed("text_b", b),
                )
            ),
        ),
        output=OutputShape(Preferred, _contradicts_itself),
        temperature=0.0,
        max_tokens=MAX_TOKENS,
        key=f"prefer/{digest}",
    )


def _listed(texts: Sequence[str]) -> str:
    return "\n".join(f"- {' '.join(text.split())}" for text in texts) or "(none)"


def _contradicts_itself(value: BaseModel) -> str | None:
    """A verdict against the rule that it was given: the judge found faults in one text alone, and prefers that one."""
    if not isinstance(value, Preferred):
        return None
    only_a, only_b = bool(value.faults_a) > bool(value.faults_b), bool(value.faults_b) > bool(value.faults_a)
    if (only_a and value.better == "A") or (only_b and value.better == "B"):
        return f"{value.better} alone has accuracy faults, and is preferred: give faults that hold, and better by them"
    return None
