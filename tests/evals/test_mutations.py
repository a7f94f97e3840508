"""The edits that break the product: each still stands in the code, and the page of what noticed them is of these."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from affidavit.evals.suites import suites

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks/mutations.py"


def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("mutations", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


MUTATIONS: Any = script()


@pytest.mark.parametrize("mutation", MUTATIONS.read(), ids=lambda one: one.name)
def test_an_edit_stands_once_in_the_code_and_names_suites_that_there_are(mutation: Any):
    text = (MUTATIONS.SOURCE / "affidavit" / mutation.file).read_text("utf-8")
    assert text.count(mutation.old) == 1, f"{mutation.old!r} in {mutation.file}: mend {MUTATIONS.EDITS.name}"
    assert mutation.new != mutation.old
    assert mutation.suites
    assert set(mutation.suites) <= set(suites())


def test_an_edit_is_made_where_its_text_stands_and_nowhere_else(tmp_path: Path):
    file = tmp_path / "affidavit/one.py"
    file.parent.mkdir()
    file.write_text("a = 1\nb = 1\n")
    MUTATIONS.Mutation("named", "one.py", "b = 1", "b = 2", ("spans",)).make(tmp_path)
    assert file.read_text() == "a = 1\nb = 2\n"
    for old in ("= ", "c = 1"):
        with pytest.raises(ValueError, match="not once"):
            MUTATIONS.Mutation("named", "one.py", old, "", ("spans",)).make(tmp_path)


def test_the_page_says_which_edit_nothing_noticed():
    one, other = (MUTATIONS.Mutation(name, "one.py", "a", "b", ("spans",)) for name in ("seen_by_one", "seen_by_none"))
    results = {
        "seen_by_one": MUTATIONS.Result(one.name, one.digest, "spans", "as_expected 95.2% (100.0%)"),
        "seen_by_none": MUTATIONS.Result(other.name, other.digest, None, "a hole: every floor holds"),
    }
    text = MUTATIONS.page([one, other], results, "2026-11-30")
    assert "1 of 2 are noticed. Made" in text
    assert "0 of 0 are noticed. Another 2 have not been tried yet." in MUTATIONS.page([one, other], {}, "2026-11-30")
    assert "| seen by one | `one.py` | spans | as_expected 95.2% (100.0%) |" in text
    assert "| seen by none | `one.py` | nothing | a hole: every floor holds |" in text
