"""What models do to a reply before it can be read, each in this one place.

Thinking that leaked into the text, JSON in a code fence or after an introduction, an object inside a list of one or
inside another, fields that nobody asked for, tool calls written out as text. Everything that was done is told, so that
a reply which came as it should can be told from one that was helped. Where two readings are left, none is taken: the
model is asked again.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from affidavit.models.lenient_json import NotJson, read_value
from affidavit.models.request import ToolCall

_THOUGHTS = "think|thinking|thought|reasoning|scratchpad"
_OPENING = re.compile(rf"<({_THOUGHTS})>", re.IGNORECASE)
_CLOSING = re.compile(rf"</({_THOUGHTS})>", re.IGNORECASE)
# A fence is a line's own; what a model means by its language is not asked.
_FENCE = re.compile(r"^[ \t]*(```|~~~)[^\n]*$", re.MULTILINE)
# What some chat templates write before calls that reach to the end of the reply.
_MARKERS = re.compile(r"\[TOOL_CALLS\]|<\|python_tag\|>|<tool_call>(?![\s\S]*</tool_call>)")
# What stands between a tag and its end: <tool_call>, <function_call>, or whatever a small model makes up.
_TAGGED = re.compile(r"<([A-Za-z_]\w*)>(.*?)</\1>", re.DOTALL)
# What stands between a tool's name and its arguments in a template that writes neither as JSON: special tokens, fences.
_TOKENS = r"(?:\s|<[|｜][^<>{}]*[|｜]>|\[ARGS\]|`{3}(?:json)?|json)"
_TOKEN = re.compile(r"<[|｜]|\[TOOL_CALLS\]|\[ARGS\]")
_AFTER_TOKENS = re.compile(rf"(?<![\w.-])([\w.-]{{1,80}})(?::\d+)?{_TOKENS}*(?=\{{)")
# <function=web_search> with its arguments as an object, or each in <parameter=query>
_FUNCTION = re.compile(r"<function=([\w.-]+)>(.*?)(?:</function>|\Z)", re.DOTALL)
_PARAMETER = re.compile(r"<parameter=([\w.-]+)>\n?(.*?)\n?</parameter>", re.DOTALL)
_NAME_KEYS = ("name", "tool", "function", "tool_name")
_ARGUMENT_KEYS = ("arguments", "parameters", "args", "input", "tool_input")


@dataclass(frozen=True, slots=True)
class Tidied:
    """A text, the calls found in it, and what was done to find them."""

    text: str
    calls: tuple[ToolCall, ...] = ()
    repairs: tuple[str, ...] = ()


def without_thoughts(text: str) -> Tidied:
    """`text` without what the model said to itself. Thinking that never ends is all of the rest: nothing was said."""
    opening = _OPENING.search(text)
    closings = list(_CLOSING.finditer(text))
    if opening is None and not closings:
        return Tidied(text)
    if not closings:
        assert opening is not None
        return Tidied(text[: opening.start()].strip(), repairs=("thinking that did not end was left out",))
    before = text[: opening.start()] if opening is not None and opening.start() < closings[-1].start() else ""
    return Tidied(
        (before + text[closings[-1].end() :]).strip(), repairs=("thinking that leaked into the reply was left out",)
    )


def read_object(text: str) -> tuple[dict[str, object], tuple[str, ...]]:
    """The one JSON object that `text` gives, and what was overlooked. Raises NotJson.

    It may stand alone, in the only code fence, or at the end of an introduction. One that prose follows without a fence
    is not taken: what is said after it may take it back.
    """
    tidied = without_thoughts(text)
    repairs = list(tidied.repairs)
    body = tidied.text.strip()
    fenced = [block for _, _, block in _fences(body)]
    if len(fenced) > 1:
        raise NotJson(f"it has {len(fenced)} code blocks; give one JSON object and nothing else")
    if fenced:
        repairs.append("the JSON stood in a code fence")
        body = fenced[0]
    if not body:
        raise NotJson("it is empty")
    start = _start(body)
    if start > 0:
        repairs.append("words stood before the JSON")
    read = read_value(body, start)
    if body[read.end :].strip():
        raise NotJson("something follows the JSON; give one JSON object and nothing else")
    repairs += read.repairs
    value = read.value
    if isinstance(value, list):
        items = cast("list[object]", value)
        if len(items) != 1:
            raise NotJson(f"it is a list of {len(items)}; give one JSON object")
        value = items[0]
        repairs.append("the object stood in a list")
    if not isinstance(value, dict):
        raise NotJson("it is no JSON object")
    return cast("dict[str, object]", value), tuple(repairs)


def fitted(value: Mapping[str, object], schema: Mapping[str, object]) -> tuple[dict[str, object], tuple[str, ...]]:
    """`value` without what `schema` does not know: an object around it, and fields that were made up.

    Only the outermost object is looked at. What is missing stays missing: nothing is made up here.
    """
    known = cast("Mapping[str, object]", schema.get("properties", {}))
    repairs: list[str] = []
    inner = next(iter(value.values())) if len(value) == 1 else None
    if isinstance(inner, dict) and not value.keys() & known.keys() and inner.keys() & known.keys():
        value = cast("dict[str, object]", inner)
        repairs.append("the object stood inside another")
    extra = [name for name in value if name not in known]
    if extra:
        repairs.append(f"fields that nobody asked for were left out: {', '.join(extra)}")
    return {name: item for name, item in value.items() if name in known}, tuple(repairs)


def calls_in(text: str, names: Collection[str]) -> Tidied:
    """The tool calls that a model wrote out as text, without ids, and the text without them. Only `names` are tools.

    Taken are calls between the tags or after the tokens of the usual chat templates, in code fences, and a reply that
    is nothing but calls or ends with one.
    """
    tidied = without_thoughts(text)
    body = tidied.text
    tagged = [(block, _calls(block[2], names)) for block in _TAGGED.finditer(body)]
    if calls := [call for _, found in tagged for call in found]:
        rest = "".join(_around(body, [block.span() for block, _ in tagged])).strip()
        return Tidied(rest, tuple(calls), (*tidied.repairs, "a tool call stood in the text, between tags"))
    if found := _templated(body, names):
        rest = "".join(_around(body, [place for place, _ in found])).strip()
        calls = tuple(call for _, call in found)
        return Tidied(rest, calls, (*tidied.repairs, "a tool call stood in the text, as its template writes one"))
    fenced = [((start, end), made) for start, end, block in _fences(body) if (made := _calls(block, names))]
    if fenced:
        rest = "".join(_around(body, [place for place, _ in fenced])).strip()
        calls = tuple(call for _, made in fenced for call in made)
        return Tidied(rest, calls, (*tidied.repairs, "a tool call stood in a code fence"))
    body = _MARKERS.sub("", body)
    start = _start(body)
    if start < len(body) and (calls := _calls(body[start:], names)):
        return Tidied(body[:start].strip(), calls, (*tidied.repairs, "a tool call stood in the text"))
    return tidied


def read_arguments(given: str) -> tuple[dict[str, object], str | None, tuple[str, ...]]:
    """A call's arguments, why they are none, and what was overlooked. No arguments at all is an empty object."""
    if not given.strip():
        return {}, None, ()
    try:
        within = _text_within(given)
        found, repairs = read_object(given if within is None else within)
    except NotJson as error:
        return {}, str(error), ()
    return found, None, repairs if within is None else (*repairs, "the JSON stood in a text")


