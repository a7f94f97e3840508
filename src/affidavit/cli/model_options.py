"""The options that say which models play in a run, and what they may spend."""

from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from typing import Annotated

import typer

from affidavit.cli.streams import tell
from affidavit.errors import UserError
from affidavit.models.account import Account
from affidavit.models.prices import load_prices
from affidavit.models.roles import Role
from affidavit.research.estimate import Estimate, estimate
from affidavit.research.plan import Plan
from affidavit.settings import Settings
from affidavit.staff import has_researcher

Keyless = Annotated[
    bool, typer.Option("--keyless", help="Use no model: the answer is made of whole sentences of the pages.")
]
ModelOf = Annotated[
    list[str] | None,
    typer.Option(
        "--model",
        metavar="ROLE=PROVIDER:NAME",
        help="The model of a role, as researcher=openai:gpt-6-luna (affidavit doctor lists both). May be repeated.",
    ),
]
MaxUsd = Annotated[str | None, typer.Option("--max-usd", metavar="X", help="US dollars for models at most.")]
MaxToolCalls = Annotated[int | None, typer.Option(help="Calls that a model may make of its tools at most.")]
MaxTokens = Annotated[int | None, typer.Option(help="Tokens that models read and write at most.")]
EstimateOnly = Annotated[
    bool, typer.Option("--estimate", help="Say what the models of this run will take, and stop before it begins.")
]


def models_of(named: Sequence[str], *, keyless: bool) -> dict[str, str | None] | None:
    """The setting `models` that the options ask for; None where they ask for nothing. Raises UserError."""
    found: dict[str, str | None] = {}
    for one in named:
        role, equals, model = one.partition("=")
        if not equals or role.strip() not in set(Role) or not model.strip():
            roles = ", ".join(role.value for role in Role)
            raise UserError(f"--model {one}: write ROLE=PROVIDER:NAME, the role one of {roles}")
        found[role.strip()] = model.strip()
    if keyless:
        if found.get(Role.RESEARCHER):
            raise UserError("--keyless uses no model, and --model names one for the researcher; leave one out")
        found[Role.RESEARCHER] = None
    return found or None


def dollars(given: str | None) -> Decimal | None:
    """Raises UserError for what is no amount."""
    if given is None:
        return None
    try:
        found = Decimal(given.strip().removeprefix("$"))
    except InvalidOperation:
        found = Decimal(-1)
    if not found.is_finite() or found < 0:
        raise UserError(f"--max-usd {given}: write an amount in US dollars, as 0.50")
    return found


def estimate_of(settings: Settings, work: Plan | str) -> Estimate:
    """What `work` will take. Raises UserError where no model would be asked, and for a run that has begun."""
    if isinstance(work, str):
        raise UserError(f"--estimate says what a run will take before it begins, and {work} has begun")
    if not has_researcher(settings):
        raise UserError("--estimate: this run uses no model, so it costs nothing (see --model)")
    return estimate(settings, len(work.subquestions), load_prices(settings.models.prices))


def tell_spent(account: Account) -> None:
    """Say what each model was asked and what it took, a line a role."""
    for role, spent in account.lines.items():
        tell(f"models: {role}: {spent.told()}")
