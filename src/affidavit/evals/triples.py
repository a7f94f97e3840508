"""Labelled (claim, span, label) rows, as files hold them: what a verifier is measured on.

A figure is worth what its data are, so nothing here is lenient: a row that cannot be read, a label that is none, an
id that stands twice, or a file without rows stops the measuring. A measure over nothing is never a pass.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from pathlib import Path

from affidavit.errors import UserError
from affidavit.evals.records import DataFile, Records, read_records, read_shipped_records, shipped_file
from affidavit.evidence.claim import Label
from affidavit.evidence.document import BlockKind
from affidavit.evidence.frozen import freeze_fields
from affidavit.ledger.canonical import digest

LABELS = (Label.SUPPORTED, Label.PARTIAL, Label.NOT_SUPPORTED)
"""What may be true of a pair. COULD_NOT_CHECK is an answer of a verifier, not a fact about a claim and its span."""

NEAR_MISSES = "near_misses.jsonl"
LABELLED = "labelled.jsonl"
SHIPPED = (NEAR_MISSES, LABELLED)
"""Edited one word at a time, and worded freely by hand."""


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
class Triples:
    """The rows of all files in order, at least one. Raises UserError for none, or where an id stands twice."""

    files: tuple[DataFile, ...]
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
    return triples_of(read_records(paths))


def shipped_near_misses() -> Traversable:
    """The near-miss set that comes with the package: real sentences, one edit each, beside their true twins."""
    return shipped_file(NEAR_MISSES)


def read_shipped() -> Triples:
    """The rows of all files of `SHIPPED`, each a data set. Raises UserError where one of them does not ship."""
    read = [triples_of(read_shipped_records(name)) for name in SHIPPED]
    return Triples(
        tuple(file for one in read for file in one.files),
        tuple(row for one in read for row in one.rows),
    )


def triples_of(read: Records) -> Triples:
    """Raises UserError naming the file, the line and the field of a row that is none."""
    return Triples(read.files, tuple(_triple(row.record, row.where, row.stem) for row in read.rows))


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
