"""JSON as small models write it: read by a parser that knows their mistakes, never by patterns.

Taken beside JSON proper: single quotes, a comma before a closing bracket, Python's True, False and None, names without
quotes as keys, line breaks inside a string. Each is told in `Read.repairs`. What could be read in two ways is refused:
a key that comes twice with two values, an object that ends before it is closed.
"""

import json
import math
from dataclasses import dataclass, field
from typing import NoReturn

_SPACE = " \t\r\n"
_CLOSES = {'"': '"', "'": "'", "“": "”", "‘": "’"}
_WORDS: dict[str, object] = {
    "true": True,
    "false": False,
    "null": None,
    "True": True,
    "False": False,
    "None": None,
}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_DEEPEST = 64


class NotJson(ValueError):
    """Why a text cannot be read as one JSON value; the message is meant for the model that wrote it."""


@dataclass(frozen=True, slots=True)
class Read:
    """A value, the index in the text after it, and what had to be overlooked to read it."""

    value: object
    end: int
    repairs: tuple[str, ...]


def read_value(text: str, start: int = 0) -> Read:
    """The value that begins at `start`, which is no white space. Raises NotJson."""
    reader = _Reader(text, start)
    value = reader.value(0)
    return Read(value, reader.at, tuple(dict.fromkeys(reader.repairs)))


@dataclass(slots=True)
class _Reader:
    text: str
    at: int
    repairs: list[str] = field(default_factory=list[str])

    def value(self, depth: int) -> object:
        if depth > _DEEPEST:
            self._fail(f"it is nested more than {_DEEPEST} deep")
        match self._peek():
            case "{":
                return self._object(depth)
            case "[":
                return self._array(depth)
            case quote if quote in _CLOSES:
                return self._string()
            case _:
                return self._word()

    def _object(self, depth: int) -> dict[str, object]:
        found: dict[str, object] = {}
        self.at += 1
        if self._peek_after_space() == "{":  # an object is never a key: the braces were doubled, as in a template
            found = self._object(depth + 1)
            self._expect("}")
            self.repairs.append("the braces were doubled")
            return found
        while self._peek_after_space() != "}":
            key = self._string() if self._peek() in _CLOSES else self._name()
            self._expect(":")
            self._space()
            value = self.value(depth + 1)
            if key in found:
                if not _same(found[key], value):
                    self._fail(f"the key {key!r} comes twice, with two values")
                self.repairs.append("a key came twice")
            found[key] = value
            self._comma("}")
        self.at += 1
        return found

    def _array(self, depth: int) -> list[object]:
        found: list[object] = []
        self.at += 1
        while self._peek_after_space() != "]":
            found.append(self.value(depth + 1))
            self._comma("]")
        self.at += 1
        return found

    def _comma(self, closing: str) -> None:
        if self._peek_after_space() == ",":
            self.at += 1
            if self._peek_after_space() == closing:
                self.repairs.append("a comma stood before a closing bracket")
        elif self._peek() != closing:
            self._fail(f"a comma or {closing!r} is missing")

    def _string(self) -> str:
        quote = self._peek()
        closing = _CLOSES[quote]
        if quote != '"':
            self.repairs.append(f"a text stood in {quote}{closing}")
        self.at += 1
        parts: list[str] = []
        while (character := self._peek()) != closing:
            if character == "":
                self._fail("a text is not closed")
            self.at += 1
            if character == "\\":
                parts.append(self._escape())
            else:
                if character in "\r\n":
                    self.repairs.append("a line broke inside a text")
                parts.append(character)
        self.at += 1
        # surrogates that were escaped one by one, joined again
        return "".join(parts).encode("utf-16", "surrogatepass").decode("utf-16", "replace")

    def _escape(self) -> str:
        character = self._peek()
        self.at += 1
        if character != "u":
            return _ESCAPES.get(character, character)
        digits = self.text[self.at : self.at + 4]
        if len(digits) != 4 or not all(one in "0123456789abcdefABCDEF" for one in digits):
            self._fail("\\u must be followed by four hexadecimal digits")
        self.at += 4
        return chr(int(digits, 16))

    def _name(self) -> str:
        begin = self.at
        while (character := self._peek()) and (character.isalnum() or character in "_-$"):
            self.at += 1
        if begin == self.at:
            self._fail("a key is missing")
        self.repairs.append("a key stood without quotes")
        return self.text[begin : self.at]

    def _word(self) -> object:
        begin = self.at
        while (character := self._peek()) and character not in ",]}:" + _SPACE:
            self.at += 1
        word = self.text[begin : self.at]
        if word in _WORDS:
            if word[0].isupper():
                self.repairs.append(f"{word} stood for {json.dumps(_WORDS[word])}")
            return _WORDS[word]
        try:
            number = json.loads(word)
        except ValueError:
            self._fail(f"{word[:40]!r} is no JSON value" if word else "a value is missing")
        if isinstance(number, float) and not math.isfinite(number):
            self._fail(f"{word[:40]} is no number of JSON")
        return number

    def _expect(self, character: str) -> None:
        if self._peek_after_space() != character:
            self._fail(f"{character!r} is missing")
        self.at += 1

    def _peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def _peek_after_space(self) -> str:
        self._space()
        return self._peek()

    def _space(self) -> None:
        while self.at < len(self.text) and self.text[self.at] in _SPACE:
            self.at += 1

    def _fail(self, why: str) -> NoReturn:
        if self.at >= len(self.text):
            raise NotJson(f"it ends before it is complete ({why})")
        raise NotJson(f"{why}, at {self.text[max(0, self.at - 20) : self.at + 20]!r}")


def _same(one: object, other: object) -> bool:
    """Equal as JSON, where true is not 1."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
