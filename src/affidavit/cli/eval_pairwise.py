"""``affidavit eval pairwise``: two texts for each brief, and which a judge prefers who knows neither's maker."""

import json
from pathlib import Path
from typing import Annotated

import typer

from affidavit.cli.exit_codes import Exit
from affidavit.cli.model_options import MaxUsd, ModelOf, dollars, models_of, tell_spent
from affidavit.cli.progress import Steps
from affidavit.cli.streams import print_text, tell
from affidavit.errors import UserError
from affidavit.evals.hired import Hired
from affidavit.evals.pairwise import SEED, Better, Preference, neutral
from affidavit.evals.pairwise_run import run_pairwise
from affidavit.models.roles import Role
from affidavit.report.inert import line
from affidavit.settings import load_settings
from affidavit.wiring import open_ledger


def pairwise(
    data: Annotated[
        list[Path], typer.Option(metavar="FILE|DIR", help="Pairs, .jsonl: id, brief, facts, first, second.")
    ],
    model: ModelOf = None,
    first: Annotated[
        str, typer.Option(help="Who made the first texts. For the report; the judge is not told.")
    ] = "first",
    second: Annotated[str, typer.Option(help="Who made the second texts.")] = "second",
    writer: Annotated[
        list[str] | None,
        typer.Option(metavar="PROVIDER:NAME", help="A model that wrote texts of these: it may not judge them."),
    ] = None,
    own_judge: Annotated[
        bool, typer.Option("--own-judge", help="Let a model judge what it wrote itself; the report says so.")
    ] = False,
    seed: Annotated[int, typer.Option(help="Of the sequence in which pairs and orders are asked.")] = SEED,
    max_usd: MaxUsd = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, with every judgement.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress on stderr.")] = False,
) -> int:
    """Judge pairs of texts blind: each in both orders, the sign test over those told apart.

    Exit status 0 judged, 2 where no pair could be.
    """
    models = models_of(model or (), keyless=False) or {}
    if set(models) != {Role.JUDGE.value}:
        raise UserError("name the judge, and no other model: --model judge=PROVIDER:NAME")
    judge = str(models[Role.JUDGE.value])
    if note := neutral(judge, writer or (), own=own_judge):
        tell(note)
    settings = load_settings(models=models, max_usd=dollars(max_usd))
    hired = Hired(settings, {Role.JUDGE: judge})
    with Steps(quiet=quiet) as steps, open_ledger(settings) as ledger:
        run_id, found = run_pairwise(
            hired,
            ledger,
            data,
            first=first,
            second=second,
            seed=seed,
            progress=lambda done, total: steps.measured("pairwise", done, total),
        )
    tell_spent(hired.account)
    if as_json:
        print_text(json.dumps({"run_id": run_id, **found.as_json()}, ensure_ascii=False, indent=2) + "\n")
    else:
        print_text("".join(f"{line(one)}\n" for one in _lines(run_id, found)))
    return Exit.COULD_NOT_CHECK if found.count(None) == len(found.judged) else Exit.DONE


def _lines(run_id: str, found: Preference) -> list[str]:
    names = {Better.FIRST: found.first, Better.SECOND: found.second, Better.TIE: "tie", None: "not judged"}
    lines = [found.told(), f"run {run_id}"]
    for one in found.judged:
        reasons = " / ".join(dict.fromkeys((one.straight.reason, one.turned.reason)))
        lines.append(f"  {one.pair.pair_id}: {names[one.better]}: {reasons}")
    return lines
