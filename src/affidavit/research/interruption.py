"""What the first Ctrl-C does: it ends the gathering, and the answer is made of what was gathered."""

import asyncio
from collections.abc import Awaitable


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
