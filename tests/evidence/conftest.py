"""Small documents for the tests of the evidence room."""

from collections.abc import Callable
from typing import Any

import pytest

from affidavit.evidence import Block, BlockKind, Document

DocumentOf = Callable[..., Document]


@pytest.fixture(scope="session")
def document_of() -> DocumentOf:
    """Build a document from its blocks: strings (paragraphs) or ``(kind, text)`` pairs, two newlines between them."""

    def build(*parts: str | tuple[BlockKind, str], **fields: Any) -> Document:
        blocks: list[Block] = []
        texts: list[str] = []
        at = 0
        for part in parts:
            kind, text = part if isinstance(part, tuple) else (BlockKind.PARAGRAPH, part)
            if text:
                blocks.append(Block(at, at + len(text), kind))
            texts.append(text)
            at += len(text) + 2
        values: dict[str, Any] = {
            "requested_url": "https://example.org/page",
            "final_url": "https://example.org/page",
            "canonical_url": "https://example.org/page",
            "retrieved_at": "2026-01-02T03:04:05Z",
            "status": 200,
            "headers": (),
            "media_type": "text/html",
            "sha256": "0" * 64,
            "extractor": "test/1",
            "title": None,
            "published": None,
            "language": "en",
            "text": "\n\n".join(texts),
            "blocks": tuple(blocks),
        }
        return Document(**(values | fields))

    return build
