"""Redirects, followed by hand: for pages and for robots.txt alike, each step judged before it is taken.

The libraries below follow none. A step is refused if it is no address, if it was taken before, if it is one too many,
if it leaves https for http, or if whoever watches the fetch does not permit it; a refusal is recorded as the request
that was not made.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol, TypeVar

from affidavit.egress.provenance import same_page
from affidavit.egress.reason import Reason
from affidavit.egress.target import Target, resolve
from affidavit.egress.web import Hop, Watch


class RedirectRefused(Exception):
    """A redirect to `where` that is not followed. Who fetches says what that means for the fetch."""

    def __init__(self, where: str, reason: Reason) -> None:
        super().__init__(f"redirects to {where[:300]}: {reason.value}")
        self.where = where
        self.reason = reason


class _Response(Protocol):
    @property
    def location(self) -> str | None:
        """Where it redirects to, as it is written; None if it does not."""
        ...


_Answer = TypeVar("_Answer", bound=_Response)


def _anywhere(_: Target) -> Reason | None:
    return None


async def follow(
    start: Target,
    ask: Callable[[Target], Awaitable[_Answer]],
    watch: Watch,
    *,
    most: int,
    purpose: str = "page",
    refuse: Callable[[Target], Reason | None] = _anywhere,
) -> _Answer:
    """The first answer of `ask` on the way from `start` that is no redirect, after at most `most` of them.

    `refuse` says why a target may not be asked for that may otherwise. Raises RedirectRefused, and what `ask` raises.
    """
    path = [start]
    while True:
        answer = await ask(path[-1])
        if answer.location is None:
            return answer
        target = resolve(path[-1], answer.location)
        if isinstance(target, Reason):
            raise _refused(answer.location, target, watch, purpose)
        reason = _refusal(path, target, watch, most, refuse)
        if reason is not None:
            raise _refused(target.url, reason, watch, purpose)
        path.append(target)


def _refused(where: str, reason: Reason, watch: Watch, purpose: str) -> RedirectRefused:
    watch.record(Hop(url=where, allowed=False, reason=reason.value, purpose=purpose))
    return RedirectRefused(where, reason)


def _refusal(
    path: Sequence[Target], target: Target, watch: Watch, most: int, refuse: Callable[[Target], Reason | None]
) -> Reason | None:
    if path[-1].scheme == "https" and target.scheme == "http":
        return Reason.DOWNGRADE
    if any(same_page(target, before) for before in path):
        return Reason.REDIRECT_LOOP
    if len(path) > most:
        return Reason.REDIRECT_LIMIT
    return refuse(target) or watch.permit(target)
