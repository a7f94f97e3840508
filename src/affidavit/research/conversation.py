"""What was said to the researcher and what it said, as long as its context takes it."""

from dataclasses import dataclass, field, replace

from affidavit.models.request import Message, ToolResult, User

LEFT_OUT = "(left out to save room; what was quoted stays, and nothing here needs to be asked for again)"

LONG = 3 * len(LEFT_OUT)
"""Characters from which on leaving a message out saves room; what was left out once is shorter."""


@dataclass(slots=True)
class Conversation:
    messages: list[Message] = field(default_factory=list[Message])

    def add(self, *messages: Message) -> None:
        self.messages += messages

    def shorten(self) -> bool:
        """Leave the longest of the earlier results out; False where nothing is left that could be. Quotations are
        short, go last, and are shown whole again for the draft."""
        places = [
            place
            for place, message in enumerate(self.messages[:-1])
            if isinstance(message, ToolResult | User) and len(message.text) > LONG and place > 0
        ]
        if not places:
            return self._shorten_last()
        place = max(places, key=lambda one: len(_text(self.messages[one])))
        message = self.messages[place]
        assert isinstance(message, ToolResult | User)
        self.messages[place] = replace(message, text=f"{message.text[: len(LEFT_OUT)]} … {LEFT_OUT}")
        return True

    def _shorten_last(self) -> bool:
        """Halve the longest message that is left."""
        places = [place for place, message in enumerate(self.messages) if len(_text(message)) > 800]
        if not places:
            return False
        place = max(places, key=lambda one: len(_text(self.messages[one])))
        message = self.messages[place]
        if not isinstance(message, ToolResult | User):
            return False
        half = len(message.text) // 2
        self.messages[place] = replace(message, text=f"{message.text[:half]}\n… {LEFT_OUT}")
        return True


def _text(message: Message) -> str:
    return message.text
