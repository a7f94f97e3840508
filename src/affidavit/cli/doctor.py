"""``affidavit doctor``: what is set up, what is missing, and how to get it."""

import asyncio
import importlib.util
import json
import os
import platform
import sqlite3
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, cast

import typer
from rich.console import Console
from rich.table import Table

from affidavit.cli.exit_codes import Exit
from affidavit.egress.policy import load_web_policy
from affidavit.errors import AffidavitError, OperatorError, UserError
from affidavit.models.readiness import readiness as models_readiness
from affidavit.report.inert import line
from affidavit.search.elsewhere import named_gateway
from affidavit.search.live import Readiness, open_api, probe, readiness
from affidavit.settings import Settings, load_settings
from affidavit.version import __version__
from affidavit.wiring import ledger_url, open_ledger, tell_nobody


@dataclass(frozen=True, slots=True)
class Finding:
    """`state` is ok, missing (optional) or broken (must be put right). `what_to_do` is empty when ok."""

    part: str
    state: str
    detail: str
    what_to_do: str = ""


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    online: Annotated[
        bool,
        typer.Option(
            "--online", help="Also try each search provider of the settings, with a search that may cost money."
        ),
    ] = False,
) -> int:
    """Say what is configured, what is missing and how to get it."""
    settings = load_settings()
    findings = [
        *examine(settings),
        *(_web(settings, online=online) if settings.gateway is None else _gateway(settings)),
    ]
    if as_json:
        print(json.dumps([asdict(finding) for finding in findings], indent=2))
    else:
        table = Table(box=None, pad_edge=False, header_style="bold")
        for name in ("part", "state", "detail"):
            table.add_column(name, overflow="fold")
        for finding in findings:
            detail = finding.detail + (f" — {finding.what_to_do}" if finding.what_to_do else "")
            table.add_row(finding.part, finding.state, line(detail))
        Console(highlight=False, markup=False).print(table)
    return Exit.FAILED if any(finding.state == "broken" for finding in findings) else Exit.DONE


def examine(settings: Settings) -> list[Finding]:
    """Every part, in the order in which a run needs them."""
    return [
        Finding("affidavit", "ok", f"{__version__}, Python {platform.python_version()} on {sys.platform}"),
        _full_text_search(),
        _folder("cache", settings.cache_dir, "AFFIDAVIT_CACHE_DIR"),
        _folder("data", settings.data_dir, "AFFIDAVIT_DATA_DIR"),
        _ledger(settings),
        Finding("verifier", "ok", "verbatim: publishes only sentences that stand word for word in their page"),
        Finding("pages", "ok", "the live web; WARC, WACZ and folders of pages with --web FILE"),
        Finding("encoder", "ok", "all-MiniLM-L6-v2, comes with the package; helps to choose sentences"),
        *_models(settings),
        _extra("signatures", "cryptography", "sign", "sign and check bundles"),
        _extra("PostgreSQL", "psycopg", "postgres", "keep the ledger in PostgreSQL"),
    ]


def _models(settings: Settings) -> list[Finding]:
    """Each role, and the model that plays it. Nothing is sent."""
    try:
        roles = models_readiness(settings.models)
    except UserError as error:
        return [Finding("models", "broken", str(error))]
    if all(one.model is None for one in roles):
        return [Finding("models", "missing", "none is needed: answers are sentences of the pages, word for word")]
    found: list[Finding] = []
    for one in roles:
        part = f"model: {one.role.value}"
        if one.wrong is not None:
            found.append(Finding(part, "broken", one.wrong))
        else:
            absent = one.model is None or one.missing is not None
            found.append(Finding(part, "missing" if absent else "ok", one.detail, one.missing or ""))
    return found


def _full_text_search() -> Finding:
    connection = sqlite3.connect(":memory:")
    try:
        connection.execute("CREATE VIRTUAL TABLE probe USING fts5(text)")
    except sqlite3.OperationalError:
        return Finding("search", "broken", f"SQLite {sqlite3.sqlite_version} has no FTS5", "use a Python built with it")
    finally:
        connection.close()
    return Finding("search", "ok", f"embedded, SQLite {sqlite3.sqlite_version} with FTS5")


