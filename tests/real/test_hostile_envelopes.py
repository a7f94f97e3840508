"""The hostile pages, source and all, shown to a model: nothing in them ends the frame, and no word is lost."""

import re
from pathlib import Path

from affidavit.evidence import Document, Span, envelope, unescape
from affidavit.evidence.envelope import visible

# Larger than any span may be, small enough that each file gives many.
_LENGTH = 900
_LIVE = re.compile(r"<\s?[/|｜!?a-z<]|[＜﹤]|\[/?INST\]|\]\(|!\[", re.IGNORECASE)


def _document(text: str) -> Document:
    return Document(
        requested_url="https://example.org/page",
        final_url="https://example.org/page",
        canonical_url="https://example.org/page",
        retrieved_at="2026-01-02T03:04:05Z",
        status=200,
        headers=(),
        media_type="text/html",
        sha256="0" * 64,
        extractor="test/1",
        title=None,
        published=None,
        language=None,
        text=text,
        blocks=(),
    )


def test_no_piece_of_a_hostile_page_breaks_out_of_its_envelope(shared: Path) -> None:
    pages = sorted((shared / "data/adversarial/dev/pages").glob("*.html"))
    assert pages
    for path in pages:
        text = path.read_bytes().decode("utf-8", errors="replace")[:200_000]
        document = _document(text)
        for start in range(0, len(text), _LENGTH):
            span = Span.at(document, start, min(len(text), start + _LENGTH))
            _, _, rest = envelope(span, document).partition("\n")
            inner, _, foot = rest.rpartition("\n")
            assert foot == "</untrusted_span>"
            assert _LIVE.search(inner) is None, (path.name, start)
            assert unescape(inner) == visible(span.text)[0], (path.name, start)
