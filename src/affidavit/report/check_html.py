"""A check as one HTML file that asks nothing of anybody, in the style of an answer's.

The draft stands in its own order; a sentence opens its quote where it stands on its stored page, by the browser's own
``<details>``: no script, no request, and the Content-Security-Policy allows the style sheet of exactly this digest.
"""

import base64
import hashlib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from affidavit.evidence.check import Check, CheckedSentence, CheckedSource
from affidavit.evidence.document import Document
from affidavit.report import check_wording
from affidavit.report.html import environment
from affidavit.report.page_context import PageContext, page_context
from affidavit.report.wording import counted, uncalibrated


@dataclass(frozen=True, slots=True)
class Shown:
    """A sentence with the page around the passage it was held against."""

    sentence: CheckedSentence
    source: CheckedSource | None
    document: Document | None
    context: PageContext | None


def render_check_html(check: Check) -> str:
    """`check` as a self-contained HTML5 document."""
    style = _style()
    sources = check_wording.arranged(check)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return (
        environment()
        .get_template("check.html.j2")
        .render(
            check=check,
            shown=[_shown(check, sentence) for sentence in check.sentences],
            sources=sources,
            others=f"{counted(len(sources.others), 'more source')} {check_wording.OTHERS}",
            style=style,
            digest=digest,
            words=check_wording,
            unmeasured=uncalibrated(check.verifier),
        )
    )


def _shown(check: Check, sentence: CheckedSentence) -> Shown:
    if sentence.span is None:
        return Shown(sentence, None, None, None)
    document = check.document(sentence.span.doc_id)
    return Shown(sentence, check.source(sentence.span.doc_id), document, page_context(document, sentence.span))


@lru_cache(maxsize=1)
def _style() -> str:
    folder = files("affidavit.report")
    return "\n".join(folder.joinpath(name).read_text(encoding="utf-8") for name in ("style.css", "check.css"))
