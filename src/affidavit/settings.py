"""One frozen object with everything a person can set, built once and passed by hand.

A value comes from, strongest first: an argument, an environment variable ``AFFIDAVIT_<NAME>``
(``AFFIDAVIT_<TABLE>__<NAME>`` for one in a table), the TOML file
(``AFFIDAVIT_CONFIG``, or ``config.toml`` in the user's configuration folder), the default here. A name that
does not exist is refused in all of them: a typing error in a budget must not become the default in silence.
"""

import difflib
import os
import tomllib
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal

import platformdirs
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from affidavit.errors import UserError

PREFIX = "AFFIDAVIT_"
CONFIG = "CONFIG"


def _listed(value: object) -> object:
    """A list as an environment variable writes it: names after commas."""
    return tuple(name.strip() for name in value.split(",") if name.strip()) if isinstance(value, str) else value


class Budgets(BaseModel):
    """What one run may spend. Enforced by the runtime, counted in the answer."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    max_subquestions: int = Field(4, ge=1, le=12)
    max_searches: int = Field(32, ge=1, le=500, description="queries sent to search providers")
    max_fetches: int = Field(24, ge=1, le=500, description="pages read")
    max_spans: int = Field(40, ge=1, le=1000)
    max_span_chars: int = Field(600, ge=40, le=900, description="characters of one quotation")
    max_claims: int = Field(12, ge=1, le=100, description="sentences published")
    max_seconds: float = Field(300.0, gt=0, le=86_400)
    max_tool_calls: int = Field(40, ge=0, le=1000, description="calls that a model may make of its tools")
    max_tokens: int = Field(400_000, ge=0, le=100_000_000, description="tokens that models read and write in a run")
    max_usd: Decimal | None = Field(None, ge=0, description="US dollars for models; none: no limit")
    max_preview_chars: int = Field(4000, ge=400, le=40_000, description="characters of a page that a model is shown")
    reserve_calls: int = Field(2, ge=1, le=100, description="tool calls kept back for the draft")
    stall_window: int = Field(8, ge=2, le=1000, description="tool calls without a new quotation that end a search")
    partial: Literal["flag", "drop", "hold"] = Field(
        "flag", description="a claim supported in part: shown apart with what it lacks, dropped, or held for a person"
    )


class ReplyTokens(BaseModel):
    """The most tokens that a model may write in one reply, by what it is asked for. A model that thinks before it
    answers counts its thoughts, and may need more."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    plan: int = Field(512, ge=64, le=131_072, description="splitting a question")
    turn: int = Field(512, ge=64, le=131_072, description="a turn that searches, fetches or quotes")
    draft: int = Field(4096, ge=64, le=131_072, description="a draft; of few quotations less")
    check: int = Field(512, ge=64, le=131_072, description="whether a run should go on")
    verdict: int = Field(1024, ge=64, le=131_072, description="a verdict on a claim beside its span")


