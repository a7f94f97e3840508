"""A piece as JSON (J3), plain dicts and lists shaped as `piece_schema.PieceJson`, and a piece read back from it."""

from collections.abc import Mapping
from typing import Any, cast

from affidavit.errors import IntegrityError
from affidavit.evidence.piece import Issue, Origin, PackNote, Piece, PieceState, Review, Round
from affidavit.report.piece_schema import IssueJson, PackJson, PieceJson, ReviewJson, RoundJson, UseJson

REASONS = 3
"""How many of what blocks a withheld piece says at once."""


def piece_json(piece: Piece) -> PieceJson:
    """`piece` ready for `json.dumps`."""
    withheld = piece.state is PieceState.NEEDS_ATTENTION
    return {
        "schema_version": "1.0",
        "run_id": piece.run_id,
        "kind": "piece",
        "state": piece.state.value,
        "customer": piece.customer,
        "title": piece.title,
        "notes": piece.notes,
        "text": piece.text,
        "reasons": [_issue(issue) for issue in piece.blocking()[:REASONS]] if withheld else [],
        "reason": piece.reason,
        "rounds": [_round(number, one) for number, one in enumerate(piece.rounds, 1)],
        "used": list(piece.used),
        "writer": piece.writer,
        "reviewer": piece.reviewer,
        "prompt_sha256": piece.prompt_sha256,
        "pack": None if piece.pack is None else _pack(piece.pack),
        "warnings": list(piece.warnings),
        "cost": None if piece.cost is None else {role: cast("UseJson", dict(use)) for role, use in piece.cost.items()},
    }


def _round(number: int, one: Round) -> RoundJson:
    return {
        "number": number,
        "draft": one.draft,
        "findings": [_issue(issue) for issue in one.findings],
        "review": None if one.review is None else _review(one.review),
    }


def _review(review: Review) -> ReviewJson:
    return {
        "passed": review.passed,
        "summary": review.summary,
        "issues": [_issue(issue) for issue in review.issues],
        "failure": review.failure,
    }


def _issue(issue: Issue) -> IssueJson:
    return {
        "code": issue.code,
        "message": issue.message,
        "sentence": issue.sentence,
        "severity": "block" if issue.blocks else "warn",
        "origin": issue.origin.value,
        "start": issue.start,
        "end": issue.end,
    }


def _pack(note: PackNote) -> PackJson:
    return {
        "sha256": note.sha256,
        "tokens": note.tokens,
        "budget": note.budget,
        "tokenizer": note.tokenizer,
        "facts": list(note.facts),
        "recalled": list(note.recalled),
        "cuts": [{"part": part, "text": text} for part, text in note.cuts],
    }


def read_piece(said: Mapping[str, Any]) -> Piece:
    """The piece that `piece_json` wrote. Raises IntegrityError for anything else, a draft that did not pass shown as
    the text among it."""
    if said.get("kind") != "piece" or said.get("schema_version") != "1.0":
        raise IntegrityError(f"not a piece of version 1.0: {said.get('kind')} {said.get('schema_version')}")
    try:
        return Piece(
            run_id=said["run_id"],
            customer=said["customer"],
            title=said["title"],
            notes=said["notes"],
            state=PieceState(said["state"]),
            rounds=tuple(map(_read_round, said["rounds"])),
            text=said["text"],
            reason=said["reason"],
            used=tuple(said["used"]),
            reviewer=said["reviewer"],
            writer=said["writer"],
            prompt_sha256=said["prompt_sha256"],
            pack=None if said["pack"] is None else _read_pack(said["pack"]),
            warnings=tuple(said["warnings"]),
            cost=said["cost"],
        )
    except (KeyError, TypeError, ValueError) as error:
        raise IntegrityError(f"{said.get('run_id')}: its piece is not as this version writes one: {error}") from error


def _read_round(said: Mapping[str, Any]) -> Round:
    review = said["review"]
    return Round(
        draft=said["draft"],
        findings=tuple(map(_read_issue, said["findings"])),
        review=None
        if review is None
        else Review(
            passed=review["passed"],
            summary=review["summary"],
            issues=tuple(map(_read_issue, review["issues"])),
            failure=review["failure"],
        ),
    )


def _read_issue(said: Mapping[str, Any]) -> Issue:
    return Issue(
        code=said["code"],
        message=said["message"],
        sentence=said["sentence"],
        blocks=said["severity"] == "block",
        origin=Origin(said["origin"]),
        start=said["start"],
        end=said["end"],
    )


def _read_pack(said: Mapping[str, Any]) -> PackNote:
    return PackNote(
        sha256=said["sha256"],
        tokens=said["tokens"],
        budget=said["budget"],
        tokenizer=said["tokenizer"],
        facts=tuple(said["facts"]),
        recalled=tuple(said["recalled"]),
        cuts=tuple((cut["part"], cut["text"]) for cut in said["cuts"]),
    )
