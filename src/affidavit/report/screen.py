"""The terminal itself: how wide it is, whether it wants style, and rich parts as text for it.

A page's ``[bold]`` is two words in brackets here, and what is piped, or printed under NO_COLOR, is plain characters
in `WIDTH` columns.
"""

import io
import os
import sys
from collections.abc import Iterable
from typing import Protocol, TextIO

from rich.console import Console, RenderableType

WIDTH = 80


class Render(Protocol):
    """A result as text for that many columns, with ANSI styles if `styled`."""

    def __call__(self, *, width: int, styled: bool) -> str: ...


def print_on(stream: TextIO | None, render: Render, *, most: int = 100) -> None:
    """Print what `render` gives on `stream` (standard output), styled where `stream` is a terminal that wants it.

    `most` is how many columns of a wider terminal are used: lines of running text are read up to a hundred."""
    out = sys.stdout if stream is None else stream
    tty = out.isatty()
    styled = tty and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    width = min(max(Console(file=out).width, 40), most) if tty else WIDTH
    text = render(width=width, styled=styled)
    # A terminal of a smaller character set gets a question mark for what it cannot show, not an exception.
    encoding = out.encoding or "utf-8"
    out.write(text.encode(encoding, "replace").decode(encoding))


def laid_out(parts: Iterable[RenderableType], *, width: int, styled: bool) -> str:
    """`parts` one below the other as text for `width` columns; without any escape unless `styled`."""
    console = Console(
        file=io.StringIO(),
        width=width,
        force_terminal=styled,
        color_system="standard" if styled else None,
        no_color=not styled,
        legacy_windows=False,
        markup=False,
        highlight=False,
        emoji=False,
        # Nothing of the caller's environment (FORCE_COLOR, COLUMNS) decides: `styled` and `width` do.
        _environ={},
    )
    with console.capture() as captured:
        for part in parts:
            console.print(part, crop=False)
    lines = (row.rstrip() for row in captured.get().split("\n"))
    return "\n".join(lines).rstrip("\n") + "\n"
