"""The facts of a business: crawled from its own website, gathered in a register, decided on by a person."""

from affidavit.facts.dropped import Dropped, Stage, Why
from affidavit.facts.page import CrawledPage, CrawlLimits, GapKind, PageFacts, PageGap, PageType
from affidavit.facts.renew import Change, Changes, renewed
from affidavit.facts.run import FactRun, PageReader, Web, gather_facts

__all__ = [
    "Change",
    "Changes",
    "CrawlLimits",
    "CrawledPage",
    "Dropped",
    "FactRun",
    "GapKind",
    "PageFacts",
    "PageGap",
    "PageReader",
    "PageType",
    "Stage",
    "Web",
    "Why",
    "gather_facts",
    "renewed",
]
