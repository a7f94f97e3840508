"""What happens when a model calls a tool: the call is checked, counted, done, recorded, and answered with what is left.

A refused call is answered too, with what to do next; nothing that a model says raises anything here. What comes from
outside reaches the model only through here: search results canonical, without doubles, ranked and within a budget;
pages as previews; quotations as spans.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from affidavit.errors import InvalidArgument, SpanBudgetExceeded, ToolError
from affidavit.evidence.answer import Tried
from affidavit.evidence.envelope import envelope, neutralise, unescape
from affidavit.evidence.quote import SPAN_CHARS
from affidavit.models.context import Context
from affidavit.models.request import ToolCall, ToolResult
from affidavit.ranking.budget import fit_budget
from affidavit.ranking.canonical import canonical_url
from affidavit.ranking.dedupe import dedupe
from affidavit.ranking.hit import Hit
from affidavit.ranking.queries import Angle, overlap
from affidavit.ranking.rank import Ranked, rank
from affidavit.ranking.saturation import Saturation
from affidavit.ranking.terms import words
from affidavit.research.allowance import Allowance
from affidavit.research.gather import FUSION, read_pages, search_once
from affidavit.research.handed_in import check_bound
from affidavit.research.hits_view import show_hits
from affidavit.research.investigation import Investigation
from affidavit.research.page_view import show_page
from affidavit.research.tool_arguments import DraftAnswer, ExtractQuote, FetchPage, WebSearch, read_arguments
from affidavit.research.tools import Tools

PER_SEARCH = 10
"""Results asked of each provider for one query of a model."""
SHOWN = 6
SHOWN_CHARS = 3000
"""Results of one search that a model is shown, in number and in characters of titles and snippets. Eight, with snippets
of 240 characters, made 4,200 tokens of the opening of four sub-questions: half of a small model's context."""


@dataclass(frozen=True, slots=True)
class Done:
    """The answer to one call; `draft` is the draft that it handed in, if it was one and could be read."""

    result: ToolResult
    draft: DraftAnswer | None = None


