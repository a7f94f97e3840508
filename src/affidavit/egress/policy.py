"""Which addresses may be asked for at all, whatever they hold: scheme, host, port, and no tricks in the spelling.

A URL is judged as a browser reads it (WHATWG); what a browser would quietly repair (a backslash, a control
character) is refused instead, since the two readings are how a checked host becomes another one.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

import ada_url

from affidavit.ranking.canonical import host as host_of

_PORTS = {"http:": 80, "https:": 443}
# Controls, the backslash, white space of any kind, and what reorders or hides text: none stands in a real address.
_TRICKS = re.compile(r"[\x00-\x20\x7f-\x9f\\\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f]")
_MAX_URL = 8192


class Reason(StrEnum):
    """Why a fetch was allowed or refused. The values are stable: they stand in ledgers."""

    FETCHED = "fetched"
    FAILED = "failed"
    NOT_A_URL = "not_a_url"
    TOO_LONG = "too_long"
    TRICK = "trick"
    SCHEME = "scheme"
    USERINFO = "userinfo"
    PORT = "port"
    HOST_DENIED = "host_denied"
    HOST_NOT_ALLOWED = "host_not_allowed"
    NOT_SEEN = "not_seen"


# What a model or a person reads when an address is refused: what is wrong, and what to do.
ADVICE = {
    Reason.NOT_A_URL: "not a web address; copy one from a search result or a page that was read",
    Reason.TOO_LONG: f"longer than {_MAX_URL:,} characters; no page needs that",
    Reason.TRICK: "holds a backslash, a space or an invisible character; copy the address as the page gives it",
    Reason.SCHEME: "only http and https addresses are read",
    Reason.USERINFO: "carries a user name or password; ask for it without",
    Reason.PORT: "asks for an unusual port; only those the policy names are open",
    Reason.HOST_DENIED: "the policy denies this host; use another source",
    Reason.HOST_NOT_ALLOWED: "the policy does not list this host; use a source on a listed one",
    Reason.NOT_SEEN: "no search result and no page read in this run holds this address; search, or follow a link",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Hosts as ``example.org`` (exactly that) or ``*.example.org`` (any host under it, not itself); ``*`` is all.

    `deny` stands over `allow`. `ports` are allowed beside a scheme's own.
    """

    allow: tuple[str, ...] = ("*",)
    deny: tuple[str, ...] = ()
    ports: tuple[int, ...] = ()

    def refusal(self, url: str) -> Reason | None:
        """Why `url` may not be asked for, or None if it may."""
        if len(url) > _MAX_URL:
            return Reason.TOO_LONG
        if _TRICKS.search(url):
            return Reason.TRICK
        try:
            parsed = ada_url.URL(url)
        except ValueError:
            return Reason.NOT_A_URL
        if parsed.protocol not in _PORTS:
            return Reason.SCHEME
        if parsed.username or parsed.password:
            return Reason.USERINFO
        if parsed.port and int(parsed.port) not in (*_PORTS.values(), *self.ports):
            return Reason.PORT
        host = parsed.hostname.rstrip(".")
        if any(_matches(host, pattern) for pattern in self.deny):
            return Reason.HOST_DENIED
        if not any(_matches(host, pattern) for pattern in self.allow):
            return Reason.HOST_NOT_ALLOWED
        return None


def _matches(host: str, pattern: str) -> bool:
    """Whole labels only: ``*.example.org`` does not match ``badexample.org``. ``www.`` counts as the host itself."""
    pattern = pattern.lower().rstrip(".")
    if pattern == "*":
        return True
    if pattern.startswith("*."):
        return host.endswith(pattern[1:])
    return pattern in (host, host_of(f"https://{host}/"))
