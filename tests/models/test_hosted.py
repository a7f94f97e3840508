"""Each protocol against a server on loopback, through the providers' own libraries."""

import asyncio
import json
from dataclasses import replace
from decimal import Decimal
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from affidavit.egress.keys import Keys
from affidavit.errors import ModelFailure, ModelFailureKind
from affidavit.models.hosted import HostedModel
from affidavit.models.providers import ModelName, model_name, providers
from affidavit.models.reply import Finish, Usage
from affidavit.models.request import Assistant, ModelRequest, OutputShape, ToolCall, ToolResult, ToolSpec, User

KEY = "key-of-the-provider-123456"
SEARCH = ToolSpec(
    name="web_search",
    description="Find sources.",
    schema={
        "type": "object",
        "properties": {"query": {"type": "string"}},
        "required": ["query"],
        "additionalProperties": False,
    },
)


class Colour(BaseModel):
    colour: Literal["red", "blue"]
    why: str | None


def request(**given: Any) -> ModelRequest:
    return ModelRequest(**{"messages": (User("What colour is it?"),), "system": "Answer.", "key": "run/1"} | given)


def hosted(name: str, url: str) -> HostedModel:
    known = providers({name.partition(":")[0]: url})
    model = model_name(name, known, "test")
    return HostedModel(model, Keys({model.provider.keys[0]: KEY}), user_agent="affidavit/test", seconds=20)


ANTHROPIC = {
    "id": "m",
    "type": "message",
    "role": "assistant",
    "model": "claude-haiku-4-5-20251001",
    "content": [
        {"type": "text", "text": "I search."},
        {"type": "tool_use", "id": "t1", "name": "web_search", "input": {"query": "pier"}},
    ],
    "stop_reason": "tool_use",
    "stop_sequence": None,
    "usage": {
        "input_tokens": 50,
        "output_tokens": 20,
        "cache_read_input_tokens": 40,
        "cache_creation_input_tokens": 10,
    },
}
GEMINI = {
    "candidates": [
        {
            "content": {
                "role": "model",
                "parts": [
                    {"text": "I search."},
                    {
                        "functionCall": {"name": "web_search", "args": {"query": "pier"}},
                        "thoughtSignature": "c2lnbmVk",
                    },
                ],
            },
            "finishReason": "STOP",
        }
    ],
    "usageMetadata": {
        "promptTokenCount": 100,
        "candidatesTokenCount": 20,
        "totalTokenCount": 120,
        "cachedContentTokenCount": 40,
    },
    "modelVersion": "gemini-3.5-flash",
    "responseId": "r",
}
RESPONSES = {
    "id": "resp_1",
    "object": "response",
    "created_at": 1,
    "status": "completed",
    "model": "gpt-6-luna-2026-09-01",
    "output": [
        {
            "type": "message",
            "id": "msg_1",
            "role": "assistant",
            "status": "completed",
            "content": [{"type": "output_text", "text": "I search.", "annotations": []}],
        },
        {
            "type": "function_call",
            "id": "fc_1",
            "call_id": "t1",
            "name": "web_search",
            "arguments": '{"query": "pier"}',
            "status": "completed",
        },
    ],
    "parallel_tool_calls": True,
    "tool_choice": "auto",
    "tools": [],
    "usage": {
        "input_tokens": 100,
        "input_tokens_details": {"cached_tokens": 40},
        "output_tokens": 20,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 120,
    },
}


def chat_call(chat: Any, **more: Any) -> Any:
    return chat("I search.", calls=[("web_search", '{"query": "pier"}')], finish="tool_calls", **more)


