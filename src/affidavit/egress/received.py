"""One response as it came over the wire, and the limits under which responses are read."""

from dataclasses import dataclass
from typing import Final

from affidavit.egress import body

REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one fetch may cost (contract G5). Sizes in bytes.

    `seconds` is for the whole of a fetch: look-ups, redirects and the body; only waiting for one's turn at a site does
    not count. Browsers stop at 256 KiB of headers and 20 redirects; honest pages need a few KiB and three.
    """

    received: int = 32 * 1024 * 1024
    decoded: int = body.MAX_BODY
    header_bytes: int = 64 * 1024
    header_count: int = 200
    hops: int = 5
    seconds: float = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """A response. `raw` is the body with its content coding on and its transfer coding undone.

    Header names are lower case. Cookies are not among them: nobody here keeps or sends one. `address` is the one the
    connection went to, None for a response that was kept from earlier. `retrieved_at` is ISO-8601 in UTC, with ``Z``.
    """

    url: str
    status: int
    phrase: str
    headers: tuple[tuple[str, str], ...]
    raw: bytes
    retrieved_at: str
    address: str | None = None

    def header(self, name: str) -> str | None:
        """The first header of that (lower-case) name, or None."""
        return next((value for key, value in self.headers if key == name), None)

    @property
    def location(self) -> str | None:
        """Where a redirect points, as it is written; None if this is none."""
        return self.header("location") if self.status in REDIRECTS else None

    @property
    def media_type(self) -> str:
        return (self.header("content-type") or "").partition(";")[0].strip().lower()
