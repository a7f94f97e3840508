"""Draft, checks, review, at most one rewrite (contract W10).

    pack ─ draft ─ checks ─ review ─┬─ nothing blocks: handed out
                                    └─ something blocks: one rewrite with every issue ─ checks ─ review ─ out or held

Two rounds at most: an unbounded loop makes an expensive bad piece of a bad brief. Each step is an event of its own in
the log that is passed in, written when it happened, so a caller that fails, or is stopped, takes nothing with it.
Nothing here reads a clock or a random number: from the same commission and the same replies follows the same piece.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from affidavit.errors import ModelFailure, ModelFailureKind
from affidavit.evidence.piece import Issue, Origin, PackNote, Piece, PieceState, Round
from affidavit.models.context import READ_AGAIN, text_tokens
from affidavit.models.reply import ModelReply
from affidavit.write.author import Author, Written, prompt_sha256
from affidavit.write.boundary import Boundary, blocking
from affidavit.write.commission import Commission
from affidavit.write.pack import Pack, make_pack
from affidavit.write.reviewer import Reviewer
from affidavit.write.used import used_facts

PACK, DRAFT, ROUND = "pack", "draft", "round"
"""The events of this loop: what the writer is given, each draft as soon as it is there, each round when it is over."""


class Log(Protocol):
    """Where what happens is recorded; on return it is on the disk."""

    @property
    def run_id(self) -> str: ...

    def record(self, event_type: str, payload: Mapping[str, object]) -> int: ...


class Counter(Protocol):
    """Says how many tokens a text is, and by which tokenizer."""

    @property
    def name(self) -> str: ...

    def count(self, text: str) -> int: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """Who works on a piece. `author` None: the commission brings a person's draft. `reviewer` None: nobody reviews."""

    log: Log
    counter: Counter
    author: Author | None = None
    reviewer: Reviewer | None = None
    progress: Callable[[str, str], None] = lambda _phase, _detail: None


async def write_piece(commission: Commission, desk: Desk) -> Piece:
    """The piece, or none and the reasons. Raises ValueError where nobody is there to write it; a model that fails is a
    state of the piece."""
    if (commission.draft is None) == (desk.author is None):
        raise ValueError("a commission is written by an author, or brings its draft, and not both")
    pack, most = packed(commission, desk)
    work = _Work(commission, desk, pack, most, commission.boundary())
    desk.log.record(PACK, {"text": pack.text, "note": work.note})
    try:
        return await _rounds(work)
    except ModelFailure as failure:
        return work.piece(PieceState.FAILED, reason=str(failure))


def packed(commission: Commission, desk: Desk) -> tuple[Pack, int | None]:
    """What the writer of `commission` is given, and how many tokens its draft may have beside it; None for any."""
    pack = make_pack(
        commission.assignment,
        commission.profile,
        facts=commission.facts,
        excluded=commission.excluded,
        memory=commission.memory,
        sources=commission.sources,
        count=desk.counter.count,
        budget=commission.budget,
        fits=lambda text: _fits(text, commission, desk),
    )
    return pack, _most(pack.text, commission, desk)


def _most(pack: str, commission: Commission, desk: Desk) -> int | None:
    """The tokens of the longest draft that, beside a pack of that text, the writer can be asked for again and the
    reviewer can read; None for any."""
    asked = (
        one.longest(commission.assignment, commission.profile, pack) for one in (desk.author, desk.reviewer) if one
    )
    return min((most for most in asked if most is not None), default=None)


def _fits(pack: str, commission: Commission, desk: Desk) -> bool:
    """Whether a pack of that text leaves room for the piece."""
    draft, most = commission.draft, _most(pack, commission, desk)
    return most is None or most >= (commission.assignment.tokens if draft is None else text_tokens(draft) / READ_AGAIN)


async def _rounds(work: "_Work") -> Piece:
    commission, desk = work.commission, work.desk
    if desk.author is None:
        assert commission.draft is not None
        return work.ended(await _judged(work, commission.draft, None))
    assignment, profile = commission.assignment, commission.profile
    desk.progress("write", "first draft")
    first = await _judged(work, *_of(await desk.author.draft(assignment, profile, work.pack, most=work.most)))
    if not blocking(first.issues):
        return work.ended(first)
    desk.progress("write", f"rewrite, for {len(first.issues)} issues")
    try:
        written = await desk.author.revise(assignment, profile, work.pack, first.draft, first.issues, most=work.most)
    except ModelFailure as failure:
        if failure.kind is not ModelFailureKind.CONTEXT_LENGTH:
            raise
        work.warned.append(f"the draft was not written anew: {failure}")
        return work.ended(first)
    return work.ended(await _judged(work, *_of(written)))


