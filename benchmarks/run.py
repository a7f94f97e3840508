"""Speed and memory on this machine, as medians. Asserts nothing.

    python benchmarks/run.py [--shared DIR] [--only NAME]

Extraction pages/s on one and two processes, index build and query times over the full archives (the pages in
examples/ where there is no shared data), quotation on a 1 MB document, a draft of 1,500 words checked against 100,000
words of sources, the start-up of the command, and the memory of a whole ask. Beside the seconds of a check stand those
that the processor spent on it, which other work on the machine does not lengthen.
"""

import argparse
import asyncio
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TypeVar

from affidavit.check import Checker, CheckSource, Draft, markdown_draft
from affidavit.egress.archive import Archive, open_archive
from affidavit.errors import PageFailure, ToolError
from affidavit.evidence.check import Check
from affidavit.evidence.document import Block, Document, Fetched
from affidavit.evidence.quote import Purpose, Quoter
from affidavit.evidence.sentences import document_sentences
from affidavit.extract import EXTRACTORS
from affidavit.extract.worker import Workers
from affidavit.gates.figures import check_figures
from affidavit.gates.polarity import check_polarity
from affidavit.gates.polarity.reading import read
from affidavit.gates.quotation_check import check_quotations
from affidavit.gates.source_figures import SourceFigures, read_sources
from affidavit.gates.source_texts import PreparedSources
from affidavit.models.embedded import PairJudge, SentenceEncoder
from affidavit.search.build import Builder
from affidavit.search.embedded import EmbeddedSearch

T = TypeVar("T")
ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples/public-pages.warc.gz"
QUERIES = (
    "how many consecutive failed authentication attempts are allowed",
    "who is the release manager of python 3.16",
    "cost savings of fec.gov on cloud.gov",
    "why was the lock-file format rejected",
    "SP 800-63B memorized secret length",
)


def fetched(archive: Archive) -> Iterator[Fetched]:
    for page in archive.pages():
        if not isinstance(page, PageFailure):
            yield page


