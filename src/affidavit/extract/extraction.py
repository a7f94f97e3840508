"""The one way from a response to a Document: what it is, whether it is a page at all, what a reader sees of it.

Pure: the same bytes, headers and addresses give the same Document or the same `PageFailure`, whenever and wherever
they are read again; the ledger's replay and the bundle's check stand on that.
"""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType

from affidavit.errors import FailureKind, PageFailure
from affidavit.evidence.document import BlockKind, Document, Fetched
from affidavit.extract import docx, html, main_content, markdown, pdf, plain
from affidavit.extract.block_page import View, recognise, refuse_status
from affidavit.extract.cues import read_cues
from affidavit.extract.encoding import decode
from affidavit.extract.media_type import MediaType, sniff, unpack
from affidavit.extract.metadata import language_tag, one_line, read
from affidavit.extract.page import Page
from affidavit.extract.publication import publication_date
from affidavit.gates.model_speech import VERSION as MODEL_SPEECH_VERSION
from affidavit.gates.model_speech import speaks_to_a_model
from affidavit.ranking.canonical import canonical_url

# Raised with every change that can change a text, its blocks or which pages are refused.
EXTRACTOR_VERSION: Mapping[MediaType, str] = MappingProxyType(
    {
        MediaType.HTML: "html/4",
        MediaType.PDF: pdf.VERSION,
        MediaType.PLAIN: plain.VERSION,
        MediaType.MARKDOWN: markdown.VERSION,
        MediaType.DOCX: docx.VERSION,
    }
)
# Everything that decides what a page becomes, for whoever keeps results by what made them.
EXTRACTORS = " ".join((*EXTRACTOR_VERSION.values(), MODEL_SPEECH_VERSION))
_SHORT = 200


def extract(fetched: Fetched) -> Document:
    """The Document of a response. Raises PageFailure, whose message says what a person can do.

    Runs in this process, without a time limit: hostile input belongs into `worker.Workers`.
    """
    try:
        body = unpack(fetched)
        media_type = sniff(fetched, body)
    except PageFailure as failure:
        # A server that refused says more than the shape of what it sent.
        if (refusal := refuse_status(fetched.status)) is not None:
            raise PageFailure(refusal.kind, fetched.final_url, refusal.reason) from failure
        raise
    document = _READERS[media_type](fetched, body)
    if not document.text:
        raise PageFailure(
            FailureKind.NO_TEXT,
            fetched.final_url,
            f"nothing in its {len(body):,} bytes of {media_type.value} can be seen. If your program shows text there, "
            "save it as plain text and give that",
        )
    if _speaks_to_a_model(document):
        return replace(document, flags=tuple(sorted({*document.flags, "injection"})))
    return document


def _speaks_to_a_model(document: Document) -> bool:
    """Whether a visible block, the title or the author does: the last two are shown to models beside a span."""
    texts = [document.text[block.start : block.end] for block in document.blocks]
    texts += [line for line in (document.title, document.author) if line]
    return any(_speaks_short(text) if len(text) <= _SHORT else speaks_to_a_model(text) is not None for text in texts)


@lru_cache(maxsize=8192)
def _speaks_short(text: str) -> bool:
    """Remembered, since the pages of a site repeat their menus and notices: half the blocks of a blog are such."""
    return speaks_to_a_model(text) is not None


def _html(fetched: Fetched, body: bytes) -> Document:
    url = fetched.final_url
    decoded = decode(body, fetched.header("content-type"))
    tree = html.parse(decoded.text, url)
    page = html.walk(tree, url)
    found = read(
        tree,
        text=page.text,
        blocks=page.blocks,
        url=url,
        retrieved_at=fetched.retrieved_at,
        content_language=fetched.header("content-language"),
    )
    view = View(
        url=url,
        status=fetched.status,
        title=found.title,
        head=found.declared_title,
        text=page.text,
        blocks=page.blocks,
        links=page.links,
        cues=read_cues(tree, url),
    )
    _refuse(view)
    page = main_content.mark(page, tree)
    return _document(
        fetched,
        MediaType.HTML,
        Page(text=page.text, blocks=page.blocks, breaks=page.breaks, links=page.links, flags=tuple(sorted(page.flags))),
        title=found.title,
        published=found.published,
        language=found.language,
        canonical=found.canonical_url,
        author=found.author,
        site_name=found.site_name,
    )


def _plain(fetched: Fetched, body: bytes) -> Document:
    page = plain.read_plain(decode(body, fetched.header("content-type")).text)
    return _of_page(fetched, MediaType.PLAIN, page)


def _markdown(fetched: Fetched, body: bytes) -> Document:
    page = markdown.read_markdown(decode(body, fetched.header("content-type")).text, fetched.final_url)
    return _of_page(fetched, MediaType.MARKDOWN, page)


def _docx(fetched: Fetched, body: bytes) -> Document:
    return _of_page(fetched, MediaType.DOCX, docx.read_docx(fetched, body))


def _pdf(fetched: Fetched, _body: bytes) -> Document:
    if (refusal := refuse_status(fetched.status)) is not None:
        raise PageFailure(refusal.kind, fetched.final_url, refusal.reason)
    return pdf.extract_pdf(fetched)


def _of_page(fetched: Fetched, media_type: MediaType, page: Page) -> Document:
    """The Document of a format without markup of its own about the page: what it states, else what it shows."""
    heading = next((block for block in page.blocks if block.kind is BlockKind.HEADING), None)
    title = page.title or (page.text[heading.start : heading.end] if heading else None)
    language = language_tag(page.language) or language_tag(fetched.header("content-language"))
    _refuse(View(url=fetched.final_url, status=fetched.status, title=title, text=page.text, blocks=page.blocks))
    return _document(
        fetched,
        media_type,
        page,
        title=one_line(title),
        published=publication_date(
            page.text,
            page.blocks,
            language=language,
            retrieved_at=fetched.retrieved_at,
            url=fetched.final_url,
            stated=page.published,
        ),
        language=language,
        canonical=canonical_url(fetched.final_url),
        author=one_line(page.author),
        site_name=None,
    )


def _refuse(view: View) -> None:
    if (refusal := recognise(view)) is not None:
        raise PageFailure(refusal.kind, view.url, refusal.reason)


def _document(
    fetched: Fetched,
    media_type: MediaType,
    page: Page,
    *,
    title: str | None,
    published: str | None,
    language: str | None,
    canonical: str,
    author: str | None,
    site_name: str | None,
) -> Document:
    return Document(
        requested_url=fetched.requested_url,
        final_url=fetched.final_url,
        canonical_url=canonical,
        retrieved_at=fetched.retrieved_at,
        status=fetched.status,
        headers=fetched.headers,
        media_type=media_type.value,
        sha256=_digest(fetched),
        extractor=EXTRACTOR_VERSION[media_type],
        title=title,
        published=published,
        language=language,
        text=page.text,
        blocks=page.blocks,
        breaks=page.breaks,
        links=page.links,
        flags=tuple(sorted(page.flags)),
        author=author,
        site_name=site_name,
    )


def _digest(fetched: Fetched) -> str:
    return hashlib.sha256(fetched.body).hexdigest()


_READERS: Mapping[MediaType, Callable[[Fetched, bytes], Document]] = MappingProxyType(
    {
        MediaType.HTML: _html,
        MediaType.PDF: _pdf,
        MediaType.PLAIN: _plain,
        MediaType.MARKDOWN: _markdown,
        MediaType.DOCX: _docx,
    }
)
