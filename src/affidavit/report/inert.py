"""Page text made inert for the place it is printed in.

Whatever a page says, as title, author, address or sentence, reaches a terminal, a Markdown renderer, a TeX run or
a browser through one of these functions, and acts in none of them. The words stay readable: nothing is dropped
but what a reader cannot see. The exact characters are kept in the JSON and in the bundle.
"""

import re
from functools import lru_cache

import ada_url

# ECMA-48 sequences, 7-bit and 8-bit: strings (OSC, DCS, SOS, PM, APC) to their terminator, CSI to its final byte,
# and two-character escapes. An unterminated string ends at the line, so that it cannot swallow the rest.
_SEQUENCE = re.compile(
    r"(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?"
    r"|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"
    r"|\x1b[ -/]*[0-~]?"
)
# Unicode's Bidi_Control property (PropList), and characters that no reader sees: zero-width space, word joiner and
# invisible operators, BOM, interlinear marks, tag characters. Joiners (200C, 200D) are honest in many scripts.
_UNSEEN = re.compile(
    "[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u200b\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
# Controls but tab and line feed, surrogates, and the code points Unicode reserves for no character ever.
_CONTROL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef"
    + "".join(f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0, 0x110000, 0x10000))
    + "]"
)
_BREAK = re.compile("\r\n|[\n\r\x0b\x0c\x85\u2028\u2029]")
_SPACE = re.compile(r"\s+")


def passage(text: str) -> str:
    """`text` without terminal sequences, control, bidi and invisible characters. Line breaks and tabs stay."""
    return _CONTROL.sub("", _UNSEEN.sub("", _SEQUENCE.sub("", _BREAK.sub("\n", text))))


def line(text: str) -> str:
    """`text` as `passage` gives it, on one line, with each run of white space one space."""
    return _SPACE.sub(" ", passage(text)).strip()


# Percent-encoded beyond what the URL standard asks for: what ends or alters a destination in Markdown, TeX or a shell.
_UNQUOTED = {ord(char): "".join(f"%{byte:02X}" for byte in char.encode()) for char in " \"'<>\\^`{|}[]"}

# The URL standard allows quotes and braces in a host; no registry does.
_HOST = re.compile(r"[A-Za-z0-9._-]+|\[[0-9a-f:.]+\]")


@lru_cache(maxsize=4096)
def web_url(url: str) -> str | None:
    """`url` in the form a browser would go to, if it is an address of the web, else None.

    Only http and https, with a host and without a user's name in it; never a relative or scheme-less reference.
    The result is ASCII without white space, quotes, brackets or braces (but for an IPv6 host's), so it can neither
    end nor leave the place it is printed in.
    """
    try:
        parsed = ada_url.URL(url)
    except ValueError:
        return None
    if parsed.protocol not in ("http:", "https:") or parsed.username or parsed.password:
        return None
    if not _HOST.fullmatch(parsed.hostname):
        return None
    origin = f"{parsed.protocol}//{parsed.host}"
    rest = str(parsed.href).removeprefix(origin).translate(_UNQUOTED)
    return origin + "".join(char if char.isascii() else "".join(f"%{b:02X}" for b in char.encode()) for char in rest)


def web_host(url: str) -> str:
    """The host of `url` without ``www.``, for display; the inert text of `url` where it is no web address."""
    safe = web_url(url)
    return str(ada_url.URL(safe).hostname).removeprefix("www.") if safe else line(url)


# Markdown. Backslash before every character that opens something anywhere in a line, in CommonMark, GFM or Pandoc.
_MARKDOWN_ANYWHERE = re.compile(r"[\\`*_{}\[\]<>|~$^@#]|!(?=\[)")
# What an autolinker takes for an address: a colon with a word glued to it, two slashes, a dot inside a host's name.
_MARKDOWN_ADDRESS = re.compile(r":(?=[^\W\d]|/)|/(?=/)|(?<=/)/|(?<=[\w-])\.(?=[^\W\d_]{2})")
_MARKDOWN_AT_START = re.compile(r"^(?:([-+=%:])|(\d{1,9})([.)]))")
_ENTITY = re.compile(r"&(?=#?\w+;)")


def markdown(text: str) -> str:
    """`text` on one line as Markdown that renders as exactly that text: no markup, link, image, HTML or entity."""
    text = line(text)
    text = _MARKDOWN_ANYWHERE.sub(r"\\\g<0>", text)
    text = _MARKDOWN_ADDRESS.sub(r"\\\g<0>", text)
    text = _MARKDOWN_AT_START.sub(lambda m: "\\" + m[1] if m[1] else f"{m[2]}\\{m[3]}", text)
    return _ENTITY.sub("&amp;", text)


def markdown_destination(url: str) -> str | None:
    """A link destination in angle brackets, or None where `url` is no web address."""
    safe = web_url(url)
    return None if safe is None else f"<{_ENTITY.sub('&amp;', safe)}>"


# TeX. Braces become commands: BibTeX counts them even behind a backslash, so an odd one would open the whole file.
_TEX = str.maketrans(
    {
        "\\": r"{\textbackslash}",
        "{": r"{\textbraceleft}",
        "}": r"{\textbraceright}",
        "$": r"\$",
        "&": r"\&",
        "#": r"\#",
        "%": r"\%",
        "_": r"\_",
        "^": r"{\textasciicircum}",
        "~": r"{\textasciitilde}",
        "<": r"{\textless}",
        ">": r"{\textgreater}",
        "|": r"{\textbar}",
        '"': r"{\textquotedbl}",
        "@": r"{@}",
    }
)


def tex(text: str) -> str:
    """`text` on one line as a BibTeX field's content: braces balance, and no character is special to TeX."""
    return line(text).translate(_TEX)
