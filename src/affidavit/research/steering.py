"""What a judge is not left alone with: a claim that a page dictated, and a claim about somebody its page never names.

A model that obeyed a page writes what it was told and hangs a good quotation under it. A judge that agrees too easily
passes it. Both are seen here without a model, by what the page says.
"""

from collections.abc import Iterable, Iterator

from affidavit.evidence.document import Document
from affidavit.evidence.language import guess_language, primary_subtag
from affidavit.evidence.sentences import sentences
from affidavit.gates.finding import Finding
from affidavit.gates.model_speech import speaks_to_a_model
from affidavit.gates.names import check_names
from affidavit.ranking.terms import STOP_WORDS, stem, terms

ECHOED = 0.8
"""Share of a claim's terms in what a page told a model to say, from which on the claim is an echo. Not swept."""
_SMALL = frozenset(stem(word) for word in STOP_WORDS)
_EVERY_NOUN = ("de", "lb")
"""Languages that write every noun with a capital, so that capitals tell no names."""


def dictated(documents: Iterable[Document]) -> list[frozenset[str]]:
    """The terms of each passage of `documents` that speaks to a model, with the sentence after it."""
    return [
        terms(text) - _SMALL for document in documents if "injection" in document.flags for text in _speaking(document)
    ]


def echoes(claim: str, told: Iterable[frozenset[str]]) -> bool:
    """Whether `claim` says what some page told a model to say."""
    own = terms(claim) - _SMALL
    return bool(own) and any(len(own & passage) / len(own) >= ECHOED for passage in told)


def unnamed(claim: str, document: Document) -> Finding | None:
    """The first name of `claim` that stands nowhere on the page: not in its text, its title, or its address."""
    language = guess_language(claim)
    if language in _EVERY_NOUN or language != (primary_subtag(document.language) or guess_language(document.text)):
        return None
    page = f"{document.title or ''}\n{document.final_url}\n{document.text}"
    return next(iter(check_names(claim, page)), None)


def _speaking(document: Document) -> Iterator[str]:
    for block in document.blocks:
        text = document.text[block.start : block.end]
        if speaks_to_a_model(text) is None:
            continue
        ranges = sentences(text)
        alone = [index for index, (start, end) in enumerate(ranges) if speaks_to_a_model(text[start:end]) is not None]
        if not alone:  # spread over several
            yield text
        for index in alone:
            yield text[ranges[index][0] : ranges[min(index + 1, len(ranges) - 1)][1]]
