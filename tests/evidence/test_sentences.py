from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.evidence import BlockKind, Document, document_sentences, sentences
from affidavit.evidence.characters import INVISIBLES, SPACES

CUT = [
    # abbreviations, initials, names
    "Dr. Smith met Mr. Jones of the U.S. Navy. | They agreed, e.g. on the fees.",
    "The J.P. Morgan bank paid. | George W. Bush left.",
    "J. K. Barrow et al. (1987) measured it. | P. 45 lists the depths.",
    "The firm was sold to Kestrel Inc. in May. | It kept its name, No. 7, until 1961.",
    "Of approx. 40 ships, vols. 2 and 3 tell. | Fig. 3 and Nos. 4 and 5 show them.",
    "Work began at 5 a.m. and ended at 7 p.m. on most days. | Sundays were quiet.",
    "He has a Ph.D. | He left.",
    "It works with Node.js and ASP.NET on most machines. | See example.org for more.",
    "It runs on login.gov. | Agencies like it. | Ask at docs.rs. | Gov. Marsh did, at a.example.org, and not in vain.",
    "It reads Wham! and Yahoo! as names. | Both were returned.",
    # numbers
    "Costs rose by 3.2 per cent to $4.75 million. | Fees rose by 1.5. | Nobody spoke.",
    "Version 3.11.7 is used. | See sec. 4.2.1 for more.",
    "1. First item. | 2. Second item.",
    # marks and closing marks
    "He paused… and went on. | “We open at nine.” | She nodded. | (The gate was shut.) | Was it locked? | Yes!",
    '"Is it true?" he asked. | "Yes." | (See p. 5.) | He left.',
    "He said: 'It is over.' | Then he left.",
    "They waited that night […] and for the pilot. | He came.",
    "They waited... | Nothing came.",
    "Who had rung so late?! | No one spoke.",
    "It opened in 1932.[4] | The next one fell.[5][6] | It ended.¹ | Nobody knew.",
    # other languages, unannounced
    "Am 3. Oktober 1990 wurde das Haus eröffnet. | Es liegt z. B. am Fluss und ist im 19. Jahrhundert gebaut.",
    "Der Preis beträgt ca. 3,5 Mio. Euro. | Vgl. Abs. 3 und die Fa. Krupp. | Das ist nicht von Dr. Müller.",
    "M. Dupont est arrivé dans la ville. | Voir art. 5 et chap. 3. | Est-ce vrai ? | Oui !",
    "« C’est tout pour le jour. » | Il partit avec une amie.",
    "El Sr. García llegó por la noche. | ¿Es verdad? | ¡Sí! | Véase pág. 5 para los otros.",
    "Il sig. Rossi è nel bar con gli altri. | La dott.ssa Bianchi non è qui.",
    "Dhr. Jansen kwam niet. | Mevr. de Vries was er ook niet.",
    "А. С. Пушкин родился в Москве. | Это было в 1799 г. в мае. | См. стр. 5.",
    "«Стой!» — сказал он. | Он ушёл.",
    "Ο κ. Παπάς ήρθε. | Τι είναι; | Ναι.",
    "यह पुल १९३२ में खुला। | डॉ. शर्मा आए। | यह लंबा है॥ | बहुत।",
    "افتتح الجسر في عام 1932. | هل هو طويل؟ | نعم، طوله 503 أمتار.",
    "Սա է։ | Այո։",
]

CUT_WITHOUT_SPACES = [
    "\u1781\u17d2\u1789\u17bb\u17c6\u17d4|\u17a2\u17d2\u1793\u1780\u17d4",
    "यह है।|बहुत।",
    "An English page says 好。|and 坏。|too.",
    "该桥于1932年开通，全长503米。|每天约有16万辆车。|好吗？|好！|“是的。”|他说。",
    "この橋は1932年に開通した。|「美しい」と彼は言った。|今も通る。",
    '这是。|他说："好。"|好。',
]

HARD = st.lists(
    st.one_of(
        st.sampled_from(list(".!?…。！？؟। \n\r\t\xa0\u2028\u2029\u200b\u00ad\u202c()[]{}\"'“”‘’«»「」")),
        st.sampled_from(["Dr", "U.S", "e.g", "No", "J", "a", "Z", "9", "ß", "İ", "ก", "ข", "\u0301", "👨", "\x00"]),
        st.characters(exclude_categories=("Cs",)),
    ),
    max_size=80,
).map("".join)


@pytest.mark.parametrize("marked", CUT)
def test_sentences_end_where_a_reader_says(marked: str) -> None:
    text = marked.replace(" | ", " ")
    assert [text[start:end] for start, end in sentences(text)] == marked.split(" | ")


