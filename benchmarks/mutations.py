"""Breaks the product on purpose, one edit at a time, and sees whether the suites notice.

    python benchmarks/mutations.py [NAME …] [--results FILE] [--write docs/mutations.md]

Each edit of benchmarks/data/mutations.toml is made in a copy of the package, and its suites are run there. A suite
notices by missing a floor, or by being unable to tell one. An edit that nothing notices is a hole in the suites, and
one that keeps a suite from running shows nothing: the exit status is 1. First the suites are run on the package as it
is, where every floor must hold. With `--results`, what was told is kept line by line, and not found out again while
edit and suites are the same.
"""

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from affidavit.evals.suites import suites

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parent / "src"
EDITS = HERE / "data/mutations.toml"
NOTICED = (1, 2)
"""Exit statuses of `affidavit eval run`: a floor is missed, or could not be told."""
PAGE = """# What the suites notice

A suite that holds its floors says little unless it would miss them were the product broken. So the product is broken on
purpose, one edit at a time (`benchmarks/data/mutations.toml`), and the [suites](eval.md) are run on each broken copy.
{count} Made by `python benchmarks/mutations.py --write docs/mutations.md`{day}.

| broken on purpose | in | noticed by | figure, beside its floor |
|---|---|---|---|
{rows}
"""


@dataclass(frozen=True)
class Mutation:
    name: str
    file: str
    old: str
    new: str
    suites: tuple[str, ...]
    rows: int | None = None
    """Of a suite that takes long, so many of its rows, evenly taken, and floors that the product keeps on those."""

    @property
    def digest(self) -> str:
        said = {name: value for name, value in asdict(self).items() if value is not None}
        return hashlib.sha256(json.dumps(said).encode()).hexdigest()

    def make(self, source: Path) -> None:
        """Edit the package at `source`. Raises ValueError where the old text does not stand there exactly once."""
        path = source / "affidavit" / self.file
        text = path.read_text("utf-8") if path.is_file() else ""
        if text.count(self.old) != 1:
            raise ValueError(f"{self.name}: {self.old!r} stands {text.count(self.old)} times in {self.file}, not once")
        path.write_text(text.replace(self.old, self.new), encoding="utf-8")


@dataclass(frozen=True)
class Result:
    """What became of a mutation. `suite` is the one that noticed, or None; `told` is how, or why none could."""

    name: str
    digest: str
    suite: str | None
    told: str


def read(file: Path = EDITS) -> list[Mutation]:
    tables = tomllib.loads(file.read_text("utf-8"))
    return [
        Mutation(name, one["file"], one["old"], one["new"], tuple(one["suites"]), one.get("rows"))
        for name, one in tables.items()
    ]


def status(source: Path, home: Path, suite: str, rows: int | None, *, pin: bool = False) -> tuple[int, str]:
    """The exit status of the suite on the package at `source`, and what it said: the floors that it missed, or the last
    line. On some of its rows alone where `rows` says so, whose floors are pinned with `pin`, and else held."""
    environment = os.environ | {
        "PYTHONPATH": str(source),
        "PYTHONDONTWRITEBYTECODE": "1",
        "AFFIDAVIT_DATA_DIR": str(home / "data"),
        "AFFIDAVIT_CACHE_DIR": str(home / "cache"),
    }
    command = [sys.executable, "-m", "affidavit", "eval", "run", suite, "--quiet", "--json"]
    if rows is not None:
        data, floors = home / f"{suite}-{rows}.jsonl", home / f"{suite}-{rows}.toml"
        data.write_text("".join(_some(suite, rows)), encoding="utf-8")
        command += ["--data", str(data), "--pin" if pin else "--floors", str(floors)]
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=1800, cwd=home)
    except subprocess.TimeoutExpired:
        return -1, "it had not ended after half an hour"
    if done.returncode in (0, *NOTICED) and done.stdout:
        missed = [_missed(floor) for one in json.loads(done.stdout) for floor in one["floors"] if not floor["met"]]
        part = f"on {rows} rows: " if rows is not None and missed else ""
        return done.returncode, part + ", ".join(missed)
    return done.returncode, " ".join((done.stderr or done.stdout).splitlines()[-1:])


