"""Tells a page from what a site shows in its place: a wall, a challenge, an error, a list of links.

Such a page answers 200 and has a title and sentences, so nothing but its words and its shape give it away. It is
never evidence (E5): quoted, "You have been blocked" would stand as what the source says.

The rule is one of proportion. Sentences are sorted into *walls* (they say that the page is withheld), *hints*
(they go with such pages, and with honest ones) and the page's *own* words. A page is refused when it leads with a
wall and has little of its own, never for words that an article merely mentions: a paragraph that tells of the world
(it names or counts something, and speaks neither to the visitor nor of the page) keeps a page unless a wall that does
speak so stands beside it. Signs of form (a trace, a listing of files, snippets cut at an end) need no phrase.
Whatever has a text of its own is kept: refusing an honest page loses evidence, so each limit below is the smallest
that still catches the kind.
"""

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from urllib.parse import urlsplit

from affidavit.errors import FailureKind
from affidavit.evidence.document import Block, BlockKind, Link
from affidavit.extract.advice import ADVICE, BY_STATUS
from affidavit.extract.cues import NO_CUES, Cues
from affidavit.extract.page_sentence import PageSentence
from affidavit.extract.phrases import Phrases, count_words, fold, table

# Limits in words of the page's own, swept one at a time on the development data (14 block pages, 5 near-block pages,
# the real pages of under 2,500 characters with the 33 stubs) and 128 pages of tests/extract/block_pages.toml; with
# the values below all 1,439 real pages were tried. No error with HEAD 30..100 (20 misses a challenge, 160 refuses an
# article about a status code), BODY 10..120, LONE 8..50 (3 misses a sign-in and three more), HINT 2..10 (12 refuses a
# note on a squadron called 404), TEASER 20..300 (10 misses a teaser), STUB 8..200, SENTENCE_WORDS 5..12 (4 takes place
# names in a menu for a statement).
HEAD_LIMIT = 60
BODY_LIMIT = 40
LONE_LIMIT = 12
HINT_LIMIT = 6
TEASER_LIMIT = 150
STUB_LIMIT = 40
SENTENCE_WORDS = 6
# Above so many words a page is judged only by its head and its end.
SHORT_PAGE = 600

# "on 3. May" goes on.
_SENTENCE = re.compile(r"(?<=[.!?…])(?<!\b\d\.)(?<!\b\d\d\.)\s+|(?<=[。！？])|\n")
_TITLE_PARTS = re.compile(r"(?<=\s)[|–—·•»-](?=\s)|[|»•]")
_CUT = re.compile(r"(?:…|\.\.\.|\[…\]|[\w,;:])\s*$")
_WALL_WORDS = 60
_CALL_WORDS = 30
# A page that consists of one of these is a program's last word.
_TRACE = re.compile(
    r"\s*(?:Traceback \(most recent call last\)|(?:PHP )?(?:Fatal|Parse) error:|Unhandled exception|Exception in thread"
    r"|Server Error in '/|System\.\w+Exception|[\w.]+(?:Exception|Error)(?::|\s+at)\s)"
)
_LISTING = re.compile(r"(?:index of|directory listing (?:for|of))(?: .*)?")
_MOVED = re.compile(
    r"(?:30[12378] )?(?:moved permanently|moved temporarily|permanent redirect|temporary redirect|object moved"
    r"|document moved|see other|redirecting|redirect)(?: to here| here)?|30[1278] (?:found|moved)|302 found"
)
_SEARCH_HEAD = re.compile(
    r"search|suche|suchen|recherche|rechercher|buscar|búsqueda|ricerca|cerca|zoeken|pesquisa|busca|szukaj|поиск|検索|搜索|검색"
)
_HIT_COUNT = re.compile(
    r"(?:about |ungefähr |environ )?(?:[\d ]+|no |keine |aucun )"
    r"(?:results?|hits|matches|treffer|ergebnisse|résultats?|resultados|risultati|resultaten|wyników|результатов)(?!\S)"
)
_ELLIPSES = ("…", "...", "[…]", "[...]")
# Kinds whose pages ask the reader; kinds that may consist of hints alone, such as a bare form or a bare banner.
_ASKING = frozenset({FailureKind.AGE_GATE, FailureKind.CHALLENGE, FailureKind.LOGIN})
_HINTED = frozenset({FailureKind.COOKIE_WALL, FailureKind.LOGIN, FailureKind.PARKED})
# A status that says by itself why the page is withheld; the others (403, 503 …) leave it to the words.
_PLAIN_STATUS = frozenset({401, 402, 404, 407, 410, 429, 451})
_SEARCH_URL = re.compile(r"(?:^|[/&?])(?:search|suche|recherche|buscar|cerca|zoeken)(?:[/?=]|$)|[?&](?:q|query|s)=")


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A page as the recogniser sees it: what was served, what is visible, and cues from the markup.

    `head` is the title element as it stands, which `title` may have cut to the page's own name.
    """

    url: str
    status: int
    title: str | None
    text: str
    blocks: Sequence[Block]
    links: Sequence[Link] = ()
    cues: Cues = NO_CUES
    head: str | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a page is no evidence. `reason` names what was seen and what a person can do."""

    kind: FailureKind
    reason: str


