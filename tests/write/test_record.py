"""A commission in the ledger is the commission."""

import json
from dataclasses import replace
from datetime import date

import pytest

from affidavit.errors import NotRecorded
from affidavit.evidence.fact import FactSource, FactState
from affidavit.write.memory import Memory, recall_markdown
from affidavit.write.pack import SourceNote
from affidavit.write.pieces import remembered
from affidavit.write.profile import Profile
from affidavit.write.record import commission_from_json, commission_json

from .conftest import make_fact


def test_what_is_written_is_read_back_whole(commission):
    source = FactSource(
        url="https://h.example/", doc_id="doc_1", start=1, end=5, quote="91 ", retrieved_at="2026-01-01"
    )
    facts = (
        make_fact(1, "One.", expires=date(2027, 1, 1), sources=(source,), owner="Acme", candidates=("c1",)),
        make_fact(2, "Two.", state=FactState.PENDING, decided_by=None, conflict_group="g"),
    )
    whole = commission(
        memory=Memory.of([recall_markdown("Old", "We had 91 boats in the bay.", "https://h.example/old")]),
        sources=[SourceNote(title="About", url=None, summary="So.")],
        profile=Profile.model_validate({"name": "Harbour", "keywords": ("a", "b")}),
        prompt="Write.\r\n",
        max_words=300,
    )
    whole = replace(whole, facts=facts[:1], withheld=facts[1:], draft="# T\n")
    said = json.loads(json.dumps(commission_json(whole)))
    assert said["memory"] == [one.memory_id for one in whole.memory.pieces]
    assert commission_from_json(said, lambda _customer, ids: whole.memory if ids else Memory()) == whole


def test_a_record_that_has_its_earlier_pieces_whole_is_read_too(commission):
    whole = commission(memory=Memory.of([recall_markdown("Old", "We had 91 boats in the bay.")]))
    said = commission_json(whole) | {"memory": [remembered(one) for one in whole.memory.pieces]}
    assert commission_from_json(json.loads(json.dumps(said)), lambda _customer, _ids: Memory()) == whole


def test_another_shape_is_said_to_be_one(commission):
    said = commission_json(commission())
    del said["today"]
    with pytest.raises(NotRecorded, match="not as this version records one"):
        commission_from_json(said, lambda _customer, _ids: Memory())


def test_only_what_may_be_used_is_a_fact_of_it(commission, register):
    pending = {"state": FactState.PENDING, "decided_by": None}
    more = (
        make_fact(5, "Harbour has 2 docks.", expires=date(2026, 11, 29)),
        make_fact(6, "Harbour has 6 docks.", conflict_group="docks", **pending),
        make_fact(7, "Harbour has 9 cranes.", **pending),
    )
    whole = commission(register=replace(register, facts=(*register.facts, *more)))
    assert [fact.fact_id for fact in whole.facts] == ["fact_0001", "fact_0002", "fact_0003"]
    assert [fact.fact_id for fact in whole.excluded] == ["fact_0004", "fact_0006", "fact_0005"]
