"""Makes the archive that the suites `retrieval` and `grounding` ask, and leaves out questions that it cannot hold.

    python benchmarks/eval_pages.py [--shared DIR] [--pages N]

Reads our own questions (benchmarks/data/questions.jsonl) and asks each over the three full archives. The pages on which
an expected answer was found come into the archive, then others drawn with a fixed seed, until there are N. Writes
src/affidavit/evals/data/pages.warc.gz and questions.jsonl: every question without an answer, and those whose answer
stands on some page of the archive. The same bytes every time.
"""

import argparse
import json
import os
import random
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from warcio.archiveiterator import ArchiveIterator
from warcio.warcwriter import WARCWriter

from affidavit.errors import AffidavitError
from affidavit.evidence.answer import Answer
from affidavit.house import House, open_house
from affidavit.reach import Reach
from affidavit.research.ask import Ask
from affidavit.research.plan import make_plan
from affidavit.settings import load_settings

HERE = Path(__file__).resolve().parent
DATA = HERE.parent / "src/affidavit/evals/data"
SEED = 1


def questions() -> list[dict[str, Any]]:
    return [json.loads(line) for line in (HERE / "data/questions.jsonl").read_text("utf-8").splitlines()]


def answered(house: House, case: dict[str, Any]) -> Answer | None:
    try:
        return house.ask(make_plan(Ask(question=case["question"]), 4))
    except AffidavitError as error:
        print(f"{case['id']}: {error}", file=sys.stderr)
        return None


def holding(house: House, cases: Iterable[dict[str, Any]]) -> dict[str, set[str]]:
    """By question, the pages whose text has the expected answer, among those that its run read."""
    found: dict[str, set[str]] = {}
    for case in cases:
        answer = answered(house, case) if case["answerable"] else None
        if answer is not None:
            texts = {document.final_url: document.text for document in answer.documents}
            found[case["id"]] = {url for url, text in texts.items() if re.search(case["expect"], text)}
    return found


def records(archives: Iterable[Path]) -> Iterator[tuple[str, Any]]:
    for path in archives:
        with path.open("rb") as stream:
            for record in ArchiveIterator(stream):
                if record.rec_type == "response":
                    yield record.rec_headers.get_header("WARC-Target-URI"), record


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--shared", type=Path, default=Path(os.environ.get("SHARED_DATA", HERE.parent.parent / "shared"))
    )
    parser.add_argument("--pages", type=int, default=120)
    options = parser.parse_args(arguments)
    archives = sorted((options.shared / "data/web").glob("*.warc.gz"))
    cases = questions()
    with tempfile.TemporaryDirectory() as folder:
        settings = load_settings(data_dir=Path(folder))
        with open_house(settings, Reach.named([str(path) for path in archives])) as house:
            found = holding(house, cases)
    kept = {url for urls in found.values() for url in sorted(urls)[:2]}
    others = sorted({url for url, _ in records(archives)} - kept)
    random.Random(SEED).shuffle(others)
    kept |= set(others[: max(0, options.pages - len(kept))])
    with (DATA / "pages.warc.gz").open("wb") as out:
        writer = WARCWriter(out, gzip=True)
        for url, record in records(archives):
            if url in kept:
                writer.write_record(record)
    shipped = [case for case in cases if not case["answerable"] or found.get(case["id"], set()) & kept]
    lines = "".join(json.dumps(case, ensure_ascii=False) + "\n" for case in shipped)
    (DATA / "questions.jsonl").write_text(lines, encoding="utf-8")
    size = (DATA / "pages.warc.gz").stat().st_size
    print(f"{len(kept)} pages, {size / 1e6:.1f} MB; {len(shipped)} of {len(cases)} questions")


if __name__ == "__main__":
    main(sys.argv[1:])
