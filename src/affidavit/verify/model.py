"""A verifier made of a language model: one call a pair, no tools, nothing remembered (contracts V1, V2).

A claim that it supports is put to it once more, denied, and without a word of the first: a model that finds both
established obeys the page, or agrees with everybody, and decides nothing. Whoever builds one puts it between the
guards. It is known by its model and by the hash of its prompts, so figures measured with one are never quoted for
another.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from affidavit.errors import ModelFailure
from affidavit.evidence.answer import VerifierCard
from affidavit.evidence.claim import Label, Verdict
from affidavit.evidence.envelope import sealed, unescape
from affidavit.evidence.fold import fold
from affidavit.evidence.sentences import sentences
from affidavit.models.cast import Cast
from affidavit.models.model import Model
from affidavit.models.prompt import load_prompt
from affidavit.models.request import ModelRequest, OutputShape, User, sha256_of
from affidavit.models.roles import Role
from affidavit.ranking.terms import terms
from affidavit.settings import ReplyTokens, Settings
from affidavit.verify.calibration import calibration_file, read_calibration
from affidavit.verify.guards import QUOTE_WORDS, verdict
from affidavit.verify.pair import Pair

MODEL = "model:"
"""How the name of a verifier begins that is a language model, and may cost money."""
CALLS_A_PAIR = 2
"""At most: the claim, and its denial where that is supported."""
VERDICT_TOKENS = ReplyTokens.model_validate({}).verdict
"""Of a verdict, where nobody says otherwise: some 120 are needed; the rest is for models that think first."""
_SYSTEM = load_prompt("affidavit.verify", "verdict.system")
_USER = load_prompt("affidavit.verify", "verdict.user")
DENIED = "It is not true that {claim}"
"""How a claim is put to a model again, to see whether it supports that as well."""


class Judgement(BaseModel):
    """What the model must answer. The evidence comes before the verdict, so that it is found before it is judged."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    contains_instructions: bool
    quote_used: str | None = Field(description=f"verbatim from the span, at most {QUOTE_WORDS} words")
    verdict: Literal["SUPPORTED", "PARTIAL", "NOT_SUPPORTED"]
    unsupported_element: str | None = Field(description="null if and only if the verdict is SUPPORTED")

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.verdict == "SUPPORTED":
            if not self.quote_used:
                raise ValueError("a SUPPORTED verdict needs the words of the span that establish the claim, quote_used")
            if self.unsupported_element:
                raise ValueError(
                    "the verdict is SUPPORTED and unsupported_element is not null: they exclude each other"
                )
        elif self.verdict == "PARTIAL" and not self.unsupported_element:
            raise ValueError("a PARTIAL verdict needs unsupported_element: what the span does not establish")
        return self


PROMPT_SHA256 = sha256_of([_SYSTEM.text, _USER.text, DENIED, OutputShape(Judgement).schema])
"""Of all that a verdict depends on beside the model: the words, and the shape of the answer."""


