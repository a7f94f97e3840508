"""Facts and crawled pages as plain JSON, and back: how they stand in events, in blobs and in the files people edit.

What is read back is checked field by field. The words of the error are the reader's: the place, what stands there, and
what may.
"""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from datetime import date, datetime
from enum import StrEnum
from typing import Any, TypeVar, cast

from affidavit.errors import IntegrityError
from affidavit.evidence.document import Link
from affidavit.evidence.fact import Candidate, Category, Fact, FactSource, FactState
from affidavit.facts.page import CrawledPage, PageFacts, PageType
from affidavit.ledger.canonical import plain

Member = TypeVar("Member", bound=StrEnum)

FACT_FIELDS = tuple(field.name for field in fields(Fact))
_SOURCE_FIELDS = tuple(field.name for field in fields(FactSource))


class NoRecord(ValueError):
    """A value that is no record of a fact. `field` is the name of what is wrong, `detail` says what may stand there."""

    def __init__(self, field: str, detail: str) -> None:
        super().__init__(f"{field}: {detail}")
        self.field = field
        self.detail = detail


def fact_record(fact: Fact) -> dict[str, Any]:
    """`fact` with the field names of the contract (J4); `fact_of` gives it back."""
    expires = None if fact.expires is None else fact.expires.isoformat()
    said = {name: getattr(fact, name) for name in FACT_FIELDS} | {"expires": expires}
    return cast("dict[str, Any]", plain(said, fact.fact_id))


def fact_of(record: Mapping[str, Any]) -> Fact:
    """The fact of a record with every field. Raises NoRecord."""
    missing = [name for name in FACT_FIELDS if name not in record]
    if missing:
        raise NoRecord(missing[0], "is missing")
    text = _text(record, "text")
    try:
        return Fact(
            fact_id=_text(record, "fact_id"),
            text=text,
            category=read_choice(Category, record["category"], "category"),
            subject=_text(record, "subject"),
            value=_text_or_none(record, "value"),
            scope_note=_text_or_none(record, "scope_note"),
            conflict_group=_text_or_none(record, "conflict_group"),
            confidence=read_confidence(record["confidence"]),
            candidates=tuple(_texts(record, "candidates")),
            sources=tuple(source_of(one) for one in _list(record, "sources")),
            owner=_text_or_none(record, "owner"),
            state=read_choice(FactState, record["state"], "state"),
            decided_by=_text_or_none(record, "decided_by"),
            decided_at=read_moment(record["decided_at"], "decided_at"),
            added_by=_text_or_none(record, "added_by"),
            expires=read_day(record["expires"], "expires"),
        )
    except IntegrityError as error:
        raise NoRecord("fact_id", str(error)) from error


def source_of(value: object) -> FactSource:
    """The source of a record. Raises NoRecord."""
    if not isinstance(value, Mapping):
        raise NoRecord("sources", f"{value!r} is no source; each has {', '.join(_SOURCE_FIELDS)}")
    record = cast("Mapping[str, Any]", value)
    if set(record) != set(_SOURCE_FIELDS):
        raise NoRecord("sources", f"a source has the fields {', '.join(_SOURCE_FIELDS)}, not {', '.join(record)}")
    start, end = record["start"], record["end"]
    if not (isinstance(start, int) and isinstance(end, int)) or not 0 <= start < end:
        raise NoRecord("sources", f"start {start!r} and end {end!r} are no range of a text")
    texts = {name: _text(record, name, "sources") for name in ("url", "doc_id", "quote", "retrieved_at")}
    return FactSource(start=start, end=end, **texts)


def read_choice(known: type[Member], value: object, field: str) -> Member:
    """The member of an enumeration with that value. Raises NoRecord naming those there are."""
    try:
        return known(cast("str", value))
    except ValueError:
        raise NoRecord(field, f"{value!r} is not known; known: {', '.join(known)}") from None


def read_confidence(value: object) -> float:
    """A number from 0 to 1, as such or as text. Raises NoRecord."""
    try:
        found = float(cast("str", value))
    except (TypeError, ValueError):
        found = -1.0
    if isinstance(value, bool) or not 0.0 <= found <= 1.0:
        raise NoRecord("confidence", f"{value!r} is no number from 0 to 1")
    return found


def read_day(value: object, field: str) -> date | None:
    """A day such as 2027-03-31, or None for none. Raises NoRecord."""
    if value is None:
        return None
    try:
        return date.fromisoformat(cast("str", value))
    except (TypeError, ValueError):
        raise NoRecord(field, f"{value!r} is no date; write it as 2027-03-31") from None


def read_moment(value: object, field: str) -> str | None:
    """A time in UTC such as 2027-03-31T12:00:00Z, or None for none. Raises NoRecord."""
    if value is None:
        return None
    try:
        at = datetime.fromisoformat(cast("str", value))
    except (TypeError, ValueError):
        at = None
    if at is None or not cast("str", value).endswith("Z"):
        raise NoRecord(field, f"{value!r} is no time in UTC; write it as 2027-03-31T12:00:00Z")
    return cast("str", value)


def pages_record(pages: Sequence[PageFacts]) -> list[dict[str, Any]]:
    """What is known of a site's pages; `pages_of` gives it back."""
    return cast("list[dict[str, Any]]", plain(pages, "pages"))


def pages_of(records: Sequence[Mapping[str, Any]]) -> tuple[PageFacts, ...]:
    """The pages that `pages_record` wrote. Raises KeyError, TypeError or ValueError for what it did not write."""
    return tuple(_page_facts(record) for record in records)


def _page_facts(record: Mapping[str, Any]) -> PageFacts:
    page: dict[str, Any] = dict(record["page"])
    page |= {"page_type": PageType(page["page_type"]), "links": tuple(Link(**link) for link in page["links"])}
    read: dict[str, Any] = dict(record)
    read |= {"page": CrawledPage(**page), "candidates": tuple(_candidate(one) for one in record["candidates"])}
    return PageFacts(**read)


def _candidate(record: Mapping[str, Any]) -> Candidate:
    read: dict[str, Any] = dict(record)
    read |= {"category": Category(record["category"]), "source": FactSource(**record["source"])}
    return Candidate(**read)


def _text(record: Mapping[str, Any], name: str, field: str | None = None) -> str:
    value = record.get(name)
    if not isinstance(value, str) or not value.strip():
        raise NoRecord(field or name, "is empty" if value in (None, "") else f"{value!r} is no text")
    return value


def _text_or_none(record: Mapping[str, Any], name: str) -> str | None:
    return None if record[name] is None else _text(record, name)


def _list(record: Mapping[str, Any], name: str) -> Sequence[object]:
    value = record[name]
    if not isinstance(value, list):
        raise NoRecord(name, f"{value!r} is no list")
    return cast("list[object]", value)


def _texts(record: Mapping[str, Any], name: str) -> Sequence[str]:
    for one in _list(record, name):
        if not isinstance(one, str) or not one:
            raise NoRecord(name, f"{one!r} is no id")
    return record[name]
