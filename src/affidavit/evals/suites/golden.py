"""`golden`: research questions asked of a model over stored pages: do its tools lead it to those that answer, and is
what is published true to them?

A row is a question, the pages that answer it with the passage of each, and what a script drafts from them: claims that
are true and some that are false. The script fetches what the search lists, quotes and drafts; a model that is named
(``--model researcher=…``) does as it likes, and is measured by the same figures.
"""

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, field_validator

from affidavit.errors import UserError
from affidavit.evals.agreement import Share
from affidavit.evals.hired import Hired
from affidavit.evals.records import Records
from affidavit.evals.rows import Row, read_row
from affidavit.evals.scripted import NAME, Ran, Shown, calling, planned, stage
from affidavit.evals.suite import Case, CaseState, Figure, Measured, Progress
from affidavit.evidence.answer import Answer
from affidavit.models.model import Model
from affidavit.models.reply import ModelReply
from affidavit.models.request import ModelRequest
from affidavit.models.roles import Role
from affidavit.ranking.canonical import canonical_url
from affidavit.ranking.queries import overlap
from affidavit.research.without_model import FELL

LOCATOR_CHARS = 60
SAME_RESULTS = 0.5
"""Share of a search's results that one before it had, from which on the two overlap (contract X2). Not swept."""


class Source(BaseModel):
    """A page and the passage of it that bears on the question, as the page has it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    url: str
    quote: str


class Drafted(BaseModel):
    """What a script drafts, and from which sources, by their numbers from 1."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str
    of: tuple[int, ...]


class GoldenRow(Row):
    """`sources` of a question that is answerable answer it; of another they are merely near. `expect` is an expression
    that its answer matches, `wrong` are expressions that no published sentence may match; `false` claims neither."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    question: str
    answerable: bool
    expect: str | None = None
    wrong: tuple[str, ...] = ()
    web: tuple[Path, ...] = ()
    sources: tuple[Source, ...] = ()
    claims: tuple[Drafted, ...] = ()
    false: tuple[Drafted, ...] = ()

    @field_validator("expect", "wrong")
    @classmethod
    def _compiles(cls, value: str | tuple[str, ...] | None) -> str | tuple[str, ...] | None:
        for one in (value,) if isinstance(value, str) else value or ():
            try:
                re.compile(one)
            except re.error as error:
                raise ValueError(f"no regular expression ({error})") from None
        return value

    @property
    def gold(self) -> tuple[str, ...]:
        """The pages that answer it, by their canonical addresses."""
        return tuple(dict.fromkeys(canonical_url(one.url) for one in self.sources)) if self.answerable else ()

    def calls_wrong(self, text: str) -> bool:
        return text in {one.text for one in self.false} or any(re.search(one, text) for one in self.wrong)


class GoldenSuite:
    name = "golden"
    about = "research questions asked of a model: are the right pages found, read and quoted, and is what stays true?"
    version = "1"
    data = "golden.jsonl"
    roles = (Role.RESEARCHER, Role.CONVERGENCE, Role.VERIFIER)

    def __init__(self, hired: Hired | None = None) -> None:
        """Without a researcher among `hired`, a script plays it. Raises UserError for one that would judge itself."""
        self._hired = hired if hired is not None and Role.RESEARCHER in hired.roles else None
        if self._hired is not None and self._hired.roles.get(Role.VERIFIER) == self._hired.roles[Role.RESEARCHER]:
            raise UserError("the researcher would judge its own claims: name another verifier, or none")

    def measure(self, records: Records, progress: Progress) -> Measured:
        rows = [read_row(GoldenRow, placed) for placed in records.rows]
        for row in rows:
            if row.answerable and not (row.expect and row.sources):
                raise UserError(f"question {row.id!r} is answerable: write what its answer matches, and its sources")
        told = [_Told(row, ran) for row, ran in _asked(rows, self._hired, progress)]
        counted = [one for one in told if not one.row.debatable]
        return Measured(tuple(_case(one) for one in told), tuple(_figures(counted)))


class _Reader:
    """A researcher that reads what the search lists of its row's pages, quotes them and drafts what the row says."""

    name = NAME

    def __init__(self, row: GoldenRow) -> None:
        self._row = row
        self._steps = itertools.count()

    async def complete(self, request: ModelRequest) -> ModelReply:
        if request.output is not None:
            return planned(self._row.question)
        shown = Shown.of(request)
        step = next(self._steps)
        offered = {tool.name for tool in request.tools}
        if step == 0 and "fetch_page" in offered:
            return calling(("fetch_page", {"urls": self._to_read(shown)}))
        quotes = [("extract_quote", _quote(one, shown)) for one in self._row.sources]
        if step == 1 and quotes and "extract_quote" in offered:
            return calling(*quotes)
        return calling(("draft_answer", self._draft(shown)))

    def _to_read(self, shown: Shown) -> list[str]:
        """Of the row's pages those that are listed; the first that is listed where none of them is."""
        listed = {canonical_url(url): url for url in shown.listed}
        wanted = dict.fromkeys(canonical_url(one.url) for one in self._row.sources)
        found = [listed[url] for url in wanted if url in listed]
        return found[:4] or list(listed.values())[:1] or ["about:blank"]

    def _draft(self, shown: Shown) -> Mapping[str, object]:
        """The claims of whose sources every one was quoted."""
        spans = [_span(one, shown) for one in self._row.sources]
        claims: list[Mapping[str, object]] = []
        for one in (*self._row.claims, *self._row.false):
            ids = [spans[number - 1] for number in one.of]
            if ids and all(ids):
                claims.append({"text": one.text, "span_ids": ids, "confidence": "high"})
        return {"claims": claims, "summary": " ".join(one.text for one in self._row.claims)}


