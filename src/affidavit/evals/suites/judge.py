"""`judge`: the verifier that judges where no other is named, on claims beside their spans. `affidavit eval judge`
measures any verifier and tells more."""

import asyncio

from affidavit.evals.judge import Answered, measure
from affidavit.evals.records import Records
from affidavit.evals.suite import Case, CaseState, Figure, Measured, Progress, counted
from affidavit.evals.triples import triples_of
from affidavit.evidence.claim import Label
from affidavit.settings import load_settings
from affidavit.wiring import DEFAULT_VERIFIER, open_verifier

UNTOLD = "untold"
"""The kind of a case whose row tells none."""
TRUE = "true twin of "
"""How the kind of a case begins whose claim its span bears out."""


class JudgeSuite:
    version = "1"

    def __init__(self, name: str, about: str, data: str) -> None:
        self.name = name
        self.about = about
        self.data = data

    def measure(self, records: Records, progress: Progress) -> Measured:
        verifier = open_verifier(DEFAULT_VERIFIER, load_settings(), None)
        measured = asyncio.run(measure(verifier, triples_of(records).rows, progress))
        pooled = measured.pooled
        cases = [_case(one) for one in measured.answers]
        return Measured(
            tuple(cases),
            (
                Figure(
                    name="false_supported",
                    about="of the claims not borne out, those certified",
                    share=pooled.false_supported,
                    more_is_better=False,
                ),
                Figure(
                    name="supported_recall",
                    about="of the claims borne out, those certified",
                    share=pooled.supported_recall,
                ),
                counted("decided", "of the rows it decided, those decided right", cases),
            ),
        )


def _case(one: Answered) -> Case:
    kind = (TRUE if one.row.label is Label.SUPPORTED else "") + (one.row.kind or UNTOLD)
    if one.said is Label.COULD_NOT_CHECK:
        return Case(one.row.row_id, kind, CaseState.COULD_NOT_CHECK, one.reason)
    state = CaseState.RIGHT if one.right else CaseState.WRONG
    detail = "" if one.right else f"{one.said}: {one.row.claim}"
    return Case(one.row.row_id, kind, state, detail)
