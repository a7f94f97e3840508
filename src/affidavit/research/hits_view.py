"""Search results as a model sees them: text of strangers between tags, to choose from and never to quote."""

from collections.abc import Collection, Sequence

from affidavit.evidence.envelope import neutralise, sealed
from affidavit.ranking.canonical import canonical_url
from affidavit.ranking.rank import Ranked

SNIPPET_CHARS = 160
TITLE_CHARS = 120


def show_hits(query: str, ranked: Sequence[Ranked], known: Collection[str]) -> str:
    """`ranked` in order; those whose canonical URL is in `known` were listed before and get one line."""
    lines: list[str] = []
    for number, one in enumerate(ranked, 1):
        hit = one.hit
        dated = f", {hit.published}" if hit.published else ""
        title = " ".join(hit.title.split())[:TITLE_CHARS]
        before = ", listed before" if canonical_url(hit.url) in known else ""
        lines.append(f"{number}. {title} ({one.tier.value}{dated}{before})\n   {hit.url}")
        if not before and hit.snippet.strip():
            lines.append("   " + " ".join(hit.snippet.split())[:SNIPPET_CHARS])
    text = "\n".join(lines) if lines else "(nothing that was not listed before)"
    return sealed("untrusted_results", text, query=neutralise(query).text)
