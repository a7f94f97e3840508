"""Whose a figure is: the customer's, a client's, or somebody else's (contract W2: a client's stay the client's).

The clause that holds the figure says it, by its subject: "With our help, Acme cut its bill by 30%" is Acme's although
it says "our", and "We helped Acme hire 120 drivers" is Acme's although its subject is we. Where the subject is no name
("the site", "60% of petitions"), the page says whom it is about: on the customer's own pages the customer, in a case
study whoever is named most. What cannot be told is somebody else's: a figure is never made the customer's by a guess
off a page that is not about the customer.
"""

import re
from collections import Counter
from dataclasses import dataclass

from affidavit.evidence.document import BlockKind, Document
from affidavit.facts.identity import normal
from affidavit.facts.page import CrawledPage, PageType
from affidavit.gates.names import names
from affidavit.gates.numbers.calendar import is_month
from affidavit.gates.numbers.mention import Kind, Mention
from affidavit.gates.numbers.reader import mentions

OWN_PAGES = frozenset({PageType.HOME, PageType.ABOUT, PageType.SERVICES})
WE = re.compile(r"\b(?:we|our|ours|us)\b", re.IGNORECASE)
OTHERS = "others"
"""The owner of a figure that is not the customer's where nothing says whose it is."""
CLIENTS = "clients"

_CLIENT = r"(?:clients?|customers?|partners?|subscribers?|members?|patients?|tenants?|students?|learners?)"
_FIRM = (
    r"(?:firm|company|business|agency|practice|team|organi[sz]ation|charity|studio|group|consultancy|school|college"
    r"|foundation|office|shop|brand|start-?up|cooperative|partnership|network)"
)
_JOINED = re.compile(r"(?:,\s*(?:and|but|while|whereas|yet)|;|\s[—–]|,\s*(?:which|who)\s+(?:said|says) that)\s+")
_LEAD = re.compile(
    r"(?:(?:and|but|so|also|yet|or|overall|today|now|currently|additionally|meanwhile|finally|in addition|as a result"
    r"|for example)\b,?\s+)+",
    re.IGNORECASE,
)
# A phrase before the subject, to its comma: "In 2017, …", "With our help, …".
_BEFORE = re.compile(
    r"(?:in|on|at|since|after|before|by|for|from|every|each|over|with|without|under|through|during|as|to|of|within"
    r"|between|across|thanks to|according to|using|working|last|this|to date|because of|despite|once|when|while|if)\b"
    r"[^,;:]{0,90},\s+",
    re.IGNORECASE,
)
_BEFORE_WE = re.compile(
    r"(?:since|in|by|from|over|during|for|after|before|at|on|with)\b[^,;:]{0,60}?\s(?=(?:we|our)\b)", re.IGNORECASE
)
_ACCORDING = re.compile(
    r"\b(?:according to|(?:research|a study|a survey|a report|data|figures)\s+(?:by|from))\s+", re.I
)
_WE_SAY = re.compile(r"(?:we|us)\b|(?:we|i)['’](?:ve|re|d|ll)\b", re.IGNORECASE)
_OUR_CLIENTS = re.compile(rf"(?:(?:one|some|many|most|all|each) of )?our (?:[a-z-]+ ){{0,2}}{_CLIENT}\b", re.IGNORECASE)
_A_CLIENT = re.compile(
    rf"(?:a|an|one|the|this|that|these|those|many|most)\s+(?:[a-z-]+ ){{0,2}}{_CLIENT}\b"
    r"|(?:a|an|one|another)\s+(?:[a-z-]+ ){0,3}(?:charity|retailer|bank|company|business|manufacturer|university"
    r"|council|hospital|school|agency|department|organi[sz]ation|brand|firm|start-?up|insurer|supplier|operator)\b",
    re.IGNORECASE,
)
_OUR = re.compile(r"(?:all of )?our\b", re.IGNORECASE)
_THE_FIRM = re.compile(rf"(?:the|this) (?:[\w-]+ )?{_FIRM}\b", re.IGNORECASE)
_HELPED = re.compile(
    r"\b(?:help(?:ed|s|ing)?|enabl(?:ed|es|ing)|allow(?:ed|s|ing)|sav(?:ed|es|ing)|assist(?:ed|s|ing)"
    r"|support(?:ed|s|ing))\s+",
    re.IGNORECASE,
)
# Who is meant by a share on a page that is about the customer: anybody.
_ANYBODY = re.compile(
    r"\bof (?:all )?(?P<who>(?:[\w-]+ ){0,2}(?:companies|businesses|firms|employers|organi[sz]ations|people|adults"
    r"|consumers|workers|employees|americans|britons|europeans|households|managers|executives|leaders|marketers|users"
    r"|smes|men|women|children|buyers|shoppers|recruiters))\b",
    re.IGNORECASE,
)
_SPEAKER = re.compile(r"(?P<who>[A-Z][\w.'’-]+(?: [A-Z][\w.'’-]+){0,2}):\s+(?=\S)")
_INSTRUCTS = re.compile(
    r"(?:[^,;:]{0,40},\s+)?(?:please |then )?(?:invite|make|use|try|ask|consider|keep|set|check|write|create|choose"
    r"|give|meet|send|add|run|avoid|remember|ensure|include|plan|schedule|think|look|find|take|let|have|aim|put|bring|pick|read"
    r"|see|learn|visit|download|go|get|tell|show|start|limit|allow) "
    r"(?:the|a|an|your|these|those|them|it|sure|all|some|any|each|people|users|for|about|at|to|out|up|more|how|\d+)\b",
    re.IGNORECASE,
)
_INVITES = re.compile(
    r"(?:Join|Apply|Register|Sign up|Watch|Discover|Book|Download|Explore|Meet|Hear|Subscribe|Follow) "
)
_BESIDE = re.compile(r"\s+(?:of|for)(?: the)?\s+")
# "ranked it as Excellent or Above Average": a mark, and nobody.
_GENERIC = re.compile(r"[A-Z]{2,}s|APIs?|IT|URL|PDF|HTML|CSV|FAQ|CEO|ID|UX|UI|AI|HR|SEO|PR|SQL|HTTPS?|TV|OK|Q&A")
_MARK = re.compile(r"\b(?:as|ranked|rated)\s+(?:an?\s+)?(?:[A-Z]\w+ (?:or|and) )?(?:[A-Z]\w+ )?$")


