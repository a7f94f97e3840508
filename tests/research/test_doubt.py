"""What is said where the chosen sentences may not answer, over sentences made here and with the real encoder."""

from dataclasses import replace

import pytest

from affidavit.evidence.document import Block, BlockKind, Document
from affidavit.models.embedded import SentenceEncoder
from affidavit.ranking.terms import terms
from affidavit.research.doubt import doubt
from affidavit.research.question import read_question
from affidavit.research.relevance import Passage, Relevance
from affidavit.research.selection import ANSWER_EVIDENCE
from affidavit.research.similarity import Similarity

SIMILARITY = Similarity(SentenceEncoder())


def chosen(text: str, language: str | None = "en") -> Relevance:
    """`text` as a sentence that is evidence enough, with nothing around it."""
    block = Block(0, len(text), BlockKind.PARAGRAPH)
    document = Document(
        requested_url="https://example.org/pier",
        final_url="https://example.org/pier",
        canonical_url="https://example.org/pier",
        retrieved_at="2026-01-01T00:00:00Z",
        status=200,
        headers=(),
        media_type="text/plain",
        sha256="0" * 64,
        extractor="made/1",
        title=None,
        published=None,
        language=language,
        text=text,
        blocks=(block,),
    )
    own = terms(text)
    passage = Passage(document, 0, len(text), block, own, frozenset(), frozenset(), own)
    return Relevance(passage, 1.0, 1.0, own, own, True, 0.7, ANSWER_EVIDENCE)


def doubted(question: str, *sentences: str) -> str | None:
    return doubt(read_question(question), [chosen(text) for text in sentences], SIMILARITY)


@pytest.mark.parametrize(
    ("question", "sentence", "says"),
    [
        ("Why was the pier closed?", "The pier was closed because its piles had rotted.", None),
        ("Why was the pier closed?", "The pier was closed to avoid a collapse.", None),
        ("Why was the pier closed?", "The pier was closed on a Monday.", "gives a reason"),
        ("What was the reason for the closing of the pier?", "The pier was closed twice.", "gives a reason"),
        ("May dogs enter the pier?", "Dogs may enter the pier on a lead.", None),
        ("May dogs enter the pier?", "Dogs are forbidden to enter the pier.", None),
        ("May dogs enter the pier?", "Dogs enter the pier every day.", "says what is allowed or required"),
        ("Are dogs allowed on the pier?", "Dogs run about on the pier.", "says what is allowed or required"),
        ("Does the pier require a ticket?", "Nobody may enter the pier without a ticket.", None),
        ("What became of the pier?", "The pier was replaced by a jetty.", None),
        ("What became of the pier?", "The pier is a work of many hands.", "says what became of it"),
        ("How many boats use the pier?", "Some 40 fishing boats use the pier.", None),
        ("How many boats use the pier?", "Boats that use the pier pay $40.", "counts what was asked for"),
        ("How many boats use the pier?", "Under Schedule 40 boats use the pier.", "counts what was asked for"),
        (
            "How many boats use the pier?",
            "Boats that use the pier are painted, and the keepers of it, who have a hut of their own, number four.",
            "counts what was asked for",
        ),
        ("What must a boat undergo before it leaves the pier?", "A boat leaves the pier at dawn.", "speaks of undergo"),
        ("May a boat depart at night?", "A boat must not leave at night.", None),
        ("How does the crane lift a boat?", "The crane has a sling for a boat.", "speaks of lift"),
        ("How wide is the pier (opened in 1871)?", "The pier is eight metres across.", None),
        ("Which boats use the ramp?", "Boats without a keel use it.", None),
        ("When was the pier painted?", "It was built in 1871.", None),
        ("Why was the pier closed?", "The pier was closed after a storm left it leaning.", None),
        ("Why was the pier closed?", "The pier was closed after 1950.", "gives a reason"),
        ("Why was the pier closed?", "After a storm the boats lay elsewhere.", "gives a reason"),
        ("Why did the boat leave the pier?", "The boat left the pier at dawn.", "gives a reason"),
        ("May dogs enter the pier?", "Dogs are welcome on the pier on a lead.", None),
        ("Can boats use the pier?", "No boats at the pier at low tide.", None),
        ("What happened on the pier in 1871?", "A crane on the pier fell into the sea in 1871.", None),
        ("What happened to the pier?", "The pier burned in a night.", None),
        ("What happened to the pier?", "The pier had a crane.", "says what became of it"),
        ("How many keepers has the pier?", "The pier has a single keeper.", None),
        ("How many keepers has the pier?", "The pier has a head and 21 others.", None),
        ("How many wheels has the crane?", "It is a three-wheeled crane.", None),
        ("How many days does a repair take?", "Repairs take a fortnight.", None),
        ("the closing of the pier", "The pier is made of wood.", None),
    ],
)
def test_what_an_answer_lacks_is_said(question: str, sentence: str, says: str | None):
    told = doubted(question, sentence)
    assert told is None if says is None else told is not None and told.endswith(f"none of them {says}")


@pytest.mark.parametrize(
    ("question", "sentence", "stated"),
    [
        ("Warum wurde der Steg gesperrt?", "Der Steg ist aus Holz.", "de"),
        ("Was kostet ein Liegeplatz?", "Die Gebühr für einen Liegeplatz beträgt 14 Euro pro Nacht.", None),
        ("Was kostet ein Liegeplatz?", "The fee of a berth is 14 euros a night.", "en"),
        ("Is een hond welkom in het zwembad?", "Honden zijn in het zwembad niet welkom.", None),
        ("Do kiedy otwarte jest molo?", "Molo jest czynne do zmroku.", None),
        ("Are voie cineva pe dig?", "Nimeni nu are voie pe dig.", None),
        ("Why was the pier closed?", "Der Steg ist aus Holz und nicht mehr offen.", None),
        ("Why was the pier closed?", "Der Steg wurde gesperrt.", "de-CH"),
    ],
)
def test_nothing_is_said_of_another_language(question: str, sentence: str, stated: str | None):
    assert doubt(read_question(question), [chosen(sentence, stated)], SIMILARITY) is None


@pytest.mark.parametrize("shape", ["for (", "pier, ", "a", "on the ", "$1.", "to\u00a0", "no-", "!"])
def test_what_goes_on_and_on_is_read_in_the_time_of_its_length(shape: str):
    sentence = f"{shape * (900 // len(shape))} the pier is now closed because one pier may fall."
    for asked in ("Why is the pier closed?", "May the pier fall?", "What became of the pier?", "How many piers fall?"):
        assert doubted(asked, sentence) is None
    asked = f"Is the pier {shape * (100_000 // len(shape))} allowed?"
    assert doubted(asked, "The pier stands in the sea.") is not None


def test_one_sentence_that_answers_is_enough():
    assert doubted("Why was the pier closed?", "The pier was closed.", "It was closed because it had rotted.") is None


def test_nothing_is_said_of_nothing():
    assert doubted("Why was the pier closed?") is None


def test_the_reason_of_a_sentence_that_is_no_answer_by_itself_is_not_the_one_asked_for():
    question = read_question("Why was the pier closed?")
    beside = replace(chosen("It was closed because it had rotted."), evidence=ANSWER_EVIDENCE - 0.1)
    assert doubt(question, [chosen("The pier was closed on a Monday."), beside], SIMILARITY) is not None