class ModelVerifier:
    """Asks `model` about each pair, and about the denial of each claim that it supports. A call that fails, a reply
    that is no judgement after all repairs, and a denial that it supports as well are COULD_NOT_CHECK; only what cancels
    a run is raised. As deterministic as the provider is at temperature 0."""

    def __init__(
        self, model: Model, *, calibration: Mapping[str, object] | None = None, max_tokens: int = VERDICT_TOKENS
    ) -> None:
        name, version = signature(model.name)
        self.card = VerifierCard(name=name, version=version, calibration=calibration)
        self._model = model
        self._max_tokens = max_tokens

    async def verify(self, pair: Pair) -> Verdict:
        found = await self._judged(pair)
        if found.label is not Label.SUPPORTED:
            return found
        denied = await self._judged(replace(pair, claim_text=DENIED.format(claim=pair.claim_text)))
        if denied.contains_instructions:
            return replace(denied, claim_text=pair.claim_text, unsupported_element=pair.claim_text)
        if denied.label is Label.COULD_NOT_CHECK:
            return verdict(pair, found.verifier, denied.label, f"asked whether the opposite holds: {denied.reason}")
        if denied.label is Label.SUPPORTED:
            reason = "the model finds it established, and its opposite too: its word decides nothing here"
            return verdict(pair, found.verifier, Label.COULD_NOT_CHECK, reason)
        return found

    async def _judged(self, pair: Pair) -> Verdict:
        signed = f"{self.card.name}/{self.card.version}"
        try:
            reply = await self._model.complete(request_for(pair, self._max_tokens))
        except ModelFailure as failure:
            return verdict(pair, signed, Label.COULD_NOT_CHECK, str(failure))
        judged = reply.value
        if not isinstance(judged, Judgement):
            raise TypeError(f"{self._model.name} gave no Judgement: a ModelVerifier needs a model that is Structured")
        quote = narrowed(unescape(judged.quote_used), pair.claim_text) if judged.quote_used else None
        if judged.contains_instructions:
            reason = "the model says that the span contains instructions"
            return verdict(
                pair, signed, Label.NOT_SUPPORTED, reason, element=pair.claim_text, quote=quote, instructed=True
            )
        label = Label(judged.verdict)
        element = judged.unsupported_element or pair.claim_text
        if label is Label.SUPPORTED:
            return verdict(pair, signed, label, "the model finds it established by the words it quotes", quote=quote)
        return verdict(pair, signed, label, f"not established: {element}", element=element, quote=quote)


def open_model_verifier(named: str, settings: Settings, cast: Cast | None = None) -> ModelVerifier:
    """The verifier `named` by a role, or by a model as ``provider:name``, with the figures measured for it, which are
    looked for in the folder ``calibration`` of the data folder. `cast` pays for it and records it; None: a cast of its
    own, without a limit. Raises UserError or MissingExtra where the model cannot be asked."""
    found = cast or Cast(settings.models)
    model = found.of(Role(named)) if named in set(Role) else found.named(named, Role.VERIFIER)
    signed = "/".join(signature(model.name))
    path = calibration_file(settings.data_dir / "calibration", signed)
    return ModelVerifier(
        model, calibration=read_calibration(path, signed), max_tokens=settings.models.reply_tokens.verdict
    )


def signature(model: str) -> tuple[str, str]:
    """Name and version that a verifier made of `model` signs with: the model, and the prompt."""
    return f"{MODEL}{model}", f"prompt-{PROMPT_SHA256[:12]}"


def request_for(pair: Pair, max_tokens: int = VERDICT_TOKENS) -> ModelRequest:
    """What is asked about `pair`: the span with its address and time, the claim, and nothing else."""
    span = sealed("untrusted_span", pair.span.text, source=pair.url, retrieved_at=pair.retrieved_at)
    claim = sealed("claim", pair.claim_text)
    digest = hashlib.sha256(f"{pair.span.span_id}\n{pair.claim_text}".encode("utf-8", "surrogatepass")).hexdigest()
    return ModelRequest(
        system=_SYSTEM.fill(),
        messages=(User(_USER.fill(span=span, claim=claim)),),
        output=OutputShape(Judgement, lambda value: _misquoted(value, pair.span.text)),
        temperature=0.0,
        max_tokens=max_tokens,
        key=f"verify/{digest[:16]}",
    )


def narrowed(quote: str, claim: str) -> str:
    """`quote`, if it has no more words than a verdict may quote; else that sentence of it which shares most words with
    `claim`, the first of several, cut at so many words. What is cut out of a verbatim quotation is verbatim, so a model
    that quotes too much is not asked again: nothing of its verdict hangs on where the quotation ends."""
    if len(quote.split()) <= QUOTE_WORDS:
        return quote
    said = terms(claim)
    best = max((quote[start:end] for start, end in sentences(quote)), key=lambda one: len(terms(one) & said))
    words = list(re.finditer(r"\S+", best))[:QUOTE_WORDS]
    return best[: words[-1].end()]


def _misquoted(value: BaseModel, span: str) -> str | None:
    """What is wrong with the words quoted, as the guards will judge it: a model may copy the claim instead."""
    quote = value.quote_used if isinstance(value, Judgement) else None
    if not quote or fold(unescape(quote)).text.strip() in fold(span).text:
        return None
    return (
        f"quote_used, {quote[:80]!r}, does not stand in the span: copy its words character for character, or give null"
    )
