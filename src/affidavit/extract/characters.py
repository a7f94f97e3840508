"""Characters a reader cannot see, and characters that pretend to be others.

`clean` takes out of a text what draws nothing and can carry a message or split a word unseen: tag characters, bidi
controls, zero-width characters, soft hyphens, stray variation selectors, control characters. What is honest where it
stands stays: joiners inside emoji and inside the scripts that need them, one variation selector after the character
it varies, the three flags written with tags. What was taken out is named by a flag, and so are two things that stay:
words that mix look-alike scripts, and compatibility digits and letters.

One stretch is replaced, not removed: text under a bidi override is drawn in another order than it is stored, so
neither order may be quoted. U+FFFD stands in its place.
"""

import re
import unicodedata
from functools import lru_cache

ZERO_WIDTH = "zero_width"
BIDI = "bidi"
TAG_CHARACTERS = "tag_characters"
VARIATION_SELECTORS = "variation_selectors"
MIXED_SCRIPT = "mixed_script"
COMPATIBILITY = "compatibility"
CONTROL = "control"

# Anything below has to be looked at; a text without any of it only needs composing.
_SUSPECT = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\ud800-\udfff"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ufdd0-\ufdef\ufff0-\ufffb\ufffe\uffff\ud800-\udfff]")
_LINE_BREAKS = re.compile("\r\n?|[\x0b\x0c\u2028\u2029]")
# England, Scotland and Wales: the only tag sequences that Unicode recommends (emoji-test, RGI_Emoji_Tag_Sequence).
_TAGS = re.compile(
    "(?P<flag>\U0001f3f4\U000e0067\U000e0062(?:\U000e0065\U000e006e\U000e0067|\U000e0073\U000e0063\U000e0074"
    "|\U000e0077\U000e006c\U000e0073)\U000e007f)|(?P<stray>[\U000e0000-\U000e00ff\U000e01f0-\U000e0fff]+)"
)
_OVERRIDE = re.compile("[\u202d\u202e][^\n]*?(?:\u202c|$)", re.MULTILINE)
_BIDI_CONTROLS = re.compile("[\u202a-\u202e\u2066-\u2069\u206a-\u206f]")
_BIDI_MARKS = re.compile("[\u200e\u200f\u061c]")
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdcf\ufdf0-\ufdff\ufe70-\ufefc\U00010800-\U00010fff]")
# Soft hyphens offer a line break and are drawn only there: no flag.
_SOFT_HYPHEN = "\xad"
# Invisible operators are how MathML writes "times" and "of": no flag.
_SILENT = re.compile("[\u2061-\u2064]")
_ZERO_WIDTH = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200d\u2060\u2065\u3164\ufeff\uffa0]+")
_SINGERS = re.compile("[\U0001d173-\U0001d17a]")
_VARIATION = re.compile("[\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]+")

# Scripts whose spelling needs the joiners (Unicode, The Standard, 23.2): Arabic, Syriac, Indic, Khmer, Mongolian ...
_JOINING = re.compile("[\u0600-\u08ff\u0900-\u0dff\u1000-\u109f\u1780-\u17ff\u1800-\u18af\ufb50-\ufdff\ufe70-\ufefc]")
# Scripts that set no spaces between words and so use U+200B to offer a line break.
_UNSPACED = re.compile("[\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u19e0-\u19ff\u3040-\u30ff\u3400-\u9fff]")
_EMOJI = re.compile("[#*0-9\xa9\xae\u203c-\u3299\ufe0f\U0001f000-\U0001faff]")
_IDEOGRAPH = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af]")

_FULLWIDTH = re.compile("[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\U0001d400-\U0001d7ff]")
# A Latin letter beside one of another alphabet, inside one word. Greek counts only with letters that look Latin:
# "μm", "kΩ" and "Δt" are honest, and nobody reads them as something else.
_LATIN = "A-Za-z\xc0-\xd6\xd8-\xf6\xf8-\u024f"
_ALIEN = (
    "\u0400-\u052f\u0531-\u0587\u13a0-\u13fd\uab70-\uabbf\u2c80-\u2cff"
    "\u0391\u0392\u0395-\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03bd\u03bf\u03c1\u03c5"
)
_MIXED = re.compile(f"[{_LATIN}][{_ALIEN}]|[{_ALIEN}][{_LATIN}]")


