"""Our verifiers, word overlap and anchorcite on the same labelled rows, in one run.

    python -m benchmarks.peers.judge [--shared DIR | --data FILE|DIR…] [--verifier NAME…] [--venv DIR] [--out FILE]

Reads the development half of the labelled sets (or `--data`), asks each verifier about every row, and prints Markdown:
pooled; pooled over the rows that share neither claim nor span with a pair that the model of affidavit-judge was trained
on (`--train`); then set by set. anchorcite gets the claim and the span as its source text; anchored counts as
SUPPORTED. It is installed into `--venv`, or into an environment that is thrown away.
"""

import argparse
import asyncio
import gzip
import json
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.peers.environment import Peer, installed, machine

from affidavit.evals.judge import Answered, Measured, measure
from affidavit.evals.judge_wording import card, decimal, interval, labels, percent, speed
from affidavit.evals.paired import Paired
from affidavit.evals.triples import Triple, read_triples
from affidavit.evidence.answer import VerifierCard
from affidavit.evidence.claim import Label
from affidavit.settings import load_settings
from affidavit.verify.model import MODEL
from affidavit.version import __version__
from affidavit.wiring import VERIFIERS, open_verifier

ROOT = Path(__file__).resolve().parents[2]
PEER = "anchorcite"
KEYLESS = [name for name in VERIFIERS if not name.startswith(MODEL)]


def ours(name: str, rows: Sequence[Triple]) -> Measured:
    return asyncio.run(measure(open_verifier(name, load_settings()), rows))


def theirs(peer: Peer, rows: Sequence[Triple]) -> Measured:
    request = {
        "claims": [row.claim for row in rows],
        "texts": [row.span for row in rows],
        "at": list(range(len(rows))),
    }
    found = peer.ask(request)
    answers = tuple(
        Answered(row, Label.SUPPORTED if anchored else Label.NOT_SUPPORTED, "anchored" if anchored else "not", None)
        for row, anchored in zip(rows, found["said"], strict=True)
    )
    verifier = VerifierCard(name=peer.name, version=found["version"], calibration=None)
    return Measured(verifier=verifier, answers=answers, seconds=found["seconds"])


def trained_on(train: Path) -> frozenset[str]:
    """Every claim and span of the training pairs, on one line each. Empty where they are not there."""
    if not train.exists():
        return frozenset()
    with gzip.open(train, "rt", encoding="utf-8") as lines:
        return frozenset(_plain(row[name]) for row in map(json.loads, lines) for name in ("claim", "span"))


def unseen(measured: Measured, seen: frozenset[str]) -> Measured:
    """Its answers to rows of which neither text was trained on. Their time is not known apart."""
    kept = tuple(
        one for one in measured.answers if _plain(one.row.claim) not in seen and _plain(one.row.span) not in seen
    )
    return Measured(verifier=measured.verifier, answers=kept, seconds=0.0)


def _plain(text: str) -> str:
    return " ".join(text.split()).lower()


def report(measured: Sequence[Measured], digest: str, seen: frozenset[str]) -> Iterator[str]:
    first = measured[0]
    yield f"affidavit {__version__}; {machine()}; {len(first.answers)} rows, {digest}"
    yield ""
    yield from pooled("every row", measured)
    if seen:
        apart = [unseen(one, seen) for one in measured]
        yield ""
        yield from pooled(f"{len(apart[0].answers)} rows not trained on", apart)
    yield f"\np: McNemar's exact test against {card(first)}. By set: BAcc · false S · S recall · unchecked.\n"
    yield f"| set | S/P/N | {' | '.join(map(card, measured))} |"
    yield f"|---|--:|{'---|' * len(measured)}"
    for name, confusion in first.sets.items():
        cells = [
            f"{decimal(at.balanced_accuracy)} · {percent(at.false_supported.value)} · "
            f"{percent(at.supported_recall.value)} · {percent(at.could_not_check.value)}"
            for at in (one.sets[name] for one in measured)
        ]
        yield f"| {name} | {labels(confusion)} | {' | '.join(cells)} |"


def pooled(what: str, measured: Sequence[Measured]) -> Iterator[str]:
    yield f"| {what} | BAcc | false S | 95% interval | S recall | precision | unchecked | pairs/s | p |"
    yield "|---|--:|--:|--:|--:|--:|--:|--:|--:|"
    for one in measured:
        figures, wrong = one.pooled, one.pooled.false_supported
        cells = [
            card(one),
            decimal(figures.balanced_accuracy),
            percent(wrong.value),
            interval(wrong),
            percent(figures.supported_recall.value),
            percent(figures.precision.value),
            percent(figures.could_not_check.value),
            speed(one).removesuffix(" pairs/s"),
            "" if one is measured[0] else f"{versus(measured[0], one).p_value:.1g}",
        ]
        yield f"| {' | '.join(cells)} |"


def versus(first: Measured, other: Measured) -> Paired:
    return Paired.of((one.right, two.right) for one, two in zip(first.answers, other.answers, strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--shared", type=Path, default=Path(os.environ.get("SHARED_DATA", ROOT.parent / "shared")))
    parser.add_argument("--data", nargs="+", type=Path, help="labelled rows instead of the shared ones")
    parser.add_argument("--train", type=Path, help="the pairs that the model of affidavit-judge was trained on")
    parser.add_argument("--verifier", nargs="+", choices=list(VERIFIERS), default=KEYLESS)
    parser.add_argument("--venv", type=Path, help="an environment for the peer, made there if there is none, and kept")
    parser.add_argument("--out", type=Path, help="write the tables there too")
    options = parser.parse_args()
    data = read_triples(options.data or [options.shared / "data/verify/dev"])
    measured: list[Measured] = []
    for name in options.verifier:
        print(f"{name} …", file=sys.stderr, flush=True)
        measured.append(ours(name, data.rows))
    with installed(PEER, options.venv) as peer:
        print(f"{PEER} …", file=sys.stderr, flush=True)
        measured.append(theirs(peer, data.rows))
    seen = trained_on(options.train or options.shared / "data/verify/train.jsonl.gz")
    text = "\n".join(report(measured, data.digest, seen)) + "\n"
    print(text, end="")
    if options.out:
        options.out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
