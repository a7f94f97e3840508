"""Where a text may be cut without breaking what a reader sees as one character.

The extended grapheme clusters of Unicode Standard Annex 29, decided locally from the two neighbouring characters
(and, for flags, the run of regional indicators before). Emoji joined by U+200D, flags, accents, vowel signs, Hangul
syllables and CR LF stay whole.
"""

import unicodedata

_JOINER = "\u200d"
_REGIONAL_A, _REGIONAL_Z = "\U0001f1e6", "\U0001f1ff"
# Vowel signs that count as letters in the character database and as part of the cluster in UAX 29 (Thai and Lao AM).
_LETTER_SIGNS = "\u0e33\u0eb3"
_MODIFIERS = ("\U0001f3fb", "\U0001f3ff")
_TAGS = ("\U000e0020", "\U000e007f")


def is_boundary(text: str, offset: int) -> bool:
    """Whether `text` may be cut at `offset`. Both ends of the text are boundaries."""
    if offset <= 0 or offset >= len(text):
        return True
    before, after = text[offset - 1], text[offset]
    if before == "\r" and after == "\n":
        return False
    if before in "\r\n":
        return True
    if after == _JOINER or after in _LETTER_SIGNS or unicodedata.category(after)[0] == "M":
        return False
    if _MODIFIERS[0] <= after <= _MODIFIERS[1] or _TAGS[0] <= after <= _TAGS[1]:
        return False
    if before == _JOINER:
        return unicodedata.category(after) != "So"
    if _is_regional(before) and _is_regional(after):
        return _regionals_before(text, offset) % 2 == 0
    return not _same_syllable(before, after)


def boundary_before(text: str, offset: int) -> int:
    """The last boundary at or before `offset`."""
    while not is_boundary(text, offset):
        offset -= 1
    return offset


def _is_regional(character: str) -> bool:
    return _REGIONAL_A <= character <= _REGIONAL_Z


def _regionals_before(text: str, offset: int) -> int:
    first = offset
    while first > 0 and _is_regional(text[first - 1]):
        first -= 1
    return offset - first


def _same_syllable(before: str, after: str) -> bool:
    """Hangul: leading consonant, vowel, final consonant, or a composed syllable with what may follow it."""
    if not "\u1100" <= after <= "\u11ff":
        return "\u1100" <= before <= "\u115f" and "\uac00" <= after <= "\ud7a3"
    vowel, final = "\u1160" <= after <= "\u11a7", after >= "\u11a8"
    if "\u1100" <= before <= "\u115f":
        return not final
    composed = "\uac00" <= before <= "\ud7a3"
    open_syllable = composed and (ord(before) - 0xAC00) % 28 == 0
    if vowel:
        return open_syllable or "\u1160" <= before <= "\u11a7"
    return final and (composed or "\u1160" <= before <= "\u11ff")
