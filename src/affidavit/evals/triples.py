"""Labelled (claim, span, label) rows, as files hold them: what a verifier is measured on.

A figure is worth what its data are, so nothing here is lenient: a row that cannot be read, a label that is none, an
id that stands twice, or a file without rows stops the measuring. A measure over nothing is never a pass.
"""

import csv
import hashlib
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from affidavit.errors import UserError
from affidavit.evidence.claim import Label
from affidavit.evidence.document import BlockKind
from affidavit.evidence.frozen import freeze_fields
from affidavit.ledger.canonical import digest

LABELS = (Label.SUPPORTED, Label.PARTIAL, Label.NOT_SUPPORTED)
"""What may be true of a pair. COULD_NOT_CHECK is an answer of a verifier, not a fact about a claim and its span."""

ENDINGS = (".jsonl", ".csv")


@dataclass(frozen=True, slots=True, kw_only=True)
class Triple:
    """One labelled row. `row_id` is unique in its data set.

    `kind` is what kind of near miss it is, or is the true twin of; `twin` how a true twin says what its span says
    (verbatim, paraphrased); None where the data do not tell. `block` is what the span is on its page.
    """

    dataset: str
    row_id: str
    claim: str
    span: str
    label: Label
    kind: str | None = None
    twin: str | None = None
    block: BlockKind = BlockKind.PARAGRAPH


@dataclass(frozen=True, slots=True)
class TripleFile:
    """Which file was read: its name without folders, the sha256 of its bytes, and how many rows it gave."""

    name: str
    sha256: str
    rows: int


@dataclass(frozen=True, slots=True)
class Triples:
    """The rows of all files in order, at least one. Raises UserError for none, or where an id stands twice."""

    files: tuple[TripleFile, ...]
    rows: tuple[Triple, ...]

    def __post_init__(self) -> None:
        freeze_fields(self)
        if not self.rows:
            raise UserError("no rows to measure on: name a file of labelled claims with --data FILE")
        seen: set[tuple[str, str]] = set()
        for row in self.rows:
            key = (row.dataset, row.row_id)
            if key in seen:
                raise UserError(f"the id {row.row_id!r} stands twice in data set {row.dataset!r}; make ids unique")
            seen.add(key)

    @property
    def digest(self) -> str:
        """Of everything that decides a figure, in order: the same rows in another file format have the same digest."""
        return digest(self.rows)


def read_triples(paths: Sequence[str | Path]) -> Triples:
    """The rows of the files at `paths`; a folder stands for its .jsonl and .csv files in order of name.

    Raises UserError naming the file, the line and the field.
    """
    found: list[Path] = []
    for given in paths:
        path = Path(given).expanduser()
        found += _listed(path) if path.is_dir() else [path]
    if len({path.resolve() for path in found}) < len(found):
        raise UserError("the same file is named twice with --data; its rows would count twice")
    return _together((path.name, str(path), _bytes(path)) for path in found)


def shipped_near_misses() -> Traversable:
    """The near-miss set that comes with the package: real sentences, one edit each, beside their true twins."""
    return files("affidavit.evals") / "data" / "near_misses.jsonl"


def read_shipped() -> Triples:
    """The rows of `shipped_near_misses`. Raises UserError where this copy of the package has none."""
    file = shipped_near_misses()
    if not file.is_file():
        raise UserError("this copy of affidavit ships no near-miss set; name your own data with --data FILE")
    return _together([(file.name, file.name, file.read_bytes())])


def _listed(folder: Path) -> list[Path]:
    found = sorted(path for path in folder.iterdir() if path.suffix.lower() in ENDINGS)
    if not found:
        raise UserError(f"{folder}: no {' or '.join(ENDINGS)} file in this folder; name a file of labelled claims")
    return found


def _bytes(path: Path) -> bytes:
    if path.suffix.lower() not in ENDINGS:
        raise UserError(f"{path}: labelled claims are read from {' and '.join(ENDINGS)} files; give it that ending")
    try:
        return path.read_bytes()
    except OSError as error:
        raise UserError(f"{path}: the data cannot be read: {error.strerror or error}") from error


def _together(given: Iterator[tuple[str, str, bytes]] | Sequence[tuple[str, str, bytes]]) -> Triples:
    read: list[TripleFile] = []
    rows: list[Triple] = []
    for name, shown, body in given:
        stem = Path(name).stem
        found = [_triple(record, where, stem) for where, record in _records(name, shown, body)]
        if not found:
            raise UserError(f"{shown}: no rows; a file of labelled claims holds at least one")
        read.append(TripleFile(name, hashlib.sha256(body).hexdigest(), len(found)))
        rows += found
    return Triples(tuple(read), tuple(rows))


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


def _triple(record: Mapping[str, object], where: str, stem: str) -> Triple:
    claim, span, label = (_text(record, name, where) for name in ("claim", "span", "label"))
    if label not in [one.value for one in LABELS]:
        known = ", ".join(LABELS)
        raise UserError(f"{where}: label {label[:40]!r} is not known; write one of {known}")
    block = _optional(record, "block", where) or BlockKind.PARAGRAPH.value
    if block not in [one.value for one in BlockKind]:
        raise UserError(f"{where}: block {block[:40]!r} is not known; write one of {', '.join(BlockKind)}")
    return Triple(
        dataset=_optional(record, "dataset", where) or stem,
        row_id=_optional(record, "id", where) or where.rpartition(":")[2],
        claim=claim,
        span=span,
        label=Label(label),
        kind=_optional(record, "kind", where) or _kind_of(_optional(record, "original_label", where)),
        twin=_optional(record, "twin", where),
        block=BlockKind(block),
    )


def _kind_of(original: str | None) -> str | None:
    """The kind that a source's own label tells after its last bar: ``contradiction|antonyms``."""
    return original.rpartition("|")[2].strip() or None if original and "|" in original else None


def _text(record: Mapping[str, object], name: str, where: str) -> str:
    value = record.get(name)
    if value is None:
        raise UserError(f"{where}: no {name!r}; a row holds claim, span and label")
    if not isinstance(value, str) or not value.strip():
        raise UserError(f"{where}: {name} = {str(value)[:40]!r}: write it as text that is not empty")
    return value


def _optional(record: Mapping[str, object], name: str, where: str) -> str | None:
    value = record.get(name)
    if value is None or value == "":
        return None
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise UserError(f"{where}: {name} = {str(value)[:40]!r}: write it as text, or leave it out")
    return str(value)
