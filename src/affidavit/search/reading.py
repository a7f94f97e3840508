"""Answers of APIs as values: JSON by a pydantic model, strict about what is needed and indifferent to the rest."""

import codecs
import json
from typing import TypeVar

import webencodings
from pydantic import BaseModel, ConfigDict, ValidationError

from affidavit.egress.api import ApiResponse
from affidavit.search.exchange import Call


class Answer(BaseModel):
    """The base of what providers send: fields that are not named here may come and go."""

    model_config = ConfigDict(frozen=True, extra="ignore")


_Model = TypeVar("_Model", bound=BaseModel)


def read_json(call: Call, response: ApiResponse, model: type[_Model]) -> _Model:
    """The answer as `model`. Raises SearchFailure (bad response) saying what is there instead."""
    try:
        return model.model_validate(_load(response))
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        place = ".".join(map(str, first["loc"])) or "its answer"
        raise call.bad_response(f"{place}: {first['msg'].lower()}") from None
    except (ValueError, RecursionError):
        raise call.bad_response(_instead(response)) from None


def peek_json(response: ApiResponse, model: type[_Model]) -> _Model | None:
    """The answer as `model` if it has that shape, else None: for error bodies, which need not."""
    try:
        return model.model_validate(_load(response))
    except (ValueError, RecursionError):  # a ValidationError is a ValueError
        return None


def text_of(response: ApiResponse) -> str:
    """The body as text: in the charset its header names, else in UTF-8 (or -16, -32); broken bytes as U+FFFD."""
    named = webencodings.lookup(_charset(response) or "")
    # By its codec, not by its name: Python knows no x-user-defined.
    decode = named.codec_info.decode if named else codecs.lookup(json.detect_encoding(response.body)).decode
    return decode(response.body, "replace")[0].removeprefix("\ufeff")


def _load(response: ApiResponse) -> object:
    # Not strict: NCBI puts bare line ends into the strings of its errors.
    return json.loads(text_of(response), strict=False)


def _charset(response: ApiResponse) -> str | None:
    for part in (response.header("content-type") or "").split(";")[1:]:
        name, _, value = part.partition("=")
        if name.strip().lower() == "charset":
            return value.strip().strip("\"'") or None
    return None


def _instead(response: ApiResponse) -> str:
    kind = (response.header("content-type") or "").partition(";")[0].strip().lower()
    start = response.body.lstrip()[:1]
    if not start:
        return "sent an empty answer"
    if kind in ("text/html", "application/xhtml+xml") or start == b"<":
        return "sent a web page instead of data; a proxy, a login page or a challenge may stand in between"
    return "sent something that is no JSON"
