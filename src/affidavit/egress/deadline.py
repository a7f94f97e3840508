"""The total time of one fetch. Time-outs of single reads never stop a server that sends a byte a second; this does."""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from types import TracebackType


class Deadline:
    """An asynchronous context that ends in TimeoutError once `seconds` have passed, not counting `paused` time."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    async def __aenter__(self) -> "Deadline":
        self._timeout = asyncio.timeout(self._seconds)
        await self._timeout.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        return await self._timeout.__aexit__(kind, error, trace)

    @property
    def left(self) -> float:
        """Seconds until the end."""
        at = self._timeout.when()
        return self._seconds if at is None else at - asyncio.get_running_loop().time()

    @property
    def expired(self) -> bool:
        """Whether a cancellation that is under way comes from here."""
        return self._timeout.expired()

    @contextmanager
    def paused(self) -> Generator[None]:
        left = self.left
        self._timeout.reschedule(None)
        try:
            yield
        finally:
            if not self._timeout.expired():
                self._timeout.reschedule(asyncio.get_running_loop().time() + left)
