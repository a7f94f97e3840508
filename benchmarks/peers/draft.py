"""A whole draft of 1,500 words checked against 100,000 words of sources, beside anchorcite, as a ratio.

    python -m benchmarks.peers.draft [--shared DIR] [--venv DIR] [--repeat N]

Both get the same texts, read already. Ours makes its sources ready and checks the draft: quotations, figures, the
nearest passage of all sources, the verdict. anchorcite's core tier anchors each claim that our check found, once in
all the sources as one text (it must find the passage, as ours must), and once in the very source where ours found it
(which somebody must have told it). Medians of `--repeat` runs taken in turn; the first of anchorcite's two, which takes
minutes, runs once.
"""

import argparse
import os
import statistics
import sys
import time
from pathlib import Path

from benchmarks.peers.environment import Peer, installed, machine

from affidavit.check import Checker, CheckSource, Draft, markdown_draft
from affidavit.egress.archive import open_archive
from affidavit.errors import PageFailure
from affidavit.evidence.check import Check
from affidavit.evidence.document import Document
from affidavit.extract import extract
from affidavit.models.embedded import SentenceEncoder

ROOT = Path(__file__).resolve().parents[2]
DRAFT_WORDS = 1_500
SOURCE_WORDS = 100_000


def sources(shared: Path) -> list[Document]:
    """Pages of the shared archives, in turn from each, until there are enough words."""
    found: list[Document] = []
    words = 0
    pages = [open_archive(path).pages() for path in sorted((shared / "data/web").glob("*.warc.gz"))]
    while words < SOURCE_WORDS and pages:
        for archive in list(pages):
            page = next(archive, None)
            if page is None:
                pages.remove(archive)
                continue
            try:
                document = None if isinstance(page, PageFailure) else extract(page)
            except PageFailure:
                continue
            if document is not None and words < SOURCE_WORDS:
                found.append(document)
                words += len(document.text.split())
    return found


def draft(shared: Path) -> str:
    """The golden drafts, one below the other, repeated and cut."""
    texts = [path.read_text(encoding="utf-8") for path in sorted((shared / "data/golden/dev/drafts").glob("*.md"))]
    if not texts:
        sys.exit(f"{shared}: no drafts there; name the shared folder with --shared")
    kept: list[str] = []
    words = 0
    while words < DRAFT_WORDS:
        for paragraph in "\n\n".join(texts).split("\n\n"):
            if words < DRAFT_WORDS:
                kept.append(paragraph)
                words += len(paragraph.split())
    return "\n\n".join(kept)


def ours(documents: list[Document], read: Draft, encoder: SentenceEncoder) -> tuple[Check, float]:
    begun = time.perf_counter()
    check = Checker([CheckSource(one) for one in documents], encoder).check(read, run_id="run")
    return check, time.perf_counter() - begun


def searching(peer: Peer, check: Check, documents: list[Document]) -> float:
    claims = [one.text for one in check.claims]
    text = "\n\n".join(one.text for one in documents)
    return peer.ask({"claims": claims, "texts": [text], "at": [0] * len(claims)})["seconds"]


def told(peer: Peer, check: Check, documents: list[Document]) -> float:
    places = {one.doc_id: index for index, one in enumerate(documents)}
    bound = [(one.text, places[one.span.doc_id]) for one in check.claims if one.span is not None]
    request = {"claims": [text for text, _ in bound], "texts": [one.text for one in documents]}
    return peer.ask({**request, "at": [at for _, at in bound]})["seconds"]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--shared", type=Path, default=Path(os.environ.get("SHARED_DATA", ROOT.parent / "shared")))
    parser.add_argument("--venv", type=Path, help="an environment for the peer, made there if there is none, and kept")
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    documents = sources(options.shared)
    read = markdown_draft("draft", draft(options.shared))
    encoder = SentenceEncoder()
    encoder.encode(["warm"])
    times: dict[str, list[float]] = {"ours": [], "searching": [], "told": []}
    with installed("anchorcite", options.venv) as peer:
        for _ in range(options.repeat):
            check, seconds = ours(documents, read, encoder)
            times["ours"].append(seconds)
            times["told"].append(told(peer, check, documents))
            times["searching"] = times["searching"] or [searching(peer, check, documents)]
        version = peer.ask({"claims": [], "texts": [], "at": []})["version"]
    words = sum(len(one.text.split()) for one in documents)
    bound = sum(one.span is not None for one in check.claims)
    middle = {name: statistics.median(found) for name, found in times.items()}
    print(
        f"{machine()}\n{len(check.claims)} claims of {DRAFT_WORDS} words, {words} words in {len(documents)} sources\n"
    )
    print("| | seconds | claims/s | times ours |\n|---|--:|--:|--:|")
    for name, label, claims in (
        ("ours", "affidavit, sources made ready, the draft checked", len(check.claims)),
        ("searching", f"anchorcite {version}, all sources as one text", len(check.claims)),
        ("told", f"anchorcite {version}, told which source ({bound} claims)", bound),
    ):
        ratio = middle[name] / middle["ours"]
        print(f"| {label} | {middle[name]:.2f} | {claims / middle[name]:.0f} | {ratio:.2f} |")


if __name__ == "__main__":
    main()
