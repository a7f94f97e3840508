"""The labelled texts with numbers, and the numbers of real pages."""

import json
from collections import Counter, defaultdict
from decimal import Decimal
from pathlib import Path
from typing import Any

from affidavit.gates.numbers import Kind, Mention, mentions


def plain(value: object) -> Any:
    if isinstance(value, tuple | list):
        return [plain(part) for part in value]
    return float(value) if isinstance(value, Decimal | int | float) else value


def equal(one: Any, other: Any) -> bool:
    if isinstance(one, list) or isinstance(other, list):
        return isinstance(one, list) and isinstance(other, list) and all(map(equal, one, other))
    if isinstance(one, str) or isinstance(other, str):
        return one == other
    return abs(one - other) <= 1e-4 * max(abs(one), abs(other))


def right(found: Mention, wanted: dict[str, Any]) -> bool:
    return (
        found.kind in wanted.get("kind_any", [wanted["kind"]])
        and any(equal(plain(found.value), plain(value)) for value in wanted.get("value_any", [wanted["value"]]))
        and found.unit in wanted.get("unit_any", [wanted["unit"]])
    )


class Score:
    def __init__(self) -> None:
        self.by_kind: dict[str, Counter[str]] = defaultdict(Counter)
        self.subjects: Counter[bool] = Counter()
        self.errors: list[str] = []

    def case(self, case: dict[str, Any]) -> None:
        found = mentions(case["text"])
        matched: set[int] = set()
        for wanted in case["numbers"]:
            kind = "debatable" if case.get("debatable") or wanted.get("debatable") else case["kind"]
            hits = [mention for mention in found if mention.start < wanted["end"] and wanted["start"] < mention.end]
            matched |= {mention.start for mention in hits}
            if wanted["kind"] == "identifier":
                self.count(kind, case, "false", sum(mention.kind is not Kind.IDENTIFIER for mention in hits))
            elif len(hits) == 1 and right(hits[0], wanted):
                self.by_kind[kind]["true"] += 1
                if wanted["kind"] == "count" and kind != "debatable":
                    self.subjects[hits[0].subject in wanted.get("subject_any", [wanted["subject"]])] += 1
            else:
                self.count(kind, case, "missed", 1)
                self.count(kind, case, "false", len(hits))
        extra = [m for m in found if m.start not in matched and m.kind is not Kind.IDENTIFIER]
        self.count("debatable" if case.get("debatable") else case["kind"], case, "false", len(extra))

    def count(self, kind: str, case: dict[str, Any], what: str, times: int) -> None:
        self.by_kind[kind][what] += times
        if times and kind != "debatable":
            self.errors.append(f"{case['id']}: {what}: {case['text']}")


def test_precision_and_recall_over_the_labelled_texts(shared: Path) -> None:
    lines = (shared / "data/adversarial/dev/numbers/numbers.jsonl").read_text(encoding="utf-8").splitlines()
    score = Score()
    for line in lines:
        score.case(json.loads(line))
    for kind, counts in sorted(score.by_kind.items()):
        print(f"{kind:12} {dict(counts)}")
    total = sum((counts for kind, counts in score.by_kind.items() if kind != "debatable"), Counter[str]())
    assert total["true"] >= 0.95 * (total["true"] + total["false"]), score.errors
    assert total["true"] >= 0.95 * (total["true"] + total["missed"]), score.errors
    assert score.subjects[True] >= 0.95 * score.subjects.total()
