"""The models of a research run. The one that verifies is no member: it belongs to the tools, and sees one pair."""

from dataclasses import dataclass

from affidavit.models.model import Model
from affidavit.models.spend import Spend


@dataclass(frozen=True, slots=True, kw_only=True)
class Crew:
    """`researcher` plans, calls the tools and drafts; `convergence` says whether to go on. `spend` is their purse, and
    the verifier's if that is a model."""

    researcher: Model
    convergence: Model
    spend: Spend
