"""The wording of block pages, read from ``block_phrases.toml`` and made searchable.

Text and phrases go through the same fold: case, quotes, punctuation and white space are not told apart, letters
of every script are. A phrase matches whole words; in scripts without spaces it matches anywhere.
"""

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from affidavit.errors import FailureKind

_NOT_WORD = re.compile(r"[^\w']+")
_APOSTROPHE = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "`": "'"})
_SPACELESS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_WORD = re.compile(r"[\w'’]+")
# Words that speak to the reader, or for the site, in folded text: the personal pronouns and "please" of the languages
# of the table that have them as words of their own. A sentence with figures and none of these reports something.
_ADDRESSING = (
    "you your you're you've please we we're our us sorry subscribe join click want "
    "sie ihr ihre ihren ihrem ihrer du dein deine bitte wir unsere uns vous votre vos nous notre nos veuillez "
    "usted su sus tu tus por favor nosotros nuestro nuestra lei tuo tua prego noi nostro você seu sua nós nosso "
    "u uw je jij jouw wij onze alstublieft proszę twój twoja twoje вы ваш ваша ваше вам мы наш пожалуйста"
)
ADDRESS = re.compile(rf"(?<!\S)(?:{'|'.join(_ADDRESSING.split())})(?!\S)")
# Words by which a page speaks of itself, in folded text: what stands before the reader, or what failed to. A sentence
# with one of these says nothing of the world.
_OWN_THINGS = (
    r"page|pages|webpage|web page|site|website|web site|server|content|domain|domain name|article|story|resource"
    r"|request|connection|video|product|item|job|position|listing|offer|post|file|document|address|url|link|account"
    r"|application|error|browser|check|process|service|section|community|group"
)
SELF = re.compile(
    rf"(?<!\S)(?:this|that|the requested|the current|the following|our|your) (?:web )?(?:{_OWN_THINGS})(?!\S)"
    r"|(?<!\S)(?:page|site|website|server|servers|service|services|portal|app|system|platform|domain|uploader"
    r"|the document|the url|request|javascript)"
    r" (?:is|are|was|were|will|has|have|had|does|did|could|cannot|can't|isn't|returns|encountered|needs|requires|must)"
    r"(?!\S)"
    r"|(?<!\S)(?:diese[rsmn]?|angeforderte|gesuchte|aufgerufene)"
    r" (?:seite|webseite|website|domain|inhalt|artikel|angebot|video|internetseite|adresse)(?!\S)"
    r"|(?<!\S)(?:cette|ce|cet) (?:page|site|contenu|domaine|article|vidéo|offre|annonce)(?!\S)"
    r"|(?<!\S)(?:est[ea]|quest[oa]) "
    r"(?:página|pagina|sitio|sito|site|contenido|contenuto|conteúdo|dominio|domínio)(?!\S)"
    r"|(?<!\S)(?:deze|dit|de opgevraagde) "
    r"(?:pagina|site|website|domein|domeinnaam|artikel|video|product|vacature)(?!\S)"
    r"|(?<!\S)эт\w+ (?:страниц|сайт|домен|ресурс)\w*|この(?:ページ|サイト|ドメイン|記事)"
    r"|(?:此|本|该)(?:页面|网站|域名|网页|文章)|هذه الصفحة|هذا الموقع"
)
# A sentence that begins so asks its reader for something.
ASKS = re.compile(
    r"(?:accept|allow|check|click|close|complete|confirm|contact|continue|download|enable|enter|get|go|join|leave|log|press"
    r"|refresh|register|reload|return|search|select|sign|solve|stay|subscribe|switch|tap|try|turn|update|upgrade|use|verify"
    r"|visit|wait|welcome|sorry)(?!\S)"
)
_NOTHING = re.compile(r"(?!)")


@dataclass(frozen=True, slots=True)
class Phrases:
    """One kind's phrases. Each pattern is to be searched in folded text."""

    head: re.Pattern[str]
    wall: re.Pattern[str]
    hint: re.Pattern[str]
    front: re.Pattern[str]


def fold(text: str) -> str:
    """`text` as words parted by one space: lower case, straight apostrophes, no other punctuation."""
    return _NOT_WORD.sub(" ", unicodedata.normalize("NFC", text).translate(_APOSTROPHE).casefold()).strip()


def count_words(text: str) -> int:
    """Words of `text`: two characters are one in scripts without spaces, and so are forty without any space."""
    spaceless = 0 if text.isascii() else len(_SPACELESS.findall(text))
    words = len(_WORD.findall(_SPACELESS.sub(" ", text) if spaceless else text)) + (spaceless + 1) // 2
    return max(words, len(text) // 40)


@cache
def table() -> Mapping[FailureKind, Phrases]:
    """Every kind that has phrases, in the order of the file: where two fit equally, the first wins."""
    text = resources.files("affidavit.extract").joinpath("block_phrases.toml").read_text(encoding="utf-8")
    return {
        FailureKind(kind): Phrases(
            *(_pattern(rows.get(part, {}).values()) for part in ("head", "wall", "hint", "front"))
        )
        for kind, rows in tomllib.loads(text).items()
    }


def _pattern(lists: Iterable[list[str]]) -> re.Pattern[str]:
    phrases = sorted({phrase for rows in lists for phrase in rows}, key=lambda phrase: (-len(phrase), phrase))
    return re.compile("|".join(map(_regex, phrases))) if phrases else _NOTHING


def _regex(phrase: str) -> str:
    parts = [fold(part) for part in phrase.split("*")]
    if _SPACELESS.search(phrase):
        return ".{0,10}?".join(map(re.escape, parts))
    body = r"(?: \S+){0,5}? ".join(re.escape(part) for part in parts if part)
    before = r"(?:\S+ ){0,5}?" if not parts[0] else ""
    after = r"(?: \S+){0,5}" if not parts[-1] else ""
    return rf"(?<!\S){before}{body}{after}(?!\S)"
