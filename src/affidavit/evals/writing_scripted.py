"""Scripts that stand in where no model was named: a writer that falls into every trap, reviewers, and judges.

They measure what code does around a model, whatever the model does: that the checks and the loop hold what a careless
writer hands in, and that a blind comparison cannot be won by where a text stands. They say nothing about how well
anybody writes, and every figure they give is named as theirs.
"""

import json
import re
from collections.abc import Callable, Sequence

from affidavit.errors import ModelFailure, ModelFailureKind
from affidavit.evals.pairwise import Pair
from affidavit.evidence.envelope import neutralise, unescape
from affidavit.models.model import Model
from affidavit.models.reply import ModelReply
from affidavit.models.request import ModelRequest, message_json
from affidavit.models.scripted import ScriptedModel, said
from affidavit.models.structured import Structured

WRITER, REVIEWER, JUDGE = "scripted:careless-writer", "scripted:reviewer", "scripted:judge"
_FINDING = re.compile(r'^\[(\w+)\] (.*) — in: "(.*)"$', re.MULTILINE)
_FINDINGS = re.compile(r"<findings [^>]*>\n(.*)\n</findings ", re.DOTALL)
_TEXTS = tuple(re.compile(rf"<{tag} [^>]*>\n(.*)\n</{tag} ", re.DOTALL) for tag in ("text_a", "text_b"))


def writer(draft: str, rewrite: str) -> Model:
    """Hands in `draft`, whatever it is given, and `rewrite` when it is told to mend it."""

    def write(request: ModelRequest) -> ModelReply:
        return said(draft if request.key == "write/1" else rewrite)

    return Structured(ScriptedModel([write] * _ENOUGH, name=WRITER))


def strict_reviewer(codes: frozenset[str]) -> Model:
    """Blocks every finding of `codes` that it is shown, and nothing else. Whether it is shown them is the loop's."""

    def review(request: ModelRequest) -> ModelReply:
        shown = _FINDINGS.search(_user(request))
        found = _FINDING.findall(unescape(shown[1])) if shown else []
        issues = [
            {"code": "unsupported_claim", "severity": "block", "sentence": sentence, "reason": message}
            for code, message, sentence in found
            if code in codes
        ]
        return said(json.dumps({"issues": issues, "summary": "", "passed": not issues}))

    return Structured(ScriptedModel([review] * _ENOUGH, name=REVIEWER))


def passing_reviewer() -> Model:
    """Passes everything: what is held then is held by the checks alone."""
    return strict_reviewer(frozenset())


def absent_reviewer() -> Model:
    """Gives no verdict."""
    failure = ModelFailure(ModelFailureKind.UNAVAILABLE, REVIEWER, "it is not there, on purpose")
    return Structured(ScriptedModel([failure] * _ENOUGH, name=REVIEWER))


def judge_by_place() -> Model:
    """Prefers whatever stands first."""
    return _judge(lambda _a, _b: "A")


def judge_who_knows(pairs: Sequence[Pair]) -> Model:
    """Prefers the first text of each pair, wherever it stands."""
    better = {neutralise(pair.first).text for pair in pairs}
    return _judge(lambda a, _b: "A" if a in better else "B")


def _judge(choose: Callable[[str, str], str]) -> Model:
    def judge(request: ModelRequest) -> ModelReply:
        user = _user(request)
        a, b = (found[1] if (found := text.search(user)) else "" for text in _TEXTS)
        value = {"faults_a": [], "faults_b": [], "reason": "by script", "better": choose(a, b), "confidence": 100}
        return said(json.dumps(value))

    return Structured(ScriptedModel([judge] * 1000, name=JUDGE))


def _user(request: ModelRequest) -> str:
    return str(message_json(request.messages[0])["text"])


_ENOUGH = 8
"""Calls in a trial at most, all variants together."""
