"""From what a provider sent to hits: the same cleaning, filtering and paging for all of them."""

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

import ada_url

from affidavit.errors import SearchFailure
from affidavit.ranking.canonical import canonical_url
from affidavit.ranking.hit import Hit
from affidavit.search.exchange import Call
from affidavit.search.plain import plain
from affidavit.search.published import Window

_MAX_URL = 8192
_REPAIRED = re.compile(r"[\x00-\x1f\x7f\\\ud800-\udfff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One result as the provider has it; `published` is already an ISO date, or None."""

    url: str | None
    title: str | None
    snippet: str | None
    published: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Paging:
    """How a provider pages: `size` results a page, at most `pages` of them. `vouched` says that it selects by date
    itself, so that a result without a date may stand in a search for recent ones."""

    size: int
    pages: int
    vouched: bool = False


async def collect(
    call: Call,
    page: Callable[[int, int], Awaitable[Sequence[Found]]],
    *,
    provider: str,
    limit: int,
    window: Window | None,
    paging: Paging,
) -> list[Hit]:
    """At most `limit` hits. ``page(number, size)`` gives the results of page `number`, from 0.

    A failure on a later page costs that page: what came before is returned, and the failure told. Raises
    SearchFailure where the first page fails, or gives results of which none has a web address.
    """
    hits: dict[str, Hit] = {}
    size = min(paging.size, limit)
    for number in range(paging.pages):
        try:
            results = await page(number, size)
        except SearchFailure as failure:
            if not hits:
                raise
            call.tell(failure)
            break
        usable = [(url, one) for one in results if (url := web_address(one.url)) is not None]
        if results and not usable and not hits:
            raise call.bad_response(f"none of its {len(results)} results has a web address")
        for url, one in usable:
            if window is None or _wanted(one, window, vouched=paging.vouched):
                key = canonical_url(url)
                hits.setdefault(key, _hit(url, one, provider, len(hits) + 1))
        if len(hits) >= limit or len(results) < size:
            break
    return list(hits.values())[:limit]


def web_address(url: str | None) -> str | None:
    """`url` in WHATWG form, if it is a http or https address with a host; the gateway's policy judges the rest.

    One with a control character or a backslash, which a browser would repair, is none.
    """
    if not url or len(url) > _MAX_URL or _REPAIRED.search(url.strip()):
        return None
    try:
        parsed = ada_url.URL(url.strip())
    except ValueError:
        return None
    return parsed.href if parsed.protocol in ("http:", "https:") and parsed.hostname else None


def _wanted(one: Found, window: Window, *, vouched: bool) -> bool:
    return vouched if one.published is None else window.holds(one.published)


def _hit(url: str, one: Found, provider: str, rank: int) -> Hit:
    return Hit(
        url=url,
        title=plain(one.title, 300) or url,
        snippet=plain(one.snippet),
        published=one.published,
        provider=provider,
        rank=rank,
    )
