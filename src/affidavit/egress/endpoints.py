"""The search APIs that may be called: the only exceptions to "GET, and only what this run has seen" (G2, G3).

A caller names an endpoint; scheme, host and path are the table's or, for an instance of their own, the operator's.
So nothing that a page or a model says can choose where a question, let alone a key, is sent.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any, Literal

import ada_url

from affidavit.errors import UserError

_LANGUAGE = re.compile(r"[a-z]{2,3}(-[a-z]{2,12})?")


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyPlace:
    """Where an endpoint takes its key: in a header, after `scheme`, or in a parameter of the query.

    `variable` is the environment variable that holds the key. Without one, `keyless` headers are sent instead,
    unless the key is `required`.
    """

    variable: str
    header: str | None
    param: str | None
    scheme: str
    required: bool
    keyless: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """One address of one API. `url` is whole, without query.

    `own` is an instance that the operator named in the settings; only such a one may have a private address.
    `contact` is the parameter in which the API takes a mail address to write to.
    """

    name: str
    provider: str
    method: Literal["GET", "POST"]
    url: str
    own: bool
    key: KeyPlace | None
    contact: str | None

    @property
    def host(self) -> str:
        return ada_url.URL(self.url).hostname


def endpoints(language: str = "en", own: Mapping[str, str | None] | None = None) -> dict[str, Endpoint]:
    """The table's endpoints by name. `own` are the operator's addresses by setting; a row without one is left out.

    Raises UserError for a language that is none, or an address that cannot be one of an API.
    """
    if not _LANGUAGE.fullmatch(language):
        raise UserError(f"search_language = {language!r}: give a language code such as 'en', 'de' or 'pt-br'")
    named = own or {}
    found: dict[str, Endpoint] = {}
    for name, row in _rows().items():
        setting: str | None = row.get("setting")
        if setting is None:
            url = row["url"].format(language=language)
        elif (base := named.get(setting)) is not None:
            url = _own_url(setting, base) + row.get("path", "")
        else:
            continue
        found[name] = Endpoint(
            name=name,
            provider=row["provider"],
            method=row["method"],
            url=url,
            own=setting is not None,
            key=_key_place(row),
            contact=row.get("contact"),
        )
    return found


def key_variables() -> dict[str, str]:
    """By provider that takes a key: the environment variable that holds it."""
    return {row["provider"]: row["key"] for row in _rows().values() if "key" in row}


def names_of(provider: str) -> tuple[str, ...]:
    """The endpoints of `provider`, whether they have an address or not."""
    return tuple(name for name, row in _rows().items() if row["provider"] == provider)


def setting_of(name: str) -> str | None:
    """The setting that gives endpoint `name` its address; None if the table does, or there is no such endpoint."""
    return _rows().get(name, {}).get("setting")


@lru_cache(maxsize=1)
def _rows() -> dict[str, dict[str, Any]]:
    return tomllib.loads(resources.files("affidavit.egress").joinpath("endpoints.toml").read_text(encoding="utf-8"))


def _key_place(row: Mapping[str, Any]) -> KeyPlace | None:
    if "key" not in row:
        return None
    return KeyPlace(
        variable=row["key"],
        header=row.get("header"),
        param=row.get("param"),
        scheme=row.get("scheme", ""),
        required=row.get("required", False),
        keyless=tuple(row.get("keyless", {}).items()),
    )


def _own_url(setting: str, base: str) -> str:
    """The operator's address in WHATWG form, without a slash at its end."""
    try:
        parsed = ada_url.URL(base.strip())
    except ValueError:
        raise UserError(f"{setting} = {base!r} is no web address; write it in full, as in https://host/path") from None
    if parsed.protocol not in ("http:", "https:"):
        raise UserError(f"{setting} = {base!r}: only http and https can be asked")
    if parsed.username or parsed.password or parsed.search or parsed.hash:
        raise UserError(f"{setting}: give the bare address, without user name, password, query or fragment")
    return parsed.href.rstrip("/")
