"""What a model of limited length reads of a long span: the sentences that share most with the claim, in their order.

Support in quite other words may be left out. That is the price of any choice made before reading; the words a claim
shares with its source are the only thing known of a sentence then.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from affidavit.evidence.sentences import sentences
from affidavit.ranking.terms import STOP_WORDS, parts, stem, words

if TYPE_CHECKING:
    from tokenizers import Tokenizer


def excerpt(span: str, claim: str, limit: int, tokenizer: "Tokenizer") -> str:
    """`span`, or those of its sentences that share most with `claim`, in order, in `limit` tokens.

    Sentences are taken by the number of content words they share, while they fit. Swept with the embedded judge on the
    923 pairs of four labelled sets (wice, summedits, expertqa, hagrid) that are longer than it reads, by AUROC: this
    rule .915 .531 .639 .852; every word counted .878 .542 .638 .854; by rarity in the span .913 .534 .651 .861; new
    words first .920 .538 .644 .851; per root of length .906 .523 .633 .844; only sentences that share a word at all
    .894 .513 .672 .854. The first and the simplest of those that are level.
    """
    offsets = tokenizer.encode(span, add_special_tokens=False).offsets
    if len(offsets) <= limit:
        return span
    ranges = sentences(span)
    sizes = [sum(start <= at < end for at, _ in offsets) for start, end in ranges]
    texts = [span[start:end] for start, end in ranges]
    chosen: list[int] = []
    left = limit
    for index in _by_likeness(texts, claim):
        if sizes[index] <= left:
            chosen.append(index)
            left -= sizes[index]
        elif not chosen:
            return beginning(texts[index], limit, tokenizer)[0]
    return " ".join(texts[index] for index in sorted(chosen))


def beginning(text: str, limit: int, tokenizer: "Tokenizer") -> tuple[str, int]:
    """The first `limit` tokens of `text`, and how many it has of them."""
    offsets = tokenizer.encode(text, add_special_tokens=False).offsets
    if len(offsets) <= limit:
        return text, len(offsets)
    return (text[: offsets[limit - 1][1]] if limit else ""), limit


def _by_likeness(texts: Sequence[str], claim: str) -> list[int]:
    """Indices of `texts`, those that share most content words with `claim` first; of equals, the earlier first."""
    wanted = _content(claim)
    shared = [len(wanted & _content(text)) for text in texts]
    return sorted(range(len(texts)), key=lambda index: (-shared[index], index))


def _content(text: str) -> frozenset[str]:
    found = [word for word in words(text) if word.lower() not in STOP_WORDS]
    return frozenset(stem(word) for word in found).union(*(parts(word) for word in found))
