"""Several providers' lists as one, by reciprocal rank fusion.

    score(page) = sum over the lists that hold it of 1 / (60 + its rank there)

Cormack, Clarke and Büttcher, "Reciprocal rank fusion outperforms Condorcet and individual rank learning methods"
(SIGIR 2009), with their constant. Only ranks count, since the scores of two engines cannot be compared.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from affidavit.ranking.canonical import canonical_url
from affidavit.ranking.hit import Hit

CONSTANT = 60
SEPARATOR = ", "
"""Between the names of the providers that a merged hit came from."""


@dataclass(slots=True)
class _Page:
    """One page's hits, best rank first among equals in the order of the lists."""

    score: float = 0.0
    hits: list[Hit] = field(default_factory=list[Hit])


def merge(lists: Mapping[str, Sequence[Hit]], limit: int) -> list[Hit]:
    """At most `limit` pages, best first; the same whatever order the lists came in.

    A page is its canonical URL. It keeps the address, title and snippet of the hit with the best rank (of equals, of
    the provider whose name comes first), the first date that any of them gives, and the names of all, in order of
    rank; its `rank` is its place here.
    """
    pages: dict[str, _Page] = {}
    for name in sorted(lists):
        seen: set[str] = set()
        for hit in sorted(lists[name], key=lambda one: one.rank):
            key = canonical_url(hit.url)
            if key in seen:
                continue
            seen.add(key)
            page = pages.setdefault(key, _Page())
            page.score += 1 / (CONSTANT + hit.rank)
            page.hits.append(hit)
    order = sorted(pages, key=lambda key: (-round(pages[key].score, 12), min(h.rank for h in pages[key].hits), key))
    return [_merged(pages[key].hits, rank) for rank, key in enumerate(order[:limit], start=1)]


def _merged(hits: Sequence[Hit], rank: int) -> Hit:
    by_rank = sorted(hits, key=lambda hit: (hit.rank, hit.provider))
    best = by_rank[0]
    return replace(
        best,
        snippet=best.snippet or next((hit.snippet for hit in by_rank if hit.snippet), ""),
        published=next((hit.published for hit in by_rank if hit.published), None),
        provider=SEPARATOR.join(dict.fromkeys(hit.provider for hit in by_rank)),
        rank=rank,
    )
