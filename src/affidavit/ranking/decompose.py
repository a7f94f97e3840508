"""A compound question taken apart without a model, each part able to stand alone.

"Who manages the release, and when is it due?" is two searches, and the second is hopeless without the first's
subject: so a part that lacks the subject gets it in brackets. A part that lacks its verb takes it from the part
that has one. Where the joints are not plain, the question stays whole: one broken half costs more than a split
gains.
"""

import re

from affidavit.ranking.small_words import small_words

_ASKING = r"(?:who|whom|whose|what|which|when|where|why|how)"
_BEFORE = r"(?:(?:until|since|by|in|at|to|for|from|with|on|under|of|through) )?"
# Between two parts: "and how …", ", which …", "; what …", or the end of a question in a run of questions.
_JOINT = re.compile(
    rf"(?:[,;]\s*(?:and|but|or)|[,;]|\s(?:and|but|or))\s+(?={_BEFORE}{_ASKING}\b)|\?\s+(?=\w)", re.IGNORECASE
)
_STARTS = re.compile(rf"^\W*{_BEFORE}{_ASKING}\b", re.IGNORECASE)
# "Under PEP 387, how long …": what is said before the first question holds for every part.
_TOPIC = re.compile(rf"^(?!\W*{_BEFORE}{_ASKING}\b)[^,?]{{3,80}}, (?={_BEFORE}{_ASKING}\b)", re.IGNORECASE)
_AUXILIARY = re.compile(
    r"\b(?:is|are|was|were|be|been|do|does|did|has|have|had|can|could|will|would|shall|should|may|might|must)\b",
    re.IGNORECASE,
)
# "Who manages …", "which team built …": the verb follows at once, and the part needs no auxiliary.
_SUBJECT_ASKED = re.compile(r"^\W*(?:who|what happened|what became|what follows)\s+\w+", re.IGNORECASE)
_POINTS_BACK = re.compile(
    r"\b(?:it|its|they|them|their|he|she|his|her|him|this|that|these|those|each|both|one|ones|such|there|so)\b",
    re.IGNORECASE,
)
# "… and which are only recommended": which what, the first part said.
_NOUN_LEFT_OUT = re.compile(rf"^\W*which (?:{_AUXILIARY.pattern[2:-2]})", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+(?:[.'’/-][^\W_]+)*")
_EMPTY = small_words("decompose")
# Words of the subject that a part is given.
SUBJECT_WORDS = 8
# A part of fewer words is a tail ("and why"), not a question.
PART_WORDS = 3


def decompose(question: str, at_most: int) -> list[str]:
    """The parts of `question`, in order, at most `at_most` (at least 1); `[question]` where it is one or unclear.

    The last part takes in whatever is over the limit. Every word of the question stands in some part.
    """
    whole = " ".join(question.split())
    led = _TOPIC.match(whole)
    topic = led.group() if led else ""
    whole = whole[len(topic) :]
    if at_most < 2 or not _STARTS.match(whole):
        return [question]
    pieces = [piece.strip(" ?;,") for piece in _JOINT.split(whole)]
    if len(pieces) < 2 or any(len(piece.split()) < PART_WORDS for piece in pieces[1:]):
        return [question]
    if len(pieces) > at_most:
        kept = _JOINT.split(whole, maxsplit=at_most - 1)
        pieces = [piece.strip(" ?;,") for piece in kept]
    completed = _with_verbs(pieces)
    if completed is None:
        return [question]
    return [f"{topic}{_standing_alone(part, index, completed)}?" for index, part in enumerate(completed)]


def _with_verbs(pieces: list[str]) -> list[str] | None:
    """Each piece with a verb: one without takes what follows the next piece's question ("… rate and how many … does
    X set"). None if a piece is left without."""
    completed: list[str] = []
    predicate: str | None = None
    for piece in reversed(pieces):
        auxiliary = _AUXILIARY.search(piece)
        if auxiliary:
            predicate = piece[auxiliary.start() :]
            completed.append(piece)
        elif _SUBJECT_ASKED.match(piece):
            predicate = None
            completed.append(piece)
        elif predicate is not None:
            completed.append(f"{piece} {predicate}")
        else:
            return None
    return completed[::-1]


def _standing_alone(part: str, index: int, parts: list[str]) -> str:
    """`part` with the names it lacks, and, if it points back, with the subject of the first part."""
    present = {word.lower() for word in _WORD.findall(part)}
    if index == 0:
        missing = [name for name in _names(" ".join(parts[1:])) if name.lower() not in present]
    elif _POINTS_BACK.search(part) or _NOUN_LEFT_OUT.match(part) or not _names(part):
        missing = [word for word in _subject(parts[0]) if word.lower() not in present][:SUBJECT_WORDS]
    else:
        missing = []
    return f"{part} ({' '.join(missing)})" if missing else part


def _subject(part: str) -> list[str]:
    return [word for word in _WORD.findall(part) if word.lower() not in _EMPTY]


def _names(text: str) -> list[str]:
    """Words with a digit or a capital, which say what a question is about; a first word is capital by rule."""
    words = _WORD.findall(text)
    return [
        word
        for index, word in enumerate(words)
        if word.lower() not in _EMPTY and (any(c.isdigit() for c in word) or (index > 0 and word[0].isupper()))
    ]
