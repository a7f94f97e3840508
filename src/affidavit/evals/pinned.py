"""The floors that ship, pinned to the rows they were measured on, and how a person pins their own.

A floor holds for its data only: on other rows the same figure means something else, so it is not held there, and the
report says so. Raising one needs nothing; lowering one has to be said in so many words, or a gate would sink with
what it guards.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from affidavit.errors import UserError
from affidavit.evals.floors import Floor
from affidavit.evals.records import shipped_file
from affidavit.evals.suite import Figure, SuiteEval

SHIPPED = "floors.toml"


@dataclass(frozen=True, slots=True)
class Pinned:
    """The floors of one suite: the digest of the rows, and a bound for each figure."""

    digest: str
    bounds: Mapping[str, float]


Floors = Mapping[str, Pinned]


def read_floors(path: Path | None = None) -> Floors:
    """The floors of the file at `path`, or those that ship. Raises UserError naming the file and what is wrong."""
    shown = SHIPPED if path is None else str(path)
    try:
        text = shipped_file(SHIPPED).read_text("utf-8") if path is None else path.read_text("utf-8")
        tables = tomllib.loads(text)
    except OSError as error:
        raise UserError(f"{shown}: floors cannot be read: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{shown}: not valid TOML: {error}") from error
    return {name: _pinned(shown, name, table) for name, table in tables.items()}


def _pinned(shown: str, suite: str, table: object) -> Pinned:
    if not isinstance(table, dict) or not isinstance(table.get("digest"), str):
        raise UserError(f'{shown}: [{suite}] has no digest; a floor is pinned to its rows (digest = "sha256:…")')
    bounds = {name: value for name, value in table.items() if name != "digest"}
    for name, value in bounds.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
            raise UserError(f"{shown}: {suite}.{name} = {value!r}: write a share between 0 and 1")
    return Pinned(table["digest"], bounds)


def held(floors: Floors, suite: str, digest: str, figures: tuple[Figure, ...]) -> tuple[tuple[Floor, ...], str | None]:
    """The suite's floors beside its figures, and why there are none where there are none.

    A floor for a figure that the suite does not have is one that the data cannot tell: it is not met.
    """
    pinned = floors.get(suite)
    if pinned is None:
        return (), "no floor is pinned for this suite"
    if pinned.digest != digest:
        return (), "these rows are not those that the floors are pinned on, so none is held: pin your own (--pin FILE)"
    known = {figure.name: figure for figure in figures}
    return tuple(
        known[name].held_against(bound) if name in known else Floor(name, bound, None, met=False)
        for name, bound in pinned.bounds.items()
    ), None


def pin(floors: Floors, done: SuiteEval, *, lower: bool = False) -> Floors:
    """`floors` with the figures of `done` as those of its suite. Raises UserError for a bound that would be less strict
    than the one pinned on the same rows, unless `lower`."""
    bounds = {figure.name: _bound(figure) for figure in done.measured.figures if figure.share.value is not None}
    before = floors.get(done.suite)
    if before is not None and before.digest == done.data_digest and not lower:
        better = {figure.name: figure.more_is_better for figure in done.measured.figures}
        for name, bound in bounds.items():
            old = before.bounds.get(name)
            if old is not None and (bound < old if better[name] else bound > old):
                raise UserError(
                    f"{done.suite}.{name} is {bound:g} and its floor {old:g}: a floor is lowered only with --lower"
                )
    return {**floors, done.suite: Pinned(done.data_digest, bounds)}


def _bound(figure: Figure) -> float:
    """The figure, rounded to a thousandth towards the stricter side that it still meets."""
    value = figure.share.value or 0.0
    thousand = value * 1000
    return (int(thousand + 1e-9) if figure.more_is_better else -int(-thousand // 1)) / 1000


def floors_toml(floors: Floors) -> str:
    """`floors` as the file that `read_floors` reads."""
    parts = ["# Floors of the suites, each pinned to the rows it was measured on (affidavit eval run --pin FILE)."]
    for name, pinned in floors.items():
        bounds = "\n".join(f"{figure} = {bound}" for figure, bound in pinned.bounds.items())
        parts.append(f'[{name}]\ndigest = "{pinned.digest}"\n{bounds}')
    return "\n\n".join(parts) + "\n"
