"""A register as a file that people edit in a spreadsheet (CSV) or programs write (JSON), and back as rows to import.

    fact_id,revision,state,category,subject,text,value,…
    fact_0b7c…,4,approved,presence,office,Forty-five offices,45,…

What is exported and imported again is the same, to the character. A spreadsheet runs what begins with ``=`` or its kin
as a formula, and a fact's text comes from a web page: so such a cell is written behind an apostrophe, which marks text
in every spreadsheet, and the reader takes that one apostrophe off.
"""

import csv
import difflib
import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from affidavit.errors import UserError
from affidavit.evidence.fact import Fact
from affidavit.facts.record import FACT_FIELDS, fact_record

COLUMNS = (
    "fact_id",
    "revision",
    "state",
    "category",
    "subject",
    "text",
    "value",
    "scope_note",
    "conflict_group",
    "confidence",
    "owner",
    "expires",
    "quote",
    "url",
    "decided_by",
    "decided_at",
    "added_by",
    "candidates",
    "sources",
)
"""`revision` is when the fact last changed: a row exported before that is not imported over it. `quote` and `url` are
those of the first source, for whoever reads the file; all of them are in `sources`, as JSON."""

LARGEST = 8 * 1024 * 1024
"""Bytes of a file that is read."""
MOST_ROWS = 5_000
SHOWN = 6
"""Faults of a file that are told; the others are counted."""

UNKNOWN_COLUMN = "no such column is known"
"""Of a column whose name is like none: then all names are told, once."""

# OWASP's list of what begins a formula, with the full-width forms that some spreadsheets take for the same.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_GUARD = "'"
_LOWER = ("state", "category")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One fact of a file. `place` says where it stands ("line 3"), `given` holds the fields that the file has, as they
    stand in a record; a cell that is empty is None."""

    place: str
    given: Mapping[str, Any]
    revision: int | None = None
    quote: str | None = None
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a file, and where: the place of the row and the column."""

    place: str
    column: str | None
    detail: str

    def __str__(self) -> str:
        column = "" if self.column is None else f", column {self.column}"
        return f"{self.place}{column}: {self.detail}"


class FaultyFile(UserError):
    """A file of which nothing is imported. `lead` says so, and `told` has what a person is told of it, line by line."""

    def __init__(self, lead: str, told: Sequence[str]) -> None:
        super().__init__("\n  ".join([lead, *told]))
        self.lead = lead
        self.told = tuple(told)


def refuse(name: str, faults: Sequence[Fault]) -> None:
    """Raises FaultyFile where a file has faults: nothing of it is imported."""
    if not faults:
        return
    told = [str(fault) for fault in faults[:SHOWN]]
    if len(faults) > SHOWN:
        told.append(f"and {len(faults) - SHOWN} more")
    if any(fault.detail == UNKNOWN_COLUMN for fault in faults):
        told.append(f"the columns are {', '.join(COLUMNS)}")
    many = "1 fault" if len(faults) == 1 else f"{len(faults)} faults"
    raise FaultyFile(f"{name}: {many}, so nothing is imported", told)


def facts_csv(facts: Iterable[Fact], revisions: Mapping[str, int]) -> str:
    """`facts` as CSV, with a byte-order mark, without which Excel takes UTF-8 for another character set."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for fact in facts:
        record: dict[str, Any] = fact_record(fact)
        first = fact.sources[0] if fact.sources else None
        record |= {
            "revision": revisions.get(fact.fact_id),
            "candidates": " ".join(fact.candidates),
            "sources": json.dumps(record["sources"], ensure_ascii=False) if fact.sources else None,
            "quote": first.quote if first else None,
            "url": first.url if first else None,
        }
        writer.writerow(["" if record[name] is None else _guarded(str(record[name])) for name in COLUMNS])
    return "\ufeff" + out.getvalue()


def read_rows(name: str, body: bytes) -> tuple[Row, ...]:
    """The rows of a file that was exported or written by hand: JSON where it is an object or a list, else CSV.

    Raises UserError that names each fault's line and column.
    """
    if len(body) > LARGEST:
        raise UserError(f"{name}: {len(body):,} bytes; a register has at most {LARGEST // 1024 // 1024} MiB")
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = body[: error.start].count(b"\n") + 1
        raise UserError(f"{name}, line {line}: not UTF-8; save it as CSV UTF-8 and import that") from None
    rows = _json_rows(name, text) if text.lstrip()[:1] in ("{", "[") else _csv_rows(name, text)
    if not rows:
        raise UserError(f"{name}: no facts in it")
    if len(rows) > MOST_ROWS:
        raise UserError(f"{name}: {len(rows):,} facts; at most {MOST_ROWS:,} are read: split the file")
    return rows


def _json_rows(name: str, text: str) -> tuple[Row, ...]:
    try:
        whole = json.loads(text)
    except ValueError as error:
        raise UserError(f"{name}: not valid JSON: {error}") from error
    listed = cast("Mapping[str, Any]", whole).get("facts") if isinstance(whole, dict) else whole
    if not isinstance(listed, list):
        raise UserError(f'{name}: write a list of facts, or an object with one under "facts"')
    faults: list[Fault] = []
    rows: list[Row] = []
    for number, one in enumerate(cast("list[object]", listed)):
        place = f"facts[{number}]"
        if not isinstance(one, dict):
            faults.append(Fault(place, None, f"{one!r} is no fact"))
            continue
        record = cast("dict[str, Any]", one)
        faults += [Fault(place, key, "no such field is known") for key in record if key not in _JSON_FIELDS]
        revision = record.get("revision")
        if revision is not None and (not isinstance(revision, int) or isinstance(revision, bool)):
            faults.append(Fault(place, "revision", f"{revision!r} is no whole number"))
            continue
        given = {key: value for key, value in record.items() if key in FACT_FIELDS}
        rows.append(Row(place=place, given=given, revision=revision))
    refuse(name, faults)
    return tuple(rows)


_JSON_FIELDS = (*FACT_FIELDS, "revision", "contested", "usable")
"""Those of a register's JSON: the last two follow from the others and are not read."""


