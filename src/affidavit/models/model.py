"""A language model as everybody else sees it: one request in, one reply out. No type of any library gets past here."""

from typing import Protocol

from affidavit.models.reply import ModelReply
from affidavit.models.request import ModelRequest


class Model(Protocol):
    """Asked one request at a time, or many at once; each stands by itself."""

    @property
    def name(self) -> str:
        """Which model this is, as the settings write it: ``provider:name``."""
        ...

    async def complete(self, request: ModelRequest) -> ModelReply:
        """The reply. Raises ModelFailure where there is none, and nothing else but what cancelling raises."""
        ...
