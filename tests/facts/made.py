"""Facts as tests need them: short, each with a source of its own."""

import hashlib
from typing import Any

from affidavit.evidence.fact import Category, Fact, FactSource, FactState
from affidavit.facts.decide import Who

ADA = Who("Ada Marsh", "2026-03-02T09:00:00Z")
BEN = Who("Ben Holt", "2026-03-02T10:00:00Z")


def source(quote: str, url: str = "https://harbour.example/about") -> FactSource:
    return FactSource(
        url=url,
        doc_id="doc_0123456789abcdef",
        start=10,
        end=10 + len(quote),
        quote=quote,
        retrieved_at="2026-03-01T12:00:00Z",
    )


def fact(text: str = "The harbour has 45 berths.", **more: Any) -> Fact:
    quote = more.pop("quote", text)
    given: dict[str, Any] = {
        "fact_id": "fact_" + hashlib.sha256(text.encode()).hexdigest()[:16],
        "text": text,
        "category": Category.NUMBERS,
        "subject": "berth",
        "confidence": 0.9,
        "candidates": ("cand_1",),
        "sources": (source(quote),),
    }
    given |= more
    return Fact(**given)


def approved(text: str, by: str = "rule", **more: Any) -> Fact:
    return fact(text, state=FactState.APPROVED, decided_by=by, decided_at="2026-03-01T12:00:00Z", **more)
