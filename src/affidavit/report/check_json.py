"""A check as JSON (J2): plain dicts and lists in the shape of `check_schema.CheckJson`."""

from affidavit.evidence.check import Check, CheckedFigure, CheckedQuotation, CheckedSentence, CheckedSource, Remark
from affidavit.evidence.claim import Verdict
from affidavit.evidence.span import Span
from affidavit.report.check_schema import (
    CheckJson,
    FigureJson,
    FindingJson,
    GivenJson,
    PassageJson,
    QuotationJson,
    SentenceJson,
)
from affidavit.report.schema import JudgementJson


def check_json(check: Check) -> CheckJson:
    """`check` ready for `json.dumps`."""
    counts = check.counts
    return {
        "schema_version": "1.0",
        "run_id": check.run_id,
        "kind": "check",
        "state": check.state.value,
        "draft": {
            "name": check.draft,
            "sha256": check.draft_sha256,
            "offsets": "file" if check.of_file else "text",
            "characters": len(check.draft_text),
        },
        "sentences": [_sentence(check, sentence) for sentence in check.sentences],
        "quotations": [_quotation(check, one) for one in check.quotations],
        "figures": [_figure(one) for one in check.figures],
        "sources": [_given(one) for one in check.sources],
        "counts": {
            "sourced": counts["sourced"],
            "unsourced": counts["unsourced"],
            "rejected": counts["rejected"],
            "could_not_check": counts["could_not_check"],
            "not_claims": counts["not_claims"],
        },
        "verifier": {
            "name": check.verifier.name,
            "version": check.verifier.version,
            "calibration": None if check.verifier.calibration is None else dict(check.verifier.calibration),
        },
        "warnings": list(check.warnings),
    }


def _sentence(check: Check, sentence: CheckedSentence) -> SentenceJson:
    verdict = sentence.verdict
    return {
        "index": sentence.index,
        "text": sentence.text,
        "start": sentence.start,
        "end": sentence.end,
        "kind": sentence.kind.value,
        "state": sentence.state.value if sentence.state else None,
        "findings": [_finding(one) for one in sentence.findings],
        "source": _passage(check, sentence.span),
        "verdict": verdict.label.value if verdict else None,
        "judgement": _judgement(verdict),
    }


def _finding(remark: Remark) -> FindingJson:
    return {
        "code": remark.code,
        "message": remark.message,
        "start": remark.start,
        "end": remark.end,
        "severity": remark.severity,
    }


def _judgement(verdict: Verdict | None) -> JudgementJson | None:
    if verdict is None:
        return None
    return {
        "verifier": verdict.verifier,
        "reason": verdict.reason,
        "unsupported_element": verdict.unsupported_element,
        "quote_used": verdict.quote_used,
        "contains_instructions": verdict.contains_instructions,
    }


def _passage(check: Check, span: Span | None) -> PassageJson | None:
    if span is None:
        return None
    source = check.source(span.doc_id)
    return {
        "url": source.url,
        "path": source.path,
        "doc_id": span.doc_id,
        "title": source.title,
        "text": span.text,
        "start": span.start,
        "end": span.end,
    }


def _quotation(check: Check, one: CheckedQuotation) -> QuotationJson:
    return {
        "text": one.text,
        "start": one.start,
        "end": one.end,
        "sentence": one.sentence,
        "status": one.status,
        "attributed_to": one.attributed_to,
        "source": _passage(check, one.span),
        "difference": one.difference,
        "changes": list(one.changes),
    }


def _figure(one: CheckedFigure) -> FigureJson:
    return {
        "text": one.text,
        "start": one.start,
        "end": one.end,
        "sentence": one.sentence,
        "kind": one.kind,
        "value": one.value,
        "unit": one.unit,
        "findings": list(one.findings),
    }


def _given(one: CheckedSource) -> GivenJson:
    return {
        "name": one.name,
        "url": one.url,
        "path": one.path,
        "doc_id": one.doc_id,
        "title": one.title,
        "sha256": one.sha256,
        "failure": one.failure,
        "allowed": one.allowed,
        "retrieved_at": one.retrieved_at,
    }
