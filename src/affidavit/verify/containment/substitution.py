"""Words that a claim has in place of others in a sentence that it otherwise copies.

Whoever rewords a sentence rewords more of it than a word or two. Where nearly all of it was kept, what was changed was
changed on purpose, and no likeness of the whole tells whether the claim still says the same: "drinking vodka" is very
like "drinking beer".
"""

from collections.abc import Sequence

from affidavit.gates.polarity.reading import Sentence, Word
from affidavit.ranking.terms import stem
from affidavit.ranking.vocabulary import light, similar
from affidavit.verify.containment.alignment import LONGEST, match_words
from affidavit.verify.containment.wording import key, spells_sign

COPIED = 0.75
"""Of its words that carry meaning a claim that copies a sentence keeps so many. Not swept: with fewer it is no copy."""
SLOT = 3
"""Words in whose place one may stand: more are a clause that was left out beside it."""


def substituted(claim: Sentence, spans: Sequence[Sentence], context: frozenset[str]) -> str | None:
    """The words that `claim` puts in place of others, or adds, in the sentence of `spans` that it copies most closely;
    None where it copies none, or changes nothing but to words that say alike things or stand elsewhere in the span.

    `context` has the stems of words that stand about the span: naming in front what a sentence speaks of changes
    nothing.
    """
    content = [index for index, word in enumerate(claim.words) if word.content]
    if not content or len(claim.words) > LONGEST:
        return None
    keys = {key(word) for one in spans for word in one.words}
    stems = {stem(word.text) for one in spans for word in one.words}
    best: list[str] | None = None
    for one in spans:
        if len(one.words) > LONGEST:
            continue
        places = match_words(claim, range(len(claim.words)), one)
        missing = [index for index in content if places[index] < 0]
        first = next((index for index in content if places[index] >= 0), len(places))
        if not missing:
            return None
        if len(missing) > (1 - COPIED) * len(content):
            continue
        changed = [
            claim.words[index].text
            for index in missing
            if _says_more(claim, index, keys, stems if index > first else stems | context)
            and (slot := _slot(one, places, index)) is not None
            and (not _named(claim, index) or any(word.capital for word in slot))
        ]
        if best is None or len(changed) < len(best):
            best = changed
    return " ".join(best) if best else None


def _named(claim: Sentence, index: int) -> bool:
    """Names have a gate of their own, which knows their other spellings; here only one for another counts."""
    return claim.words[index].capital and index > 0


def _says_more(claim: Sentence, index: int, keys: set[str], stems: set[str] | frozenset[str]) -> bool:
    """Whether the word says something new: it stands nowhere else, says what no word there says, and is no figure,
    which has a gate of its own, nor a word of manner. One more thing in a list is something new whatever it is."""
    text, its_key, its_stem = claim.words[index].text, key(claim.words[index]), stem(claim.words[index].text)
    if text[0].isdigit() or its_key in keys or its_stem in stems or spells_sign(claim.words, index):
        return False
    beside = {claim.words[at].text for at in (index - 1, index + 1) if 0 <= at < len(claim.words)}
    listed = bool(beside & {"and", "or", "nor"})
    return listed or not (its_stem in light() or similar(its_stem) & stems)


def _slot(span: Sentence, places: Sequence[int], index: int) -> list[Word] | None:
    """The span's own words between those kept on either side of word `index`; None where they are too many for it to
    stand in their place."""
    before = max((place for place in places[:index] if place >= 0), default=-1)
    after = min((place for place in places[index + 1 :] if place >= 0), default=len(span.words))
    kept = {place for place in places if place >= 0}
    found = [span.words[at] for at in range(before + 1, after) if at not in kept and span.words[at].content]
    return found if len(found) <= SLOT else None
