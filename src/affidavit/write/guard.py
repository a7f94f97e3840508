"""The boundary around any writer (contract W12): a support answer, a report, a sales mail.

The callable that is guarded is not known here: a model, a template, a person at a keyboard. What it gives back is held
to the boundary, may be revised once, and is handed out only if nothing blocks.
"""

from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from functools import wraps
from inspect import isawaitable
from typing import ParamSpec

from affidavit.errors import IntegrityError
from affidavit.evidence.piece import Issue, Origin
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
    (a figure without a source, a figure that was rejected, no words at all) is not handed out; with `revise` it is
    revised once, and what comes of that is checked again. What `writer` and `revise` raise goes to the caller; what
    they give must be a str, else TypeError. No model is asked here, and no network; nothing is recorded.
    """
    _usable("guard", writer, boundary)

    @wraps(writer)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> Guarded:
        draft = _draft("the writer", writer(*args, **kwargs))
        issues = _issues(draft, boundary)
        if not blocking(issues) or revise is None:
            return _guarded((draft,), issues)
        again = _draft("revise", revise(draft, issues))
        return _guarded((draft, again), _issues(again, boundary))

    return guarded


def aguard(
    writer: Callable[P, Awaitable[str]], boundary: Boundary, *, revise: ReviseLater | None = None
) -> Callable[P, Awaitable[Guarded]]:
    """`guard` for a writer that is awaited, and a `revise` that is."""
    _usable("aguard", writer, boundary)

    @wraps(writer)
    async def guarded(*args: P.args, **kwargs: P.kwargs) -> Guarded:
        draft = _draft("the writer", await _awaited("the writer", writer(*args, **kwargs)))
        issues = _issues(draft, boundary)
        if not blocking(issues) or revise is None:
            return _guarded((draft,), issues)
        again = _draft("revise", await _awaited("revise", revise(draft, issues)))
        return _guarded((draft, again), _issues(again, boundary))

    return guarded


def _usable(name: str, writer: object, boundary: object) -> None:
    if not callable(writer):
        raise TypeError(f"{name}(writer, boundary): the writer is called for a text, and {writer!r:.60} cannot be")
    if not isinstance(boundary, Boundary):
        raise TypeError(
            f"{name}(writer, boundary) takes a Boundary, as Boundary.of_texts(policy) makes one, and no "
            f"{type(boundary).__name__}"
        )


def _draft(who: str, given: object) -> str:
    if isinstance(given, str):
        return given
    if isinstance(given, Coroutine):
        given.close()  # or Python warns that nobody awaited it
    if isawaitable(given):
        raise TypeError(f"{who} is to be awaited: guard it with aguard(writer, boundary)")
    raise TypeError(f"{who} must return the text as a str, and returned {given!r:.60} ({type(given).__name__})")


def _awaited(who: str, given: object) -> Awaitable[object]:
    if isawaitable(given):
        return given
    raise TypeError(f"{who} is not to be awaited (it gave {type(given).__name__}): aguard is for async functions")


def _issues(draft: str, boundary: Boundary) -> tuple[Issue, ...]:
    if draft.strip():
        return boundary.check(draft)
    return (
        Issue(code="empty_draft", message="The draft has no words.", sentence="", blocks=True, origin=Origin.CHECK),
    )


def _guarded(drafts: tuple[str, ...], issues: tuple[Issue, ...]) -> Guarded:
    return Guarded(None if blocking(issues) else drafts[-1], issues, drafts)
