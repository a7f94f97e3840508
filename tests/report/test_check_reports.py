"""A check in every format: whole, inert, and what each format's readers rely on."""

import json
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import jsonschema
import pytest

from affidavit.evidence.answer import VerifierCard
from affidavit.evidence.check import Check, CheckedSentence, CheckedSource, Remark, SentenceKind, SentenceState
from affidavit.evidence.document import Document, Fetched
from affidavit.evidence.span import Span
from affidavit.extract import extract
from affidavit.report import CHECK_FORMATS, render_check
from affidavit.report.check_json import check_json
from affidavit.report.schema import load_schema
from affidavit.report.schema_file import generate

DRAFT = "# Title 𝔛\r\n\r\nThe mill 𝔛 is old. It ground 90 tonnes. <script>alert(1)</script> [x](javascript:y)\r\n"


def at(text: str, state: SentenceState, index: int, **more: Any) -> CheckedSentence:
    start = DRAFT.index(text)
    return CheckedSentence(
        index=index, text=text, start=start, end=start + len(text), kind=SentenceKind.CLAIM, state=state, **more
    )


@pytest.fixture
def check(respond: Callable[..., Fetched]) -> Check:
    page: Document = extract(
        respond(
            "<html lang=en><title>The mill</title><main>"
            "<p>The mill is old and <b>ground</b> 40 tonnes of barley.</p></main>"
        )
    )
    span = Span.at(page, 0, len(page.text))
    wrong = DRAFT.index("90 tonnes")
    remark = Remark("figure_without_source", "No source has “90 tonnes”.\x1b[31m", wrong, wrong + 9, "block")
    return Check(
        run_id="run_1",
        draft="posts/the mill.md",
        draft_text=DRAFT,
        draft_sha256="0" * 64,
        of_file=True,
        sentences=(
            replace(at("Title 𝔛", SentenceState.SOURCED, 0), kind=SentenceKind.HEADING, state=None),
            at("The mill 𝔛 is old.", SentenceState.SOURCED, 1, span=span),
            at("It ground 90 tonnes.", SentenceState.REJECTED, 2, span=span, findings=(remark,)),
            at("<script>alert(1)</script> [x](javascript:y)", SentenceState.UNSOURCED, 3),
        ),
        quotations=(),
        figures=(),
        sources=(
            CheckedSource(
                name=page.final_url,
                url=page.final_url,
                path=None,
                doc_id=page.doc_id,
                title=page.title,
                sha256=page.sha256,
            ),
            CheckedSource(name="b.pdf", url=None, path="b.pdf", doc_id=None, title=None, sha256=None, failure="broken"),
        ),
        documents=(page,),
        verifier=VerifierCard(name="keyless", version="1", calibration=None),
    )


@pytest.mark.parametrize("name", CHECK_FORMATS)
def test_every_format_names_what_is_wrong_and_what_was_not_read(check: Check, name: str):
    text = render_check(check, name)
    assert "90 tonnes" in text
    assert "b.pdf" in text.replace("\\", "")
    assert "\x1b" not in text
    assert text.endswith("\n")


def test_the_json_validates_and_the_shipped_schema_is_the_generated_one(check: Check):
    jsonschema.validate(json.loads(render_check(check, "json")), load_schema("check"))
    assert load_schema("check") == generate("check")
    assert check_json(check)["counts"] == {
        "sourced": 1, "unsourced": 1, "rejected": 1, "could_not_check": 0, "not_claims": 1
    }  # fmt: skip


def test_the_html_runs_nothing_loads_nothing_and_marks_the_quote(check: Check):
    page = render_check(check, "html")
    tags: list[str] = []

    class Tags(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            tags.append(tag)
            for name, value in attrs:
                assert not name.startswith("on")
                assert name not in ("src", "style")
                assert not (name == "href" and (value or "").startswith("javascript"))

    Tags().feed(page)
    assert not {"script", "img", "iframe", "object"} & set(tags)
    assert "default-src 'none'" in page
    assert "<mark>The mill is old and ground 40 tonnes of barley.</mark>" in page


def test_the_markdown_renders_as_the_words_of_the_draft(check: Check):
    from markdown_it import MarkdownIt

    rendered = MarkdownIt("commonmark").render(render_check(check, "md"))
    assert "<script>" not in rendered
    assert 'href="javascript' not in rendered
