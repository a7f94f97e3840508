"""``affidavit gateway``: the one process that holds the network and the search keys."""

import asyncio
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, cast

import typer

from affidavit.cli.exit_codes import Exit
from affidavit.egress.policy import load_web_policy
from affidavit.egress.process.client import gateway_status
from affidavit.egress.process.place import Place, read_place
from affidavit.egress.process.token import read_token
from affidavit.errors import UserError
from affidavit.report.inert import passage
from affidavit.search.serving import Serving, log_line, serve_gateway
from affidavit.settings import Settings, load_settings

SOCKET = "gateway.sock"
"""In the data folder, where no other place is named."""


def gateway(
    socket: Annotated[
        Path | None, typer.Option(metavar="PATH", help="Listen at this Unix socket; only this user can connect.")
    ] = None,
    listen: Annotated[
        str | None, typer.Option(metavar="127.0.0.1:PORT", help="Listen at a port of this machine instead.")
    ] = None,
    token_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a new token here, which runs must know.")
    ] = None,
    group: Annotated[str | None, typer.Option(help="Let this group connect to the socket, too.")] = None,
    policy: Annotated[
        Path | None, typer.Option(help="A TOML file that says which hosts may be read; runs can only narrow it.")
    ] = None,
    no_given: Annotated[
        bool,
        typer.Option("--no-given", help="Take no addresses from runs: they fetch what was found, and links of it."),
    ] = False,
    check: Annotated[bool, typer.Option("--check", help="Ask a gateway that runs how it is, and start none.")] = False,
) -> int:
    """Fetch and search for runs on this machine, which then need no network of their own.

    Runs use it by the setting gateway. Every decision is a line of JSON on stderr. SIGTERM ends it.
    """
    settings = load_settings(web_policy=policy)
    place = _place(socket, listen, settings)
    if check:
        token = token_file or settings.gateway_token
        status = asyncio.run(gateway_status(place, token=read_token(token.expanduser()) if token else None))
        for one in _lines(place, status):  # its columns stay, which `line` would close up
            print(passage(one).replace("\n", " "))
        return Exit.DONE
    serving = Serving(
        place=place,
        policy=load_web_policy(settings.web_policy),
        group=group,
        token_file=token_file,
        given_allowed=not no_given,
    )
    asyncio.run(serve_gateway(settings, serving, log=log_line, on_ready=_tell))
    return Exit.DONE


def _place(path: Path | None, listen: str | None, settings: Settings) -> Place:
    if path is not None and listen is not None:
        raise UserError("--socket and --listen name two places; a gateway is at one")
    if path is not None:
        return read_place(f"unix:{path.expanduser().absolute()}")
    if listen is not None:
        return read_place(listen if "://" in listen else f"tcp://{listen}")
    return read_place(settings.gateway) if settings.gateway else Place(settings.data_dir / SOCKET)


def _tell(place: Place) -> None:
    print(f'affidavit: the gateway is at {place}; runs use it with gateway = "{place}"', file=sys.stderr, flush=True)


def _lines(place: Place, status: Mapping[str, object]) -> list[str]:
    since = datetime.fromtimestamp(cast("float", status["since"]), UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    policy = cast("Mapping[str, list[object]]", status["policy"])
    named = {name: ", ".join(map(str, entries)) for name, entries in policy.items() if name != "types" and entries}
    lines = [
        f"gateway  {place}, affidavit {status['version']}, since {since}, {status['runs']} runs open",
        f"policy   {'; '.join(f'{name}: {entries}' for name, entries in named.items())}",
        f"given    addresses given by runs are {'taken' if status['given'] else 'refused'}",
    ]
    for one in cast("list[Mapping[str, str | None]]", status["providers"]):
        lines.append(f"search   {one['name']}: {one['missing'] or 'ready'}")
    return lines
