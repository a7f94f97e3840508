"""A customer to write for, and the models that write and review, as scripts."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date

import pytest

from affidavit.errors import ModelFailure, ModelFailureKind
from affidavit.evidence.fact import Category, Fact, FactState, Register
from affidavit.ledger.canonical import canonical
from affidavit.models.scripted import Answer, ScriptedModel, said
from affidavit.models.structured import Structured
from affidavit.write.author import Author
from affidavit.write.commission import Commission
from affidavit.write.loop import Desk
from affidavit.write.memory import Memory
from affidavit.write.pack import Assignment
from affidavit.write.profile import Profile
from affidavit.write.reviewer import Reviewer

TODAY = date(2026, 11, 30)


def make_fact(number: int, text: str, subject: str = "firm", value: str | None = None, **fields: object) -> Fact:
    given = {
        "fact_id": f"fact_{number:04}",
        "text": text,
        "category": Category.NUMBERS,
        "subject": subject,
        "value": value,
        "state": FactState.APPROVED,
        "decided_by": "Ann",
        "added_by": "Ann",
    }
    return Fact(**{**given, **fields})


@pytest.fixture
def fact() -> Callable[..., Fact]:
    return make_fact


@pytest.fixture
def register() -> Register:
    """Harbour: two counts of countries, a founding year, a figure that was rejected."""
    return Register(
        "Harbour",
        (
            make_fact(1, "Harbour has offices in 45 countries.", "offices", "45"),
            make_fact(
                2,
                "Harbour has placed candidates in 91 countries.",
                "placements",
                "91",
                scope_note="placements, not offices",
            ),
            make_fact(3, "Harbour was founded in 1978.", "founding", "1978", category=Category.HISTORY),
            make_fact(4, "Harbour has 800 staff.", "staff", "800", state=FactState.REJECTED),
        ),
    )


@dataclass
class Heard:
    """A log that keeps what it is told, if the ledger could."""

    run_id: str = "run_1"
    events: list[tuple[str, object]] = field(default_factory=list)

    def record(self, event_type: str, payload: object) -> int:
        canonical(payload)
        self.events.append((event_type, payload))
        return len(self.events)

    def of(self, event_type: str) -> list[object]:
        return [payload for name, payload in self.events if name == event_type]


class Words:
    name = "words"

    def count(self, text: str) -> int:
        return len(text.split())


def verdict(*issues: tuple[str, str, str, str], passed: bool | None = None, summary: str = "Read.") -> Answer:
    """A reviewer's reply; each issue is code, severity, sentence, reason."""
    rows = [dict(zip(("code", "severity", "sentence", "reason"), issue, strict=True)) for issue in issues]
    blocks = any(issue[1] == "block" and issue[0] != "needs_sources" for issue in issues)
    return said(json.dumps({"issues": rows, "summary": summary, "passed": (not blocks) if passed is None else passed}))


@dataclass
class Bench:
    """A desk with scripted models; `writer` and `reviewer` are None where nobody does it."""

    desk: Desk
    log: Heard
    writer: ScriptedModel | None
    reviewer: ScriptedModel | None


def make_bench(drafts: list[Answer | str] | None, verdicts: list[Answer] | None, prompt: str = "Write.") -> Bench:
    log = Heard()
    replies = None if drafts is None else [said(one) if isinstance(one, str) else one for one in drafts]
    writer = None if replies is None else ScriptedModel(replies, name="script:writer")
    reviewer = None if verdicts is None else ScriptedModel(verdicts, name="script:reviewer")
    desk = Desk(
        log=log,
        counter=Words(),
        author=None if writer is None else Author(Structured(writer), prompt),
        reviewer=None if reviewer is None else Reviewer(Structured(reviewer)),
    )
    return Bench(desk, log, writer, reviewer)


@pytest.fixture
def bench() -> Callable[..., Bench]:
    """``bench(drafts, verdicts)``: what the writer and the reviewer will say."""
    return make_bench


@pytest.fixture
def review() -> Callable[..., Answer]:
    return verdict


@pytest.fixture
def commission(register: Register) -> Callable[..., Commission]:
    """``commission(draft=…, memory=…, max_words=…, notes=…)`` over Harbour's register."""

    def make(*, max_words: int | None = None, notes: str = "Say where we are.", **fields: object) -> Commission:
        return Commission.over(
            fields.pop("register", register),
            Assignment(title="Hiring in many countries", notes=notes, max_words=max_words),
            fields.pop("profile", Profile.model_validate({"name": "Harbour", "tone": "plain"})),
            today=TODAY,
            memory=fields.pop("memory", Memory()),
            **fields,
        )

    return make


@pytest.fixture
def fails() -> Callable[[str], ModelFailure]:
    return lambda model: ModelFailure(ModelFailureKind.UNAVAILABLE, model, "nobody answers")
