"""What a page is for, by its address and by the words of a link to it or of its title."""

import re
from urllib.parse import urlsplit

from affidavit.facts.page import PageType
from affidavit.ranking.canonical import canonical_url

RANK = {kind: place for place, kind in enumerate(PageType)}
"""The order in which links are followed (contract W1)."""

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
    (PageType.ARTICLE, r"blog|news|posts?|articles?|insights|press|events?|tags?|authors?|categor(?:y|ies)|page"),
)
_DATED = re.compile(r"/(?:19|20)\d\d(?:/|-)")
_WORDS = re.compile(r"[^a-z0-9]+")


def page_type(url: str, words: str | None, depth: int, *, start: str) -> PageType:
    """The type of the page at `url`; `words` are its title or the text of a link to it. A page's address says more
    than its words: they are asked only where no part of the path tells."""
    parts = [part.lower() for part in urlsplit(url).path.split("/") if part]
    if not parts or (depth == 0 and canonical_url(url) == canonical_url(start) and len(parts) <= 1):
        return PageType.HOME
    if _DATED.search(urlsplit(url).path):
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
