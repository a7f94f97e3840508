"""Words that a claim has in place of others in a sentence that it otherwise copies.

Whoever rewords a sentence rewords more of it than a word or two. Where nearly all of it was kept, what was changed was
changed on purpose, and no likeness of the whole tells whether the claim still says the same: "drinking vodka" is very
like "drinking beer".
"""

from collections.abc import Sequence

from affidavit.gates.polarity.reading import Sentence
from affidavit.ranking.terms import stem
from affidavit.ranking.vocabulary import light, similar
from affidavit.verify.containment.alignment import LONGEST, match_words
from affidavit.verify.containment.wording import key

COPIED = 0.75
"""Of its words that carry meaning a claim that copies a sentence keeps so many. Not swept: with fewer it is no copy."""
SLOT = 3
"""Words in whose place one may stand: more are a clause that was left out beside it."""


def substituted(claim: Sentence, spans: Sequence[Sentence], context: frozenset[str]) -> str | None:
    """The words that `claim` puts in place of others, or adds, in the sentence of `spans` that it copies most closely;
    None where it copies none, or changes nothing but to words that say alike things or stand elsewhere in the span.

    `context` has the stems of words that stand about the span: naming what a sentence speaks of changes nothing.
    """
    content = [index for index, word in enumerate(claim.words) if word.content]
    if not content or len(claim.words) > LONGEST:
        return None
    keys = {key(word) for one in spans for word in one.words}
    stems = {stem(word.text) for one in spans for word in one.words} | context
    best: list[str] | None = None
    for one in spans:
        if len(one.words) > LONGEST:
            continue
        places = match_words(claim, range(len(claim.words)), one)
        missing = [index for index in content if places[index] < 0]
        if not missing:
            return None
        if len(missing) > (1 - COPIED) * len(content):
            continue
        changed = [
            claim.words[index].text
            for index in missing
            if not _named(claim, index)
            and not _known(claim.words[index].text, key(claim.words[index]), keys, stems)
            and _in_place(one, places, index)
        ]
        if best is None or len(changed) < len(best):
            best = changed
    return " ".join(best) if best else None


def _named(claim: Sentence, index: int) -> bool:
    """Names and figures have gates of their own, which know their other spellings."""
    word = claim.words[index]
    return word.text[0].isdigit() or (word.capital and index > 0)


def _known(text: str, its_key: str, keys: set[str], stems: set[str]) -> bool:
    """Whether the word says nothing new: it stands elsewhere, says what a word there says, or is a word of manner."""
    its_stem = stem(text)
    return its_key in keys or its_stem in stems or its_stem in light() or bool(similar(its_stem) & stems)


def _in_place(span: Sentence, places: Sequence[int], index: int) -> bool:
    """Whether between the words kept on either side of word `index` the span has few words of its own, or none."""
    before = max((place for place in places[:index] if place >= 0), default=-1)
    after = min((place for place in places[index + 1 :] if place >= 0), default=len(span.words))
    kept = {place for place in places if place >= 0}
    return sum(span.words[at].content for at in range(before + 1, after) if at not in kept) <= SLOT