class Models(BaseModel):
    """Which model plays which role, as ``provider:name``; none is needed. Keys are no settings: they come from the
    variables of their providers, and are recorded nowhere."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    researcher: str | None = Field(None, description="plans, reads, quotes, drafts")
    verifier: str | None = Field(None, description="judges a claim beside its span; never the writer's own model")
    convergence: str | None = Field(None, description="says whether a run should go on")
    extractor: str | None = Field(None, description="takes facts out of a page")
    consolidator: str | None = Field(None, description="makes a register of candidate facts")
    writer: str | None = Field(None, description="writes a piece")
    reviewer: str | None = Field(None, description="reviews a piece")
    judge: str | None = Field(None, description="grades answers in evals")
    verify_own: bool = Field(False, description="let a model judge claims that it wrote; every answer then says so")
    servers: dict[str, str] = Field(
        default_factory=dict,
        description="addresses of servers of yours that speak the OpenAI protocol, by the provider name you give them",
    )
    prices: Path | None = Field(None, description="a TOML file that extends the price table")
    seconds: float = Field(180.0, gt=0, le=3600, description="time one call may take, all tries together")
    at_once: int = Field(8, ge=1, le=256, description="calls under way at the same time")
    context_tokens: int | None = Field(
        None, ge=4096, le=100_000_000, description="tokens that a model reads and writes in one call; none: any"
    )
    reply_tokens: ReplyTokens = Field(
        default_factory=lambda: ReplyTokens.model_validate({}), description="the longest replies, in tokens"
    )


class Settings(Budgets):
    """All settings. Paths are absolute once built."""

    cache_dir: Path = Field(default_factory=lambda: platformdirs.user_cache_path("affidavit"))
    data_dir: Path = Field(default_factory=lambda: platformdirs.user_data_path("affidavit"))
    ledger: str | None = Field(None, description="database URL of the ledger; default: a SQLite file in data_dir")
    policy: Path | None = Field(None, description="a TOML file that extends the source policy")
    web_policy: Path | None = Field(None, description="a TOML file that says which hosts may be read")
    contact: str | None = Field(None, description="mail address or page by which sites can reach you; sent to them")
    gateway: str | None = Field(None, description="where `affidavit gateway` is: unix:PATH or tcp://127.0.0.1:PORT")
    gateway_token: Path | None = Field(None, description="the file in which that gateway writes its token")
    gateway_unread_megabytes: int = Field(
        256, ge=1, le=65_536, description="pages that `affidavit gateway` keeps for a run that has not read them yet"
    )
    fetch_seconds: float = Field(30.0, gt=0, le=600, description="time one page may take to come")
    fetch_megabytes: int = Field(32, ge=1, le=64, description="the largest page that is read, as it is sent")
    cache_seconds: float | None = Field(
        None, ge=0, description="how long a kept page is read without asking its site; none: as the site says; 0: never"
    )
    workers: int = Field(default_factory=lambda: max(1, min(8, os.cpu_count() or 1)), ge=1, le=64)
    page_seconds: float = Field(20.0, gt=0, le=600, description="time one page may take to extract")
    page_megabytes: int = Field(1024, ge=256, le=65_536, description="memory one page may take to extract")
    search: Annotated[tuple[str, ...], BeforeValidator(_listed)] = Field(
        ("wikipedia", "tavily", "arxiv", "crossref", "pubmed"), description="search providers, all asked at once"
    )
    search_seconds: float = Field(20.0, gt=0, le=600, description="time one provider may take for one search")
    search_language: str | None = Field(None, pattern=r"^[A-Za-z]{2,3}(-[A-Za-z]{2,8})?$")
    search_region: str | None = Field(None, pattern=r"^[A-Za-z]{2}$", description="country code, ISO 3166-1")
    search_recency_days: int | None = Field(
        None, ge=1, le=36_500, description="find only pages dated within these days"
    )
    offline: bool = Field(False, description="read archives and files only; no page and no provider is asked")
    searxng_url: str | None = Field(None, description="address of a SearXNG instance of yours")
    mediawiki_url: str | None = Field(None, description="address of the api.php of a MediaWiki of yours")
    models: Models = Field(default_factory=lambda: Models.model_validate({}), description="language models, by role")


def load_settings(environ: Mapping[str, str] | None = None, **arguments: Any) -> Settings:
    """Build the settings. Raises UserError naming the setting, its value and where it came from."""
    env = os.environ if environ is None else environ
    given = {key.removeprefix(PREFIX): value for key, value in env.items() if key.startswith(PREFIX) and value}
    explicit = given.pop(CONFIG, None)
    path = Path(explicit) if explicit else platformdirs.user_config_path("affidavit") / "config.toml"
    values = _from_file(path, required=explicit is not None)
    _known(values, f"in {path}")
    from_env = _nested({key.lower(): value for key, value in given.items()})
    _known(from_env, f"in the environment ({PREFIX}…)")
    chosen = {key: value for key, value in arguments.items() if value is not None}
    try:
        settings = Settings.model_validate(_merged(_merged(values, from_env), chosen))
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(map(str, first["loc"]))
        raise UserError(f"setting {name} = {first['input']!r}: {first['msg'].lower()}") from error
    return settings.model_copy(
        update={
            "cache_dir": settings.cache_dir.expanduser().absolute(),
            "data_dir": settings.data_dir.expanduser().absolute(),
        }
    )


def _from_file(path: Path, *, required: bool) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            return tomllib.load(file)
    except FileNotFoundError:
        if required:
            raise UserError(f"{PREFIX}{CONFIG} names {path}, which does not exist") from None
        return {}
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: not valid TOML: {error}") from error


def _nested(values: Mapping[str, str]) -> dict[str, Any]:
    """What the environment says, its tables as tables: ``models__writer`` is `writer` in the table `models`."""
    found: dict[str, Any] = {}
    for name, value in sorted(values.items()):
        *tables, last = name.split("__")
        table = found
        for one in tables:
            table = table.setdefault(one, {})
            if not isinstance(table, dict):
                raise UserError(f"{PREFIX}{name.upper()} is part of {one}, which has a value of its own; remove one")
        table[last] = value
    return found


def _merged(under: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Both, table by table; `over` wins."""
    found = dict(under)
    for name, value in over.items():
        below = found.get(name)
        found[name] = _merged(below, value) if isinstance(below, dict) and isinstance(value, dict) else value
    return found


def _known(values: Mapping[str, Any], where: str, model: type[BaseModel] = Settings, table: str = "") -> None:
    for name, value in values.items():
        if name not in model.model_fields:
            close = difflib.get_close_matches(name, model.model_fields, 1)
            hint = f"; did you mean {table + close[0]!r}?" if close else f"; known: {', '.join(model.model_fields)}"
            raise UserError(f"unknown setting {table + name!r} {where}{hint}")
        of = model.model_fields[name].annotation
        if isinstance(value, dict) and isinstance(of, type) and issubclass(of, BaseModel):
            _known(value, where, of, f"{table}{name}.")
