"""Search until nothing new comes, rank what came, read the best of it.

Every query, hit, page and failure becomes an event as soon as it is known. A page that cannot be read costs that page
and nothing else, and a run that is stopped in the middle has what it had until then.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime

from affidavit.errors import FailureKind, PageFailure, SearchFailure
from affidavit.evidence.answer import Tried
from affidavit.evidence.document import Document, Fetched
from affidavit.ranking.canonical import canonical_url
from affidavit.ranking.dedupe import dedupe
from affidavit.ranking.hit import Hit
from affidavit.ranking.queries import Angle
from affidavit.ranking.rank import Ranked, rank
from affidavit.ranking.saturation import Saturation
from affidavit.research.meter import Meter
from affidavit.research.plan import Plan, SubQuestion
from affidavit.research.tools import Search, Tools

PER_QUERY = 20
"""Results asked of each provider for each query."""
PER_SUBQUESTION = 10
"""Pages read for each sub-question. Swept {6, 8, 10, 14} on the dev questions: gold pages 28, 29, 30, 30 of 35."""
FUSION = 60
"""The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009), as published."""

Wanted = dict[str, list[str]]
"""Canonical URLs by sub-question, best first."""


@dataclass(slots=True)
class Gathered:
    """What the pages gave. `wanted` lists, by sub-question, the canonical URLs it brought, best first; `documents`
    and `failures` are by canonical URL. `unsearched` are the failures of whole searches and of parts of one."""

    tried: list[Tried] = field(default_factory=list[Tried])
    ranked: list[Ranked] = field(default_factory=list[Ranked])
    wanted: Wanted = field(default_factory=Wanted)
    documents: dict[str, Document] = field(default_factory=dict[str, Document])
    raw: dict[str, Fetched] = field(default_factory=dict[str, Fetched])
    failures: dict[str, PageFailure] = field(default_factory=dict[str, PageFailure])
    unsearched: list[SearchFailure] = field(default_factory=list[SearchFailure])

    interrupted: bool = False

    @property
    def nothing_asked(self) -> bool:
        """Whether no search succeeded: then nothing is known, not even that there is nothing."""
        return bool(self.unsearched) and not self.tried

    def documents_for(self, subquestion: SubQuestion) -> list[Document]:
        """The documents read for `subquestion`, best page first."""
        return [self.documents[url] for url in self.wanted.get(subquestion.text, ()) if url in self.documents]


async def gather(plan: Plan, tools: Tools, meter: Meter, gathered: Gathered) -> None:
    """Fill `gathered`. Cancelled, it leaves there what it has."""
    hits: dict[str, Hit] = {}
    saturation = Saturation()
    for subquestion in plan.subquestions:
        fused: dict[str, float] = {}
        saturation = Saturation(saturation.seen)
        for query in subquestion.queries:
            if saturation.exhausted and query.angle is not Angle.REFUTATION:
                continue
            for provider in tools.searches:
                found = await search_once(provider, query.text, gathered, tools, meter)
                if found is None:
                    continue
                urls = [canonical_url(hit.url) for hit in found]
                saturation = saturation.observe(urls)
                gathered.tried.append(
                    Tried(
                        query=query.text, provider=provider.name, results=len(found), novelty=saturation.novelties[-1]
                    )
                )
                for place, (url, hit) in enumerate(zip(urls, found, strict=True)):
                    hits.setdefault(url, hit)
                    fused[url] = fused.get(url, 0.0) + 1 / (FUSION + place + 1)
        gathered.wanted[subquestion.text] = sorted(fused, key=lambda url: -fused[url])
    now = tools.now()
    found = dict(gathered.wanted)
    shortlist = {text: urls[:PER_SUBQUESTION] for text, urls in found.items()}
    gathered.wanted = _rank(shortlist, gathered, hits, tools, now)
    await _read(gathered.wanted, hits, gathered, tools, meter)
    more = _rank(_stand_ins(found, gathered, meter), gathered, hits, tools, now)
    for text, urls in more.items():
        gathered.wanted[text] = [*gathered.wanted[text], *urls]
    await _read(more, hits, gathered, tools, meter)


async def search_once(
    provider: Search,
    query: str,
    gathered: Gathered,
    tools: Tools,
    meter: Meter,
    *,
    recency_days: int | None = None,
    limit: int = PER_QUERY,
) -> list[Hit] | None:
    """The hits, which the run has then seen; None where nothing was searched, which is no sign of saturation: no
    budget, or the search failed."""
    if not meter.take_search():
        return None
    tools.progress("search", query)
    try:
        found = await provider.search(query, recency_days or tools.recency_days, limit)
    except SearchFailure as failure:
        _missed(provider, query, gathered, tools)
        _failed(provider, query, failure, gathered, tools, whole=True)
        return None
    _missed(provider, query, gathered, tools)
    tools.log.record(
        "search",
        {
            "provider": provider.name,
            "query": query,
            "hits": [asdict(hit) for hit in found],
        },
    )
    for hit in found:
        tools.web.saw(hit.url, "search result")
    return found


def _missed(provider: Search, query: str, gathered: Gathered, tools: Tools) -> None:
    for missed in tools.missed():
        _failed(provider, query, missed, gathered, tools, whole=False)


def _failed(
    provider: Search, query: str, failure: SearchFailure, gathered: Gathered, tools: Tools, *, whole: bool
) -> None:
    """Note that one provider failed: the `whole` search with it, or a part of what it would have found."""
    gathered.unsearched.append(failure)
    tools.log.record(
        "search_failed",
        {
            "provider": provider.name,
            "query": query,
            "failed": failure.provider,
            "kind": failure.kind.value,
            "detail": failure.detail,
            "retry_after": failure.retry_after,
            "advice": failure.advice,
            "whole": whole,
        },
    )


def _stand_ins(found: Wanted, gathered: Gathered, meter: Meter) -> Wanted:
    """For each sub-question as many of its next pages as could not be read of its first, within the budget.

    On the live web half of the best pages may be behind a robots.txt, a login or a captcha.
    """
    left = meter.limits.max_fetches - meter.fetches
    taken = {url for urls in found.values() for url in urls[:PER_SUBQUESTION]}
    chosen: Wanted = {}
    for text, urls in found.items():
        unread = sum(url in gathered.failures for url in gathered.wanted[text])
        chosen[text] = [url for url in urls[PER_SUBQUESTION:] if url not in taken][: min(unread, left)]
        taken.update(chosen[text])
        left -= len(chosen[text])
    return {text: urls for text, urls in chosen.items() if urls}


def _rank(wanted: Wanted, gathered: Gathered, hits: dict[str, Hit], tools: Tools, now: datetime) -> Wanted:
    """Let one page stand for its near-duplicates, and score what is left: `wanted` without the others."""
    if not wanted:
        return {}
    listed = {url for urls in wanted.values() for url in urls}
    deduped = dedupe([hit for url, hit in hits.items() if url in listed])
    stands_for = {canonical_url(one.hit.url): canonical_url(one.into.url) for one in deduped.merged}
    ranked = rank(deduped.kept, policy=tools.policy, now=now)
    gathered.ranked += ranked
    tools.log.record(
        "rank",
        {
            "now": now.isoformat(),
            "ranked": [{"url": one.hit.url, "why": one.explanation(tools.policy)} for one in ranked],
            "merged": [{"url": one.hit.url, "into": one.into.url, "why": one.why.value} for one in deduped.merged],
        },
    )
    kept = {canonical_url(hit.url) for hit in deduped.kept}
    mapped = {text: [stands_for.get(url, url) for url in urls] for text, urls in wanted.items()}
    return {text: list(dict.fromkeys(url for url in urls if url in kept)) for text, urls in mapped.items()}


async def _read(wanted: Wanted, hits: dict[str, Hit], gathered: Gathered, tools: Tools, meter: Meter) -> None:
    """Fetch and extract, all pages at once, in the order of their worth to the sub-questions."""
    order: list[str] = []
    for place in range(max((len(urls) for urls in wanted.values()), default=0)):
        for urls in wanted.values():
            if place < len(urls) and urls[place] not in order:
                order.append(urls[place])
    await read_pages({url: hits[url].url for url in order if meter.take_fetch()}, gathered, tools, meter)


async def read_pages(chosen: Mapping[str, str], gathered: Gathered, tools: Tools, meter: Meter) -> None:
    """Fetch and extract the addresses in `chosen`, by their canonical form, all at once."""
    order = [*gathered.documents, *gathered.failures, *chosen]
    try:
        await asyncio.gather(*(_page(key, url, gathered, tools, meter) for key, url in chosen.items()))
    finally:
        # Pages come in any order; what is made of them must not depend on which was quickest.
        gathered.documents = {url: gathered.documents[url] for url in order if url in gathered.documents}
        gathered.failures = {url: gathered.failures[url] for url in order if url in gathered.failures}


async def _page(key: str, url: str, gathered: Gathered, tools: Tools, meter: Meter) -> None:
    """Read the page at `url`, whose canonical form is `key`."""
    tools.progress("read", url)
    try:
        async with tools.deadline(meter.seconds_left):
            fetched = await tools.web.fetch(url)
            # Kept before it is read: what came over the network is never asked for again, whatever becomes of it.
            blob = tools.keep(fetched.body)
            tools.log.record("fetched", _response(url, fetched, blob))
            document = await tools.extract(fetched)
    except TimeoutError:
        failure = PageFailure(FailureKind.TIMEOUT, url, "the run's time was up before the page was read")
        _unread(key, url, failure, gathered, tools)
    except PageFailure as failure:
        _unread(key, url, failure, gathered, tools)
    else:
        gathered.documents[key] = document
        gathered.raw[document.doc_id] = fetched
        tools.log.record("document", _description(url, document, blob))


def _unread(key: str, url: str, failure: PageFailure, gathered: Gathered, tools: Tools) -> None:
    gathered.failures[key] = failure
    said = {"asked": url, "url": failure.url, "kind": failure.kind.value, "detail": failure.detail}
    tools.log.record("page_failed", said)


def _response(url: str, fetched: Fetched, blob: str) -> dict[str, object]:
    """The response to a request for `url`, as a WARC record has it; its body is the blob."""
    return {
        "asked": url,
        "url": fetched.final_url,
        "status": fetched.status,
        "headers": fetched.headers,
        "retrieved_at": fetched.retrieved_at,
        "bytes": len(fetched.body),
        "blob": blob,
    }


def _description(url: str, document: Document, blob: str) -> dict[str, object]:
    return {
        "asked": url,
        "doc_id": document.doc_id,
        "url": document.final_url,
        "title": document.title,
        "retrieved_at": document.retrieved_at,
        "sha256": document.sha256,
        "blob": blob,
        "extractor": document.extractor,
        "text_sha256": document.text_sha256,
        "flags": list(document.flags),
    }


def score_of(ranked: Sequence[Ranked]) -> dict[str, Ranked]:
    """The ranked hits by canonical URL."""
    return {canonical_url(one.hit.url): one for one in ranked}
