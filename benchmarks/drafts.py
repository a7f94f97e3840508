"""How `affidavit check` judges drafts whose sentences are labelled, and how fast it is.

    python benchmarks/drafts.py [--shared DIR] [--drafts DIR] [--verbose] [--sweep] [--speed]

Reads the golden drafts (dev by default), holds each against the pages it names in the archives, and prints what was
expected against what came out. A label that the data accepts besides counts as right. `--sweep` tries the thresholds of
`check.judge` one at a time around their values; `--speed` times a draft of 1,500 words against 100,000 words.
"""

import argparse
import json
import os
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from affidavit.check import Checker, CheckSource, bind, judge, markdown_draft, passages, rivals
from affidavit.egress.archive import Archive, open_archive
from affidavit.errors import PageFailure
from affidavit.evidence.check import CheckedSentence
from affidavit.extract import extract
from affidavit.models.embedded import PairJudge, SentenceEncoder

SCORER = PairJudge() if PairJudge.available() else None
HERE = Path(__file__).resolve().parent
STATES = ("sourced", "unsourced", "rejected", "could_not_check")
SWEPT: tuple[tuple[Any, str, tuple[float, ...]], ...] = (
    (judge, "SOURCED", (1.05, 1.1, 1.15, 1.2, 1.25, 1.3)),
    (judge, "LEAST_SHARE", (0.4, 0.45, 0.5, 0.55, 0.6)),
    (judge, "LEAST_COSINE", (0.3, 0.35, 0.4, 0.45, 0.5)),
    (judge, "CONTRADICTS", (0.9, 0.95, 1.0, 1.05, 1.1, 1.15)),
    (judge, "CONTRADICTING_SHARE", (0.35, 0.4, 0.45, 0.5, 0.55, 0.6)),
    (judge, "RIVAL_SHARE", (0.35, 0.4, 0.45, 0.5, 0.55)),
    (judge, "OUTWEIGHS", (0.05, 0.1, 0.15, 0.2)),
    (judge, "CORE", (0.5, 0.6, 0.7)),
    (judge, "FURTHER", (0.1, 0.15, 0.2, 0.25, 0.3)),
    (judge, "WEIGHED", (3, 4, 6, 8)),
    (rivals, "LEAD", (0.15, 0.2, 0.25, 0.3, 0.35)),
    (rivals, "LEAD_IN_LINE", (0.08, 0.12, 0.16, 0.2)),
    (rivals, "LEAST", (0.35, 0.4, 0.45, 0.5)),
    (bind, "NEARNESS", (0.6, 0.7, 0.8, 0.9, 1.0)),
    (bind, "CANDIDATES", (8, 12, 16, 24)),
    (passages, "LIGHT", (0.2, 0.35, 0.5, 1.0)),
    (passages, "OTHER_WORD", (0.0, 0.7, 0.85, 1.0)),
    (passages, "GAIN", (0.1, 0.15, 0.2)),
)


@dataclass
class Labelled:
    """A draft with its labels and its sources."""

    name: str
    text: str
    sentences: dict[str, dict[str, Any]]
    sources: list[CheckSource]


@dataclass
class Tally:
    """What was expected against what came out."""

    table: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    right: int = 0
    total: int = 0
    misses: list[tuple[str, CheckedSentence, dict[str, Any]]] = field(default_factory=list)

    @property
    def hard(self) -> int:
        """Sentences that must never get what they got."""
        return self.table["rejected", "sourced"] + self.table["sourced", "rejected"]

    def count(self, draft: str, sentence: CheckedSentence, label: dict[str, Any]) -> None:
        state = sentence.state.value if sentence.state else "not a claim"
        self.table[label["expected"], state] += 1
        self.total += 1
        if state in label.get("accept", [label["expected"]]):
            self.right += 1
        else:
            self.misses.append((draft, sentence, label))


class Kept:
    """The encoder with every vector kept, so that a sweep encodes each text once."""

    def __init__(self) -> None:
        self._encoder = SentenceEncoder()
        self._vectors: dict[str, Any] = {}

    def encode(self, texts: Any) -> Any:
        import numpy as np

        new = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        self._vectors.update(zip(new, self._encoder.encode(new), strict=True))
        return np.array([self._vectors[text] for text in texts])


