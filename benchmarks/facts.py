"""What the keyless reading of a site finds: the known facts of the shared data, stage by stage, and the register.

    python benchmarks/facts.py [--shared DIR] [--pages 15 60] [--show] [--json FILE]

Reads 18f.gsa.gov from its archive as a customer's site. A known fact is counted where it is lost: its page was not
crawled, its sentence gave no candidate, or its candidate did not become one of the register. `given` is the crawl of 15
pages with the pages of the known facts named beside the site's address. `--show` prints each register for a person to
judge.
"""

import argparse
import asyncio
import json
import os
import re
import sys
import time
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from affidavit.egress.archive import open_archive
from affidavit.egress.gateway import Gateway
from affidavit.egress.policy import Policy
from affidavit.egress.web import ArchiveWeb
from affidavit.evidence.document import Document, Fetched
from affidavit.extract.worker import Workers
from affidavit.facts import CrawlLimits, FactRun, Why, gather_facts
from affidavit.gates.numbers import Kind, mentions
from affidavit.ranking.canonical import canonical_url

SITE = "https://18f.gsa.gov/"


@dataclass(frozen=True)
class Crawled:
    name: str
    run: FactRun
    seconds: float


def bare(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).lower()


def value_in(value: str, sentence: str) -> bool:
    return value.removesuffix("ayear").removesuffix("peryear") in sentence


async def crawl(archive: Path, workers: Workers, pages: int, also: list[str], depth: int) -> FactRun:
    async def reader(fetched: Fetched) -> Document:
        return await asyncio.wrap_future(workers.submit(fetched))

    gateway = Gateway(ArchiveWeb([open_archive(archive)]), lambda _: None, Policy(allow=("public-web",)))
    return await gather_facts(
        SITE,
        gateway,
        reader,
        customer="18F",
        now=lambda: datetime(2025, 2, 8, tzinfo=UTC),
        also=also,
        limits=CrawlLimits(pages=pages, depth=depth),
    )


def stages(run: FactRun, facts: list[dict[str, Any]]) -> dict[str, str]:
    """For each known fact how far it came."""
    crawled = {canonical_url(one.page.url) for one in run.pages}
    found: dict[str, str] = {}
    for fact in facts:
        quote, value = (
            bare(fact["quote"]),
            bare(re.sub(r"^(?:over|about|more than|approximately|under) ", "", fact["value"])),
        )

        sized = not mentions(fact["value"]) or mentions(fact["value"])[0].kind is Kind.IDENTIFIER

        def holds(text: str, words: str, quote: str = quote, value: str = value, sized: bool = sized) -> bool:
            """Whether a sentence is that of the fact, and its value the fact's; a size in words ("hundreds of…") has no
            value, and stands in the sentence."""
            sentence = bare(text)
            if not (sentence in quote or quote in sentence):
                return False
            return (words.strip("+") in value if words else sized) and value_in(value, sentence)

        if canonical_url(fact["url"]) not in crawled:
            found[fact["id"]] = "page not crawled"
        elif not any(holds(one.source.quote, bare(one.value or "")) for one in run.candidates):
            found[fact["id"]] = "no candidate"
        elif any(holds(source.quote, bare(one.value or "")) for one in run.register.facts for source in one.sources):
            found[fact["id"]] = "in the register"
        else:
            why = [
                one.why.value
                for one in run.dropped
                if (bare(one.text) in quote or quote in bare(one.text)) and one.why is not Why.MERGED
            ][-1:]
            found[fact["id"]] = f"candidate, then {''.join(why) or '?'}"
    return found


def report(crawled: Crawled, facts: list[dict[str, Any]], show: bool) -> dict[str, Any]:
    run = crawled.run
    reached = stages(run, facts)
    states = Counter(one.state.value for one in run.register.facts)
    print(f"\n== {crawled.name}: {len(run.pages)} pages in {crawled.seconds:.1f} s")
    print(f"   {len(run.candidates)} candidates, {len(run.register.facts)} in the register ({dict(states)})")
    print(f"   gaps: {dict(Counter(one.kind.value for one in run.gaps))}")
    print(f"   dropped: {dict(Counter(f'{one.stage.value}:{one.why.value}' for one in run.dropped))}")
    print(f"   known facts: {dict(Counter(reached.values()))}")
    for name, stage in reached.items():
        if stage not in ("in the register", "page not crawled"):
            print(f"     {name}: {stage}")
    for group, members in run.register.conflicts().items():
        print(f"   conflict {group}")
        for one in members:
            print(f"     {one.value} — “{one.sources[0].quote}” ({one.sources[0].url}) [{one.scope_note}]")
    if show:
        for one in run.register.facts:
            print(
                f"   {one.confidence:.2f} {one.state.value:9} {one.category.value:9} "
                f"{one.subject} | {one.value} | {one.owner}"
            )
            print(
                f"        {one.text}  <{one.sources[0].url}>"
                + (f"\n        note: {one.scope_note}" if one.scope_note else "")
            )
    return {"name": crawled.name, "pages": len(run.pages), "register": len(run.register.facts), "known": reached}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=Path(os.environ.get("SHARED_DATA", "../shared")))
    parser.add_argument("--pages", type=int, nargs="*", default=[15, 60])
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    archive = given.shared / "data/web/18f.gsa.gov.warc.gz"
    lines = (given.shared / "data/golden/dev/writer/facts.jsonl").read_text(encoding="utf-8").splitlines()
    facts = [json.loads(line) for line in lines]
    urls = list(dict.fromkeys(fact["url"] for fact in facts))
    plans = [(f"{pages} pages", pages, [], 2) for pages in given.pages]
    plans.append(("given", len(urls) + 1, urls, 0))
    results = []
    with Workers(2, 20, 1024) as workers:
        for name, pages, also, depth in plans:
            began = time.monotonic()
            run = asyncio.run(crawl(archive, workers, pages, also, depth))
            results.append(report(Crawled(name, run, time.monotonic() - began), facts, given.show))
    if given.json:
        given.json.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
