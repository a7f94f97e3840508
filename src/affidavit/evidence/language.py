"""Guess which language a text is in, well enough to know its abbreviations.

Used only where a page does not say. By script first; among the languages of the Latin and Cyrillic alphabets, by
function words: closed classes, so a short list decides a paragraph. A wrong guess costs a sentence end, nothing else.
"""

import re
import unicodedata
from collections import Counter

# How much of a text is looked at, in characters: a few paragraphs hold dozens of function words.
_SAMPLE = 4000

# Unicode script name (first word of the character name) to the language it most often writes.
_BY_SCRIPT = {
    "ARABIC": "ar",
    "ARMENIAN": "hy",
    "BENGALI": "bn",
    "CJK": "zh",
    "DEVANAGARI": "hi",
    "ETHIOPIC": "am",
    "GREEK": "el",
    "GUJARATI": "gu",
    "GURMUKHI": "pa",
    "HANGUL": "ko",
    "HIRAGANA": "ja",
    "KANNADA": "kn",
    "KATAKANA": "ja",
    "MALAYALAM": "ml",
    "MYANMAR": "my",
    "ORIYA": "or",
    "TAMIL": "ta",
    "TELUGU": "te",
    "THAI": "th",
}

_FUNCTION_WORDS = {
    language: frozenset(words.split())
    for language, words in {
        "en": "the of and to in is was that it for on with by from are were this which at be not has had a an he she "
        "they we you i his her but or if as been their its there who what when said no so",
        "de": "der die das und ist nicht mit von dem den ein eine im am zu auf für sich des wurde auch es als",
        "fr": "le la les des et est une du dans que qui pour sur par au pas il elle avec sont ce aux été",
        "es": "el la los las y es una del que en por para con se su al como más fue pero sus lo",
        "it": "il la di che è e per un una del della con non sono gli nel da dei delle si le al",
        "pt": "o a os as e é um uma do da que em para com não por no na dos das ao mais foi",
        "nl": "de het een en van is in dat op te met voor zijn niet aan er ook bij door werd naar uit",
        "sv": "och att det som en på är av för den med till inte ett om från var har de",
        "da": "og at det som en på er af for den med til ikke et om fra var har de blev",
        "nb": "og at det som en på er av for den med til ikke et om fra var har de ble",
        "fi": "ja on ei se että oli hän mutta myös kun ovat sen joka tai jo kuin ole",
        "pl": "i w na z się nie jest że do to od przez jak po za ale był dla oraz",
        "cs": "a v na se je že z do s to o jako byl ale pro od která který jsou",
        "hu": "a az és hogy nem egy is van volt meg mint csak ez már ki el",
        "ro": "și în de la cu nu este un o pe care din pentru mai sau a fost",
        "tr": "ve bir bu da de için ile olan olarak çok daha gibi ne var sonra",
        "ru": "и в не на что он с как это по но из у за от был для его она так",
        "uk": "і в не на що він з як це по але із у за від був для його та є",
        "bg": "и в не на че той с как това по но от за се е са да",
    }.items()
}

BY_FUNCTION_WORDS = tuple(_FUNCTION_WORDS)
"""The languages that function words tell apart."""

_LETTERS = re.compile(r"[^\W\d_]+")


def primary_subtag(tag: str | None) -> str | None:
    """``en`` of ``en-GB``: the lower-case primary subtag of a BCP 47 tag, None for one that is none."""
    subtag = re.split("[-_]", tag.strip(), maxsplit=1)[0].lower() if tag else ""
    return subtag if re.fullmatch("[a-z]{2,3}", subtag) else None


def guess_language(text: str) -> str:
    """A two-letter code; ``en`` where nothing speaks for another."""
    words = _LETTERS.findall(text[:_SAMPLE].lower())
    scripts: Counter[str] = Counter()
    for word in words:
        scripts[unicodedata.name(word[0], "LATIN").split(maxsplit=1)[0]] += len(word)
    if not scripts:
        return "en"
    if scripts["HIRAGANA"] or scripts["KATAKANA"]:  # Japanese is mostly CJK by count, and alone has kana
        kana = scripts["HIRAGANA"] + scripts["KATAKANA"]
        if kana * 4 > scripts["CJK"]:
            scripts["HIRAGANA"] += scripts["CJK"]
    script = scripts.most_common(1)[0][0]
    if script in _BY_SCRIPT:
        return _BY_SCRIPT[script]
    votes = {language: sum(word in known for word in words) for language, known in _FUNCTION_WORDS.items()}
    best = max(votes, key=lambda language: votes[language])
    if script == "CYRILLIC":
        return best if votes[best] else "ru"
    # One word is no witness: "a", "no" and "i" are words of half the continent.
    return best if votes[best] > 1 else "en"


def function_words(language: str) -> frozenset[str]:
    """The commonest small words of a language in lower case; empty for one that is known by its script alone."""
    return frozenset(_FUNCTION_WORDS.get(language, ()))
