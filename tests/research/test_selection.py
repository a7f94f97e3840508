"""Choosing with the real encoder, over pages made here."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from affidavit.evidence.document import Block, BlockKind, Document
from affidavit.models.embedded import SentenceEncoder
from affidavit.research.question import read_question
from affidavit.research.relevance import COMPARED, ReadPages, Relevance, compared, passages, relevance, weigh
from affidavit.research.selection import Selection, select
from affidavit.research.similarity import Similarity

ENCODER = SentenceEncoder()


def page(title: str, *blocks: str) -> Document:
    """A page of paragraphs; a block that begins with ``#`` is a heading."""
    text = ""
    laid: list[Block] = []
    for block in blocks:
        text += "\n\n" if text else ""
        heading = block.startswith("# ")
        start = len(text)
        text += block.removeprefix("# ")
        kind = BlockKind.HEADING if heading else BlockKind.PARAGRAPH
        laid.append(Block(start, len(text), kind, True, 2 if heading else None))
    address = f"https://example.org/{title.lower().replace(' ', '-')}"
    return Document(
        requested_url=address,
        final_url=address,
        canonical_url=address,
        retrieved_at="2025-01-01T00:00:00Z",
        status=200,
        headers=(),
        media_type="text/html",
        sha256="0" * 64,
        extractor="made/1",
        title=title,
        published=None,
        language="en",
        text=text,
        blocks=tuple(laid),
    )


HARBOUR = page(
    "Brackwater Harbour",
    "# Depth",
    "The harbour basin is 9 metres deep at low water. Dredging is done every second winter.",
    "# Lighthouse",
    "The lighthouse was built by Ada Marsh in 1871. Each evening the keeper lights the lamp at dusk.",
    "# Rules",
    "A passphrase that a keeper picks must have at least 12 characters. It need not be replaced every few months.",
    "Boats longer than 20 metres must report to the harbour master before they enter.",
)
TOWN = page(
    "Brackwater town",
    "The town has a market on Saturdays. Its church is older than the harbour and its bakery is well known.",
    "The town council pays for the lighthouse and for the harbour wall. Coffee is served on the pier in summer.",
)


def ranked(question: str, documents: Sequence[Document] = (HARBOUR, TOWN)) -> list[Relevance]:
    read = read_question(question)
    found = [passage for document in documents for passage in passages(document)]
    return compared(read, relevance(read, found, weigh(found)), Similarity(ENCODER))


def chosen(question: str) -> Selection:
    return select(read_question(question), ranked(question), 12)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How deep is the harbour basin at low water?", "9 metres deep"),
        ("When was the lighthouse of Brackwater built?", "1871"),
        ("Who built the lighthouse at Brackwater harbour?", "Ada Marsh"),
        ("How many characters must a passphrase of a keeper have?", "12 characters"),
        ("Which boats must report to the harbour master?", "longer than 20 metres"),
    ],
)
def test_what_the_pages_say_comes_first(question: str, answer: str):
    assert answer in chosen(question).chosen[0].passage.text


@pytest.mark.parametrize(
    "question",
    [
        "How deep is the harbour of Port Vell?",
        "How many cats live in the lighthouse?",
        "Which countries ban lighthouses?",
        "Who is the chief executive of the harbour?",
        "When was the bakery of Brackwater built?",
        "Does coffee cause cancer?",
        "Why did the dinosaurs die out?",
        "How deep was the harbour basin in 1950?",
    ],
)
def test_a_question_that_the_pages_do_not_answer_gets_no_sentence_and_a_reason(question: str):
    selection = chosen(question)
    assert not selection.chosen
    assert selection.reason


def test_meaning_brings_up_what_the_words_do_not():
    best = max(ranked("How long must a keeper's password be?"), key=lambda item: item.similarity)
    assert "passphrase" in best.passage.text


def test_a_sentence_is_compared_with_its_title_and_heading():
    (first, *_) = passages(HARBOUR)
    assert first.in_place == "Brackwater Harbour › Depth: The harbour basin is 9 metres deep at low water."


def test_a_sentence_longer_than_any_span_is_no_evidence():
    whole = page(
        "Gauge", "The gauge was installed in 1871 and it " + "was read and " * 100 + "was kept. It is read daily."
    )
    assert [one.text for one in passages(whole)] == ["It is read daily."]


def test_a_sentence_that_only_repeats_the_question_is_no_answer():
    document = page("Founders", "Ada Marsh, harbour master of Brackwater.", "Brackwater has a harbour master.")
    read = read_question("What did Ada Marsh, harbour master of Brackwater, study?")
    items = ranked(read.text, [document])
    assert not select(read, items, 12).chosen


def test_the_same_sentences_always_give_the_same_choice():
    question = "How deep is the harbour basin at low water?"
    assert chosen(question) == chosen(question)


def test_each_text_is_encoded_once():
    asked: list[str] = []

    class Counting:
        def encode(self, texts: Sequence[str]):
            asked.extend(texts)
            return ENCODER.encode(texts)

    similarity = Similarity(Counting())
    first = similarity.to("Is it deep?", ["It is deep.", "It is wet.", "It is deep."])
    assert first[0] == first[2] > first[1]
    similarity.to("Is it wet?", ["It is deep.", "It is wet."])
    assert sorted(asked) == ["Is it deep?", "Is it wet?", "It is deep.", "It is wet."]


def test_what_lies_beyond_the_compared_ones_keeps_its_place_and_is_never_an_answer():
    many = page("Harbours", *(f"Harbour {number} is a deep harbour with a basin." for number in range(COMPARED + 20)))
    items = ranked("Is the harbour basin deep?", [many])
    assert len(items) == COMPARED + 20
    assert all(item.similarity == 0 and item.evidence == 0 for item in items[COMPARED:])


def test_the_passages_of_a_page_are_kept_until_others_take_their_place():
    read = ReadPages(len(passages(HARBOUR)))
    first = read.passages(HARBOUR)
    assert read.passages(replace(HARBOUR)) is first
    assert read.passages(TOWN) == passages(TOWN)
    assert read.passages(HARBOUR) is not first
    assert read.passages(HARBOUR) == first
