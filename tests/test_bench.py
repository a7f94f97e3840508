"""A page of an archive is read once, however many runs ask for it."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from affidavit.bench import Bench
from affidavit.errors import FailureKind, PageFailure
from affidavit.evidence.document import Document, Fetched
from affidavit.extract import EXTRACTORS, extract
from affidavit.extract.kept import KeptPages, Outcome
from affidavit.extract.worker import Workers
from affidavit.models.embedded import SentenceEncoder
from affidavit.ranking.policy import load_policy
from affidavit.settings import load_settings
from affidavit.wiring import tell_nobody


@pytest.fixture
def kept(tmp_path: Path) -> KeptPages:
    return KeptPages(tmp_path / "pages", EXTRACTORS, lambda _: None)


def read(page: Fetched, kept: KeptPages | None, folder: Path) -> Document:
    """What a run makes of `page` where no page can be read anew."""
    workers = Workers(1, 20.0)
    workers.close()
    bench = Bench(
        settings=load_settings({}, data_dir=folder),
        workers=workers,
        policy=load_policy(None),
        encoder=SentenceEncoder(),
        on_step=tell_nobody,
        kept=kept,
    )
    log: Any = None  # reading a page records nothing
    web: Any = None
    tools = bench.tools(log, [], web, keep=str, now=lambda: datetime.now(UTC), notes=(), missed=[])

    async def one() -> Document:
        return await tools.extract(page)

    return asyncio.run(one())


def test_what_a_page_became_before_is_taken_as_it_was(kept: KeptPages, respond: Callable[..., Fetched], tmp_path: Path):
    page = respond("<html lang=en><title>The mill</title><main><p>It was rebuilt in 1911.</p></main>")
    outcome: Outcome = extract(page)
    kept.put(page, outcome)
    assert read(page, kept, tmp_path) == outcome


def test_a_page_that_could_not_be_read_fails_as_it_did(
    kept: KeptPages, respond: Callable[..., Fetched], tmp_path: Path
):
    page = respond("<html>")
    kept.put(page, PageFailure(FailureKind.LOGIN, page.final_url, "a cookie wall"))
    with pytest.raises(PageFailure, match="a cookie wall"):
        read(page, kept, tmp_path)


@pytest.mark.parametrize("with_cache", [True, False])
def test_a_page_that_is_not_kept_is_read(
    kept: KeptPages, respond: Callable[..., Fetched], tmp_path: Path, with_cache: bool
):
    with pytest.raises(RuntimeError, match="closed"):
        read(respond("<p>It was rebuilt in 1911.</p>"), kept if with_cache else None, tmp_path)
