"""The values every room works on: what a page says, where, and what was said of it. No I/O, no clock, no model."""

from affidavit.evidence.answer import (
    Answer,
    Conflict,
    Dropped,
    Gap,
    GapKind,
    Side,
    Source,
    State,
    Tried,
    VerifiedClaim,
    VerifierCard,
)
from affidavit.evidence.claim import Claim, Confidence, Label, Stance, Verdict
from affidavit.evidence.document import Block, BlockKind, Document, Fetched, Link
from affidavit.evidence.envelope import Neutralised, envelope, neutralise, unescape
from affidavit.evidence.fold import Folded, fold, folded_in
from affidavit.evidence.prepared import PreparedDocument, prepare
from affidavit.evidence.quote import Purpose, Quote, Quoter
from affidavit.evidence.selectors import selectors, text_fragment_url, text_position_selector, text_quote_selector
from affidavit.evidence.sentences import Sentence, document_sentences, sentences
from affidavit.evidence.span import Span

__all__ = [
    "Answer",
    "Block",
    "BlockKind",
    "Claim",
    "Confidence",
    "Conflict",
    "Document",
    "Dropped",
    "Fetched",
    "Folded",
    "Gap",
    "GapKind",
    "Label",
    "Link",
    "Neutralised",
    "PreparedDocument",
    "Purpose",
    "Quote",
    "Quoter",
    "Sentence",
    "Side",
    "Source",
    "Span",
    "Stance",
    "State",
    "Tried",
    "Verdict",
    "VerifiedClaim",
    "VerifierCard",
    "document_sentences",
    "envelope",
    "fold",
    "folded_in",
    "neutralise",
    "prepare",
    "selectors",
    "sentences",
    "text_fragment_url",
    "text_position_selector",
    "text_quote_selector",
    "unescape",
]
