"""Tool calls as one JSON Schema, for a server that holds a reply to a schema but not to its tools.

A small model on a server of one's own writes its calls out as text, or something that looks like one: with tools that
were not offered, with ids that do not exist. Held to this schema it can only call what is offered, with what is there.
"""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from affidavit.models.request import Known, ToolSpec

Schema = dict[str, Any]


def call_schema(tools: Sequence[ToolSpec], known: Mapping[str, Sequence[Known]]) -> Schema | None:
    """The schema of one call of one of `tools`: an object with its `name` and `arguments`.

    `known` has, by a tool's name, what can be named in its calls: each call keeps to one of the mappings, which hold
    the only values for arguments of those names, however deep they stand. A tool that needs a value of which there is
    none cannot be called; None where that is so of every tool.
    """
    calls: list[Schema] = []
    for tool in tools:
        definitions = cast("Mapping[str, Any]", tool.schema.get("$defs", {}))
        for values in known.get(tool.name, ({},)):
            arguments = _narrowed(tool.schema, values, definitions)
            if arguments is not None:
                calls.append(_object({"name": {"const": tool.name}, "arguments": arguments}, ["name", "arguments"]))
    if not calls:
        return None
    return calls[0] if len(calls) == 1 else {"anyOf": calls}


def _narrowed(schema: Mapping[str, Any], known: Known, definitions: Mapping[str, Any]) -> Schema | None:
    """`schema` with its references resolved and its values those of `known`; None where nothing can fit it."""
    if "$ref" in schema:
        return _narrowed(definitions[schema["$ref"].rpartition("/")[2]], known, definitions)
    if schema.get("type") == "object":
        required = list(schema.get("required", ()))
        found: Schema = {}
        for name, inner in schema.get("properties", {}).items():
            fitting = _valued(inner, known[name]) if name in known else _narrowed(inner, known, definitions)
            if fitting is not None:
                found[name] = fitting
            elif name in required:
                return None
        return _object(found, required)
    if schema.get("type") == "array":
        items = _narrowed(schema.get("items", {}), known, definitions)
        if items is None:
            return None if schema.get("minItems") else {"enum": [[]]}
        return {**schema, "items": items}
    return dict(schema)


def _valued(schema: Mapping[str, Any], values: Sequence[str]) -> Schema | None:
    """A string, or a list of strings, of `values`."""
    if not values:
        return None
    one = {"type": "string", "enum": list(values)}
    return {**schema, "items": one} if schema.get("type") == "array" else one


def _object(properties: Mapping[str, Any], required: Sequence[str]) -> Schema:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(required),
        "additionalProperties": False,
    }
