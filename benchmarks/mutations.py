"""Breaks the product on purpose, one edit at a time, and sees whether the suites notice.

    python benchmarks/mutations.py [NAME …] [--write FILE]

Each edit of benchmarks/data/mutations.toml is made in a copy of the package, and its suites are run there. A suite
notices by missing a floor, or by being unable to tell one. An edit that nothing notices is a hole in the suites: the
exit status is 1. First the suites are run on the package as it is, where every floor must hold.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parent / "src"
NOTICED = (1, 2)
"""Exit statuses of `affidavit eval run`: a floor is missed, or could not be told."""


@dataclass(frozen=True)
class Mutation:
    name: str
    file: str
    old: str
    new: str
    suites: tuple[str, ...]

    def make(self, source: Path) -> None:
        path = source / "affidavit" / self.file
        text = path.read_text("utf-8")
        if text.count(self.old) != 1:
            sys.exit(f"{self.name}: {self.old!r} stands {text.count(self.old)} times in {self.file}, not once")
        path.write_text(text.replace(self.old, self.new), encoding="utf-8")


def read() -> list[Mutation]:
    tables = tomllib.loads((HERE / "data/mutations.toml").read_text("utf-8"))
    return [Mutation(name, one["file"], one["old"], one["new"], tuple(one["suites"])) for name, one in tables.items()]


def status(source: Path, home: Path, suite: str) -> tuple[int, str]:
    """The exit status of the suite on the package at `source`, and the last line of what it said."""
    environment = os.environ | {
        "PYTHONPATH": str(source),
        "AFFIDAVIT_DATA_DIR": str(home / "data"),
        "AFFIDAVIT_CACHE_DIR": str(home / "cache"),
    }
    command = [sys.executable, "-m", "affidavit", "eval", "run", suite, "--quiet"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=1800, cwd=home)
    told = [line for line in done.stdout.splitlines() if "MISSED" in line] or (done.stderr or done.stdout).splitlines()
    return done.returncode, " ".join(told[-1].split()) if told else ""


def noticed(mutation: Mutation, home: Path) -> tuple[str, str] | None:
    """The suite that noticed, and what it said; None where none did."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "src"
        shutil.copytree(SOURCE, source, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
        mutation.make(source)
        for suite in mutation.suites:
            ended, told = status(source, home, suite)
            if ended in NOTICED:
                return suite, told
            if ended:
                sys.exit(f"{mutation.name}: {suite} ended with {ended}: {told}")
    return None


def table(rows: Sequence[tuple[str, str, str]]) -> str:
    lines = ["| broken on purpose | noticed by | how |", "|---|---|---|"]
    return "\n".join(lines + [f"| {name.replace('_', ' ')} | {suite} | {told} |" for name, suite, told in rows]) + "\n"


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", help="these alone")
    parser.add_argument("--write", type=Path, help="write the table here")
    options = parser.parse_args(arguments)
    wanted = [one for one in read() if not options.names or one.name in options.names]
    rows: list[tuple[str, str, str]] = []
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        for suite in sorted({suite for one in wanted for suite in one.suites}):
            ended, told = status(SOURCE, home, suite)
            if ended:
                sys.exit(f"{suite} does not hold its floors as it is: {told}")
        for one in wanted:
            found = noticed(one, home)
            rows.append((one.name, *(found or ("nothing", "a hole"))))
            print(f"{'noticed' if found else 'MISSED '} {one.name}: {found or ''}", flush=True)
    if options.write is not None:
        options.write.write_text(table(rows), encoding="utf-8")
    return any(suite == "nothing" for _, suite, _ in rows)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
