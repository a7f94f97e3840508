"""The walk through a parsed page: which elements are entered, where blocks begin, what kind they are."""

import re
from dataclasses import replace
from typing import Any

import ada_url

from affidavit.evidence.document import BlockKind, Link
from affidavit.extract import formula, navigation
from affidavit.extract.characters import BIDI, clean
from affidavit.extract.css.node import Node
from affidavit.extract.css.stylesheet import collect
from affidavit.extract.defaults import ENDS_PARAGRAPH, KEEPS_PARAGRAPH, NEVER, REOPENED, is_hidden_by_name
from affidavit.extract.drawing import Drawing
from affidavit.extract.flow import Flow, Place
from affidavit.extract.frame import Cover, Frame
from affidavit.extract.placing import STRENGTH, placed
from affidavit.extract.table import Table, holds_data, is_record
from affidavit.extract.visibility import Style, Styler

_IN_LINE = frozenset({"inline", "inline-block", "contents"})
# Drawn, but without text that a reader takes from the page itself: words on both sides stay apart.
_REPLACED_NAMES = "img svg iframe video audio canvas input select textarea object embed progress meter"
_REPLACED = frozenset(_REPLACED_NAMES.split())
# Of the replaced, the ones whose text a reader sees and that is left out: no span may cross them.
_LEFT_OUT = frozenset({"iframe", "textarea"})
_BLOCK_NAMES = "p div ul ol dl dt dd pre table blockquote h1 h2 h3 h4 h5 h6 section"
_BLOCK_TAGS = _BLOCK_NAMES.split()
_WEB = ("http:", "https:")
_SPACE = re.compile(r"\s+")