def _folder(part: str, path: Path, variable: str) -> Finding:
    """Whether `path`, or the nearest folder above it that exists, can be written."""
    nearest = next(folder for folder in (path, *path.parents) if folder.exists())
    if not nearest.is_dir() or not os.access(nearest, os.W_OK):
        return Finding(part, "broken", f"{path} cannot be written", f"change its permissions, or set {variable}")
    size = sum(file.stat().st_size for file in path.rglob("*") if file.is_file()) if path.exists() else 0
    return Finding(part, "ok", f"{path} ({size / 1e6:.1f} MB)")


def _ledger(settings: Settings) -> Finding:
    try:
        with open_ledger(settings) as ledger:
            count = len(ledger.runs(10_000))
    except OperatorError as error:
        return Finding("ledger", "broken", str(error))
    return Finding("ledger", "ok", f"{ledger_url(settings)} ({count} runs)")


def _extra(part: str, module: str, extra: str, purpose: str) -> Finding:
    if importlib.util.find_spec(module) is None:
        return Finding(part, "missing", f"optional, to {purpose}", f"pip install 'affidavit[{extra}]'")
    return Finding(part, "ok", purpose)


def _live_web(settings: Settings, providers: list[Readiness], *, online: bool) -> Finding:
    """What of the web may be read, and whether it is there: a provider that answers tells."""
    part = "live web"
    if settings.offline:
        return Finding(part, "ok", "not used: the setting offline is on")
    try:
        policy = load_web_policy(settings.web_policy)
    except UserError as error:
        return Finding(part, "broken", str(error), "correct the file, or the setting web_policy")
    said = f"reads {', '.join((*policy.allow, *policy.allow_private))}"
    if policy.deny:
        said += f", but not {', '.join(policy.deny)}"
    contact = settings.contact or "none; set AFFIDAVIT_CONTACT, so that sites can write to you before they block you"
    said += f"; contact: {contact}"
    if not online:
        return Finding(part, "ok", f"{said}; not tried", "`affidavit doctor --online` tries it")
    answered = [one.entry.name for one in providers if one.used and one.missing is None and one.failure is None]
    if not answered:
        return Finding(
            part, "broken", f"{said}; no search provider answers", "check the connection; --web FILE needs none"
        )
    verb = "answers" if len(answered) == 1 else "answer"
    return Finding(part, "ok", f"{said}; {', '.join(answered)} {verb}")


async def _readiness(settings: Settings, *, online: bool) -> list[Readiness]:
    """Each search provider: whether it can be asked. Nothing is sent unless `online`."""
    async with open_api(settings, tell_nobody) as api:
        found = readiness(settings, api)
        if online:
            used = [one for one in found if one.used]
            tried = await asyncio.gather(*(probe(settings, api, one) for one in used))
            found = [*tried, *(one for one in found if not one.used)]
    return found


def _web(settings: Settings, *, online: bool) -> list[Finding]:
    """The live web from this process, and each search provider."""
    online = online and not settings.offline
    tried = asyncio.run(_readiness(settings, online=online))
    return [_live_web(settings, tried, online=online), *(_provider(one, online=online) for one in tried)]


def _gateway(settings: Settings) -> list[Finding]:
    """The gateway that the settings name, and the providers that it has; its keys are not here to be looked at."""
    try:
        place, status = asyncio.run(named_gateway(settings))
    except AffidavitError as error:
        return [Finding("gateway", "broken", str(error))]
    found = [Finding("gateway", "ok", f"{place}, affidavit {status['version']}")]
    for one in cast("list[Mapping[str, str | None]]", status["providers"]):
        name, missing = f"search: {one['name']}", one["missing"]
        what = "set it where the gateway runs" if missing else ""
        found.append(Finding(name, "missing" if missing else "ok", missing or "ready, by the gateway", what))
    return found


def _provider(one: Readiness, *, online: bool) -> Finding:
    entry = one.entry
    part = f"search: {entry.name}"
    cost = f"{entry.title}: {entry.cost} (as of {entry.as_of})"
    if one.missing is not None:
        return Finding(part, "missing", f"{cost}; {one.missing}", "set it" if one.used else "optional")
    if one.failure is not None:
        return Finding(
            part, "broken", f"{one.failure.kind.value.replace('_', ' ')}: {one.failure.detail}", one.failure.advice
        )
    if not one.used:
        return Finding(part, "ok", f"{cost}; not in the setting search, so not asked")
    return Finding(part, "ok", f"{cost}; answers" if online else cost)
