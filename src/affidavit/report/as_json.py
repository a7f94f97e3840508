"""An answer as JSON (J1), and back.

``answer_from_json(answer_json(answer), answer.documents) == answer``: nothing of an answer is lost in its JSON but
the pages themselves. So a bundle can be checked by reading it back and writing it again, and what differs was
altered.
"""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from affidavit.errors import IntegrityError
from affidavit.evidence.answer import (
    Answer,
    Conflict,
    Dropped,
    Gap,
    GapKind,
    Side,
    Source,
    Tried,
    VerifiedClaim,
    VerifierCard,
)
from affidavit.evidence.claim import Claim, Confidence, Label, Stance, Verdict
from affidavit.evidence.document import Document
from affidavit.evidence.selectors import text_fragment_url, text_quote_selector
from affidavit.evidence.span import Span
from affidavit.ledger.canonical import plain
from affidavit.report.schema import (
    AnswerJson,
    ClaimJson,
    DocumentJson,
    DroppedJson,
    JudgedSpanJson,
    SideJson,
    SourceJson,
    SpanJson,
)

if TYPE_CHECKING:
    from pydantic import TypeAdapter

STRENGTH = (Label.SUPPORTED, Label.PARTIAL, Label.COULD_NOT_CHECK, Label.NOT_SUPPORTED)
"""From strong to weak. A claim is shown with the strongest verdict of its spans."""


def answer_json(answer: Answer) -> AnswerJson:
    """`answer` in the shape of `AnswerJson`: plain dicts and lists, ready for `json.dumps`."""
    documents = {document.doc_id: document for document in answer.documents}
    return {
        "schema_version": "1.0",
        "run_id": answer.run_id,
        "kind": "answer",
        "question": answer.question,
        "claim": answer.tested_claim,
        "falsifier": answer.falsifier,
        "state": answer.state.value,
        "summary": answer.summary,
        "claims": [_claim(verified, documents) for verified in answer.claims],
        "partial": [_claim(verified, documents) for verified in answer.partial],
        "dropped": [_dropped(dropped, documents) for dropped in answer.dropped],
        "gaps": [{"kind": gap.kind.value, "subquestion": gap.subquestion, "detail": gap.detail} for gap in answer.gaps],
        "conflicts": [
            {
                "measure": conflict.measure,
                "a": _side(conflict.a, documents),
                "b": _side(conflict.b, documents),
            }
            for conflict in answer.conflicts
        ],
        "sources": [_source(source, documents) for source in answer.sources],
        "documents": [_document(document) for document in answer.documents],
        "tried": [
            {"query": tried.query, "provider": tried.provider, "results": tried.results, "novelty": tried.novelty}
            for tried in answer.tried
        ],
        "injection_observed": answer.injection_observed,
        "needs_human": answer.needs_human,
        "failure": answer.failure,
        "verifier": {
            "name": answer.verifier.name,
            "version": answer.verifier.version,
            "calibration": cast("dict[str, Any] | None", plain(answer.verifier.calibration)),
        },
        "budget": {
            name: {"used": spent.get("used"), "limit": spent.get("limit")} for name, spent in answer.budget.items()
        },
        "cost": {"usd": answer.cost_usd},
        "warnings": list(answer.warnings),
    }


