"""Figures that a draft states beside its running text: in attributes of HTML ("title", "alt", "aria-label"), titles of
links, front matter and comments, and in numbers that stand where the marks of a list do and begin none ("1985.").

A page shows some of these on a touch, others go to search engines and to whoever is read to, and a reader who finds
"50 vans" in one has been told so. They are read as texts of their own and held to the same facts. Such places are also
full of numbers that state nothing (a width, a date of publication, a tag): there only a figure that counts something,
or is money, a share or a measure, blocks; any other is told. A comment is taken out by whoever publishes with care, so
what stands in one is told.
"""

import html
import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from affidavit.check.draft import Draft, DraftBlock
from affidavit.evidence.document import BlockKind
from affidavit.evidence.piece import Issue
from affidavit.gates.numbers.mention import Kind, Mention
from affidavit.write.allowed import Allowed
from affidavit.write.drafted import SHOWN_KEYS, ReadDraft, within
from affidavit.write.figure_checks import figure_issues
from affidavit.write.guises import with_guises

_TAG = re.compile(r"<(?P<name>[a-zA-Z][\w-]*)(?P<rest>\s[^<>]*)>")
_ATTRIBUTE = re.compile(
    r"(?<![\w:.-])(?P<name>[a-zA-Z][\w:.-]*+)\s*=\s*(?:\"(?P<d>[^\"]*)\"|'(?P<s>[^']*)'|(?P<u>[^\s\"'=<>`]+))"
)
_READ_OUT = re.compile(
    r"(?:title|alt|label|summary|placeholder|content|srcdoc|value|aria-(?:label|description|roledescription"
    r"|valuetext|placeholder)|data-[\w-]+)\Z",
    re.IGNORECASE,
)
_ADDRESS = r"(?:<[^<>\n]*>|[^()\s]+(?:\([^()]*\)[^()\s]*)*)"
_TITLE = r"(?:\"(?P<d>[^\"]{1,1000})\"|'(?P<s>[^']{1,1000})'|\((?P<u>[^()]{1,1000})\))"
_LINK_TITLE = re.compile(rf"\]\(\s*+{_ADDRESS}\s++{_TITLE}\s*+\)")
_DEFINITION = re.compile(rf"^[ ]{{0,3}}\[[^\]^\n][^\]\n]*\]:[ \t]*\S+[ \t]+{_TITLE}[ \t]*$", re.MULTILINE)
_NUMBER = re.compile(r"[\"']?[-+]?\d[\d.,]*[\"']?")
_SETTINGS = re.compile(r"[\w-]+=[^\s,;]+(?:[,;][ ]*[\w-]+=[^\s,;]+)*+")
_WORDS_OF_MACHINES = re.compile(
    r"true|false|yes|no|null|~|[|>][-+]?|\d{4}-\d\d?-\d\d?(?:[T ][\d:.+Z -]+)?", re.IGNORECASE
)
_MACHINE_KEYS = frozenset(
    "weight order id priority position rank sort reading_time readingtime toc_depth version layout draft series_order"
    " nav_order page per_page limit width height year date updated modified published lastmod created time permalink"
    " slug sitemap menu depth level part index number port zoom".split()
)
_CODE = "code"
_FENCE = re.compile(r"[^\S\n]*(?:```+|~~~+)[^\S\n]*(?P<info>[^\s`]*)[^\n]*\n")
_SAID = re.compile(
    r"(?:[a-z'’]+[ \u00a0]){0,6}[$€£]?\d[\d.,]*(?:[ \u00a0]?%)?(?:[a-z]+)?(?:[ \u00a0-][a-z]+){0,6}[.!]?", re.IGNORECASE
)
_LABELLED = re.compile(r"[A-Z][a-z]+(?: [a-z]+){0,3}:[ \u00a0]+[$€£]?\d[\d.,]*(?:[ \u00a0]?%)?")
_MARK = re.compile(r"(?:^|[\s>])(?P<n>\d{1,9})(?P<sign>[.)])\s+\Z")
_DIGITS = re.compile(r"\d+")
_MOST_ITEMS = 999
_LIST = 99
"""A number up to here may mark the middle of a list whose beginning stands elsewhere."""
_OURS = frozenset({"figure_without_source", "rejected_figure", "count_without_source"})


@dataclass(frozen=True, slots=True)
class Aside:
    """A text at ``[start, end)`` of the draft's source; `blocks` says whether a figure in it can hold the draft up."""

    start: int
    end: int
    where: str
    blocks: bool = True


