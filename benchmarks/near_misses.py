"""One-edit falsehoods and true twins of real sentences: makes the shipped set, and measures the product on it.

    python benchmarks/near_misses.py --measure [--kind KIND]            the shipped set, end to end and by the gates
    python benchmarks/near_misses.py [--shared DIR] --write [FILE]      make the shipped set anew
    python benchmarks/near_misses.py [--shared DIR] [--pages N] [--show KIND] [--out FILE]      the gates, a large draw

The set (``affidavit.evals``, data/near_misses.jsonl) is made of running text of the shared archives, all in the public
domain: each near miss is a sentence with one edit (`near_miss_edits`), each true twin the same sentence verbatim, with
its parts in another order, or in other words. The span is the sentence among its neighbours, so that words next door
are there to mislead. No page gives more than `OF_A_PAGE` sentences, no sentence serves twice, and what a reader found
to be no near miss, or no true twin, is left out by name (``data/near_misses_left_out.toml``).

The large draw prints, by kind of wording, how many edits a BLOCK finding meets (and any finding), and how many twins it
meets; then the same for quotations of those sentences; then the rates on the labelled sets of ``verify/dev``.
"""

import argparse
import json
import os
import random
import re
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import zip_longest
from pathlib import Path

from affidavit.egress.archive import open_archive
from affidavit.errors import AffidavitError
from affidavit.evidence.document import BlockKind, Document
from affidavit.evidence.sentences import document_sentences
from affidavit.extract import extract
from affidavit.gates.assertion import assess
from near_miss_edits import (
    FIGURES,
    KINDS,
    STATELESS,
    WORDING,
    Made,
    attributed,
    digest,
    near_misses_of,
    origin,
    pick,
    report_of,
    statement_of,
    table,
)
from near_miss_measure import Row, gates_tables, set_tables, shipped
from near_miss_twins import paraphrased, reordered

HERE = Path(__file__).resolve().parent
LEFT_OUT = HERE / "data/near_misses_left_out.toml"
SITES = ("18f.gsa.gov", "pages.nist.gov", "peps.python.org")
SEED = 11
EACH = 60
OF_A_PAGE = 3
REWORDED = 2
LONGEST_SPAN = 700
QUOTA = {
    "number": 22, "unit": 12, "scale": 8, "date": 14, "name": 18, "negation": 24, "modality": 16, "quantifier": 16,
    "comparator": 16, "attribution": 12, "scope": 16, "role": 14, "quotation": 16, "quotation_source": 10,
    "question": 10, "heading": 8,
}  # fmt: skip
SHARES = ("18f.gsa.gov", "peps.python.org", "18f.gsa.gov", "peps.python.org", "pages.nist.gov")
TYPOGRAPHY = str.maketrans({"'": "’", "-": "\u2011", " ": "\u00a0"})
_PLAIN = re.compile(
    r"(?!(?:SHALL|SHOULD|MAY|MUST|CAN|How to|Whether|What|Why|Requiring|Ensuring)\b)"
    r"[A-Z0-9“\"$][^\[\]{}<>|`=_*\\@]+[.”]$"
)
_CODE = re.compile(
    r"https?:|::|\w\(|\w/\w+/|\.\.|…|\b\w+\.\w+\.\w+|\.[a-z]{2,5}\b(?<!\.gov)|\b[a-z]+[A-Z]\w*|[A-Za-z]+\d+\.|&"
)
_LEANING = re.compile(
    r"(?:This|That|These|Those|It|They|He|She|However|But|And|So|Also|Then|Thus|Therefore|Hence|In addition|For example"
    r"|Instead|Such|Finally|Similarly|Likewise|Additionally|Furthermore|Moreover|Otherwise|Because of this|As a result"
    r"|Note|Again|Still|Yet|Or|Their|Its|His|Her|Here|There|One|Another|Both|Unlike|I)\b"
)


@dataclass(frozen=True)
class Pair:
    """`kind` is the edit's, or verbatim, typography, reordered for a true twin. `span` holds `sentence`."""

    kind: str
    claim: str
    sentence: str
    span: str
    url: str

    @property
    def true(self) -> bool:
        return self.kind in ("verbatim", "typography", "reordered")


@dataclass(frozen=True)
class Candidate:
    made: Made
    sentence: str
    span: str
    url: str
    title: str

    @property
    def name(self) -> str:
        return f"{self.made.kind}-{digest(self.made.claim + self.span):012x}"[: len(self.made.kind) + 9]

    @property
    def order(self) -> tuple[int, bool, int]:
        return self.made.rank, _LEANING.match(self.sentence) is not None, digest(self.made.claim)


