"""Which parts of a page are its menus, and which its main region, as far as the markup says."""

from dataclasses import replace
from enum import Enum
from typing import Any

from affidavit.extract.flow import Draft


class Region(Enum):
    """What an element makes of the page inside it."""

    MAIN = "main"
    ASIDE = "aside"
    NAVIGATION = "navigation"


_NAVIGATION_ROLES = frozenset({"navigation", "menu", "menubar", "tablist", "toolbar", "directory", "search"})
_ASIDE_ROLES = frozenset({"banner", "contentinfo", "complementary"})
_BREADCRUMB = ("breadcrumb", "bread-crumb")
# A list is a menu when links make up this share of its text and its items are short.
_LINK_SHARE = 0.9
_MENU_ITEM = 60


def has_main(tree: Any) -> bool:
    """Whether the page says where its main content is."""
    return next(tree.iter("main", "article"), None) is not None or bool(tree.xpath("boolean(//*[@role='main'])"))


def links_a_sheet(tree: Any) -> bool:
    """Whether the page uses a style sheet that is not loaded."""
    return any("stylesheet" in (link.get("rel") or "").lower() for link in tree.iter("link"))


def region(tag: str, role: str | None, element: Any, *, inside_main: bool) -> Region | None:
    """The region an element opens; None where it opens none."""
    if tag == "nav" or role in _NAVIGATION_ROLES or tag == "menu":
        return Region.NAVIGATION
    if tag in ("main", "article") or role == "main":
        return Region.MAIN
    if role in _ASIDE_ROLES or tag == "footer" or (tag in ("header", "aside") and not inside_main):
        return Region.ASIDE
    if tag in ("ul", "ol", "div", "p"):
        names = f"{element.get('class') or ''} {element.get('aria-label') or ''}".lower()
        if any(word in names for word in _BREADCRUMB):
            return Region.NAVIGATION
    return None


def mark_links(drafts: list[Draft]) -> None:
    """Call a short block outside the main region a menu entry when it is nothing but links ("Skip to content")."""
    for draft in drafts:
        outside = not draft.place.main and not draft.place.navigation
        if outside and draft.links and _LINK_SHARE * len(draft.text) <= draft.linked and len(draft.text) <= _MENU_ITEM:
            draft.place = replace(draft.place, navigation=True)


def mark_list(drafts: list[Draft], start: int, element: Any, *, has_main: bool) -> None:
    """Call a finished list a menu when it is little but links: to places on this page, or outside the main region."""
    items = [draft for draft in drafts[start:] if draft.text]
    if len(items) < 2 or all(draft.place.navigation for draft in items):
        return
    total = sum(len(draft.text) for draft in items)
    linked = sum(draft.linked for draft in items)
    if linked < _LINK_SHARE * total or total > _MENU_ITEM * len(items):
        return
    contents = all((link.get("href") or "").startswith("#") for link in element.iter("a"))
    outside = not has_main or any(draft.place.menu or not draft.place.main for draft in items)
    if contents or outside:
        for draft in items:
            draft.place = replace(draft.place, navigation=True)
