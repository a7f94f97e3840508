"""Whether a text speaks to a language model instead of to a reader.

Such a text is data about the page (somebody tries to steer whoever reads it) and never evidence for anything
else: a span that holds one is NOT_SUPPORTED by rule, and the answer reports it. This gate is a signal and not the
defence: what a page says can set nothing off in Affidavit, noticed or not.
"""

import base64
import binascii
import codecs
import html
import re
import tomllib
import unicodedata
from collections import defaultdict
from functools import lru_cache
from importlib.resources import files
from typing import Any

from affidavit.evidence.characters import LOOKALIKES

VERSION = "model_speech/1"

# How much of the text is shown as the cue.
_CUE_CHARS = 120
_TABLES = ("marks", "english", "other")
_PART = re.compile(r"\(\?&(\w+)\)")
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0]"
)
_TAGS = re.compile("[\U000e0000-\U000e007f]+")
# A terminal's colours, with or without the escape that a cleaner took away, and other control characters.
_CONTROL = re.compile(r"\x1b?\[\d*(?:;\d+)*m|[\x00-\x08\x0e-\x1f\x7f-\x9f]")
_SPREAD = re.compile(r"(?:\b[^\W\d_][ .\-_*·]{1,2}){6,}[^\W\d_]\b")
_BASE64 = re.compile(r"(?<![\w+/=-])[A-Za-z0-9+/_-]{24,}={0,2}(?![\w+/=-])")
_HEX = re.compile(r"(?<![0-9A-Za-z])(?:0x)?((?:[0-9a-fA-F]{2}[ :]?){12,})(?![0-9A-Za-z])")
# Text in rot13 is read only where it holds one of these when turned.
_TURNED_NEEDS = (
    "ignore",
    "disregard",
    "forget",
    "instruction",
    "prompt",
    "system",
    "supported",
    "assistant",
    "you are",
)


def speaks_to_a_model(text: str) -> str | None:
    """The words in `text` that are meant for a language model (at most 120 characters), or None.

    Give it a whole block or span, since an instruction may be spread over sentences. Base64, hex, rot13, spread
    letters, tag characters, entities and look-alike letters are read through.
    """
    folded = _fold(text)
    found = _cue(folded)
    if found is not None:
        return found
    return next((hidden[:_CUE_CHARS] for hidden in _decoded(folded) if _cue(hidden) is not None), None)


def _cue(folded: str) -> str | None:
    lowered = folded.lower()
    rows, holders = _rows(folded.isascii())
    met = [numbers for word, numbers in holders if word in lowered]
    for number in sorted({number for numbers in met for number in numbers}):
        found = rows[number].search(folded)
        if found:
            return found.group().strip()[:_CUE_CHARS]
    for spread in _SPREAD.finditer(folded):
        letters = re.sub(r"[\W_]+", "", spread.group())
        if any(pattern.search(letters) for pattern in _squeezed()):
            return spread.group()[:_CUE_CHARS]
    return None


_Rows = tuple[tuple[re.Pattern[str], ...], tuple[tuple[str, tuple[int, ...]], ...]]


@lru_cache(maxsize=2)
def _rows(only_ascii: bool) -> _Rows:
    """The patterns, and for each word that some of them need, the numbers of those patterns.

    A text in ASCII is not looked through for words that are not.
    """
    read = [row for name in _TABLES for row in _read()[name]]
    holders: dict[str, list[int]] = defaultdict(list)
    for number, row in enumerate(read):
        for word in row["needs"]:
            if word.isascii() or not only_ascii:
                holders[word].append(number)
    patterns = tuple(_compiled(row["pattern"]) for row in read)
    return patterns, tuple((word, tuple(numbers)) for word, numbers in holders.items())


@lru_cache(maxsize=1)
def _squeezed() -> tuple[re.Pattern[str], ...]:
    return tuple(_compiled(row["pattern"]) for row in _read()["squeezed"])


@lru_cache(maxsize=1)
def _read() -> dict[str, Any]:
    return tomllib.loads(files("affidavit.gates").joinpath("model_cues.toml").read_text(encoding="utf-8"))


def _compiled(pattern: str) -> re.Pattern[str]:
    """A pattern of the table with its parts put in and its line ends taken out."""
    whole = _PART.sub(lambda named: _read()["parts"][named.group(1)], pattern)
    return re.compile(whole.replace("\n", ""), re.IGNORECASE)


def _fold(text: str) -> str:
    """As it would read typed plainly: entities and compatibility forms resolved, nothing invisible, single spaces."""
    shown = _TAGS.sub(lambda run: f" {_untagged(run.group())} ", text)
    plain = unicodedata.normalize("NFKC", html.unescape(_INVISIBLE.sub("", _CONTROL.sub(" ", shown))))
    return _latinised(" ".join(_INVISIBLE.sub("", plain).split()))


def _untagged(run: str) -> str:
    """Tag characters are ASCII, moved out of sight."""
    return "".join(chr(ord(one) - 0xE0000) for one in run if 0xE0020 <= ord(one) < 0xE007F)


def _latinised(text: str) -> str:
    """Look-alike letters made Latin in words that mix them with Latin ones; a word all in one script is left."""
    if text.isascii():
        return text

    def one(match: re.Match[str]) -> str:
        word = match.group()
        mixed = not word.isascii() and any("a" <= letter <= "z" for letter in word.lower())
        return word.translate(LOOKALIKES) if mixed else word

    return re.sub(r"\w+", one, text)


def _decoded(folded: str) -> list[str]:
    """What each run of base64 or hex in `folded` says, where that is plain text, and what it says in rot13."""
    raw: list[bytes] = []
    for match in _BASE64.finditer(folded):
        run = match.group().rstrip("=")
        try:
            raw.append(base64.b64decode(run + "=" * (-len(run) % 4), altchars=b"-_" if set("-_") & set(run) else None))
        except binascii.Error:
            continue  # a long word or a digest, no base64
    raw += [bytes.fromhex(re.sub(r"[ :]", "", match.group(1))) for match in _HEX.finditer(folded)]
    texts = [decoded for one in raw for decoded in _as_text(one)]
    turned = codecs.encode(folded, "rot13")
    return [*texts, turned] if any(word in turned.lower() for word in _TURNED_NEEDS) else texts


def _as_text(raw: bytes) -> list[str]:
    """`raw` as folded text, if it is text: a digest that happens to decode is not read."""
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        return []
    return [_fold(text)] if text.isprintable() else []
