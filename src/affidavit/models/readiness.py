"""Whether each role can be played: what is named for it, what that costs, and what stands in the way. Sends nothing."""

from dataclasses import dataclass

from affidavit.egress.keys import Keys
from affidavit.errors import MissingExtra, UserError
from affidavit.models.prices import Prices, load_prices
from affidavit.models.providers import ModelName, check_ready, model_keys, model_name, providers
from affidavit.models.roles import FALLS_BACK_ON, Role, judges_own_work, model_of
from affidavit.settings import Models


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleReadiness:
    """`model` is None where none is named. `missing` is what must be installed or set before it can be asked; `wrong`
    what must be corrected."""

    role: Role
    model: str | None
    detail: str
    missing: str | None = None
    wrong: str | None = None


def readiness(settings: Models, keys: Keys | None = None) -> list[RoleReadiness]:
    """Every role. Raises UserError for addresses, keys or prices that cannot be meant, whichever role wants them."""
    known = providers(settings.servers)
    held = keys or model_keys(known)
    prices = load_prices(settings.prices)
    found: list[RoleReadiness] = []
    for role in Role:
        named = model_of(role, settings)
        if named is None:
            found.append(RoleReadiness(role=role, model=None, detail=_unnamed(role)))
            continue
        try:
            model = model_name(named, known, f"models.{role.value}")
        except UserError as error:
            found.append(RoleReadiness(role=role, model=named, detail=named, wrong=str(error)))
            continue
        own: str | None = getattr(settings, role.value)
        inherited = "" if own is not None else f" (of the role {_stand_in(role, settings).value})"
        maker = judges_own_work(role, settings)
        own_work = "" if maker is None else f"; the {maker.value}'s model too, so it would judge its own work"
        detail = f"{model}{inherited}; {_key(model, held)}; {_price(model, prices)}{own_work}"
        try:
            check_ready(model, held)
        except (MissingExtra, UserError) as error:
            found.append(RoleReadiness(role=role, model=named, detail=detail, missing=str(error)))
        else:
            found.append(RoleReadiness(role=role, model=named, detail=detail))
    return found


def _unnamed(role: Role) -> str:
    return f"no model is named; none is needed without a model-driven run (AFFIDAVIT_MODELS__{role.upper()})"


def _stand_in(role: Role, settings: Models) -> Role:
    """The role whose model `role` takes."""
    while getattr(settings, role.value) is None:
        role = FALLS_BACK_ON[role]
    return role


def _key(model: ModelName, keys: Keys) -> str:
    provider = model.provider
    held = next((name for name in provider.keys if keys.get(name) is not None), None)
    if held is not None:
        return f"key in {held}"
    return f"no key, none is needed ({provider.url})" if provider.keyless else f"no key in {' or '.join(provider.keys)}"


def _price(model: ModelName, prices: Prices) -> str:
    price = prices.of(str(model))
    if price is None:
        return "price not known, so --max-usd cannot be kept (models.prices)"
    return f"${price.input:f} in, ${price.output:f} out a million tokens (as of {price.as_of})"
