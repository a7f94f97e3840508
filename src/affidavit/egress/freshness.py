"""How long a response may be used again without asking, and how to ask whether it still holds (RFC 9111)."""

import re
from collections.abc import Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime

from affidavit.egress.received import Received

# RFC 9111, 4.2.2 suggests a tenth of the age that the page had; a day is as far as that guess is trusted.
HEURISTIC_SHARE = 0.1
HEURISTIC_MOST = 86_400.0

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
    """Headers that ask for a page only if it is not `received` any more; none if the site gave nothing to ask with."""
    etag, modified = received.header("etag"), received.header("last-modified")
    headers: list[tuple[str, str]] = []
    if etag and etag.isascii():
        headers.append(("If-None-Match", etag))
    if modified and http_date(modified) is not None:
        headers.append(("If-Modified-Since", modified))
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
    if value.isdigit():
        return float(value[:9])
    moment = http_date(value)
    return None if moment is None else max(0.0, (moment - now).total_seconds())


def http_date(value: str) -> datetime | None:
    """A date of HTTP in UTC, or None for what is none."""
    try:
        moment = parsedate_to_datetime(value)
    except (ValueError, IndexError, OverflowError):
        return None
    return moment if moment.tzinfo is not None else None


def _seconds(received: Received, said: Mapping[str, str]) -> float:
    age = received.header("age") or ""
    spent = float(age[:9]) if age.isdigit() else 0.0
    explicit = said.get("max-age", "")
    if explicit.isdigit():
        return max(0.0, float(explicit[:9]) - spent)
    served = http_date(received.header("date") or "") or datetime.fromisoformat(received.retrieved_at)
    expires = received.header("expires")
    if expires is not None:
        until = http_date(expires)
        return 0.0 if until is None else max(0.0, (until - served).total_seconds() - spent)
    modified = http_date(received.header("last-modified") or "")
    if modified is None:
        return 0.0
    return max(0.0, min(HEURISTIC_MOST, HEURISTIC_SHARE * (served - modified).total_seconds()) - spent)
