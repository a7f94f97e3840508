"""Documents kept by what made them, so that a page of a large archive is extracted once and not at every check.

A kept page's name is the digest of everything that decides what extraction gives: the response (addresses, time,
status, headers, bytes) and the versions of the extractors. So nothing kept is ever out of date; what has changed has
another name. A file begins with the digest of its name and the rest: what is damaged, cut short or written by something
else is not read, and the page is extracted again. Losing the folder costs time alone; a folder that cannot be written
is no error, and is said once.
"""

import contextlib
import dataclasses
import hashlib
import json
import os
import secrets
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from affidavit.errors import FailureKind, IntegrityError, PageFailure
from affidavit.evidence.document import Block, BlockKind, Document, Fetched, Link
from affidavit.own_folder import make_own_folder

UNUSED_DAYS = 60
"""A page that no check has read for so long is removed."""
LARGEST = 64 * 1024 * 1024
"""Bytes of a kept page, unpacked. A file that unpacks to more was not written here."""
_FORMAT = b"affidavit page 1\n"
_DIGEST = 32
# How fresh a file's time must be to be left alone: it says when the page was last used, to the day.
_TOUCH_S = 86_400
# What ended a page for reasons of this machine at that moment may not end it again.
_PASSING = (FailureKind.TIMEOUT, FailureKind.CRASHED, FailureKind.TOO_LARGE)

Outcome = Document | PageFailure


class KeptPages:
    """What pages became, in `folder`. `versions` name the extractors; `on_message` gets one line for a person."""

    def __init__(self, folder: Path, versions: str, on_message: Callable[[str], None]) -> None:
        self.folder = folder / hashlib.sha256(_FORMAT + versions.encode()).hexdigest()[:12]
        self._on_message = on_message
        self._writes = True

    def path(self, page: Fetched) -> Path:
        """Where the outcome of `page` is kept."""
        key = self._key(page)
        return self.folder / key[:2] / key[2:]

    @staticmethod
    def _key(page: Fetched) -> str:
        parts = [page.requested_url, page.final_url, page.retrieved_at, page.status, page.headers]
        digest = hashlib.sha256(json.dumps(parts).encode())
        digest.update(hashlib.sha256(page.body).digest())
        return digest.hexdigest()

    def get(self, page: Fetched) -> Outcome | None:
        """What `page` became, None if that is not kept whole."""
        path = self.path(page)
        try:
            found = _unpack(path.read_bytes(), self._key(page))
            if found is not None and time.time() - path.stat().st_mtime > _TOUCH_S:
                os.utime(path)
        except OSError:
            return None
        return found

    def put(self, page: Fetched, outcome: Outcome) -> None:
        """Keep what `page` became."""
        if not self._writes or (isinstance(outcome, PageFailure) and outcome.kind in _PASSING):
            return
        path = self.path(page)
        # Not waited for until it is on the disk: what a crash leaves half written has not its digest.
        temporary = path.with_name(f".put-{secrets.token_hex(8)}")
        try:
            make_own_folder(path.parent)
            temporary.write_bytes(_pack(outcome, self._key(page)))
            temporary.replace(path)
        except OSError as error:
            self._writes = False
            self._on_message(
                f"{self.folder}: read pages cannot be kept there ({error.strerror or error}); the next run reads "
                "them anew. Give a cache folder that can be written"
            )
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)

    def prune(self) -> int:
        """Remove what no check has used for `UNUSED_DAYS`, other versions' pages among it. How many files went."""
        oldest = time.time() - UNUSED_DAYS * 86_400
        gone = 0
        for path in self.folder.parent.glob("*/*/*"):
            try:
                if path.stat().st_mtime < oldest:
                    path.unlink()
                    gone += 1
            except OSError:  # another process removed it first, or will
                continue
        return gone


def _pack(outcome: Outcome, key: str) -> bytes:
    if isinstance(outcome, Document):
        kept: dict[str, Any] = {"document": {name: getattr(outcome, name) for name in _FIELDS}}
        kept["document"]["blocks"] = [
            (one.start, one.end, one.kind.value, one.main, one.level, one.page, one.heads) for one in outcome.blocks
        ]
        kept["document"]["links"] = [(one.url, one.text) for one in outcome.links]
    else:
        kept = {"failure": (outcome.kind.value, outcome.url, outcome.detail)}
    # Lone surrogates, which a hostile page can hold, have no UTF-8: ASCII JSON has a spelling for them.
    packed = zlib.compress(json.dumps(kept).encode("ascii"), 1)
    return _FORMAT + hashlib.sha256(key.encode() + packed).digest() + packed


def _unpack(raw: bytes, key: str) -> Outcome | None:
    """None for anything but what `_pack` writes under that key."""
    head = len(_FORMAT) + _DIGEST
    packed = raw[head:]
    if raw[:head] != _FORMAT + hashlib.sha256(key.encode() + packed).digest():
        return None
    unpacker = zlib.decompressobj()
    try:
        text = unpacker.decompress(packed, LARGEST)
        if not unpacker.eof:
            return None
        kept = json.loads(text)
        if "failure" in kept:
            kind, url, detail = kept["failure"]
            return PageFailure(FailureKind(kind), url, detail)
        fields = kept["document"]
        fields["blocks"] = tuple(
            Block(start, end, BlockKind(kind), main, level, page, tuple(heads))
            for start, end, kind, main, level, page, heads in fields["blocks"]
        )
        fields["links"] = tuple(Link(url, words) for url, words in fields["links"])
        fields["headers"] = tuple((name, value) for name, value in fields["headers"])
        for name in ("breaks", "flags"):
            fields[name] = tuple(fields[name])
        return Document(**fields)
    except (zlib.error, ValueError, TypeError, KeyError, IntegrityError):
        return None


_FIELDS = tuple(field.name for field in dataclasses.fields(Document))
