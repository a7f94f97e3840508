"""Pages made to hang, to grow or to crash a parser end within their limits, each by itself."""

import importlib.util
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

from affidavit.errors import FailureKind, PageFailure
from affidavit.evidence.document import Document, Fetched
from affidavit.extract.worker import Workers

LIMITS = {FailureKind.TIMEOUT, FailureKind.CRASHED, FailureKind.TOO_LARGE, FailureKind.BROKEN}
SECONDS = 3.0


def shapes(shared: Path) -> ModuleType:
    path = shared / "data" / "adversarial" / "dev" / "pages" / "heavy.py"
    spec = importlib.util.spec_from_file_location("heavy", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def heavy_pages(heavy: ModuleType, respond: Callable[..., Fetched]) -> Iterator[Fetched]:
    for name, (size, _, make) in heavy.SHAPES.items():
        yield respond(make(size), url=f"https://heavy.example.org/{name}")


def right(expected: str, fact: str, outcome: Document | PageFailure) -> bool:
    quotable = isinstance(outcome, Document) and fact in outcome.text
    failed = isinstance(outcome, PageFailure) and outcome.kind in LIMITS
    return {"quote": quotable, "fail-closed": failed, "either": quotable or failed}[expected]


def test_each_heavy_page_gives_its_fact_or_fails_closed(shared: Path, respond: Callable[..., Fetched]) -> None:
    heavy = shapes(shared)
    with Workers(2, SECONDS, 1024) as workers:
        found = list(workers.extract_many(heavy_pages(heavy, respond)))
        after = workers.submit(respond("<h1>The mill</h1><p>The mill opened in 1945 and closed in 1999.</p>"))
        assert after.result(timeout=60).title == "The mill"
    assert len(found) == len(heavy.SHAPES)
    wrong = []
    for fetched, outcome in found:
        name = fetched.final_url.rsplit("/", 1)[1]
        if not right(heavy.SHAPES[name][1], heavy.FACT, outcome):
            wrong.append((name, outcome))
    assert wrong == []
