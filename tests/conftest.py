"""Fixtures for the whole suite."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared() -> Path:
    """The shared design and data folder beside the checkout; tests that need it are skipped where it is absent."""
    path = Path(os.environ.get("SHARED_DATA", ROOT.parent / "shared"))
    if not (path / "data").is_dir():
        pytest.skip(f"needs the shared data folder, which is not at {path} (set SHARED_DATA)")
    return path
