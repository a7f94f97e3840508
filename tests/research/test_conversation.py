import pytest

from affidavit.evidence.envelope import sealed
from affidavit.models.request import Assistant, ToolCall, ToolResult, User
from affidavit.research.conversation import LEFT_OUT, Conversation

CALL = ToolCall(call_id="1", name="fetch_page", arguments={"urls": []})


def page(name: str, lines: int) -> str:
    return sealed("untrusted_page", "words of the page\n" * lines, doc_id=f"doc_{name}", source="https://a.invalid/")


def quotation(lines: int) -> str:
    return sealed("untrusted_span", "words of the page\n" * lines, id="span_1")


def talk() -> Conversation:
    return Conversation(
        [
            User("question\n\n" + sealed("untrusted_results", "a page\n" * 60, query="q")),
            Assistant(text="", calls=(CALL,)),
            ToolResult(call_id="1", name="fetch_page", text=f"{page('a', 90)}\n\n{page('b', 40)}\n\nLeft: 3."),
            ToolResult(call_id="2", name="extract_quote", text=quotation(20)),
        ]
    )


def test_the_longest_of_what_was_shown_is_left_out_first_and_its_tags_stay():
    said = talk()
    assert said.shorten()
    shortened = said.messages[2]
    assert isinstance(shortened, ToolResult)
    assert shortened.text.count("words of the page") == 40
    assert shortened.text.count("<untrusted_page ") == shortened.text.count("</untrusted_page ") == 2
    assert 'doc_id="doc_a"' in shortened.text
    assert shortened.text.endswith("Left: 3.")
    assert shortened.call_id == "1"
    assert [said.messages[place] for place in (0, 1, 3)] == [talk().messages[place] for place in (0, 1, 3)]


def test_earlier_quotations_are_left_out_last():
    said = talk()
    said.add(ToolResult(call_id="3", name="fetch_page", text=page("c", 200)))
    shown: list[tuple[int, int]] = []
    while said.shorten():
        texts = [message.text for message in said.messages]
        shown.append((texts[3].count("words"), texts[4].count("words")))
    assert shown[0] == (20, 200), "of the last message nothing, while there is an earlier page"
    assert next(last for quoted, last in shown if quoted == 0) < 20
    assert shown[-1][0] == 0


def test_of_what_the_model_said_at_length_a_remark_stays_and_what_was_signed_goes_with_it():
    said = Conversation([User("q"), Assistant(text="I think. " * 300, trace="signed"), User("Call a tool.")])
    assert said.shorten()
    assert said.messages[1] == Assistant(text=LEFT_OUT)
    assert not said.shorten()


@pytest.mark.parametrize("lines", [0, 1, 9, 5000])
def test_shortening_ends_and_leaves_every_tag_closed(lines: int):
    said = talk()
    said.add(ToolResult(call_id="3", name="fetch_page", text=page("c", lines)))
    rounds = 0
    while said.shorten():
        rounds += 1
        assert rounds < 50
    assert sum(len(message.text) for message in said.messages) < 1500
    for message in said.messages:
        assert message.text.count("<untrusted_") == message.text.count("</untrusted_")


def test_what_is_short_already_cannot_be_shortened():
    assert not Conversation([User("short"), Assistant(text="also"), User("short " * 200)]).shorten()
