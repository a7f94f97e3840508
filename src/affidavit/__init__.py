"""Affidavit: every sentence sworn to by its source.

`ask` answers from pages and `check` holds a draft against its sources; what they return, an `Answer` and a `Check`, are
evidence values. `resume` goes on with a run that was interrupted, `replay` derives its result again. `write` gives a
`Piece` that asserts nothing outside a customer's facts, and `guard` puts the same boundary around any writer. What
blocks has a twin to be awaited: `aask`, `acheck`, `aresume`, `areplay`, `awrite`. Importing this is quick: what a name
stands for is loaded when it is first used.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from affidavit.version import __version__

if TYPE_CHECKING:
    from affidavit.evidence.answer import Answer, Conflict, Gap, GapKind, State, VerifiedClaim
    from affidavit.evidence.check import Check, CheckedSentence, SentenceKind, SentenceState
    from affidavit.evidence.claim import Claim, Label, Stance, Verdict
    from affidavit.evidence.document import Document
    from affidavit.evidence.piece import Issue, Piece, PieceState
    from affidavit.evidence.span import Span
    from affidavit.public import aask, acheck, areplay, aresume, ask, awrite, check, replay, resume, write
    from affidavit.report.replay_report import ReplayReport
    from affidavit.write.boundary import Boundary
    from affidavit.write.guard import Guarded, aguard, guard

_HOMES = {
    "ask": "affidavit.public",
    "check": "affidavit.public",
    "resume": "affidavit.public",
    "replay": "affidavit.public",
    "aask": "affidavit.public",
    "acheck": "affidavit.public",
    "aresume": "affidavit.public",
    "areplay": "affidavit.public",
    "write": "affidavit.public",
    "awrite": "affidavit.public",
    "guard": "affidavit.write.guard",
    "aguard": "affidavit.write.guard",
    "Guarded": "affidavit.write.guard",
    "Boundary": "affidavit.write.boundary",
    "Piece": "affidavit.evidence.piece",
    "PieceState": "affidavit.evidence.piece",
    "Issue": "affidavit.evidence.piece",
    "ReplayReport": "affidavit.report.replay_report",
    "Answer": "affidavit.evidence.answer",
    "Conflict": "affidavit.evidence.answer",
    "Gap": "affidavit.evidence.answer",
    "GapKind": "affidavit.evidence.answer",
    "State": "affidavit.evidence.answer",
    "VerifiedClaim": "affidavit.evidence.answer",
    "Check": "affidavit.evidence.check",
    "CheckedSentence": "affidavit.evidence.check",
    "SentenceKind": "affidavit.evidence.check",
    "SentenceState": "affidavit.evidence.check",
    "Claim": "affidavit.evidence.claim",
    "Label": "affidavit.evidence.claim",
    "Stance": "affidavit.evidence.claim",
    "Verdict": "affidavit.evidence.claim",
    "Document": "affidavit.evidence.document",
    "Span": "affidavit.evidence.span",
}

__all__ = [
    "Answer",
    "Boundary",
    "Check",
    "CheckedSentence",
    "Claim",
    "Conflict",
    "Document",
    "Gap",
    "GapKind",
    "Guarded",
    "Issue",
    "Label",
    "Piece",
    "PieceState",
    "ReplayReport",
    "SentenceKind",
    "SentenceState",
    "Span",
    "Stance",
    "State",
    "Verdict",
    "VerifiedClaim",
    "__version__",
    "aask",
    "acheck",
    "aguard",
    "areplay",
    "aresume",
    "ask",
    "awrite",
    "check",
    "guard",
    "replay",
    "resume",
    "write",
]


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'affidavit' has no attribute {name!r}")
    return getattr(import_module(home), name)


class _Package(ModuleType):
    """Keeps a public name what it is. Loading the room `affidavit.check` sets `check` on the package, and every later
    ``affidavit.check(…)`` would call a module."""

    def __setattr__(self, name: str, value: object) -> None:
        if name not in _HOMES or not isinstance(value, ModuleType):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
