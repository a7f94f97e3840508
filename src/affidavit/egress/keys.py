"""The keys of search APIs: read once from the environment, put into requests here, shown nowhere.

Keys are no settings, because settings are recorded with every run. They stay in egress/: a request is made without
one, and a response in which a server echoes one comes back without it.
"""

import os
from collections.abc import Iterable, Mapping
from urllib.parse import quote, quote_plus

from affidavit.egress.endpoints import key_variables
from affidavit.errors import UserError

_MARK = b"[redacted:secret]"


class Keys:
    """Keys by the environment variable that held them. Printing it shows the names only."""

    def __init__(self, values: Mapping[str, str]) -> None:
        """Raises UserError for a value that cannot be a key; the message does not hold it."""
        self._values = {name: _checked(name, value) for name, value in values.items() if value.strip()}
        self._forms = sorted({form for key in self._values.values() for form in _forms(key)}, key=len, reverse=True)

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] | None = None) -> "Keys":
        env = os.environ if environ is None else environ
        return cls({name: env[name] for name in key_variables().values() if name in env})

    def get(self, variable: str) -> str | None:
        return self._values.get(variable)

    def secrets(self) -> tuple[str, ...]:
        """The values, for whoever must keep them out of what is written (the ledger's redactor)."""
        return tuple(self._values.values())

    def cut_from(self, data: bytes) -> bytes:
        """`data` with every spelling of a key replaced by a mark."""
        for form in self._forms:
            data = data.replace(form, _MARK)
        return data

    def __repr__(self) -> str:
        return f"Keys({', '.join(sorted(self._values)) or 'none'})"


def _forms(key: str) -> Iterable[bytes]:
    """A key as it is, in a URL, and in JSON that escapes the slash."""
    return (form.encode() for form in (key, quote(key, safe=""), quote_plus(key), key.replace("/", "\\/")))


def _checked(name: str, value: str) -> str:
    key = value.strip()
    if len(key) < 6 or not all("!" <= character <= "~" for character in key):
        raise UserError(
            f"{name} holds no key: one is at least 6 printable ASCII characters without spaces; copy it again"
        )
    return key
