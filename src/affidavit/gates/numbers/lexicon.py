"""The tables beside this file, read once and shaped for look-up. No rule lives here."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import Any


@dataclass(frozen=True, slots=True)
class Unit:
    """`base` and `factor` are None where nothing converts exactly. `minor` marks a hundredth of a currency."""

    name: str
    base: str | None = None
    factor: Decimal | None = None
    currency: bool = False
    minor: bool = False
    adjective: bool = False


@dataclass(frozen=True, slots=True)
class Words:
    """The number words of one language, lower case."""

    add: Mapping[str, int]
    times: Mapping[str, int]
    scale: Mapping[str, int]
    ordinal: Mapping[str, int]
    part: Mapping[str, int]
    joins: frozenset[str]
    articles: frozenset[str]


@cache
def table(name: str) -> dict[str, Any]:
    """A TOML table of this room."""
    return tomllib.loads(files("affidavit.gates.numbers").joinpath(f"{name}.toml").read_text(encoding="utf-8"))


def alternation(words: Iterable[str]) -> str:
    """A regular expression for any of the words, the longest first, blanks in them any blank."""
    ordered = sorted(set(words), key=lambda word: (-len(word), word))
    return "|".join(re.escape(word).replace(r"\ ", r"[ \u00a0\n]+") for word in ordered)


def split_bar(text: str) -> list[str]:
    return [" ".join(word.split()) for word in text.split("|") if word.strip()]


@cache
def words(language: str) -> Words:
    """The number words of `language`; those of English where the table has none."""
    every = table("words")
    own = every.get(language) if language != "marks" else None
    if own is None:
        own = every["en"]
    return Words(
        add=own["add"],
        times=own["times"],
        scale=own["scale"],
        ordinal=own["ordinal"],
        part=own["part"],
        joins=frozenset(own["joins"]),
        articles=frozenset(own["articles"]),
    )


@cache
def scale_words(language: str) -> dict[str, int]:
    """Multiplier by word as it may follow digits: of `language`, of English, then of every other where no other sense
    is taken ("Mrd", "millones", "miljoen" mean one thing everywhere; "billion" and "mil" do not)."""
    found: dict[str, int] = {}
    for name, rows in table("words").items():
        if name != "marks":
            found |= {word: worth for word, worth in rows["scale"].items() if word not in ("mil", "mille", "mila")}
    return {**found, **words("en").scale, "hundred": 100, "dozen": 12, **words(language).scale}


@cache
def marks() -> dict[str, int]:
    return dict(table("words")["marks"])


@cache
def units() -> dict[str, Unit]:
    """Unit by name."""
    found = {
        name: Unit(name, row.get("of"), Decimal(row["factor"]) if "factor" in row else None)
        for name, row in table("units").items()
    }
    for code in currency_codes() | {"crown"}:
        found[code] = Unit(code, currency=True)
    return found


@cache
def unit_symbols() -> dict[str, Unit]:
    """Unit by the sign that stands beside a figure, case and all; adjectives and signs of currencies too."""
    found: dict[str, Unit] = {}
    for name, row in table("units").items():
        for symbol in row["symbols"]:
            found[symbol] = units()[name]
        for word in row.get("adjectives", ()):
            found[word] = Unit(name, adjective=True)
    return found


@cache
def unit_words() -> dict[str, Unit]:
    """Unit by a spelled-out name in lower case."""
    found: dict[str, Unit] = {}
    for name, row in table("units").items():
        for word in row["words"]:
            found.setdefault(word, units()[name])
    for code, row in table("currencies").items():
        for word in row.get("words", ()):
            found[word] = Unit(code, currency=True)
        for word in row.get("minor", ()):
            found[word] = Unit(code, currency=True, minor=True)
    return found


@cache
def currency_signs() -> dict[str, str]:
    """ISO code by sign; the codes themselves are signs too."""
    found = {code: code for code in currency_codes()}
    for code, row in table("currencies").items():
        for sign in row.get("signs", ()):
            found[sign] = code
    return found


@cache
def currency_codes() -> frozenset[str]:
    rows = table("currencies")
    return frozenset(rows.keys() - {"bare", "crown"}) | frozenset(rows["bare"]["codes"])


@cache
def months() -> dict[str, int]:
    """Month number by name as written: English, German ones with a capital, the others in lower case as well."""
    found: dict[str, int] = {}
    for language, names in table("calendar")["months"].items():
        for number, forms in enumerate(names, start=1):
            for form in forms.split():
                found[form] = number
                if language not in ("en", "de"):
                    found[form.capitalize()] = number
                elif form.upper() != "MAY":
                    found[form.upper()] = number
    return found
