"""The suites, one file each. A new one is a class with the four names and `measure`, and an entry here."""

from collections.abc import Mapping
from types import MappingProxyType

from affidavit.evals.hired import Hired
from affidavit.evals.suite import Suite
from affidavit.evals.suites.check import CheckSuite
from affidavit.evals.suites.drafts import DraftsSuite
from affidavit.evals.suites.egress import EgressSuite
from affidavit.evals.suites.golden import GoldenSuite
from affidavit.evals.suites.injection import InjectionSuite
from affidavit.evals.suites.judge import JudgeSuite
from affidavit.evals.suites.numbers import NumbersSuite
from affidavit.evals.suites.questions import GroundingSuite, Questions, RetrievalSuite
from affidavit.evals.suites.spans import SpansSuite
from affidavit.evals.suites.tools import ToolsSuite
from affidavit.evals.suites.usefulness import UsefulnessSuite
from affidavit.evals.suites.writing import WritingSuite
from affidavit.evals.triples import LABELLED, NEAR_MISSES
from affidavit.models.roles import Role

ROLES: Mapping[str, tuple[Role, ...]] = MappingProxyType(
    {suite.name: suite.roles for suite in (WritingSuite, GoldenSuite, UsefulnessSuite)}
)
"""The suites that a model may play in, and as what. None does unless it is named."""

QUICK = ("spans", "numbers", "egress", "writing", "check", "judge", "labelled")
"""The suites that together take less than a minute on two cores."""


def suites(hired: Hired | None = None) -> Mapping[str, Suite]:
    """By name, in the order in which they are run: the quick ones first. Made anew for each run, within which
    `retrieval`, `grounding` and `usefulness` ask each question once. `hired` are the models named for them."""
    questions = Questions()
    made = (
        SpansSuite(),
        NumbersSuite(),
        EgressSuite(),
        WritingSuite(hired),
        CheckSuite(),
        DraftsSuite(),
        JudgeSuite("judge", "the embedded verifier on claims beside their spans, one edit each", NEAR_MISSES),
        JudgeSuite("labelled", "the embedded verifier on claims worded and labelled by hand", LABELLED),
        ToolsSuite(),
        GoldenSuite(hired),
        RetrievalSuite(questions),
        GroundingSuite(questions),
        UsefulnessSuite(questions, hired),
        InjectionSuite(),
    )
    return MappingProxyType({suite.name: suite for suite in made})
