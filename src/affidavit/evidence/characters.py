"""Tables of the characters that look alike or cannot be seen. Data only; `fold` and `envelope` read them.

Ranges are inclusive code points. Properties are those of the Unicode Character Database 15.1: `White_Space` and
`Default_Ignorable_Code_Point` (PropList.txt, DerivedCoreProperties.txt), without the default-ignorable *letters*
(the Hangul fillers U+115F, U+1160, U+3164, U+FFA0), because no letter of any script is ever dropped.
"""

import unicodedata
from collections.abc import Iterable

Ranges = tuple[tuple[int, int], ...]

# White_Space=Yes: tab to carriage return, space, NEL, NBSP and its kin, line and paragraph separator.
WHITE_SPACE: Ranges = (
    (0x0009, 0x000D),
    (0x0020, 0x0020),
    (0x0085, 0x0085),
    (0x00A0, 0x00A0),
    (0x1680, 0x1680),
    (0x2000, 0x200A),
    (0x2028, 0x2029),
    (0x202F, 0x202F),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
)

SOFT_HYPHEN = 0x00AD

# Default_Ignorable_Code_Point=Yes, by what it can be misused for. The names are those of `Document.flags`.
INVISIBLE: dict[str, Ranges] = {
    "zero_width": (
        (0x034F, 0x034F),  # combining grapheme joiner
        (0x180E, 0x180E),  # Mongolian vowel separator
        (0x200B, 0x200D),  # zero-width space, non-joiner, joiner
        (0x2060, 0x2064),  # word joiner, invisible operators
        (0x206A, 0x206F),  # deprecated format characters
        (0xFEFF, 0xFEFF),  # zero-width no-break space (byte-order mark)
        (0x1BCA0, 0x1BCA3),  # shorthand format controls
        (0x1D173, 0x1D17A),  # musical format controls
    ),
    "bidi": (
        (0x061C, 0x061C),  # Arabic letter mark
        (0x200E, 0x200F),  # left-to-right and right-to-left mark
        (0x202A, 0x202E),  # embeddings and overrides
        (0x2066, 0x2069),  # isolates
    ),
    "variation_selectors": (
        (0x180B, 0x180D),  # Mongolian free variation selectors
        (0x180F, 0x180F),
        (0xFE00, 0xFE0F),
        (0xE0100, 0xE01EF),
    ),
    "tag_characters": ((0xE0000, 0xE007F),),
}

# Curly and low quotation marks beside the straight one of the same number of strokes.
# Primes, guillemets and the modifier-letter apostrophe U+02BC (a letter) are other characters and stay.
SINGLE_QUOTES = "\u2018\u2019\u201a\u201b"
DOUBLE_QUOTES = "\u201c\u201d\u201e\u201f"

# Dashes are folded to one width: keyboards have one key for all of them, the plain spelling of "a — b" is "a - b",
# and no reading of a sentence hangs on the length of a stroke. None is ever dropped, so a minus sign stays a sign.
DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"

# Letters that a font or a PDF draws as one glyph or in a positional shape; each is spelt out by its compatibility
# decomposition (UnicodeData.txt). Latin, Armenian, Hebrew alef-lamed, Arabic presentation forms. The word ligatures
# U+FDF0 to U+FDFF are symbols that look like themselves and stay.
LIGATURES: Ranges = (
    (0xFB00, 0xFB06),
    (0xFB13, 0xFB17),
    (0xFB4F, 0xFB4F),
    (0xFB50, 0xFBB1),
    (0xFBD3, 0xFD3D),
    (0xFD50, 0xFD8F),
    (0xFD92, 0xFDC7),
    (0xFE80, 0xFEFC),
)

# Letters of other scripts that look like Latin ones (Unicode Technical Standard 39, confusables; those on keyboards).
LOOKALIKES = str.maketrans(
    "асеорхуіјѕԁһԛԝвкмнтАВСЕНІЈКМОРЅТХУοαινκρτυχΑΒΕΗΙΚΜΝΟΡΤΧΥΖ",
    "aceopxyijsdhqwbkmhtABCEHIJKMOPSTXYoaivkptuxABEHIKMNOPTXYZ",
)


def expand(ranges: Ranges) -> str:
    """Every character of the ranges."""
    return "".join(chr(code) for first, last in ranges for code in range(first, last + 1))


def character_class(characters: Iterable[str]) -> str:
    """The inside of a regular expression's ``[…]`` that matches exactly those characters, as ranges."""
    codes = sorted({ord(character) for character in characters})
    runs: list[list[int]] = []
    for code in codes:
        if runs and code == runs[-1][1] + 1:
            runs[-1][1] = code
        else:
            runs.append([code, code])
    return "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in runs)


def is_ideograph(character: str) -> bool:
    """A kana or an ideograph: scripts that put no space between words, so that a word's end cannot be seen.

    Thai, Lao, Khmer and Burmese put a space between phrases, which serves as one.
    """
    return "\u3040" <= character <= "\u30ff" or "\u3400" <= character <= "\u9fff" or "\uf900" <= character <= "\ufaff"


SPACES = expand(WHITE_SPACE)
INVISIBLES = chr(SOFT_HYPHEN) + "".join(expand(ranges) for ranges in INVISIBLE.values())
SPELT_OUT = {
    character: unicodedata.normalize("NFKC", character)
    for character in expand(LIGATURES)
    if unicodedata.category(character) != "Cn"
}
