"""Where a command may write: never over what it reads, and never twice to one place."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from affidavit.errors import UserError


def check_targets(targets: Mapping[str, Path | None], inputs: Iterable[str | Path]) -> None:
    """Refuse `targets` (by option) without a folder to stand in, that are an input, or that are one another.

    An answer written over its own archive or key would destroy what it stands on. Raises UserError.
    """
    named = {option: path for option, path in targets.items() if path is not None}
    for option, path in named.items():
        if not path.absolute().parent.is_dir():
            raise UserError(f"{path}: there is no folder {path.absolute().parent}; make it first")
        if path.is_dir():
            raise UserError(f"{option} {path}: that is a folder; name a file")
        for given in inputs:
            if str(given) and _same(path, Path(given)):
                raise UserError(f"{option} {path}: that is one of the files read; name another, or it would be lost")
    options = list(named)
    for index, option in enumerate(options):
        for other in options[index + 1 :]:
            if _same(named[option], named[other]):
                raise UserError(f"{option} and {other} name the same file, {named[option]}; name two")


def _same(one: Path, other: Path) -> bool:
    return one.resolve() == other.expanduser().resolve() or (one.exists() and other.exists() and one.samefile(other))
