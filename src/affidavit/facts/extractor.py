"""Candidate facts by a model: one call a page, and nothing it says is believed that the page does not say (W2).

The quote is what counts. It is looked for in the page's text as a locator is (`evidence.prepared`), so the fact carries
the page's own characters and their place; what is not there is dropped, and said to be.
"""

import asyncio
import hashlib

from pydantic import BaseModel, ConfigDict, Field

from affidavit.errors import ModelFailure
from affidavit.evidence.document import BlockKind, Document
from affidavit.evidence.envelope import sealed, unescape
from affidavit.evidence.fact import Candidate, Category, FactSource
from affidavit.evidence.prepared import PreparedDocument, prepare
from affidavit.facts.dropped import Dropped, Stage, Why
from affidavit.facts.guards import MOST, guarded
from affidavit.facts.identity import candidate_id, normal
from affidavit.facts.page import CrawledPage, PageFacts
from affidavit.models.model import Model
from affidavit.models.prompt import load_prompt
from affidavit.models.request import ModelRequest, OutputShape, User, sha256_of

AT_ONCE = 5
"""Pages that a model reads at the same time, as published."""
PAGE_CHARS = 24_000
"""Characters of a page that the model is shown; some 6,000 tokens, more than all but the longest pages have."""
MAX_TOKENS = 6_000
_SYSTEM = load_prompt("affidavit.facts", "extract.system")
_USER = load_prompt("affidavit.facts", "extract.user")


class ReadFact(BaseModel):
    """One fact as a model gives it. The quote comes first, so that it is found before it is put into words."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    quote: str = Field(description="verbatim from the page")
    text: str = Field(min_length=3, max_length=600)
    category: Category
    subject: str = Field(min_length=1, max_length=120)
    value: str | None = Field(max_length=120)
    owner: str | None = Field(max_length=120)
    confidence: float = Field(ge=0, le=1)


class ReadPage(BaseModel):
    """What a model makes of one page."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    summary: str = Field(max_length=600)
    facts: list[ReadFact] = Field(max_length=2 * MOST)


class Extractor:
    """Reads pages with `model`, at most `AT_ONCE` at a time. `signature` names the model and its prompt: what another
    one read is read again."""

    def __init__(self, model: Model, customer: str) -> None:
        self._model = model
        self._customer = customer
        self._turns = asyncio.Semaphore(AT_ONCE)
        prompt = sha256_of([_SYSTEM.text, _USER.text, OutputShape(ReadPage).schema])[:12]
        self.signature = f"{model.name}/prompt-{prompt}"

    async def read(self, document: Document, page: CrawledPage) -> tuple[PageFacts, list[Dropped]]:
        """What the page states, and what was dropped. A model that gives no reply is the page's `problem`."""
        async with self._turns:
            try:
                reply = await self._model.complete(self._request(document, page))
            except ModelFailure as failure:
                return PageFacts(page=page, extractor=self.signature, problem=str(failure)), []
        said = reply.value
        if not isinstance(said, ReadPage):
            raise TypeError(f"{self._model.name} gave no ReadPage: an Extractor needs a model that is Structured")
        found, dropped = placed(said, document, page)
        kept, more = guarded(found)
        facts = PageFacts(page=page, extractor=self.signature, candidates=tuple(kept), summary=said.summary.strip())
        return facts, dropped + more

    def _request(self, document: Document, page: CrawledPage) -> ModelRequest:
        shown = sealed("untrusted_page", main_text(document)[:PAGE_CHARS], source=page.url)
        title = sealed("untrusted_title", page.title or "(none)")
        digest = hashlib.sha256(f"{page.doc_id}\n{page.url}".encode()).hexdigest()
        return ModelRequest(
            system=_SYSTEM.fill(customer=self._customer),
            messages=(User(_USER.fill(page_type=page.page_type.value, title=title, page=shown)),),
            output=OutputShape(ReadPage),
            temperature=0.0,
            max_tokens=MAX_TOKENS,
            key=f"extract/{digest[:16]}",
        )


def main_text(document: Document) -> str:
    """The text of the page's main blocks, one paragraph each, without menus."""
    return "\n\n".join(
        document.text[block.start : block.end]
        for block in document.blocks
        if block.main and block.kind is not BlockKind.NAVIGATION
    )


def placed(said: ReadPage, document: Document, page: CrawledPage) -> tuple[list[Candidate], list[Dropped]]:
    """The facts whose quote stands in the page, with its place, and those whose quote does not."""
    prepared = prepare(document)
    found: list[Candidate] = []
    dropped: list[Dropped] = []
    for one in said.facts:
        place = _place(prepared, one.quote)
        if place is None:
            detail = f"the page has nowhere “{one.quote[:120]}”"
            dropped.append(
                Dropped(stage=Stage.CANDIDATES, why=Why.QUOTE_NOT_ON_PAGE, text=one.text, url=page.url, detail=detail)
            )
            continue
        start, end = place
        quote = document.text[start:end]
        value = one.value if one.value and normal(one.value) in normal(quote) else None
        if one.value and value is None:
            detail = f"its quote has no {one.value!r}; the fact is kept without a value"
            dropped.append(
                Dropped(stage=Stage.CANDIDATES, why=Why.VALUE_NOT_IN_SOURCE, text=one.text, url=page.url, detail=detail)
            )
        source = FactSource(
            url=page.url, doc_id=page.doc_id, start=start, end=end, quote=quote, retrieved_at=page.retrieved_at
        )
        text = " ".join(one.text.split())
        found.append(
            Candidate(
                candidate_id=candidate_id(page.doc_id, start, end, text, one.subject, value),
                text=text,
                category=one.category,
                subject=one.subject.strip(),
                value=value,
                source=source,
                confidence=one.confidence,
                owner=(one.owner or "").strip() or None,
            )
        )
    return found, dropped


def _place(prepared: PreparedDocument, quote: str) -> tuple[int, int] | None:
    """Where the quote stands: its first place that crosses no heading and nothing left out."""
    places = prepared.occurrences(quote) or prepared.occurrences(unescape(quote))
    return next((place for place in places if prepared.joins(*place) is None), None) if quote.strip() else None
