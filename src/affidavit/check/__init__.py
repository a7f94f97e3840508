"""A draft held against its sources, sentence by sentence. Nothing here opens a file or a socket."""

from affidavit.check.checker import CARD, GATES, Checker
from affidavit.check.cited import cited_links
from affidavit.check.draft import Draft, document_draft, markdown_draft, plain_draft
from affidavit.check.reading import MAX_DRAFT, read_draft, too_large
from affidavit.check.sources import CheckSource
from affidavit.check.strict import strictly

__all__ = [
    "CARD",
    "GATES",
    "MAX_DRAFT",
    "CheckSource",
    "Checker",
    "Draft",
    "cited_links",
    "document_draft",
    "markdown_draft",
    "plain_draft",
    "read_draft",
    "strictly",
    "too_large",
]