def _quote(source: Source, shown: Shown) -> Mapping[str, object]:
    pages = {canonical_url(url): doc_id for url, doc_id in shown.pages.items()}
    doc_id = pages.get(canonical_url(source.url), "doc_0000000000000000")
    return {"doc_id": doc_id, "locator": source.quote[:LOCATOR_CHARS], "purpose": "support_claim"}


def _span(source: Source, shown: Shown) -> str | None:
    start = source.quote[:LOCATOR_CHARS]
    return next((span for span, text in shown.quoted.items() if text.startswith(start)), None)


def _asked(rows: Sequence[GoldenRow], hired: Hired | None, progress: Progress) -> Iterator[tuple[GoldenRow, Ran]]:
    done = itertools.count(1)
    for web in dict.fromkeys(row.web for row in rows):
        here = [row for row in rows if row.web == web]
        with stage(web, hired=hired) as opened:
            parts: list[tuple[str, Model | None]] = [
                (row.question, None if hired is not None else _Reader(row)) for row in here
            ]
            ran = opened.play(parts, lambda: progress(next(done), len(rows)))
        yield from zip(here, ran, strict=True)


@dataclass(frozen=True)
class _Told:
    """What a row's run did, by its record."""

    row: GoldenRow
    ran: Ran

    @property
    def answer(self) -> Answer | None:
        return self.ran.answer

    @cached_property
    def listed(self) -> set[str]:
        return {canonical_url(hit["url"]) for one in self.ran.of("search") for hit in one["hits"]}

    @cached_property
    def read(self) -> dict[str, str]:
        """``doc_id`` by canonical address, of the pages that could be read."""
        return {canonical_url(one["asked"]): one["doc_id"] for one in self.ran.of("document")}

    @cached_property
    def quoted(self) -> set[str]:
        return {one["doc_id"] for one in self.ran.of("span")}

    @cached_property
    def calls(self) -> list[Mapping[str, Any]]:
        return self.ran.of("tool")

    @cached_property
    def fetched_again(self) -> tuple[int, int]:
        """Requests for a page that had been asked for, of all requests for pages that began."""
        asked = [
            canonical_url(one["url"]) for one in self.ran.of("gateway") if one["purpose"] == "page" and not one["hop"]
        ]
        return len(asked) - len(set(asked)), len(asked)

    @cached_property
    def first_quotes(self) -> tuple[int, int]:
        """Quotations accepted at the first try, of those tried: what follows a refusal on the same page is no first."""
        hits = of = 0
        refused: set[object] = set()
        for one in self.calls:
            if one["name"] != "extract_quote":
                continue
            page = one["arguments"].get("doc_id")
            if page not in refused:
                of += 1
                hits += not one["failed"]
            refused = refused | {page} if one["failed"] else refused - {page}
        return hits, of

    @cached_property
    def overlapping(self) -> int:
        """Searches of the model's whose results one before it had for the most part."""
        own = [str(one["arguments"].get("query")) for one in self.calls if one["name"] == "web_search"]
        before: list[list[str]] = []
        count = 0
        for one in self.ran.of("search"):
            found = [canonical_url(hit["url"]) for hit in one["hits"]]
            same = max((overlap(found, other) for other in before), default=0.0)
            count += one["query"] in own and same >= SAME_RESULTS
            before.append(found)
        return count

    @property
    def judged(self) -> Mapping[str, int]:
        """The drafted claims by the strongest verdict on each, before anything was pruned."""
        return next((one["judged"] for one in reversed(self.ran.of("verified"))), {})

    @cached_property
    def drafted(self) -> Counter[str]:
        """The claims that were drafted, by their words, those that stand on no quotation among them. Sentences that the
        run chose without its researcher when all of them had fallen are none of its (and not among `judged`)."""
        if not any("judged" in one for one in self.ran.of("verified")):
            return Counter()
        drafts = self.ran.of("draft")
        if self.answer is not None and FELL in self.answer.warnings:
            drafts = drafts[:-1]
        return Counter(claim["text"] for one in drafts for claim in (*one["claims"], *one["unbound"]))

    @cached_property
    def dropped(self) -> Counter[str]:
        """Of the claims that were drafted, those that fell."""
        return Counter(one.claim.text for one in self.answer.dropped) & self.drafted if self.answer else Counter()

    @property
    def published(self) -> list[str]:
        return [] if self.answer is None else [item.claim.text for item in self.answer.claims]

    @property
    def answered(self) -> bool:
        return any(re.search(self.row.expect or "", text) for text in self.published)

    @property
    def wrong(self) -> list[str]:
        return [text for text in self.published if self.row.calls_wrong(text)]

    @property
    def good(self) -> bool:
        if self.ran.failed or self.wrong:
            return False
        return self.answered if self.row.answerable else not self.published


