"""Replies that can be used: what leaked or was wrapped is put right, and what does not fit its shape is asked again.

A value is never picked out of prose. Either the reply is the JSON object that was asked for, by the rules of
`affidavit.models.tidy`, or the model is told what is wrong with it and answers again, a bounded number of times.
"""

import json
from dataclasses import replace

from pydantic import BaseModel, ValidationError

from affidavit.errors import ModelFailure, ModelFailureKind
from affidavit.models.context import Context
from affidavit.models.lenient_json import NotJson
from affidavit.models.model import Model
from affidavit.models.prompt import load_prompt
from affidavit.models.reply import Finish, ModelReply
from affidavit.models.request import Assistant, ModelRequest, OutputShape, ToolCall, User
from affidavit.models.tidy import calls_in, fitted, read_object, tool_named, typed, without_thoughts

REPAIRS = 2
"""How often a model is asked again for one value; each time costs a call."""
CUT_OFF = 2
"""Replies cut off at their bound after which it is not asked again: it was told once, and each took longest."""
CUT_SHOWN = 200
"""Characters of a reply that was cut off which are shown to the model again: more would teach it to go on."""
_SHOWN_PROBLEMS = 4
_IN_TEXT = "text_"


class Structured:
    """`inner`, with its replies made usable. `reply.value` is set exactly where the request has an output shape."""

    def __init__(self, inner: Model, *, repairs: int = REPAIRS) -> None:
        self._inner = inner
        self._repairs = repairs

    @property
    def name(self) -> str:
        return self._inner.name

    async def complete(self, request: ModelRequest) -> ModelReply:
        """The reply. Raises ModelFailure, of kind BAD_REPLY where no value came after all repairs."""
        if request.output is None:
            return _plain(self._let_through(await self._inner.complete(request)), request)
        problem, asked = "", request
        cut = attempt = 0
        while attempt <= self._repairs and cut < CUT_OFF:
            reply = self._let_through(await self._inner.complete(asked))
            try:
                return _valued(reply, request.output, attempt)
            except NotJson as error:
                cut += reply.cut_off
                attempt += 1
                problem = _cut_off(asked) if reply.cut_off else str(error)
                again = _again(request, reply, problem, request.output, attempt)
                if again is None:
                    problem += f" (its context of {request.context_tokens} tokens has no room to ask it again)"
                    break
                asked = again
        raise ModelFailure(
            ModelFailureKind.BAD_REPLY,
            self.name,
            f"no {request.output.name} in {attempt} replies; the last: {problem}",
        )

    def _let_through(self, reply: ModelReply) -> ModelReply:
        """`reply`, unless the provider's filter left nothing of it."""
        if reply.finish is Finish.CONTENT_FILTER and not reply.text and not reply.calls:
            raise ModelFailure(ModelFailureKind.CONTENT_FILTER, self.name, "its filter let no reply through")
        return reply


def _plain(reply: ModelReply, request: ModelRequest) -> ModelReply:
    return _finished(_called(reply, request)) if request.tools and reply.cut_off else _called(reply, request)


def _finished(reply: ModelReply) -> ModelReply:
    """What of a reply that was cut off was finished: the calls before the last, which some providers hand on with what
    there was of its arguments. Calls that stood in the text were read to their end."""
    in_text = all(call.call_id.startswith(_IN_TEXT) for call in reply.calls)
    calls = reply.calls if in_text else reply.calls[:-1]
    text = reply.text if len(reply.text) <= CUT_SHOWN else f"{reply.text[:CUT_SHOWN]} […]"
    return replace(reply, text=text, calls=calls, trace=None, repairs=(*reply.repairs, "the reply was cut off"))


def _called(reply: ModelReply, request: ModelRequest) -> ModelReply:
    """`reply` with its calls, each to a tool by its name, and none twice."""
    schemas = {tool.name: tool.schema for tool in request.tools}
    tidied = without_thoughts(reply.text) if reply.calls or not schemas else calls_in(reply.text, schemas)
    # A call in the text came without an id; the same reply to the same request gets the same ones.
    given = reply.calls or tuple(
        replace(call, call_id=f"{_IN_TEXT}{len(request.messages)}_{index}")
        for index, call in enumerate(tidied.calls, 1)
    )
    calls: list[ToolCall] = []
    repairs = [*reply.repairs, *tidied.repairs]
    for call in given:
        name = tool_named(call.name, schemas)
        arguments, more = typed(call.arguments, schemas.get(name, {}))
        repairs += more if name == call.name else (*more, f"{call.name} was called for {name}")
        if any((one.name, one.arguments, one.problem) == (name, arguments, call.problem) for one in calls):
            repairs.append(f"the same call of {name} came again")
        elif name == call.name and not more:
            calls.append(call)
        else:
            calls.append(replace(call, name=name, arguments=arguments))
    finish = Finish.TOOL_CALL if calls and not reply.calls and not reply.cut_off else reply.finish
    # A trace holds the reply as it came, with none of these calls or others: the provider must not get it beside them.
    trace = reply.trace if tuple(calls) == reply.calls else None
    return replace(reply, text=tidied.text, calls=tuple(calls), finish=finish, repairs=tuple(repairs), trace=trace)


def _valued(reply: ModelReply, shape: OutputShape, attempt: int) -> ModelReply:
    """`reply` with its value. Raises NotJson saying, for the model, what is wrong with it."""
    found, repairs = read_object(reply.text)
    found, more = fitted(found, shape.schema)
    try:
        value = shape.type.model_validate(found)
    except ValidationError as error:
        raise NotJson(_problems(error, shape.type)) from error
    if shape.check is not None and (problem := shape.check(value)) is not None:
        raise NotJson(problem)
    again = (f"the model was asked {attempt + 1} times",) if attempt else ()
    return replace(reply, value=value, repairs=(*reply.repairs, *repairs, *more, *again))


def _again(
    request: ModelRequest, reply: ModelReply, problem: str, shape: OutputShape, attempt: int
) -> ModelRequest | None:
    """`request`, its bad reply and what is wrong with it; None where that is more than the model reads. Earlier repairs
    are left out: they would only add length."""
    schema = json.dumps(shape.schema.get("properties", {}), ensure_ascii=False, default=dict)
    asked = load_prompt("affidavit.models", "repair").fill(problem=problem, schema=schema)
    said = without_thoughts(reply.text).text or "(nothing)"
    short = f"{said[:CUT_SHOWN]} […]"
    context = Context(request.context_tokens)
    for shown in (short,) if reply.cut_off else (said, short):
        again = replace(
            request,
            messages=(*request.messages, Assistant(text=shown), User(asked)),
            key=None if request.key is None else f"{request.key}/repair-{attempt}",
        )
        if (fitted := context.fitted(again, request.max_tokens // 2)) is not None:
            return fitted
    return None


def _cut_off(request: ModelRequest) -> str:
    return f"it was cut off after {request.max_tokens} tokens; give the object alone, and keep its texts short"


def _problems(error: ValidationError, shape: type[BaseModel]) -> str:
    """The first few errors, each with its field and the value that was given."""
    lines = [
        f"{'.'.join(map(str, one['loc'])) or shape.__name__}: {one['msg']}"
        + ("" if one["type"] == "missing" else f" (given: {json.dumps(one['input'], default=str)[:80]})")
        for one in error.errors(include_url=False)[:_SHOWN_PROBLEMS]
    ]
    return "; ".join(lines)
