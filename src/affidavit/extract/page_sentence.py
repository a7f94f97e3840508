"""One sentence of a page, and whom it speaks to: the visitor, about the page, or of the world."""

import re
from dataclasses import dataclass
from functools import cached_property

from affidavit.extract.phrases import ADDRESS, ASKS, SELF, count_words, fold

_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"|«[^»]*»|„[^“”]*[“”]|「[^」]*」")
_BUTTONS = (
    r"loading|please wait|yes|no|ok|accept|enter|continue|submit|cancel|close|menu|home|back|next|"
    r"skip to \w+( content)?"
)
_BOILERPLATE = re.compile(rf"^\W*(?:©|\(c\)|copyright\b)|^\W*(?:{_BUTTONS})\W*$", re.IGNORECASE)
_REPORT_WORDS = 10
_TELLING_WORDS = 8
_NAME = re.compile(r"(?<=[\w,] )[^\W\d_]\w+")
_GERMAN = re.compile(r"(?<!\S)(?:der|die|das|ist|wurde|nicht|und|ein|eine)(?!\S)")


@dataclass(frozen=True)
class PageSentence:
    """One sentence of the block with that index, and its number of words."""

    text: str
    words: int
    block: int
    in_prose: bool = False
    aside: bool = False

    @cached_property
    def folded(self) -> str:
        return fold(self.text)

    @cached_property
    def said(self) -> str:
        """What the sentence itself says, folded, without what it quotes."""
        bare = _QUOTED.sub(" ", self.text)
        return fold(bare) if bare != self.text and count_words(bare) >= 4 else self.folded

    @property
    def is_question(self) -> bool:
        return self.text.rstrip().endswith(("?", "？"))

    @property
    def speaks(self) -> bool:
        """Whether it speaks to the visitor, for the site, or of the page itself."""
        return any(sign.search(self.folded) for sign in (ADDRESS, SELF)) or ASKS.match(self.folded) is not None

    @cached_property
    def tells(self) -> bool:
        """Whether it is a whole sentence of a paragraph that states something of the world: a name or a figure in it,
        and no word to the visitor or about the page. German nouns are no names.
        """
        text = self.text.strip()
        if not self.in_prose or self.words < _TELLING_WORDS or not text.endswith((".", "。", "”", '"', "»")):
            return False
        named = _GERMAN.search(self.folded) is None and any(match[0][0].isupper() for match in _NAME.finditer(text))
        return (named or any(letter.isdigit() for letter in text)) and not self.speaks

    @property
    def reports(self) -> bool:
        """Whether it tells of something with figures, and neither speaks to the reader nor for the site."""
        counted = self.words >= _REPORT_WORDS and any(letter.isdigit() for letter in self.text)
        return counted and ADDRESS.search(self.folded) is None

    @property
    def is_boilerplate(self) -> bool:
        return _BOILERPLATE.search(self.text) is not None
