"""Questions, claims and quotations that people wrote, against the gates and the proposer of conflicts."""

import json
from itertools import combinations
from pathlib import Path
from typing import Any

from affidavit.evidence.document import BlockKind
from affidavit.gates.assertion import assess
from affidavit.ranking.conflicts import Measured, propose
from affidavit.ranking.decompose import decompose
from affidavit.ranking.researchable import refuse_claim, refuse_question


def rows(shared: Path, name: str) -> list[dict[str, Any]]:
    text = (shared / "data/golden/dev" / name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines() if line]


def test_no_question_is_refused_and_each_keeps_its_words(shared: Path) -> None:
    for row in rows(shared, "questions.jsonl"):
        assert refuse_question(row["question"]) is None, row["question"]
        parts = " ".join(decompose(row["question"], 5)).lower()
        lost = [word for word in row["question"].lower().replace(",", " ").rstrip("?").split() if word not in parts]
        assert set(lost) <= {"and"}, row["question"]


def test_a_claim_is_refused_where_nothing_could_count_against_it_and_nowhere_else(shared: Path) -> None:
    for row in rows(shared, "claims.jsonl"):
        refusal = refuse_claim(row["claim"], row["falsifier"] or "A finding that says otherwise")
        assert (refusal is not None) is (row["expected"] == "unresearchable"), row["claim"]


def quotations(shared: Path) -> list[str]:
    found = [fact["quote"] for row in rows(shared, "questions.jsonl") for fact in row["facts"]]
    found += [evidence["quote"] for row in rows(shared, "claims.jsonl") for evidence in row["evidence"]]
    return list(dict.fromkeys(found))


def kind_of(quote: str) -> BlockKind:
    if "|" in quote:
        return BlockKind.TABLE_ROW
    return BlockKind.LIST_ITEM if quote.startswith("- ") else BlockKind.PARAGRAPH


def test_every_quotation_that_answers_something_can_be_evidence(shared: Path) -> None:
    lost = [quote for quote in quotations(shared) if not assess(quote, kind_of(quote)).is_evidence]
    assert lost == []


def test_disagreeing_quotations_are_proposed_and_few_others(shared: Path) -> None:
    questions = rows(shared, "questions.jsonl")
    proposed: dict[bool, list[int]] = {True: [], False: []}
    pairs = 0
    for row in questions:
        conflict = row["type"] == "conflict"
        texts = [Measured(text=fact["quote"], topic=row["question"], source=fact["url"]) for fact in row["facts"]]
        proposed[conflict].append(len(propose(texts)))
        pairs += 0 if conflict else len(list(combinations(texts, 2)))
    assert sum(count > 0 for count in proposed[True]) >= len(proposed[True]) - 1
    assert sum(proposed[False]) <= pairs / 20


def test_unrelated_quotations_are_hardly_ever_proposed(shared: Path) -> None:
    rows_ = [row for row in rows(shared, "questions.jsonl") if row["type"] != "conflict"]
    facts = {fact["quote"]: fact["url"] for row in rows_ for fact in row["facts"]}
    texts = [Measured(text=quote, source=url) for quote, url in facts.items()]
    assert len(propose(texts)) <= len(texts) * (len(texts) - 1) / 2 / 300
