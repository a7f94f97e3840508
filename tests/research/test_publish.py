import asyncio
import hashlib
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from affidavit.evidence.claim import Claim, Label
from affidavit.evidence.document import Block, BlockKind, Document
from affidavit.evidence.span import Span
from affidavit.models.embedded.encoder import SentenceEncoder
from affidavit.ranking.policy import load_policy
from affidavit.research.publish import verify_all
from affidavit.research.tools import Tools
from affidavit.verify import VerbatimVerifier

SENTENCES = (
    "The pier was closed in 1988.",
    "It carries 40 tonnes.",
    "Was it open in 1987?",
    "Nobody complained, as far as the log says.",
    "The keeper saved the books.",
)


def document() -> Document:
    text = "Harbour log\n\n" + " ".join(SENTENCES)
    return Document(
        requested_url="https://example.org/log",
        final_url="https://example.org/log",
        canonical_url="https://example.org/log",
        retrieved_at="2026-01-02T03:04:05Z",
        status=200,
        headers=(),
        media_type="text/plain",
        sha256=hashlib.sha256(text.encode()).hexdigest(),
        extractor="plain/1",
        title=None,
        published=None,
        language="en",
        text=text,
        blocks=(Block(0, 11, BlockKind.HEADING, level=1), Block(13, len(text), BlockKind.PARAGRAPH)),
    )


PAGE = document()


class Events:
    run_id = "run_test"

    def __init__(self) -> None:
        self.types: list[str] = []

    def record(self, event_type: str, payload: object) -> int:
        self.types.append(event_type)
        return len(self.types)


def tools(events: Events) -> Tools:
    return Tools(
        searches=(),
        web=None,  # pyright: ignore[reportArgumentType] - nothing is fetched here
        extract=None,  # pyright: ignore[reportArgumentType]
        verifier=VerbatimVerifier(),
        encoder=SentenceEncoder(),
        policy=load_policy(None),
        log=events,
        keep=lambda data: hashlib.sha256(data).hexdigest(),
        now=lambda: datetime(2026, 1, 2, tzinfo=UTC),
        progress=lambda phase, detail: None,
    )


def spans() -> st.SearchStrategy[Span]:
    places = [(PAGE.text.index(sentence), len(sentence)) for sentence in SENTENCES] + [(0, 11)]
    return st.sampled_from(places).map(lambda place: Span.at(PAGE, place[0], place[0] + place[1]))


def edited(span: Span) -> st.SearchStrategy[str]:
    return st.sampled_from(
        [
            span.text,
            span.text,
            span.text.replace("1988", "1989"),
            span.text[4:],
            span.text + " It is so.",
            span.text.upper(),
        ]
    )


drafts = st.lists(spans().flatmap(lambda span: st.builds(Claim, text=edited(span), spans=st.just((span,)))), max_size=8)


@given(drafts)
def test_what_is_published_is_a_subsequence_of_the_draft_byte_for_byte(draft: list[Claim]):
    events = Events()
    published, dropped = asyncio.run(verify_all(draft, {PAGE.doc_id: PAGE}, tools(events)))
    rest = iter(draft)
    assert all(
        any(item.claim.text == claim.text and item.claim.spans == claim.spans for claim in rest) for item in published
    )
    assert len(published) + len(dropped) == len(draft)
    assert events.types.count("verdict") == len(draft)
    for item in published:
        assert item.claim.text == item.claim.spans[0].text
        assert all(verdict.label is Label.SUPPORTED for verdict in item.verdicts)
        assert not item.claim.text.endswith("?")


@given(drafts)
def test_nothing_is_lost_between_the_draft_and_what_was_dropped(draft: list[Claim]):
    published, dropped = asyncio.run(verify_all(draft, {PAGE.doc_id: PAGE}, tools(Events())))
    texts = sorted([item.claim.text for item in published] + [item.claim.text for item in dropped])
    assert texts == sorted(claim.text for claim in draft)
    assert all(item.reason for item in dropped)
