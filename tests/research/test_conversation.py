from affidavit.models.request import Assistant, ToolResult, User
from affidavit.research.conversation import LEFT_OUT, Conversation


def talk() -> Conversation:
    return Conversation(
        [
            User("question " * 40),
            Assistant(text="", calls=()),
            ToolResult(call_id="1", name="fetch_page", text="page " * 500),
            ToolResult(call_id="2", name="extract_quote", text="span_1 " * 3),
        ]
    )


def test_the_longest_result_is_left_out_first_and_its_call_stays_answered():
    said = talk()
    assert said.shorten()
    shortened = said.messages[2]
    assert isinstance(shortened, ToolResult)
    assert LEFT_OUT in shortened.text
    assert len(shortened.text) < 300
    assert shortened.call_id == "1"
    assert said.messages[0] == talk().messages[0]
    assert said.messages[3] == talk().messages[3]


def test_shortening_ends():
    said = talk()
    said.add(ToolResult(call_id="3", name="fetch_page", text="page " * 5000))
    rounds = 0
    while said.shorten():
        rounds += 1
        assert rounds < 50
    assert sum(len(message.text) for message in said.messages) < 5000


def test_what_is_short_already_cannot_be_shortened():
    assert not Conversation([User("short")]).shorten()