def recognise(view: View) -> Refusal | None:
    """The refusal of a page that is no evidence, or None for one that may be quoted."""
    sentences = [sentence for sentence in _sentences(view) if sentence.words]
    words = sum(sentence.words for sentence in sentences)
    if view.cues.redirect and words <= STUB_LIMIT:
        return Refusal(
            FailureKind.REDIRECT_STUB, f"the page only sends a browser on to {view.cues.redirect}. Fetch that instead"
        )
    by_status = refuse_status(view.status)
    if by_status is not None and view.status in _PLAIN_STATUS:
        return by_status
    if refusal := _by_form(view, sentences, words) or _by_phrases(view, sentences, words) or by_status:
        return refusal
    return _teaser(view) or _search_results(view, sentences) or _shell(view, sentences) or _links_only(view, sentences)


def refuse_status(status: int) -> Refusal | None:
    """The refusal that a status asks for by itself, or None for a whole, successful answer."""
    if 200 <= status < 300 and status not in BY_STATUS:
        return None
    kind, what = BY_STATUS.get(status) or BY_STATUS.get(status // 100) or BY_STATUS[5]
    return _refuse(kind, f"the server answered {status} ({what})")


def _refuse(kind: FailureKind, seen: str) -> Refusal:
    return Refusal(kind, f"{seen}. {ADVICE[kind]}")


def _sentences(view: View) -> Iterator[PageSentence]:
    """The page's sentences outside navigation, in page order."""
    has_main = any(block.main for block in view.blocks)
    for number, block in enumerate(view.blocks):
        if block.kind is not BlockKind.NAVIGATION:
            for part in _SENTENCE.split(view.text[block.start : block.end]):
                in_prose = block.main and block.kind in (BlockKind.PARAGRAPH, BlockKind.QUOTATION)
                yield PageSentence(part, count_words(part), number, in_prose, has_main and not block.main)


def _heads(view: View) -> list[str]:
    """Folded title, its parts, and the first heading (or, without one, the first sentence)."""
    found = [part for title in (view.title, view.head) if title for part in (title, *_TITLE_PARTS.split(title))]
    shown = [block for block in view.blocks if block.kind is not BlockKind.NAVIGATION]
    headings = [block for block in shown if block.kind is BlockKind.HEADING][:1] or shown[:1]
    found += [_SENTENCE.split(view.text[block.start : block.end][:200])[0] for block in headings]
    return list(dict.fromkeys(folded for part in found if (folded := fold(part))))


def _is_head(phrases: Phrases, heads: Sequence[str]) -> bool:
    """Whether a head phrase makes up most of a head; a title that holds it among other words is an article's."""
    return any(
        max((len(match[0]) for match in phrases.head.finditer(head)), default=0) >= 0.6 * len(head) for head in heads
    )


def _by_form(view: View, sentences: Sequence[PageSentence], words: int) -> Refusal | None:
    """What its form alone gives away: a notice that the page has moved, a program's trace, a listing of files."""
    if any(sentence.tells for sentence in sentences):
        return None
    heads = _heads(view)
    if words <= STUB_LIMIT and any(_MOVED.fullmatch(head) for head in heads):
        onward = f" to {view.links[0].url}" if view.links else ""
        return Refusal(FailureKind.REDIRECT_STUB, f"the page only says that it has moved{onward}. Fetch that instead")
    shown = [view.text[block.start : block.end] for block in view.blocks if block.kind is not BlockKind.NAVIGATION]
    bare = all(block.kind in (BlockKind.CODE, BlockKind.HEADING) for block in view.blocks)
    if shown and (_TRACE.match(shown[0]) and (bare or words <= BODY_LIMIT)):
        return _refuse(FailureKind.ERROR, f"the page is a program's error: “{shown[0].strip()[:160]}”")
    columns = any(word in view.text for word in ("Parent Directory", "Last modified", "Last Modified", "../"))
    if columns and any(_LISTING.fullmatch(head) for head in heads):
        return _refuse(FailureKind.NAV_ONLY, "the page lists the files of a folder")
    return None


def _by_phrases(view: View, sentences: Sequence[PageSentence], words: int) -> Refusal | None:
    heads = _heads(view)
    telling = any(sentence.tells for sentence in sentences)
    idle = {*heads, *(fold(link.text) for link in view.links)} if words <= SHORT_PAGE else set(heads)
    best: tuple[int, FailureKind, str] | None = None
    for kind, phrases in table().items():
        head = _is_head(phrases, heads)
        if kind is FailureKind.SEARCH_RESULTS or (words > SHORT_PAGE and not head):
            continue
        counts = _count(kind, phrases, sentences, idle)
        if not _is_withheld(kind, view, counts, head=head):
            continue
        if telling and not counts.spoken_walls and kind is not FailureKind.PAYWALL:
            continue  # an article about such pages, or beside a form
        score = 4 * head + 3 * min(counts.walls, 3) + min(counts.hints, 2)
        if best is None or score > best[0]:
            best = (score, kind, counts.first_wall or heads[0])
    return _refuse(best[1], f"the page says “{best[2][:160]}” and little else") if best else None


@dataclass(frozen=True, slots=True)
class _Counts:
    """How many sentences are walls (and, of those, speak to the visitor or of the page) and hints of a kind, the words
    of the page's own, those that speak to the visitor or of the page, and the first wall.
    """

    walls: int
    spoken_walls: int
    hints: int
    own: int
    spoken: int
    first_wall: str | None


def _count(kind: FailureKind, phrases: Phrases, sentences: Sequence[PageSentence], idle: Set[str]) -> _Counts:
    """The counts of one kind. `idle` are folded texts that say nothing of their own: the title again, the links."""
    walls = spoken_walls = hints = own = spoken = 0
    first = None
    for sentence in sentences:
        if _is_wall(kind, phrases, sentence):
            walls += 1
            spoken_walls += sentence.speaks
            first = first or sentence.text.strip()
        elif sentence.words <= _WALL_WORDS and not sentence.tells and phrases.hint.search(sentence.said):
            hints += 1
        elif sentence.folded not in idle and not sentence.is_boilerplate and not sentence.aside:
            own += sentence.words
            spoken += sentence.words * sentence.speaks
    # What a short page says to its visitor, beside a wall, belongs to the wall.
    own -= spoken if spoken_walls and spoken <= BODY_LIMIT else 0
    return _Counts(walls, spoken_walls, hints, own, spoken, first)


def _is_wall(kind: FailureKind, phrases: Phrases, sentence: PageSentence) -> bool:
    """Whether the sentence says that the page is withheld. "Page not found? Tell us." is an offer of help."""
    if sentence.words > _WALL_WORDS or (sentence.is_question and kind not in _ASKING):
        return False
    if sentence.tells:
        return False
    if sentence.reports and kind is not FailureKind.ERROR:  # a stack trace has line numbers
        return False
    return phrases.wall.search(sentence.said) is not None


def _is_withheld(kind: FailureKind, view: View, counts: _Counts, *, head: bool) -> bool:
    any_sign = bool(head or counts.walls or counts.hints)
    if kind is FailureKind.PAYWALL and counts.own > BODY_LIMIT:
        return False  # a teaser: judged by where it is cut
    if kind is FailureKind.LOGIN and view.cues.password_field and any_sign and counts.own <= BODY_LIMIT:
        return True
    if head and (counts.walls or counts.hints or counts.own <= HINT_LIMIT):
        return counts.own <= HEAD_LIMIT
    if head:
        plain = counts.own - counts.spoken if counts.spoken <= BODY_LIMIT else counts.own
        return plain <= HINT_LIMIT and kind is not FailureKind.LOGIN
    if counts.walls:
        return counts.own <= (BODY_LIMIT if counts.walls > 1 else LONE_LIMIT)
    return counts.hints > 0 and counts.own <= HINT_LIMIT and kind in _HINTED


def _teaser(view: View) -> Refusal | None:
    """An article cut short by a call to pay: the call stands alone in its block and nothing of weight follows."""
    phrases = table()[FailureKind.PAYWALL]
    shown = [block for block in view.blocks if block.kind is not BlockKind.NAVIGATION]
    after = 0
    for number in range(len(shown) - 1, -1, -1):
        text = view.text[shown[number].start : shown[number].end]
        words = count_words(text)
        sentence = PageSentence(text, words, number)
        if words <= _CALL_WORDS and _is_wall(FailureKind.PAYWALL, phrases, sentence):
            before = shown[:number]
            if _is_cut_short(view, before):
                return _refuse(FailureKind.PAYWALL, f"the text stops at “{text.strip()[:160]}”")
            return None
        is_hint = words <= _WALL_WORDS and phrases.hint.search(sentence.said) is not None
        after += 0 if is_hint else words
        if after > BODY_LIMIT:
            return None
    return None


def _is_cut_short(view: View, before: Sequence[Block]) -> bool:
    """Whether the text above a call to pay is a short beginning, or breaks off."""
    prose = [view.text[block.start : block.end] for block in before if block.kind is not BlockKind.HEADING]
    prose = [text for text in prose if count_words(text) >= SENTENCE_WORDS]
    if not prose:
        return False
    return sum(map(count_words, prose)) <= TEASER_LIMIT or _CUT.search(prose[-1][-20:]) is not None


def _search_results(view: View, sentences: Sequence[PageSentence]) -> Refusal | None:
    """A list of hits: the title says so, or a count of hits, and most of the words stand in list items, or the
    snippets are cut at an end.
    """
    heads = _heads(view)
    prose = [
        view.text[block.start : block.end].strip()
        for block in view.blocks
        if block.kind in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.OTHER)
    ]
    cut = sum(1 for text in prose if text.startswith(_ELLIPSES) or text.endswith(_ELLIPSES))
    snippets = cut >= 3 and 2 * cut >= sum(1 for text in prose if count_words(text) >= SENTENCE_WORDS)
    refusal = _refuse(FailureKind.SEARCH_RESULTS, "the page lists search results; snippets point to evidence")
    if not _is_head(table()[FailureKind.SEARCH_RESULTS], heads):
        searched = any(_SEARCH_HEAD.fullmatch(head) for head in heads)
        counted = any(_HIT_COUNT.match(one.folded) for one in sentences if one.words <= 2 * SENTENCE_WORDS)
        return refusal if snippets and (searched or counted) else None
    words = sum(sentence.words for sentence in sentences)
    items = [block for block in view.blocks if block.kind is BlockKind.LIST_ITEM]
    listed = sum(count_words(view.text[block.start : block.end]) for block in items)
    searched = _SEARCH_URL.search(urlsplit(view.url).path + "?" + urlsplit(view.url).query) is not None
    bare = words <= HEAD_LIMIT and not any(sentence.tells for sentence in sentences)
    return refusal if bare or listed >= 0.5 * words or snippets or searched else None


