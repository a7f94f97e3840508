"""Our requests as pydantic-ai's, its responses and errors as ours. Everything that knows both languages is here.

pydantic-ai takes most of a second to import, so it is imported where it is first needed, in each function.
"""

import hashlib
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from affidavit.errors import ModelFailure, ModelFailureKind
from affidavit.models.client import ForeignOrigin
from affidavit.models.held import call_schema
from affidavit.models.prompt import load_prompt
from affidavit.models.providers import ModelName, Protocol
from affidavit.models.reply import Finish, ModelReply, Usage
from affidavit.models.request import Assistant, ModelRequest, ToolCall, ToolResult, User
from affidavit.models.tidy import read_arguments

if TYPE_CHECKING:
    import httpx2
    from pydantic_ai import messages as sdk
    from pydantic_ai.models import Model, ModelRequestParameters
    from pydantic_ai.settings import ModelSettings

_DETAIL_CHARS = 400
_TOO_LONG = re.compile(
    r"context (?:size|length|window)|(?:prompt|input) is too long|maximum (?:context|input)", re.IGNORECASE
)
"""How servers say that a request is too long for which pydantic-ai knows no code: llama.cpp, LM Studio, Ollama."""
_FINISH = {
    "stop": Finish.STOP,
    "length": Finish.LENGTH,
    "tool_call": Finish.TOOL_CALL,
    "content_filter": Finish.CONTENT_FILTER,
}


def open_sdk(model: ModelName, key: str | None, client: "httpx2.AsyncClient", *, older_bound: bool) -> "Model":
    """The library's model for ours, over `client`. Its address is given in every case: none is left to a variable.

    `older_bound` tells a server that speaks OpenAI's older protocol the longest reply as ``max_tokens``. Servers of
    one's own know that, and most pass over ``max_completion_tokens`` in silence: nothing bounds a reply then. OpenAI's
    own newer models refuse it.
    """
    url = model.provider.url
    match model.provider.speaks:
        case Protocol.OPENAI_RESPONSES:
            # late: 0.9 s of import, here and below
            from pydantic_ai.models.openai import OpenAIResponsesModel
            from pydantic_ai.providers.openai import OpenAIProvider

            return OpenAIResponsesModel(
                model.name, provider=OpenAIProvider(base_url=url, api_key=key, http_client=client)
            )
        case Protocol.OPENAI_CHAT:
            from pydantic_ai.models.openai import OpenAIChatModel
            from pydantic_ai.profiles.openai import OpenAIModelProfile
            from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

            provider = OpenAICompatibleProvider(
                model.provider.name, base_url=url, api_key=key or "none-is-needed", http_client=client
            )
            profile = OpenAIModelProfile(
                supports_json_schema_output=True, openai_chat_supports_max_completion_tokens=not older_bound
            )
            return OpenAIChatModel(model.name, provider=provider, profile=profile)
        case Protocol.OPENROUTER:
            from pydantic_ai.models.openrouter import OpenRouterModel
            from pydantic_ai.providers.openrouter import OpenRouterProvider

            router = OpenRouterProvider(api_key=key, http_client=client)
            router.client.base_url = url
            return OpenRouterModel(model.name, provider=router)
        case Protocol.ANTHROPIC:
            from pydantic_ai.models.anthropic import AnthropicModel
            from pydantic_ai.providers.anthropic import AnthropicProvider

            return AnthropicModel(model.name, provider=AnthropicProvider(base_url=url, api_key=key, http_client=client))
        case Protocol.GOOGLE:
            from pydantic_ai.models.google import GoogleModel
            from pydantic_ai.providers.google import GoogleProvider

            return GoogleModel(model.name, provider=GoogleProvider(base_url=url, api_key=key, http_client=client))
        case Protocol.MISTRAL:
            from pydantic_ai.models.mistral import MistralModel
            from pydantic_ai.providers.mistral import MistralProvider

            return MistralModel(model.name, provider=MistralProvider(base_url=url, api_key=key, http_client=client))


def reads_schemas(model: "Model") -> bool:
    """Whether the provider holds this model's replies to a JSON Schema itself."""
    return bool(model.profile.get("supports_json_schema_output", False))


