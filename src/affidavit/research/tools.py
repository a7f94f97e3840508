"""What a run may use, handed to it by whoever builds it. It opens nothing itself."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from affidavit.errors import SearchFailure
from affidavit.evidence.document import Document, Fetched
from affidavit.ranking.hit import Hit
from affidavit.ranking.policy import Policy
from affidavit.verify.verifier import Verifier

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Search(Protocol):
    @property
    def name(self) -> str: ...

    async def search(self, query: str, recency_days: int | None = None, limit: int = 10) -> list[Hit]: ...


class Web(Protocol):
    def saw(self, url: str, how: str) -> None: ...

    async def fetch(self, url: str) -> Fetched: ...


class Log(Protocol):
    @property
    def run_id(self) -> str: ...

    def record(self, event_type: str, payload: Mapping[str, object]) -> int: ...


class Encoder(Protocol):
    """Texts to vectors of unit length, one row a text: their dot product is their cosine."""

    def encode(self, texts: Sequence[str]) -> "NDArray[np.float32]": ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """`extract` turns a response into a Document in a process that can be killed (raises PageFailure). `keep`
    stores raw bytes by their sha256. `progress` gets a phase and a short detail for a person. `notes` are what a
    reader should know of the pages before anything was asked; they become the answer's warnings. `missed` gives, once
    each, the failures that cost a search a part of its results. `recency_days` bounds how old a page found may be.

    `clock` (seconds, monotonic), `deadline` (how long to wait for a page) and `late_from` (`Meter`) are time, as far as
    it decides anything: a run that is derived again has the time of the one that was recorded. `cut_short` is whether
    that one was cancelled while it landed, which nothing else in its record tells."""

    searches: Sequence[Search]
    web: Web
    extract: Callable[[Fetched], Awaitable[Document]]
    verifier: Verifier
    encoder: Encoder
    policy: Policy
    log: Log
    keep: Callable[[bytes], str]
    now: Callable[[], datetime]
    progress: Callable[[str, str], None]
    notes: Sequence[str] = ()
    missed: Callable[[], Sequence[SearchFailure]] = tuple
    recency_days: int | None = None
    clock: Callable[[], float] = time.monotonic
    deadline: Callable[[float], AbstractAsyncContextManager[object]] = asyncio.timeout
    late_from: int | None = None
    cut_short: bool = False
