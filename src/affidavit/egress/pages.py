"""Which stored responses are pages: something that a person reads and that a quotation can come from.

A crawl holds the images, styles and scripts of its pages too. They are left out here, counted, so that they are
neither searched nor reported as thousands of unreadable pages.
"""

from dataclasses import dataclass

# IANA media types that extract/ reads, and the two that servers give when they do not know (the reader looks at
# the bytes). A response without a type is taken as not known.
PAGE_TYPES = frozenset(
    {
        "",
        "application/octet-stream",
        "application/pdf",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "application/x-pdf",
        "application/xhtml+xml",
        "binary/octet-stream",
        "text/html",
        "text/markdown",
        "text/plain",
        "text/x-markdown",
    }
)

# Files by which a site speaks to crawlers (RFC 9309, RFC 9116): not pages, whatever their type.
NOT_PAGES = frozenset({"/robots.txt", "/.well-known/security.txt", "/security.txt", "/humans.txt", "/ads.txt"})

# File name endings of a folder's pages, with the media type each stands for.
SUFFIXES = {
    ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ".htm": "text/html",
    ".html": "text/html",
    ".markdown": "text/markdown",
    ".md": "text/markdown",
    ".pdf": "application/pdf",
    ".text": "text/plain",
    ".txt": "text/plain",
    ".xhtml": "application/xhtml+xml",
}


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something an archive holds that is not served, and why. `name` is a URL or a path inside a folder."""

    name: str
    reason: str


def is_page(path: str, media_type: str) -> bool:
    """`path` is that of the URL; `media_type` is the header's value, parameters and all."""
    return media_type.partition(";")[0].strip().lower() in PAGE_TYPES and path not in NOT_PAGES