def unseen_issues(source: str, read: ReadDraft, bounds: Allowed, today: date) -> Iterator[Issue]:
    """What is wrong with the figures beside the running text of the Markdown `source`, which was read as `read`."""
    asides = sorted(_asides(source, read.draft), key=lambda one: one.start)
    if asides:
        beside = ReadDraft(_draft_of(source, asides))
        figures = {beside.draft.place(one.start, one.end): one for one in _figures(beside)}
        for issue in with_guises(list(figure_issues(beside, bounds, today)), beside, bounds, today):
            if issue.code in _OURS and issue.start is not None:
                aside = asides[bisect_right(asides, issue.start, key=lambda one: one.start) - 1]
                figure = figures.get((issue.start, issue.end or 0))
                if aside.where == _CODE and not (figure and _counts_in_code(figure)):
                    continue
                hard = aside.blocks and figure is not None and _counts(figure)
                yield _told(issue, f"In {aside.where}: {issue.message}", blocks=issue.blocks and hard)
    yield from _marks(source, read, bounds, today)


def _figures(read: ReadDraft) -> Iterator[Mention]:
    return (placed.mention for placed in read.figures)


def _counts(mention: Mention) -> bool:
    return (
        mention.direct or mention.unit is not None or mention.kind in (Kind.CURRENCY, Kind.PERCENT)
    ) and mention.kind not in (Kind.YEAR, Kind.DATE)


def _counts_in_code(mention: Mention) -> bool:
    """Whether a figure of a listing would be read as a statement: "50 vans", "Vans: 50", and no "sleep 30 s"."""
    if mention.unit is None:
        return mention.kind is Kind.COUNT and mention.subject is not None
    return mention.kind in (Kind.CURRENCY, Kind.PERCENT)


def _told(issue: Issue, message: str, *, blocks: bool) -> Issue:
    """The issue with another message; one that does not block has a code that does not."""
    code = issue.code if blocks or not issue.blocks else "count_without_source"
    return replace(issue, code=code, message=message, blocks=blocks)


def _asides(source: str, draft: Draft) -> Iterator[Aside]:
    code = _code(draft)
    comments = [one for one in _comments(source) if not within(one[0], code)]
    for start, end in comments:
        yield Aside(start + 4, end - 3, "a comment", blocks=False)
    for tag in _TAG.finditer(source):
        if not within(tag.start(), code) and not within(tag.start(), comments):
            yield from _attributes(tag)
    for pattern in (_LINK_TITLE, _DEFINITION):
        for match in pattern.finditer(source):
            if not within(match.start(), code) and not within(match.start(), comments):
                yield Aside(*_value(match), "the title of a link")
    for block in draft.blocks:
        if block.kind is BlockKind.CODE:
            yield from _listing(source, *draft.place(block.start, block.end))
    if draft.blocks and draft.blocks[0].kind is BlockKind.OTHER and source.lstrip("\ufeff").startswith("---"):
        yield from _front(source, *draft.place(draft.blocks[0].start, draft.blocks[0].end))


def _comments(source: str) -> Iterator[tuple[int, int]]:
    start = source.find("<!--")
    while start >= 0 and (end := source.find("-->", start + 4)) >= 0:
        yield start, end + 3
        start = source.find("<!--", end + 3)


def _of_machines(value: str) -> bool:
    """Whether a value is a date, an address, a name of a file or a setting, and says nothing to a reader."""
    bare = value.strip(" \t\"'")
    one_word = not any(map(str.isspace, bare))
    return (
        (one_word and any(sign in bare for sign in "/\\@#_.="))
        or _WORDS_OF_MACHINES.fullmatch(bare) is not None
        or _SETTINGS.fullmatch(bare) is not None
    )


def _attributes(tag: re.Match[str]) -> Iterator[Aside]:
    for match in _ATTRIBUTE.finditer(tag.string, tag.start("rest"), tag.end("rest")):
        name, value = match["name"].lower(), match["d"] or match["s"] or match["u"] or ""
        of_list = (tag["name"].lower(), name) in (("ol", "start"), ("li", "value"))
        if of_list and value.strip() not in ("0", "1"):
            yield Aside(*_value(match), f"“{name}” of a list", blocks=False)
        with_text = name == "alt" and tag["name"].lower() == "img" and match["u"] is None
        if not (of_list or with_text or not _READ_OUT.match(name) or _of_machines(value) or _NUMBER.fullmatch(value)):
            yield Aside(*_value(match), f"the attribute “{name}”")


def _listing(source: str, begin: int, stop: int) -> Iterator[Aside]:
    """The lines of a code block that are words and a number, and in one that names no language those with a label."""
    opens = _FENCE.match(source, begin, stop)
    at = opens.end() if opens else begin
    for line in source[at:stop].splitlines(keepends=True):
        words = line.strip()
        if _SAID.fullmatch(words) or (not (opens and opens["info"]) and _LABELLED.fullmatch(words)):
            yield Aside(at, at + len(line.rstrip()), _CODE, blocks=False)
        at += len(line)


def _value(match: re.Match[str]) -> tuple[int, int]:
    group = next(name for name in "dsu" if match[name] is not None)
    return match.span(group)


