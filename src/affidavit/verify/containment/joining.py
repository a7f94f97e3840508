"""Parts of different statements that a claim joins into one which its span does not make.

Every word of such a claim stands in the span, most of them in one sentence, and whatever weighs words passes it:
another did it ("she announced it" of somebody named beside her), a figure is that of the next clause, a date that of
another verb, what says of whom alone it is so is left out, what is asked for is told as done, the next sentence takes
it back. Nothing is shown by that but that the likeness of the whole tells nothing here: each is a doubt, and no
contradiction.
"""

from collections.abc import Iterator, Sequence

from affidavit.gates.polarity.reading import Sentence
from affidavit.gates.roles.parties import left_of
from affidavit.gates.roles.relation import relations
from affidavit.gates.roles.table import BE, DETERMINERS, is_verb_form, verb

_PRONOUNS = frozenset("he she it they we i that this none".split())
_PARTING = frozenset("and but while whereas yet".split())
_BEFORE_DATE = frozenset("in on during since by from".split())
_HELPING = BE | frozenset("has have had shall must should may might can could will would do does did".split())
_DONE = frozenset("was were been has have had".split())
_LASTING = (("for", "good"), ("for", "ever"), ("forever",), ("permanently",), ("indefinitely",), ("irrevocably",))
_FRONT = 6
"""Words in which a date stands that opens a sentence. Not swept, as nothing here is: each is a form and no measure."""
_SHORT = 6
"""Words of a sentence that takes back the one before it: "But they were not."."""


def joined(claim: Sequence[Sentence], spans: Sequence[Sentence]) -> Iterator[str]:
    """What of the sentences of a claim is joined so, each in words for a person. English."""
    for sentence in claim:
        yield from _another_did_it(sentence, spans)
        yield from _asked_for(sentence, spans)
        yield from _lasts(sentence, spans)
        nearest = max(range(len(spans)), key=lambda at: len(sentence.stems & spans[at].stems), default=None)
        if nearest is None:
            continue
        near = spans[nearest]
        yield from _figure_of_another_clause(sentence, near)
        yield from _date_of_another_verb(sentence, near)
        yield from _of_those_alone(sentence, near)
        if nearest + 1 < len(spans) and _takes_back(spans[nearest + 1]) and not sentence.of("negation"):
            yield f"the span takes it back: “{_shown(spans[nearest + 1])}”"


def _another_did_it(claim: Sentence, spans: Sequence[Sentence]) -> Iterator[str]:
    """The claim's subject stands in the span behind the claim's verb alone, which has a subject of its own there. So
    does a name behind a pronoun ("they confirmed that Acme …"): a pronoun is never whom its own clause names."""
    for one in relations(claim):
        kind, _, name = one.name.partition(" ")
        if kind != "verb" or not one.left:
            continue
        found: str | None = None
        for sentence in spans:
            for index in range(1, len(sentence.words)):
                word = sentence.words[index]
                if not is_verb_form(word.text) or verb(word.text) != name.split(" ")[0] or _suffers(sentence, index):
                    continue
                before, after = _stems(sentence, 0, index), _stems(sentence, index + 1, len(sentence.words))
                lacking = one.left - before
                if not lacking:
                    return
                if lacking <= after and one.right & after and _has_subject(sentence, index):
                    found = f"in the span another does what it says: “{_shown(sentence, max(0, index - 4), index + 1)}”"
        if found is not None:
            yield found


def _has_subject(sentence: Sentence, index: int) -> bool:
    before = [word.text for word in sentence.words[max(0, index - 2) : index] if word.text not in _HELPING]
    return bool(left_of(sentence, index)) or any(text in _PRONOUNS for text in before[-1:])


def _suffers(sentence: Sentence, index: int) -> bool:
    """Whether the verb is passive: before it stands what it is done to, and behind it who does it, if anybody."""
    words = sentence.words
    return words[index - 1].text in BE or any(word.text == "by" for word in words[index + 1 : index + 4])


def _figure_of_another_clause(claim: Sentence, near: Sentence) -> Iterator[str]:
    """Two clauses each have a figure, and the claim has that of the one with all that only the other says."""
    said = claim.stems
    clauses = [clause for clause in _clauses(near) if _figures(near, clause)]
    for clause in clauses:
        figures, own = _figures(near, clause), _words(near, clause)
        for other in clauses:
            if other is clause or not figures & said or _figures(near, other) & said:
                continue
            theirs = _words(near, other)
            if len(theirs - own) > 1 and theirs - own <= said and not own - theirs <= said:
                shown = ", ".join(sorted(figures & said))
                yield f"{shown} is the span's figure of something else"
                return


