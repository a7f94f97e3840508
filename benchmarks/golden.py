"""How well the keyless run answers, over questions whose answers are known.

    python benchmarks/golden.py [--shared DIR] [--own] [--verbose] [--json FILE]

Reads the golden questions and claims of the shared data (dev), asks each over the three full archives, and prints
for every measure the count it stands on. `--own` adds the questions in benchmarks/data, written for this project:
an own question counts as answered if a published sentence matches its expected pattern.
"""

import argparse
import json
import os
import re
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from affidavit.errors import NotResearchable
from affidavit.evidence.answer import Answer, State
from affidavit.house import House, open_house
from affidavit.reach import Reach
from affidavit.research.ask import Ask
from affidavit.research.plan import make_plan
from affidavit.settings import load_settings
from affidavit.wiring import Listeners

HERE = Path(__file__).resolve().parent
REFUSED = (State.NOTHING_SOURCED, State.NEEDS_HUMAN)


@dataclass
class Tally:
    """Counts by measure, with what to show of each miss."""

    hit: dict[str, int] = field(default_factory=dict)
    total: dict[str, int] = field(default_factory=dict)
    misses: list[str] = field(default_factory=list)
    published: list[int] = field(default_factory=list)

    def count(self, measure: str, ok: bool, miss: str = "") -> None:
        self.total[measure] = self.total.get(measure, 0) + 1
        self.hit[measure] = self.hit.get(measure, 0) + ok
        if not ok and miss:
            self.misses.append(f"{measure}: {miss}")

    def rows(self) -> Iterator[tuple[str, int, int]]:
        for measure, total in self.total.items():
            yield measure, self.hit[measure], total


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def bare(text: str) -> str:
    """Letters and digits only, so that typography and layout make no difference."""
    return re.sub(r"[\W_]+", "", text).lower()


def verbatim(answer: Answer, tally: Tally) -> None:
    tally.published.append(len(answer.claims))
    for item in answer.claims:
        for span in item.claim.spans:
            text = answer.document(span.doc_id).text[span.start : span.end]
            tally.count("published sentences verbatim in their page", text == item.claim.text, item.claim.text)


def golden_question(house: House, case: dict[str, Any], tally: Tally) -> None:
    answer = house.ask(make_plan(Ask(question=case["question"]), 4))
    verbatim(answer, tally)
    label = f"{case['id']} {case['question']} -> {answer.state}, {len(answer.claims)} claims"
    if not case["answerable"]:
        tally.count("unanswerable end as nothing_sourced or needs_human", answer.state in REFUSED, label)
        return
    facts = [(fact["url"], bare(fact["quote"])) for fact in case["facts"]]
    cited = {answer.document(span.doc_id).final_url for item in answer.claims for span in item.claim.spans}
    said = {
        (answer.document(span.doc_id).final_url, bare(span.text)) for item in answer.claims for span in item.claim.spans
    }
    tally.count("answerable: a gold page is cited", any(url in cited for url, _ in facts), label)
    found = any(
        url == page and len(text) > 12 and (text in quote or quote in text)
        for url, quote in facts
        for page, text in said
    )
    tally.count("answerable: a gold quote's sentence is a claim", found, label)
    tally.count("answerable: something was published", bool(answer.claims), "")


def golden_claim(house: House, case: dict[str, Any], tally: Tally) -> None:
    expected = case["expected"]
    try:
        plan = make_plan(Ask(claim=case["claim"], falsifier=case["falsifier"] or "an observation to the contrary"), 4)
    except NotResearchable:
        tally.count("claims: unresearchable ones are refused", expected == "unresearchable", case["claim"])
        return
    answer = house.ask(plan)
    verbatim(answer, tally)
    label = f"{case['id']} {case['claim']} -> {answer.state}"
    if expected == "unresearchable":
        tally.count("claims: unresearchable ones are refused", False, label)
    elif expected == "not_found":
        tally.count("claims: nothing is published where no page bears on it", not answer.claims, label)
    else:
        pages = {item["url"] for item in case["evidence"]}
        cited = {answer.document(span.doc_id).final_url for item in answer.claims for span in item.claim.spans}
        tally.count("claims: a gold page is cited", bool(pages & cited), label)


def own_question(house: House, case: dict[str, Any], tally: Tally) -> None:
    try:
        plan = make_plan(Ask(question=case["question"]), 4)
    except NotResearchable:
        measure = "own answerable: the expected answer" if case["answerable"] else "own unanswerable: nothing"
        tally.count(f"{measure} is published", not case["answerable"], f"{case['id']} {case['question']} -> refused")
        return
    answer = house.ask(plan)
    verbatim(answer, tally)
    label = f"{case['id']} {case['question']} -> {answer.state}"
    if case["answerable"]:
        found = any(re.search(case["expect"], item.claim.text) for item in answer.claims)
        tally.count("own answerable: the expected answer is published", found, label)
    else:
        first = answer.claims[0].claim.text[:100] if answer.claims else ""
        tally.count("own unanswerable: nothing is published", not answer.claims, f"{label} {first!r}")


def measure(house: House, shared: Path, own: bool) -> Tally:
    tally = Tally()
    for case in lines(shared / "data/golden/dev/questions.jsonl"):
        golden_question(house, case, tally)
    for case in lines(shared / "data/golden/dev/claims.jsonl"):
        golden_claim(house, case, tally)
    if own:
        for case in lines(HERE / "data/questions.jsonl"):
            own_question(house, case, tally)
    return tally


def show(tally: Tally, seconds: float, misses: bool) -> None:
    print(f"{'measure':<58} {'right':>5} {'of':>5} {'share':>7}")
    for name, hit, total in tally.rows():
        print(f"{name:<58} {hit:>5} {total:>5} {hit / total:>7.1%}")
    answered = [count for count in tally.published if count]
    print(f"{sum(answered) / max(1, len(answered)):.1f} claims published where any is")
    print(f"{seconds:.0f} s, index and start-up included")
    if misses:
        print("\nMisses")
        print("\n".join(tally.misses))


def main(arguments: Iterable[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--shared", type=Path, default=Path(os.environ.get("SHARED_DATA", HERE.parent.parent / "shared"))
    )
    parser.add_argument("--own", action="store_true", help="also the questions in benchmarks/data")
    parser.add_argument("--verbose", action="store_true", help="list the misses")
    parser.add_argument("--json", type=Path, help="also write the counts here")
    options = parser.parse_args(list(arguments))
    archives = sorted(str(path) for path in (options.shared / "data/web").glob("*.warc.gz"))
    if not archives:
        sys.exit(f"{options.shared}: no data/web/*.warc.gz there; name the shared folder with --shared")
    start = time.perf_counter()
    listeners = Listeners(on_warning=lambda text: print(text, file=sys.stderr))
    with open_house(load_settings(), Reach.named(archives), listeners) as house:
        tally = measure(house, options.shared, options.own)
    show(tally, time.perf_counter() - start, options.verbose)
    if options.json:
        options.json.write_text(json.dumps({name: [hit, total] for name, hit, total in tally.rows()}, indent=2))


if __name__ == "__main__":
    main(sys.argv[1:])
