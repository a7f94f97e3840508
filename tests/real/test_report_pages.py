"""Reports on real and on hostile pages: every quotation stands marked in its page, and nothing of a page acts."""

import json
import re

import pytest
from lxml import html as parser
from markdown_it import MarkdownIt
from warcio.archiveiterator import ArchiveIterator

from affidavit.errors import PageFailure
from affidavit.evidence.answer import Answer, VerifiedClaim, VerifierCard
from affidavit.evidence.claim import Claim, Label, Verdict
from affidavit.evidence.document import BlockKind, Fetched
from affidavit.evidence.span import Span
from affidavit.extract import extract
from affidavit.report import render
from affidavit.report.page_context import page_context

ACTIVE = "script iframe object embed form input button img video audio source base frame applet portal"
PAGES_PER_ARCHIVE = 12


def fetched(url, body, headers=(("content-type", "text/html"),), status=200, at="2026-01-02T03:04:05Z"):
    return Fetched(requested_url=url, final_url=url, retrieved_at=at, status=status, headers=headers, body=body)


def answer_on(documents):
    """An answer whose claims are one block of each document, word for word."""
    claims = []
    for document in documents:
        blocks = [block for block in document.blocks if block.kind is not BlockKind.HEADING and block.main]
        block = blocks[len(blocks) // 2] if blocks else document.blocks[0]
        span = Span.at(document, block.start, min(block.end, block.start + 600))
        claim = Claim(text=span.text, spans=(span,), subquestion=document.title)
        verdict = Verdict(
            claim_text=claim.text, span_id=span.span_id, label=Label.SUPPORTED, verifier="verbatim/1", reason=""
        )
        claims.append(VerifiedClaim(claim, (verdict,)))
    return Answer(
        run_id="run_1",
        question="What do these pages say?",
        tested_claim=None,
        falsifier=None,
        summary="",
        claims=tuple(claims),
        partial=(),
        dropped=(),
        gaps=(),
        conflicts=(),
        sources=(),
        tried=(),
        documents=tuple(documents),
        verifier=VerifierCard(name="verbatim", version="1", calibration=None),
        budget={},
    )


def words(text):
    return " ".join(text.split())


@pytest.fixture(scope="module", params=["18f.gsa.gov", "peps.python.org", "pages.nist.gov"])
def documents(request, shared):
    found = []
    with (shared / "data/web" / f"{request.param}.warc.gz").open("rb") as file:
        for index, record in enumerate(ArchiveIterator(file)):
            if record.rec_type != "response" or index % (4 if "nist" in request.param else 50):
                continue
            url = record.rec_headers.get_header("WARC-Target-URI")
            try:
                found.append(extract(fetched(url, record.content_stream().read())))
            except PageFailure:
                continue
            if len(found) == PAGES_PER_ARCHIVE:
                break
    assert len(found) >= PAGES_PER_ARCHIVE // 2
    return found


def test_any_block_of_a_real_page_can_be_shown_marked_in_it(documents):
    for document in documents:
        for block in document.blocks[:: max(1, len(document.blocks) // 40)]:
            span = Span.at(document, block.start, block.end)
            passages = page_context(document, span).passages
            marked = "".join(piece.text for passage in passages for piece in passage.pieces if piece.marked)
            assert marked == span.text


def test_the_file_marks_each_quotation_and_refers_to_nothing_outside(documents):
    answer = answer_on(documents)
    page = parser.document_fromstring(render(answer, "html"))
    for number, verified in enumerate(answer.claims, 1):
        marks = page.xpath(f"//article[@id='exhibit-{number}']//mark")
        assert words("".join(mark.text_content() for mark in marks)) == words(verified.claim.text)
    assert not page.xpath(" | ".join(f"//{name}" for name in ACTIVE.split()))
    assert not page.xpath("//@src | //@style")


def test_every_format_carries_every_claim(documents):
    answer = answer_on(documents)
    tokens = MarkdownIt("commonmark").enable("table").parse(render(answer, "md"))
    markdown = words(" ".join("".join(c.content for c in token.children) for token in tokens if token.type == "inline"))
    terminal = words(render(answer, "terminal"))
    for verified in answer.claims:
        assert words(verified.claim.text) in markdown
        assert words(verified.claim.text).replace(" ", "") in terminal.replace(" ", "").replace("•", "")
    assert render(answer, "bibtex").count("@misc{") == len({document.canonical_url for document in documents})


def test_no_hostile_page_acts_in_any_format(shared):
    folder = shared / "data/adversarial/dev/pages"
    documents = {}
    for row in map(json.loads, (folder / "manifest.jsonl").read_text(encoding="utf-8").splitlines()):
        headers = (("content-type", row["content_type"]),)
        try:
            document = extract(fetched(row["url"], (folder / row["file"]).read_bytes(), headers, row["status"]))
        except PageFailure:
            continue
        documents[document.doc_id] = document
    assert len(documents) > 100
    answer = answer_on(documents.values())
    page = parser.document_fromstring(render(answer, "html"))
    assert not page.xpath(" | ".join(f"//{name}" for name in ACTIVE.split()))
    assert not [name for element in page.iter() for name in element.attrib if name.startswith("on")]
    hosts = {re.match(r"#|https?://[^/]+", href)[0] for href in page.xpath("//a/@href")}
    assert hosts <= {"#", *(re.match(r"https?://[^/]+", one.final_url)[0] for one in documents.values())}
    for output_format in ("terminal", "md", "html", "bibtex", "ris"):
        text = render(answer, output_format)
        assert all(char in "\n\t\r" or (ord(char) >= 32 and not 127 <= ord(char) < 160) for char in text), output_format
        assert not set(text) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").parse(render(answer, "md"))
    inline = [child for token in tokens if token.type == "inline" for child in token.children]
    assert not {token.type for token in (*tokens, *inline)} & {"image", "html_inline", "html_block", "fence"}
