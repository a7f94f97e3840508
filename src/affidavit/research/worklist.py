"""A file of things to ask, one a line, that a person can edit: what ``check --unsourced`` writes, ``ask --from`` reads.

    # draft.md, sentence 3, after “The harbour bridge was opened in 1902.”
    The bridge carries 40 tonnes.
    ! A record that gives another load.

A line is a question, or a sentence to find sources for; a line that begins with ``!`` says what would refute the one
above it, which makes that a claim to be tested. Lines that begin with ``#`` are remarks: those right above a line are
shown beside its answer. A backslash before the first character takes its meaning away. A line may also be a JSON object
with `text` (or `question`, or `claim`), and with `falsifier` and `context` as it likes.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, cast

from affidavit.errors import UserError
from affidavit.research.ask import Ask

MOST = 1000
"""Lines that are asked. A longer file is no list that a person wrote."""
_MARKS = ("#", "!", "\\", "{")


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One thing to ask. `line` is its place in the file, from 1; 0 for an item that was not read from one."""

    text: str
    falsifier: str | None = None
    context: str = ""
    line: int = 0

    def ask(self) -> Ask:
        """The question, or the claim where something would refute it. Raises UserError, NotResearchable."""
        if self.falsifier is None:
            return Ask(question=self.text)
        return Ask(claim=self.text, falsifier=self.falsifier)


def read_items(name: str, source: str) -> tuple[Item, ...]:
    """The items of the file `name`, whose text is `source`, in order. Raises UserError, which names the line."""
    items: list[Item] = []
    remarks: list[str] = []
    for number, raw in enumerate(source.removeprefix("\ufeff").splitlines(), start=1):
        text = raw.strip()
        if text.startswith("#"):
            remarks.append(text.lstrip("#").strip())
            continue
        if text.startswith("!"):
            items.append(_refuted(name, number, text[1:].strip(), items))
        elif text:
            items.append(_item(name, number, text, " ".join(filter(None, remarks))))
        remarks = []
    if len(items) > MOST:
        raise UserError(f"{name}: {len(items):,} lines to ask; at most {MOST:,} are: split the file")
    return tuple(items)


def write_items(items: Iterable[Item], head: str = "") -> str:
    """The file of `items`, with `head` as remarks at its top. `read_items` reads them back."""
    parts = ["".join(f"# {line}\n" for line in head.splitlines())] if head else []
    for item in items:
        lines = [f"# {_one_line(item.context)}"] if item.context else []
        lines.append(_escaped(item.text))
        if item.falsifier is not None:
            lines.append(f"! {_one_line(item.falsifier)}")
        parts.append("".join(f"{line}\n" for line in lines))
    return "\n".join(parts)


def _refuted(name: str, number: int, falsifier: str, items: list[Item]) -> Item:
    """The item above, with its falsifier."""
    if not items or items[-1].falsifier is not None:
        raise UserError(f"{name}, line {number}: what would refute a claim stands right under it; there is none above")
    above = items.pop()
    return Item(text=above.text, falsifier=falsifier, context=above.context, line=above.line)


def _item(name: str, number: int, text: str, context: str) -> Item:
    if text.startswith("{"):
        return _from_json(name, number, text, context)
    return Item(text=text.removeprefix("\\"), context=context, line=number)


def _from_json(name: str, number: int, text: str, context: str) -> Item:
    try:
        read: Any = json.loads(text)
    except json.JSONDecodeError as error:
        raise UserError(f"{name}, line {number}: begins with a brace and is not JSON: {error.msg}") from error
    fields = cast("dict[str, Any]", read)
    said = [fields[key] for key in ("text", "question", "claim") if key in fields]
    given = [*said, fields.get("falsifier") or "", fields.get("context") or ""]
    if len(said) != 1 or not all(isinstance(one, str) for one in given) or not said[0].strip():
        raise UserError(f"{name}, line {number}: give one of text, question and claim, as a string")
    falsifier = fields.get("falsifier") or None
    return Item(text=_one_line(said[0]), falsifier=falsifier, context=fields.get("context") or context, line=number)


def _escaped(text: str) -> str:
    line = _one_line(text)
    return f"\\{line}" if line.startswith(_MARKS) else line


def _one_line(text: str) -> str:
    return " ".join(text.split())