@dataclass(frozen=True, slots=True)
class Business:
    """Whose site it is, as its pages call it. `names` are folded; the first is how the customer is called."""

    names: tuple[str, ...]

    @classmethod
    def of(cls, customer: str, host: str) -> "Business":
        label = host.split(".")[0] if host.count(".") else host
        return cls(tuple(dict.fromkeys(filter(None, (normal(customer), normal(label))))))

    def is_named(self, text: str) -> bool:
        folded = f" {re.sub(r'[^a-z0-9]+', ' ', text.lower())} "
        return any(f" {re.sub(r'[^a-z0-9]+', ' ', name).strip()} " in folded for name in self.names)

    def begins(self, text: str) -> bool:
        """Whether `text` opens with a name of the customer."""
        said = re.sub(r"^the\s+", "", text.lower())
        return any(re.match(rf"{re.escape(name)}(?:['’]s)?(?!\w)", said) is not None for name in self.names)


@dataclass(frozen=True, slots=True)
class Said:
    """One name of a text, at ``[start, end)``, less a possessive at its end."""

    name: str
    start: int
    end: int


def named(text: str, business: Business) -> list[Said]:
    """Who is named in `text` beside the customer, in order; "Department of the Treasury" is one."""
    found: list[Said] = []
    for one in names(text):
        start, end = one.start, one.end
        if found and _BESIDE.fullmatch(text, found[-1].end, start):
            start = found.pop().start
        name = re.sub(r"(?: (?:SHALL|MUST|SHOULD|MAY|NOT))+$|['’]s?$", "", text[start:end])
        counts = any(figure.start == 0 for figure in mentions(name))
        if not (
            _GENERIC.fullmatch(name)
            or business.is_named(name)
            or _is_date(name)
            or counts
            or _MARK.search(text[:start])
        ):
            found.append(Said(name, start, start + len(name)))
    return found


def topic_of(document: Document, page: CrawledPage, business: Business) -> str | None:
    """Whom a page that is not the customer's own is about: who is named most, those first whom its address or title
    names too. A short name counts for the longer one that ends with it ("the Court", "the Tax Court")."""
    if page.page_type in OWN_PAGES:
        return None
    counts: Counter[str] = Counter()
    for block in document.blocks:
        if block.main and block.kind is not BlockKind.NAVIGATION:
            counts.update(one.name for one in named(document.text[block.start : block.end], business))
    if not counts:
        return None
    for name in sorted(counts, key=len):
        longer = [other for other in counts if other != name and other.endswith(f" {name}")]
        if longer:
            best = max(longer, key=lambda other: (counts[other], -len(other), other))
            counts[best] += counts.pop(name)
    about = normal(f"{page.url.rstrip('/').rsplit('/', 1)[-1].replace('-', ' ')} {page.title or ''}").split()

    def told(name: str) -> bool:
        return any(word in about for word in normal(name).split() if len(word) > 2)

    name = max(counts, key=lambda name: (told(name), counts[name], -len(name), name))
    often = page.page_type is PageType.CASE_STUDY and counts[name] > 2  # a post names many, and is about none of them
    return name if told(name) or often else None