def answer_from_json(data: AnswerJson, documents: Iterable[Document]) -> Answer:
    """The answer of that JSON, whose spans point into `documents`.

    `data` has the shape (`parse_answer` sees to it). What the JSON only repeats (states, ids, prefixes, links,
    digests) is not read but derived again. Raises IntegrityError, SpanMismatch for an answer that cannot exist.
    """
    by_id = {document.doc_id: document for document in documents}
    missing = [shown["doc_id"] for shown in data["documents"] if shown["doc_id"] not in by_id]
    if missing:
        raise IntegrityError(f"the answer names {missing[0]}, and there is no such document")
    return Answer(
        run_id=data["run_id"],
        question=data["question"],
        tested_claim=data["claim"],
        falsifier=data["falsifier"],
        summary=data["summary"],
        claims=tuple(_read_claim(shown) for shown in data["claims"]),
        partial=tuple(_read_claim(shown) for shown in data["partial"]),
        dropped=tuple(_read_dropped(shown) for shown in data["dropped"]),
        gaps=tuple(Gap(GapKind(gap["kind"]), gap["subquestion"], gap["detail"]) for gap in data["gaps"]),
        conflicts=tuple(
            Conflict(one["measure"], _read_side(one["a"]), _read_side(one["b"])) for one in data["conflicts"]
        ),
        sources=tuple(_read_source(source) for source in data["sources"]),
        tried=tuple(Tried(**tried) for tried in data["tried"]),
        documents=tuple(by_id[shown["doc_id"]] for shown in data["documents"]),
        verifier=VerifierCard(**data["verifier"]),
        budget={name: {"used": spent["used"], "limit": spent["limit"]} for name, spent in data["budget"].items()},
        cost_usd=data["cost"]["usd"],
        needs_human=data["needs_human"],
        injection_observed=data["injection_observed"],
        failure=data["failure"],
        warnings=tuple(data["warnings"]),
    )


