"""What a worker needs before its first page, done once in the fork server and inherited by all workers.

Imports what the readers import late, and reads one small page, so that the phrase tables, date patterns and parsers
are ready: 0.25 s that each worker would spend on its first page.
"""

from importlib import import_module

from affidavit.evidence.document import Fetched
from affidavit.extract.extraction import extract

LATE = ("affidavit.extract.worker", "charset_normalizer", "docx", "markdown_it", "numpy", "pypdfium2", "trafilatura")
_PARAGRAPH = "<p>Published on 3 May 2019. The mill opened in 1945, and 84,909 people came in the autumn of 2023.</p>"

for name in LATE:
    import_module(name)

extract(
    Fetched(
        requested_url="https://example.org/",
        final_url="https://example.org/",
        retrieved_at="2026-01-01T00:00:00Z",
        status=200,
        headers=(("content-type", "text/html; charset=utf-8"),),
        body=f"<title>Mill</title><link rel=canonical href=/mill><h1>Mill</h1>{_PARAGRAPH * 5}".encode(),
    )
)