def with_schema_in_words(request: ModelRequest) -> ModelRequest:
    """`request`, its output shape told in the system text instead."""
    assert request.output is not None
    schema = json.dumps(request.output.schema, ensure_ascii=False)
    told = load_prompt("affidavit.models", "schema").fill(schema=schema)
    return replace(request, output=None, system=f"{request.system}\n\n{told}".strip())


async def ask(model: "Model", request: ModelRequest, *, headers: bool, held: bool = False) -> ModelReply:
    """One request to the provider; `headers` is whether it can be given some, `held` whether its server shall hold the
    reply to the schema of one call. Raises what the library raises."""
    # late: 0.9 s of import
    from pydantic_ai.direct import model_request

    response = await model_request(
        model,
        messages_of(request),
        model_settings=_settings(request, headers=headers, held=held, temperature=_takes_temperature(model)),
        model_request_parameters=_parameters(request),
    )
    return reply_of(response, request.max_tokens)


def messages_of(request: ModelRequest) -> "list[sdk.ModelMessage]":
    # late: 0.9 s of import
    from pydantic_ai import messages as sdk

    found: list[sdk.ModelMessage] = []
    waiting: list[sdk.ModelRequestPart] = []
    for message in request.messages:
        if isinstance(message, Assistant):
            if waiting:
                found.append(sdk.ModelRequest(parts=waiting))
                waiting = []
            found.append(_response(message))
        else:
            waiting.append(_part(message))
    found.append(sdk.ModelRequest(parts=waiting, instructions=request.system or None))
    return found


def reply_of(response: "sdk.ModelResponse", max_tokens: int) -> ModelReply:
    """What the provider answered. `latency` is for the caller to fill in. A reply of all its `max_tokens` was cut off,
    whatever reason its server gives."""
    # late: 0.9 s of import
    from pydantic_ai import messages as sdk

    texts = [part.content for part in response.parts if isinstance(part, sdk.TextPart)]
    calls: list[ToolCall] = []
    repairs: list[str] = []
    for part in response.parts:
        if not isinstance(part, sdk.ToolCallPart):
            continue
        given = part.args if isinstance(part.args, str) else json.dumps(part.args or {})
        arguments, problem, put_right = read_arguments(given)
        calls.append(ToolCall(call_id=part.tool_call_id, name=part.tool_name, arguments=arguments, problem=problem))
        repairs += [f"in the arguments of {part.tool_name}, {repair}" for repair in put_right]
    usage = _usage(response)
    finish = _FINISH.get(response.finish_reason or "", Finish.OTHER)
    if usage is not None and usage.output >= max_tokens:
        finish = Finish.LENGTH
    return ModelReply(
        text="".join(texts).strip(),
        calls=tuple(calls),
        usage=usage,
        finish=finish,
        model=_named(response.model_name or ""),
        latency=0.0,
        repairs=tuple(repairs),
        trace=_trace(response),
    )


