"""``affidavit eval run``, ``report`` and ``compare``: suites measured, shown again, and held against each other."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from affidavit.cli.exit_codes import Exit, gravest
from affidavit.cli.model_options import MaxUsd, ModelOf, dollars, models_of, tell_spent
from affidavit.cli.output import Output, write_told
from affidavit.cli.progress import Steps
from affidavit.cli.streams import tell
from affidavit.cli.targets import check_targets
from affidavit.errors import UserError
from affidavit.evals.at_once import run_at_once
from affidavit.evals.hired import Hired
from affidavit.evals.judge import JudgeEval, Outcome
from affidavit.evals.measured_page import fill
from affidavit.evals.past import compare, newest_suites, read_suite, shipped_suites
from affidavit.evals.pinned import floors_toml, pin, read_floors
from affidavit.evals.read_once import read_once
from affidavit.evals.run_suite import run_suite
from affidavit.evals.suite import Suite, SuiteEval
from affidavit.evals.suites import QUICK, ROLES
from affidavit.evals.suites import suites as all_suites
from affidavit.evals.suites_report import SUITE_FORMATS, render_suites, show_comparison, show_suites
from affidavit.models.roles import Role
from affidavit.settings import load_settings
from affidavit.wiring import open_ledger

NAMES = tuple(all_suites())
_STATUS = {
    Outcome.MEASURED: Exit.DONE,
    Outcome.PASSED: Exit.DONE,
    Outcome.BELOW_FLOOR: Exit.FINDINGS,
    Outcome.COULD_NOT_CHECK: Exit.COULD_NOT_CHECK,
}


def run(
    suites: Annotated[
        list[str] | None, typer.Argument(metavar="[SUITE]…", help=f"{', '.join(NAMES)}; default: all of them.")
    ] = None,
    data: Annotated[
        list[Path] | None, typer.Option(metavar="FILE|DIR", help="Your own rows, .jsonl or .csv, for one suite.")
    ] = None,
    floors: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Floors of your own; default: those that ship.")
    ] = None,
    pin_to: Annotated[
        Path | None, typer.Option("--pin", metavar="FILE", help="Write what was measured as floors into FILE.")
    ] = None,
    lower: Annotated[bool, typer.Option("--lower", help="Let --pin lower a floor.")] = False,
    quick: Annotated[bool, typer.Option("--quick", help=f"The suites that take seconds: {', '.join(QUICK)}.")] = False,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, metavar="N", help="Suites measured at a time.")] = 1,
    model: ModelOf = None,
    max_usd: MaxUsd = None,
    own_judge: Annotated[
        bool, typer.Option("--own-judge", help="Let a model judge what it wrote itself; the report says so.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    out: Annotated[Path | None, typer.Option(help="Also write the report here: .html, .md, .json or .txt.")] = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Show every case that is not right.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress on stderr.")] = False,
) -> int:
    """Measure the product on labelled rows: those that ship, or your own.

    No model is asked unless --model names it. With models, shipped floors are not held: they were pinned without.

    Exit status 0 measured and every floor holds, 1 one does not, 2 something could not be told.
    """
    models = models_of(model or (), keyless=False) or {}
    settings = load_settings(models=models or None, max_usd=dollars(max_usd))
    hired = Hired(settings, {Role(role): str(name) for role, name in models.items()}, own_judge=own_judge)
    if quick and suites:
        raise UserError("--quick names the suites itself: leave it out, or the names")
    chosen = _named(QUICK if quick else suites or NAMES, hired)
    if data and len(chosen) > 1:
        raise UserError("--data holds the rows of one suite; name that suite (affidavit eval run numbers --data FILE)")
    at_once = min(jobs, len(chosen))
    if at_once > 1 and models:
        raise UserError("--jobs measures without a model: with --model leave it out, and one purse pays for all")
    output = Output.by_ending(SUITE_FORMATS, out, as_json=as_json)
    check_targets({"--out": out, "--pin": pin_to}, data or ())
    bounds = {} if models and floors is None else read_floors(floors)
    with Steps(quiet=quiet) as steps, read_once():
        if at_once > 1:
            done = run_at_once(chosen, at_once, settings=settings, floors=bounds, progress=steps.measured)
        else:
            with open_ledger(settings) as ledger:
                done = [
                    run_suite(
                        suite, ledger, paths=data or (), floors=bounds, progress=steps.measured, on_begun=hired.charge
                    )
                    for suite in chosen
                ]
    tell_spent(hired.account)
    output.give(partial(show_suites, done, verbose=verbose), partial(render_suites, done))
    if pin_to is not None:
        _pin(done, pin_to, lower=lower)
    return status_of(done)


def report(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    out: Annotated[Path | None, typer.Option(help="Also write the report here: .html, .md, .json or .txt.")] = None,
    docs: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Fill the marks of this page with what was found on the rows that ship."),
    ] = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Show every case that is not right.")] = False,
) -> int:
    """Show the newest finished run of each suite again."""
    output = Output.by_ending(SUITE_FORMATS, out, as_json=as_json)
    check_targets({"--out": out}, [])
    with open_ledger(load_settings()) as ledger:
        if docs is not None:
            return _fill(docs, shipped_suites(ledger))
        newest = {one.suite: one for one in newest_suites(ledger)}
    done = [newest[name] for name in NAMES if name in newest]
    if not done:
        raise UserError("no suite has been measured yet: affidavit eval run")
    output.give(partial(show_suites, done, verbose=verbose), partial(render_suites, done))
    return status_of(done)


def compare_runs(
    earlier: Annotated[str, typer.Argument(metavar="RUN", help="A run of a suite.")],
    later: Annotated[str, typer.Argument(metavar="RUN", help="Another of the same suite on the same rows.")],
) -> int:
    """Hold two runs of one suite against each other: every figure, every case that turned, and whether by chance.

    Exit status 1 where a figure of the later run is worse.
    """
    with open_ledger(load_settings()) as ledger:
        found = compare(read_suite(ledger, earlier), read_suite(ledger, later))
    show_comparison(found)
    worse = any(
        one.share.value is not None
        and other.share.value is not None
        and (other.share.value < one.share.value if other.more_is_better else other.share.value > one.share.value)
        for one, other in found.figures
    )
    return Exit.FINDINGS if worse else Exit.DONE


def _named(names: Sequence[str], hired: Hired) -> list[Suite]:
    """The suites of one run, each once. Raises UserError for a model that none of them asks."""
    known = all_suites(hired)
    for name in names:
        if name not in known:
            raise UserError(f"suite {name!r} is not known; known: {', '.join(known)}")
    idle = set(hired.roles) - {role for name in names for role in ROLES.get(name, ())}
    if idle:
        asked = "; ".join(f"{name}: {', '.join(roles)}" for name, roles in ROLES.items())
        raise UserError(f"--model names a {min(idle)}, and no suite of this run asks one; those that ask: {asked}")
    return [known[name] for name in dict.fromkeys(names)]


def _pin(done: Sequence[SuiteEval], file: Path, *, lower: bool) -> None:
    """Write what was measured as floors into `file`, beside those that it has for other suites."""
    pinned = read_floors(file) if file.exists() else {}
    for one in done:
        pinned = pin(pinned, one, lower=lower)
    write_told(file, floors_toml(pinned))


def _fill(page: Path, measured: Mapping[str, SuiteEval]) -> int:
    """Write what was measured between the marks of the file `page`. Raises UserError for one without marks."""
    try:
        text = page.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{page}: cannot be read: {error}") from error
    filled = fill(text, measured)
    if not filled.suites:
        raise UserError(f"{page}: no marks; write <!-- suite NAME --> and <!-- end of NAME --> on lines of their own")
    for name in filled.left:
        tell(f"{name}: not measured on the rows that ship, so its part of {page} stays: affidavit eval run {name}")
    write_told(page, filled.text)
    return Exit.DONE


def status_of(done: Iterable[SuiteEval | JudgeEval]) -> int:
    """The exit status of a command that measured these: a floor that does not hold before what could not be told."""
    return gravest(_STATUS[one.outcome] for one in done)
