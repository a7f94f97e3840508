"""Candidate facts by a model: one call a page, and nothing it says is believed that the page does not say (W2).

The quote is what counts. It is looked for in the page's text as a locator is (`evidence.prepared`), so the fact carries
the page's own characters and their place; what is not there is dropped, and said to be.
"""

import asyncio
import hashlib
from collections.abc import Callable

from pydantic import BaseModel, ConfigDict, Field

from affidavit.errors import ModelFailure, ModelFailureKind
from affidavit.evidence.document import BlockKind, Document
from affidavit.evidence.envelope import sealed, unescape
from affidavit.evidence.fact import Candidate, Category, FactSource
from affidavit.evidence.prepared import PreparedDocument, prepare
from affidavit.facts.dropped import Dropped, Stage, Why
from affidavit.facts.guards import MOST, guarded
from affidavit.facts.identity import candidate_id, normal
from affidavit.facts.page import CrawledPage, PageFacts
from affidavit.models.context import Context, longest, read_tokens
from affidavit.models.model import Model
from affidavit.models.prompt import load_prompt
from affidavit.models.request import ModelRequest, OutputShape, User, sha256_of

AT_ONCE = 5
"""Pages that a model reads at the same time, as published."""
PAGE_CHARS = 24_000
"""Characters of a page that the model is shown; some 6,000 tokens, more than all but the longest pages have."""
MAX_TOKENS = 6_000
LEAST_TOKENS = 400
"""Of a reply, and of the page it is about, where there is little room: three facts."""
_OF_THE_TEXT = (ModelFailureKind.BAD_REPLY, ModelFailureKind.CONTENT_FILTER, ModelFailureKind.CONTEXT_LENGTH)
"""Failures over one part of a page that the next part need not meet."""
_ENDS = ("\n\n", "\n", ". ", " ")
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
    """Reads pages with `model`, at most `AT_ONCE` at a time: each in one call, or part by part where that is more than
    the model's `context`. `signature` names the model and its prompt: what another one read is read again."""

    def __init__(self, model: Model, customer: str, context: Context | None = None) -> None:
        self._model = model
        self._customer = customer
        self._context = context or Context()
        self._turns = asyncio.Semaphore(AT_ONCE)
        prompt = sha256_of([_SYSTEM.text, _USER.text, OutputShape(ReadPage).schema])[:12]
        self.signature = f"{model.name}/prompt-{prompt}"

    async def read(self, document: Document, page: CrawledPage) -> tuple[PageFacts, list[Dropped]]:
        """What the page states, and what was dropped. A model that gives no reply is the page's `problem`; what it said
        of other parts of the page is kept."""
        whole = main_text(document)
        text = whole[:PAGE_CHARS]
        least = self._context.retelling(self._request("", page, 1))
        parts = [text]
        if least >= LEAST_TOKENS:
            parts = parted(text, lambda part: self._fitted(part, page, 1, least) is not None)
        said: list[ReadPage] = []
        problems: list[str] = []
        async with self._turns:
            for number, part in enumerate(parts, 1):
                of = f"part {number} of {len(parts)}: " if len(parts) > 1 else ""
                try:
                    said.append(await self._part(part, page, number, least))
                except ModelFailure as failure:
                    problems.append(f"{of}{failure}")
                    if failure.kind not in _OF_THE_TEXT:
                        break
        placings = [placed(one, document, page) for one in said]
        kept, more = guarded([one for found, _ in placings for one in found])
        facts = PageFacts(
            page=page,
            extractor=self.signature,
            candidates=tuple(kept),
            summary=said[0].summary.strip() if said else None,
            problem="; ".join(problems) or None,
            unread=len(whole) - len(text),
        )
        return facts, [*(one for _, dropped in placings for one in dropped), *more]

    async def _part(self, text: str, page: CrawledPage, number: int, least: int) -> ReadPage:
        """What the model makes of one part of the page. Raises ModelFailure."""
        request = self._fitted(text, page, number, least)
        if request is None or least < LEAST_TOKENS:
            raise ModelFailure(
                ModelFailureKind.CONTEXT_LENGTH,
                self._model.name,
                f"its instructions take some {read_tokens(self._request('', page, number)):,} tokens, a part of a page "
                f"and the facts in it {2 * LEAST_TOKENS}, and models.context_tokens is {self._context.tokens:,}",
                advice="raise models.context_tokens if the model reads more, or leave it out: rules read pages too",
            )
        reply = await self._model.complete(request)
        if not isinstance(reply.value, ReadPage):
            raise TypeError(f"{self._model.name} gave no ReadPage: an Extractor needs a model that is Structured")
        return reply.value

    def _fitted(self, text: str, page: CrawledPage, number: int, least: int) -> ModelRequest | None:
        return self._context.fitted(self._request(text, page, number), least)

    def _request(self, text: str, page: CrawledPage, number: int) -> ModelRequest:
        shown = sealed("untrusted_page", text, source=page.url)
        title = sealed("untrusted_title", page.title or "(none)")
        digest = hashlib.sha256(f"{page.doc_id}\n{page.url}".encode()).hexdigest()
        return ModelRequest(
            system=_SYSTEM.fill(customer=self._customer),
            messages=(User(_USER.fill(page_type=page.page_type.value, title=title, page=shown)),),
            output=OutputShape(ReadPage),
            temperature=0.0,
            max_tokens=MAX_TOKENS,
            key=f"extract/{digest[:16]}" + (f"/{number}" if number > 1 else ""),
        )


def parted(text: str, fits: Callable[[str], bool]) -> list[str]:
    """`text` in few parts that fit, each ended where a paragraph, a line, a sentence or a word does. It is one where
    nothing fits."""
    parts: list[str] = []
    while 0 < (most := longest(text, lambda part: fits(str(part)))) < len(text):
        ends = (text.rfind(mark, most // 2, most) + len(mark) for mark in _ENDS if mark in text[most // 2 : most])
        end = next(ends, most)
        parts.append(text[:end])
        text = text[end:].lstrip()
    return [*parts, text] if text or not parts else parts


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
