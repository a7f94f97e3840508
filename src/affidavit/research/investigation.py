"""What a run with a model has found so far. Only the toolbox adds to it; the draft and the checks read it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from affidavit.evidence.document import Document
from affidavit.evidence.envelope import envelope, neutralise
from affidavit.evidence.quote import Quote, Quoter
from affidavit.evidence.span import Span
from affidavit.models.request import Known
from affidavit.ranking.canonical import canonical_url
from affidavit.ranking.dedupe import dedupe
from affidavit.ranking.hit import Hit
from affidavit.ranking.rank import rank
from affidavit.ranking.saturation import Saturation
from affidavit.research.gather import Gathered
from affidavit.research.page_view import beginnings
from affidavit.research.plan import Plan
from affidavit.research.tools import Tools


@dataclass(slots=True)
class Investigation:
    """`hits` are those shown to the model, by canonical URL; `quotes` by span id, in the order they were taken.
    `asked` are the queries made, `idle` the tool calls since the last new quotation."""

    plan: Plan
    gathered: Gathered
    quoter: Quoter
    hits: dict[str, Hit] = field(default_factory=dict[str, Hit])
    quotes: dict[str, Quote] = field(default_factory=dict[str, Quote])
    asked: list[str] = field(default_factory=list[str])
    saturation: Saturation = field(default_factory=Saturation)
    idle: int = 0
    _beginnings: dict[tuple[str, ...], tuple[str, ...]] = field(default_factory=dict[tuple[str, ...], tuple[str, ...]])

    @property
    def documents(self) -> dict[str, Document]:
        return {document.doc_id: document for document in self.gathered.documents.values()}

    def listed(self) -> str:
        """The sub-questions, numbered from 1."""
        return "\n".join(f"{number}. {one.text}" for number, one in enumerate(self.plan.subquestions, 1))

    def envelopes(self, spans: Collection[str]) -> str:
        """The quotations whose ids are `spans`, each between its tags, for a model to draft from."""
        return self.shown([quote.span for span_id, quote in self.quotes.items() if span_id in spans])

    def shown(self, spans: Sequence[Span]) -> str:
        """`spans`, each between its tags."""
        documents = self.documents
        return "\n\n".join(envelope(span, documents[span.doc_id]) for span in spans)

    def pages(self) -> list[str]:
        """The pages that were read, a line each: what a model needs to quote from one again."""
        return [
            neutralise(f"{document.doc_id} {document.final_url} {(document.title or '')[:100]}").text
            for document in self.gathered.documents.values()
        ]

    def tried(self) -> list[str]:
        """What was searched for and fetched, one line each."""
        return [*(f"searched: {query}" for query in self.asked), *(f"fetched: {url}" for url in self.fetched())]

    def fetched(self) -> list[str]:
        """The canonical URLs that were asked for, whatever came."""
        return [*self.gathered.documents, *self.gathered.failures]

    def known(self) -> dict[str, tuple[Known, ...]]:
        """What there is to name in a call: the addresses that were listed; the pages that were read, each with where in
        it a quotation may begin; the quotations."""
        asked = tuple(one.text for one in self.plan.subquestions)
        pages: list[Known] = []
        for doc_id, document in self.documents.items():
            if (doc_id, *asked) not in self._beginnings:
                self._beginnings[doc_id, *asked] = tuple(beginnings(document, asked))
            pages.append({"doc_id": (doc_id,), "locator": self._beginnings[doc_id, *asked]})
        return {
            "fetch_page": ({"urls": tuple(hit.url for hit in self.hits.values())},),
            "extract_quote": tuple(pages),
            "draft_answer": ({"span_ids": tuple(self.quotes)},),
        }

    def settle(self, tools: Tools) -> None:
        """Rank what was shown or read once more, all together, for the answer's list of sources, and record it; every
        page that was read may answer every sub-question."""
        now = tools.now()
        deduped = dedupe(list(self.hits.values()))
        self.gathered.ranked = rank(deduped.kept, policy=tools.policy, now=now)
        self.gathered.wanted = {one.text: list(self.gathered.documents) for one in self.plan.subquestions}
        tools.log.record(
            "rank",
            {
                "now": now.isoformat(),
                "ranked": [{"url": one.hit.url, "why": one.explanation(tools.policy)} for one in self.gathered.ranked],
                "merged": [{"url": one.hit.url, "into": one.into.url, "why": one.why.value} for one in deduped.merged],
            },
        )

    def remember(self, hit: Hit) -> None:
        self.hits.setdefault(canonical_url(hit.url), hit)