def failure_of(error: Exception, model: ModelName, cut: Callable[[str], str]) -> ModelFailure:
    """What `error` means for whoever asked. Its text is the provider's, shortened, after `cut` took the keys out."""
    # late: 0.9 s of import
    from pydantic_ai import exceptions as sdk

    name, kinds = str(model), ModelFailureKind
    detail = cut(_said(error))
    causes = list(_causes(error))
    if any(isinstance(cause, ForeignOrigin) for cause in causes):
        foreign = next(str(cause) for cause in causes if isinstance(cause, ForeignOrigin))
        return ModelFailure(kinds.BAD_REQUEST, name, foreign)
    status = next((code for one in causes if isinstance(code := getattr(one, "status_code", None), int)), None)
    if status is not None and status < 400:
        said = f"{model.provider.url} answers with status {status}, which is no reply, and is not followed"
        return ModelFailure(kinds.BAD_REQUEST, name, said, advice="check the address in models.servers")
    if status in (400, 422, 500) and _TOO_LONG.search(detail):
        return ModelFailure(kinds.CONTEXT_LENGTH, name, detail)
    wait = getattr(error, "retry_after", None)
    match error:
        case sdk.ModelAuthenticationError():
            return ModelFailure(kinds.AUTH, name, detail, advice=_key_advice(model))
        case sdk.ModelQuotaExceededError():
            return ModelFailure(kinds.QUOTA, name, detail)
        case sdk.ModelRateLimitError():
            return ModelFailure(kinds.RATE_LIMITED, name, detail, retry_after=wait)
        case sdk.ModelContextWindowExceededError():
            return ModelFailure(kinds.CONTEXT_LENGTH, name, detail)
        case sdk.ContentFilterError():
            return ModelFailure(kinds.CONTENT_FILTER, name, detail)
        case sdk.ModelTimeoutError():
            return ModelFailure(kinds.TIMEOUT, name, detail, uncertain=error.phase not in ("connect", "pool"))
        case sdk.ModelConnectionError():
            where = f"{model.provider.url} does not answer: {detail}"
            sent = error.phase not in ("connect", "pool")
            return ModelFailure(kinds.UNAVAILABLE, name, where, uncertain=sent)
        case sdk.ModelUnavailableError() | sdk.ModelServerError():
            return ModelFailure(kinds.UNAVAILABLE, name, detail, retry_after=wait)
        case sdk.ModelHTTPError():
            return _by_status(error.status_code, name, detail, wait, _key_advice(model))
        case sdk.UserError() | sdk.ModelRequestRejectedError():
            return ModelFailure(kinds.BAD_REQUEST, name, detail)
        case _ if isinstance(error, TimeoutError) or any("Timeout" in type(one).__name__ for one in causes):
            return ModelFailure(kinds.TIMEOUT, name, detail, uncertain=True)
        case sdk.ModelAPIError() if not any(isinstance(cause, ValueError) for cause in causes):
            return ModelFailure(kinds.UNAVAILABLE, name, detail, retry_after=wait, uncertain=True)
        case _:
            # The provider answered something that its own library cannot read; it was done, and may be charged.
            return ModelFailure(kinds.BAD_REPLY, name, f"{type(error).__name__}: {detail}", uncertain=True)


def _takes_temperature(model: "Model") -> bool:
    """Whether the model can be told one: a model that reasons first cannot, and the library would warn each time."""
    profile: Any = model.profile
    if profile.get("anthropic_disallows_sampling_settings", False):
        return False
    if not profile.get("openai_supports_reasoning", False):
        return True
    efforts = profile.get("openai_reasoning_efforts")
    optional = profile.get("openai_supports_reasoning_effort_none", False) if efforts is None else "none" in efforts
    return optional and not profile.get("thinking_enabled_by_default", False)


def _settings(request: ModelRequest, *, headers: bool, held: bool, temperature: bool) -> "ModelSettings":
    settings: dict[str, Any] = {"max_tokens": request.max_tokens, "max_retries": 0}
    if request.temperature is not None and temperature:
        settings["temperature"] = request.temperature
    if request.stop:
        settings["stop_sequences"] = list(request.stop)
    schema = call_schema(request.tools, request.known) if held else None
    if schema is not None:
        shape = {"name": "call", "schema": _plain(schema), "strict": True}
        settings["extra_body"] = {"response_format": {"type": "json_schema", "json_schema": shape}}
    elif request.must_call:
        settings["tool_choice"] = "required"
    if request.tools:
        settings["cache"] = True  # a loop sends its beginning again with every call
    if request.key is not None and headers:
        digest = hashlib.sha256(f"{request.key}\n{request.sha256}".encode()).hexdigest()[:32]
        settings["extra_headers"] = {"Idempotency-Key": digest}
    settings["openai_store"] = False
    return settings  # pyright: ignore[reportReturnType] - a TypedDict that every provider adds keys to


def _parameters(request: ModelRequest) -> "ModelRequestParameters":
    # late: 0.9 s of import
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.output import OutputObjectDefinition
    from pydantic_ai.tools import ToolDefinition

    tools = [
        ToolDefinition(name=tool.name, description=tool.description, parameters_json_schema=_plain(tool.schema))
        for tool in request.tools
    ]
    if request.output is None:
        return ModelRequestParameters(function_tools=tools)
    shape = OutputObjectDefinition(name=request.output.name, json_schema=_plain(request.output.schema))
    return ModelRequestParameters(output_mode="native", output_object=shape)


