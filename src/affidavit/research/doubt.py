"""What code can see of whether the chosen sentences answer, told where it sees that they may not (contract X6).

Sentences are chosen by words and nearness, which is not yet an answer: a question why, one whether something is
allowed, or one how many of something, each has a form that an answer shows; and whatever is asked, sentences none of
which speaks of one of the question's own words may be beside the point. That takes none of them away: a gap says so.
"""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum

from affidavit.evidence.language import BY_FUNCTION_WORDS, function_words, guess_language, primary_subtag
from affidavit.ranking.terms import GENERIC, STOP_WORDS, stem, words
from affidavit.research.question import Question, Wanted
from affidavit.research.relevance import Relevance
from affidavit.research.selection import ANSWER_EVIDENCE
from affidavit.research.similarity import Similarity

SYNONYM = 0.6
"""The cosine from which on one word stands for another. Of the project's own questions: regularly, periodically 0.69;
picks, chosen 0.66; refused, rejected 0.71, allow 0.52; vendors, companies 0.61, procurement 0.57."""
WINDOW = 6
"""Words between a figure and what it counts, at most. Not swept."""


class Form(StrEnum):
    """What an answer shows, in the words of a gap."""

    REASON = "gives a reason"
    RULE = "says what is allowed or required"
    FATE = "says what became of it"


_ASKS = re.compile(
    r"\W*(?:(?:in|on|at|by|for|from|to|with|under|of) )?(?:what|which|who|whom|whose|when|where|why|how|is|are|was|were"
    r"|do|does|did|has|have|had|may|might|must|shall|should|can|could|will|would)\b",
    re.IGNORECASE,
)
_FORMS = (
    (
        Form.REASON,
        r"^\W*why\b|[,;] (?:and )?why\b|^\W*(?:for )?what (?:is|was|are|were) the (?:reason|rationale|purpose)",
    ),
    (
        Form.RULE,
        r"^\W*(?:may|must|shall|should|can|could)\b"
        r"|^\W*(?:is|are|was|were|do|does|did)\b.*\b(?:allow|permit|requir|forb[ia]d|prohibit|mandatory|oblig|ban)",
    ),
    (Form.FATE, r"\bwhat (?:has |have )?(?:became|become) of\b|\bwhat (?:has |have )?happened to\b"),
)
_FORM_PATTERNS = tuple((form, re.compile(pattern, re.IGNORECASE)) for form, pattern in _FORMS)
_SHOWS = {
    Form.REASON: re.compile(
        r"\b(?:because|since|therefore|thus|hence|so (?:that|as to|we|they|it)|in order to|due to|owing to|thanks to"
        r"|reason\w*|rational\w*|purpose\w*|motivat\w*|cause[sd]?|grounds|justif\w*|objection\w*|argu\w*|lack\w*"
        r"|(?:that(?:’|'| i)s|this is|which is) why|aim(?:s|ed)?|goals?|intend\w*|intent\w*|designed to|meant to"
        r"|(?:to|can|could|will|would|by|from|for) \w*(?:avoid|prevent|allow|enabl|help|reduc|improv|mak|ensur|protect"
        r"|simplif|support|keep|minimi[sz]|encourag|address|solv|fix)\w*|given (?:that|the|how)|as a result"
        r"|in (?:honou?r|memory|response|protest|view)|by order)\b",
        re.IGNORECASE,
    ),
    Form.RULE: re.compile(
        r"\b(?:may|must|shall|should|can|cannot|could|need(?:s|ed)? (?:to|not)|ha(?:s|ve) to|never|always|do(?:es)? not"
        r"|\w*allow\w*|permit\w*|requir\w*|forb[ia]d\w*|prohibit\w*|mandat\w*|oblig\w*|ban(?:s|ned)?|optional\w*"
        r"|recommend\w*|restrict\w*|limit\w*|illegal|legal|\w*acceptabl\w*|compulsory|voluntar\w*|free to|able to"
        r"|only|alone|no|unless|except\w*|welcom\w*|refus\w*|permission|consent\w*|exempt\w*|entitl\w*|eligib\w*"
        r"|(?:is|are) asked to|out of bounds|off[- ]limits|(?:keep|kept|stay)s? (?:off|out|outside|away))\b"
        r"|n['’]t\b",
        re.IGNORECASE,
    ),
    Form.FATE: re.compile(
        r"\b(?:replac|supersed|renam|reject|refus|withdr[ae]w|deprecat|remov|retir|clos|shut|end|becom|became|turn|accept"
        r"|adopt|launch|convert|merg|mov|postpon|defer|abandon|ceas|cancel|discontinu|expand|grow|grew|rewrit|releas"
        r"|scrap|burn|destroy|demolish|dismantl|restor|surviv|st[eo]le)\w*"
        r"|\b(?:now|still|no longer|since then|obsolete|today|these days|nowadays|later|final|sold|lost|sank|died)\b",
        re.IGNORECASE,
    ),
}
_JOINS = re.compile(
    r"\b(?:after|when|as|on|from|with|under|following|through) (?!(?:an? |the )?"
    r"(?:\d|(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september"
    r"|october|november|december)\b))"
    r"|, for |\b(led|left|made|makes?|forced|drove|needs?|needed|wanted|too|without)\b",
    re.IGNORECASE,
)
"""What joins a cause to what it brings about, and much else too: of weight only beside all that was asked about."""
_HOW_MANY = re.compile(r"\bhow many\b", re.IGNORECASE)
_DEGREE = re.compile(r"\bhow (\w+)\b", re.IGNORECASE)
_FIGURE = re.compile(
    r"(?:\d[\d,.]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen"
    r"|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|dozens?|hundreds?|thousands?|millions?|billions?|no|half"
    r"|once|twice|thrice|singles?|couples?|pairs?|several|both|fortnights?)(?:-[^\W\d_]{2,})?",
    re.IGNORECASE,
)
_COUNTED = frozenset({"others", "fortnight", "fortnights"})
"""What a figure counts whatever was asked for, or holds one."""
_COUNTS_NOTHING = re.compile(
    r"[$€£¥₹]\s?\d[\d,.]*|\b(?:[Ss]chedule|[Aa]rticle|[Cc]lause|[Aa]nnex|[Rr]egion|[Ll]evel) \d+"
)
_ASIDE = re.compile(r"\([^()]*\)")
_FOREIGN = frozenset[str]().union(*map(function_words, BY_FUNCTION_WORDS)) - STOP_WORDS - function_words("en")
_NOT_SAID = GENERIC | {
    stem(word)
    for word in (
        "one two three four five six first second third single before after compare differ difference"
        " bring enter visitor people person"
    ).split()
}
"""Words of asking, counting and placing: an answer need not have them."""


