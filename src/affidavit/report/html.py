"""An answer as one HTML file that asks nothing of anybody: no script, no font, no image, no request.

A citation opens the quotation where it stands on its stored page. That works by the browser's own ``:target``, so it
works with scripts off, from a mail attachment, and in twenty years. A Content-Security-Policy in the file allows one
thing, the style sheet of exactly this digest. Jinja escapes every value, and before that every string passes through
`inert.passage`; addresses become links only as `inert.web_url` gives them back.
"""

import base64
import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

from affidavit.evidence.answer import Answer
from affidavit.evidence.document import BlockKind, Document
from affidavit.report import inert, wording
from affidavit.report.outline import Citation, Outline, Statement, drop_reason, side_note
from affidavit.report.page_context import PageContext, Passage, page_context

if TYPE_CHECKING:
    from jinja2 import Environment

# Rows of a list of machinery shown at once; the rest opens on a click and is printed on paper.
FEW = 8
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*")


@dataclass(frozen=True, slots=True)
class Run:
    """Neighbouring passages of one kind: list items make one list, rows under the same heads one table."""

    kind: BlockKind
    passages: list[Passage]
    heads: str
    broken_before: bool


@dataclass(frozen=True, slots=True)
class Exhibit:
    """A citation with its page context and the claims that it is cited for; `home` is the id of its first place."""

    citation: Citation
    context: PageContext
    cited_for: tuple[str, ...]
    home: str

    @property
    def runs(self) -> list[Run]:
        runs: list[Run] = []
        for passage in self.context.passages:
            heads = " | ".join(map(inert.line, passage.heads))
            if runs and not passage.broken_before and (runs[-1].kind, runs[-1].heads) == (passage.kind, heads):
                runs[-1].passages.append(passage)
            else:
                runs.append(Run(passage.kind, [passage], heads, passage.broken_before))
        return runs


def render_html(answer: Answer) -> str:
    """`answer` as a self-contained HTML5 document."""
    outline = Outline(answer)
    style = _style()
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return (
        environment()
        .get_template("answer.html.j2")
        .render(
            answer=answer,
            outline=outline,
            exhibits=[_exhibit(outline, citation) for citation in outline.citations],
            conflicts=list(zip(answer.conflicts, outline.sides, strict=True)),
            read=sorted(document.retrieved_at for document in answer.documents),
            style=style,
            digest=digest,
            words=wording,
            few=FEW,
        )
    )


def bar(value: float) -> str:
    """The length of a bar of length 100 for a term between 0 and 1."""
    return f"{100 * min(1.0, max(0.0, value)):.1f}"


def language(document: Document) -> str | None:
    """The document's language as an HTML `lang`, or None where it states none that could be one."""
    code = (document.language or "").strip()
    return code if _LANGUAGE.fullmatch(code) else None


def claim_language(statement: Statement) -> str | None:
    """The language of a claim in its source's own words; None where the words are not the source's."""
    return language(statement.citations[0].document) if statement.verbatim else None


def _exhibit(outline: Outline, citation: Citation) -> Exhibit:
    answer = outline.answer
    users = [verified for verified in (*answer.claims, *answer.partial) if citation.span in verified.claim.spans]
    pairs = (index for index, pair in enumerate(outline.sides, 1) if citation in pair)
    return Exhibit(
        citation=citation,
        context=page_context(citation.document, citation.span),
        cited_for=tuple(dict.fromkeys(verified.claim.text for verified in users)),
        home=users[0].claim.claim_id if users else f"conflict-{next(pairs)}",
    )


@lru_cache(maxsize=1)
def _style() -> str:
    return files("affidavit.report").joinpath("style.css").read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def environment() -> "Environment":
    """The one environment of every HTML report: escaping, strict, and every string made inert."""
    # late: jinja2 takes 40 ms to import, and only this format needs it.
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    def finalize(value: object) -> object:
        """Every string a template prints, without exception, is made inert here; only our own markup is not."""
        return inert.passage(value) if isinstance(value, str) and not isinstance(value, Markup) else value

    made = Environment(
        loader=PackageLoader("affidavit.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=finalize,
    )
    filters: dict[str, Callable[..., object]] = {
        "line": inert.line,
        "web_url": inert.web_url,
        "web_host": inert.web_host,
        "language": language,
        "claim_language": claim_language,
        "drop_reason": drop_reason,
        "side_note": side_note,
        "bar": bar,
    }
    made.filters.update(filters)
    return made