def _csv_rows(name: str, text: str) -> tuple[Row, ...]:
    head = text.partition("\n")[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(head), strict=True)
    faults: list[Fault] = []
    rows: list[Row] = []
    columns: list[str] = []
    ended = 0
    try:
        for cells in reader:
            place = f"line {ended + 1}"
            ended = reader.line_num
            if not any(cell.strip() for cell in cells):
                continue
            if not columns:
                columns = [cell.strip().lower().replace(" ", "_") for cell in cells]
                faults += _column_faults(place, columns)
                if faults:
                    break
            elif len(cells) != len(columns):
                faults.append(Fault(place, None, f"{len(cells)} cells, and there are {len(columns)} columns"))
            else:
                rows += _csv_row(place, dict(zip(columns, cells, strict=True)), faults)
    except csv.Error as error:
        raise UserError(f"{name}, line {reader.line_num}: not CSV: {error}; nothing is imported") from error
    refuse(name, faults)
    return tuple(rows)


def _delimiter(head: str) -> str:
    """What parts the cells: a spreadsheet writes semicolons or tabs where its language has commas in numbers."""
    return max(",;\t", key=head.count)


def _column_faults(place: str, columns: Sequence[str]) -> list[Fault]:
    faults: list[Fault] = []
    for number, column in enumerate(columns):
        if column not in COLUMNS:
            close = difflib.get_close_matches(column, COLUMNS, 1)
            detail = f"no such column is known; did you mean {close[0]}?" if close else UNKNOWN_COLUMN
            faults.append(Fault(place, repr(column), detail))
        elif column in columns[:number]:
            faults.append(Fault(place, column, "there are two of it"))
    if not faults and "fact_id" not in columns and "text" not in columns:
        faults.append(Fault(place, None, "no column fact_id and none of text; the first line names the columns"))
    return faults


def _csv_row(place: str, cells: Mapping[str, str], faults: list[Fault]) -> list[Row]:
    """The row of `cells`, or none and one more fault."""
    values = {name: _unguarded(cell) or None for name, cell in cells.items()}
    given: dict[str, Any] = {name: value for name, value in values.items() if name in FACT_FIELDS}
    for name in _LOWER:
        if given.get(name) is not None:
            given[name] = str(given[name]).strip().lower()
    revision: int | None = None
    for name, read, wanted in _TYPED:
        try:
            if name == "revision":
                revision = None if values.get(name) is None else int(str(values[name]))
            elif name in given:
                given[name] = read(given[name])
        except ValueError:
            faults.append(Fault(place, name, f"{str(values[name])[:60]!r} is no {wanted}"))
            return []
    return [Row(place=place, given=given, revision=revision, quote=values.get("quote"), url=values.get("url"))]


_TYPED: Sequence[tuple[str, Callable[[str | None], object], str]] = (
    ("revision", str, "whole number"),
    ("confidence", lambda cell: None if cell is None else float(cell), "number from 0 to 1, with a point"),
    ("candidates", lambda cell: (cell or "").split(), "list of ids"),
    ("sources", lambda cell: json.loads(cell or "[]"), "JSON that an export writes"),
)
"""The columns that are no text, how each is read, and what it should be."""


def _guarded(cell: str) -> str:
    """`cell` as no spreadsheet runs it. A cell that already begins like a guarded one gets a guard too, so that
    `_unguarded` gives back exactly what was given."""
    guards = cell.startswith(_FORMULA) or (cell.startswith(_GUARD) and cell[1:].startswith((*_FORMULA, _GUARD)))
    return _GUARD + cell if guards else cell


def _unguarded(cell: str) -> str:
    return cell[1:] if cell.startswith(_GUARD) and cell[1:].startswith((*_FORMULA, _GUARD)) else cell