class Toolbox:
    """The tools of one run."""

    def __init__(self, investigation: Investigation, tools: Tools, allowance: Allowance, context: Context) -> None:
        self._context = context
        self._found = investigation
        self._tools = tools
        self._allowance = allowance
        self._last: list[str] = []
        self._listings: list[list[str]] = []

    async def call(self, call: ToolCall) -> Done:
        """Do one call. It costs one tool call whatever comes of it."""
        found = self._found
        quotes = len(found.quotes)
        draft: DraftAnswer | None = None
        failed = False
        if not self._allowance.take_tool_call():
            text, failed = "BUDGET_OUT: no tool calls are left, or no time.", True
        else:
            try:
                arguments = read_arguments(call)
                match arguments:
                    case WebSearch():
                        text = await self._search(arguments)
                    case FetchPage():
                        text = await self._fetch(arguments)
                    case ExtractQuote():
                        text = self._quote(arguments)
                    case DraftAnswer():
                        check_bound(arguments, found.quotes)
                        draft, text = arguments, "The draft was taken."
            except ToolError as error:
                retry = "" if error.retryable else " (another try of the same call will fail too)"
                text, failed = f"{error.code}{retry}: {neutralise(str(error)).text}", True
        found.idle = 0 if len(found.quotes) > quotes else found.idle + 1
        self._tools.log.record(
            "tool",
            {
                "name": call.name,
                "arguments": call.arguments,
                "problem": call.problem,
                "failed": failed,
                "result": text if failed else text[:200],
                "result_sha256": hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest(),
                "left": self._allowance.left(),
            },
        )
        shown = f"{text}\n\n{self._allowance.left()}"
        return Done(ToolResult(call_id=call.call_id, name=call.name, text=shown, failed=failed), draft)

    async def open(self) -> str:
        """The runtime's own searches: every sub-question as asked, then what would refute each (contract S2)."""
        shown: list[str] = []
        asked = [
            query
            for angle in (Angle.AS_ASKED, Angle.REFUTATION)
            for subquestion in self._found.plan.subquestions
            for query in subquestion.queries
            if query.angle is angle
        ]
        for query in asked:
            hits = await self._hits(query.text, None)
            if hits is not None:
                only_new = query.angle is Angle.REFUTATION
                shown.append(self._shown(query.text, hits, only_new=only_new, searches=len(asked)))
        # Sub-questions share their ground: only what the model itself asks for shows whether more searching helps.
        self._found.saturation = Saturation(self._found.saturation.seen)
        return "\n\n".join(shown) or "(no search was answered)"

    async def read_best(self, most: int, *, landing: bool = False) -> str:
        """Read the best of the pages that were listed and not asked for, the first of each list in turn, at most
        `most`: for a model that reads none. They are shown as if it had asked. `landing`: its time may be up."""
        gathered = self._found.gathered
        take = self._allowance.take_last_fetch if landing else self._allowance.take_fetch
        in_turn = [urls[place] for place in range(SHOWN) for urls in self._listings if place < len(urls)]
        fresh = [url for url in dict.fromkeys(in_turn) if url not in gathered.documents | gathered.failures]
        wanted = {url: self._spelling(url, url) for url in fresh[:most] if take()}
        if not wanted:
            return ""
        await read_pages(wanted, gathered, self._tools, self._allowance)
        for document in gathered.documents.values():
            self._found.quoter.add(document)
        self._tools.log.record("read_for_model", {"urls": list(wanted), "landing": landing})
        return "\n\n".join(self._page(url, "", len(wanted)) for url in wanted)

    async def _search(self, asked: WebSearch) -> str:
        if self._found.saturation.exhausted:
            raise InvalidArgument(
                "SATURATED: the last two searches brought hardly a page that was not listed before, so searching has "
                "ended. Fetch a page that is listed, quote from one that was read, or call draft_answer."
            )
        if _words_of(asked.query) in map(_words_of, self._found.asked):
            raise InvalidArgument("this query was made before; its results are listed above. Ask in other words")
        hits = await self._hits(asked.query, asked.recency_days)
        if hits is None:
            if self._allowance.searches >= self._allowance.limits.max_searches:
                raise InvalidArgument("BUDGET_OUT: no searches are left. Fetch, quote, or call draft_answer.")
            failures = self._found.gathered.unsearched
            why = f": {failures[-1]}" if failures else ""
            raise InvalidArgument(f"the search was not answered{why}. Go on with the pages listed so far")
        return self._shown(asked.query, hits)

    async def _hits(self, query: str, recency_days: int | None) -> list[Hit] | None:
        """The hits for `query`, best first, one for each page; None where no provider was asked or answered."""
        found, gathered = self._found, self._found.gathered
        fused: dict[str, float] = {}
        hits: dict[str, Hit] = {}
        answered = False
        found.asked.append(query)
        for provider in self._tools.searches:
            came = await search_once(
                provider, query, gathered, self._tools, self._allowance, recency_days=recency_days, limit=PER_SEARCH
            )
            if came is None:
                continue
            answered = True
            urls = [canonical_url(hit.url) for hit in came]
            found.saturation = found.saturation.observe(urls)
            gathered.tried.append(
                Tried(
                    query=query,
                    provider=provider.name,
                    results=len(came),
                    novelty=found.saturation.novelties[-1],
                )
            )
            for place, (url, hit) in enumerate(zip(urls, came, strict=True)):
                hits.setdefault(url, hit)
                fused[url] = fused.get(url, 0.0) + 1 / (FUSION + place + 1)
        if not answered:
            return None
        return list(dedupe([hits[url] for url in sorted(fused, key=lambda url: -fused[url])]).kept)

    def _shown(self, query: str, hits: Sequence[Hit], *, only_new: bool = False, searches: int = 1) -> str:
        """The best of `hits` as the model sees them: admitted in the order of their scores, listed in the order of
        their relevance, which a score says nothing about. `only_new` leaves out what was listed before; `searches` are
        those that are answered together."""
        ranked = rank(hits[:SHOWN], policy=self._tools.policy, now=self._tools.now())
        admitted = {id(one.hit): one for one in fit_budget(ranked, self._context.shown(SHOWN_CHARS, searches)).admitted}
        listed: list[Ranked] = [admitted[id(hit)] for hit in hits if id(hit) in admitted]
        known = set(self._found.hits)
        urls = [canonical_url(one.hit.url) for one in listed]
        same = overlap(urls, self._last) if self._last else 0.0
        self._last = urls
        self._listings.append(urls)
        for one in listed:
            self._found.remember(one.hit)
        fresh = sum(url not in known for url in urls)
        if only_new:
            listed = [one for one, url in zip(listed, urls, strict=True) if url not in known]
        shown = show_hits(query, listed, known)
        return f"{fresh} of {len(urls)} results are new; {same:.0%} stood in the search before this one.\n{shown}"

    async def _fetch(self, asked: FetchPage) -> str:
        """The pages at one to four addresses, read at once; each costs a fetch unless it was read before."""
        gathered = self._found.gathered
        wanted: dict[str, str] = {}
        told: dict[str, str] = {}
        for given in dict.fromkeys(asked.urls):
            url = given.strip() if given.strip() in self._known_addresses() else unescape(given.strip())
            key = canonical_url(url) if "://" in url else url
            if key in gathered.documents or key in gathered.failures:
                told[key] = "FETCHED_BEFORE: this address was fetched before; here is what came then."
            elif key in wanted:
                continue
            elif self._allowance.take_fetch():
                wanted[key] = self._spelling(key, url)
                told[key] = ""
            else:
                told[key] = "BUDGET_OUT: no fetches are left, or no time; this address was not read."
        if wanted:
            await read_pages(wanted, gathered, self._tools, self._allowance)
        for document in gathered.documents.values():
            self._found.quoter.add(document)
        return "\n\n".join(self._page(key, remark, len(told)) for key, remark in told.items())

    def _page(self, key: str, remark: str, pages: int) -> str:
        """One of so many `pages` that are shown together, or why it is not."""
        gathered = self._found.gathered
        if key in gathered.failures:
            failure = gathered.failures[key]
            said = neutralise(f"{failure.url[:300]}: {failure.kind.value}: {failure.detail[:300]}").text
            return f"{remark}\nNOT_READ: {said}. Choose another page.".strip()
        if key not in gathered.documents:
            return f"{neutralise(key[:300]).text}: {remark}"
        asked = [one.text for one in self._found.plan.subquestions]
        budget = self._context.shown(self._allowance.limits.max_preview_chars, pages)
        return f"{remark}\n{show_page(gathered.documents[key], asked, budget)}".strip()

    def _known_addresses(self) -> set[str]:
        return {hit.url for hit in self._found.hits.values()}

    def _spelling(self, key: str, url: str) -> str:
        """The address as a search result spelt it, where one did: a model that drops a slash means the same page."""
        hit = self._found.hits.get(key)
        return hit.url if hit is not None else url

    def _quote(self, asked: ExtractQuote) -> str:
        """The span, in its envelope. A span that was taken before costs nothing more."""
        found, limits = self._found, self._allowance.limits
        most = limits.max_span_chars if asked.max_chars is None else asked.max_chars
        if most <= SPAN_CHARS[1]:  # more than a quotation may ever have is a mistake, which is told and not mended
            most = min(most, limits.max_span_chars)
        try:
            quote = found.quoter.extract_quote(asked.doc_id, asked.locator, asked.purpose, most)
        except SpanBudgetExceeded:
            self._allowance.out.add("spans")
            raise
        span = quote.span
        if span.span_id not in found.quotes:
            taken = [*(one.span for one in found.quotes.values()), span]
            if not self._context.quotes(len(found.shown(taken).encode("utf-8", "surrogatepass"))):
                raise SpanBudgetExceeded("the model could not read more quotations at once: draft with what you have.")
            if not self._allowance.take_span():
                raise SpanBudgetExceeded("no quotations are left: draft with what you have.")
            found.quotes[span.span_id] = quote
            self._tools.log.record(
                "span",
                {
                    "span_id": span.span_id,
                    "doc_id": span.doc_id,
                    "start": span.start,
                    "end": span.end,
                    "purpose": quote.purpose.value,
                    "flags": list(quote.flags),
                },
            )
        note = ""
        if quote.block_kind is not None and quote.block_kind.value in ("heading", "navigation"):
            note = f"\nThis is a {quote.block_kind.value}, which states nothing: quote the sentence itself."
        return f"{span.span_id}\n{envelope(span, found.documents[span.doc_id])}{note}"


def _words_of(query: str) -> list[str]:
    """What of a query decides what it finds."""
    return [word.casefold() for word in words(query)]