def speaks(text: str) -> str | None:
    """Who says a line of a conversation: the name before its colon."""
    found = _SPEAKER.match(text)
    return found["who"] if found is not None else None


def instructs(text: str) -> bool:
    """Whether a sentence tells its reader what to do, after what leads to it: "One week before, invite them"."""
    invites = _INVITES.match(text) is not None
    return invites or any(_INSTRUCTS.match(text, at) is not None for at in (0, _subject(text, 0)))


def whose(text: str, one: Mention | None, page: CrawledPage, business: Business, topic: str | None) -> str | None:
    """The owner of the figure `one` of a sentence, or of the statement that it is: None for the customer."""
    at = len(text) if one is None else one.start
    said = named(text, business)
    told = _ACCORDING.search(text)
    if told is not None:
        source = next((name for name in said if told.end() <= name.start <= told.end() + 5), None)
        if source is not None:
            return source.name
    for begin in reversed([0, *(found.end() for found in _JOINED.finditer(text) if found.end() <= at)]):
        owner = _by_subject(text, _subject(text, begin), at, said, page, business, topic)
        if owner is not _UNTOLD:
            return owner or None
    return _by_page(text, one, said, page, business, topic)


_UNTOLD = "?"
"""The subject does not tell. The empty text stands for the customer here."""


def _subject(text: str, begin: int) -> int:
    """Where the subject of the clause at `begin` stands: after what only leads to it."""
    lead = _LEAD.match(text, begin)
    at = lead.end() if lead is not None else begin
    before = _BEFORE.match(text, at) or _BEFORE_WE.match(text, at)
    return at if before is None else before.end()


def _by_subject(
    text: str, begin: int, at: int, said: list[Said], page: CrawledPage, business: Business, topic: str | None
) -> str:
    """Whose the figure at `at` is, as far as the subject at `begin` tells."""
    rest = text[begin:]
    own_page = page.page_type in OWN_PAGES
    client = topic or CLIENTS
    if _OUR_CLIENTS.match(rest):
        return client
    if _WE_SAY.match(rest) or _OUR.match(rest) or business.begins(rest):
        return _helped(text, begin, at, said, client)
    if _THE_FIRM.match(rest) and own_page:
        return ""
    bare = re.match(r"(?:the|a|an|this|these|at)\s+", rest, re.IGNORECASE)
    start = begin + (bare.end() if bare is not None else 0)
    name = next((one for one in said if one.start in (begin, start)), None)
    if name is not None:
        if re.match(r"\s*,\s+(?:our|we)\b", text[name.end :]):
            return ""
        return _whole(name.name, topic)
    if _A_CLIENT.match(rest):
        return client
    return _UNTOLD


def _helped(text: str, begin: int, at: int, said: list[Said], client: str) -> str:
    """The customer's own, but for what it helped somebody to: that is theirs."""
    for found in _HELPED.finditer(text, begin, at):
        after = text[found.end() :]
        skipped = re.match(r"(?:the|a|an)\s+", after)
        place = found.end() + (skipped.end() if skipped is not None else 0)
        name = next((one for one in said if one.start in (found.end(), place) and one.end <= at), None)
        if name is not None:
            return name.name
        someone = _A_CLIENT.match(after) or _OUR_CLIENTS.match(after)
        if someone is not None and found.end() + someone.end() <= at:
            return client
    return ""


def _by_page(
    text: str, one: Mention | None, said: list[Said], page: CrawledPage, business: Business, topic: str | None
) -> str | None:
    """Whose it is where the subject is no name: the page says whom it is about."""
    if page.page_type in OWN_PAGES:
        anybody = _ANYBODY.search(text) if one is not None and one.kind is Kind.PERCENT else None
        general = anybody is not None and not WE.search(text) and not business.is_named(text)
        return anybody["who"] if anybody is not None and general else None
    if page.page_type is not PageType.CASE_STUDY and (WE.search(text) or business.is_named(text)):
        return None
    first = next(iter(said), None)
    if first is not None:
        return _whole(first.name, topic)
    return topic or OTHERS


def _whole(name: str, topic: str | None) -> str:
    """The name of whom the page is about in full, where `name` is the end of it: "the Court"."""
    return topic if topic is not None and topic.endswith(f" {name}") else name


def _is_date(name: str) -> bool:
    """Whether a name is that of a month or a day, which own nothing: "Last Friday"."""
    words = [word for word in name.split() if word.lower() not in ("last", "this", "next", "early", "late", "since")]
    return all(is_month(word) or word.lower().removesuffix("s").endswith("day") for word in words)