def parse_answer(text: str | bytes) -> AnswerJson:
    """The JSON text of an answer, every field's presence and type checked. Raises IntegrityError naming the first."""
    from pydantic import ValidationError  # late: 40 ms, and only a reader of bundles needs it

    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise IntegrityError(f"not JSON: {str(error)[:200]}") from error
    try:
        _shape().validate_python(data, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "the whole"
        raise IntegrityError(f"{place}: {first['msg']}") from error
    return data  # as it is written: the validator would make 3.0 of a count of 3


@cache
def _shape() -> "TypeAdapter[AnswerJson]":
    """Made once: it takes longer than what it is used for."""
    from pydantic import TypeAdapter  # late, as above

    return TypeAdapter(AnswerJson)


def _span(span: Span, documents: Mapping[str, Document]) -> SpanJson:
    document = documents[span.doc_id]
    selector = text_quote_selector(span=span, document=document)
    return {
        "span_id": span.span_id,
        "doc_id": span.doc_id,
        "url": document.final_url,
        "title": document.title,
        "retrieved_at": document.retrieved_at,
        "text": span.text,
        "start": span.start,
        "end": span.end,
        "prefix": str(selector["prefix"]),
        "suffix": str(selector["suffix"]),
        "text_fragment_url": text_fragment_url(span=span, document=document),
        "truncated": span.truncated,
    }


def _judged(span: Span, verdict: Verdict, documents: Mapping[str, Document]) -> JudgedSpanJson:
    return {
        **_span(span, documents),
        "verdict": verdict.label.value,
        "judgement": {
            "verifier": verdict.verifier,
            "reason": verdict.reason,
            "unsupported_element": verdict.unsupported_element,
            "quote_used": verdict.quote_used,
            "contains_instructions": verdict.contains_instructions,
        },
    }


def _claim(verified: VerifiedClaim, documents: Mapping[str, Document]) -> ClaimJson:
    claim = verified.claim
    labels = {verdict.label for verdict in verified.verdicts}
    strongest = next((label for label in STRENGTH if label in labels), Label.COULD_NOT_CHECK)
    return {
        "claim_id": claim.claim_id,
        "text": claim.text,
        "subquestion": claim.subquestion,
        "verdict": strongest.value,
        "inference": claim.inference,
        "confidence": claim.confidence.value,
        "premises": list(claim.premises),
        "stance": None if claim.stance is None else claim.stance.value,
        "spans": [
            _judged(span, verdict, documents) for span, verdict in zip(claim.spans, verified.verdicts, strict=True)
        ],
    }


def _dropped(dropped: Dropped, documents: Mapping[str, Document]) -> DroppedJson:
    claim = dropped.claim
    return {
        "claim_id": claim.claim_id,
        "text": claim.text,
        "subquestion": claim.subquestion,
        "verdict": dropped.label.value,
        "inference": claim.inference,
        "confidence": claim.confidence.value,
        "premises": list(claim.premises),
        "stance": None if claim.stance is None else claim.stance.value,
        "reason": dropped.reason,
        "unsupported_element": dropped.unsupported_element,
        "spans": [_span(span, documents) for span in claim.spans],
    }


def _side(side: Side, documents: Mapping[str, Document]) -> SideJson:
    return {**_span(side.span, documents), "value": side.value, "unit": side.unit, "as_of": side.as_of}


def _source(source: Source, documents: Mapping[str, Document]) -> SourceJson:
    document = documents.get(source.doc_id or "")
    return {
        "url": source.url,
        "doc_id": source.doc_id,
        "title": source.title,
        "tier": source.tier,
        "score": source.score,
        "terms": dict(source.terms),
        "published": source.published,
        "sha256": document.sha256 if document else None,
        "text_sha256": document.text_sha256 if document else None,
    }


def _document(document: Document) -> DocumentJson:
    return {
        "doc_id": document.doc_id,
        "url": document.final_url,
        "title": document.title,
        "published": document.published,
        "language": document.language,
        "media_type": document.media_type,
        "retrieved_at": document.retrieved_at,
        "sha256": document.sha256,
        "text_sha256": document.text_sha256,
        "extractor": document.extractor,
        "flags": list(document.flags),
    }


def _read_span(shown: SpanJson) -> Span:
    return Span(shown["doc_id"], shown["start"], shown["end"], shown["text"], shown["truncated"])


def _read_claim_text(shown: ClaimJson | DroppedJson) -> Claim:
    return Claim(
        text=shown["text"],
        spans=tuple(_read_span(span) for span in shown["spans"]),
        subquestion=shown["subquestion"],
        confidence=Confidence(shown["confidence"]),
        inference=shown["inference"],
        premises=tuple(shown["premises"]),
        stance=None if shown["stance"] is None else Stance(shown["stance"]),
    )


def _read_claim(shown: ClaimJson) -> VerifiedClaim:
    claim = _read_claim_text(shown)
    verdicts = tuple(
        Verdict(claim_text=claim.text, span_id=span.span_id, label=Label(judged["verdict"]), **judged["judgement"])
        for span, judged in zip(claim.spans, shown["spans"], strict=True)
    )
    return VerifiedClaim(claim, verdicts)


def _read_dropped(shown: DroppedJson) -> Dropped:
    return Dropped(_read_claim_text(shown), Label(shown["verdict"]), shown["reason"], shown["unsupported_element"])


def _read_side(shown: SideJson) -> Side:
    return Side(span=_read_span(shown), value=shown["value"], unit=shown["unit"], as_of=shown["as_of"])


def _read_source(shown: SourceJson) -> Source:
    return Source(
        url=shown["url"],
        title=shown["title"],
        doc_id=shown["doc_id"],
        tier=shown["tier"],
        score=shown["score"],
        terms=dict(shown["terms"]),
        published=shown["published"],
    )


def first_difference(found: Any, expected: Any, place: str = "") -> str | None:
    """Where two JSON values first differ, as ``claims[0].spans[1].text: 'a' where 'b' is right``, or None."""
    if isinstance(found, dict) and isinstance(expected, dict):
        for key in sorted({*found, *expected}):
            inner = f"{place}.{key}" if place else str(key)
            if key not in found or key not in expected:
                return f"{inner}: {'missing' if key not in found else 'not expected'}"
            said = first_difference(found[key], expected[key], inner)
            if said is not None:
                return said
        return None
    if isinstance(found, list) and isinstance(expected, list):
        for index, (one, other) in enumerate(zip(found, expected, strict=False)):
            said = first_difference(one, other, f"{place}[{index}]")
            if said is not None:
                return said
        if len(found) != len(expected):
            return f"{place}: {len(found)} entries where {len(expected)} are right"
        return None
    if found == expected and isinstance(found, bool) is isinstance(expected, bool):
        return None
    return f"{place or 'the whole'}: {_shown(found)} where {_shown(expected)} is right"


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "…"
