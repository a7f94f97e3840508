"""A bundle over real pages verifies, and no random change to it does."""

import random
from pathlib import Path

import pytest

from affidavit.egress.archive import open_archive
from affidavit.errors import BundleMismatch, PageFailure
from affidavit.evidence.answer import Answer, VerifiedClaim
from affidavit.evidence.claim import Claim, Label
from affidavit.evidence.document import BlockKind, Document, Fetched
from affidavit.evidence.sentences import sentences
from affidavit.evidence.span import Span
from affidavit.extract import extract
from affidavit.ledger import Ledger
from affidavit.report.bundle import bundle_bytes
from affidavit.report.bundle_verify import verify_bundle
from affidavit.verify.pair import pair
from affidavit.verify.verbatim import CARD, VerbatimVerifier

PAGES = 6


def first_claim(document: Document) -> VerifiedClaim | None:
    for block in document.blocks:
        if not block.main or block.kind is not BlockKind.PARAGRAPH:
            continue
        for start, end in sentences(document.text[block.start : block.end], document.language):
            span = Span.at(document, block.start + start, block.start + end)
            verdict = VerbatimVerifier().judge(pair(span.text, span, document))
            if verdict.label is Label.SUPPORTED:
                return VerifiedClaim(Claim(text=span.text, spans=(span,)), (verdict,))
    return None


def quotable(path: Path) -> list[tuple[Document, Fetched, VerifiedClaim]]:
    """The first pages of the archive that say something, each with its first statement."""
    found: list[tuple[Document, Fetched, VerifiedClaim]] = []
    for page in open_archive(path).pages():
        try:
            document = None if isinstance(page, PageFailure) else extract(page)
        except PageFailure:
            continue
        claim = first_claim(document) if document is not None else None
        if document is None or claim is None or document.doc_id in {one.doc_id for one, _, _ in found}:
            continue
        found.append((document, page, claim))
        if len(found) == PAGES:
            return found
    return found


@pytest.mark.parametrize("name", ["18f.gsa.gov", "pages.nist.gov", "peps.python.org"])
def test_a_bundle_over_real_pages_verifies_and_no_flipped_byte_does(shared: Path, tmp_path: Path, name: str) -> None:
    found = quotable(shared / "data" / "web" / f"{name}.warc.gz")
    assert len(found) == PAGES
    with Ledger.open(tmp_path / "ledger.sqlite3") as ledger:
        log = ledger.begin("ask", "What do these pages say?", {})
        answer = Answer(
            run_id=log.run_id,
            question="What do these pages say?",
            tested_claim=None,
            falsifier=None,
            summary="",
            claims=tuple({claim.claim.claim_id: claim for _, _, claim in found}.values()),
            partial=(),
            dropped=(),
            gaps=(),
            conflicts=(),
            sources=(),
            tried=(),
            documents=tuple(document for document, _, _ in found),
            verifier=CARD,
            budget={},
        )
        log.publish(answer)
        raw = bundle_bytes(answer, {document.doc_id: page for document, page, _ in found}, ledger.events(log.run_id))
    path = tmp_path / "a.affidavit"
    path.write_bytes(raw)
    report = verify_bundle(path)
    assert report.verified, report.could_not_check
    chance = random.Random(name)
    for _ in range(40):
        altered = bytearray(raw)
        altered[chance.randrange(len(raw))] ^= chance.randrange(1, 256)
        path.write_bytes(altered)
        with pytest.raises(BundleMismatch):
            verify_bundle(path)
