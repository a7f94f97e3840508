"""A query as each kind of API takes it: text, of which no character is an operator.

A question comes from a person or a model. If ``site:``, ``-word``, ``!bang`` or ``[dp]`` in it were instructions to
the engine, a steered model could have them followed, and a harmless one would lose results to a stray minus.
"""

import re

from affidavit.search.stopwords import STOPWORDS

_SPACE = re.compile(r"\s+")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]")
# Quotes, brackets, wildcards and the other signs that one of the engines reads as an instruction.
_SIGNS = re.compile(r"[\"“”„«»‟`(){}\[\]<>*^~\\|?/=;]+")
_LEADING = re.compile(r"^[-+!:@&#.,'_]+")
_OPERATORS = frozenset({"AND", "OR", "NOT", "ANDNOT", "NEAR", "ADJ", "TO"})
# "word:" before more text is a field in every engine (site:, intitle:, ti:, insource:, deepcat:).
_FIELD = re.compile(r"(?<=[^\W\d_]):(?=\S)")
_WORD = re.compile(r"\w+(?:[-'’.+]\w+)*")
_MOST_WORDS = 12


def as_text(query: str, longest: int = 400) -> str:
    """`query` as one line without operators, cut at a word's end to at most `longest` characters."""
    line = _FIELD.sub(" ", _SIGNS.sub(" ", _CONTROL.sub(" ", query[:10_000])))
    words = [_LEADING.sub("", word) for word in _SPACE.split(line.strip())]
    words = [word.lower() if word in _OPERATORS else word for word in words if any(map(str.isalnum, word))]
    text = " ".join(words)
    if len(text) <= longest:
        return text
    return text[:longest].rpartition(" ")[0] or text[:longest]


def as_question(query: str, longest: int = 400) -> str:
    """`query` for engines that read sentences and have no operators: white space and invisible characters alone go."""
    line = _SPACE.sub(" ", _CONTROL.sub(" ", query[:10_000])).strip()
    if len(line) <= longest:
        return line
    return line[:longest].rpartition(" ")[0] or line[:longest]


def content_words(query: str) -> list[str]:
    """The words that say what it is about, each once, at most twelve; all words if none does.

    For engines in which every word must stand (arXiv, PubMed, MediaWiki): in a question whose every "what" and "must"
    has to stand in the page, nothing does.
    """
    words = list(dict.fromkeys(_WORD.findall(as_text(query, 10_000))))
    wanted = [word for word in words if word.lower() not in STOPWORDS] or words
    return wanted[:_MOST_WORDS]
