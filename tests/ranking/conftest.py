"""Hits made up for the tests of this room."""

from collections.abc import Callable

import pytest

from affidavit.ranking.hit import Hit
from affidavit.ranking.policy import Policy, load_policy


@pytest.fixture(scope="session")
def make_hit() -> Callable[..., Hit]:
    def make(
        url: str = "https://example.org/a", title: str = "A title", snippet: str = "", published: str | None = None
    ) -> Hit:
        return Hit(url=url, title=title, snippet=snippet, published=published, provider="test", rank=1)

    return make


@pytest.fixture(scope="session")
def policy() -> Policy:
    return load_policy()