def _shell(view: View, sentences: Sequence[PageSentence]) -> Refusal | None:
    """A page without text of its own: scripts would fill it, or a consent frame stands before it."""
    if sum(sentence.words for sentence in sentences) > SHORT_PAGE:
        return None
    heads = _heads(view)
    hint = table()[FailureKind.JAVASCRIPT].hint
    own = sum(
        sentence.words
        for sentence in sentences
        if sentence.folded not in heads and not sentence.is_boilerplate and not hint.search(sentence.said)
    )
    if own > 2:
        return None
    if view.cues.consent_frame:
        return _refuse(FailureKind.COOKIE_WALL, "the page holds only the frame of a consent form")
    loading = any(hint.search(sentence.said) for sentence in sentences)
    if (view.cues.scripts and not own and len(view.links) <= 2) or loading:
        return _refuse(FailureKind.JAVASCRIPT, "the page has no text until its scripts have run")
    if not any(sentence.words for sentence in sentences) and not view.links:
        return _refuse(FailureKind.NO_TEXT, "the page shows no text")
    return None


def _links_only(view: View, sentences: Sequence[PageSentence]) -> Refusal | None:
    """Menus and headlines without one statement. A dead link often lands on such a front page."""
    linked = {fold(link.text) for link in view.links}
    for sentence in sentences:
        kind = view.blocks[sentence.block].kind
        if kind is BlockKind.HEADING or sentence.is_boilerplate:
            continue
        if sentence.words > _WALL_WORDS or (sentence.words >= SENTENCE_WORDS and sentence.folded not in linked):
            return None
    own = sum(sentence.words for sentence in sentences if sentence.folded not in linked)
    linked_words = sum(count_words(link.text) for link in view.links)
    if len(view.links) < 3 or linked_words < own:
        return None
    heads = _heads(view)
    deep = urlsplit(view.url).path.strip("/")
    if deep and any(table()[FailureKind.SOFT_404].front.fullmatch(head) for head in heads):
        return _refuse(FailureKind.SOFT_404, f"{view.url} leads to a front page of headlines")
    return _refuse(FailureKind.NAV_ONLY, f"the page holds {len(view.links)} links and no statement")
