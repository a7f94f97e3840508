"""Packs and drafts over the writing assignments of the shared data."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from affidavit.evidence.fact import Category, Fact, FactState, Register
from affidavit.models.embedded import TokenCounter
from affidavit.write.boundary import Boundary, blocking
from affidavit.write.commission import Commission
from affidavit.write.memory import Memory, recall_markdown
from affidavit.write.pack import BUDGET, FACTS, Assignment, make_pack
from affidavit.write.profile import Profile

TODAY = date(2026, 11, 30)


def rows(shared: Path, name: str) -> list[dict[str, Any]]:
    text = (shared / "data/golden/dev/writer" / name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines() if line.strip()]


@pytest.fixture(scope="module")
def register(shared: Path) -> Register:
    """The facts of the data, each approved."""
    return Register(
        "18F",
        tuple(
            Fact(
                fact_id=row["id"],
                text=row["fact"],
                category=Category.NUMBERS,
                subject=row["subject"],
                value=row["value"],
                state=FactState.APPROVED,
                decided_by="Ann",
                added_by="Ann",
            )
            for row in rows(shared, "facts.jsonl")
        ),
    )


def test_every_assignments_pack_keeps_its_budget_and_its_facts(shared: Path, register: Register):
    counter = TokenCounter()
    memory = Memory.of(
        [recall_markdown(f"Piece {n}", " ".join(fact.text for fact in register.facts)) for n in range(9)]
    )
    for row in rows(shared, "assignments.jsonl"):
        profile = Profile.model_validate({"name": "18F", "tone": row["tone"], "keywords": tuple(row["keywords"])})
        assignment = Assignment(title=row["title"], notes=row["notes"], max_words=row["max_words"])
        commission = Commission.over(register, assignment, profile, today=TODAY, memory=memory)
        pack = make_pack(
            assignment,
            profile,
            facts=commission.facts,
            excluded=commission.excluded,
            memory=memory,
            count=counter.count,
        )
        assert pack.tokens <= BUDGET
        assert len(pack.facts) == min(FACTS, len(register.facts))
        assert all(fact.text in pack.text for fact in pack.facts)


def test_a_draft_made_of_the_facts_own_sentences_is_within_the_boundary(register: Register):
    draft = "# Facts\n\n" + "\n\n".join(fact.text for fact in register.facts)
    assert [issue.message for issue in blocking(Boundary.of_register(register, today=TODAY).check(draft))] == []


def test_the_same_draft_is_stopped_where_no_fact_is_approved(register: Register):
    draft = "# Facts\n\n" + "\n\n".join(fact.text for fact in register.facts)
    issues = blocking(Boundary.of_texts("18F is a team.", today=TODAY).check(draft))
    digits = [fact for fact in register.facts if any(letter.isdigit() for letter in fact.value or "")]
    assert len({issue.sentence for issue in issues}) >= 0.9 * len(digits)