@pytest.mark.parametrize(
    ("name", "path", "header", "model"),
    [
        ("mine:small", "/v1/chat/completions", "authorization", "small-2026-11-01"),
        ("openai:gpt-4o", "/v1/chat/completions", "authorization", "small-2026-11-01"),
        ("ollama:qwen3", "/v1/chat/completions", "authorization", "small-2026-11-01"),
        ("openrouter:meta/llama", "/v1/chat/completions", "authorization", "small-2026-11-01"),
        ("mistral:mistral-small-latest", "/v1/v1/chat/completions", "authorization", "small-2026-11-01"),
        ("anthropic:claude-haiku-4-5", "/v1/v1/messages", "authorization", "claude-haiku-4-5-20251001"),
        ("google:gemini-3.5-flash", "/v1/v1beta/models/gemini-3.5-flash:generateContent", "x-goog-api-key", None),
    ],
)
def test_each_protocol_brings_text_calls_counts_and_the_models_own_name(
    provider: Any, chat: Any, name: str, path: str, header: str, model: str | None
):
    openrouter = {"provider": "Somebody", "usage": chat("")["usage"] | {"cost": 0.00125}}
    answers = {"anthropic": ANTHROPIC, "google": GEMINI, "openrouter": chat_call(chat, **openrouter)}

    async def main() -> None:
        async with provider(answers.get(name.partition(":")[0]) or chat_call(chat)) as served:
            reply = await hosted(name, served.url + "/v1").complete(request(tools=(SEARCH,), stop=("END",)))
            assert served.asked[0].path == path
            assert KEY in served.asked[0].headers[header]
            assert (
                served.asked[0]
                .headers["user-agent"]
                .startswith(("affidavit/test", "pydantic-ai", "mistral", "google-genai"))
            )
        assert reply.text == "I search."
        assert [(call.name, call.arguments) for call in reply.calls] == [("web_search", {"query": "pier"})]
        assert reply.model == (model or "gemini-3.5-flash")
        assert reply.usage is not None
        assert (reply.usage.input, reply.usage.output, reply.usage.cached) == (100, 20, 40)
        assert reply.usage.cost == (Decimal("0.00125") if "openrouter" in name else None)
        assert reply.latency > 0

    asyncio.run(main())


def test_openais_own_address_is_asked_by_its_responses_protocol(provider: Any):
    openai = providers()["openai"]

    async def main() -> None:
        async with provider(RESPONSES) as served:
            here = ModelName(replace(openai, url=served.url + "/v1"), "gpt-6-luna")
            model = HostedModel(here, Keys({"OPENAI_API_KEY": KEY}), user_agent="affidavit/test", seconds=20)
            first = request(tools=(SEARCH,))
            reply = await model.complete(first)
            assert reply.usage == Usage(input=100, output=20, cached=40)
            assert reply.model == "gpt-6-luna-2026-09-01"
            assert reply.finish in (Finish.TOOL_CALL, Finish.STOP)
            result = ToolResult(call_id=reply.calls[0].call_id, name="web_search", text="1. a page")
            await model.complete(request(messages=(*first.messages, reply.turn(), result), tools=(SEARCH,)))
            asked = served.asked
        assert asked[0].path == "/v1/responses"
        assert asked[0].body["store"] is False
        assert asked[0].headers["idempotency-key"] != asked[1].headers["idempotency-key"]
        assert any(item.get("type") == "function_call_output" for item in asked[1].body["input"])

    asyncio.run(main())


def test_what_a_provider_signed_goes_back_to_it_as_it_came(provider: Any):
    async def main() -> None:
        async with provider(GEMINI) as served:
            model = hosted("google:gemini-3.5-flash", served.url)
            first = request(tools=(SEARCH,))
            reply = await model.complete(first)
            assert reply.trace is not None
            result = ToolResult(call_id=reply.calls[0].call_id, name="web_search", text="1. a page", failed=True)
            await model.complete(request(messages=(*first.messages, reply.turn(), result), tools=(SEARCH,)))
            assert "c2lnbmVk" in json.dumps(served.asked[1].body)

    asyncio.run(main())


