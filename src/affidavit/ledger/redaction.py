"""Keeps secrets out of the ledger: what looks like a key, what is known to be one, and what is named like one.

The pass is pure and idempotent, and it leaves a mark where it cut, so a replay that passes its own results
through it can still be compared with what was recorded. It reads whole texts: a key that is split over two
fields is not found. Where an address leads stays readable: of its authority, only the user's name and password and
configured secrets go. A host that only looks like a key is a name that whoever owns it chose.
"""

import base64
import re
from collections.abc import Iterable
from typing import cast
from urllib.parse import quote, quote_plus

from affidavit.errors import OperatorError
from affidavit.ledger.secret_shapes import AUTHORITY, HEADER_VALUE, NAMES, QUERY, SHAPES, USERINFO

MARK = "[redacted:"
"""How every mark of a cut begins. A text with it in is not what was said."""

SHORTEST = 6
"""Characters of the shortest configured secret. A shorter one would be cut out of ordinary words."""


class Redactor:
    """Replaces secrets by ``[redacted:KIND]``. `secrets` are values known from the settings, exact."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        forms: set[str] = set()
        for secret in secrets:
            if not secret:
                continue
            if len(secret) < SHORTEST:
                raise OperatorError(
                    f"a configured secret has {len(secret)} characters and cannot be told from ordinary text; "
                    f"use one of {SHORTEST} or more"
                )
            forms |= {secret, quote(secret, safe=""), quote_plus(secret)}
            forms.add(base64.b64encode(secret.encode()).decode().rstrip("="))
        longest_first = sorted(forms, key=lambda form: (-len(form), form))
        self._known = re.compile("|".join(map(re.escape, longest_first))) if forms else None
        self._shapes = [
            (re.compile(pattern), re.compile(rf"(?P<authority>{AUTHORITY})|{pattern}"), f"[redacted:{kind}]")
            for kind, pattern, _ in SHAPES
        ]
        self._header = re.compile(HEADER_VALUE)
        self._userinfo = re.compile(USERINFO)
        self._query = re.compile(QUERY)

    def text(self, text: str) -> str:
        """`text` without its secrets."""
        if self._known is not None:
            text = self._known.sub("[redacted:secret]", text)
        if "://" in text:
            text = self._userinfo.sub(r"\1[redacted:userinfo]@", text)
        if "=" in text:
            text = self._query.sub(r"\1[redacted:parameter]", text)
        for shape, outside, mark in self._shapes:
            if (
                shape.search(text) is not None
            ):  # passing over authorities takes three times as long, and is rarely needed
                text = outside.sub(lambda found, mark=mark: found["authority"] or mark, text)
        return self._header.sub(r"\1\2[redacted:credential]", text)

    def value(self, value: object) -> object:
        """Plain JSON without its secrets: texts, keys, and whatever stands under a secret's name.

        A header list, ``[["cookie", "…"], …]``, is read as names and values.
        """
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            items = cast("dict[str, object]", value)
            return {self.text(key): self._named(key, item) for key, item in items.items()}
        if isinstance(value, list):
            parts = cast("list[object]", value)
            if len(parts) == 2 and isinstance(parts[0], str):
                return [self.text(parts[0]), self._named(parts[0], parts[1])]
            return [self.value(part) for part in parts]
        return value

    def _named(self, name: str, value: object) -> object:
        if name.lower().replace("_", "-") in NAMES and value not in (None, "", [], {}) and not isinstance(value, bool):
            return "[redacted:named]"
        return self.value(value)
