"""Which sign groups digits and which one starts the decimals.

Most numbers tell by themselves: several groups, or both signs, or a group that is not of three digits. Only one sign
before exactly three digits (1.234 or 1,234) leans on the language: of the text where the caller names it, else as
guessed from the sentence. English, Chinese, Hindi, Swiss German and Latin American Spanish have a decimal point; the
other European languages a decimal comma.
"""

import re
from functools import lru_cache

from affidavit.evidence.language import function_words, guess_language, primary_subtag

# Source: Unicode CLDR, number symbols. Languages whose default region writes a decimal comma.
DECIMAL_COMMA = frozenset(
    "af az be bg bs ca cs da de el es et eu fi fr gl hr hu hy id is it ka kk lt lv mk nb nl nn no pl pt ro ru sk sl sq "
    "sr sv tr uk vi".split()
)
# Regions that write a point although their language elsewhere writes a comma.
DECIMAL_POINT_REGIONS = frozenset(["CH", "LI", "MX", "US", "GT", "HN", "NI", "PA", "PE", "PR", "SV", "DO", "CU", "BZ"])

# One of these words beside a number speaks for a language where a short sentence has too few function words to tell.
_HINTS = {
    "de": re.compile(
        r"\b(?:Prozent|Euro \w+en\b|Einwohner\w*|Mrd\.|Mio\.|Tsd\.|Menschen|Jahre[n]?|Uhr|beträgt|betragen|wurden"
        r"|stieg|kostet|Stück|seit|für|über|zwischen|etwa|rund|Kilometer|Stadt|haben|kamen|leben|Personen"
        r"|\w+prozentig\w*)\b"
    ),
    "fr": re.compile(
        r"\b(?:pour cent|millions? d[e'’]|milliards?|habitants|personnes|euros par|compte|près de|environ|ont|était"
        r"|entreprises|élèves|coûte)\b"
    ),
    "es": re.compile(
        r"\b(?:por ciento|millones|habitantes|personas|empresas|años|cuesta|ciudad|tiene|unos|unas|alumnos|fueron)\b"
    ),
    "pt": re.compile(r"\b(?:por cento|milhões|bilhões|milhão|foram|pessoas|anos|cidade|tem|não)\b"),
    "it": re.compile(r"\b(?:per cento|milioni|miliardi|abitanti|persone|anni|città|sono)\b"),
    "nl": re.compile(r"\b(?:procent|miljoen|miljard|inwoners|jaar|heeft|mensen|stad)\b"),
}
_ENGLISH = re.compile(
    r"\b(?:the|of|and|with|are|were|by|from|they|which|was|has|have|their|its|for|this|that|to|is|at|it)\b", re.I
)

_WORD = re.compile(r"[^\W\d_]+")
# So many small words that English has not tell the language of a short text of plain letters ("Die Halle fasst 2.750
# Besucher und wurde umgebaut"). Two stand in a name ("El Paso de la Plata"); four are more than such a sentence has.
_WITNESSES = 3


def language_of(text: str, locale: str | None) -> str:
    """The language whose signs and number words `text` is read by: the primary subtag of `locale`, else a guess."""
    given = primary_subtag(locale)
    if given:
        return given
    return _guess(text[:2000])


@lru_cache(maxsize=512)
def _guess(sample: str) -> str:
    guessed = guess_language(sample)
    english = len(_ENGLISH.findall(sample))
    hints = {language: len(hint.findall(sample)) for language, hint in _HINTS.items()}
    best = max(hints, key=lambda language: (hints[language], language == guessed))
    if hints[best] and hints[best] * 2 >= english:
        return best
    # Function words that languages share ("per", "a", "no", "on") are a weak ground in a short text of plain letters.
    told = guessed != "en" and english < 2
    return guessed if told and (not sample.isascii() or len(sample) > 120 or _speaks(sample, guessed)) else "en"


def _speaks(sample: str, language: str) -> bool:
    known = function_words(language) - function_words("en")
    return sum(word in known for word in _WORD.findall(sample.lower())) >= _WITNESSES


def has_decimal_comma(language: str, locale: str | None) -> bool:
    """Whether a single comma before three digits starts decimals, and a single point groups thousands."""
    region = locale.replace("_", "-").split("-")[-1].upper() if locale and len(locale) > 3 else ""
    return language in DECIMAL_COMMA and region not in DECIMAL_POINT_REGIONS
