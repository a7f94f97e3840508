"""A list that a person edits: what is written is read back, and what cannot be meant is named with its line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.errors import NotResearchable, UserError
from affidavit.research.worklist import MOST, Item, read_items, write_items

LIST = """\
# A head, which belongs to nothing.

# draft.md, sentence 3
# under “Bridges”
The bridge carries 40 tonnes.
! A record that gives another load.

Who opened the bridge?
\\# is the sign for tonnes here.
{"claim": "It is green.", "falsifier": "It is red.", "context": "notes"}
"""


def test_lines_remarks_and_falsifiers_are_told_apart():
    assert read_items("list.txt", LIST) == (
        Item(
            text="The bridge carries 40 tonnes.",
            falsifier="A record that gives another load.",
            context="draft.md, sentence 3 under “Bridges”",
            line=5,
        ),
        Item(text="Who opened the bridge?", line=8),
        Item(text="# is the sign for tonnes here.", line=9),
        Item(text="It is green.", falsifier="It is red.", context="notes", line=10),
    )


_LINES = st.text(st.characters(codec="utf-8"), min_size=1).filter(lambda text: text.split())


@given(
    st.lists(
        st.builds(
            lambda text, falsifier, context: (" ".join(text.split()), falsifier, " ".join(context.split())),
            _LINES,
            st.none() | _LINES.map(lambda text: " ".join(text.split())),
            st.text(st.characters(codec="utf-8")),
        ),
        max_size=5,
    ),
    st.booleans(),
)
def test_what_is_written_is_read_back(items: list[tuple[str, str | None, str]], head: bool):
    written = write_items(
        [Item(text=text, falsifier=falsifier, context=context) for text, falsifier, context in items],
        "What to do\nwith this" if head else "",
    )
    found = read_items("list.txt", written)
    assert [(one.text, one.falsifier) for one in found] == [(text, falsifier) for text, falsifier, _ in items]
    for one, (_, _, context) in zip(found, items, strict=True):
        assert one.context == context


def test_a_line_with_what_would_refute_it_is_a_claim_and_any_other_a_question():
    claim, question = read_items("list.txt", "The pier is closed.\n! It is open.\n\nThe pier is long.\n")
    assert claim.ask().claim == "The pier is closed."
    assert question.ask().question == "The pier is long."
    with pytest.raises(NotResearchable):
        read_items("list.txt", "The pier is closed.\n!\n")[0].ask()


def test_windows_line_ends_a_byte_order_mark_and_indents_are_no_part_of_a_line():
    assert [one.text for one in read_items("list.txt", "\ufeffOne?\r\n  Two?\t\r\n\r\n")] == ["One?", "Two?"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("! nothing above", "line 1"),
        ("One.\n! a\n! b\n", "line 3"),
        ("One.\n{not json}\n", "line 2"),
        ('{"question": "a", "claim": "b"}', "one of text, question and claim"),
        ('{"question": 3}', "as a string"),
        ('{"question": " "}', "line 1"),
        ("One?\n" * (MOST + 1), "1,001 lines"),
    ],
)
def test_what_cannot_be_meant_is_named_with_its_line(text: str, said: str):
    with pytest.raises(UserError, match=said):
        read_items("list.txt", text)
