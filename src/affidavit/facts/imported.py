"""What the rows of a file make of a register: all of them, or nothing and every fault.

A row with an id is that fact; one without is the fact of the same words, or else a new one. A fact that the file does
not name stays as it is: an import takes nothing away. Where a fact stands in its page is not a person's to say, and who
decided is whoever imports, but for a fact that the register has not got: it comes back as it was exported.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from affidavit.errors import UserError
from affidavit.evidence.fact import Fact, FactState
from affidavit.facts.decide import (
    MAX_NAME,
    MAX_TEXT,
    Step,
    Who,
    answers_for,
    check_stated,
    check_value,
    clean_text,
    folded,
    new_id,
    same_words,
    says_the_same,
)
from affidavit.facts.fact_file import Fault, Row, refuse
from affidavit.facts.history import IMPORTED, RULE, CustomerRegister
from affidavit.facts.record import FACT_FIELDS, NoRecord, fact_of, fact_record, read_choice

ID = re.compile(r"fact_[0-9a-f]{16}\Z")

_WORDS = {"text": MAX_TEXT, "subject": MAX_NAME, "value": MAX_NAME, "scope_note": MAX_TEXT, "owner": MAX_NAME}
_FIXED = ("sources", "candidates", "confidence", "conflict_group", "decided_by", "decided_at", "added_by")
"""Fields of a fact in the register that no file changes."""
_NEW: Mapping[str, Any] = {
    **dict.fromkeys(FACT_FIELDS),
    "category": "other",
    "confidence": 1.0,
    "candidates": [],
    "sources": [],
}


def imported(now: CustomerRegister, name: str, rows: Sequence[Row], who: Who) -> Step:
    """The step that imports the rows of the file `name`. Raises UserError naming the place and column of each fault."""
    faults: list[Fault] = []
    put: dict[str, Fact] = {}
    same = 0
    seen: dict[str, str] = {}
    for row in rows:
        try:
            before, after = _read(now, row, who)
        except NoRecord as error:
            faults.append(Fault(row.place, error.field, error.detail))
            continue
        if after.fact_id in seen:
            faults.append(Fault(row.place, "fact_id", f"{after.fact_id} stands in {seen[after.fact_id]} already"))
            continue
        seen[after.fact_id] = row.place
        if after == before:
            same += 1
        else:
            put[after.fact_id] = after
    faults += _clashes(now, put, seen)
    refuse(name, faults)
    told = (f"{same} of {len(rows)} are in the register already, as they are",) if same else ()
    return Step(type=IMPORTED, put=tuple(put.values()), told=told, detail={"file": name.rpartition("/")[2]})


def _read(now: CustomerRegister, row: Row, who: Who) -> tuple[Fact | None, Fact]:
    """The fact of a row as it is in the register, if it is, and as it will be. Raises NoRecord."""
    given, text = row.given, row.given.get("text")
    fact_id = given.get("fact_id")
    if fact_id is not None:
        if not isinstance(fact_id, str) or ID.match(fact_id) is None:
            raise NoRecord("fact_id", f"{fact_id!r} is no id; leave it empty for a new fact")
        known = now.fact(fact_id)
        return known, _restored(row, who) if known is None else _changed(now, known, row, given, who)
    if not isinstance(text, str) or not text.strip():
        raise NoRecord("text", "is empty")
    known = _of_these_words(now, row, text)
    if known is None:
        return None, _new(now, row, text, who)
    filled = {field: value for field, value in given.items() if value not in (None, [], "") and field != "text"}
    return known, _changed(now, known, row, filled, who)


def _of_these_words(now: CustomerRegister, row: Row, text: str) -> Fact | None:
    """The fact of the register that a row without an id means. Where several have its words, the one whose value and
    subject it has, too. Raises NoRecord where that tells no one fact."""
    several = [fact for fact in now.facts if same_words(fact.text, text)]
    told = {field: row.given.get(field) for field in ("value", "subject") if row.given.get(field)}
    fitting = [
        fact
        for fact in several
        if all(folded(str(said)) == folded(getattr(fact, field) or "") for field, said in told.items())
    ]
    if len(several) > 1 and len(fitting) != 1:
        ids = ", ".join(fact.fact_id for fact in several)
        raise NoRecord("fact_id", f"is empty, and {len(several)} facts have these words ({ids}): write which is meant")
    return fitting[0] if len(several) > 1 else next(iter(several), None)


def _changed(now: CustomerRegister, known: Fact, row: Row, given: Mapping[str, Any], who: Who) -> Fact:
    """`known` as the row has it, decided by `who` where the row decides. Raises NoRecord."""
    before = fact_record(known)
    changed = {field: value for field, value in given.items() if value != before[field]}
    if not changed:
        return known
    last = now.history[known.fact_id][-1]
    if row.revision is not None and row.revision != last.revision:
        when = f"at {last.at[:16].replace('T', ' ')} by {last.by or 'a crawl'}"
        raise NoRecord("revision", f"{known.fact_id} changed after this file was exported, {when}; export again")
    for field in _FIXED:
        if field in changed:
            raise NoRecord(field, f"no import changes that of a fact in the register{_INSTEAD.get(field, '')}")
    _check_shown(row, known)
    new = before | changed | {field: _word(field, changed[field]) for field in _WORDS if field in changed}
    if "text" in changed or "value" in changed:
        _check_stated(str(new["text"]), new["value"])
    state = read_choice(FactState, new["state"], "state")
    if state is FactState.PENDING:
        new |= {"decided_by": None, "decided_at": None}
    elif state is not known.state or answers_for(known, bool(changed.keys() - {"expires", "category"})):
        new |= {"decided_by": who.name, "decided_at": who.at}
    return fact_of(new)


def _check_shown(row: Row, known: Fact) -> None:
    """What the file shows of the page must be what the page says. Raises NoRecord."""
    first = known.sources[0] if known.sources else None
    for field, shown, said in (
        ("quote", row.quote, first and first.quote),
        ("url", row.url, first and first.url),
    ):
        if shown is not None and shown != said:
            raise NoRecord(
                field, "it says where the fact stands, and no import changes that; change text or scope_note"
            )


def _new(now: CustomerRegister, row: Row, text: str, who: Who) -> Fact:
    """A fact that whoever imports adds: approved, unless the row says otherwise. Raises NoRecord."""
    given = {field: value for field, value in row.given.items() if value not in (None, [], "")}
    for field in ("sources", "candidates"):
        if field in given:
            raise NoRecord(field, "only a fact with its id has them")
    if row.quote is not None:
        raise NoRecord("quote", "a quotation stands in a page that was read; crawl the page, or leave it out")
    new = dict(_NEW) | given | {field: _word(field, given[field]) for field in _WORDS if field in given}
    state = read_choice(FactState, given.get("state", FactState.APPROVED), "state")
    decided = (who.name, who.at) if state is not FactState.PENDING else (None, None)
    said = _word("text", text)
    assert said is not None  # it is not empty
    _check_stated(said, new["value"])
    return fact_of(
        new
        | {"fact_id": new_id(now.customer, said, who), "state": state, "added_by": who.name, "confidence": 1.0}
        | {"conflict_group": None, "decided_by": decided[0], "decided_at": decided[1]}
    )


def _restored(row: Row, who: Who) -> Fact:
    """A fact that the register has not got, as it was exported. Raises NoRecord."""
    given = dict(_NEW) | dict(row.given)
    state = read_choice(FactState, given.get("state") or FactState.PENDING, "state")
    given |= {"state": state, "category": given["category"] or "other", "confidence": given["confidence"] or 0.0}
    if state is FactState.PENDING:
        for field in ("decided_by", "decided_at"):
            if given[field] is not None:
                raise NoRecord(field, "nobody has decided on what is pending; leave it empty")
    elif given["decided_by"] is None:
        given |= {"decided_by": who.name, "decided_at": who.at}
    if not given["sources"] and given["added_by"] is None:
        given["added_by"] = who.name
    fact = fact_of(given)
    for source in fact.sources:
        if len(source.quote) != source.end - source.start:
            raise NoRecord("sources", f"{len(source.quote)} characters are quoted as {source.start} to {source.end}")
    if row.quote is not None or row.url is not None:
        _check_shown(row, fact)
    return fact


def _word(field: str, value: object) -> str | None:
    """`value` as a person may write it. Raises NoRecord."""
    if value is None and field in ("value", "scope_note", "owner"):
        return None
    if not isinstance(value, str):
        raise NoRecord(field, "is empty" if value is None else f"{value!r} is no text")
    try:
        text = clean_text(value, "it", _WORDS[field])
        return check_value(text, "it") if field == "value" else text
    except UserError as error:
        raise NoRecord(field, str(error)) from error


def _check_stated(text: str, value: str | None) -> None:
    """Raises NoRecord where the text of a row does not have its value."""
    try:
        check_stated(text, value)
    except UserError as error:
        raise NoRecord("value", str(error)) from error


def _clashes(now: CustomerRegister, put: Mapping[str, Fact], places: Mapping[str, str]) -> list[Fault]:
    """What the facts of a file cannot be together, or beside those of the register."""
    faults: list[Fault] = []
    facts = {fact.fact_id: fact for fact in now.facts} | dict(put)
    of_words: dict[str, list[Fact]] = defaultdict(list)
    for fact in facts.values():
        others = of_words[folded(fact.text)]
        same = next((other.fact_id for other in others if says_the_same(fact, other)), None)
        others.append(fact)
        if same is not None and (mine := fact.fact_id if fact.fact_id in put else same) in put:
            faults.append(Fault(places[mine], "text", f"{same if mine != same else fact.fact_id} says the same"))
    for fact in put.values():
        before = now.fact(fact.fact_id)
        decides = fact.state is FactState.APPROVED and (before is None or before.state is not FactState.APPROVED)
        if not decides or fact.conflict_group is None or fact.decided_by == RULE:
            continue
        rivals = [one for one in facts.values() if one.conflict_group == fact.conflict_group and one is not fact]
        if before is not None and any(one.state is not FactState.REJECTED for one in rivals):
            detail = f"{fact.fact_id} is in conflict {fact.conflict_group}; decide it with `affidavit facts resolve`"
            faults.append(Fault(places[fact.fact_id], "state", detail))
    return faults


_INSTEAD: Mapping[str, str] = {
    "conflict_group": "; decide a conflict with `affidavit facts resolve`",
    "sources": "; crawl the page",
    "decided_by": "; whoever imports decides (--as)",
    "decided_at": "; it is the time of the import",
}
