"""Where language models are reached: a fixed list, and servers that the operator named. Nothing else is ever asked.

A model is written ``provider:name``. Keys come from the variables of the providers' own documentation, never from the
settings; what they are put into, and how they are kept out of what is written, is `affidavit.egress.keys`.
"""

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from importlib import resources
from importlib.util import find_spec
from typing import Any

import ada_url

from affidavit.egress.keys import Keys
from affidavit.errors import MissingExtra, UserError

EXTRA = "llm"
_NAME = re.compile(r"[a-z][a-z0-9_-]*")


class Protocol(StrEnum):
    """How a provider is spoken to."""

    OPENAI_CHAT = "openai-chat"
    OPENAI_RESPONSES = "openai-responses"
    OPENROUTER = "openrouter"
    ANTHROPIC = "anthropic"
    GOOGLE = "google"
    MISTRAL = "mistral"


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """`keys` are the variables that may hold its key, the first that is set. `own` is a server of the operator's."""

    name: str
    title: str
    url: str
    keys: tuple[str, ...]
    keyless: bool
    speaks: Protocol
    package: str
    own: bool

    def key(self, keys: Keys) -> str | None:
        return next((key for name in self.keys if (key := keys.get(name)) is not None), None)

    @property
    def installed(self) -> bool:
        return find_spec("pydantic_ai") is not None and _is_installed(self.package)


@dataclass(frozen=True, slots=True)
class ModelName:
    """``provider:name``, taken apart. The name is the provider's business and may hold anything."""

    provider: Provider
    name: str

    def __str__(self) -> str:
        return f"{self.provider.name}:{self.name}"


def providers(servers: Mapping[str, str] | None = None) -> dict[str, Provider]:
    """The table's providers and the operator's `servers`, by name; a server of a provider's name takes its address.

    Raises UserError for a name or an address that cannot be one.
    """
    found = {name: _provider(name, row) for name, row in _rows().items()}
    for name, address in (servers or {}).items():
        if not _NAME.fullmatch(name):
            raise UserError(f"models.servers.{name}: a provider's name is lower-case letters, digits, - and _")
        url = _address(name, address)
        speaks, package = Protocol.OPENAI_CHAT, "openai"
        known = found.get(name)
        keys: tuple[str, ...] = (f"{name.upper().replace('-', '_')}_API_KEY",)
        if known is not None:
            keys, package = known.keys, known.package
            # Others that speak OpenAI's protocol speak its older half.
            speaks = Protocol.OPENAI_CHAT if known.speaks is Protocol.OPENAI_RESPONSES else known.speaks
        found[name] = Provider(
            name=name,
            title=known.title if known is not None else "server of your own",
            url=url,
            keys=keys,
            keyless=True,
            speaks=speaks,
            package=package,
            own=True,
        )
    return found


def model_name(text: str, known: Mapping[str, Provider], said: str) -> ModelName:
    """`text` taken apart; `said` is where it was written. Raises UserError for a provider that is not `known`."""
    provider, colon, name = text.strip().partition(":")
    if not colon or not name:
        raise UserError(f"{said} = {text!r}: a model is written provider:name, as in openai:gpt-6-luna")
    if provider not in known:
        raise UserError(
            f"{said} = {text!r}: there is no provider {provider!r}; there are {', '.join(known)}, and servers of yours "
            f"that speak the OpenAI protocol: models.servers.{provider} = \"http://…/v1\""
        )  # fmt: skip
    return ModelName(known[provider], name)


def model_keys(known: Mapping[str, Provider], environ: Mapping[str, str] | None = None) -> Keys:
    """The keys of the providers, from their variables. Raises UserError for a value that cannot be a key."""
    env = os.environ if environ is None else environ
    names = {name for provider in known.values() for name in provider.keys}
    return Keys({name: env[name] for name in sorted(names) if name in env})


def check_ready(model: ModelName, keys: Keys) -> None:
    """Raises MissingExtra where its library is not installed, UserError where it needs a key that is not set."""
    provider = model.provider
    if not provider.installed:
        raise MissingExtra(
            f"{model} needs what speaks to {provider.title}: pip install 'affidavit[{EXTRA}]'"
            + ("" if provider.keyless or provider.key(keys) else f", and a key in {provider.keys[0]}")
        )
    if not provider.keyless and provider.key(keys) is None:
        raise UserError(
            f"{model} needs a key of {provider.title}: set {' or '.join(provider.keys)} (with 'affidavit[{EXTRA}]', "
            "which is installed)"
        )


@lru_cache(maxsize=1)
def _rows() -> dict[str, dict[str, Any]]:
    return tomllib.loads(resources.files("affidavit.models").joinpath("providers.toml").read_text(encoding="utf-8"))


def _provider(name: str, row: Mapping[str, Any]) -> Provider:
    return Provider(
        name=name,
        title=row["title"],
        url=row["url"],
        keys=tuple(row["key"]),
        keyless=row.get("keyless", False),
        speaks=Protocol(row["speaks"]),
        package=row["package"],
        own=False,
    )


def _is_installed(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:  # the package above it is not there
        return False


def _address(name: str, given: str) -> str:
    """The operator's address in WHATWG form, without a slash at its end."""
    said = f"models.servers.{name}"
    try:
        parsed = ada_url.URL(given.strip())
    except ValueError:
        raise UserError(
            f"{said} = {given!r} is no web address; write it in full, as in http://127.0.0.1:8080/v1"
        ) from None
    if parsed.protocol not in ("http:", "https:"):
        raise UserError(f"{said} = {given!r}: only http and https can be asked")
    if parsed.username or parsed.password or parsed.search or parsed.hash:
        raise UserError(f"{said}: give the bare address, without user name, password, query or fragment")
    return parsed.href.rstrip("/")