def extraction(archives: list[Archive]) -> None:
    per_archive = max(1, 240 // len(archives))
    pages = [page for archive in archives for page in islice(fetched(archive), per_archive)]
    for processes in (1, 2):
        with Workers(processes, 20.0, 1024) as workers:
            for _ in workers.extract_many(pages[:4]):
                pass
            start = time.perf_counter()
            count = sum(1 for _ in workers.extract_many(pages))
            seconds = time.perf_counter() - start
        show(f"extraction, {processes} process{'es' if processes > 1 else ''}", f"{count / seconds:.0f} pages/s", count)


def index(archives: list[Archive]) -> None:
    with tempfile.TemporaryDirectory() as folder, Workers(2, 20.0, 1024) as workers:
        builder = Builder(Path(folder), lambda: workers, EXTRACTORS, lambda done, total, archive: None, print)
        start = time.perf_counter()
        with EmbeddedSearch.open(archives, builder) as search:
            total = sum(len(archive) for archive in archives)
            show("index build, 2 processes", f"{time.perf_counter() - start:.1f} s", total)
            times = [timed(lambda query=query: asyncio.run(search.search(query, limit=20))) for query in QUERIES * 5]
            show("query, median", f"{1000 * statistics.median(times):.1f} ms", len(times))
        start = time.perf_counter()
        with EmbeddedSearch.open(archives, builder):
            show("index open, already built", f"{1000 * (time.perf_counter() - start):.0f} ms", len(archives))


def quoting(archives: list[Archive]) -> None:
    """Quotations from one document of a megabyte, made of real pages."""
    document = megabyte(archives)
    quoter = Quoter(max_spans=10_000, max_total_chars=10_000_000)
    start = time.perf_counter()
    quoter.add(document)
    quoter.prepared(document.doc_id)
    show(
        f"prepare a document of {len(document.text) / 1e6:.1f} MB", f"{1000 * (time.perf_counter() - start):.0f} ms", 1
    )
    sentences = [found for found in document_sentences(document) if found.end - found.start > 60]
    locators = [document.text[found.start : found.start + 50] for found in sentences[:: max(1, len(sentences) // 1500)]]

    def quote(locator: str) -> None:
        with suppress(ToolError):  # ambiguous in a document of many pages; it takes the same work
            quoter.extract_quote(document.doc_id, locator, Purpose.SUPPORT_CLAIM)

    times = sorted(timed(lambda words=locator: quote(words)) for locator in locators)
    show("extract_quote, median", f"{1000 * statistics.median(times):.3f} ms", len(times))
    show("extract_quote, p99", f"{1000 * times[int(len(times) * 0.99)]:.3f} ms", len(times))


def megabyte(archives: list[Archive]) -> Document:
    text = ""
    blocks: list[Block] = []
    with Workers(2, 20.0, 1024) as workers:
        for archive in archives:
            for _, result in workers.extract_many(fetched(archive)):
                if len(text) > 1_000_000:
                    break
                if isinstance(result, Document):
                    blocks += [
                        replace(block, start=block.start + len(text), end=block.end + len(text))
                        for block in result.blocks
                    ]
                    text += result.text + "\n\n"
    url = "https://example.org/log"
    return Document(
        requested_url=url,
        final_url=url,
        canonical_url=url,
        retrieved_at="2026-01-01T00:00:00Z",
        status=200,
        headers=(),
        media_type="text/plain",
        sha256="0" * 64,
        extractor="plain/1",
        title=None,
        published=None,
        language="en",
        text=text,
        blocks=tuple(blocks),
    )


def checking(archives: list[Archive], drafts: Path) -> None:
    """A draft of 1,500 words against 100,000 words of sources, those that the draft is about among them or not."""
    documents = words_of(archives, 100_000)
    sources = [CheckSource(document) for document in documents]
    paths = sorted(drafts.glob("*.md")) or [ROOT / "examples/draft.md"]
    text = ""
    while len(text.split()) < 1500:
        text += "\n\n".join(path.read_text("utf-8") for path in paths) + "\n\n"
    draft = markdown_draft("draft", " ".join(text.split(" ")[:1500]))
    texts = [document.text for document in documents]
    figures = once("check: read the figures of the sources", lambda: read_sources(texts))
    folded = once("check: fold the sources", lambda: PreparedSources.of(one.as_text() for one in sources))
    encoder = SentenceEncoder()
    encoder.encode(["loaded"])
    scorer = PairJudge() if PairJudge.available() else None
    checker = once("check: make all of it ready", lambda: Checker(sources, encoder, scorer=scorer))
    check = once("check: the whole draft", lambda: checker.check(draft, run_id="run"))
    seconds = min(spent(lambda: checker.check(draft, run_id="run"))[1] for _ in range(2))
    show("check: the same again, encoded already", f"{seconds:.2f} s", 2)
    show("check: claims a second of processor", f"{len(check.claims) / seconds:.0f}", len(check.claims))
    gates(check, draft, figures, folded)
    show("check: peak memory", f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB", 1)


def gates(check: Check, draft: Draft, figures: SourceFigures, folded: PreparedSources) -> None:
    """The gates alone over every claim, the sources ready: figures, quotations, polarity beside the bound passage."""

    def polarity() -> None:
        read.cache_clear()
        for claim in check.claims:
            if claim.span is not None:
                check_polarity(claim.text, claim.span.text)

    parts: dict[str, Callable[[], object]] = {
        "quotations": lambda: check_quotations(draft.text, folded),
        "figures": lambda: [check_figures(claim.text, figures) for claim in check.claims],
        "polarity": polarity,
    }
    total = 0.0
    for name, part in parts.items():
        part()  # tables are read at the first call
        processor = statistics.median(spent(part)[1] for _ in range(5))
        total += processor
        show(f"check: gate for {name}, processor", f"{1000 * processor:.0f} ms", 5)
    show("check: gates alone, processor", f"{1000 * total:.0f} ms", 5)


def words_of(archives: list[Archive], wanted: int) -> list[Document]:
    """Documents of the archives in turn, until they have so many words."""
    found: list[Document] = []
    words = 0
    with Workers(2, 20.0, 1024) as workers:
        for pages in zip(*([*islice(fetched(archive), 400)] for archive in archives), strict=False):
            for _, result in workers.extract_many(iter(pages)):
                if isinstance(result, Document) and words < wanted:
                    found.append(result)
                    words += len(result.text.split())
            if words >= wanted:
                break
    show("check: words of sources", f"{words:,}", len(found))
    return found


def once(what: str, call: Callable[[], T]) -> T:
    found: list[T] = []
    seconds, processor = spent(lambda: found.append(call()))
    show(what, f"{seconds:.2f} s, {processor:.2f}", 1)
    return found[0]


def spent(call: Callable[[], object]) -> tuple[float, float]:
    """Seconds by the clock, and seconds of processor."""
    begun = time.process_time()
    seconds = timed(call)
    return seconds, time.process_time() - begun


def command() -> None:
    affidavit = [sys.executable, "-m", "affidavit"]
    for name, arguments in (("affidavit --version", ["--version"]), ("affidavit --help", ["--help"])):
        times = [
            timed(lambda a=arguments: subprocess.run([*affidavit, *a], check=True, capture_output=True))
            for _ in range(9)
        ]
        show(f"{name}, median", f"{statistics.median(times):.3f} s", len(times))
    with tempfile.TemporaryDirectory() as home:
        env = os.environ | {"AFFIDAVIT_CACHE_DIR": f"{home}/cache", "AFFIDAVIT_DATA_DIR": f"{home}/data"}
        ask = [
            *affidavit,
            "ask",
            "How often must a subscriber be reauthenticated at AAL1?",
            "--web",
            str(EXAMPLES),
            "-q",
        ]
        for name in ("first ask, index built", "second ask"):
            run = [*ask, "--out", f"{home}/answer.html"]
            seconds = timed(lambda run=run: subprocess.run(run, env=env, check=True, capture_output=True))
            show(name, f"{seconds:.2f} s", 1)
    show(
        "peak memory of one process of an ask",
        f"{resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024:.0f} MB",
        2,
    )


def timed(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def show(what: str, value: str, count: int) -> None:
    print(f"{what:<46} {value:>14}   n={count}", flush=True)


def machine() -> str:
    model = next(
        (
            line.partition(":")[2].strip()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if "model name" in line
        ),
        platform.processor(),
    )
    return f"{model}, {os.cpu_count()} cores, Python {platform.python_version()}, load {os.getloadavg()[0]:.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--shared", type=Path, default=Path(os.environ.get("SHARED_DATA", ROOT.parent / "shared")))
    parser.add_argument("--only", choices=("extraction", "index", "quoting", "checking", "command"))
    options = parser.parse_args()
    paths = sorted((options.shared / "data/web").glob("*.warc.gz")) or [EXAMPLES]
    archives = [open_archive(path) for path in paths]
    print(f"{machine()}\n{', '.join(path.name for path in paths)}\n")
    parts: dict[str, Callable[[], None]] = {
        "extraction": lambda: extraction(archives),
        "index": lambda: index(archives),
        "quoting": lambda: quoting(archives),
        "checking": lambda: checking(archives, options.shared / "data/golden/dev/drafts"),
        "command": command,
    }
    for name, part in parts.items():
        if options.only in (None, name):
            part()


if __name__ == "__main__":
    main()
