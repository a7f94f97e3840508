"""The shipped near misses, end to end: real sentences with one edit each, beside true twins of the same sentences.

Each claim is a draft of its own, held by the real check against all the spans of the set, each a small page; so the
other spans are there to mislead. The lines drawn are the contract's. A failure lists the rows.
"""

import importlib.util
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from affidavit.evals.suites.check import span_sources
from affidavit.evidence.check import SentenceState
from affidavit.verify.guards import missing

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
FIGURES = ("number", "unit", "scale", "date")
QUOTATIONS = ("quotation", "quotation_source")
ROWS = range(300, 451)


@cache
def measure() -> ModuleType:
    spec = importlib.util.spec_from_file_location("near_miss_measure", BENCHMARKS / "near_miss_measure.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


@cache
def rows() -> tuple[Any, ...]:
    return tuple(measure().load())


@cache
def judged() -> tuple[tuple[Any, SentenceState], ...]:
    return tuple((row, state) for row, state, _ in measure().checked(rows(), span_sources(rows())))


def shown(found: list[Any]) -> str:
    return "\n".join(f"{row.id}: {row.claim}" for row in found)


def test_no_figure_or_quotation_that_is_false_is_certified() -> None:
    near = [(row, state) for row, state in judged() if row.twin is None and row.kind in (*FIGURES, *QUOTATIONS)]
    certified = [row for row, state in near if state is SentenceState.SOURCED]
    assert len(near) >= 80
    assert not certified, shown(certified)


def test_no_denial_that_is_false_is_certified() -> None:
    near = [(row, state) for row, state in judged() if row.twin is None and row.kind == "negation"]
    certified = [row for row, state in near if state is SentenceState.SOURCED]
    assert len(near) >= 20
    assert not certified, shown(certified)


def test_of_all_near_misses_less_than_one_in_fifty_is_certified() -> None:
    near = [(row, state) for row, state in judged() if row.twin is None]
    certified = [row for row, state in near if state is SentenceState.SOURCED]
    assert len(near) >= 200
    assert len(certified) < 0.02 * len(near), shown(certified)


def test_verbatim_and_reordered_twins_are_certified() -> None:
    for sort in ("verbatim", "reordered"):
        twins = [(row, state) for row, state in judged() if row.twin == sort]
        refused = [row for row, state in twins if state is not SentenceState.SOURCED]
        assert len(twins) >= 40
        assert len(refused) < 0.05 * len(twins), shown(refused)


def test_no_true_twin_is_rejected() -> None:
    rejected = [row for row, state in judged() if row.twin is not None and state is SentenceState.REJECTED]
    assert not rejected, shown(rejected)


def test_the_guards_alone_let_no_false_figure_or_denial_through_and_stop_hardly_a_twin() -> None:
    passed = [row for row in rows() if not missing(row.claim, row.span)]
    false = [row for row in passed if row.twin is None and row.kind in ("number", "scale", "date", "negation")]
    units = [row for row in rows() if row.twin is None and row.kind == "unit"]
    twins = [row for row in rows() if row.twin is not None and row.kind not in QUOTATIONS]
    stopped = [row for row in twins if row not in passed]
    assert not false, shown(false)
    assert sum(row in passed for row in units) <= 0.1 * len(units)  # "six words" for "six characters": counts of nouns
    assert len(stopped) <= 0.02 * len(twins), shown(stopped)


def test_the_set_is_diverse_and_its_rows_are_what_they_say() -> None:
    near = [row for row in rows() if row.twin is None]
    pages = Counter(row.source_url for row in rows())
    assert len(rows()) in ROWS
    assert len(Counter(row.id for row in rows())) == len(rows())
    assert pages.most_common(1)[0][1] <= 0.05 * len(rows())
    assert len(Counter(row.kind for row in near)) == 16
    for row in rows():
        assert (row.label == "SUPPORTED") is (row.twin is not None), row
        assert row.twin != "verbatim" or row.kind in QUOTATIONS or row.claim in row.span, row
        assert row.twin is not None or row.claim not in row.span, row
