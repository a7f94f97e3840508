"""Names of countries, for the API that takes no codes. The table is countries.toml."""

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources


def country_name(region: str | None) -> str | None:
    """Tavily's name for an ISO 3166-1 code, or None."""
    return _names().get(region.upper()) if region else None


@lru_cache(maxsize=1)
def _names() -> Mapping[str, str]:
    return tomllib.loads(resources.files("affidavit.search").joinpath("countries.toml").read_text(encoding="utf-8"))