def _case(one: _Told) -> Case:
    state = CaseState.RIGHT if one.good else CaseState.WRONG
    told = (
        one.ran.failed or f"{one.answer.state if one.answer else 'no answer'}: {' | '.join(one.published) or 'nothing'}"
    )
    detail = "" if one.good else f"{one.row.question} {told}"
    return Case(one.row.id, one.row.kind, CaseState.COULD_NOT_CHECK if one.row.debatable else state, detail)


def _figures(told: Sequence[_Told]) -> Iterator[Figure]:
    """Tools first, then grounding: before pruning and after it apart."""

    def figure(name: str, about: str, hits: int, of: int, *, more: bool = True) -> Figure:
        return Figure(name=name, about=about, share=Share(hits, of), more_is_better=more)

    gold = [(one, url) for one in told for url in one.row.gold]
    answerable = [one for one in told if one.row.answerable]
    unanswerable = [one for one in told if not one.row.answerable]
    pages = [(one, doc_id) for one in told for doc_id in one.read.values()]
    calls = [call for one in told for call in one.calls]
    read = sum(url in one.read for one, url in gold)
    listed = sum(url in one.listed for one, url in gold)
    yield figure("gold_listed", "of the pages that answer, those that a search listed", listed, len(gold))
    yield figure("gold_read", "of the pages that answer, those that were read", read, len(gold))
    quoted = sum(one.read.get(url) in one.quoted for one, url in gold)
    yield figure("gold_quoted", "of the pages that answer, those that were quoted from", quoted, len(gold))
    useful = sum(doc_id in one.quoted for one, doc_id in pages)
    yield figure("useful_fetches", "of the pages read, those that were quoted from", useful, len(pages))
    again = [sum(pair) for pair in zip((0, 0), *(one.fetched_again for one in told), strict=True)]
    yield figure("duplicate_fetches", "of the requests for pages, those made before", again[0], again[1], more=False)
    first = [sum(pair) for pair in zip((0, 0), *(one.first_quotes for one in told), strict=True)]
    yield figure("first_quotes", "of the quotations, those accepted at the first try", first[0], first[1])
    taken = sum(not call["failed"] for call in calls)
    yield figure("calls_accepted", "of the calls of tools, those not refused", taken, len(calls))
    searchy = sum(one.overlapping > 1 for one in told)
    yield figure(
        "overlapping_searches", "of the runs, those with several searches that overlap", searchy, len(told), more=False
    )
    judged = {label: sum(one.judged.get(label, 0) for one in told) for label in ("SUPPORTED", "PARTIAL")}
    drafted = sum(one.drafted.total() for one in told)
    yield figure("supported_before", "of the claims drafted, those found SUPPORTED", judged["SUPPORTED"], drafted)
    yield figure("partial_before", "of the claims drafted, those found PARTIAL", judged["PARTIAL"], drafted, more=False)
    dropped = sum(one.dropped.total() for one in told)
    yield figure("dropped", "of the claims drafted, those dropped", dropped, drafted, more=False)
    published = [(one, text) for one in told for text in one.published]
    true = sum(text not in one.wrong for one, text in published)
    yield figure("grounded", "of the claims published, those that the rows do not call wrong", true, len(published))
    answers = [one.answer for one in told if one.answer is not None]
    stand = [_stands(answer) for answer in answers]
    yield figure(
        "spans",
        "of the spans published, those that stand in their page",
        sum(h for h, _ in stand),
        sum(n for _, n in stand),
    )
    yield figure(
        "answered", "of the answerable, those answered", sum(one.answered for one in answerable), len(answerable)
    )
    silent = sum(not one.published and not one.ran.failed for one in unanswerable)
    yield figure("silent", "of the unanswerable, those of which nothing is published", silent, len(unanswerable))


def _stands(answer: Answer) -> tuple[int, int]:
    """Spans whose text is what their page has there, read anew; of how many."""
    spans = [span for item in answer.claims for span in item.claim.spans]
    return sum(answer.document(span.doc_id).text[span.start : span.end] == span.text for span in spans), len(spans)
