"""Fixtures for the whole suite."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from affidavit.evidence.document import Fetched

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared() -> Path:
    """The shared design and data folder beside the checkout; tests that need it are skipped where it is absent."""
    path = Path(os.environ.get("SHARED_DATA", ROOT.parent / "shared"))
    if not (path / "data").is_dir():
        pytest.skip(f"needs the shared data folder, which is not at {path} (set SHARED_DATA)")
    return path


@pytest.fixture
def respond() -> Callable[..., Fetched]:
    """Makes a response of a body: ``respond(body, content_type=…, url=…, status=…, headers=…)``."""

    def make(
        body: str | bytes,
        *,
        content_type: str | None = "text/html; charset=utf-8",
        url: str = "https://trust.example.org/reports/mill",
        status: int = 200,
        headers: tuple[tuple[str, str], ...] = (),
    ) -> Fetched:
        named = (("content-type", content_type),) if content_type is not None else ()
        return Fetched(
            requested_url=url,
            final_url=url,
            retrieved_at="2026-03-01T12:00:00Z",
            status=status,
            headers=(*named, *headers),
            body=body.encode() if isinstance(body, str) else body,
        )

    return make
