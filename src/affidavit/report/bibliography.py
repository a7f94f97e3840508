"""The pages an answer cites, for reference managers: BibTeX, RIS and CSL-JSON.

An entry is one page that a published claim, a claim supported in part, or a side of a conflict quotes; what was only
ranked or dropped is no reference. Keys are made of the page's host and address alone, so the same page has the same
key in every answer. Names are kept whole (`literal`, double braces): a page's author line is not parsed into a
given and a family name that it may not hold.
"""

import hashlib
import json
import re
from dataclasses import dataclass

from affidavit.evidence.answer import Answer
from affidavit.evidence.document import Document
from affidavit.report import inert
from affidavit.report.outline import Outline

_DATE = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?")
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """One cited page, its fields inert text on one line. Dates are ``(year, month, day)``, as far as they are known."""

    key: str
    title: str
    author: str
    site: str
    url: str
    published: tuple[int, ...]
    accessed: tuple[int, ...]
    language: str


def references(answer: Answer) -> tuple[Reference, ...]:
    """The cited pages in the order of their first citation, each once."""
    found = (_reference(page[0].document) for page in Outline(answer).pages)
    return tuple({reference.key: reference for reference in found}.values())


def render_bibtex(answer: Answer) -> str:
    """BibTeX and BibLaTeX entries (``@misc`` with ``url`` and ``urldate``), in UTF-8."""
    return "\n".join(_bibtex(reference) for reference in references(answer)) or "% No page is cited.\n"


def render_ris(answer: Answer) -> str:
    """RIS records of type ELEC (web page); "" when no page is cited."""
    return "\r\n".join(_ris(reference) for reference in references(answer))


def render_csl(answer: Answer) -> str:
    """A CSL-JSON array of items of type webpage."""
    return json.dumps([_csl(reference) for reference in references(answer)], ensure_ascii=False, indent=2) + "\n"


def _reference(document: Document) -> Reference:
    url = inert.web_url(document.final_url) or ""
    host = inert.web_host(document.final_url)
    digest = hashlib.sha256(document.canonical_url.encode()).hexdigest()[:8]
    language = (document.language or "").strip()
    return Reference(
        key=f"{re.sub('[^a-z0-9]+', '-', host.lower()).strip('-') or 'page'}-{digest}",
        title=inert.line(document.title or "") or host,
        author=inert.line(document.author or ""),
        site=inert.line(document.site_name or "") or host,
        url=url,
        published=_date_parts(document.published),
        accessed=_date_parts(document.retrieved_at[:10]),
        language=language if _LANGUAGE.fullmatch(language) else "",
    )


def _date_parts(date: str | None) -> tuple[int, ...]:
    """``2025-11`` as ``(2025, 11)``; () for what is no ISO date."""
    match = _DATE.fullmatch(date or "")
    parts = tuple(int(part) for part in match.groups() if part) if match else ()
    return parts if parts[1:2] <= (12,) and parts[2:3] <= (31,) and all(parts) else ()


def _iso(parts: tuple[int, ...]) -> str:
    return "-".join(f"{part:02d}" for part in parts)


def _bibtex(reference: Reference) -> str:
    fields = {
        "title": f"{{{inert.tex(reference.title)}}}",
        "author": f"{{{inert.tex(reference.author)}}}" if reference.author else "",
        "organization": inert.tex(reference.site),
        "year": str(reference.published[0]) if reference.published else "",
        "month": str(reference.published[1]) if len(reference.published) > 1 else "",
        "day": str(reference.published[2]) if len(reference.published) > 2 else "",
        "url": reference.url,
        "urldate": _iso(reference.accessed),
    }
    lines = (f"  {name} = {{{value}}}," for name, value in fields.items() if value)
    return "\n".join((f"@misc{{{reference.key},", *lines, "}", ""))


def _ris(reference: Reference) -> str:
    fields = (
        ("TY", "ELEC"),
        ("ID", reference.key),
        ("TI", reference.title),
        ("AU", reference.author),
        ("T2", reference.site),
        ("PY", str(reference.published[0]) if reference.published else ""),
        ("DA", _ris_date(reference.published)),
        ("UR", reference.url),
        ("Y2", _ris_date(reference.accessed)),
        ("LA", reference.language),
    )
    return "".join(f"{tag}  - {value}\r\n" for tag, value in fields if value) + "ER  - \r\n"


def _ris_date(parts: tuple[int, ...]) -> str:
    """``YYYY/MM/DD/``, with what is not known left empty between its slashes."""
    return "/".join(f"{part:02d}" for part in parts) + "/" * (4 - len(parts)) if parts else ""


def _csl(reference: Reference) -> dict[str, object]:
    item: dict[str, object] = {"id": reference.key, "type": "webpage", "title": reference.title}
    if reference.author:
        item["author"] = [{"literal": reference.author}]
    item["container-title"] = reference.site
    if reference.url:
        item["URL"] = reference.url
    if reference.published:
        item["issued"] = {"date-parts": [list(reference.published)]}
    if reference.accessed:
        item["accessed"] = {"date-parts": [list(reference.accessed)]}
    if reference.language:
        item["language"] = reference.language
    return item
