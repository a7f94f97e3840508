"""A question in the pages' own words.

A page often says itself what else its subject is called: "the memorized secret (commonly referred to as a password)".
Neither shared words nor vectors bridge that reliably, and the page's word is better than a thesaurus's. So where the
question uses the common name, it is also asked with the page's.
"""

import re
from collections.abc import Iterable

from affidavit.evidence.document import Document
from affidavit.ranking.terms import STOP_WORDS, stem

MOST = 2
"""Further wordings of one question: each is weighed against every sentence again."""

# A name begins a word and its words are short: from each letter of one long word, it cost the square of its length.
_ALIAS = re.compile(
    r"(?<![^\W\d_])(?P<name>[^\W\d_][\w-]{0,60}(?:[^\S\n][\w-]{1,60}){0,3})[^\S\n]*[(,—–][^\S\n]*"
    r"(?:also|commonly|often|sometimes|usually|generally|formerly)[^\S\n](?:referred[^\S\n]to[^\S\n]as|known[^\S\n]as|called)[^\S\n]"
    r"(?P<others>[^().,;:—–\n]{2,60})"
)


def wordings(question: str, documents: Iterable[Document]) -> list[str]:
    """`question`, and at most `MOST` rewordings of it with names that `documents` give as the same thing's."""
    found = [question]
    for document in documents:
        for match in _ALIAS.finditer(document.text):
            name = _noun(match["name"])
            for other in re.split(r"\bor\b|\band\b", match["others"]):
                reworded = _replace(question, _bare(other), name)
                if name and reworded is not None and reworded not in found and len(found) <= MOST:
                    found.append(reworded)
    return found


def _noun(text: str) -> str:
    """The words after the last stop word: "input the memorized secret" names a memorized secret."""
    run: list[str] = []
    for word in text.split():
        run = [] if word.lower() in STOP_WORDS else [*run, word]
    return " ".join(run)


def _bare(text: str) -> str:
    """`text` without quotation marks and articles, as far as its first stop word."""
    run: list[str] = []
    for word in re.findall(r"[\w-]+", text):
        if word.lower() not in STOP_WORDS:
            run.append(word)
        elif run:
            break
    return " ".join(run)


def _replace(question: str, other: str, name: str) -> str | None:
    """`question` with `name` for `other`, its number kept; None where it does not speak of `other`, or of both."""
    if not other or name.lower() in question.lower():
        return None
    wanted = [stem(word) for word in other.split()]
    phrase = r"\s+".join(r"[\w-]+" for _ in wanted)
    for match in re.finditer(rf"(?<![\w-])(?=({phrase})(?![\w-]))", question):
        start, end = match.span(1)
        if start > 0 and [stem(word) for word in match[1].split()] == wanted:
            plural = match[1].endswith("s") and not other.endswith("s") and not name.endswith("s")
            return question[:start] + name + ("s" if plural else "") + question[end:]
    return None