def doubt(question: Question, chosen: Sequence[Relevance], similarity: Similarity) -> str | None:
    """Why `chosen` may not answer `question`, for a reader; None where code sees nothing against it, where nothing was
    chosen, and of what is no English question."""
    if not chosen or _ASKS.match(question.text) is None or not _english(question, chosen):
        return None
    telling = [item for item in chosen if item.evidence >= ANSWER_EVIDENCE]
    texts = [item.passage.text for item in telling]
    form = next((form for form, pattern in _FORM_PATTERNS if pattern.search(question.text)), None)
    if form is not None and not any(_shows(form, question, item) for item in telling):
        return f"nobody has judged whether these sentences answer; none of them {form.value}"
    counted = question.wanted is Wanted.NUMBER and question.focus and _HOW_MANY.search(question.text)
    if counted and not any(_counts(question, text, similarity) for text in texts):
        return "nobody has judged whether these sentences answer; none of them counts what was asked for"
    if question.wanted is not Wanted.ANYTHING or question.sought:
        return None
    missing = [word for word in _missing(question, chosen, similarity) if form is None or not _SHOWS[form].search(word)]
    if missing:
        return f"nobody has judged whether these sentences answer; none of them speaks of {', '.join(missing)}"
    return None


def _english(question: Question, chosen: Sequence[Relevance]) -> bool:
    """Whether English is asked and answered: "was", "is", "are", "do" and "may" begin questions of other languages."""
    asked = [word.lower() for word in words(question.text)]
    ours = sum(word in STOP_WORDS for word in asked)
    if ours <= sum(word in _FOREIGN for word in asked):
        return False
    documents = {item.passage.document.doc_id: item.passage.document for item in chosen}.values()
    told = [" ".join(item.passage.text for item in chosen), *(document.text for document in documents)]
    stated = {primary_subtag(document.language) for document in documents}
    return stated <= {None, "en"} and all(guess_language(text) == "en" for text in told)


def _shows(form: Form, question: Question, item: Relevance) -> bool:
    """Whether a sentence has the form of an answer: a reason also where all that was asked about is joined to more."""
    sentence = item.passage.text
    if _SHOWS[form].search(sentence):
        return True
    asked = {term.stem for term in question.terms} - GENERIC
    if form is not Form.REASON or not asked <= item.covers:
        return False
    return any(stem(found[1] or "") not in asked for found in _JOINS.finditer(sentence))


def _missing(question: Question, chosen: Sequence[Relevance], similarity: Similarity) -> Iterator[str]:
    """The words of the question that neither a sentence nor its surroundings has, nor one of like meaning."""
    covered = frozenset[str]().union(*(item.covers for item in chosen))
    asked = {stem(word) for word in words(_ASIDE.sub(" ", question.text))}
    degrees = {stem(word) for word in _DEGREE.findall(question.text)}
    said = sorted({word.lower() for item in chosen for word in words(item.passage.text)} - STOP_WORDS)
    for term in question.terms:
        if term.stem in covered | degrees | _NOT_SAID or term.stem not in asked:
            continue
        if max(similarity.to(term.word, said), default=0.0) < SYNONYM:
            yield term.word


def _counts(question: Question, sentence: str, similarity: Similarity) -> bool:
    """Whether a figure stands close to what is counted."""
    told = words(_COUNTS_NOTHING.sub(" ", question.unasked(sentence)))
    near: set[str] = set()
    for at, word in enumerate(told):
        if _FIGURE.fullmatch(word):
            near.update(other.lower() for other in told[max(0, at - WINDOW) : at + WINDOW + 1])
    if near & _COUNTED or any(stem(word) in question.focus for word in near):
        return True
    names = [term.word for term in question.terms if term.stem in question.focus]
    rest = sorted(near - STOP_WORDS)
    return any(max(similarity.to(name, rest), default=0.0) >= SYNONYM for name in names)
