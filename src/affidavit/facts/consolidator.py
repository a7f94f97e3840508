"""One register of many candidates by a model, held to its candidates and to the rules of a register (contract W3).

The model merges, words and judges scope; it can add nothing. An entry that cites no candidate is dropped, a value that
none of its candidates has is taken for an invention, and whose figure it is the candidates say.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pydantic import BaseModel, ConfigDict, Field

from affidavit.errors import ModelFailure, ModelFailureKind
from affidavit.evidence.envelope import sealed
from affidavit.evidence.fact import Candidate, Category, Fact, FactSource
from affidavit.facts.consolidate import Consolidated
from affidavit.facts.dropped import Dropped, Stage, Why
from affidavit.facts.enforce import MOST, enforced, grouped
from affidavit.facts.guards import is_placeholder
from affidavit.facts.identity import fact_id, normal
from affidavit.gates.figures import check_figures
from affidavit.gates.finding import Severity
from affidavit.models.context import Context, longest, read_tokens
from affidavit.models.model import Model
from affidavit.models.prompt import load_prompt
from affidavit.models.request import ModelRequest, OutputShape, User

CANDIDATES = 240
"""Candidates that a model is shown, the most confident ones; some 15,000 tokens."""
MAX_TOKENS = 8_000
LEAST_TOKENS = 400
"""Of a reply, and of the candidates it is made of, where there is little room: three entries."""
_SYSTEM = load_prompt("affidavit.facts", "consolidate.system")
_USER = load_prompt("affidavit.facts", "consolidate.user")


class Entry(BaseModel):
    """One entry as a model gives it. `candidates` are the numbers under which it was shown them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    candidates: list[int] = Field(min_length=1)
    text: str = Field(min_length=3, max_length=600)
    category: Category
    subject: str = Field(min_length=1, max_length=120)
    value: str | None = Field(max_length=120)
    scope_note: str | None = Field(max_length=400)
    conflict_group: str | None = Field(max_length=80)
    owner: str | None = Field(max_length=120)
    confidence: float = Field(ge=0, le=1)


class Entries(BaseModel):
    """What a model makes of the candidates."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    facts: list[Entry] = Field(max_length=3 * MOST)


async def consolidate_with(
    model: Model, candidates: Sequence[Candidate], customer: str, context: Context | None = None
) -> Consolidated | ModelFailure:
    """The register that `model` makes of `candidates`, or the failure for which there is none. In one call, or in
    several by subject where that is more than the model's `context`."""
    shown = sorted(candidates, key=lambda one: (-one.confidence, one.candidate_id))[:CANDIDATES]
    facts: dict[str, Fact] = {}
    dropped = [
        _drop(one, Why.TOO_MANY, f"a model is shown {CANDIDATES} candidates") for one in candidates if one not in shown
    ]
    try:
        for number, request, batch in _calls(model, shown, customer, context or Context()):
            reply = await model.complete(request)
            said = reply.value
            if not isinstance(said, Entries):
                raise TypeError(f"{model.name} gave no Entries: a consolidator needs a model that is Structured")
            for entry in said.facts:
                made = _made(entry, batch)
                if isinstance(made, Dropped):
                    dropped.append(made)
                elif made.fact_id in facts:
                    dropped.append(
                        Dropped(stage=Stage.REGISTER, why=Why.DUPLICATE, text=made.text, ids=made.candidates)
                    )
                elif number > 1 and made.conflict_group is not None:
                    facts[made.fact_id] = replace(made, conflict_group=f"{made.conflict_group}/{number}")
                else:
                    facts[made.fact_id] = made
    except ModelFailure as failure:
        return failure
    kept, rest = enforced(grouped(list(facts.values())))
    cited = {name for fact in facts.values() for name in fact.candidates}
    left = [
        _drop(one, Why.NOT_CHOSEN, "the model made no entry of it") for one in shown if one.candidate_id not in cited
    ]
    return Consolidated(kept, (*dropped, *rest, *left))


