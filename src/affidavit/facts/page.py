"""A page of a customer's site as the facts remember it, and what a crawl says of the pages it has not got.

A `CrawledPage` holds no text: where it lies is the `Document` that `doc_id` names. It does hold the page's links, so
that a page which is still fresh can be followed without being fetched again.
"""

from dataclasses import dataclass
from enum import StrEnum

from affidavit.errors import UserError
from affidavit.evidence.document import Link
from affidavit.evidence.fact import Candidate
from affidavit.ranking.canonical import canonical_url


class PageType(StrEnum):
    """What a page is for. The order is the order in which the links to such pages are followed."""

    HOME = "home"
    ABOUT = "about"
    SERVICES = "services"
    CASE_STUDY = "case_study"
    OTHER = "other"
    ARTICLE = "article"
    CONTACT = "contact"
    CAREERS = "careers"
    LEGAL = "legal"
    LISTING = "listing"
    """Excerpts of other pages by tag, author, month or number: it states nothing of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawledPage:
    """One page that was read.

    `url` is where it was found in the end, `asked` the address that was followed, `depth` the number of links from the
    start (0). `words` counts the words of its main text and `content_hash` is the sha256 of all of its text.
    `retrieved_at` is when its bytes came (ISO-8601, UTC), `seen_at` when a crawl last found it to hold this text: until
    `seen_at` is 30 days old it need not be fetched. `links` are those to the same site, each address once.
    """

    url: str
    asked: str
    doc_id: str
    title: str | None
    page_type: PageType
    depth: int
    words: int
    content_hash: str
    retrieved_at: str
    seen_at: str
    language: str | None = None
    links: tuple[Link, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PageFacts:
    """A page and the candidates read off it. `extractor` names who read it, with a version: another reader, or another
    version of it, reads the page again. `summary` is a model's, of the page; None where none was made. `problem` says
    why the page was not read through (the model gave no reply); such a page is read again by the next crawl. `unread`
    are the characters at its end that no model was shown, and would be shown to none again."""

    page: CrawledPage
    extractor: str
    candidates: tuple[Candidate, ...] = ()
    summary: str | None = None
    problem: str | None = None
    unread: int = 0


class GapKind(StrEnum):
    """Why a page gave no facts. The values are stable: they stand in ledgers."""

    FAILED = "failed"
    """It could not be read; the `failure` says how."""
    OFF_SITE = "off_site"
    """It redirects to another site, which is not the customer's to be crawled."""
    NO_TEXT = "no_text"
    """It was read, and has no words."""
    OTHER_LANGUAGE = "other_language"
    """It is in another language than the site; its facts are kept apart from the register."""
    SAME_TEXT = "same_text"
    """Its text is word for word that of a page read before it."""
    NOT_EXTRACTED = "not_extracted"
    """It was read, and the model that reads facts off pages gave no reply for it, or for a part of it, or was not shown
    its end."""
    OVER_LIMIT = "over_limit"
    """It was found, and the crawl's limits were reached before its turn. One gap stands for all of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageGap:
    """A page that gave nothing, with why. `failure` is a `FailureKind` value where fetching or reading failed."""

    url: str
    kind: GapKind
    detail: str
    failure: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlLimits:
    """`pages` and `depth` end a crawl, whichever comes first. A page whose text was seen less than `fresh_days` ago is
    not fetched again; 0 fetches every page. `at_once` are pages on their way together."""

    pages: int = 15
    depth: int = 2
    fresh_days: int = 30
    at_once: int = 4


def address(url: str) -> str:
    """What makes two addresses one page's. An imported fact may give one that is none: it is nobody else's."""
    try:
        return canonical_url(url)
    except UserError:
        return url
