"""What a page's markup says about it that no reader reads: redirects, forms, consent frames, scripts.

None of it is ever quoted; it only helps to tell a page from what stands in a page's place.
"""

import re
from dataclasses import dataclass
from typing import Any, TypeAlias
from urllib.parse import urljoin, urlsplit

Element: TypeAlias = Any
"""An lxml element; lxml ships no types."""


_REFRESH = re.compile(
    r"^\s*(\d+(?:\.\d*)?)\s*(?:[;,]\s*(?:url\s*=\s*)?['\"]?\s*([^'\"]+?)\s*['\"]?\s*)?$", re.IGNORECASE
)
# The one statement of a stub's script: location = "…", window.location.href = '…', location.replace("…").
_SCRIPT_REDIRECT = re.compile(
    r"""\b(?:(?:window|document|self|top)\.)?location(?:\.href)?\s*=\s*["']([^"']+)["']|"""
    r"""\blocation\.(?:replace|assign)\(\s*["']([^"']+)["']\s*\)"""
)
# A refresh after more seconds than this keeps a page up to date; it sends nobody on.
_LONGEST_WAIT = 30
# Words in the address of a frame that shows a consent platform: the trade's own terms ("CMP" is IAB Europe's).
_CONSENT = re.compile(r"\b(?:consent|cmp|cookie-?wall|cookie-?consent|privacy-?mgmt|tcf)\b|consent", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Cues:
    """`redirect` is the absolute URL a stub sends a browser to, other than the page itself; None without one."""

    redirect: str | None = None
    scripts: int = 0
    frames: int = 0
    consent_frame: bool = False
    password_field: bool = False


NO_CUES = Cues()


def read_cues(tree: Element, url: str) -> Cues:
    """The cues of a parsed page whose own address is `url`."""
    frames = [frame.get("src") or "" for frame in tree.iter("iframe", "frame")]
    inputs = (field.get("type") or "" for field in tree.iter("input"))
    return Cues(
        redirect=_redirect(tree, url),
        scripts=sum(1 for _ in tree.iter("script")),
        frames=len(frames),
        consent_frame=any(_CONSENT.search(source) for source in frames),
        password_field=any(kind.lower() == "password" for kind in inputs),
    )


def _redirect(tree: Element, url: str) -> str | None:
    base = next((urljoin(url, element.get("href") or "") for element in tree.iter("base")), url)
    targets = [
        match[2]
        for meta in tree.iter("meta")
        if (meta.get("http-equiv") or "").lower() == "refresh"
        and (match := _REFRESH.match(meta.get("content") or ""))
        and int(match[1]) <= _LONGEST_WAIT
    ]
    for script in tree.iter("script"):
        text = script.text or ""
        if len(text) < 2000 and (match := _SCRIPT_REDIRECT.search(text)):
            targets.append(match[1] or match[2])
    for target in targets:
        if target and (absolute := _absolute(base, target)) and absolute.split("#")[0] != url.split("#")[0]:
            return absolute
    return None


def _absolute(base: str, target: str) -> str | None:
    try:
        joined = urljoin(base, target)
        return joined if urlsplit(joined).scheme in ("http", "https") else None
    except ValueError:
        return None
