"""How long a response may be used again without asking, and how to ask whether it still holds (RFC 9111)."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime

from affidavit.egress.received import Received

# RFC 9111, 4.2.2 suggests a tenth of the age that the page had; a day is as far as that guess is trusted.
HEURISTIC_SHARE = 0.1
HEURISTIC_MOST = 86_400.0

MAX_VALIDATOR = 64
"""The longest ETag that is sent back. What a site gave in one visit and gets in the next is a cookie by another name;
a hash in hex and quotes (66 for SHA-256 is already too long, 42 for SHA-1 is not) says which version, a longer one
could say who. It bounds what is told and does not end it: docs/security.md."""

_DIRECTIVE = re.compile(r'([\w-]+)(?:\s*=\s*(?:"([^"]*)"|([^\s,;"]+)))?')


def lifetime(received: Received) -> float | None:
    """Seconds for which `received` is fresh from its retrieval on; 0 to ask each time; None to keep nothing.

    The cache is one user's, so ``private`` may be kept and ``s-maxage`` says nothing. Only plain successes are kept.
    """
    said = directives(received)
    if received.status != 200 or "no-store" in said or (received.header("vary") or "").strip() == "*":
        return None
    seconds = 0.0 if "no-cache" in said else _seconds(received, said)
    return seconds if seconds > 0 or conditions(received) else None


def conditions(received: Received) -> tuple[tuple[str, str], ...]:
    """Headers that ask for a page only if it is not `received` any more; none if the site gave nothing to ask with.

    Of an ETag over MAX_VALIDATOR nothing is sent, of a date only the second that it names, in the one spelling.
    """
    etag, modified = received.header("etag"), received.header("last-modified")
    headers: list[tuple[str, str]] = []
    if etag and etag.isascii() and len(etag) <= MAX_VALIDATOR:
        headers.append(("If-None-Match", etag))
    moment = http_date(modified or "")
    if moment is not None:
        headers.append(("If-Modified-Since", format_datetime(moment, usegmt=True)))
    return tuple(headers)


def directives(received: Received) -> Mapping[str, str]:
    """Cache-Control, names in lower case."""
    found: dict[str, str] = {}
    for name, value in received.headers:
        if name == "cache-control":
            for match in _DIRECTIVE.finditer(value):
                found.setdefault(match[1].lower(), match[2] or match[3] or "")
    return found


def retry_after(received: Received, now: datetime) -> float | None:
    """Seconds that the site asks to wait (RFC 9110, 10.2.3), or None if it does not say."""
    value = (received.header("retry-after") or "").strip()
    seconds = _whole(value)
    if seconds is not None:
        return seconds
    moment = http_date(value)
    return None if moment is None else max(0.0, (moment - now).total_seconds())


def http_date(value: str) -> datetime | None:
    """A date of HTTP in UTC, or None for what is none."""
    try:
        moment = parsedate_to_datetime(value)
        return moment.astimezone(UTC) if moment.tzinfo is not None else None
    except (ValueError, IndexError, OverflowError):
        return None


def _whole(value: str) -> float | None:
    """A count of seconds, or None for what is none. `isdigit` alone takes "²" too, which no number can be read from."""
    return float(value[:9]) if value.isascii() and value.isdigit() else None


def _seconds(received: Received, said: Mapping[str, str]) -> float:
    spent = _whole(received.header("age") or "") or 0.0
    explicit = _whole(said.get("max-age", ""))
    if explicit is not None:
        return max(0.0, explicit - spent)
    served = http_date(received.header("date") or "") or datetime.fromisoformat(received.retrieved_at)
    expires = received.header("expires")
    if expires is not None:
        until = http_date(expires)
        return 0.0 if until is None else max(0.0, (until - served).total_seconds() - spent)
    modified = http_date(received.header("last-modified") or "")
    if modified is None:
        return 0.0
    return max(0.0, min(HEURISTIC_MOST, HEURISTIC_SHARE * (served - modified).total_seconds()) - spent)