def clean(text: str) -> tuple[str, frozenset[str]]:
    """`text` composed (NFC) and without what cannot be seen, and the flags of what a reader should know."""
    if text.isascii() and not _SUSPECT.search(text):
        return text, frozenset()
    flags: set[str] = set()
    if _SUSPECT.search(text):
        text = _without_unseen(text, flags)
    text = compose(text)
    if _MIXED.search(text):
        flags.add(MIXED_SCRIPT)
    if _FULLWIDTH.search(text):
        flags.add(COMPATIBILITY)
    return text, frozenset(flags)


def compose(text: str) -> str:
    """NFC. Long runs of combining marks are composed piece by piece: composing them whole takes quadratic time."""
    if text.isascii() or unicodedata.is_normalized("NFC", text):
        return text
    return unicodedata.normalize("NFC", text)


def _without_unseen(text: str, flags: set[str]) -> str:
    text = _LINE_BREAKS.sub("\n", text)
    text = _removed(_CONTROLS, text, CONTROL, flags)
    text = _removed(_SINGERS, text, CONTROL, flags)
    text = _TAGS.sub(lambda match: match.group("flag") or "", _flagged_tags(text, flags))
    if _OVERRIDE.search(text):
        flags.add(BIDI)
        text = _OVERRIDE.sub("\ufffd", text)
    text = _removed(_BIDI_CONTROLS, text, BIDI, flags)
    if _BIDI_MARKS.search(text):
        if not _RIGHT_TO_LEFT.search(text):
            flags.add(BIDI)
        text = _BIDI_MARKS.sub("", text)
    text = _SILENT.sub("", text.replace(_SOFT_HYPHEN, ""))
    text = _VARIATION.sub(lambda match: _kept_variation(match, flags), text)
    return _ZERO_WIDTH.sub(lambda match: _kept_joiner(match, flags), text)


def _removed(pattern: re.Pattern[str], text: str, flag: str, flags: set[str]) -> str:
    text, count = pattern.subn("", text)
    if count:
        flags.add(flag)
    return text


def _flagged_tags(text: str, flags: set[str]) -> str:
    if any(match.group("stray") for match in _TAGS.finditer(text)):
        flags.add(TAG_CHARACTERS)
    return text


def _around(match: re.Match[str]) -> tuple[str, str]:
    """The characters before and after; empty at an edge."""
    text = match.string
    return text[match.start() - 1 : match.start()] if match.start() else "", text[match.end() : match.end() + 1]


def _kept_variation(match: re.Match[str], flags: set[str]) -> str:
    """One selector stays behind a character that it can vary; any other is a place to hide a byte in."""
    run, before = match.group(), _around(match)[0]
    if len(run) == 1 and before:
        if run >= "\U000e0100" and _IDEOGRAPH.match(before):
            return run
        if "\u180b" <= run <= "\u180f" and "\u1800" <= before <= "\u18af":
            return run
        if run in "\ufe0e\ufe0f" and _EMOJI.match(before):
            return run
        if "\ufe00" <= run <= "\ufe02" and (_IDEOGRAPH.match(before) or unicodedata.category(before) == "Sm"):
            return run
    flags.add(VARIATION_SELECTORS)
    return ""


def _kept_joiner(match: re.Match[str], flags: set[str]) -> str:
    """A joiner stays between the letters or emoji that it joins. The rest goes, flagged where it could deceive."""
    run = match.group()
    before, after = _around(match)
    if run in "\u200c\u200d" and before and after:
        if _JOINING.match(before) and _JOINING.match(after):
            return run
        if run == "\u200d" and _EMOJI.match(before) and _EMOJI.match(after):
            return run
    honest_break = run in "\u200b\u2060" and (_UNSPACED.match(before) or _UNSPACED.match(after))
    leading_mark = run == "\ufeff" and not before
    if not honest_break and not leading_mark:
        flags.add(ZERO_WIDTH)
    return ""


@lru_cache(maxsize=4096)
def is_wide(character: str) -> bool:
    """Whether a line break in the source beside this character is no space: East Asian wide, and not Hangul."""
    return unicodedata.east_asian_width(character) in "WF" and not "\uac00" <= character <= "\ud7a3"
