"""What the first Ctrl-C does: it ends the gathering, and no landing. The answer is made of what was gathered."""

import asyncio
from collections.abc import Awaitable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


async def interrupted(work: Awaitable[None]) -> bool:
    """Whether `work` was cancelled before its end. `asyncio.run` cancels for the first Ctrl-C."""
    try:
        await work
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if task is not None:
            task.uncancel()
        return True
    return False


async def carried_through(work: Coroutine[Any, Any, T], *, stopped: bool) -> tuple[T, bool]:
    """What `work`, the landing, gives, and whether it was cancelled on the way. The first cancellation of a run does
    not end it: without it there is no answer. `stopped` is whether the run had its first; the next ends `work` too."""
    if stopped:
        return await work, False
    landing = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(landing), False
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if landing.cancelled() or task is None:
            raise
        task.uncancel()
    return await landing, True
