"""``affidavit ask --from FILE``: every line of a file asked, one run each over the same open pages."""

import json
import sys
from collections import Counter
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rich.text import Text

from affidavit.cli.exit_codes import Exit, exit_of, gravest
from affidavit.cli.output import ending_of, write_file
from affidavit.cli.progress import Steps
from affidavit.cli.streams import print_text, tell
from affidavit.errors import UserError
from affidavit.evidence.answer import Answer
from affidavit.house import open_house
from affidavit.ledger.refusal import refused
from affidavit.reach import Reach
from affidavit.report import render, show
from affidavit.report.inert import line
from affidavit.report.screen import laid_out, print_on
from affidavit.report.wording import counted
from affidavit.research.plan import Plan, make_plan
from affidavit.research.worklist import Item, read_items
from affidavit.settings import Settings

LARGEST = 4 * 1024 * 1024
"""Bytes of a list that are read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """The file at `path` and what to make of its answers: `out` and `bundles` are folders, made if they are missing;
    `shown` is the format printed, `output_format` the one asked for."""

    path: Path
    out: Path | None
    bundles: Path | None
    key: bytes | None
    shown: str
    output_format: str | None


def ask_list(listed: Listed, reach: Reach, settings: Settings, *, verbose: bool, quiet: bool) -> int:
    """Ask every line, print each answer as it comes, and return the gravest exit status.

    A line that cannot be researched is named, the others are asked; then the status is at least 2. Raises UserError
    for a file that is none, StorageError.
    """
    if listed.shown == "html":
        raise UserError("HTML is one file an answer: name a folder for them with --out, and --format html")
    if listed.out is not None and listed.output_format is None:
        raise UserError(f"--out {listed.out}: with --from that is a folder; say with --format what to write there")
    items = read_items(str(listed.path), _text(listed.path))
    if not items:
        tell(f"{listed.path}: every line is a remark; there is nothing to ask")
        return Exit.DONE
    for folder in (listed.out, listed.bundles):
        _make(folder)
    planned = list(_planned(listed.path, items, settings))
    statuses = [Exit.DONE if plan else Exit.COULD_NOT_CHECK for _, plan in planned]
    asked: Counter[Exit] = Counter()
    with Steps(quiet=quiet) as steps, open_house(settings, reach, steps.listeners) as house:
        for number, (item, plan) in enumerate(planned, start=1):
            if plan is None:
                continue
            bundle = listed.bundles / f"{number:03}.affidavit" if listed.bundles else None
            answer = house.ask(plan, bundle=bundle, signing_key=listed.key)
            with steps.paused():
                _print(listed, answer, item, f"{number} of {len(items)}", verbose=verbose)
            if listed.out is not None and listed.output_format is not None:
                target = listed.out / f"{number:03}{ending_of(listed.output_format)}"
                write_file(target, render(answer, listed.output_format, verbose=verbose))
            asked[exit_of(answer)] += 1
            if asked[Exit.INTERRUPTED]:
                return Exit.INTERRUPTED
    statuses += asked
    print(_told(asked, len(items) - asked.total()), file=sys.stderr)
    return gravest(statuses)


def _planned(path: Path, items: tuple[Item, ...], settings: Settings) -> list[tuple[Item, Plan | None]]:
    """Each item with its plan, None for one that cannot be researched, which is told."""
    planned: list[tuple[Item, Plan | None]] = []
    for item in items:
        try:
            planned.append((item, make_plan(item.ask(), settings.max_subquestions)))
        except UserError as error:
            tell(f"{path}, line {item.line}: {error}")
            planned.append((item, None))
    return planned


def _print(listed: Listed, answer: Answer, item: Item, place: str, *, verbose: bool) -> None:
    if listed.shown == "json":
        # One answer a line: whoever reads them need not hold them all.
        print_text(json.dumps(json.loads(render(answer, "json")), ensure_ascii=False) + "\n")
    elif listed.shown != "terminal":
        print_text(render(answer, listed.shown) + "\n")
    else:
        head = f"[{place}] {line(item.context)}".rstrip()
        print_on(None, partial(laid_out, [Text(head, "dim")]))
        show(answer, verbose=verbose)
        print(flush=True)


def _told(asked: "Counter[Exit]", refused_lines: int) -> str:
    parts = [
        f"{counted(asked.total(), 'line')} asked",
        f"{asked[Exit.DONE]} answered",
        f"{asked[Exit.FINDINGS]} with nothing sourced",
    ]
    if asked[Exit.FAILED]:
        parts.append(f"{asked[Exit.FAILED]} failed")
    if refused_lines:
        parts.append(f"{counted(refused_lines, 'line')} could not be asked")
    return ", ".join(parts)


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            raw = file.read(LARGEST + 1)
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror or error}") from error
    if len(raw) > LARGEST:
        raise UserError(f"{path}: more than {LARGEST:,} bytes; that is no list of things to ask")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: byte {error.start} is not UTF-8; save the file as UTF-8") from error
    if not text.strip():
        raise UserError(f"{path}: the file is empty; there is nothing to ask")
    return text


def _make(folder: Path | None) -> None:
    if folder is None:
        return
    if folder.exists() and not folder.is_dir():
        raise UserError(f"{folder}: with --from that is a folder, and there is a file; name another")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise refused(folder, "make the folder", error) from error
