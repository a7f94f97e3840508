"""What a language model is asked: one value that holds all of it, so that its hash names the question.

`sha256` is over everything that decides the reply and nothing else: two requests with the same hash are the same
question, and a reply that was recorded under it can stand in for a call that was already paid for.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from pydantic import BaseModel

from affidavit.evidence.frozen import freeze_fields


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    """A tool that may be called. `schema` is the JSON Schema of its arguments, an object."""

    name: str
    description: str
    schema: Mapping[str, object]

    def __post_init__(self) -> None:
        freeze_fields(self)

    @classmethod
    def of(cls, name: str, description: str, arguments: type[BaseModel]) -> "ToolSpec":
        return cls(name=name, description=description, schema=json_schema(arguments))


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A call that a model made. `arguments` are as it gave them: whoever runs the tool checks them.

    `problem` says why they are no JSON object, if they are none; `arguments` are empty then.
    """

    call_id: str
    name: str
    arguments: Mapping[str, object]
    problem: str | None = None

    def __post_init__(self) -> None:
        freeze_fields(self)


@dataclass(frozen=True, slots=True)
class User:
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Assistant:
    """A turn of the model. `trace` is what its provider wants back with it, as it came; nobody else reads it."""

    text: str
    calls: tuple[ToolCall, ...] = ()
    trace: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """What a tool answered; `failed` is whether it refused the call."""

    call_id: str
    name: str
    text: str
    failed: bool = False


Message = User | Assistant | ToolResult


@dataclass(frozen=True, slots=True)
class OutputShape:
    """The JSON object that a reply must be, as the pydantic type that reads it.

    `check` is what a schema cannot say: what is wrong with a value, in words for the model, or None. It knows the
    request and nothing else, so it is no part of the request's hash.
    """

    type: type[BaseModel]
    check: Callable[[BaseModel], str | None] | None = None

    @property
    def name(self) -> str:
        return self.type.__name__

    @property
    def schema(self) -> Mapping[str, object]:
        return json_schema(self.type)


Known = Mapping[str, tuple[str, ...]]
"""The values that there are for arguments of a call, by the arguments' names."""


@dataclass(frozen=True, kw_only=True)
class ModelRequest:
    """One call. `tools` and `output` exclude each other: a reply is a call or a value, never perhaps both.

    `max_tokens` bounds the reply, and so what it can cost. `seconds` is the time that is left to whoever asks, if that
    is less than a call may take by the settings. `key` names this call among those of its run: the same key is the same
    call, whenever it is made, and goes to a provider as its idempotency key. Neither is part of `sha256`. Raises
    ValueError.
    """

    messages: tuple[Message, ...]
    system: str = ""
    tools: tuple[ToolSpec, ...] = ()
    must_call: bool = False
    """Whether the reply must be a tool call, where a provider can be told so."""
    known: Mapping[str, tuple[Known, ...]] = field(default_factory=dict[str, tuple[Known, ...]])
    """What there is to name in calls of a tool, by its name: each call keeps to one of the mappings, from arguments to
    their values. A server that holds replies to a schema lets nothing else be named. It follows from what came before
    in the run and is told to no model, so it is neither in `as_json` nor in `sha256`."""
    output: OutputShape | None = None
    temperature: float | None = 0.0
    max_tokens: int = 1024
    stop: tuple[str, ...] = ()
    seconds: float | None = None
    key: str | None = None
    context_tokens: int | None = None
    """What the model reads and writes in one call, where somebody said so: a request that goes on from this one keeps
    to it. No part of `sha256` either."""

    def __post_init__(self) -> None:
        freeze_fields(self)
        if not self.messages or not isinstance(self.messages[-1], User | ToolResult):
            raise ValueError("a request ends with what the model should answer: a User or a ToolResult")
        if self.tools and self.output is not None:
            raise ValueError("a request has tools or an output shape, not both")
        if self.must_call and not self.tools:
            raise ValueError("must_call needs tools")
        if self.max_tokens < 1:
            raise ValueError(f"max_tokens is {self.max_tokens}: a reply needs one at least")

    def as_json(self) -> dict[str, object]:
        """Everything that decides the reply, as plain JSON: what the ledger keeps and `sha256` is over."""
        return {
            "system": self.system,
            "messages": [message_json(message) for message in self.messages],
            "tools": [
                {"name": tool.name, "description": tool.description, "schema": tool.schema} for tool in self.tools
            ],
            "must_call": self.must_call,
            "output": None if self.output is None else {"name": self.output.name, "schema": self.output.schema},
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
            "stop": list(self.stop),
        }

    @cached_property
    def sha256(self) -> str:
        return sha256_of(self.as_json())


def message_json(message: Message) -> dict[str, object]:
    match message:
        case User(text):
            return {"from": "user", "text": text}
        case Assistant():
            said: dict[str, object] = {"from": "assistant", "text": message.text}
            if message.calls:
                said["calls"] = [call_json(call) for call in message.calls]
            if message.trace is not None:
                said["trace"] = message.trace
            return said
        case ToolResult():
            return {
                "from": "tool",
                "call_id": message.call_id,
                "name": message.name,
                "text": message.text,
                "failed": message.failed,
            }


def call_json(call: ToolCall) -> dict[str, object]:
    said: dict[str, object] = {"call_id": call.call_id, "name": call.name, "arguments": call.arguments}
    return said if call.problem is None else said | {"problem": call.problem}


@lru_cache(maxsize=64)
def json_schema(of: type[BaseModel]) -> Mapping[str, object]:
    """The JSON Schema of a pydantic type, without the titles that it gives to every field."""
    return _untitled(of.model_json_schema())


def sha256_of(value: object) -> str:
    """sha256 over canonical JSON: keys sorted, no space, UTF-8."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _untitled(value: Any) -> Any:
    """`value` without `title` where it is a schema's own; a field that is called title stays."""
    if isinstance(value, list):
        return [_untitled(one) for one in value]
    if not isinstance(value, dict):
        return value
    return {
        key: {name: _untitled(one) for name, one in item.items()} if key in ("properties", "$defs") else _untitled(item)
        for key, item in value.items()
        if not (key == "title" and isinstance(item, str))
    }
