"""Which addresses of one run are the same, said without saying what they are.

The ledger cuts secrets out of addresses. What is left cannot be compared: two addresses that differ in what was cut
read alike, and one address, written in two ways, may be cut in two places. So beside an address stands a digest of it
as it was. The digest is keyed (HMAC-SHA-256) by a salt that lies in the memory of the process that writes the run and
nowhere else: with it recorded, a short secret could be guessed from the digest. For the same reason it proves nothing
to a stranger, is worth nothing in another run, and a run that is resumed has a new one: what was cut before cannot be
compared with what comes after.
"""

import hashlib
import hmac
import secrets
from collections.abc import Iterable, Mapping
from typing import cast

from affidavit.egress.target import Target, read_target
from affidavit.ledger.event import BEGUN
from affidavit.ledger.redaction import MARK, Redactor


class Sameness:
    """Digests of addresses, to be compared with each other only."""

    def __init__(self) -> None:
        self._salt = secrets.token_bytes(32)

    def of(self, url: str) -> str:
        """The digest of `url` (64 hexadecimal digits); of what is no address, of the text."""
        return hmac.new(self._salt, spelt(url).encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()

    def cut(self, event_type: str, payload: object, redactor: Redactor) -> dict[str, object] | None:
        """What a ``run.cut`` event says of an event that names addresses; None if `redactor` leaves all of them whole.

        `payload` is as it was before redaction.
        """
        lost = [url for url in _named(event_type, payload) if _loses(url, redactor)]
        return {"event": event_type, "same": [self.of(url) for url in lost]} if lost else None


def spelt(url: str) -> str:
    """`url` as it would be sent; what is no address, as it is."""
    target = read_target(url)
    return target.url if isinstance(target, Target) else url


def source_of(how: str | None) -> str | None:
    """The address that `how`, the provenance of another, names: what redirected to it, or the page it is on."""
    if how is None:
        return None
    found = how.rpartition(" from ")[2] if how.startswith("redirect from ") else how.partition(" on ")[2]
    return found or None


def _loses(url: str, redactor: Redactor) -> bool:
    """Whether `url` cannot be read again from what is recorded of it, as written or as sent. One that holds the mark
    of a cut by itself reads as if it were cut."""
    return any(MARK in form or redactor.text(form) != form for form in (url, spelt(url)))


def _named(event_type: str, payload: object) -> Iterable[str]:
    """The addresses that an event lets the run ask for: what a search found, and what a person gave."""
    said = cast("Mapping[str, object]", payload)
    if event_type == "search":
        hits = cast("Iterable[Mapping[str, object]]", said.get("hits") or ())
        return [url for hit in hits if isinstance(url := hit.get("url"), str)]
    if event_type == BEGUN:
        settings = cast("Mapping[str, object]", said.get("settings") or {})
        return [url for url in cast("Iterable[object]", settings.get("given") or ()) if isinstance(url, str)]
    return ()
