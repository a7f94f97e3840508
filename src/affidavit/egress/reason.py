"""Why a request was made or refused, and what to do about a refusal."""

from enum import StrEnum

MAX_URL = 8192


class Reason(StrEnum):
    """The values are stable: they stand in ledgers.

    The first five are outcomes of a request that was allowed (beside every `FailureKind`), the rest are refusals.
    """

    FETCHED = "fetched"
    CACHED = "cached"
    UNCHANGED = "unchanged"
    REDIRECTED = "redirected"
    FAILED = "failed"
    NOT_A_URL = "not_a_url"
    TOO_LONG = "too_long"
    TRICK = "trick"
    SCHEME = "scheme"
    USERINFO = "userinfo"
    SPELLING = "spelling"
    HOST_NAME = "host_name"
    PORT = "port"
    HOST_DENIED = "host_denied"
    HOST_NOT_ALLOWED = "host_not_allowed"
    SPECIAL_NAME = "special_name"
    ADDRESS = "address"
    NOT_SEEN = "not_seen"
    CANARY = "canary"
    ROBOTS = "robots"
    DOWNGRADE = "downgrade"
    NOT_ROBOTS = "not_robots"
    REDIRECT_LIMIT = "redirect_limit"
    REDIRECT_LOOP = "redirect_loop"


OUTCOMES = frozenset({Reason.FETCHED, Reason.CACHED, Reason.UNCHANGED, Reason.REDIRECTED, Reason.FAILED})

# What a model or a person reads when an address is refused: what is wrong, and what to do.
ADVICE = {
    Reason.NOT_A_URL: "not a web address; copy one from a search result or a page that was read",
    Reason.TOO_LONG: f"longer than {MAX_URL:,} characters; no page needs that",
    Reason.TRICK: "holds a backslash or an invisible character; copy the address as the page gives it",
    Reason.SCHEME: "only http and https addresses are read",
    Reason.USERINFO: "carries a user name or password; ask for it without",
    Reason.SPELLING: "spells a numeric address in an unusual way; no honest page does",
    Reason.HOST_NAME: "its host is no name that the DNS could hold; copy the address as the page gives it",
    Reason.PORT: "asks for an unusual port; only those the policy names are open",
    Reason.HOST_DENIED: "the policy denies this host; use another source",
    Reason.HOST_NOT_ALLOWED: "the policy does not list this host; use a source on a listed one",
    Reason.SPECIAL_NAME: "names no host of the public internet; use another source",
    Reason.ADDRESS: "leads to an address that is not public; use another source",
    Reason.NOT_SEEN: "no search result and no page read in this run holds this address; search, or follow a link",
    Reason.CANARY: "carries data of this run; no page needs that",
    Reason.ROBOTS: "the site asks programs not to read this page; open it yourself, or use another source",
    Reason.DOWNGRADE: "redirects from https to http, where anybody could change the page; use another source",
    Reason.NOT_ROBOTS: "redirects from a robots.txt to what is none; use another source",
    Reason.REDIRECT_LIMIT: "redirects too many times; use another source",
    Reason.REDIRECT_LOOP: "redirects in a loop; it may want cookies, which are not kept: open it in a browser",
}
