"""What an operator lets a run fetch: which hosts, which ports, which kinds of content (contract G2)."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from affidavit.egress.pages import PAGE_TYPES
from affidavit.egress.reason import Reason
from affidavit.egress.target import PORTS, Target, a_labels, read_target
from affidavit.errors import UserError

PUBLIC_WEB = "public-web"
"""The named policy: every host that the address table and the special names leave."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Hosts as ``example.org`` (exactly that), ``*.example.org`` (any host under it, not itself) or ``public-web``.

    ``*`` is another spelling of ``public-web``. Entries may be written in Unicode; they are kept and compared in
    A-labels. `deny` stands over `allow`. `ports` are open on every host beside the scheme's own. `allow_private` are
    exact hosts that may lie in a private network; they are allowed besides. `types` are the media types that are
    read ("" for a response that names none). Raises UserError for an entry that is no host.
    """

    allow: tuple[str, ...] = (PUBLIC_WEB,)
    deny: tuple[str, ...] = ()
    ports: tuple[int, ...] = ()
    allow_private: tuple[str, ...] = ()
    types: frozenset[str] = PAGE_TYPES

    def __post_init__(self) -> None:
        object.__setattr__(self, "allow", _patterns("allow", self.allow))
        object.__setattr__(self, "deny", _patterns("deny", self.deny))
        object.__setattr__(self, "allow_private", _exact(self.allow_private))

    @classmethod
    def from_json(cls, said: Mapping[str, object]) -> "Policy":
        """The policy that `as_json` gave, or a part of it. Raises UserError for what is none."""
        try:
            return cls(**_Said.model_validate(said).model_dump(exclude_unset=True))
        except ValidationError as error:
            first = error.errors()[0]
            key, known = ".".join(map(str, first["loc"])), ", ".join(_Said.model_fields)
            raise UserError(
                f"web policy: {key} = {first['input']!r:.80}: {first['msg'].lower()}; known keys: {known}"
            ) from error

    def as_json(self) -> dict[str, object]:
        """What a run's record says of it, in one order."""
        lists = ("allow", "deny", "ports", "allow_private")
        return {**{name: list(getattr(self, name)) for name in lists}, "types": sorted(self.types)}

    def refusal(self, url: str) -> Reason | None:
        """Why `url` may not be asked for, or None if it may."""
        target = read_target(url)
        return target if isinstance(target, Reason) else self.refusal_of(target)

    def refusal_of(self, target: Target) -> Reason | None:
        if target.port != PORTS[target.scheme] and target.port not in self.ports:
            return Reason.PORT
        if any(_matches(target.host, pattern) for pattern in self.deny):
            return Reason.HOST_DENIED
        if not any(_matches(target.host, pattern) for pattern in (*self.allow, *self.allow_private)):
            return Reason.HOST_NOT_ALLOWED
        return None


class _Said(BaseModel):
    """A policy as a file or a record has it."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=False)

    allow: tuple[str, ...] = (PUBLIC_WEB,)
    deny: tuple[str, ...] = ()
    ports: tuple[Annotated[int, Field(ge=1, le=65_535)], ...] = ()
    allow_private: tuple[str, ...] = ()
    types: frozenset[str] = PAGE_TYPES


def load_web_policy(path: Path | None) -> Policy:
    """The policy in the TOML file at `path`, or the public web. Raises UserError naming the file and what is wrong."""
    if path is None:
        return Policy()
    try:
        return Policy.from_json(tomllib.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise UserError(f"web policy {path} cannot be read: {error.strerror}; name a TOML file") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"web policy {path} is not TOML: {error}") from error
    except UserError as error:
        raise UserError(f"{path}: {error}") from error


def _matches(host: str, pattern: str) -> bool:
    """Whole labels only: ``*.example.org`` does not match ``badexample.org``."""
    if pattern == PUBLIC_WEB:
        return True
    return host.endswith(pattern[1:]) if pattern.startswith("*.") else host == pattern


def _patterns(name: str, written: Iterable[str]) -> tuple[str, ...]:
    return tuple(_pattern(name, entry.strip()) for entry in written)


def _pattern(name: str, entry: str) -> str:
    if entry in ("*", PUBLIC_WEB):
        return PUBLIC_WEB
    wildcard = entry.startswith("*.")
    host = a_labels(entry[2:] if wildcard else entry)
    if host is None or "*" in host:
        raise UserError(
            f"{name}: {entry!r} is no host; write example.org, *.example.org or {PUBLIC_WEB}, without scheme or path"
        )
    return f"*.{host}" if wildcard else host


def _exact(written: Iterable[str]) -> tuple[str, ...]:
    patterns = _patterns("allow_private", written)
    for pattern in patterns:
        if pattern == PUBLIC_WEB or pattern.startswith("*."):
            raise UserError(f"allow_private: {pattern!r} opens more than one host; name each host exactly")
    return patterns
