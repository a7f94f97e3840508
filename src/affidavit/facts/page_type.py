"""What a page is for, by its address and by the words of a link to it or of its title."""

import re
from urllib.parse import urlsplit

from affidavit.facts.page import PageType
from affidavit.ranking.canonical import canonical_url

RANK = {kind: place for place, kind in enumerate(PageType)}
"""The order in which links of one turn are followed (contract W1)."""
_CORE = frozenset({PageType.HOME, PageType.ABOUT, PageType.SERVICES, PageType.CASE_STUDY})
_LAST = {PageType.CONTACT: 20, PageType.CAREERS: 20, PageType.LEGAL: 20, PageType.LISTING: 40}
_WORDS = re.compile(r"[^a-z0-9]+")
_REVIEW = re.compile(
    r"\b(?:by the numbers|in numbers|year in review|year of|years of|at (?:\w+|\d+)(?: years)?$|anniversary|milestones?"
    r"|annual (?:report|review)|impact|results|highlights|facts (?:and|&) figures|our story)\b",
    re.IGNORECASE,
)
"""A post that looks back on what the business did."""


def turn(kind: PageType, depth: int, words: str) -> int:
    """When a page is read: breadth first, a case study two links deep before the posts that the home page links to, and
    what is only for the law, for applicants or a list of other pages after all else, however near it is. `words` are
    its address's last part and the text of the link."""
    if kind in _CORE:
        return depth
    if kind in _LAST:
        return _LAST[kind] + depth
    return depth + (1 if kind is PageType.OTHER or _REVIEW.search(_WORDS.sub(" ", words.lower())) else 2)


_LEGAL = (
    r"privacy|terms|legal|imprint|impressum|cookies?|disclaimer|accessibility|gdpr|policy|policies|conduct|disclosure"
)
_ROWS = (
    (PageType.LEGAL, _LEGAL),
    (PageType.CAREERS, r"careers?|jobs?|join|join-us|vacanc(?:y|ies)|hiring|openings|work-for-us|apply"),
    (PageType.CONTACT, r"contact|contact-us|get-in-touch|find-us|locations?"),
    (PageType.ABOUT, r"about|about-us|who-we-are|company|our-story|history|team|our-team|people|mission|leadership"),
    (
        PageType.CASE_STUDY,
        r"case-stud(?:y|ies)|our-work|work|portfolio|projects?|clients?|customers?|success-stor(?:y|ies)|results",
    ),
    (
        PageType.SERVICES,
        r"services?|what-we-do|solutions?|products?|offerings?|capabilities|expertise|pricing|work-with-us|practices?"
        r"|[a-z-]*(?:support|development|consulting|design|training|engineering)",
    ),
    (PageType.ARTICLE, r"blog|news|posts?|articles?|insights|press|events?"),
)
_LISTS = re.compile(r"tags?|authors?|categor(?:y|ies)|topics?|archives?|page|search|feed")
_MONTH = re.compile(r"/(?:19|20)\d\d(?:/\d\d?){0,2}/?$")
_DATED = re.compile(r"/(?:19|20)\d\d(?:/|-)")


def page_type(url: str, words: str | None, depth: int, *, start: str) -> PageType:
    """The type of the page at `url`; `words` are its title or the text of a link to it. A page's address says more
    than its words: they are asked only where no part of the path tells."""
    path = urlsplit(url).path
    parts = [part.lower() for part in path.split("/") if part]
    if not parts or (depth == 0 and canonical_url(url) == canonical_url(start) and len(parts) <= 1):
        return PageType.HOME
    if any(map(_LISTS.fullmatch, parts)) or _MONTH.search(path):
        return PageType.LISTING
    if _DATED.search(path):
        return PageType.ARTICLE
    if parts[-1].startswith("index.") and len(parts) == 1:
        return PageType.HOME
    for part in parts:
        bare = part.rsplit(".", 1)[0] if "." in part else part
        for kind, pattern in _ROWS:
            if re.fullmatch(pattern, bare):
                return kind
    if any(re.search(rf"(?:^|-)(?:{_LEGAL})(?:$|-)", part) for part in parts):
        return PageType.LEGAL
    said = "-".join(_WORDS.split((words or "").lower())).strip("-")
    return next((kind for kind, pattern in _ROWS if re.fullmatch(pattern, said)), PageType.OTHER)
