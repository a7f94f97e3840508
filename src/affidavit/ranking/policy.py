"""The source policy: which hosts are of which tier, and what the four terms of a score weigh.

It is a file, `policy.toml`, since it is an opinion: a user reads it, lays a file of their own over it, and sees
why a source ranks where it does. A key nobody knows is refused: a misspelt weight that is skipped in silence
would leave the user arguing with a policy that is not in force.
"""

import math
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from affidavit.errors import UserError
from affidavit.ranking.canonical import host
from affidavit.ranking.tiers import Tier

_NAME = re.compile(r"[^\s/:@*?#\\]+")
_Share = Annotated[float, Field(ge=0, le=1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """`tiers` maps a name to its tier; the weights sum to 1; all values lie between 0 and 1, the half-life in days."""

    tiers: Mapping[str, Tier]
    tier_values: Mapping[Tier, float]
    tier_weight: float
    recency_weight: float
    data_weight: float
    independence_weight: float
    half_life_days: float
    undated: float


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Tiers(_Table):
    primary: tuple[str, ...] = ()
    secondary: tuple[str, ...] = ()
    aggregator: tuple[str, ...] = ()


class _Weights(_Table):
    tier: _Share
    recency: _Share
    data: _Share
    independence: _Share


class _TierValues(_Table):
    primary: _Share
    secondary: _Share
    aggregator: _Share


class _Recency(_Table):
    half_life_days: Annotated[float, Field(gt=0, allow_inf_nan=False)]
    undated: _Share


class _File(_Table):
    tiers: _Tiers
    weights: _Weights
    tier_values: _TierValues
    recency: _Recency


def load_policy(path: Path | None = None) -> Policy:
    """The shipped policy, with the tables of the file at `path` laid over it.

    A name that the file lists moves to the tier it gives; a number that it gives replaces the shipped one. Raises
    UserError naming the file, the key and what is wrong with it.
    """
    shipped = tomllib.loads(files("affidavit.ranking").joinpath("policy.toml").read_text(encoding="utf-8"))
    base = _validated(shipped, "policy.toml of the package")
    table = _table(base.tiers, "policy.toml of the package")
    if path is not None:
        own = _read(path)
        merged = {
            key: {**shipped.get(key, {}), **value} if isinstance(value, dict) else value for key, value in own.items()
        }
        merged["tiers"] = own.get("tiers", {})
        base = _validated({**shipped, **merged}, str(path))
        table |= _table(base.tiers, str(path))
    return Policy(
        tiers=MappingProxyType(table),
        tier_values=MappingProxyType({tier: getattr(base.tier_values, tier.value) for tier in Tier}),
        tier_weight=base.weights.tier,
        recency_weight=base.weights.recency,
        data_weight=base.weights.data,
        independence_weight=base.weights.independence,
        half_life_days=base.recency.half_life_days,
        undated=base.recency.undated,
    )


def _read(path: Path) -> dict[str, object]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(
            f"policy {path} cannot be read: {error.strerror}; name a TOML file or leave the setting out"
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"policy {path} is not TOML: {error}") from error


def _validated(tables: Mapping[str, object], where: str) -> _File:
    try:
        policy = _File.model_validate(tables)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(map(str, first["loc"]))
        if first["type"] == "extra_forbidden":
            raise UserError(
                f"{where}: unknown key {key!r}; the tables are tiers, weights, tier_values and recency, with the keys"
                " of the shipped policy.toml"
            ) from error
        raise UserError(f"{where}: {key} = {first['input']!r}: {first['msg'].lower()}") from error
    weights = policy.weights
    total = math.fsum((weights.tier, weights.recency, weights.data, weights.independence))
    if not math.isclose(total, 1.0, abs_tol=1e-6):
        raise UserError(f"{where}: the four weights sum to {total:g}; give all four so that they sum to 1")
    return policy


def _table(tiers: _Tiers, where: str) -> dict[str, Tier]:
    table: dict[str, Tier] = {}
    for tier in Tier:
        for written in getattr(tiers, tier.value):
            name = _name(written, where)
            if table.setdefault(name, tier) is not tier:
                raise UserError(f"{where}: {written!r} is listed as {table[name].value} and as {tier.value}; keep one")
    return table


def _name(written: str, where: str) -> str:
    """A listed name as hosts are compared: lower case, A-labels, no ``www.``."""
    bare = written.strip().removeprefix(".")
    if _NAME.fullmatch(bare):
        try:
            found = host(f"https://{bare}/")
        except UserError:
            found = ""
        if found:
            return found
    raise UserError(f"{where}: {written!r} is no host name; write a domain such as example.org, without scheme or path")