def _front(source: str, begin: int, stop: int) -> Iterator[Aside]:
    """The lines of front matter that are no page's title or description, which are read with the text."""
    at = begin
    for line in source[begin:stop].splitlines(keepends=True):
        body = line.strip().removeprefix("- ").lstrip()
        key, colon, rest = body.partition(":")
        named = colon and (not rest or rest[0] in " \t")
        key, value = (key.strip("\"' "), rest.strip()) if named else ("", body)
        start, end = at, at + len(line.rstrip())
        at += len(line)
        if not any(map(str.isalnum, line)) or SHOWN_KEYS.match(line):
            continue
        if any(map(str.isalpha, key)) and any(map(str.isnumeric, key)) and " " in key:
            yield Aside(start, end, "front matter")
        elif _NUMBER.fullmatch(value):
            if key.lower().replace("-", "_") not in _MACHINE_KEYS:
                yield Aside(start, end, "front matter", blocks=False)
        elif value and not _of_machines(value):
            yield Aside(end - len(value), end, "front matter")


def _code(draft: Draft) -> list[tuple[int, int]]:
    inline = (draft.place(*one) for one in draft.code if one[0] < one[1])
    blocks = (draft.place(one.start, one.end) for one in draft.blocks if one.kind is BlockKind.CODE)
    return sorted((*inline, *blocks))


def _draft_of(source: str, asides: Sequence[Aside]) -> Draft:
    """The asides as a draft of paragraphs, each character knowing where it stands."""
    text: list[str] = []
    starts, ends = array("q"), array("q")
    blocks: list[DraftBlock] = []

    def add(part: str, at: Sequence[int], till: Sequence[int]) -> None:
        text.append(part)
        starts.extend(at)
        ends.extend(till)

    for aside in asides:
        written = source[aside.start : aside.end]
        shown = html.unescape(written)
        begin = len(starts)
        if shown == written:
            add(written, range(aside.start, aside.end), range(aside.start + 1, aside.end + 1))
        else:
            add(shown, [aside.start] * len(shown), [aside.end] * len(shown))
        blocks.append(DraftBlock(begin, len(starts), BlockKind.PARAGRAPH))
        add("\n\n", [aside.end] * 2, [aside.end] * 2)
    return Draft(
        name="beside",
        source=source,
        text="".join(text),
        blocks=tuple(one for one in blocks if one.start < one.end),
        of_file=True,
        starts=starts,
        ends=ends,
    )


def _marks(source: str, read: ReadDraft, bounds: Allowed, today: date) -> Iterator[Issue]:
    """Numbers that stand as marks of a list and belong to no row of them: nothing in the draft counts from one to
    there. Each is read with what stands after it, its point left out."""
    marks = list(_list_marks(source, read))
    row = {int(source[start:end]) for start, end, _ in marks}
    loose = [one for one in marks if not _counted_to(int(source[one[0] : one[1]]), row)]
    for start, end, stop in loose:
        after = end + 1 + len(source[end + 1 : stop]) - len(source[end + 1 : stop].lstrip())
        starts = [*range(start, end), end, *range(after, stop)]
        said = f"{source[start:end]} {source[after:stop]}"
        draft = Draft(
            name="mark",
            source=source,
            text=said,
            blocks=(DraftBlock(0, len(said), BlockKind.PARAGRAPH),),
            of_file=True,
            starts=starts,
            ends=[one + 1 for one in starts],
        )
        for issue in figure_issues(ReadDraft(draft), bounds, today):
            if issue.code in _OURS and issue.start == start:
                hard = issue.blocks and int(source[start:end]) > _LIST
                message = f"“{source[start : end + 1]}” stands as the mark of a list and begins none: {issue.message}"
                yield _told(issue, message, blocks=hard)


def _counted_to(number: int, row: set[int]) -> bool:
    return number <= _MOST_ITEMS and all(one in row for one in range(1, number))


def _list_marks(source: str, read: ReadDraft) -> Iterator[tuple[int, int, int]]:
    """``(start, end)`` of each number that marks an item, and where its line ends."""
    found: set[tuple[int, int]] = set()
    for block in read.draft.blocks:
        if block.kind in (BlockKind.LIST_ITEM, BlockKind.QUOTATION):
            at, _ = read.draft.place(block.start, block.start + 1)
            line = source.rfind("\n", 0, at) + 1
            if (mark := _MARK.search(source[line:at])) is not None:
                found.add((line + mark.start("n"), line + mark.end("n")))
    for placed in read.names:
        if placed.mention.role == "list_marker" and placed.mention.raw[-1] in ".)":
            start, end = read.draft.place(placed.mention.start, placed.mention.end)
            if (digits := _DIGITS.search(source, start, end)) is not None:
                found.add(digits.span())
    for start, end in sorted(found):
        stop = source.find("\n", end)
        yield start, end, len(source) if stop < 0 else stop
