"""A check that contradicts itself cannot be made."""

from dataclasses import replace

import pytest

from affidavit.errors import IntegrityError, SpanMismatch
from affidavit.evidence.answer import VerifierCard
from affidavit.evidence.check import Check, CheckedSentence, Remark, SentenceKind, SentenceState
from affidavit.evidence.document import Block, BlockKind, Document
from affidavit.evidence.span import Span

TEXT = "The mill was built in 1871."
DOCUMENT = Document(
    requested_url="https://a.example/",
    final_url="https://a.example/",
    canonical_url="https://a.example/",
    retrieved_at="2026-03-01T12:00:00Z",
    status=200,
    headers=(),
    media_type="text/plain",
    sha256="0" * 64,
    extractor="plain/1",
    title=None,
    published=None,
    language="en",
    text=TEXT,
    blocks=(Block(0, len(TEXT), BlockKind.PARAGRAPH),),
)
SENTENCE = CheckedSentence(
    index=0,
    text="It was built in 1871.",
    start=0,
    end=21,
    kind=SentenceKind.CLAIM,
    state=SentenceState.SOURCED,
    span=Span.at(DOCUMENT, 0, len(TEXT)),
)


def check(*sentences: CheckedSentence) -> Check:
    return Check(
        run_id="run_1",
        draft="d.md",
        draft_text="It was built in 1871.",
        draft_sha256="0" * 64,
        of_file=True,
        sentences=sentences,
        quotations=(),
        figures=(),
        sources=(),
        documents=(DOCUMENT,),
        verifier=VerifierCard(name="keyless", version="1", calibration=None),
    )


def test_a_check_tells_its_state_from_its_sentences():
    assert check(SENTENCE).state is SentenceState.SOURCED
    assert check().state is SentenceState.COULD_NOT_CHECK
    worse = replace(SENTENCE, index=1, state=SentenceState.UNSOURCED)
    assert check(SENTENCE, worse).state is SentenceState.UNSOURCED
    assert check(SENTENCE, worse).counts["unsourced"] == 1


@pytest.mark.parametrize(
    "sentence",
    [
        replace(SENTENCE, text="It was built in 1872."),
        replace(SENTENCE, state=None),
        replace(SENTENCE, kind=SentenceKind.HEADING),
        replace(SENTENCE, span=None),
        replace(SENTENCE, findings=(Remark("denied", "no", 0, 2, "block"),)),
        replace(SENTENCE, span=replace(SENTENCE.span, doc_id="doc_0")),
    ],
    ids=["other words", "no state", "a heading with a state", "no span", "blocked and sourced", "another document"],
)
def test_a_check_that_contradicts_itself_cannot_be_made(sentence: CheckedSentence):
    with pytest.raises(IntegrityError):
        check(sentence)


def test_a_span_that_its_document_does_not_hold_is_refused():
    with pytest.raises(SpanMismatch):
        check(replace(SENTENCE, span=Span(DOCUMENT.doc_id, 0, 4, "That")))