def drafts(folder: Path, archives: list[Archive]) -> Iterator[Labelled]:
    for path in sorted(folder.glob("*.json")):
        data = json.loads(path.read_text("utf-8"))
        sources = [CheckSource(extract(page(url, archives))) for url in data["sources"]]
        labels = {sentence["text"]: sentence for sentence in data["sentences"]}
        yield Labelled(path.stem, path.with_suffix(".md").read_text("utf-8"), labels, sources)


def page(url: str, archives: list[Archive]) -> Any:
    for archive in archives:
        try:
            return archive.get(url)
        except PageFailure:
            continue
    sys.exit(f"no archive holds {url}")


def measure(labelled: list[Labelled], encoder: Any) -> Tally:
    tally = Tally()
    for draft in labelled:
        check = Checker(draft.sources, encoder, scorer=SCORER).check(
            markdown_draft(draft.name, draft.text), run_id="run"
        )
        for sentence in check.claims:
            label = draft.sentences.get(sentence.text)
            if label is None:
                print(f"{draft.name}: no label for {sentence.text!r}")
            else:
                tally.count(draft.name, sentence, label)
    return tally


def show(tally: Tally, verbose: bool) -> None:
    print(f"{'expected':<12}" + "".join(f"{state:>18}" for state in STATES))
    for expected in STATES[:3]:
        print(f"{expected:<12}" + "".join(f"{tally.table[expected, state]:>18}" for state in STATES))
    print(f"{tally.right} of {tally.total} as expected ({tally.right / max(1, tally.total):.1%}); {tally.hard} grave")
    for draft, sentence, label in tally.misses if verbose else ():
        state = sentence.state.value if sentence.state else None
        print(f"\n{draft}: {label['expected']} ({label['code']}) but {state}: {sentence.text}")
        for remark in sentence.findings:
            print(f"    {remark.severity} {remark.code}: {remark.message}")
        if sentence.span:
            print(f"    “{' '.join(sentence.span.text.split())[:240]}”")


def sweep(labelled: list[Labelled], encoder: Any) -> None:
    for module, name, values in SWEPT:
        kept = getattr(module, name)
        row: list[str] = []
        for value in values:
            setattr(module, name, value)
            tally = measure(labelled, encoder)
            row.append(f"{value}{'*' if value == kept else ''}: {tally.right}, {tally.hard}")
        setattr(module, name, kept)
        print(f"{module.__name__.rpartition('.')[2]}.{name:<20} (right, grave)  {';  '.join(row)}", flush=True)


def speed(labelled: list[Labelled], archives: list[Archive]) -> None:
    words = 0
    sources: list[CheckSource] = []
    for archive in archives:
        for fetched in archive.pages():
            if isinstance(fetched, PageFailure) or words >= 100_000:
                continue
            try:
                document = extract(fetched)
            except PageFailure:
                continue
            sources.append(CheckSource(document))
            words += len(document.text.split())
    text = ""
    for draft in labelled * 5:
        if len(text.split()) < 1500:
            text += draft.text + "\n\n"
    encoder = SentenceEncoder()
    encoder.encode(["warm"])
    checker = timed("make the sources ready", lambda: Checker(sources, encoder, scorer=SCORER))
    read = markdown_draft("draft", text)
    check = timed("check the draft", lambda: checker.check(read, run_id="run"))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{len(text.split())} words, {len(check.claims)} claims against {words} words; {memory:.0f} MB at most")


def timed(what: str, call: Callable[[], Any]) -> Any:
    start = time.perf_counter()
    result = call()
    print(f"{what:<30}{time.perf_counter() - start:>8.2f} s")
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--shared", type=Path, default=Path(os.environ.get("SHARED_DATA", HERE.parent.parent / "shared"))
    )
    parser.add_argument("--drafts", type=Path, help="a folder of drafts with labels; default: the golden dev drafts")
    parser.add_argument("--verbose", action="store_true", help="list the misses")
    parser.add_argument("--sweep", action="store_true", help="try the thresholds around their values")
    parser.add_argument("--speed", action="store_true", help="time a draft against many pages")
    options = parser.parse_args()
    archives = [open_archive(path) for path in sorted((options.shared / "data/web").glob("*.warc.gz"))]
    if not archives:
        sys.exit(f"{options.shared}: no data/web/*.warc.gz there; name the shared folder with --shared")
    labelled = list(drafts(options.drafts or options.shared / "data/golden/dev/drafts", archives))
    encoder = Kept()
    show(measure(labelled, encoder), options.verbose)
    if options.sweep:
        sweep(labelled, encoder)
    if options.speed:
        speed(labelled, archives)


if __name__ == "__main__":
    main()