def test_a_conversation_goes_over_the_wire_turn_by_turn(provider: Any, chat: Any):
    call = ToolCall(call_id="c0", name="web_search", arguments={"query": "pier"})

    async def main() -> None:
        async with provider(chat("Done.")) as served:
            messages = (
                User("When did it open?"),
                Assistant(text="I search.", calls=(call,)),
                ToolResult(call_id="c0", name="web_search", text="1. a page"),
            )
            asking = request(messages=messages, tools=(SEARCH,), temperature=None, max_tokens=77, must_call=True)
            await hosted("mine:small", served.url).complete(asking)
            sent = served.asked[0].body
        assert [message["role"] for message in sent["messages"]] == ["system", "user", "assistant", "tool"]
        assert json.loads(sent["messages"][2]["tool_calls"][0]["function"]["arguments"]) == {"query": "pier"}
        assert sent["tools"][0]["function"]["name"] == "web_search"
        assert sent["tool_choice"] == "required"
        assert "temperature" not in sent

    asyncio.run(main())


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("mine:small", "max_tokens"),
        ("ollama:qwen3", "max_tokens"),
        ("openai:gpt-4o", "max_tokens"),
        ("openrouter:meta/llama", "max_tokens"),
        ("mistral:mistral-small-latest", "max_tokens"),
        ("anthropic:claude-haiku-4-5", "max_tokens"),
        ("google:gemini-3.5-flash", "generationConfig.maxOutputTokens"),
    ],
)
def test_the_longest_reply_is_told_in_the_words_that_each_server_knows(provider: Any, chat: Any, name: str, place: str):
    """Ollama and llama.cpp before 2026 pass over `max_completion_tokens`, and a reply then has no bound."""
    answers = {"anthropic": ANTHROPIC, "google": GEMINI, "openrouter": chat_call(chat, provider="Somebody")}

    async def main() -> None:
        async with provider(answers.get(name.partition(":")[0]) or chat("Red.")) as served:
            await hosted(name, served.url).complete(request(max_tokens=77))
            found = served.asked[0].body
        for key in place.split("."):
            found = found[key]
        assert found == 77

    asyncio.run(main())


def test_openais_own_protocol_is_told_the_longest_reply_too(provider: Any):
    async def main() -> None:
        async with provider(RESPONSES) as served:
            here = ModelName(replace(providers()["openai"], url=served.url + "/v1"), "gpt-6-luna")
            model = HostedModel(here, Keys({"OPENAI_API_KEY": KEY}), user_agent="affidavit/test", seconds=20)
            await model.complete(request(max_tokens=77))
            assert served.asked[0].body["max_output_tokens"] == 77

    asyncio.run(main())


def test_a_server_that_refuses_the_older_name_of_the_bound_gets_the_newer_from_then_on(provider: Any, chat: Any):
    said = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
    refusal = (400, {}, {"error": {"message": said, "code": "unsupported_parameter"}})

    async def main() -> None:
        async with provider(refusal, chat("Red.")) as served:
            model = hosted("mine:o3", served.url)
            model.hold()
            for _ in range(2):
                assert (await model.complete(request(max_tokens=77))).text == "Red."
            await model.aclose()
            bounds = [(one.body.get("max_tokens"), one.body.get("max_completion_tokens")) for one in served.asked]
        assert bounds == [(77, None), (None, 77), (None, 77)]

    asyncio.run(main())


@pytest.mark.parametrize(
    ("name", "tools", "stopped"),
    [
        ("mine:small", (SEARCH,), True),
        ("ollama:qwen3", (SEARCH,), True),
        ("mine:small", (), False),
        ("openrouter:meta/llama", (SEARCH,), False),
        ("anthropic:claude-haiku-4-5", (SEARCH,), False),
    ],
)
def test_a_small_model_that_goes_on_in_empty_lines_is_stopped(
    provider: Any, chat: Any, name: str, tools: Any, stopped: bool
):
    """Qwen2.5-Coder 1.5B writes its call, closes the fence, and then line breaks until it may write no more."""
    answers = {"anthropic": ANTHROPIC, "openrouter": chat_call(chat, provider="Somebody")}

    async def main() -> None:
        async with provider(answers.get(name.partition(":")[0]) or chat("Red.")) as served:
            await hosted(name, served.url).complete(request(tools=tools))
            sent = served.asked[0].body
        told = sent.get("stop", sent.get("stop_sequences"))
        assert told == (["\n\n\n\n"] if stopped else None)

    asyncio.run(main())


