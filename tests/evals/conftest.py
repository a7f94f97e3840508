"""A verifier that answers by a table, and rows for it."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import pytest

from affidavit.evals.floors import Floors
from affidavit.evals.hired import Hired
from affidavit.evals.judge import JudgeEval, Measured, measure
from affidavit.evals.records import DataFile
from affidavit.evals.triples import Triple, Triples
from affidavit.evidence.answer import VerifierCard
from affidavit.evidence.claim import Label, Verdict
from affidavit.models.cast import Cast
from affidavit.models.model import Model
from affidavit.models.roles import Role
from affidavit.models.scripted import ScriptedModel
from affidavit.settings import load_settings
from affidavit.verify.guards import verdict
from affidavit.verify.pair import Pair
from affidavit.verify.verifier import Verifier

S, P, N, X = Label.SUPPORTED, Label.PARTIAL, Label.NOT_SUPPORTED, Label.COULD_NOT_CHECK


@dataclass(frozen=True)
class Table:
    """Answers each claim by `said`, and with `scores` if it has any."""

    said: Mapping[str, Label]
    card: VerifierCard = field(default=VerifierCard(name="table", version="1", calibration=None))

    async def verify(self, pair: Pair) -> Verdict:
        label = self.said[pair.claim_text]
        element = None if label is S else pair.claim_text
        return verdict(pair, "table/1", label, "by the table", element=element)


@dataclass(frozen=True)
class ScoringTable(Table):
    scores: Mapping[str, float] = field(default_factory=dict)

    async def scored(self, pair: Pair) -> tuple[Verdict, float | None]:
        return await self.verify(pair), self.scores.get(pair.claim_text)


def rows(*labels: Label, dataset: str = "one", kinds: tuple[str | None, ...] = ()) -> tuple[Triple, ...]:
    """Rows whose claims are ``0``, ``1``, …"""
    given = kinds or (None,) * len(labels)
    return tuple(
        Triple(dataset=dataset, row_id=str(index), claim=f"{dataset} {index}", span="A span.", label=label, kind=kind)
        for index, (label, kind) in enumerate(zip(labels, given, strict=True))
    )


def triples(found: tuple[Triple, ...]) -> Triples:
    return Triples((DataFile("rows.jsonl", "0" * 64, len(found)),), found)


@pytest.fixture
def done() -> Callable[..., JudgeEval]:
    """Makes a finished eval of ``(dataset, kind, label, said, score)`` rows."""

    def make(
        *given: tuple[str, str | None, Label, Label, float | None], floors: Floors | None = None, claim: str = "claim"
    ) -> JudgeEval:
        found = tuple(
            Triple(dataset=dataset, row_id=str(index), claim=f"{claim} {index}", span="A span.", label=label, kind=kind)
            for index, (dataset, kind, label, _, _) in enumerate(given)
        )
        verifier = ScoringTable(
            said={row.claim: said for row, (_, _, _, said, _) in zip(found, given, strict=True)},
            scores={row.claim: score for row, (*_, score) in zip(found, given, strict=True) if score is not None},
        )
        measured = run(verifier, found)
        held = (floors or Floors()).held_against(measured.pooled)
        return JudgeEval(
            run_id="run_1",
            measured_at="2026-03-01T12:00:00Z",
            data=triples(found),
            measured=measured,
            against=None,
            floors=held,
        )

    return make


def run(verifier: Verifier, found: tuple[Triple, ...]) -> Measured:
    return asyncio.run(measure(verifier, found))


class Named(Hired):
    """A judge of the test's own."""

    def __init__(self, script: ScriptedModel) -> None:
        super().__init__(load_settings(), {Role.JUDGE: script.name})
        self._script = script

    def cast(self) -> Cast:
        cast, script = super().cast(), self._script

        class Playing(Cast):
            def of(self, role: Role) -> Model:
                return cast.around(script, role)

        return Playing(load_settings().models)