def _some(suite: str, rows: int) -> list[str]:
    """So many lines of the suite's data, from its beginning to its end."""
    lines = (SOURCE / "affidavit/evals/data" / suites()[suite].data).read_text("utf-8").splitlines(keepends=True)
    return lines[:: max(len(lines) // rows, 1)][:rows]


def _missed(floor: Mapping[str, object]) -> str:
    """``recall 81.6% (100.0%)``"""
    measured = floor["measured"]
    told = f"{measured:.1%}" if isinstance(measured, float | int) else "could not be told"
    return f"{floor['name']} {told} ({floor['bound']:.1%})"


def outcome(mutation: Mutation, home: Path) -> Result:
    """Make the edit in a copy and run its suites there, until one notices."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "src"
        shutil.copytree(SOURCE, source, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
        try:
            mutation.make(source)
        except ValueError as error:
            return Result(mutation.name, mutation.digest, None, str(error))
        for suite in mutation.suites:
            ended, told = status(source, home, suite, mutation.rows)
            if ended in NOTICED:
                return Result(mutation.name, mutation.digest, suite, told)
            if ended:
                return Result(mutation.name, mutation.digest, None, f"{suite} ended with {ended}: {told}")
    return Result(mutation.name, mutation.digest, None, "a hole: every floor holds")


def kept(file: Path | None) -> Iterator[Result]:
    """What an earlier call wrote there."""
    if file is not None and file.exists():
        yield from (Result(**json.loads(line)) for line in file.read_text("utf-8").splitlines())


def page(wanted: Sequence[Mutation], results: Mapping[str, Result], day: str) -> str:
    """The table as a page, of those tried."""
    tried = [(one, results[one.name]) for one in wanted if one.name in results]
    noticed = sum(found.suite is not None for _, found in tried)
    cells = (
        (one.name.replace("_", " "), f"`{one.file}`", found.suite or "nothing", found.told) for one, found in tried
    )
    rows = "\n".join(f"| {' | '.join(cell.replace('|', '/') for cell in row)} |" for row in cells)
    count = f"{noticed} of {len(tried)} are noticed."
    if len(tried) < len(wanted):
        count += f" Another {len(wanted) - len(tried)} have not been tried yet."
    return PAGE.format(count=count, rows=rows, day=day and f" on {day}")


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", help="these alone")
    parser.add_argument("--results", type=Path, help="keep what was told here, and do not find it out again")
    parser.add_argument("--write", type=Path, help="write the page here")
    options = parser.parse_args(arguments)
    wanted = [one for one in read() if not options.names or one.name in options.names]
    digests = {one.name: one.digest for one in wanted}
    results = {one.name: one for one in kept(options.results) if digests.get(one.name) == one.digest}
    left = [one for one in wanted if one.name not in results]
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        for suite, some in dict.fromkeys((suite, one.rows) for one in left for suite in one.suites):
            ended, told = status(SOURCE, home, suite, some, pin=True)
            if ended:
                sys.exit(f"{suite} does not hold its floors as it is: {told}")
        for one in left:
            results[one.name] = result = outcome(one, home)
            print(f"{'noticed' if result.suite else 'MISSED '} {one.name}: {result.suite} {result.told}", flush=True)
            if options.results is not None:
                with options.results.open("a", encoding="utf-8") as lines:
                    lines.write(json.dumps(asdict(result), ensure_ascii=False) + "\n")
    if options.write is not None:
        day = datetime.now(UTC).date().isoformat()
        options.write.write_text(page(wanted, results, day), encoding="utf-8")
    return any(one.suite is None for one in results.values())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