def _of(written: Written) -> tuple[str, Written]:
    return written.draft, written


async def _judged(work: "_Work", draft: str, written: Written | None) -> Round:
    """One round: the draft recorded, checked, reviewed, and the round recorded."""
    number = len(work.rounds) + 1
    desk, commission = work.desk, work.commission
    desk.log.record(DRAFT, {"number": number, "text": draft})
    findings = (*_unfinished(draft, written), *work.boundary.check(draft))
    review, reply = None, None
    if desk.reviewer is not None and draft.strip():
        desk.progress("review", f"round {number}")
        reviewed = await desk.reviewer.review(
            commission.assignment, commission.profile, work.pack.text, findings, draft, number=number
        )
        review, reply = reviewed.review, reviewed.reply
    found = Round(draft=draft, findings=findings, review=review)
    work.rounds.append(found)
    used = {"writer": _usage(None if written is None else written.reply), "reviewer": _usage(reply)}
    desk.log.record(ROUND, {"number": number, "findings": findings, "review": review, "used": used})
    return found


def _unfinished(draft: str, written: Written | None) -> Sequence[Issue]:
    if not draft.strip():
        return (_issue("empty_draft", "the draft has no words", ""),)
    if written is not None and written.cut_off:
        end = " ".join(draft.split()[-12:])
        return (_issue("cut_off", "the draft ends where the writer ran out of tokens: write it shorter", end),)
    return ()


def _issue(code: str, message: str, sentence: str) -> Issue:
    return Issue(code=code, message=message, sentence=sentence, blocks=True, origin=Origin.CHECK)


def _usage(reply: ModelReply | None) -> Mapping[str, object] | None:
    """Tokens and seconds of one call, as its provider counted them."""
    if reply is None:
        return None
    usage = reply.usage
    return {
        "model": reply.model,
        "input": None if usage is None else usage.input,
        "output": None if usage is None else usage.output,
        "seconds": reply.latency,
    }


@dataclass(slots=True)
class _Work:
    """One piece under way."""

    commission: Commission
    desk: Desk
    pack: Pack
    most: int | None
    boundary: Boundary
    rounds: list[Round] = field(default_factory=list[Round])
    warned: list[str] = field(default_factory=list[str])

    @property
    def note(self) -> PackNote:
        return PackNote(
            sha256=hashlib.sha256(self.pack.text.encode("utf-8", "surrogatepass")).hexdigest(),
            tokens=self.pack.tokens,
            budget=self.commission.budget,
            tokenizer=self.desk.counter.name,
            facts=tuple(fact.fact_id for fact in self.pack.facts),
            recalled=tuple(piece.memory_id for piece in self.pack.recalled),
            cuts=tuple((cut.part.value, cut.text) for cut in self.pack.cuts),
        )

    def ended(self, last: Round) -> Piece:
        """The piece whose last round that is."""
        if last.review is not None and last.review.failure is not None:
            return self.piece(PieceState.NEEDS_ATTENTION, reason=f"the reviewer gave no verdict: {last.review.failure}")
        if not last.clean:
            return self.piece(PieceState.NEEDS_ATTENTION)
        return self.piece(PieceState.ACCEPTED_WITH_WARNINGS if last.issues else PieceState.ACCEPTED, text=last.draft)

    def piece(self, state: PieceState, *, text: str | None = None, reason: str | None = None) -> Piece:
        commission, author, reviewer = self.commission, self.desk.author, self.desk.reviewer
        return Piece(
            run_id=self.desk.log.run_id,
            customer=commission.customer,
            title=commission.assignment.title,
            notes=commission.assignment.notes,
            state=state,
            rounds=tuple(self.rounds),
            text=text,
            reason=reason,
            used=() if text is None else used_facts(text, commission.facts),
            reviewer=None if reviewer is None else reviewer.name,
            writer=None if author is None else author.name,
            prompt_sha256=None if author is None else prompt_sha256(author.prompt),
            pack=self.note,
            warnings=tuple(self._warnings()),
        )

    def _warnings(self) -> Sequence[str]:
        """What a reader of the piece should know that is no issue of its text."""
        said = list(self.warned)
        if self.desk.reviewer is None:
            said.append("nobody reviewed this draft: it was held against the facts by the checks alone")
        elif self.desk.author is not None and self.desk.author.name == self.desk.reviewer.name:
            said.append(f"{self.desk.author.name} reviewed what it wrote itself")
        if not self.commission.facts:
            said.append("no approved fact was there to be used")
        if self.pack.tokens > self.commission.budget:
            said.append(
                f"the pack has {self.pack.tokens} tokens, {self.commission.budget} were meant: facts are not cut"
            )
        return said