@pytest.mark.parametrize(("finish", "most", "cut"), [("length", 50, True), ("stop", 20, True), ("stop", 21, False)])
def test_a_reply_as_long_as_it_may_be_was_cut_off_whatever_its_server_calls_that(
    provider: Any, chat: Any, finish: str, most: int, cut: bool
):
    async def main() -> None:
        async with provider(chat("Red red", finish=finish)) as served:
            reply = await hosted("mine:small", served.url).complete(request(max_tokens=most))
        assert reply.cut_off is cut

    asyncio.run(main())


def test_a_schema_goes_to_a_provider_that_reads_schemas(provider: Any, chat: Any):
    async def main() -> None:
        async with provider(chat('{"colour": "red", "why": null}')) as served:
            reply = await hosted("mine:small", served.url).complete(request(output=OutputShape(Colour)))
            sent = served.asked[0].body
        assert sent["response_format"]["json_schema"]["schema"]["properties"]["colour"]["enum"] == ["red", "blue"]
        assert "JSON Schema" not in sent["messages"][0]["content"]
        assert json.loads(reply.text) == {"colour": "red", "why": None}

    asyncio.run(main())


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("anthropic:claude-haiku-4-5", "output_config|output_format"),
        ("google:gemini-3.5-flash", "generationConfig"),
        ("mistral:mistral-small-latest", "messages"),
        ("openrouter:openai/gpt-4o", "response_format|messages"),
    ],
)
def test_each_provider_gets_the_schema_in_its_own_way_or_in_words(provider: Any, chat: Any, name: str, path: str):
    text = '{"colour": "red", "why": null}'
    anthropic = ANTHROPIC | {"content": [{"type": "text", "text": text}], "stop_reason": "end_turn"}
    candidate = {"content": {"role": "model", "parts": [{"text": text}]}, "finishReason": "STOP"}
    answers = {"anthropic": anthropic, "google": GEMINI | {"candidates": [candidate]}}

    async def main() -> None:
        answer = answers.get(name.partition(":")[0]) or chat(text, provider="Somebody")
        async with provider(answer) as served:
            reply = await hosted(name, served.url).complete(request(output=OutputShape(Colour)))
            sent = served.asked[0].body
        assert json.loads(reply.text)["colour"] == "red"
        assert "blue" in json.dumps([sent.get(one) for one in path.split("|")])

    asyncio.run(main())


def test_a_server_that_refuses_schemas_is_told_in_words_from_then_on(provider: Any, chat: Any):
    refusal = (400, {}, {"error": {"message": "response_format is not supported"}})
    good = chat('{"colour": "red", "why": null}')

    async def main() -> None:
        async with provider(refusal, good, good) as served:
            model = hosted("mine:small", served.url)
            await model.complete(request(output=OutputShape(Colour)))
            await model.complete(request(output=OutputShape(Colour)))
            refused, first, second = served.asked
        assert "response_format" in refused.body
        for asked in (first, second):
            assert "response_format" not in asked.body
            assert '"enum": ["red", "blue"]' in asked.body["messages"][0]["content"]

    asyncio.run(main())


def test_a_server_that_gives_no_counts_leaves_the_use_unknown(provider: Any, chat: Any):
    async def main() -> None:
        async with provider(chat("Red.", usage=None)) as served:
            reply = await hosted("mine:small", served.url).complete(request())
        assert reply.usage is None

    asyncio.run(main())


def test_the_folders_of_a_server_are_no_part_of_a_models_name(provider: Any, chat: Any):
    async def main() -> None:
        async with provider(chat("Red.", model="/home/somebody/weights/small.gguf")) as served:
            reply = await hosted("mine:small", served.url).complete(request())
        assert reply.model == "small.gguf"

    asyncio.run(main())


