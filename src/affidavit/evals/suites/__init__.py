"""The suites, one file each. A new one is a class with the four names and `measure`, and an entry here."""

from collections.abc import Mapping
from types import MappingProxyType

from affidavit.evals.suite import Suite
from affidavit.evals.suites.check import CheckSuite
from affidavit.evals.suites.egress import EgressSuite
from affidavit.evals.suites.judge import JudgeSuite
from affidavit.evals.suites.numbers import NumbersSuite
from affidavit.evals.suites.questions import GroundingSuite, Questions, RetrievalSuite
from affidavit.evals.suites.spans import SpansSuite
from affidavit.evals.triples import LABELLED, NEAR_MISSES


def suites() -> Mapping[str, Suite]:
    """By name, in the order in which they are run: the quick ones first. Made anew for each run, within which
    `retrieval` and `grounding` ask each question once."""
    questions = Questions()
    made = (
        SpansSuite(),
        NumbersSuite(),
        EgressSuite(),
        CheckSuite(),
        JudgeSuite("judge", "the embedded verifier on claims beside their spans, one edit each", NEAR_MISSES),
        JudgeSuite("labelled", "the embedded verifier on claims worded and labelled by hand", LABELLED),
        RetrievalSuite(questions),
        GroundingSuite(questions),
    )
    return MappingProxyType({suite.name: suite for suite in made})
