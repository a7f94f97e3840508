import pytest

from affidavit.errors import NotResearchable, UserError
from affidavit.research.ask import MAX_CHARS, Ask


def test_a_question_alone_is_an_ask():
    assert Ask(question="How deep is the harbour?").asked == "How deep is the harbour?"


def test_a_claim_needs_a_falsifier():
    with pytest.raises(NotResearchable, match="falsifier"):
        Ask(claim="The harbour is 9 m deep.")
    with pytest.raises(NotResearchable, match="falsifier"):
        Ask(claim="The harbour is 9 m deep.", falsifier="  ")


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"question": "a?", "claim": "b", "falsifier": "c"},
        {"question": "a?", "falsifier": "c"},
        {"question": " ?! "},
        {"question": ""},
    ],
)
def test_anything_else_is_refused(arguments: dict[str, str]):
    with pytest.raises(UserError):
        Ask(**arguments)


def test_a_question_of_five_megabytes_is_refused_with_both_sizes():
    with pytest.raises(UserError, match=rf"5,000,000 characters; at most {MAX_CHARS:,}"):
        Ask(question="a" * 5_000_000)
