"""Titles and snippets as plain lines: what APIs send holds markup of several kinds, entities, and what nobody sees.

Only elements that text of this sort is really marked up with are taken for markup (HTML's inline and block elements,
JATS and MathML), so that ``std::vector<int>`` and ``a < b`` stay what they are.
"""

import html
import re

from affidavit.evidence.characters import INVISIBLE, SOFT_HYPHEN, character_class, expand

# HTML Living Standard, 4 (text-level, grouping, sections, tables, edits, embedded); JATS 1.3 in abstracts and titles
# comes with a prefix (jats:p) or as HTML's names; MathML Core, 2.1 with or without one.
_HTML = (
    "a abbr acronym address article aside audio b bdi bdo big blockquote body br button center cite code col dd del "
    "details dfn div dl dt em figcaption figure font footer form h1 h2 h3 h4 h5 h6 head header hr html i iframe img "
    "input ins kbd label li link main mark meta nav nobr ol option p picture pre q rp rt ruby s samp script section "
    "select small source span strike strong style sub summary sup svg table tbody td template textarea tfoot th thead "
    "time title tr tt u ul var video wbr"
)
_JATS = "italic bold sc underline overline monospace ext-link xref named-content sec list list-item disp-formula"
_MATHML = (
    "math mi mn mo ms mtext mspace mrow mfrac msqrt mroot mstyle merror mpadded mphantom msub msup msubsup munder "
    "mover munderover mmultiscripts mprescripts mtable mtr mtd semantics annotation annotation-xml"
)
_NAMES = "|".join(sorted(re.escape(name) for name in f"{_HTML} {_JATS} {_MATHML}".split()))
_TAG = re.compile(rf"<(/?)((?:(?:jats|mml|m|xhtml):)?(?:{_NAMES}))(?:\s+[a-z_:@/][^<>]*|\s*/?)>", re.IGNORECASE)
_PREFIXED = re.compile(r"</?(?:jats|mml|m):[a-z][a-z0-9-]*(?:\s[^<>]*)?/?>", re.IGNORECASE)
_UNSHOWN = re.compile(
    r"<(script|style|template|annotation|annotation-xml)\b[^<>]*>.*?</\1\s*>", re.IGNORECASE | re.DOTALL
)
_COMMENT = re.compile(r"<!--.*?-->|<!\[CDATA\[|\]\]>", re.DOTALL)
# Elements that do not part words: the text on both sides belongs together.
_INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite code del dfn em font i ins kbd label mark nobr q rp rt ruby s samp small span "
    "strike strong sub sup time tt u var wbr italic bold sc underline overline monospace ext-link xref named-content "
    "math mi mn mo ms mtext mrow msub msup msubsup mstyle semantics".split()
)
_SEEN = "".join(expand(ranges) for name, ranges in INVISIBLE.items() if name != "variation_selectors")
_UNSEEN = re.compile(f"[{character_class(_SEEN + chr(SOFT_HYPHEN))}\ud800-\udfff\ufff9-\ufffb]")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_SPACE = re.compile(r"\s+")

LONGEST = 1000
"""Characters of a title or snippet. Tavily and Exa send whole passages; a snippet is for choosing and no evidence."""
_READ = 5_000
"""Characters looked at: what follows would be cut off anyway, and the patterns stay quick on hostile text."""


def plain(text: str | None, longest: int = LONGEST) -> str:
    """`text` as one line of at most `longest` characters, without markup, entities and invisible characters.

    Escaped markup (``&lt;i&gt;``) is markup too: some records were escaped twice.
    """
    if not text:
        return ""
    line = text[:_READ]
    for _ in range(2):
        line = html.unescape(_without_tags(line))
    line = _CONTROL.sub(" ", _UNSEEN.sub("", _without_tags(line)))
    line = _SPACE.sub(" ", line).strip()
    if len(line) <= longest:
        return line
    cut = line.rfind(" ", longest // 2, longest)
    return line[: cut if cut > 0 else longest - 1].rstrip() + "…"


def _without_tags(text: str) -> str:
    if "<" not in text and "]]>" not in text:
        return text
    text = _COMMENT.sub("", _UNSHOWN.sub(" ", text))
    text = _TAG.sub(lambda tag: "" if tag[2].lower().rpartition(":")[2] in _INLINE else " ", text)
    return _PREFIXED.sub(" ", text)
