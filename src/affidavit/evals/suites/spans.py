"""`spans`: does the quote tool cut the span that its contract names, and refuse what the contract refuses?

A row is one call: a document's text, a locator and a limit. It expects an exact range, or one error; `expect_any` lists
outcomes that are as good.
"""

import hashlib
import re

from pydantic import BaseModel, ConfigDict

from affidavit.errors import ToolError
from affidavit.evals.records import Records
from affidavit.evals.rows import Row, read_row
from affidavit.evals.suite import Case, CaseState, Measured, Progress, counted
from affidavit.evidence import Block, BlockKind, Document, Quoter

_PARAGRAPH = re.compile(r"(?:[^\r\n]|\r?\n(?![^\S\r\n]*\r?\n)|\r(?!\n))+")


class Outcome(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    start: int | None = None
    end: int | None = None
    error: str | None = None


class Before(BaseModel):
    """What the run had used of its budget."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    spans_used: int = 0
    spans_limit: int = 1000
    chars_used: int = 0
    chars_limit: int = 1_000_000


class SpansRow(Row):
    doc_id: str
    doc_text: str
    locator: str
    max_chars: int | None = None
    known_doc_ids: tuple[str, ...] | None = None
    state: Before = Before()
    expect: Outcome | None = None
    expect_any: tuple[Outcome, ...] = ()


class SpansSuite:
    name = "spans"
    about = "the quote tool: exact ranges, and the right refusal"
    version = "1"
    data = "spans.jsonl"

    def measure(self, records: Records, progress: Progress) -> Measured:
        cases: list[Case] = []
        for index, placed in enumerate(records.rows):
            row = read_row(SpansRow, placed)
            wanted = row.expect_any or ((row.expect,) if row.expect is not None else ())
            got = _called(row)
            state = CaseState.RIGHT if got in wanted else CaseState.WRONG
            detail = "" if got in wanted else f"wanted {' or '.join(map(_said, wanted))}, got {_said(got)}"
            cases.append(Case(row.id, row.kind, CaseState.COULD_NOT_CHECK if row.debatable else state, detail))
            progress(index + 1, len(records.rows))
        return Measured(tuple(cases), (counted("as_expected", "of the calls, those answered as expected", cases),))


def _called(row: SpansRow) -> Outcome:
    quoter = Quoter(
        max_spans=row.state.spans_limit,
        max_total_chars=row.state.chars_limit,
        spans_used=row.state.spans_used,
        chars_used=row.state.chars_used,
    )
    document = _document(row.doc_text)
    quoter.add(document)
    known = row.known_doc_ids is None or row.doc_id in row.known_doc_ids
    try:
        quote = quoter.extract_quote(
            document.doc_id if known else row.doc_id, row.locator, "support_claim", row.max_chars
        )
    except ToolError as error:
        return Outcome(error=error.code)
    return Outcome(start=quote.span.start, end=quote.span.end)


def _said(outcome: Outcome) -> str:
    return outcome.error or f"{outcome.start}:{outcome.end}"


def _document(text: str) -> Document:
    """Plain text as an extractor lays it out: one paragraph for each run of lines between blank ones."""
    blocks: list[Block] = []
    for match in _PARAGRAPH.finditer(text):
        run = match.group()
        start = match.start() + len(run) - len(run.lstrip("\r\n\t "))
        end = match.start() + len(run.rstrip("\r\n\t "))
        if start < end:
            blocks.append(Block(start, end, BlockKind.PARAGRAPH))
    address = "https://example.org/page"
    return Document(
        requested_url=address,
        final_url=address,
        canonical_url=address,
        retrieved_at="2026-01-01T00:00:00Z",
        status=200,
        headers=(),
        media_type="text/plain",
        sha256=hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest(),
        extractor="evals/1",
        title=None,
        published=None,
        language=None,
        text=text,
        blocks=tuple(blocks),
    )
