"""A model behind an API, whoever serves it: one request, one try, in our own values.

What speaks to the providers is pydantic-ai, asked for single requests (its loop, its retries and its tools are not
used); none of its types leaves this file and `affidavit.models.wire`. The connection lives as long as calls are under
way, or as long as the model is held: so a verifier that is built where no loop runs leaves no socket behind.
"""

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from affidavit.egress.keys import Keys
from affidavit.errors import ModelFailure, ModelFailureKind
from affidavit.models.client import open_client
from affidavit.models.providers import ModelName, Protocol, check_ready
from affidavit.models.reply import ModelReply
from affidavit.models.request import ModelRequest
from affidavit.models.wire import ask, failure_of, open_sdk, reads_schemas, with_schema_in_words

if TYPE_CHECKING:
    import httpx2
    from pydantic_ai.models import Model as SdkModel

_MAY_LACK_SCHEMAS = (Protocol.OPENAI_CHAT, Protocol.OPENROUTER)
"""Behind these protocols stands any server: whether it takes a schema shows only when it is given one."""

_RUNS_ON = ("\n\n\n\n",)
"""Where a small model on a server of one's own is stopped that has said all and goes on in empty lines until its bound.
In JSON a line break is written otherwise, so no call and no value is cut."""

_NO_SCHEMA = (ModelFailureKind.BAD_REQUEST, ModelFailureKind.UNAVAILABLE)
"""What a server says that cannot take the schema of a call beside its tools: some answer with a status of 500."""

_NEWER = "max_completion_tokens"
"""What a server names that refuses OpenAI's older name for the bound of a reply."""


class HostedModel:
    """Asks `model` with its key of `keys`. Belongs to one event loop at a time."""

    def __init__(self, model: ModelName, keys: Keys, *, user_agent: str, seconds: float) -> None:
        """Raises MissingExtra or UserError where it cannot be asked. `seconds` bounds the wait for any byte."""
        check_ready(model, keys)
        self._model = model
        self._keys = keys
        self._user_agent = user_agent
        self._seconds = seconds
        self._connected: tuple[httpx2.AsyncClient, SdkModel] | None = None
        self._held = False
        self._users = 0
        self._takes_schemas = True
        self._older_bound = True
        self._writes_calls_out = False
        self._takes_held = True

    @property
    def name(self) -> str:
        return str(self._model)

    async def complete(self, request: ModelRequest) -> ModelReply:
        """One try. Raises ModelFailure."""
        older = self._older_bound
        try:
            return await self._asked(request)
        except ModelFailure as failure:
            if not older or failure.kind is not ModelFailureKind.BAD_REQUEST or _NEWER not in failure.detail:
                raise
        self._older_bound = False
        if self._connected is not None:
            client, _ = self._connected
            self._connected = client, self._sdk(client)
        return await self._asked(request)

    async def _asked(self, request: ModelRequest) -> ModelReply:
        structured = request.output is not None or request.tools
        if structured and not request.stop and self._model.provider.speaks is Protocol.OPENAI_CHAT:
            request = replace(request, stop=_RUNS_ON)
        async with self._open() as sdk:
            if request.must_call and self._model.provider.speaks is Protocol.OPENAI_CHAT:
                return await self._called(sdk, request)
            native = request.output is not None and self._takes_schemas and reads_schemas(sdk)
            if request.output is None or native:
                try:
                    return await self._try(sdk, request)
                except ModelFailure as failure:
                    unsure = native and self._model.provider.speaks in _MAY_LACK_SCHEMAS
                    if not unsure or failure.kind is not ModelFailureKind.BAD_REQUEST:
                        raise
            reply = await self._try(sdk, with_schema_in_words(request))
            # Only now is it known that the schema was what the server refused, and not the rest of the request.
            self._takes_schemas = not native
            return reply

    async def _called(self, sdk: "SdkModel", request: ModelRequest) -> ModelReply:
        """A reply that must be a call, from any server: one whose replies are none is held to a schema from then on."""
        held = self._writes_calls_out and self._takes_held
        if held:
            try:
                return await self._try(sdk, request, held=True)
            except ModelFailure as failure:
                if failure.kind not in _NO_SCHEMA or failure.uncertain:
                    raise
        reply = await self._try(sdk, request)
        # Only now is it known that the schema was what the server refused, and not the rest of the request.
        self._takes_held = not held
        self._writes_calls_out = not reply.calls
        return reply

    async def _try(self, sdk: "SdkModel", request: ModelRequest, *, held: bool = False) -> ModelReply:
        begun = time.monotonic()
        headers = self._model.provider.speaks is not Protocol.MISTRAL
        try:
            reply = await ask(sdk, request, headers=headers, held=held)
        except asyncio.CancelledError:
            raise
        except Exception as error:
            raise failure_of(error, self._model, self._cut) from error
        return replace(reply, latency=time.monotonic() - begun)

    def hold(self) -> None:
        """Keep the connection between calls from now on, until `aclose`."""
        self._held = True

    async def aclose(self) -> None:
        """Let go of the connection: at once, or when the last call under way has ended."""
        self._held = False
        await self._close_if_idle()

    @asynccontextmanager
    async def _open(self) -> "AsyncGenerator[SdkModel]":
        self._users += 1
        try:
            if self._connected is None:
                self._connected = await self._connect()
            yield self._connected[1]
        finally:
            self._users -= 1
            await self._close_if_idle()

    async def _connect(self) -> "tuple[httpx2.AsyncClient, SdkModel]":
        provider = self._model.provider
        client = open_client(provider.url, {"user-agent": self._user_agent}, self._seconds)
        try:
            return client, self._sdk(client)
        except Exception as error:
            await client.aclose()
            raise failure_of(error, self._model, self._cut) from error

    def _sdk(self, client: "httpx2.AsyncClient") -> "SdkModel":
        key = self._model.provider.key(self._keys)
        return open_sdk(self._model, key, client, older_bound=self._older_bound)

    async def _close_if_idle(self) -> None:
        if self._connected is not None and self._users == 0 and not self._held:
            (client, _), self._connected = self._connected, None
            await client.aclose()

    def _cut(self, text: str) -> str:
        """`text` without any key: some servers send back what they were given."""
        return self._keys.cut_from(text.encode()).decode(errors="replace")
