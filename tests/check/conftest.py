"""Sources made of a few sentences, and drafts held against them."""

from collections.abc import Callable

import pytest

from affidavit.check import Checker, CheckSource, markdown_draft
from affidavit.evidence.check import Check
from affidavit.evidence.document import Fetched
from affidavit.extract import extract
from affidavit.models.embedded import SentenceEncoder


@pytest.fixture(scope="session")
def encoder() -> SentenceEncoder:
    return SentenceEncoder()


@pytest.fixture(scope="session")
def source() -> Callable[..., CheckSource]:
    def make(text: str, name: str = "source.md") -> CheckSource:
        url = f"https://source.invalid/{name}"
        kind = "text/html" if name.endswith(".html") else "text/markdown"
        page = Fetched(
            requested_url=url,
            final_url=url,
            retrieved_at="2026-03-01T12:00:00Z",
            status=200,
            headers=(("content-type", kind),),
            body=text.encode(),
        )
        return CheckSource(extract(page), name)

    return make


@pytest.fixture(scope="session")
def checked(source: Callable[..., CheckSource], encoder: SentenceEncoder) -> Callable[..., Check]:
    """``checked(draft, source text, …)``: the draft, as Markdown, against the sources."""

    def check(draft: str, *sources: str) -> Check:
        given = [source(text, f"source-{number}.md") for number, text in enumerate(sources)]
        return Checker(given, encoder).check(markdown_draft("draft.md", draft), run_id="run_1")

    return check
