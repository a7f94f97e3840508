"""Whether the rules know the language of a passage; where they do not, only its own sentences are certified.

The gates find a denial, a duty or a degree by its words, and know those of a few languages. In any other a claim may
have every word of its source but the one that denies it, and nothing would be found. So there a claim is sourced where
it is a sentence of the source, as it stands, and by nothing less.
"""

import re
import unicodedata
from collections import Counter

from affidavit.evidence.document import Document
from affidavit.evidence.fold import fold
from affidavit.evidence.language import function_words, guess_language, primary_subtag
from affidavit.evidence.sentences import sentences

RULED = frozenset({"en", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "nb", "pl", "ru"})
"""Languages whose plain negators `gates.polarity` knows."""
LEAST_SMALL = 0.14
"""Small words among the words of a text in the language that it is guessed to be in, at least. 66 real English pages
have .15 to .4 and short texts in German, French, Spanish and Russian .17 to .35; Vietnamese, Indonesian, Turkish,
Swahili, Tagalog and Welsh, taken for one of these, have 0 to .13."""
LEAST_WORDS = 20
"""A text of fewer words is what it is guessed to be: a table or a list of names has no small words."""
OTHER_SCRIPT = 0.2
"""The part of a claim's letters in a script that no language of `RULED` is written in."""

_SAMPLE = 4000
_WORD = re.compile(r"[^\W\d_]+")
_SCRIPTS = ("LATIN", "CYRILLIC")
# Thai, Lao, Burmese and Khmer set spaces between phrases and no mark between sentences.
_SPACED_PHRASES = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
_EDGES = " \t\n.。．!！?？।॥۔؟։;；,，、·\"'“”‘’«»「」『』()（）"


def rules_know(document: Document) -> bool:
    """Whether the gates know the language that a source is written in, by its own word or by its text."""
    text = document.text[:_SAMPLE]
    language = guess_language(text)
    declared = primary_subtag(document.language)
    if language not in RULED or (declared is not None and declared not in RULED):
        return False
    words = [word.lower() for word in _WORD.findall(text)]
    small = function_words(language)
    return len(words) < LEAST_WORDS or sum(word in small for word in words) >= LEAST_SMALL * len(words)


def in_other_script(text: str) -> bool:
    """Whether a text is written, in part, in a script whose languages the gates do not know."""
    letters = [character for character in text if character.isalpha()]
    scripts = Counter(unicodedata.name(character, "?").split(maxsplit=1)[0] for character in set(letters))
    foreign = {script for script in scripts if script not in _SCRIPTS and not script.startswith("FULLWIDTH")}
    count = sum(unicodedata.name(character, "?").split(maxsplit=1)[0] in foreign for character in letters)
    return count > OTHER_SCRIPT * len(letters)


def is_sentence_of(claim: str, passage: str) -> bool:
    """Whether the claim is a sentence of the passage, or a run of them, as it stands: its last mark apart."""
    wanted = _bare(claim)
    if not wanted:
        return False
    found = sentences(passage)
    runs = (
        passage[found[first][0] : found[last][1]]
        for first in range(len(found))
        for last in range(first, min(first + 3, len(found)))
    )
    if any(_bare(run) == wanted for run in runs):
        return True
    if not _SPACED_PHRASES.search(claim):
        return False
    return f" {wanted} " in f" {_bare(passage)} "


def _bare(text: str) -> str:
    return " ".join(fold(text).text.split()).strip(_EDGES)
