"""The captures of an archive by URL: which one is served for an address, and where a stored redirect leads.

An archive may hold a page several times and under several spellings. Asked for an address, it serves the latest
good capture of exactly that address (a success or a redirect is better than an error page, however new); failing
that, of an address with the same canonical form. All captures stay known.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import ada_url

from affidavit.egress.pages import is_page
from affidavit.errors import FailureKind, PageFailure, UserError
from affidavit.ranking.canonical import canonical_url

MAX_HOPS = 5
_REDIRECTS = (301, 302, 303, 307, 308)


@dataclass(frozen=True, slots=True, kw_only=True)
class Capture:
    """One stored response: its address, when it was taken (ISO-8601, UTC, ``Z``), and where it stands.

    `source` and `offset` say which run of bytes holds the record and from where; `size` is the record's. `digest`
    is the payload digest by which a revisit names what it repeats. `refers_to` is set on a revisit: the address
    and time of the capture whose payload it shares.
    """

    url: str
    time: str
    status: int
    media_type: str
    location: str | None
    source: int
    offset: int
    size: int
    digest: str | None = None
    refers_to: tuple[str, str] | None = None
    revisit: bool = False

    @property
    def redirect(self) -> str | None:
        """The absolute URL this response sends a reader to, or None if it is no redirect."""
        if self.status not in _REDIRECTS or not self.location:
            return None
        try:
            return without_fragment(ada_url.URL(self.location, base=self.url).href)
        except ValueError:
            return None


class Captures:
    """All captures of one archive, in the order of the archive."""

    def __init__(self, captures: Iterable[Capture]) -> None:
        self._by_url: dict[str, list[Capture]] = {}
        for capture in captures:
            self._by_url.setdefault(capture.url, []).append(capture)

    @cached_property
    def _by_canonical(self) -> dict[str, list[Capture]]:
        found: dict[str, list[Capture]] = {}
        for url, captures in self._by_url.items():
            found.setdefault(canonical_url(url), []).extend(captures)
        return found

    @cached_property
    def _by_digest(self) -> dict[str, Capture]:
        return {
            capture.digest: capture
            for captures in self._by_url.values()
            for capture in captures
            if capture.digest is not None and not capture.revisit
        }

    @cached_property
    def pages(self) -> tuple[str, ...]:
        """The URLs whose served capture is a page, each once."""
        served = ((url, _best(captures)) for url, captures in self._by_url.items())
        return tuple(url for url, capture in served if capture.redirect is None and self._is_page(capture))

    def _is_page(self, capture: Capture) -> bool:
        media_type = capture.media_type
        if capture.revisit and not media_type:
            try:
                media_type = self.original(capture).media_type
            except PageFailure:
                media_type = ""  # counted as a page, so that reading it reports what is missing
        return is_page(ada_url.URL(capture.url).pathname, media_type)

    @property
    def others(self) -> int:
        """How many URLs are held that are no pages: images, styles, scripts, feeds, redirects."""
        return len(self._by_url) - len(self.pages)

    def of(self, url: str) -> tuple[Capture, ...]:
        """Every capture of `url`, exact spelling before canonical form; empty if there is none."""
        exact = self._by_url.get(without_fragment(url))
        if exact is not None:
            return tuple(exact)
        try:
            return tuple(self._by_canonical.get(canonical_url(url), ()))
        except UserError:
            return ()

    def find(self, url: str) -> Capture:
        """The capture served for `url`, redirects followed. Raises PageFailure (NOT_FOUND, ERROR)."""
        seen: list[str] = []
        at = url
        while True:
            captures = self.of(at)
            # A redirect from http to https is, in canonical form, its own target.
            if not captures or _best(captures).url in seen:
                said = f"the archive redirects it to {at}, which it does not hold" if seen else "not in the archive"
                raise PageFailure(FailureKind.NOT_FOUND, url, said)
            capture = _best(captures)
            if capture.redirect is None:
                return capture
            seen.append(capture.url)
            if capture.redirect in seen or len(seen) > MAX_HOPS:
                raise PageFailure(FailureKind.ERROR, url, f"redirects in a loop or over more than {MAX_HOPS} hops")
            at = capture.redirect

    def original(self, revisit: Capture) -> Capture:
        """The capture whose payload `revisit` shares. Raises PageFailure (BROKEN) if the archive lacks it."""
        named, time = revisit.refers_to or (revisit.url, revisit.time)
        candidates = [capture for capture in self.of(named) if not capture.revisit]
        for capture in candidates:
            if capture.time == time and revisit.refers_to is not None:
                return capture
        if revisit.digest is not None and revisit.digest in self._by_digest:
            return self._by_digest[revisit.digest]
        if candidates and revisit.digest is None:
            return _best(candidates)
        raise PageFailure(
            FailureKind.BROKEN, revisit.url, f"recorded as unchanged since another capture ({named}), which is missing"
        )


def without_fragment(url: str) -> str:
    return url.partition("#")[0]


def _best(captures: Iterable[Capture]) -> Capture:
    """Good before error, then the latest, then the last in the archive."""
    *_, best = sorted(captures, key=lambda capture: (200 <= capture.status < 400, capture.time))
    return best
