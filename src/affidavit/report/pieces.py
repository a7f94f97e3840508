"""A piece for its reader, in each of its formats."""

import json
from collections.abc import Callable, Mapping
from types import MappingProxyType

from affidavit.errors import UserError
from affidavit.evidence.piece import Piece
from affidavit.report.piece_html import render_piece_html
from affidavit.report.piece_json import piece_json
from affidavit.report.piece_markdown import render_piece_markdown
from affidavit.report.piece_terminal import render_piece_terminal


def _render_json(piece: Piece) -> str:
    return json.dumps(piece_json(piece), ensure_ascii=False, indent=2, allow_nan=False) + "\n"


_RENDERERS: Mapping[str, Callable[[Piece], str]] = MappingProxyType(
    {
        "terminal": render_piece_terminal,
        "md": render_piece_markdown,
        "html": render_piece_html,
        "json": _render_json,
    }
)
PIECE_FORMATS = tuple(_RENDERERS)


def render_piece(piece: Piece, output_format: str) -> str:
    """`piece` in one of `PIECE_FORMATS`, as text that ends with a line feed. Raises UserError for another."""
    renderer = _RENDERERS.get(output_format)
    if renderer is None:
        raise UserError(f"format {output_format!r} is not known; known: {', '.join(PIECE_FORMATS)}")
    return renderer(piece)
