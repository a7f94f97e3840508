"""What was said to the researcher and what it said, as long as its context takes it.

Shortened is what stands between tags, never the tags: what a stranger wrote stays between them, and the model still
sees which page it was and can ask for it again.
"""

import re
from dataclasses import dataclass, field, replace

from affidavit.models.request import Assistant, Message, ToolResult, User

LEFT_OUT = "[… left out to save room]"
LONG = 4 * len(LEFT_OUT)
"""Characters from which on leaving something out saves room; what was left out once is shorter."""
_SEALED = re.compile(r"<(?P<tag>untrusted_\w+) [^>]*>\n(?P<body>.*?)\n</(?P=tag)\b", re.DOTALL)
_QUOTATION = "untrusted_span"


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a message that could be left out: characters `start` to `end` of the message at `place`."""

    place: int
    start: int
    end: int
    quotation: bool

    @property
    def length(self) -> int:
        return self.end - self.start


@dataclass(slots=True)
class Conversation:
    messages: list[Message] = field(default_factory=list[Message])

    def add(self, *messages: Message) -> None:
        self.messages += messages

    def shorten(self) -> bool:
        """Leave out the longest of the earlier pages and listings; where there is none, half of the longest that the
        last message shows; then what the model itself said at length, then the longest of the earlier quotations, which
        are shown whole again for the draft. False where nothing is left that could be."""
        parts = [part for part in self._parts() if part.length > LONG]
        last = len(self.messages) - 1
        seen = [part for part in parts if not part.quotation]
        for some, half in (
            ([part for part in seen if part.place < last], False),
            ([part for part in seen if part.place == last], True),
            ([part for part in self._said() if part.length > LONG], False),
            ([part for part in parts if part.quotation and part.place < last], False),
        ):
            if some:
                self._leave_out(max(some, key=lambda part: part.length), half=half)
                return True
        return False

    def _parts(self) -> list[_Part]:
        return [
            _Part(place, found.start("body"), found.end("body"), found["tag"] == _QUOTATION)
            for place, message in enumerate(self.messages)
            if isinstance(message, User | ToolResult)
            for found in _SEALED.finditer(message.text)
        ]

    def _said(self) -> list[_Part]:
        return [
            _Part(place, 0, len(message.text), quotation=False)
            for place, message in enumerate(self.messages)
            if isinstance(message, Assistant)
        ]

    def _leave_out(self, part: _Part, *, half: bool) -> None:
        message = self.messages[part.place]
        text = message.text
        kept = text[part.start : part.start + part.length // 2].rpartition("\n")[0] + "\n" if half else ""
        short = replace(message, text=f"{text[: part.start]}{kept.lstrip()}{LEFT_OUT}{text[part.end :]}")
        # What a provider signed goes back to it whole, or not at all.
        self.messages[part.place] = replace(short, trace=None) if isinstance(short, Assistant) else short
