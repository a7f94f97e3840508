"""A piece as one HTML file that asks nothing of anybody: no script, no image, no request, as an answer's.

The text is a model's, or a stranger's. Its Markdown is rendered without raw HTML and without images, and what comes of
that passes a list of allowed elements; a link leads to the web or is words.
"""

import base64
import hashlib
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

from affidavit.evidence.piece import Piece
from affidavit.report import inert
from affidavit.report import piece_wording as words
from affidavit.report.html import environment

if TYPE_CHECKING:
    from markupsafe import Markup

_ELEMENTS = {
    "p", "br", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "strong", "em", "code", "pre",
    "a", "table", "thead", "tbody", "tr", "th", "td", "s",
}  # fmt: skip


def render_piece_html(piece: Piece) -> str:
    """`piece` as a self-contained HTML5 document. The drafts of a withheld piece are not in it."""
    style = _style()
    return (
        environment()
        .get_template("piece.html.j2")
        .render(
            piece=piece,
            body=None if piece.text is None else _rendered(piece.text),
            state=words.STATES[piece.state],
            words=words,
            style=style,
            digest=base64.b64encode(hashlib.sha256(style.encode()).digest()).decode(),
        )
    )


def _rendered(text: str) -> "Markup":
    # late: markdown-it takes 50 ms to import and nh3 10, and only this format needs them
    import nh3
    from markdown_it import MarkdownIt
    from markupsafe import Markup

    made = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"]).disable("image")
    clean = nh3.clean(
        made.render(inert.passage(text)),
        tags=_ELEMENTS,
        attributes={"a": {"href"}},
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer nofollow",
    )
    return Markup(clean)  # noqa: S704 - cleaned above, and escaped by neither


@lru_cache(maxsize=1)
def _style() -> str:
    folder = files("affidavit.report")
    return "\n".join(folder.joinpath(name).read_text(encoding="utf-8") for name in ("style.css", "piece.css"))