@pytest.mark.parametrize(
    ("answer", "kind", "said"),
    [
        ((401, {}, {"error": {"message": f"Incorrect API key: {KEY}"}}), "AUTH", "MINE_API_KEY"),
        ((403, {}, {"error": {"message": "not for you"}}), "AUTH", "not for you"),
        ((402, {}, {"error": {"message": "pay first"}}), "QUOTA", "pay first"),
        (
            (429, {}, {"error": {"message": "You exceeded your quota", "code": "insufficient_quota"}}),
            "QUOTA",
            "add to it",
        ),
        ((429, {"retry-after": "7"}, {"error": {"message": "slow down"}}), "RATE_LIMITED", "free again in 7 s"),
        (
            (400, {}, {"error": {"message": "too long", "code": "context_length_exceeded"}}),
            "CONTEXT_LENGTH",
            "models.context_tokens",
        ),
        # llama.cpp, as it answers; LM Studio; Ollama
        (
            (
                400,
                {},
                {
                    "error": {
                        "code": 400,
                        "message": "request (40030 tokens) exceeds the available context size (12288 tokens), try "
                        "increasing it",
                        "type": "exceed_context_size_error",
                        "n_prompt_tokens": 40030,
                        "n_ctx": 12288,
                    }
                },
            ),
            "CONTEXT_LENGTH",
            "12288",
        ),
        (
            (
                400,
                {},
                {"error": "Trying to keep the first 9000 tokens; however, the model's context length is 4096"},
            ),
            "CONTEXT_LENGTH",
            "4096",
        ),
        ((500, {}, {"error": {"message": "prompt is too long: 9000 tokens"}}), "CONTEXT_LENGTH", "9000"),
        ((400, {}, {"error": {"message": "no such parameter"}}), "BAD_REQUEST", "no such parameter"),
        ((404, {}, {"error": {"message": "no such model"}}), "BAD_REQUEST", "no such model"),
        ((500, {}, {"error": {"message": "oops"}}), "UNAVAILABLE", "oops"),
        ((503, {"retry-after": "2"}, {"error": {"message": "busy"}}), "UNAVAILABLE", "free again in 2 s"),
        ((302, {"location": "http://127.0.0.1:1/other"}, "{}"), "BAD_REQUEST", "302"),
        ((200, {}, "<html>a proxy's page</html>"), "BAD_REPLY", "stronger model"),
        ((200, {}, {"choices": []}), "BAD_REPLY", ""),
    ],
)
def test_each_kind_of_failure_is_named_and_says_what_to_do(provider: Any, answer: Any, kind: str, said: str):
    async def main() -> None:
        async with provider(answer) as served:
            with pytest.raises(ModelFailure) as failed:
                await hosted("mine:small", served.url).complete(request())
            assert len(served.asked) == 1, "the library does not try again by itself"
        assert failed.value.kind is ModelFailureKind[kind]
        assert said in str(failed.value)
        assert KEY not in str(failed.value)
        assert failed.value.uncertain is (kind == "BAD_REPLY")

    asyncio.run(main())


def test_nobody_there_is_a_failure_of_which_nothing_is_uncertain():
    with pytest.raises(ModelFailure, match=r"http://127\.0\.0\.1:9/v1 does not answer") as failed:
        asyncio.run(hosted("mine:small", "http://127.0.0.1:9/v1").complete(request()))
    assert failed.value.kind is ModelFailureKind.UNAVAILABLE
    assert not failed.value.uncertain


def test_a_server_that_hangs_up_may_have_done_the_work(provider: Any):
    async def main() -> None:
        async with provider(None) as served:
            with pytest.raises(ModelFailure) as failed:
                await hosted("mine:small", served.url).complete(request())
        assert failed.value.uncertain

    asyncio.run(main())


