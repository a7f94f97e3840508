"""What a run and its gateway say to each other, as values; each knows how it stands in a frame.

What a run says is read strictly: an unknown field, or one of another type, costs it the connection. Requests are
numbered by the run, and the answer to each is one frame, with all that was decided on the way to it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Literal, TypeVar, cast

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from affidavit.egress.api import ApiCall
from affidavit.egress.gateway import Decision
from affidavit.egress.process.frames import BadFrame, Frame
from affidavit.egress.received import Received
from affidavit.errors import FailureKind, GatewayError, PageFailure, SearchFailure, SearchFailureKind
from affidavit.evidence.document import Fetched
from affidavit.ranking.hit import Hit

PROTOCOL = 3
"""Raised with every change that the other end would not understand. Both ends are of one version, or part at once."""

Number = Annotated[int, Field(ge=0, lt=2**53)]
Text = Annotated[str, Field(max_length=4096)]


class Said(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Hello(Said):
    """The first frame of a run: it has read the gateway's nonce, and proves that it knows the token if there is one."""

    do: Literal["hello"] = "hello"
    protocol: int
    nonce: Annotated[str, Field(min_length=16, max_length=64)]
    proof: Annotated[str, Field(max_length=128)] | None = None


MOST_GIVEN = 2000
"""Addresses that a run may be opened with."""
MAX_GIVEN = 16_384
"""Characters of one of them."""


class Open(Said):
    """Begin a run. All of it can only be less than what the gateway itself allows.

    `policy` is `Policy.as_json`. `given` are addresses that a person gave. `canaries` are strings that no address and
    no query may carry. `search` names providers. `keep` asks for every response as it came, for the run's WARC file.
    `max_age` is for how many seconds a page of the gateway's cache is read without asking its site; None: as long as
    the site says.
    """

    do: Literal["open"] = "open"
    run_id: Annotated[str, Field(min_length=1, max_length=200)]
    policy: dict[str, Any] = {}
    given: Annotated[list[Annotated[str, Field(max_length=MAX_GIVEN)]], Field(max_length=MOST_GIVEN)] = []
    canaries: Annotated[list[Text], Field(max_length=200)] = []
    search: Annotated[list[Text], Field(max_length=50)] = []
    language: Text | None = None
    region: Text | None = None
    keep: bool = False
    seconds: Annotated[float, Field(gt=0)] = 30.0
    megabytes: Annotated[int, Field(ge=1)] = 32
    search_seconds: Annotated[float, Field(gt=0)] = 20.0
    max_age: Annotated[float, Field(ge=0)] | None = None


class Status(Said):
    """Ask how the gateway is, and no more."""

    do: Literal["status"] = "status"


class Fetch(Said):
    do: Literal["fetch"] = "fetch"
    n: Number
    url: Annotated[str, Field(max_length=65_536)]


class Search(Said):
    do: Literal["search"] = "search"
    n: Number
    query: Annotated[str, Field(max_length=16_384)]
    recency_days: Annotated[int, Field(ge=1, le=100_000)] | None = None
    limit: Annotated[int, Field(ge=1, le=1000)] = 10


class Cancel(Said):
    """Nobody waits for the answer to `n` any more."""

    do: Literal["cancel"] = "cancel"
    n: Number


First = Open | Status
Later = Fetch | Search | Cancel
_FromRun = TypeVar("_FromRun")


def read_hello(frame: Frame) -> Hello:
    return _read(frame, _hello())


def read_first(frame: Frame) -> First:
    return _read(frame, _first())


def read_later(frame: Frame) -> Later:
    return _read(frame, _later())


def _read(frame: Frame, kind: TypeAdapter[_FromRun]) -> _FromRun:
    try:
        return kind.validate_python(dict(frame.said))
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        place = ".".join(map(str, first["loc"])) or "it"
        raise BadFrame(f"a message that is none: {place}: {first['msg'].lower()}") from None


@cache
def _hello() -> TypeAdapter[Hello]:
    return TypeAdapter(Hello)


@cache
def _first() -> TypeAdapter[First]:
    return TypeAdapter(Annotated[First, Field(discriminator="do")])