def tool_named(name: str, names: Collection[str]) -> str:
    """The tool that `name` means: itself, or what is left without the namespace and the number that some templates put
    around a name (``functions.web_search:0``). A name that is no tool's stays as it is."""
    bare = name.strip().rpartition(".")[2].partition(":")[0]
    return bare if name not in names and bare in names else name


def typed(arguments: Mapping[str, object], schema: Mapping[str, object]) -> tuple[dict[str, object], tuple[str, ...]]:
    """`arguments` with the lists in them that `schema` asks for and that were given as text: one item, or a list's
    JSON. Nothing else is made of anything."""
    known = cast("Mapping[str, Mapping[str, object]]", schema.get("properties", {}))
    found = dict(arguments)
    repairs: list[str] = []
    for name, value in arguments.items():
        if isinstance(value, str) and known.get(name, {}).get("type") == "array":
            found[name] = _listed(value)
            repairs.append(f"{name} was a text, and a list was asked for")
    return found, tuple(repairs)


def _listed(text: str) -> list[object]:
    start = text.strip()
    if start.startswith("["):
        try:
            read = read_value(start)
        except NotJson:
            return [text]
        if isinstance(read.value, list) and read.end == len(start):
            return cast("list[object]", read.value)
    return [text]


def _text_within(given: str) -> str | None:
    """The text that `given` is as JSON, where that may be an object's JSON once more."""
    start = given.strip()
    if not start.startswith('"'):
        return None
    read = read_value(start)
    return read.value if isinstance(read.value, str) and read.end == len(start) else None


