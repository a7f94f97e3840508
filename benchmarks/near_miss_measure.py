"""The product on the shipped near misses, and its gates on a large draw of them: the tables that are printed.

End to end every claim is a draft of its own, held by `Checker` with its own encoder against all the spans of the set,
each a small page. By the gates alone a claim stands beside its own span (`verify.guards.missing`).
"""

import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Protocol

from affidavit.check import Checker, CheckSource, plain_draft
from affidavit.evals.suites.check import gravest, span_sources
from affidavit.evidence.check import CheckedSentence, SentenceState
from affidavit.gates.finding import Severity
from affidavit.gates.polarity import check_polarity
from affidavit.gates.quotation_check import QuotationStatus, check_quotations
from affidavit.gates.source_texts import PreparedSources, SourceText
from affidavit.models.embedded import PairJudge, SentenceEncoder
from affidavit.verify.guards import missing

STATES = tuple(SentenceState)
TWINS = ("verbatim", "reordered", "paraphrased")
_MARKS = "\"“”„«»'’‘`[]…"


@dataclass(frozen=True)
class Row:
    """One line of the shipped set. `twin` is None for a near miss; `kind` names the edit, a twin's that of the near
    miss beside it."""

    id: str
    source_url: str
    source_title: str
    span: str
    claim: str
    kind: str
    twin: str | None
    label: str


class Wording(Protocol):
    """A pair of the large draw."""

    @property
    def kind(self) -> str: ...
    @property
    def claim(self) -> str: ...
    @property
    def span(self) -> str: ...
    @property
    def url(self) -> str: ...
    @property
    def true(self) -> bool: ...


def shipped() -> Path:
    return Path(str(files("affidavit"))) / "evals/data/near_misses.jsonl"


def load(path: Path | None = None) -> list[Row]:
    lines = (path or shipped()).read_text("utf-8").splitlines()
    return [Row(**json.loads(line)) for line in lines]


def checked(
    rows: Sequence[Row], given: Sequence[CheckSource]
) -> Iterator[tuple[Row, SentenceState, tuple[CheckedSentence, ...]]]:
    """Each claim's state, that of its gravest sentence."""
    checker = Checker(given, SentenceEncoder(), scorer=PairJudge() if PairJudge.available() else None)
    for row in rows:
        check = checker.check(plain_draft("claim.txt", row.claim), run_id="run_near_misses")
        yield row, gravest(check.sentences), check.sentences


def set_tables(kind: str | None, path: Path | None = None) -> None:
    """Print, kind by kind, what became of the near misses and of the twins. `kind` prints its rows as well."""
    rows = load(path)
    started = time.perf_counter()
    found = list(checked(rows, span_sources(rows)))
    took = time.perf_counter() - started
    if kind is not None:
        for row, state, sentences in found:
            if row.kind == kind:
                codes = [remark.code for sentence in sentences for remark in sentence.findings]
                print(f"{row.id}  {state.value} {codes}\n  {row.claim}\n  | {row.span}\n")
    print(f"{len(rows)} rows, {len({row.source_url for row in rows})} pages; end to end {took:.1f} s")
    head = f"{'n':>5}{'certified':>11}{'unsourced':>11}{'rejected':>10}{'':6}{'gates: let through':>20}"
    for title, wanted, by in (
        ("near misses by kind", [one for one in found if one[0].twin is None], "kind"),
        ("true twins by sort", [one for one in found if one[0].twin is not None], "twin"),
    ):
        print(f"\n{title:24}{head}")
        groups = dict.fromkeys(getattr(row, by) for row, _, _ in wanted)
        for group in [*groups, "all"]:
            some = [one for one in wanted if group in ("all", getattr(one[0], by))]
            states = Counter(state for _, state, _ in some)
            through = sum(not missing(row.claim, row.span) for row, _, _ in some)
            print(
                f"{group:24}{len(some):5}{states[SentenceState.SOURCED]:11}{states[SentenceState.UNSOURCED]:11}"
                f"{states[SentenceState.REJECTED]:10}{'':6}{through:20}"
            )


def gates_tables(pairs: Sequence[Wording], show: str | None, shared: Path) -> None:
    """Print what the gates alone make of a large draw, and of the labelled sets."""
    polarity_table(pairs, show)
    quotation_table(pairs)
    if not show:
        labelled_table(shared)


