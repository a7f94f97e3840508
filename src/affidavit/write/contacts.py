"""Ways to get in touch that a draft names: e-mail and web addresses, telephone numbers.

A writer invents them as readily as figures, and a reader who follows one reaches nobody, or somebody else. So each must
stand in a text that the writer may use, or lead to a site that one of them names or was read on. That it does not is
told and does not block: an address may be true all the same, and a person knows it at a glance.
"""

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from affidavit.evidence.piece import Issue, Origin
from affidavit.write.allowed import Allowed

CODE = "contact_without_source"
_MAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+")
_WEB = re.compile(r"(?:https?://|(?<![\w.@/])www\.)[^\s<>()\[\]\"'`|]{3,}", re.IGNORECASE)
_PHONE = re.compile(r"(?<![\w.,/-])(?:\+\d|\(0\d|0\d|\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}\b)[\d ()./-]{0,20}")
_LEAST_DIGITS = 7
_AROUND = 160


def contact_issues(draft: str, allowed: Allowed) -> Iterator[Issue]:
    """The addresses and telephone numbers of `draft`, Markdown as given, that nothing in `allowed` has."""
    texts = (
        *allowed.texts,
        *(part for fact in allowed.facts for part in (fact.text, fact.value or "", fact.scope_note or "")),
    )
    sources = [source for fact in allowed.facts for source in fact.sources]
    known = "\n".join((*texts, *(source.quote for source in sources))).lower()
    mails = set(_MAIL.findall(known))
    hosts = {_host(url) for url in (*_WEB.findall(known), *(source.url for source in sources))}
    phones = {_digits(match[0]) for match in _PHONE.finditer(known)}
    for match in _MAIL.finditer(draft):
        if match[0].lower() not in mails:
            yield _issue(draft, match.span(), "an e-mail address")
    for match in _WEB.finditer(draft):
        if _host(match[0]) not in hosts:
            yield _issue(draft, (match.start(), match.start() + len(match[0].rstrip(".,;:!?*_"))), "a web address")
    for match in _PHONE.finditer(draft):
        digits = _digits(match[0])
        if len(digits) >= _LEAST_DIGITS and digits not in phones:
            yield _issue(draft, (match.start(), match.start() + len(match[0].rstrip(" ./-("))), "a telephone number")


def _host(url: str) -> str:
    try:
        host = urlsplit(url if "//" in url else f"//{url}").hostname or ""
    except ValueError:
        return ""
    return host.lower().rstrip(".*_,;:!?").removeprefix("www.")


def _digits(number: str) -> str:
    """Its digits, without the sign that stands for a country's own prefix."""
    return re.sub(r"\D", "", number)


def _issue(draft: str, at: tuple[int, int], what: str) -> Issue:
    start = max(draft.rfind("\n", 0, at[0]) + 1, at[0] - _AROUND)
    end = draft.find("\n", at[1])
    end = min(len(draft) if end < 0 else end, at[1] + _AROUND)
    return Issue(
        code=CODE,
        message=f"“{draft[at[0] : at[1]]}” is {what} that no text you approved names: make sure that it is yours.",
        sentence=draft[start:end].strip(),
        blocks=False,
        origin=Origin.CHECK,
        start=at[0],
        end=at[1],
    )