def _clauses(sentence: Sentence) -> list[range]:
    """Ranges of words between marks and conjunctions that part clauses."""
    starts = [0]
    for index in range(1, len(sentence.words)):
        gap = sentence.text[sentence.words[index - 1].end : sentence.words[index].start]
        if ";" in gap or ("," in gap and sentence.words[index].text in _PARTING):
            starts.append(index)
    return [range(start, end) for start, end in zip(starts, [*starts[1:], len(sentence.words)], strict=True)]


def _date_of_another_verb(claim: Sentence, near: Sentence) -> Iterator[str]:
    """A date opens the sentence, and is that of its first verb; the claim gives that verb the date of another, which it
    leaves out."""
    front = next((at for at in range(1, min(_FRONT, len(near.words))) if _comma(near, at)), None)
    if front is None or near.words[0].text not in _BEFORE_DATE:
        return
    first = _figures(near, range(front))
    if not any(_is_year(one) for one in first) or first & claim.stems:
        return
    verbs = [at for at in range(front, len(near.words)) if near.words[at].content and _is_verb(near, at)]
    for at in range(front, len(near.words)):
        earlier = [place for place in verbs if place < at]
        if not _is_year(near.words[at].text) or near.words[at].stem not in claim.stems or len(earlier) < 2:
            continue
        if near.words[earlier[0]].stem in claim.stems and near.words[earlier[-1]].stem not in claim.stems:
            yield f"{near.words[at].text} is the span's date of something else"
            return


def _of_those_alone(claim: Sentence, near: Sentence) -> Iterator[str]:
    """ "Those sent abroad shall …": of no others does it say so."""
    if not near.words or near.words[0].text != "those":
        return
    end = next((at for at in range(1, len(near.words)) if near.words[at].text in _HELPING or at in near.governing), 0)
    whom = _stems(near, 1, end)
    if whom and 2 * len(whom & claim.stems) < len(whom):
        yield f"it leaves out of whom alone the span says so: “{_shown(near, 0, end)}”"


def _asked_for(claim: Sentence, spans: Sequence[Sentence]) -> Iterator[str]:
    """What the claim says was done, the span only bids to do, at the beginning of a sentence."""
    for before, word in zip(claim.words, claim.words[1:], strict=False):
        if before.text not in _DONE or not word.content or not is_verb_form(word.text):
            continue
        places = [
            (sentence, at)
            for sentence in spans
            for at, one in enumerate(sentence.words)
            if verb(one.text) == verb(word.text)
        ]
        if places and all(at == 0 and not is_verb_form(one.words[0].text) for one, at in places):
            yield f"the span asks for it, and does not say that it was so: “{_shown(places[0][0], 0, 4)}”"


def _lasts(claim: Sentence, spans: Sequence[Sentence]) -> Iterator[str]:
    """Nothing in the span says that it is for ever."""
    for phrase in _LASTING:
        if _holds(claim, phrase) and not any(_holds(one, other) for one in spans for other in _LASTING):
            yield f"the span does not say that it is “{' '.join(phrase)}”"


def _holds(sentence: Sentence, phrase: tuple[str, ...]) -> bool:
    texts = [word.text for word in sentence.words]
    return any(tuple(texts[at : at + len(phrase)]) == phrase for at in range(len(texts)))


def _takes_back(sentence: Sentence) -> bool:
    """ "It wasn't.": a pronoun, a denial, and nothing of its own."""
    words = [word for word in sentence.words if word.text not in _PARTING]
    if not words or len(words) > _SHORT or words[0].text not in _PRONOUNS or any(word.content for word in words):
        return False
    return bool(sentence.of("negation"))


def _stems(sentence: Sentence, first: int, last: int) -> frozenset[str]:
    return frozenset(word.stem for word in sentence.words[first:last] if word.content)


def _figures(sentence: Sentence, places: range) -> frozenset[str]:
    return frozenset(sentence.words[at].stem for at in places if sentence.words[at].text[0].isdigit())


def _words(sentence: Sentence, places: range) -> frozenset[str]:
    return _stems(sentence, places.start, places.stop) - _figures(sentence, places)


def _is_year(text: str) -> bool:
    return len(text) == 4 and text.isdigit() and text[:2] in ("15", "16", "17", "18", "19", "20")


def _is_verb(sentence: Sentence, index: int) -> bool:
    text, before = sentence.words[index].text, sentence.words[index - 1].text
    return before not in DETERMINERS and (is_verb_form(text) or text.endswith("ing"))


def _comma(sentence: Sentence, index: int) -> bool:
    return "," in sentence.text[sentence.words[index - 1].end : sentence.words[index].start]


def _shown(sentence: Sentence, first: int = 0, last: int | None = None) -> str:
    words = sentence.words[first:last]
    return sentence.text[words[0].start : words[-1].end] if words else ""
