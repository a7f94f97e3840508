"""Who plays what: a role is a task, and the settings name the model for it.

A role that makes something may fall back on another that does; one that checks falls back on none that makes, so that
nobody's work is judged by the model that did it because a setting was forgotten.
"""

from collections.abc import Mapping
from enum import StrEnum

from affidavit.settings import Models


class Role(StrEnum):
    RESEARCHER = "researcher"
    VERIFIER = "verifier"
    CONVERGENCE = "convergence"
    EXTRACTOR = "extractor"
    CONSOLIDATOR = "consolidator"
    WRITER = "writer"
    REVIEWER = "reviewer"
    JUDGE = "judge"


FALLS_BACK_ON: Mapping[Role, Role] = {
    Role.CONVERGENCE: Role.RESEARCHER,
    Role.EXTRACTOR: Role.RESEARCHER,
    Role.CONSOLIDATOR: Role.EXTRACTOR,
    Role.WRITER: Role.RESEARCHER,
    Role.REVIEWER: Role.VERIFIER,
}


CHECKS = frozenset({Role.VERIFIER, Role.REVIEWER, Role.JUDGE})
"""The roles that judge what others made."""


def judges_own_work(role: Role, models: Models) -> Role | None:
    """The role that makes what `role` judges, if one model plays both: then a run must be told to, and say so."""
    model = model_of(role, models) if role in CHECKS else None
    makers = (maker for maker in Role if maker not in CHECKS)
    return next((maker for maker in makers if model is not None and model_of(maker, models) == model), None)


def model_of(role: Role, models: Models) -> str | None:
    """The model of `role` as the settings write it, or of the role that stands in; None where there is none."""
    here: Role | None = role
    while here is not None:
        named: str | None = getattr(models, here.value)
        if named is not None:
            return named
        here = FALLS_BACK_ON.get(here)
    return None
