"""The providers there are: by name, what is known of each, and how one is made."""

import difflib
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from importlib import resources
from typing import Any

from affidavit.errors import UserError
from affidavit.search.arxiv import Arxiv
from affidavit.search.brave import Brave
from affidavit.search.connection import Connection
from affidavit.search.crossref import Crossref
from affidavit.search.duckduckgo import DuckDuckGo
from affidavit.search.exa import Exa
from affidavit.search.exchange import Manners
from affidavit.search.limits import Rate
from affidavit.search.openalex import OpenAlex
from affidavit.search.provider import Provider
from affidavit.search.pubmed import PubMed
from affidavit.search.searxng import SearXNG
from affidavit.search.serper import Serper
from affidavit.search.tavily import Tavily
from affidavit.search.wikipedia import own_wiki, wikipedia

MAKERS: Mapping[str, Callable[[Connection], Provider]] = {
    "wikipedia": wikipedia,
    "mediawiki": own_wiki,
    "searxng": SearXNG,
    "brave": Brave,
    "tavily": Tavily,
    "exa": Exa,
    "serper": Serper,
    "duckduckgo": DuckDuckGo,
    "arxiv": Arxiv,
    "openalex": OpenAlex,
    "crossref": Crossref,
    "pubmed": PubMed,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What is known of a provider. `cost` is as of `as_of`, by `source`; `as_asked` is whether it is asked for a
    question once (`AsAsked`)."""

    name: str
    title: str
    finds: str
    manners: Manners
    limit: str
    cost: str
    as_of: date
    source: str
    as_asked: bool = False


def named(names: Sequence[str]) -> tuple[Entry, ...]:
    """The entries of `names`, each once, in order. Raises UserError for one that does not exist, or for none."""
    entries = catalogue()
    for name in names:
        if name not in entries:
            close = difflib.get_close_matches(name, entries, 1)
            hint = f"did you mean {close[0]!r}?" if close else f"known: {', '.join(entries)}"
            raise UserError(f"search names the provider {name!r}, which does not exist; {hint}")
    if not names:
        raise UserError("search names no provider; leave it out for the default, or name one")
    return tuple(entries[name] for name in dict.fromkeys(names))


@lru_cache(maxsize=1)
def catalogue() -> Mapping[str, Entry]:
    """All providers by name."""
    text = resources.files("affidavit.search").joinpath("providers.toml").read_text(encoding="utf-8")
    return {name: _entry(name, row) for name, row in tomllib.loads(text).items()}


def _entry(name: str, row: Mapping[str, Any]) -> Entry:
    rate = Rate(row["requests"], row["seconds"], row["burst"])
    return Entry(
        name=name,
        title=row["title"],
        finds=row["finds"],
        manners=Manners(rate, Rate(*row["with_key"]) if "with_key" in row else rate, row["at_once"]),
        limit=row["limit"],
        cost=row["cost"],
        as_of=row["as_of"],
        source=row["source"],
        as_asked=row.get("as_asked", False),
    )
