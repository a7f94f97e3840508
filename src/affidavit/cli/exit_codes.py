"""What a command's exit status means; CONTRACTS.md's U, and the sysexits usage code."""

from collections.abc import Iterable, Mapping
from enum import IntEnum
from types import MappingProxyType

from affidavit.evidence.answer import Answer, GapKind, State
from affidavit.evidence.piece import PUBLISHED, Piece, PieceState


class Exit(IntEnum):
    DONE = 0
    FINDINGS = 1
    """Findings, or nothing could be published."""
    COULD_NOT_CHECK = 2
    FAILED = 3
    USAGE = 64
    INTERRUPTED = 130


EXITS: Mapping[State, Exit] = MappingProxyType(
    {
        State.PUBLISHED: Exit.DONE,
        State.PUBLISHED_WITH_GAPS: Exit.DONE,
        State.NEEDS_HUMAN: Exit.DONE,
        State.NOTHING_SOURCED: Exit.FINDINGS,
        State.FAILED: Exit.FAILED,
    }
)
"""What an answer's state makes of the command that asked."""


def exit_of(answer: Answer) -> Exit:
    """What an answer makes of the command that asked: its state, unless it was interrupted on the way."""
    interrupted = any(gap.kind is GapKind.INTERRUPTED for gap in answer.gaps)
    return Exit.INTERRUPTED if interrupted else EXITS[answer.state]


def piece_exit(piece: Piece) -> Exit:
    """What a piece makes of the command that asked. One that nobody could review is not one that failed a review."""
    if piece.state in PUBLISHED:
        return Exit.DONE
    if piece.state is PieceState.FAILED:
        return Exit.FAILED
    return Exit.FINDINGS if piece.blocking() else Exit.COULD_NOT_CHECK


_GRAVEST = (Exit.FAILED, Exit.FINDINGS, Exit.USAGE, Exit.COULD_NOT_CHECK, Exit.DONE)


def gravest(statuses: Iterable[Exit]) -> Exit:
    """The status of a command that did several things."""
    found = set(statuses)
    return next((status for status in _GRAVEST if status in found), Exit.DONE)