@cache
def _later() -> TypeAdapter[Later]:
    return TypeAdapter(Annotated[Later, Field(discriminator="do")])


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchReply:
    """What became of a fetch. `kept` are its responses as they came, if the run asked for them."""

    result: Fetched | PageFailure
    decisions: tuple[Decision, ...] = ()
    kept: tuple[Received, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchReply:
    """What became of a search. `failures` cost a part of its results, `calls` are the requests that it took."""

    result: tuple[Hit, ...] | SearchFailure
    failures: tuple[SearchFailure, ...] = ()
    calls: tuple[ApiCall, ...] = ()


def fetch_frame(n: int, reply: FetchReply) -> tuple[dict[str, object], list[bytes]]:
    said: dict[str, object] = {"n": n, "decisions": [fields_of(one) for one in reply.decisions]}
    said["kept"] = [_head(one, "raw") for one in reply.kept]
    blobs = [one.raw for one in reply.kept]
    result = reply.result
    if isinstance(result, PageFailure):
        said["failure"] = {"kind": result.kind.value, "url": result.url, "detail": result.detail}
    else:
        # What came without a coding is the page itself and need not go twice.
        twice = bool(reply.kept) and reply.kept[-1].raw == result.body
        said["page"] = _head(result, "body") | ({"size": -1} if twice else {})
        blobs += [] if twice else [result.body]
    return said, blobs


def read_fetch(frame: Frame) -> FetchReply:
    said, at = frame.said, 0

    def take(size: int) -> bytes:
        nonlocal at
        at += size
        return bytes(frame.blob[at - size : at])

    try:
        decisions = tuple(_values(Decision, said["decisions"]))
        kept = tuple(_body(Received, head, "raw", take(head["size"])) for head in cast("list[Any]", said["kept"]))
        if "failure" in said:
            failed = cast("dict[str, str]", said["failure"])
            result = PageFailure(FailureKind(failed["kind"]), failed["url"], failed["detail"])
        else:
            page = cast("dict[str, Any]", said["page"])
            result = _body(Fetched, page, "body", kept[-1].raw if page["size"] < 0 else take(page["size"]))
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise _unread(error) from error
    return FetchReply(result=result, decisions=decisions, kept=kept)


def search_frame(n: int, reply: SearchReply) -> dict[str, object]:
    said: dict[str, object] = {"n": n, "calls": [fields_of(one) for one in reply.calls]}
    said["failures"] = [_failure(one) for one in reply.failures]
    if isinstance(reply.result, SearchFailure):
        return said | {"failure": _failure(reply.result)}
    return said | {"hits": [fields_of(hit) for hit in reply.result]}


def read_search(frame: Frame) -> SearchReply:
    said = frame.said
    try:
        failures = tuple(_search_failure(one) for one in cast("list[Any]", said["failures"]))
        calls = tuple(_values(ApiCall, said["calls"]))
        result = (
            _search_failure(cast("list[Any]", said["failure"]))
            if "failure" in said
            else tuple(_values(Hit, said["hits"]))
        )
    except (KeyError, TypeError, ValueError) as error:
        raise _unread(error) from error
    return SearchReply(result=result, failures=failures, calls=calls)


def fields_of(value: Decision | ApiCall | Hit) -> dict[str, object]:
    """A flat value by field: what `dataclasses.asdict` gives, without its deep copies."""
    return {name: getattr(value, name) for name in type(value).__dataclass_fields__}


def _failure(failure: SearchFailure) -> list[object]:
    return [failure.kind.value, failure.provider, failure.detail, failure.retry_after, failure.advice]


def _search_failure(said: Sequence[Any]) -> SearchFailure:
    kind, provider, detail, retry_after, advice = said
    return SearchFailure(SearchFailureKind(kind), provider, detail, retry_after, advice)


def _head(value: Received | Fetched, body: str) -> dict[str, object]:
    """All of `value` but its bytes, of which it says how many there are."""
    fields: dict[str, object] = {"size": len(getattr(value, body))}
    return fields | {name: getattr(value, name) for name in type(value).__dataclass_fields__ if name != body}


_Value = TypeVar("_Value")


def _body(kind: type[_Value], head: Mapping[str, Any], name: str, data: bytes) -> _Value:
    fields = {key: value for key, value in head.items() if key != "size"}
    return _adapter(kind).validate_python(fields | {name: data})


def _values(kind: type[_Value], said: object) -> list[_Value]:
    return [_adapter(kind).validate_python(one) for one in cast("list[object]", said)]


@cache
def _adapter(kind: type[_Value]) -> TypeAdapter[_Value]:
    return TypeAdapter(kind)


def _unread(error: Exception) -> GatewayError:
    return GatewayError(f"the gateway's answer cannot be read ({type(error).__name__}); is it of this version?")