def _plain(schema: Any) -> Any:
    """A schema in dicts and lists of its own: the library changes what it is given."""
    return json.loads(json.dumps(schema))


def _part(message: User | ToolResult) -> "sdk.ModelRequestPart":
    # late: 0.9 s of import
    from pydantic_ai import messages as sdk

    if isinstance(message, User):
        return sdk.UserPromptPart(content=message.text)
    return sdk.ToolReturnPart(
        tool_name=message.name,
        content=message.text,
        tool_call_id=message.call_id,
        outcome="failed" if message.failed else "success",
    )


def _response(message: Assistant) -> "sdk.ModelResponse":
    # late: 0.9 s of import
    from pydantic_ai import messages as sdk

    if message.trace is not None:
        found = sdk.ModelMessagesTypeAdapter.validate_json(message.trace)[0]
        assert isinstance(found, sdk.ModelResponse)
        return found
    parts: list[sdk.ModelResponsePart] = [sdk.TextPart(content=message.text)] if message.text else []
    for call in message.calls:
        arguments = json.dumps(call.arguments, ensure_ascii=False)
        parts.append(sdk.ToolCallPart(tool_name=call.name, args=arguments, tool_call_id=call.call_id))
    return sdk.ModelResponse(parts=parts)


def _trace(response: "sdk.ModelResponse") -> str | None:
    """The response as the library wants it back, where a provider signed or numbered parts of it; None elsewhere."""
    # late: 0.9 s of import
    from pydantic_ai import messages as sdk

    plain = (sdk.TextPart, sdk.ToolCallPart)
    if all(isinstance(part, plain) and part.id is None and not part.provider_details for part in response.parts):
        return None
    return sdk.ModelMessagesTypeAdapter.dump_json([response]).decode()


def _usage(response: "sdk.ModelResponse") -> Usage | None:
    """The counts. None where they are all zero: no request has no tokens, so nobody counted."""
    usage = response.usage
    if not usage.input_tokens and not usage.output_tokens:
        return None
    cost = (response.provider_details or {}).get("cost")
    return Usage(
        input=usage.input_tokens,
        output=usage.output_tokens,
        cached=usage.cache_read_tokens,
        written=usage.cache_write_tokens,
        cost=None if cost is None else Decimal(str(cost)),
    )


def _named(model: str) -> str:
    """The name without the folders of the machine that serves it: some servers give the path of their weights."""
    return PurePath(model).name if model.startswith("/") else model


def _said(error: Exception) -> str:
    """What the provider said, in one line: the message in its answer's body, where there is one."""
    body = getattr(error, "body", None)
    if isinstance(body, dict):
        inner = body.get("error", body)
        message = inner.get("message") if isinstance(inner, dict) else inner
        if isinstance(message, str) and message:
            return " ".join(message.split())[:_DETAIL_CHARS]
    return " ".join(str(error).split())[:_DETAIL_CHARS]


def _causes(error: BaseException) -> "Sequence[BaseException]":
    found: list[BaseException] = []
    at: BaseException | None = error
    while at is not None and at not in found:
        found.append(at)
        at = at.__cause__ or at.__context__
    return found


def _by_status(status: int, name: str, detail: str, wait: float | None, key_advice: str) -> ModelFailure:
    kinds = ModelFailureKind
    said = f"status {status}: {detail}"
    if status in (401, 403):
        return ModelFailure(kinds.AUTH, name, said, advice=key_advice)
    if status == 402:
        return ModelFailure(kinds.QUOTA, name, said)
    if status == 408:
        return ModelFailure(kinds.TIMEOUT, name, said)
    if status == 413:
        return ModelFailure(kinds.CONTEXT_LENGTH, name, said)
    if status == 429:
        return ModelFailure(kinds.RATE_LIMITED, name, said, retry_after=wait)
    if status >= 500 or status == 409:
        return ModelFailure(kinds.UNAVAILABLE, name, said, retry_after=wait)
    return ModelFailure(kinds.BAD_REQUEST, name, said)


def _key_advice(model: ModelName) -> str:
    return f"check the key in {' or '.join(model.provider.keys)}"