def documents(shared: Path, pages: int, seed: int) -> Iterator[Document]:
    """Pages drawn at random, those that cannot be read left out."""
    drawn = random.Random(seed)
    for site in SITES:
        archive = open_archive(shared / "data/web" / f"{site}.warc.gz")
        urls = sorted(archive.urls())
        for url in drawn.sample(urls, min(pages, len(urls))):
            try:
                yield extract(archive.get(url))
            except AffidavitError:
                continue


def statements(document: Document) -> Iterator[tuple[str, str]]:
    """Sentences of running text of a fair length, each with its neighbours in the block around it."""
    found = [one for one in document_sentences(document) if one.block is not None and one.block.main]
    for index, sentence in enumerate(found):
        text = document.text[sentence.start : sentence.end]
        kinds = (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM)
        if sentence.block is None or sentence.block.kind not in kinds or not 60 <= len(text) <= 260:
            continue
        if "\n" in text or not text.endswith((".", ".”")) or not assess(text, sentence.block.kind).is_evidence:
            continue
        around = found[max(0, index - 1) : index + 2]
        near = [one for one in around if one.block == sentence.block]
        yield text, document.text[near[0].start : near[-1].end]


@dataclass(frozen=True)
class Page:
    """What of a page can be edited: sentences with their spans, and headings and questions, told apart by kind."""

    url: str
    title: str
    statements: tuple[tuple[str, str], ...]
    stateless: tuple[tuple[str, str], ...]


def page_of(document: Document) -> Page:
    """Sentences with code and markup left out."""
    said = [
        (sentence, span)
        for sentence, span in statements(document)
        if _PLAIN.match(sentence) and not _CODE.search(sentence) and len(span) <= LONGEST_SPAN
    ]
    title = document.title or origin(document.final_url)
    return Page(document.final_url, title, tuple(said), tuple(_stateless(document)))


def _stateless(document: Document) -> Iterator[tuple[str, str]]:
    for sentence in document_sentences(document):
        text = document.text[sentence.start : sentence.end]
        if sentence.block is not None and sentence.block.main and "\n" not in text:
            if sentence.block.kind is BlockKind.HEADING and not text.endswith("?"):
                yield text, "heading"
            elif text.endswith("?"):
                yield text, "question"


def candidates(pages: Iterable[Page]) -> Iterator[Candidate]:
    """Everything that could be made of the pages."""
    for page in pages:
        for sentence, span in page.statements:
            for made in near_misses_of(sentence, span, page.url):
                yield Candidate(made, sentence, span, page.url, page.title)
        for text, kind in page.stateless:
            claim = report_of(text) if kind == "heading" else statement_of(text)
            if claim is not None and not _CODE.search(claim):
                yield Candidate(Made(kind, claim, "NOT_SUPPORTED"), text, text, page.url, page.title)


def compose(found: Iterable[Candidate]) -> list[Row]:
    """The shipped set: of each kind its quota, the best examples first, each with a true twin where it has one."""
    by_kind: dict[str, dict[str, list[Candidate]]] = defaultdict(lambda: defaultdict(list))
    for one in found:
        by_kind[one.made.kind][site_of(one.url)].append(one)
    left_out = frozenset(tomllib.loads(LEFT_OUT.read_text("utf-8")))
    rows: list[Row] = []
    pages: Counter[str] = Counter()
    used: set[str] = set()
    twins: Counter[str] = Counter()
    for kind in sorted(QUOTA, key=lambda kind: sum(map(len, by_kind[kind].values()))):
        taken = 0
        for one in dealt(by_kind[kind]):
            shape = re.sub(r"\d+|[A-Z]\w+", "#", one.sentence)
            if taken == QUOTA[kind]:
                break
            if one.name in left_out or shape in used or pages[one.url] >= OF_A_PAGE:
                continue
            used.add(shape)
            pages[one.url] += 1
            taken += 1
            row = Row(one.name, one.url, one.title, one.span, one.made.claim, kind, None, one.made.label)
            rows.append(row)
            twin = twin_of(one, twins, left_out)
            if twin is not None:
                twins[twin[0]] += 1
                name = f"{one.name}-{twin[0]}"
                rows.append(Row(name, one.url, one.title, one.span, twin[1], kind, twin[0], "SUPPORTED"))
    return sorted(rows, key=lambda row: (KINDS.index(row.kind), row.id))


