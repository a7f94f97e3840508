"""The options about the web that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

AllowHost = Annotated[
    list[str] | None,
    typer.Option(
        metavar="HOST",
        help="Read only this host, or *.HOST for those under it; never more than the web policy allows. Repeatable.",
    ),
]
DenyHost = Annotated[
    list[str] | None, typer.Option(metavar="HOST", help="Never read this host, or *.HOST. Stands over --allow-host.")
]
Offline = Annotated[
    bool, typer.Option("--offline", help="Ask no site and no search provider: archives and files only.")
]
SaveWeb = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="Also append what is read of the live web to this WARC file (.warc.gz), for --web FILE."
    ),
]
