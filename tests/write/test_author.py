"""The customer's prompt and the turns around it: byte for byte, and the second repeats the first."""

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affidavit.errors import UserError
from affidavit.evidence.piece import Issue, Origin
from affidavit.models.prompt import load_prompt
from affidavit.models.scripted import ScriptedModel, said
from affidavit.write.author import (
    DEFAULT_PROMPT,
    MAX_PROMPT_BYTES,
    Author,
    first_message,
    prompt_sha256,
    read_prompt,
    revision,
    unfenced,
)
from affidavit.write.pack import Assignment, make_pack
from affidavit.write.profile import Profile

PROFILE = Profile.model_validate({"name": "Harbour", "tone": "plain", "key_messages": ("We answer.",)})
ISSUE = Issue(
    code="figure_without_source", message="No source has 77.", sentence="77 ships.", blocks=True, origin=Origin.CHECK
)
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=80)


def pack_for(assignment):
    return make_pack(assignment, PROFILE, facts=(), count=lambda text: len(text.split()))


def asked(prompt, assignment, draft="Draft."):
    model = ScriptedModel([said(draft), said("Second.")])
    author, pack = Author(model, prompt), pack_for(assignment)
    asyncio.run(author.draft(assignment, PROFILE, pack))
    asyncio.run(author.revise(assignment, PROFILE, pack, draft, [ISSUE]))
    return model.requests


@settings(max_examples=60, deadline=None)
@given(prompt=TEXT, title=TEXT, notes=TEXT, draft=TEXT)
def test_the_prompt_is_the_system_text_as_it_is_and_the_rewrite_repeats_the_first_turn(prompt, title, notes, draft):
    first, second = asked(prompt, Assignment(title=title, notes=notes), draft)
    assert first.system == second.system == prompt
    (turn,), (again,) = first.messages, second.messages
    assert again.text.startswith(turn.text)
    assert len(again.text) > len(turn.text)
    assert title in turn.text
    assert notes in turn.text
    assert draft in again.text[len(turn.text) :]


def test_the_user_turn_begins_with_the_pack_and_ends_with_the_assignment():
    assignment = Assignment(title="T", notes="N", max_words=300)
    pack = pack_for(assignment)
    text = first_message(assignment, PROFILE, pack.text)
    assert text.startswith(pack.text)
    assert text.endswith("Key messages: We answer.\nTone: plain\nLength: at most 300 words")


def test_the_rewrite_lists_every_issue_with_its_code_and_sentence():
    text = revision("77 ships.", [ISSUE, ISSUE])
    assert '1. [figure_without_source] No source has 77. — in: "77 ships."' in text
    assert "\n2. [figure_without_source]" in text


@settings(max_examples=100)
@given(body=st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=200).filter(str.strip))
def test_a_prompt_file_is_read_to_the_last_byte(body, tmp_path_factory):
    path = tmp_path_factory.mktemp("prompt") / "prompt.md"
    path.write_bytes(body.encode())
    assert read_prompt(path).encode() == path.read_bytes()


def test_line_ends_and_a_last_blank_line_stay(tmp_path):
    path = tmp_path / "prompt.md"
    path.write_bytes(b"\xef\xbb\xbfWrite.\r\n\r\n{{not_a_hole}}\r\n\r\n")
    assert read_prompt(path).encode() == path.read_bytes()
    assert prompt_sha256(read_prompt(path)) != prompt_sha256(read_prompt(path).strip())


@pytest.mark.parametrize(
    ("body", "says"), [(b"", "is empty"), (b"\xff", "not UTF-8"), (b"x" * (MAX_PROMPT_BYTES + 1), "at most")]
)
def test_a_prompt_that_cannot_be_one_says_why(tmp_path, body, says):
    path = tmp_path / "prompt.md"
    path.write_bytes(body)
    with pytest.raises(UserError, match=says):
        read_prompt(path)
    with pytest.raises(UserError, match="cannot be read"):
        read_prompt(tmp_path / "none.md")


@pytest.mark.parametrize(
    ("reply", "draft"),
    [
        ("```markdown\n# T\n\n77 ships.\n```", "# T\n\n77 ships."),
        ("~~~\n# T\n~~~", "# T"),
        ("# T\n\n```\ncode\n```", "# T\n\n```\ncode\n```"),
        ("```\na\n```\n\nb\n\n```\nc\n```", "```\na\n```\n\nb\n\n```\nc\n```"),
        ("```", "```"),
        ("  # T  ", "# T"),
    ],
)
def test_a_fence_around_the_whole_piece_goes_since_code_claims_nothing(reply, draft):
    assert unfenced(reply) == draft


@pytest.mark.parametrize(
    "clause",
    [
        "comes from the approved facts, the notes or the sources of the message, and from nowhere else",
        "Deliver what the title promises and what the notes ask for",
        "Write what only this business could publish",
        "Make each point once",
        "Figures and results of a client are the client's",
        "Keep within the number of words",
        "Keep to the tone",
        "The piece and nothing else, as Markdown",
    ],
)
def test_the_prompt_that_comes_with_the_product_has_every_rule(clause):
    assert clause in DEFAULT_PROMPT


@pytest.mark.parametrize(
    "clause",
    [
        "Every number, percentage, date or count must come from the approved facts or from the notes.",
        "If no figure is supplied for a claim, make the claim without a number.",
        "DO use the approved figures that fit the subject: a piece that avoids them reads as generic.",
        "Use each important figure exactly once, in the sentence where it does the most work",
        "refer back to it afterwards without the number",
        "Do not open more than one section with a figure.",
        "A figure that belongs to a client stays the client's.",
    ],
)
def test_the_rules_of_the_pack_have_every_clause(clause):
    assert clause in load_prompt("affidavit.write", "pack.rules").text


@pytest.mark.parametrize(
    ("prompt", "clause"),
    [
        ("pack.facts", "The only numbers you may use"),
        ("pack.shared", "Each figure measures something different."),
        ("pack.shared", "say in the same sentence what it counts"),
        ("pack.shared", "never combine two of them into a single claim"),
        ("pack.excluded", "Rejected by the customer, out of date, in dispute or outside the scope."),
        ("pack.statistics", "use them sparingly, at most once"),
        ("pack.sentences", "do not repeat these"),
    ],
)
def test_the_other_sections_have_theirs(prompt, clause):
    assert clause in load_prompt("affidavit.write", prompt).text