def dealt(by_site: dict[str, list[Candidate]]) -> Iterator[Candidate]:
    """The sites in turn, best examples first, those that have a reordered or paraphrased twin as often as others."""
    piles: dict[str, list[Candidate]] = {}
    for site, found in by_site.items():
        sorts: dict[str, list[Candidate]] = defaultdict(list)
        for one in sorted(found, key=lambda one: one.order):
            movable, reworded = reordered(one.sentence), paraphrased(one.sentence)[1] >= REWORDED
            sorts["movable" if movable else "reworded" if reworded else "fixed"].append(one)
        piles[site] = [one for row in zip_longest(*sorts.values()) for one in row if one is not None][::-1]
    while any(piles.values()):
        for site in SHARES:
            if piles.get(site):
                yield piles[site].pop()


def twin_of(one: Candidate, twins: Counter[str], left_out: frozenset[str]) -> tuple[str, str] | None:
    """The kind of twin there are fewest of, of those the sentence has."""
    kind, sentence = one.made.kind, one.sentence
    if kind in STATELESS:
        return None
    if kind == "quotation":
        return "verbatim", pick(table()["quotation"]["leads"], sentence).format(sentence)
    if kind == "quotation_source":
        return "verbatim", attributed(sentence, origin(one.url))
    moved, (other, changes) = reordered(sentence), paraphrased(sentence)
    options = {"verbatim": sentence}
    if moved is not None:
        options["reordered"] = moved
    if changes >= REWORDED or (changes and kind in FIGURES):
        options["paraphrased"] = other
    options = {twin: text for twin, text in options.items() if f"{one.name}-{twin}" not in left_out}
    if not options:
        return None
    best = min(options, key=lambda twin: twins[twin])
    return best, options[best]


def site_of(url: str) -> str:
    return url.split("/")[2]


def near_misses(shared: Path, pages: int = 60, each: int = EACH, seed: int = SEED) -> list[Pair]:
    """At most `each` pairs of a kind of wording, drawn with a fixed seed; no sentence twice for one kind."""
    drawn = random.Random(seed)
    pool: dict[str, list[Pair]] = defaultdict(list)
    for document in documents(shared, pages, seed):
        for sentence, span in statements(document):
            for pair in variants(sentence, span, document.final_url, drawn):
                pool[pair.kind].append(pair)
    chosen: list[Pair] = []
    for kind in sorted(pool):
        unique = list({pair.sentence: pair for pair in pool[kind]}.values())
        chosen += drawn.sample(unique, min(each, len(unique)))
    return chosen


def variants(sentence: str, span: str, url: str, drawn: random.Random) -> Iterator[Pair]:
    by_kind: dict[str, list[str]] = defaultdict(list)
    for made in near_misses_of(sentence, span, url):
        if made.kind in WORDING:
            by_kind[made.kind].append(made.claim)
    for kind, edited in by_kind.items():
        yield Pair(kind, drawn.choice(edited), sentence, span, url)
    yield Pair("verbatim", sentence, sentence, span, url)
    yield Pair("typography", sentence.translate(TYPOGRAPHY), sentence, span, url)
    moved = reordered(sentence)
    if moved is not None:
        yield Pair("reordered", moved, sentence, span, url)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    default = os.environ.get("SHARED_DATA", HERE.parents[1] / "shared")
    parser.add_argument("--shared", type=Path, default=Path(default))
    parser.add_argument("--measure", action="store_true", help="measure the product on the shipped set")
    parser.add_argument("--kind", choices=KINDS, help="with --measure: print every row of this kind with its state")
    parser.add_argument("--write", type=Path, nargs="?", const=shipped(), help="make the shipped set anew")
    parser.add_argument("--pages", type=int, default=60, help="pages of each site in the large draw")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--show", help="print the misses of this kind (or a twin kind's false alarms)")
    parser.add_argument("--out", type=Path, help="write the pairs of the large draw there")
    arguments = parser.parse_args()
    if arguments.write:
        rows = compose(candidates(map(page_of, documents(arguments.shared, sys.maxsize, arguments.seed))))
        _write(arguments.write, rows)
        print(f"{len(rows)} rows to {arguments.write}")
    elif arguments.measure:
        set_tables(arguments.kind)
    else:
        pairs = near_misses(arguments.shared, arguments.pages, seed=arguments.seed)
        if arguments.out:
            _write(arguments.out, pairs)
        gates_tables(pairs, arguments.show, arguments.shared)
    return 0


def _write(path: Path, rows: Sequence[Row | Pair]) -> None:
    path.write_text("".join(json.dumps(asdict(row), ensure_ascii=False) + "\n" for row in rows), "utf-8")


if __name__ == "__main__":
    sys.exit(main())