def _templated(text: str, names: Collection[str]) -> list[tuple[tuple[int, int], ToolCall]]:
    """The calls that stand after a template's tokens, or in its tags, each with its place in `text`."""
    found: list[tuple[tuple[int, int], ToolCall]] = []
    for tag in _FUNCTION.finditer(text):
        if (name := tool_named(tag[1], names)) in names:
            inside = dict(_PARAMETER.findall(tag[2]))
            given, problem, _ = (inside, None, ()) if inside else read_arguments(tag[2])
            found.append((tag.span(), ToolCall(call_id="", name=name, arguments=given, problem=problem)))
    if found or not _TOKEN.search(text):
        return found
    at = 0
    while (said := _AFTER_TOKENS.search(text, at)) is not None:
        at = said.end()
        name = tool_named(said[1], names)
        if name not in names:
            continue
        try:
            read = read_value(text, at)
        except NotJson:
            continue
        if isinstance(read.value, dict):
            given = cast("dict[str, object]", read.value)
            found.append(((said.start(), read.end), ToolCall(call_id="", name=name, arguments=given)))
            at = read.end
    return found


def _calls(text: str, names: Collection[str]) -> tuple[ToolCall, ...]:
    """The calls that make up the whole of `text`, one after the other or in a list; none if anything else is there."""
    found: list[ToolCall] = []
    at = 0
    text = text.strip()
    while at < len(text):
        try:
            read = read_value(text, at)
        except NotJson:
            return ()
        items = cast("list[object]", read.value) if isinstance(read.value, list) else [read.value]
        calls = [_call(item, names) for item in items]
        if not calls or any(call is None for call in calls):
            return ()
        found += [call for call in calls if call is not None]
        at = read.end
        while at < len(text) and text[at] in " \t\r\n,;":
            at += 1
    return tuple(found)


def _call(value: object, names: Collection[str]) -> ToolCall | None:
    """``{"name": …, "arguments": {…}}`` or one of its kin; None for anything else, a tool's definition among it."""
    if not isinstance(value, dict):
        return None
    said = cast("dict[str, object]", value)
    inner = said.get("function")
    if isinstance(inner, dict):
        return _call(cast("dict[str, object]", inner), names)
    given = [tool_named(name, names) for key in _NAME_KEYS if isinstance(name := said.get(key), str)]
    name = next((name for name in given if name in names), None)
    if name is None:
        return None
    arguments = next((said[key] for key in _ARGUMENT_KEYS if key in said), {})
    if isinstance(arguments, dict) and arguments.get("type") == "object" and "properties" in arguments:
        return None
    if isinstance(arguments, str):
        arguments, problem, _ = read_arguments(arguments)
        return ToolCall(call_id="", name=name, arguments=arguments, problem=problem)
    if not isinstance(arguments, dict):
        return ToolCall(call_id="", name=name, arguments={}, problem="its arguments are no JSON object")
    return ToolCall(call_id="", name=name, arguments=cast("dict[str, object]", arguments))


def _around(text: str, ranges: Collection[tuple[int, int]]) -> Iterator[str]:
    """What of `text` is outside `ranges`, which are in order."""
    at = 0
    for start, end in ranges:
        yield text[at:start]
        at = end
    yield text[at:]


def _fences(text: str) -> list[tuple[int, int, str]]:
    """The code fences of `text`, where each begins and ends, and what stands in it. One that is not closed reaches to
    the end."""
    marks = list(_FENCE.finditer(text))
    found: list[tuple[int, int, str]] = []
    for index in range(0, len(marks), 2):
        closing = marks[index + 1] if index + 1 < len(marks) else None
        inside = text[marks[index].end() : len(text) if closing is None else closing.start()]
        found.append((marks[index].start(), len(text) if closing is None else closing.end(), inside.strip()))
    return found


def _start(text: str) -> int:
    """Where the first bracket of JSON is; the length of `text` if there is none."""
    places = [place for place in (text.find("{"), text.find("[")) if place >= 0]
    return min(places, default=len(text))
