"""The boundary around any writer (contract W12): a support answer, a report, a sales mail.

The callable that is guarded is not known here: a model, a template, a person at a keyboard. What it gives back is held
to the boundary, may be revised once, and is handed out only if nothing blocks.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import wraps
from typing import ParamSpec

from affidavit.errors import IntegrityError
from affidavit.evidence.piece import Issue
from affidavit.write.boundary import Boundary, blocking

P = ParamSpec("P")
Revise = Callable[[str, tuple[Issue, ...]], str]
"""Takes a draft and what was found in it, and gives the draft that takes its place."""
ReviseLater = Callable[[str, tuple[Issue, ...]], Awaitable[str]]
"""The same, to be awaited."""


@dataclass(frozen=True, slots=True)
class Guarded:
    """`text` is the last draft where it may be handed out, else None. `drafts` are all there were, one or two; `issues`
    are those of the last."""

    text: str | None
    issues: tuple[Issue, ...]
    drafts: tuple[str, ...]

    def __post_init__(self) -> None:
        if self.text is not None and (self.text != self.drafts[-1] or blocking(self.issues)):
            raise IntegrityError("a draft that did not pass the boundary would be handed out")

    @property
    def reasons(self) -> tuple[Issue, ...]:
        """What blocked it, the first three."""
        return blocking(self.issues)[:3]


def guard(writer: Callable[P, str], boundary: Boundary, *, revise: Revise | None = None) -> Callable[P, Guarded]:
    """`writer`, what it writes held to `boundary`.

    The result is called as `writer` is, and gives a `Guarded` where that gave a text. A draft in which something blocks
    (a figure without a source, a figure that was rejected) is not handed out; with `revise` it is revised once, and
    what comes of that is checked again. What `writer` and `revise` raise goes to the caller. No model is asked here,
    and no network; nothing is recorded.
    """

    @wraps(writer)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> Guarded:
        draft = writer(*args, **kwargs)
        issues = boundary.check(draft)
        if not blocking(issues) or revise is None:
            return _guarded((draft,), issues)
        again = revise(draft, issues)
        return _guarded((draft, again), boundary.check(again))

    return guarded


def aguard(
    writer: Callable[P, Awaitable[str]], boundary: Boundary, *, revise: ReviseLater | None = None
) -> Callable[P, Awaitable[Guarded]]:
    """`guard` for a writer that is awaited, and a `revise` that is."""

    @wraps(writer)
    async def guarded(*args: P.args, **kwargs: P.kwargs) -> Guarded:
        draft = await writer(*args, **kwargs)
        issues = boundary.check(draft)
        if not blocking(issues) or revise is None:
            return _guarded((draft,), issues)
        again = await revise(draft, issues)
        return _guarded((draft, again), boundary.check(again))

    return guarded


def _guarded(drafts: tuple[str, ...], issues: tuple[Issue, ...]) -> Guarded:
    clean = not blocking(issues) and bool(drafts[-1].strip())
    return Guarded(drafts[-1] if clean else None, issues, drafts)