def _calls(
    model: Model, shown: Sequence[Candidate], customer: str, context: Context
) -> Iterator[tuple[int, ModelRequest, Sequence[Candidate]]]:
    """What is asked, call by call, with its number and the candidates in it. Where one call does not do, the candidates
    of a subject are in one call, if one holds them: the two sides of a conflict are seen together. Raises ModelFailure,
    CONTEXT_LENGTH, where not even one candidate fits."""
    least = context.retelling(request_for((), customer))

    def fitted(batch: Sequence[Candidate]) -> ModelRequest | None:
        return context.fitted(request_for(batch, customer), least)

    ahead = list(shown) if fitted(shown) is not None else sorted(shown, key=lambda one: normal(one.subject))
    number = 1
    while ahead:
        most = longest(ahead, lambda some: fitted(some) is not None)
        subjects = [normal(one.subject) for one in ahead] + [None]
        batch = ahead[: next((end for end in range(most, 0, -1) if subjects[end - 1] != subjects[end]), most)]
        request = fitted(batch)
        if not batch or request is None or least < LEAST_TOKENS:
            raise ModelFailure(
                ModelFailureKind.CONTEXT_LENGTH,
                model.name,
                f"its instructions take some {read_tokens(request_for((), customer)):,} tokens, candidates and entries "
                f"{2 * LEAST_TOKENS}, and models.context_tokens is {context.tokens:,}",
                advice="raise models.context_tokens if the model reads more",
            )
        yield number, request, batch
        ahead, number = ahead[len(batch) :], number + 1


def request_for(candidates: Sequence[Candidate], customer: str) -> ModelRequest:
    """What is asked: the candidates, each under a number, as JSON lines in an envelope."""
    rows = [
        json.dumps(
            {
                "number": number,
                "text": one.text,
                "category": one.category.value,
                "subject": one.subject,
                "value": one.value,
                "owner": one.owner,
                "page": one.source.url,
                "confidence": one.confidence,
            },
            ensure_ascii=False,
        )
        for number, one in enumerate(candidates, 1)
    ]
    digest = hashlib.sha256("\n".join(one.candidate_id for one in candidates).encode()).hexdigest()
    return ModelRequest(
        system=_SYSTEM.fill(customer=customer, most=MOST),
        messages=(User(_USER.fill(candidates=sealed("untrusted_candidates", "\n".join(rows)))),),
        output=OutputShape(Entries),
        temperature=0.0,
        max_tokens=MAX_TOKENS,
        key=f"consolidate/{digest[:16]}",
    )


def _made(entry: Entry, shown: Sequence[Candidate]) -> Fact | Dropped:
    """The fact that an entry is, bound to its candidates; or why it is none."""
    text = " ".join(entry.text.split())
    cited = [shown[number - 1] for number in dict.fromkeys(entry.candidates) if 1 <= number <= len(shown)]
    if not cited:
        detail = f"it cites {entry.candidates}, and there are 1 to {len(shown)}"
        return Dropped(stage=Stage.REGISTER, why=Why.UNKNOWN_CANDIDATE, text=text, detail=detail)
    ids = tuple(one.candidate_id for one in cited)
    quotes = [one.source.quote for one in cited]
    invented = [one for one in check_figures(f"{text} {entry.value or ''}", quotes) if one.severity is Severity.BLOCK]
    if invented:
        return Dropped(
            stage=Stage.REGISTER, why=Why.VALUE_NOT_IN_SOURCE, text=text, ids=ids, detail=invented[0].message
        )
    value = entry.value
    if value and not any(
        normal(value) == normal(one.value or "") or normal(value) in normal(one.source.quote) for one in cited
    ):
        return Dropped(
            stage=Stage.REGISTER,
            why=Why.VALUE_NOT_IN_SOURCE,
            text=text,
            ids=ids,
            detail=f"none of its candidates has the value {value!r}",
        )
    # A client's figure stays the client's, whatever the model makes of it; a stranger's name needs a candidate's word.
    owners = [one.owner for one in cited if one.owner is not None]
    owner = owners[0] if owners else None
    confidence = min(entry.confidence, max(one.confidence for one in cited))
    sources: dict[tuple[str, int, int], FactSource] = {}
    for one in cited:
        sources.setdefault((one.source.doc_id, one.source.start, one.source.end), one.source)
    return Fact(
        fact_id=fact_id(text, entry.subject, value, owner),
        text=text,
        category=entry.category,
        subject=entry.subject.strip(),
        value=value or None,
        scope_note=entry.scope_note or None,
        conflict_group=entry.conflict_group or None,
        confidence=min(confidence, 0.3) if is_placeholder(value or "") and value else confidence,
        candidates=ids,
        sources=tuple(sources.values()),
        owner=owner,
    )


def _drop(one: Candidate, why: Why, detail: str) -> Dropped:
    return Dropped(
        stage=Stage.REGISTER, why=why, text=one.text, url=one.source.url, ids=(one.candidate_id,), detail=detail
    )
