"""Where a report goes: to standard output in the format asked for, and into a file in the one that its ending names."""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from affidavit.cli.streams import print_text
from affidavit.errors import UserError
from affidavit.ledger.refusal import refused
from affidavit.ledger.whole_file import write_whole

_ENDINGS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "terminal": (".txt",),
        "md": (".md", ".markdown"),
        "html": (".html", ".htm"),
        "json": (".json",),
        "sarif": (".sarif",),
        "bibtex": (".bib",),
        "ris": (".ris",),
        "csl": (".csl.json",),
    }
)
"""How the files of each format end. The first ending is the one that a file gets which is named here."""


def ending_of(output_format: str) -> str:
    return _ENDINGS[output_format][0]


def format_for(path: Path, asked: str | None, formats: Sequence[str], *, option: bool = True) -> str:
    """`asked` if given, else the one of `formats` that the ending of `path` says. Raises UserError for an ending that
    says nothing: with `option` the command has a --format that does."""
    if asked is not None:
        return asked
    found = next((one for one in formats if path.suffix.lower() in _ENDINGS[one]), None)
    if found is None:
        endings = ", ".join(ending_of(one) for one in formats)
        advice = f"add --format {'|'.join(formats)}" if option else f"those that do: {endings}"
        raise UserError(f"{path}: the ending {path.suffix!r} names no format; {advice}")
    return found


def shown_format(formats: Sequence[str], asked: str | None, out: Path | None, **short: bool) -> str:
    """What standard output gets: what --format asks for, or an option `short` for it, as --json. The rest is for
    people, also where --format is about the file `out`. Raises UserError for a format that is none of `formats`."""
    if asked is not None and asked not in formats:
        raise UserError(f"--format {asked!r} is not known; known: {', '.join(formats)}")
    wanted = {name: f"--{name}" for name, given in short.items() if given}
    if asked is not None and wanted.keys() - {asked}:
        wanted[asked] = f"--format {asked}"
    if len(wanted) > 1:
        raise UserError(f"{' and '.join(wanted.values())} ask for two different things; choose one")
    if wanted:
        return next(iter(wanted))
    return "terminal" if out is not None or asked is None else asked


@dataclass(frozen=True, slots=True)
class Output:
    """`shown` is the format that standard output gets; `written` that of `file`, where there is one."""

    shown: str
    file: Path | None = None
    written: str | None = None

    @classmethod
    def of(cls, formats: Sequence[str], asked: str | None, out: Path | None, **short: bool) -> "Output":
        """That of a command with --format, and an option `short` for some of its values. Raises UserError."""
        shown = shown_format(formats, asked, out, **short)
        return cls(shown, out, None if out is None else format_for(out, asked, formats))

    @classmethod
    def by_ending(cls, formats: Sequence[str], out: Path | None, *, as_json: bool) -> "Output":
        """That of a command without --format. Raises UserError."""
        written = None if out is None else format_for(out, None, formats, option=False)
        return cls("json" if as_json else "terminal", out, written)

    def give(self, show: Callable[[], None], render: Callable[[str], str]) -> None:
        """Print the report, which `show` does for people and `render` in a format, and write its file.

        Raises StorageError.
        """
        if self.shown == "terminal":
            show()
        else:
            print_text(render(self.shown))
        if self.file is not None and self.written is not None:
            write_told(self.file, render(self.written))


def write_told(path: Path, text: str) -> None:
    """`write_file`, and say so."""
    write_file(path, text)
    tell_written(path)


def tell_written(*paths: Path | None) -> None:
    """Say on standard error which of `paths` were written: those that there are."""
    for path in paths:
        if path is not None and path.exists():
            print(f"wrote {path}", file=sys.stderr)


def write_file(path: Path, text: str) -> None:
    """Write `text` to `path`, replacing it only once everything is on the disk. Raises StorageError."""
    try:
        write_whole(path, text.encode())
    except OSError as error:
        raise refused(path, "write the report", error) from error


def read_key(path: Path) -> bytes:
    """The bytes of a key file. Raises UserError."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise UserError(f"{path}: the key cannot be read: {error.strerror or error}") from error