def test_proxies_and_addresses_of_the_environment_play_no_part(
    provider: Any, chat: Any, monkeypatch: pytest.MonkeyPatch
):
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "all_proxy", "OPENAI_BASE_URL"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("OPENAI_API_KEY", "another-key-altogether")

    async def main() -> None:
        async with provider(chat("Red.")) as served:
            assert (await hosted("mine:small", served.url).complete(request())).text == "Red."
            assert "another" not in str(served.asked[0].headers)

    asyncio.run(main())


def test_a_model_is_used_in_one_loop_after_another(provider: Any, chat: Any):
    """As an eval does, that builds its verifier first; a connection that outlived its loop would warn."""
    made: list[HostedModel] = []

    async def main() -> None:
        async with provider(chat("Red.")) as served:
            made.append(hosted("mine:small", served.url))
            await asyncio.gather(*(made[0].complete(request()) for _ in range(3)))

    asyncio.run(main())
    with pytest.raises(ModelFailure, match="does not answer"):
        asyncio.run(made[0].complete(request()))


def test_a_model_that_is_held_keeps_its_connection(provider: Any, chat: Any):
    async def main() -> None:
        async with provider(chat("Red.")) as served:
            model = hosted("mine:small", served.url)
            model.hold()
            for _ in range(3):
                await model.complete(request())
            await model.aclose()
            assert len(served.asked) == 3

    asyncio.run(main())


def held(asked: Any) -> bool:
    return "response_format" in asked.body


def test_a_server_whose_model_writes_its_calls_out_is_held_to_a_schema_from_then_on(provider: Any, chat: Any):
    written = chat('{"name": "web_search", "arguments": {"query": "pier"}}')

    async def main() -> None:
        async with provider(written) as served:
            model = hosted("mine:small", served.url)
            asking = request(tools=(SEARCH,), must_call=True, known={"web_search": ({"query": ("pier", "harbour")},)})
            for _ in range(3):
                await model.complete(asking)
            await model.complete(request(tools=(SEARCH,)))
            assert [held(one) for one in served.asked] == [False, True, True, False]
            sent = served.asked[1].body
        assert sent.get("tool_choice") != "required"
        assert sent["tools"] == served.asked[0].body["tools"]
        schema = sent["response_format"]["json_schema"]["schema"]
        assert schema["properties"]["arguments"]["properties"]["query"]["enum"] == ["pier", "harbour"]

    asyncio.run(main())


def test_a_model_that_calls_its_tools_is_held_to_nothing(provider: Any, chat: Any):
    async def main() -> None:
        async with provider(chat_call(chat)) as served:
            model = hosted("mine:small", served.url)
            for _ in range(2):
                await model.complete(request(tools=(SEARCH,), must_call=True))
            assert [held(one) for one in served.asked] == [False, False]

    asyncio.run(main())


@pytest.mark.parametrize("status", [400, 500])
def test_a_server_that_takes_no_schema_beside_tools_is_asked_without_and_not_again(
    provider: Any, chat: Any, status: int
):
    refusal = (status, {}, {"error": {"message": "json mode cannot be combined with tools"}})

    async def main() -> None:
        async with provider(chat("prose"), refusal, chat("prose"), chat("prose")) as served:
            model = hosted("mine:small", served.url)
            for _ in range(3):
                assert (await model.complete(request(tools=(SEARCH,), must_call=True))).text == "prose"
            assert [held(one) for one in served.asked] == [False, True, False, False]

    asyncio.run(main())


def test_a_server_that_fails_with_the_schema_and_without_is_given_it_again(provider: Any, chat: Any):
    busy = (503, {}, {"error": {"message": "overloaded"}})

    async def main() -> None:
        async with provider(chat("prose"), busy, busy, chat("prose")) as served:
            model = hosted("mine:small", served.url)
            asking = request(tools=(SEARCH,), must_call=True)
            await model.complete(asking)
            with pytest.raises(ModelFailure):
                await model.complete(asking)
            await model.complete(asking)
            assert [held(one) for one in served.asked] == [False, True, False, True]

    asyncio.run(main())