@pytest.mark.parametrize("marked", CUT_WITHOUT_SPACES)
def test_sentences_of_scripts_without_spaces_end_at_their_marks(marked: str) -> None:
    text = marked.replace("|", "")
    assert [text[start:end] for start, end in sentences(text)] == marked.split("|")


@pytest.mark.parametrize("space", ["\xa0", "\u2009", "\x85", "\u2028", "\u3000", "\r\n", " \u200b"])
def test_any_kind_of_space_separates_sentences_as_a_plain_one_does(space: str) -> None:
    text = f"J.{space}Smith was long.{space}The crane was tall."
    found = [text[start:end] for start, end in sentences(text, "en")]
    assert found == [f"J.{space}Smith was long.", "The crane was tall."]


@pytest.mark.parametrize("gap", ["\n\n", "\r\n\r\n", "\n \t\n", "\u2029", "\r\r"])
def test_a_blank_line_always_ends_a_sentence(gap: str) -> None:
    text = f"Opening hours{gap}from nine"
    assert [text[start:end] for start, end in sentences(text)] == ["Opening hours", "from nine"]


def test_a_single_line_end_does_not_end_a_sentence() -> None:
    text = "The quay was built in two\nparts by hand.\nIt was opened."
    assert [text[start:end] for start, end in sentences(text)] == [
        "The quay was built in two\nparts by hand.",
        "It was opened.",
    ]


@given(HARD, st.sampled_from([None, "en", "de", "ja", "ar", "xx", "not a tag"]))
def test_every_visible_character_lies_in_exactly_one_sentence(text: str, language: str | None) -> None:
    unseen = set(SPACES + INVISIBLES)
    at = 0
    for start, end in sentences(text, language):
        assert at <= start < end
        assert text[start] not in unseen
        assert text[end - 1] not in unseen
        assert set(text[at:start]) <= unseen
        at = end
    assert set(text[at:]) <= unseen


@pytest.mark.parametrize(
    "text",
    [
        "a. " * 50_000,
        "." * 100_000,
        "The end. " * 20_000,
        '"' * 50_000,
        "(" * 50_000,
        "\n" * 100_000,
        "A.\u200b" * 50_000,
    ],
    ids=["initials", "stops", "sentences", "quotes", "brackets", "lines", "invisible"],
)
def test_long_degenerate_texts_are_segmented(text: str) -> None:
    found = sentences(text)
    assert all(one[1] <= other[0] for one, other in pairwise(found))


def test_sentences_of_a_document_cross_no_block_and_no_break(document_of: Callable[..., Document]) -> None:
    document = document_of(
        (BlockKind.HEADING, "Opening hours"), "The hall is open. It shuts at five and", "then it is dark.", breaks=(40,)
    )
    found = [(document.text[s.start : s.end], s.block and s.block.kind) for s in document_sentences(document)]
    assert found == [
        ("Opening hours", BlockKind.HEADING),
        ("The hall is open.", BlockKind.PARAGRAPH),
        ("It shut", BlockKind.PARAGRAPH),
        ("s at five and", BlockKind.PARAGRAPH),
        ("then it is dark.", BlockKind.PARAGRAPH),
    ]


def test_text_outside_all_blocks_is_not_skipped(document_of: Callable[..., Document]) -> None:
    document = document_of("One. Two.", blocks=())
    assert [(s.start, s.end, s.block) for s in document_sentences(document)] == [(0, 4, None), (5, 9, None)]


def test_a_paragraph_longer_than_the_segmenter_sees_at_once_is_cut_as_a_short_one():
    sentence = "The harbour, e.g. its pier, was opened by Dr. Marsh in 1902. "
    text = sentence * 1_000
    found = sentences(text, "en")
    assert len(found) == 1_000
    assert {text[start:end] for start, end in found} == {sentence.strip()}


def test_text_that_never_ends_is_one_sentence_however_long():
    assert sentences("word " * 20_000, "en") == [(0, 99_999)]


def test_half_a_surrogate_pair_is_a_character_like_another():
    text = "The pier is old.\ud800 The \udfff bridge is new."
    assert [text[start:end] for start, end in sentences(text, "en")][-1].endswith("bridge is new.")


@pytest.mark.parametrize("mark", ["`", "``a", "e.g. ", "1. ", "\u200b", "“"])
def test_marks_alone_end(mark: str):
    for start, end in sentences(mark * (100_000 // len(mark)), "en"):
        assert start < end
