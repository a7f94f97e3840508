"""A server on loopback that speaks HTTP and says what it is told to: the part of a provider."""

import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest


@dataclass(frozen=True)
class Asked:
    """A request as it came: `path` without the query, header names in lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: Any


@dataclass
class Provider:
    """Answers in turn: JSON, or ``(status, headers, JSON)``; the last one again and again. None hangs up unanswered."""

    answers: list[Any]
    url: str = ""
    asked: list[Asked] = field(default_factory=list[Asked])

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                first, *lines = head.decode().split("\r\n")
                headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
                body = await reader.readexactly(int(headers.get("content-length", 0)))
                method, target, _ = first.split(" ")
                self.asked.append(Asked(method, target.partition("?")[0], headers, json.loads(body or b"null")))
                answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
                if answer is None:
                    return
                status, more, said = answer if isinstance(answer, tuple) else (200, {}, answer)
                data = said.encode() if isinstance(said, str) else json.dumps(said).encode()
                fields = {"content-type": "application/json", "content-length": str(len(data))} | more
                lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
                writer.write(f"HTTP/1.1 {status} X\r\n{lines}\r\n".encode() + data)
                await writer.drain()
        except (asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError):
            pass
        finally:
            writer.close()


@pytest.fixture
def provider() -> Callable[..., Any]:
    """``async with provider(answer, …) as served``; `served.url` is its address, `served.asked` what it was sent."""

    @asynccontextmanager
    async def serve(*answers: Any) -> AsyncGenerator[Provider]:
        made = Provider(list(answers))
        server = await asyncio.start_server(made.serve, "127.0.0.1", 0)
        made.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        try:
            yield made
        finally:
            server.close()

    return serve


@pytest.fixture
def chat() -> Callable[..., dict[str, Any]]:
    """An answer of the OpenAI protocol: ``chat("text")``, ``chat(calls=[(name, arguments)])``."""

    def make(text: str | None = None, *, calls: Any = (), finish: str = "stop", **more: Any) -> dict[str, Any]:
        message: dict[str, Any] = {"role": "assistant", "content": text}
        if calls:
            message["tool_calls"] = [
                {"id": f"c{index}", "type": "function", "function": {"name": name, "arguments": arguments}}
                for index, (name, arguments) in enumerate(calls)
            ]
        return {
            "id": "x",
            "object": "chat.completion",
            "created": 1,
            "model": "small-2026-11-01",
            "choices": [{"index": 0, "message": message, "finish_reason": finish}],
            "usage": {
                "prompt_tokens": 100,
                "completion_tokens": 20,
                "total_tokens": 120,
                "prompt_tokens_details": {"cached_tokens": 40},
            },
        } | more

    return make
