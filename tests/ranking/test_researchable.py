"""Whether any result could change the answer."""

import pytest

from affidavit.errors import NotResearchable
from affidavit.ranking.researchable import refuse_claim, refuse_question, require_researchable, vague_words


def test_the_seed_s_claim_is_researchable() -> None:
    claim = "Do LLM agents degrade on long horizon tasks?"
    assert refuse_claim(claim, "A benchmark showing flat success rate past step 7") is None


@pytest.mark.parametrize("word", ["best", "good", "bad", "better", "important", "significant"])
def test_a_claim_that_leans_on_a_vague_word_is_refused_by_that_word(word: str) -> None:
    refusal = refuse_claim(f"This is the {word} method of all.", "A count of methods")
    assert refusal is not None
    assert word in refusal.reason
    assert refusal.suggestion


@pytest.mark.parametrize("falsifier", [None, "", "  ", "?!"])
def test_a_claim_without_a_falsifier_is_refused(falsifier: str | None) -> None:
    refusal = refuse_claim("The harbour is 9 m deep.", falsifier)
    assert refusal is not None
    assert "falsifier" in refusal.reason


def test_a_falsifier_that_only_repeats_the_claim_is_none() -> None:
    assert refuse_claim("The harbour is 9 m deep.", "the harbour is 9 m deep") is not None


@pytest.mark.parametrize(
    "claim",
    [
        "Some experts believe that harbours silt up.",
        "It is widely thought that harbours silt up.",
        "Harbour work is ultimately about people.",
        "A harbour should be deep-water, because water in a harbour should be deep.",
        "Dies ist die beste Methode.",
        "C'est la meilleure méthode.",
        "Es el mejor método.",
        "It is a world-class harbour.",
    ],
)
def test_what_nothing_could_contradict_is_refused(claim: str) -> None:
    assert refuse_claim(claim, "A survey that finds otherwise") is not None


@pytest.mark.parametrize(
    "claim",
    [
        "The gut bacteria of mice change within 9 days.",
        "The effect was statistically significant at the 5% level.",
        "Best Buy closed 12 shops in 2020.",
        'The report calls the bridge "the best in Europe".',
        "The rules ask for best practices to be published yearly.",
        "The harbour was closed because ice had covered the quay.",
        "Most petitions come from people without lawyers.",
    ],
)
def test_terms_names_and_quotations_are_not_vague(claim: str) -> None:
    assert refuse_claim(claim, "A record that says otherwise") is None


def test_vague_words_come_in_order() -> None:
    assert vague_words("A good bridge is better than a Good Friday.") == ("good", "better")


@pytest.mark.parametrize(
    "question",
    [
        "What is the best programming language?",
        "Which laptop should I buy?",
        "Is Rome better than Paris?",
        "Who is the greatest painter of all time?",
        "best headphones 2026",
        "Should we move to the coast?",
        "What is your opinion of the mayor?",
        "",
        "?!",
    ],
)
def test_a_question_whose_answer_lies_in_the_asker_is_refused(question: str) -> None:
    refusal = refuse_question(question)
    assert refusal is not None
    assert refusal.suggestion


@pytest.mark.parametrize(
    "question",
    [
        "How deep is the harbour?",
        "What best practices does the guide recommend?",
        "Which film won best picture in 1998?",
        "Which city has the lowest rents?",
        "Is drug A better than drug B according to the trial?",
        "Is lead in water bad for children?",
        "What significant changes were made in 2020?",
        "Why is sleep important?",
        "Was ist die Hauptstadt von Peru?",
    ],
)
def test_a_question_about_the_record_is_researched(question: str) -> None:
    assert refuse_question(question) is None


def test_a_refusal_says_what_is_wrong_and_how_to_ask() -> None:
    with pytest.raises(NotResearchable, match=r"what is best depends on who asks; name the measure"):
        require_researchable("What is the best bridge?")
    with pytest.raises(NotResearchable, match="leans on 'best'"):
        require_researchable("It is the best bridge.", "Another bridge")
    require_researchable("How long is the bridge?")
