"""Files of labelled rows, one record a line, as every suite reads them; or folders, where a record has its own texts.

A figure is worth what its data are, so nothing here is lenient: a file that cannot be read, a line that is no record,
or a file without rows stops the measuring, named with its line.
"""

import csv
import hashlib
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from affidavit.errors import UserError
from affidavit.evals.record_folders import folder_records

ENDINGS = (".jsonl", ".csv")

Record = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class DataFile:
    """Which file was read: its name without folders, the sha256 of its bytes, and how many rows it gave. A folder of
    records that are folders is told like a file, its hash over all files in it."""

    name: str
    sha256: str
    rows: int


@dataclass(frozen=True, slots=True)
class Placed:
    """A record and its ``file:line``, or its folder. `stem` is the file's name without its ending."""

    where: str
    stem: str
    record: Record


@dataclass(frozen=True, slots=True)
class Records:
    files: tuple[DataFile, ...]
    rows: tuple[Placed, ...]


def read_records(paths: Sequence[str | Path]) -> Records:
    """The records of the files at `paths`; a folder stands for its .jsonl and .csv files in order of name, or, where it
    has none, for the records that are folders.

    Raises UserError naming the file and the line.
    """
    found: list[Path] = []
    in_folders: list[Path] = []
    for given in paths:
        path = Path(given).expanduser()
        listed = _listed(path) if path.is_dir() else [path]
        found += listed
        in_folders += [] if listed else [path]
    if len({path.resolve() for path in (*found, *in_folders)}) < len(found) + len(in_folders):
        raise UserError("the same file is named twice with --data; its rows would count twice")
    together = _together((path.name, str(path), _bytes(path)) for path in found)
    return _joined([together, *(_of_folder(path, str(path)) for path in in_folders)])


def shipped_file(name: str) -> Traversable:
    """The data file of that name that comes with the package."""
    return files("affidavit.evals") / "data" / name


def read_shipped_records(name: str) -> Records:
    """The records of `shipped_file`. Raises UserError where this copy of the package has none."""
    file = shipped_file(name)
    if file.is_dir():
        return _of_folder(file, name)
    if not file.is_file():
        raise UserError(f"this copy of affidavit ships no {name}; name your own data with --data FILE")
    return _together([(file.name, file.name, file.read_bytes())])


def _listed(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.suffix.lower() in ENDINGS)


def _of_folder(folder: Traversable, shown: str) -> Records:
    found = list(folder_records(folder))
    if not found:
        raise UserError(f"{shown}: no {' or '.join(ENDINGS)} file in this folder; name a file of labelled rows")
    sets: dict[str, list[bytes]] = {}
    for path, seen, _ in found:
        sets.setdefault(f"{folder.name}/{path.rpartition('/')[0]}".rstrip("/"), []).append(seen)
    return Records(
        tuple(DataFile(name, hashlib.sha256(b"".join(seen)).hexdigest(), len(seen)) for name, seen in sets.items()),
        tuple(Placed(path, folder.name, record) for path, _, record in found),
    )


def _joined(parts: Sequence[Records]) -> Records:
    return Records(
        tuple(file for part in parts for file in part.files), tuple(row for part in parts for row in part.rows)
    )


def _bytes(path: Path) -> bytes:
    if path.suffix.lower() not in ENDINGS:
        raise UserError(f"{path}: labelled rows are read from {' and '.join(ENDINGS)} files; give it that ending")
    try:
        return path.read_bytes()
    except OSError as error:
        raise UserError(f"{path}: the data cannot be read: {error.strerror or error}") from error


def _together(given: Iterable[tuple[str, str, bytes]]) -> Records:
    read: list[DataFile] = []
    rows: list[Placed] = []
    for name, shown, body in given:
        stem = Path(name).stem
        found = [Placed(where, stem, record) for where, record in _records(name, shown, body)]
        if not found:
            raise UserError(f"{shown}: no rows; a file of labelled rows holds at least one")
        read.append(DataFile(name, hashlib.sha256(body).hexdigest(), len(found)))
        rows += found
    return Records(tuple(read), tuple(rows))


def _records(name: str, shown: str, body: bytes) -> Iterator[tuple[str, Mapping[str, object]]]:
    """Each record with its ``file:line``."""
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = body.count(b"\n", 0, error.start) + 1
        raise UserError(f"{shown}:{line}: not UTF-8 (byte {error.start} of the file); save it as UTF-8") from None
    return _csv(shown, text) if name.lower().endswith(".csv") else _json_lines(shown, text)


def _json_lines(shown: str, text: str) -> Iterator[tuple[str, Mapping[str, object]]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        where = f"{shown}:{number}"
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise UserError(f"{where}: not JSON ({error}); write one object a line") from None
        if not isinstance(record, dict):
            raise UserError(f"{where}: {type(record).__name__} is no row; write one object a line")
        yield where, record


def _csv(shown: str, text: str) -> Iterator[tuple[str, Mapping[str, object]]]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    names: list[str] = []
    line = 1
    try:
        for cells in reader:
            where = f"{shown}:{line}"  # the record's first line; a quoted cell may hold more
            line = reader.line_num + 1
            if not names:
                names = [cell.strip() for cell in cells]
            elif len(cells) > len(names):
                raise UserError(f"{where}: more cells than the first line has names; quote cells that hold commas")
            elif cells:
                # An empty cell says nothing, as one that is missing at the line's end.
                yield where, {name: cell for name, cell in zip(names, cells, strict=False) if cell}
    except csv.Error as error:
        raise UserError(f"{shown}:{line}: not CSV: {error}") from None