class Walk:
    """One pass over a page. Afterwards `flow` holds the drafts of its blocks and `links` its links."""

    def __init__(self, tree: Any, base: str) -> None:
        self.tree = tree
        self.base = base
        self.fold = not tree.getroottree().docinfo.doctype
        self.styler = Styler(collect(tree, fold=self.fold))
        self.flow = Flow()
        self.links: list[Link] = []
        self.unloaded = navigation.links_a_sheet(tree)
        self.shadowed = tree.xpath("boolean(//template[@shadowrootmode])")
        self.has_main = navigation.has_main(tree)
        self.stack: list[Frame] = []
        self.pair: Any = None
        self.lists: list[tuple[int, Any]] = []

    def run(self) -> None:
        """Read the whole page."""
        root = self.styler.root()
        node = Node(self.tree, None, None, fold=self.fold)
        style = self.styler.style(node, root)
        if style.is_gone:
            return
        self.stack.append(Frame(self.tree, node, style, iter(self.tree), Place(main=not self.has_main)))
        if self.tree.text:
            self._text(self.tree.text, self.stack[-1])
        stack = self.stack
        while stack:
            frame = stack[-1]
            child = next(frame.children, None)
            if child is None:
                stack.pop()
                self._leave(frame)
                if stack and frame.element.tail:
                    self._text(frame.element.tail, stack[-1])
                continue
            entered = self._enter(child, frame) if isinstance(child.tag, str) else None
            if entered is not None:
                stack.append(entered)
                if child.text:
                    self._text(child.text, entered)
            elif child.tail:
                self._text(child.tail, frame)
        self.flow.flush()
        navigation.mark_links(self.flow.drafts)

    def _text(self, data: str, frame: Frame) -> None:
        style = frame.style
        if not style.shows:
            if style.visible and (style.off or style.clipped or style.size < 1):
                return
            if data.strip():
                self.flow.gap()
        elif style.struck:
            if data.strip():
                self.flow.cut(frame.place)
        elif style.reordered:
            self.flow.flags.add(BIDI)
            if data.strip():
                self.flow.text("\ufffd", "normal", frame.place)
        elif frame.slots is None or "" in frame.slots:
            self.flow.text(data, style.white_space, frame.place)

    def _enter(self, element: Any, parent: Frame) -> Frame | None:
        """The frame of a child that is to be read; None for one that is not, or that is done already."""
        node = Node(element, parent.node, parent.last, fold=self.fold)
        parent.last = node
        tag = node.tag
        if tag == "br":
            self._line(parent)
            return None
        if tag in NEVER or tag == "svg" or tag == "img":
            self._replaced(element, tag, node, parent)
            return None
        if parent.paragraph is not None and tag in ENDS_PARAGRAPH:
            self._end_paragraph(parent.paragraph)
        style = self.styler.style(node, parent.style)
        if style.is_gone or self._is_withheld(node, style, parent):
            return None
        frame = Frame(
            element,
            node,
            style,
            iter(element),
            placed(node, style, parent.place, depth=len(self.stack), has_main=self.has_main),
        )
        frame.paragraph = frame if tag == "p" else None if tag in KEEPS_PARAGRAPH else parent.paragraph
        frame.in_row = parent.in_row
        frame.table = parent.table
        self._begin(frame, parent)
        return frame

    def _end_paragraph(self, paragraph: Frame) -> None:
        """A block inside an open paragraph ends it, and the parser did not: what follows is outside for a browser.

        So the paragraph and what it opened lose their styles, but for formatting elements, which a browser reopens.
        """
        start = self.stack.index(paragraph)
        style = self.stack[start - 1].style
        for frame in self.stack[start:]:
            if frame.node.tag in REOPENED:
                style = self.styler.style(frame.node, style)
            frame.style = style
            frame.paragraph = None

    def _replaced(self, element: Any, tag: str, node: Node, parent: Frame) -> None:
        if tag not in _REPLACED or (tag == "input" and element.get("type") == "hidden"):
            return
        style = self.styler.style(node, parent.style) if element.attrib else parent.style
        if style.display == "none" and tag not in NEVER:
            return
        if tag == "svg" and not style.is_gone:
            self._drawing(element, node, style, parent)
            return
        self.flow.gap()
        if tag in _LEFT_OUT and parent.style.shows and ((element.text or "").strip() or element.get("srcdoc")):
            self.flow.cut(parent.place)

    def _drawing(self, element: Any, node: Node, style: Style, parent: Frame) -> None:
        """The labels of a drawing, each a block of its own: they stand where the drawing puts them."""
        labels = list(Drawing(self.styler, self.fold).labels(element, node, style))
        if not labels or parent.in_row:
            self.flow.gap()
            for label in labels:
                self.flow.text(f"{label} ", "normal", parent.place)
            return
        self.flow.flush()
        place = replace(parent.place, kind=BlockKind.OTHER, level=None)
        for label in labels:
            self.flow.text(label, "normal", place)
            self.flow.flush()

    def _is_withheld(self, node: Node, style: Style, parent: Frame) -> bool:
        """Whether the browser does not draw a child for a reason other than style.

        Closed ``details`` count as drawn: a click opens them, and so does a link to a passage inside. Without a
        summary to click on they do not.
        """
        if self.unloaded and is_hidden_by_name(node) and not node.element.get("style"):
            return True
        if parent.slots is not None and (node.element.get("slot") or "") not in parent.slots:
            return True
        if node.tag == "details" and "open" not in node.element.attrib:
            summary = next((child for child in node.element if child.tag == "summary"), None)
            if summary is not None:
                shown = self.styler.style(Node(summary, node, None, fold=self.fold), style)
                return shown.is_gone or not shown.shows
        return False

    def _begin(self, frame: Frame, parent: Frame) -> None:
        """Boundaries, cells, links and scripts at the start of an element."""
        tag, style, element = frame.node.tag, frame.style, frame.element
        if style.display == "table":
            self._boundary(frame)
            frame.table = Table() if not parent.in_row and holds_data(element) else None
        elif style.display == "table-row" and frame.table is not None and not parent.in_row and is_record(element):
            self._open_row(frame)
            frame.table.open_row()
        elif style.display == "table-cell" and parent.in_row and frame.table is not None:
            frame.table.open_cell(element)
            self.flow.cell()
        elif element is self.pair:
            frame.in_row = True
            frame.ends_row = True
            frame.place = parent.place if parent.place.kind is BlockKind.TABLE_ROW else frame.place
            self.flow.cell()
        elif tag == "dt" and (self._find_pair(element, parent)):
            self._open_row(frame)
            frame.opens_row = False
            self.flow.cell()
        elif style.display not in _IN_LINE:
            self._boundary(frame)
        elif style.gap:
            self.flow.gap()
        if tag in ("ul", "ol", "menu"):
            self.lists.append((len(self.flow.drafts), element))
        if tag == "a":
            frame.href = element.get("href")
            frame.outer_anchor = self.flow.anchor
            self.flow.anchor = []
            self.flow.count_link()
        raised = frame.raised = self._raised(frame, parent)
        frame.script_start = formula.begin(frame.node, raised, self.flow, frame.place)
        frame.draft_start = len(self.flow.drafts)
        if style.covers:
            frame.overlay = self._cover(style.stacked, self.stack)
        self._generated(frame, "before")
        self._words(frame, "before")
        if self.shadowed:
            frame.slots = _slots(element)
        if tag == "bdo" and element.get("dir"):
            style = frame.style = replace(style, reordered=True, plain={})

    def _raised(self, frame: Frame, parent: Frame) -> bool | None:
        """What the style raises. What already stands in something raised is written once."""
        raised = frame.style.raised if not parent.in_script and frame.element.tag not in ("sup", "sub") else None
        frame.in_script = parent.in_script or frame.element.tag in ("sup", "sub") or raised is not None
        return raised

    def _open_row(self, frame: Frame) -> None:
        self.flow.flush()
        frame.opens_row = True
        frame.in_row = True
        if STRENGTH[frame.place.kind] < STRENGTH[BlockKind.TABLE_ROW]:
            frame.place = replace(frame.place, kind=BlockKind.TABLE_ROW)

    def _find_pair(self, element: Any, parent: Frame) -> bool:
        """Whether a term stands with one short description: a reader reads the two as one line."""
        if parent.in_row:
            return False
        after = next(element.itersiblings("dt", "dd"), None)
        if after is None or after.tag != "dd":
            return False
        following = next(after.itersiblings("dt", "dd"), None)
        if following is not None and following.tag == "dd":
            return False
        before = next(element.itersiblings("dt", "dd", preceding=True), None)
        if before is not None and before.tag == "dt":
            return False
        blocks = sum(1 for _ in after.iterdescendants(*_BLOCK_TAGS))
        if blocks > (1 if len(after) == 1 and after[0].tag == "p" else 0):
            return False
        self.pair = after
        return True

    def _boundary(self, frame: Frame) -> None:
        """A block begins or ends: a new block, or inside a cell a new line."""
        if frame.in_row:
            self.flow.line_break()
        else:
            self.flow.flush()

    def _line(self, frame: Frame) -> None:
        """``<br>``; the second in a row ends the paragraph, as it does to the eye."""
        if not frame.style.shows:
            self.flow.gap()
        elif self.flow.is_fresh and not frame.in_row and frame.place.kind is not BlockKind.HEADING:
            self.flow.flush()
        else:
            self.flow.line_break()

    def _leave(self, frame: Frame) -> None:
        """Boundaries, links and scripts at the end of an element."""
        tag, style = frame.node.tag, frame.style
        self._words(frame, "after")
        formula.end(frame.node, frame.raised, frame.script_start, self.flow)
        if tag == "a":
            self._close_link(frame)
        if frame.opens_row:
            self._close_row(frame)
        elif frame.ends_row:
            draft = self.flow.flush()
            if draft is not None and len(draft.cells) < 2 and draft.place.kind is BlockKind.TABLE_ROW:
                draft.place = replace(draft.place, kind=BlockKind.PARAGRAPH)
        elif (tag == "dt" and frame.in_row) or (style.display == "table-cell" and frame.in_row):
            pass
        elif style.display not in _IN_LINE:
            self._boundary(frame)
        elif style.gap:
            self.flow.gap()
        if tag in ("ul", "ol", "menu"):
            start, _ = self.lists.pop()
            navigation.mark_list(self.flow.drafts, start, frame.element, has_main=self.has_main)
        if frame.overlay is not None:
            self.flow.flush()
            frame.overlay.end = len(self.flow.drafts)
        self._generated(frame, "after")
        if frame.covers:
            self._uncover(frame)

    def _close_row(self, frame: Frame) -> None:
        draft = self.flow.flush()
        if frame.table is None:
            return
        texts: tuple[tuple[int, str], ...] = ()
        if draft is not None:
            texts = tuple(zip(draft.cells, draft.text.split("\t"), strict=False))
        in_head = next(frame.element.iterancestors("thead", "table"), None)
        heads = frame.table.close_row(texts, in_head=in_head is not None and in_head.tag == "thead")
        if draft is not None:
            draft.heads = heads
            frame.table.take_heads(draft, heading=not frame.table.started)

    def _close_link(self, frame: Frame) -> None:
        words = self.flow.anchor or []
        self.flow.anchor = frame.outer_anchor
        if self.flow.anchor is not None:
            self.flow.anchor += words
        href = frame.href
        if href is None:
            return
        try:
            url = ada_url.join_url(self.base, href)
        except ValueError:
            return
        if url.startswith(_WEB):
            self.links.append(Link(url, _SPACE.sub(" ", clean("".join(words))[0]).strip()))

    def _cover(self, level: int, stack: list[Frame]) -> Cover | None:
        """An opaque box fills its container: what else is in there is painted over."""
        outer = next((outer for outer in reversed(stack) if outer.style.positioned), None)
        if outer is None or outer.node.tag in ("html", "body") or outer.style.display in _IN_LINE:
            return None
        at = len(self.flow.drafts)
        outer.covers.append(Cover(level, at, at))
        return outer.covers[-1]

    def _generated(self, frame: Frame, pseudo: str) -> None:
        """A box that a sheet puts before or after the content may cover it, too."""
        if self.styler.sheet.overlays and frame.style.display not in _IN_LINE:
            level = self.styler.overlay(frame.node, frame.style, pseudo)
            if level is not None:
                self._cover(level, [*self.stack, frame])

    def _words(self, frame: Frame, pseudo: str) -> None:
        """Words that a sheet writes before or after the content are seen, and no part of the page's text."""
        if self.styler.sheet.worded and frame.style.shows and self.styler.writes(frame.node, frame.style, pseudo):
            self.flow.cut(frame.place)

    def _uncover(self, frame: Frame) -> None:
        """At the end of a container drop what is painted over."""
        depth = len(self.stack)
        drafts = self.flow.drafts
        drafts[frame.draft_start :] = [
            draft
            for index, draft in enumerate(drafts[frame.draft_start :], frame.draft_start)
            if not any(cover.hides(draft, index, depth) for cover in frame.covers)
        ]


def _slots(element: Any) -> frozenset[str] | None:
    """The slot names of a declarative shadow root, which shows only what it gives a slot; None without one."""
    for child in element:
        if child.tag == "template" and child.get("shadowrootmode") in ("open", "closed"):
            return frozenset(slot.get("name") or "" for slot in child.iter("slot"))
    return None