def polarity_table(pairs: Sequence[Wording], show: str | None) -> None:
    total: Counter[str] = Counter()
    blocked: Counter[str] = Counter()
    noticed: Counter[str] = Counter()
    for pair in pairs:
        findings = check_polarity(pair.claim, pair.span)
        total[pair.kind] += 1
        block = any(finding.severity is Severity.BLOCK for finding in findings)
        blocked[pair.kind] += block
        noticed[pair.kind] += bool(findings)
        if show == pair.kind and block is pair.true:
            print(
                f"  {pair.claim}\n  | {pair.span}\n  -> {[(f.code, f.severity.value, f.message) for f in findings]}\n"
            )
    for title, kinds in (
        ("near misses (caught)", [kind for kind in total if kind not in ("verbatim", "typography", "reordered")]),
        ("true twins (false alarms)", ["verbatim", "typography", "reordered"]),
    ):
        print(f"\npolarity, {title}\n{'kind':14}{'pairs':>7}{'BLOCK':>8}{'':>8}{'any':>8}")
        for kind in [*kinds, "all"]:
            names = kinds if kind == "all" else [kind]
            n, b, a = (sum(counter[name] for name in names) for counter in (total, blocked, noticed))
            print(f"{kind:14}{n:7}{b:8}{b / max(n, 1):8.1%}{a / max(n, 1):8.1%}")


def quotation_table(pairs: Sequence[Wording]) -> None:
    """Each claim put between marks, held against its page's span and the other spans."""
    sources = PreparedSources.of(SourceText(pair.url, pair.span, None, pair.url) for pair in pairs)
    status: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
    scores: list[float] = []
    for pair in pairs:
        if pair.kind == "reordered" or any(mark in pair.claim for mark in "\"“”„«»'’‘`[]…") or "..." in pair.claim:
            continue
        (result,) = check_quotations(f"It says “{pair.claim}”", sources)
        status[pair.true][result.status.value] += 1
        if result.nearest is not None and result.status is not QuotationStatus.FOUND:
            scores.append(result.nearest.score)
    print("\nquotations: verbatim and typographic ones", dict(status[True]), "| one word changed", dict(status[False]))
    if scores:
        scores.sort()
        low = scores[len(scores) // 20]
        print(f"  nearest passage of the changed ones: score {scores[0]:.0f} to {scores[-1]:.0f}, 5% below {low:.0f}")


def labelled_table(shared: Path) -> None:
    total: Counter[tuple[str, bool]] = Counter()
    blocked: Counter[tuple[str, bool]] = Counter()
    noticed: Counter[tuple[str, bool]] = Counter()
    codes: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
    started = time.perf_counter()
    for path in sorted((shared / "data/verify/dev").glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            row = json.loads(line)
            key = (path.stem, row["label"] == "SUPPORTED")
            findings = check_polarity(row["claim"], row["span"])
            total[key] += 1
            blocked[key] += any(finding.severity is Severity.BLOCK for finding in findings)
            noticed[key] += bool(findings)
            codes[key[1]].update({f"{finding.code} ({finding.severity})" for finding in findings})
    took = time.perf_counter() - started
    print(f"\nlabelled pairs: share with a BLOCK finding (any finding); {sum(total.values()) / took:,.0f} pairs/s")
    print(f"{'set':32}{'SUPPORTED':>24}{'other':>24}")
    names = sorted({name for name, _ in total})
    for name in [*names, "pooled"]:
        cells = []
        for label in (True, False):
            keys = [(one, label) for one in (names if name == "pooled" else [name])]
            n, b, a = (sum(counter[key] for key in keys) for counter in (total, blocked, noticed))
            cells.append(f"{b:5}/{n:<5}{b / n:6.1%} ({a / n:.1%})" if n else "-")
        print(f"{name:32}{cells[0]:>24}{cells[1]:>24}")
    print(f"{'by code: pairs':32}{'SUPPORTED':>24}{'other':>24}")
    for code in sorted(set(codes[True]) | set(codes[False])):
        print(f"{code:32}{codes[True][code]:24}{codes[False][code]:24}")
