"""What a model's tokens cost, from a table that a user can read, correct and extend.

A model that is not in the table has no price, and a call to it no known cost: never zero. Prices change without notice;
each row says when it was read, and where.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import lru_cache
from importlib import resources
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from affidavit.errors import UserError
from affidavit.models.reply import Usage

_MILLION = Decimal(1_000_000)
# A dated edition of a model costs what the model costs: -2026-08-01, -20260801, @20260801, -0801.
_EDITION = re.compile(r"[-@](\d{4}-\d{2}-\d{2}|\d{8}|\d{4})$")


class Price(BaseModel):
    """US dollars per million tokens. `cached` and `written` are input read from, and written to, a provider's cache;
    None: as much as `input`. `long` is what all of a call costs whose input has more than `long.above` tokens."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    input: Decimal = Field(ge=0)
    output: Decimal = Field(ge=0)
    cached: Decimal | None = Field(None, ge=0)
    written: Decimal | None = Field(None, ge=0)
    long: "LongPrice | None" = None
    as_of: date
    source: str = Field(min_length=1)

    def cost(self, usage: Usage) -> Decimal:
        """Dollars for `usage`; what the provider itself said it cost, where it did."""
        if usage.cost is not None:
            return usage.cost
        rates = self._rates(usage.input)
        plain = max(0, usage.input - usage.cached - usage.written)
        return (
            plain * rates.input
            + usage.cached * _or(rates.cached, rates.input)
            + usage.written * _or(rates.written, rates.input)
            + usage.output * rates.output
        ) / _MILLION

    def most(self, tokens_in: int, tokens_out: int) -> Decimal:
        """The most that so many tokens can cost: nothing read from the cache, everything written to it."""
        rates = self._rates(tokens_in)
        return (tokens_in * max(rates.input, _or(rates.written, rates.input)) + tokens_out * rates.output) / _MILLION

    def _rates(self, tokens_in: int) -> "Price | LongPrice":
        return self.long if self.long is not None and tokens_in > self.long.above else self


class LongPrice(BaseModel):
    """The rates of a long call."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    above: int = Field(gt=0, description="input tokens")
    input: Decimal = Field(ge=0)
    output: Decimal = Field(ge=0)
    cached: Decimal | None = Field(None, ge=0)
    written: Decimal | None = Field(None, ge=0)


@dataclass(frozen=True, slots=True)
class Prices:
    """Prices by ``provider:name``; ``provider:*`` is for every model of that provider that has no row."""

    rows: Mapping[str, Price]

    def of(self, model: str) -> Price | None:
        """The price of `model`, or of the model that it is a dated edition of; None where nobody wrote it down."""
        provider = model.partition(":")[0]
        for name in (model, _EDITION.sub("", model), f"{provider}:*"):
            if name in self.rows:
                return self.rows[name]
        return None


def load_prices(extra: Path | None = None) -> Prices:
    """The table that ships, with the rows of `extra` in place of its own. Raises UserError."""
    if extra is None:
        return Prices(_shipped())
    path = extra.expanduser()
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise UserError(f"models.prices = {extra}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UserError(f"models.prices = {extra}: not valid TOML: {error}") from error
    return Prices({**_shipped(), **_rows(text, str(path))})


@lru_cache(maxsize=1)
def _shipped() -> Mapping[str, Price]:
    return _rows(resources.files("affidavit.models").joinpath("prices.toml").read_text(encoding="utf-8"), "prices.toml")


def _rows(text: str, where: str) -> dict[str, Price]:
    try:
        table = tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{where}: not valid TOML: {error}") from error
    found: dict[str, Price] = {}
    for name, row in table.items():
        try:
            found[name] = Price.model_validate(row)
        except ValidationError as error:
            first = error.errors()[0]
            at = ".".join(map(str, (name, *first["loc"])))
            raise UserError(
                f"{where}: {at} = {first['input']}: {first['msg'].lower()}; a row looks like"
                ' ["openai:name"] input = 2.0, output = 8.0, as_of = 2026-11-01, source = "…"'
            ) from error
    return found


def _or(rate: Decimal | None, otherwise: Decimal) -> Decimal:
    return otherwise if rate is None else rate
