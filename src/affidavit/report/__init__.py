"""A result for its reader: terminal, Markdown, HTML, JSON, and the sources for reference managers.

Every format prints one arrangement (`outline`) in one wording (`wording`), and everything page-supplied passes
through `inert` on its way.
"""

import json
from collections.abc import Callable, Mapping
from types import MappingProxyType

from affidavit.errors import UserError
from affidavit.evidence.answer import Answer
from affidavit.evidence.check import Check
from affidavit.report.as_json import answer_json
from affidavit.report.bibliography import render_bibtex, render_csl, render_ris
from affidavit.report.check_html import render_check_html
from affidavit.report.check_json import check_json
from affidavit.report.check_markdown import render_check_markdown
from affidavit.report.check_terminal import render_check_terminal, show_check
from affidavit.report.html import render_html
from affidavit.report.markdown import render_markdown
from affidavit.report.sarif import render_sarif
from affidavit.report.terminal import render_terminal, show

__all__ = ["CHECK_FORMATS", "FORMATS", "render", "render_check", "render_sarif", "show", "show_check"]


def _render_json(answer: Answer) -> str:
    return json.dumps(answer_json(answer), ensure_ascii=False, indent=2, allow_nan=False) + "\n"


_RENDERERS: Mapping[str, Callable[[Answer], str]] = MappingProxyType(
    {
        "terminal": render_terminal,
        "md": render_markdown,
        "html": render_html,
        "json": _render_json,
        "bibtex": render_bibtex,
        "ris": render_ris,
        "csl": render_csl,
    }
)
FORMATS = tuple(_RENDERERS)


def render(answer: Answer, output_format: str, *, verbose: bool = False) -> str:
    """`answer` in one of `FORMATS`, as text that ends with a line feed (RIS with CRLF).

    `verbose` lengthens the terminal format and no other; the others always hold everything. The terminal format is
    plain here; `show` prints it with style on a terminal. Raises UserError for a format that is not known.
    """
    if output_format == "terminal":
        return render_terminal(answer, verbose=verbose)
    renderer = _RENDERERS.get(output_format)
    if renderer is None:
        raise UserError(f"format {output_format!r} is not known; known: {', '.join(FORMATS)}")
    return renderer(answer)


def _render_check_json(check: Check) -> str:
    return json.dumps(check_json(check), ensure_ascii=False, indent=2, allow_nan=False) + "\n"


_CHECK_RENDERERS: Mapping[str, Callable[[Check], str]] = MappingProxyType(
    {
        "terminal": render_check_terminal,
        "md": render_check_markdown,
        "html": render_check_html,
        "json": _render_check_json,
        "sarif": render_sarif,
    }
)
CHECK_FORMATS = tuple(_CHECK_RENDERERS)


def render_check(check: Check, output_format: str, *, verbose: bool = False) -> str:
    """`check` in one of `CHECK_FORMATS`. Raises UserError for a format that is not known."""
    if output_format == "terminal":
        return render_check_terminal(check, verbose=verbose)
    renderer = _CHECK_RENDERERS.get(output_format)
    if renderer is None:
        raise UserError(f"format {output_format!r} is not known; known: {', '.join(CHECK_FORMATS)}")
    return renderer(check)
