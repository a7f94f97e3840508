"""Relations between two parties that a sentence states, all turned so that the order of the parties means the same."""

from collections.abc import Iterator
from dataclasses import dataclass

from affidavit.gates.polarity.reading import Sentence
from affidavit.gates.polarity.table import opposites, stem
from affidavit.gates.roles.parties import Party, left_of, right_of, subject_of
from affidavit.gates.roles.table import (
    BE,
    DETERMINERS,
    GOVERNING,
    PARTICLES,
    SYMMETRIC,
    converses,
    is_participle,
    is_verb_form,
    verb,
)

# Words after a participle in which its "by" is looked for.
_BY = 3
# Words before "from" in which what goes that way is looked for.
_LEAD = 3
_INSTEAD = {("instead", "of"), ("rather", "than")}


@dataclass(frozen=True, slots=True)
class Relation:
    """`left` stands to `right` as `name` says: did it to, is more so than, begins where the other ends, was before.

    ``[first, last)`` are the words that say so; `denied` is whether the sentence denies it.
    """

    name: str
    left: Party
    right: Party
    denied: bool
    first: int
    last: int

    @property
    def turned(self) -> "Relation":
        return Relation(self.name, self.right, self.left, self.denied, self.first, self.last)


def relations(sentence: Sentence) -> Iterator[Relation]:
    """Every relation whose two parties the surface shows, and none whose order does not matter."""
    for index in range(len(sentence.words)):
        for found in (
            *_verb(sentence, index),
            *_comparison(sentence, index),
            *_kinship(sentence, index),
            *_order(sentence, index),
            *_choice(sentence, index),
        ):
            if found.left - found.right and found.right - found.left:
                yield found
        yield from (one for one in _way(sentence, index) if one.left and one.right)


def _verb(sentence: Sentence, index: int) -> Iterator[Relation]:
    """``A acquired B``, ``B was acquired by A``, ``A lost to B``."""
    words = sentence.words
    word = words[index]
    if word.capital or index == 0 or not (word.content or word.text in GOVERNING):
        return
    denied = index in sentence.denied
    by = next((at for at in range(index + 1, min(index + 1 + _BY, len(words))) if words[at].text == "by"), None)
    if by is not None and is_participle(word.text):
        yield from _named(verb(word.text), right_of(sentence, by + 1), left_of(sentence, index), denied, index, by + 1)
        return
    if not _acts(sentence, index):
        return
    name, after = verb(word.text), index + 1
    if after < len(words) and words[after].text in PARTICLES:
        name, after = f"{name} {words[after].text}", after + 1
    yield from _named(name, left_of(sentence, index), right_of(sentence, after), denied, index, after)


def _named(name: str, left: Party, right: Party, denied: bool, first: int, last: int) -> Iterator[Relation]:
    if name.partition(" ")[0] in SYMMETRIC:
        return
    common, turned = converses().get(name, (name, False))
    found = Relation(f"verb {common}", left, right, denied, first, last)
    yield found.turned if turned else found


def _acts(sentence: Sentence, index: int) -> bool:
    """Whether the word stands as a verb in the active: no determiner before it, and its form or a neighbour says so."""
    words = sentence.words
    word, before = words[index].text, words[index - 1].text
    if before in DETERMINERS and before != "that":
        return False
    if before in BE:
        return word.endswith("ing") or (index + 1 < len(words) and words[index + 1].text in PARTICLES)
    helped = any(one.kind in ("modality", "negation") and one.last == index for one in sentence.operators)
    if helped or before in ("to", "did", "does", "do", "has", "have", "had") or is_verb_form(word):
        return True
    return word.endswith("s") and not word.endswith("ss")


def _comparison(sentence: Sentence, index: int) -> Iterator[Relation]:
    """``A is older than B``, ``A is less likely than B``."""
    words = sentence.words
    if words[index].text != "than" or index < 1:
        return
    first = index - 1
    adjective = words[first].text
    turned = False
    if first > 0 and words[first - 1].text in ("more", "less", "fewer"):
        turned = words[first - 1].text != "more"
        first -= 1
    elif not adjective.endswith("er") and adjective not in ("more", "less", "worse"):
        return
    if words[index + 1 : index + 2] and words[index + 1].text[0].isdigit():
        return  # a bound on a figure
    name, opposed = _scale(adjective)
    found = Relation(f"than {name}", subject_of(sentence, first), right_of(sentence, index + 1),
                     first in sentence.denied or index - 1 in sentence.denied, first, index + 1)  # fmt: skip
    yield found.turned if turned != opposed else found


def _scale(adjective: str) -> tuple[str, bool]:
    """One name for an adjective and its opposite, and whether this is the second of them."""
    against = opposites().get(adjective)
    if not against:
        return stem(adjective), False
    row = sorted({adjective, *against})
    shared = sorted({adjective, *(word for other in against for word in opposites()[other])})
    name = min(row[0], shared[0])
    return name, name not in shared


def _kinship(sentence: Sentence, index: int) -> Iterator[Relation]:
    """``A is the capital of B``."""
    words = sentence.words
    if words[index].text != "of" or index < 3:
        return
    noun = words[index - 1]
    start = index - 2
    while start > 0 and words[start].content and not words[start].capital:
        start -= 1
    if not noun.content or noun.capital or noun.stem in SYMMETRIC or words[start].text not in ("the", "a", "an"):
        return
    if start < 1 or words[start - 1].text not in BE:
        return
    denied = index - 1 in sentence.denied
    found = Relation(f"of {noun.stem}", left_of(sentence, start), right_of(sentence, index + 1), denied, start, index)
    common, turned = converses().get(noun.stem, ("", False))
    if common:
        found = Relation(f"of {common}", found.left, found.right, denied, start, index)
    yield found.turned if turned else found


def _way(sentence: Sentence, index: int) -> Iterator[Relation]:
    """``moved from X to Y``: where it begins and where it ends, under the word that goes that way."""
    words = sentence.words
    if words[index].text != "from":
        return
    before = next((at for at in range(index - 1, max(-1, index - 1 - _LEAD), -1) if words[at].content), None)
    if before is None:
        return
    start = right_of(sentence, index + 1)
    to = next((at for at in range(index + 2, min(index + 8, len(words))) if words[at].text == "to"), None)
    if start and to is not None:
        name = verb(words[before].text)
        yield Relation(f"way {name}", start, right_of(sentence, to + 1), before in sentence.denied, index, to + 1)


def _order(sentence: Sentence, index: int) -> Iterator[Relation]:
    """``A happened before B``, ``after B, A happened``: the earlier one on the left."""
    words = sentence.words
    if words[index].text not in ("before", "after") or index + 1 >= len(words):
        return
    later = right_of(sentence, index + 1)
    if index:
        first = subject_of(sentence, index)
    else:
        comma = next((at for at in range(2, len(words)) if _comma(sentence, at)), None)
        first = frozenset[str]() if comma is None else subject_of(sentence, min(comma + 4, len(words) - 1))
    found = Relation("before", first, later, False, index, index + 1)
    yield found if words[index].text == "before" else found.turned


def _comma(sentence: Sentence, index: int) -> bool:
    return "," in sentence.text[sentence.words[index - 1].end : sentence.words[index].start]


def _choice(sentence: Sentence, index: int) -> Iterator[Relation]:
    """``A instead of B``, ``A rather than B``."""
    words = sentence.words
    if index and (words[index].text, *(word.text for word in words[index + 1 : index + 2])) in _INSTEAD:
        denied = index - 1 in sentence.denied
        yield Relation("instead", left_of(sentence, index), right_of(sentence, index + 2), denied, index, index + 2)
