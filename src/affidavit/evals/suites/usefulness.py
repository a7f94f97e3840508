"""`usefulness`: is what comes back of use to who asked? From 1 to 5, and nothing poor without a gap told (contract X6).

Groundedness alone rewards silence: a gate that let nothing through would be right about all of it. So an answer is
graded as a reader meets it, first sentence first. Without a model a rule grades it, by the expression that a right
answer matches; with `--model judge=…` a judge does so too, by a rubric, and the two are held against each other.

    answerable      5 the first sentence has the answer   4 a later one has   2 only a page it cites has   1 nothing has
                    one less where what is given runs over 150 words
    unanswerable    5 nothing is given, and it says so or why it refuses   3 something is given beside a gap told
                    2 nothing is given, and nothing said   1 something is given, and nothing said
    failed          1
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from pydantic import BaseModel, ConfigDict, Field

from affidavit.errors import ModelFailure
from affidavit.evals.agreement import Share
from affidavit.evals.hired import Hired
from affidavit.evals.records import Records
from affidavit.evals.suite import Case, CaseState, Figure, Measured, Progress
from affidavit.evals.suites.questions import Asked, QuestionRow, Questions, answered_by, question_rows
from affidavit.evidence.envelope import sealed
from affidavit.models.model import Model
from affidavit.models.prompt import load_prompt
from affidavit.models.request import ModelRequest, OutputShape, User, sha256_of
from affidavit.models.roles import Role

BEST, GOOD, POOR = 5, 4, 2
"""The best grade; the least of a good answer, which the mean must reach; the best of a poor one."""
WORDS = 150
"""What an answer may run to before a reader has to search it: the bound of a summary (contract R5)."""
MAX_TOKENS = 1024
GRADE = "eval.grade"
"""The event of one answer that a judge graded."""
_SYSTEM = load_prompt("affidavit.evals", "usefulness.system")
_USER = load_prompt("affidavit.evals", "usefulness.user")


class Grade(BaseModel):
    """What the judge must answer. What answers the question comes before the grade, so that it is looked for first."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    answers: str
    gaps_told: bool
    reason: str = Field(min_length=1)
    grade: int = Field(ge=1, le=BEST)


PROMPT_SHA256 = sha256_of([_SYSTEM.text, _USER.text, OutputShape(Grade).schema])
"""Of all that a grade depends on beside the model: the words, and the shape of the answer."""


@dataclass(frozen=True, slots=True)
class Graded:
    """A question with what came of it and its grade; `grade` None: it could not be told."""

    row: QuestionRow
    asked: Asked
    grade: int | None
    reason: str = ""

    @property
    def poor_untold(self) -> bool:
        return self.grade is not None and self.grade <= POOR and not self.asked.gaps


class UsefulnessSuite:
    name = "usefulness"
    about = "questions over stored pages: does the first sentence answer, and is told what is missing?"
    version = "1"
    data = "questions.jsonl"
    roles = (Role.JUDGE,)

    def __init__(self, questions: Questions, hired: Hired | None = None) -> None:
        self._questions = questions
        self._given = hired

    @cached_property
    def _hired(self) -> Hired:
        return self._given or Hired.nobody()

    def measure(self, records: Records, progress: Progress) -> Measured:
        found = list(self._questions.ask(question_rows(records), progress))
        graded = [by_rule(row, asked) for row, asked in found]
        figures = [*_figures(graded), *_read(graded)]
        notes: tuple[str, ...] = ()
        if Role.JUDGE in self._hired.roles:
            judged = asyncio.run(self._judged(graded))
            figures += _figures(judged, "judged_")
            pairs = [(one.grade, other.grade) for one, other in zip(graded, judged, strict=True)]
            near = [abs(one - other) <= 1 for one, other in pairs if one is not None and other is not None]
            about = "of the answers that both graded, those whose two grades differ by one at most"
            figures.append(Figure(name="judge_near_rule", about=about, share=Share(sum(near), len(near))))
            notes = (f"judge {self._hired.roles[Role.JUDGE]}, rubric {PROMPT_SHA256[:12]}",)
            graded = judged
        return Measured(tuple(map(_case, graded)), tuple(figures), notes)

    async def _judged(self, graded: Sequence[Graded]) -> list[Graded]:
        async with self._hired.cast() as cast:
            judge = cast.of(Role.JUDGE)
            return list(await asyncio.gather(*(self._by_judge(judge, one) for one in graded)))

    async def _by_judge(self, judge: Model, one: Graded) -> Graded:
        if one.asked.failed:
            return one
        try:
            reply = await judge.complete(request_for(one.row, one.asked))
        except ModelFailure as failure:
            return Graded(one.row, one.asked, None, str(failure))
        said = reply.value
        if not isinstance(said, Grade):
            raise TypeError(f"{judge.name} gave no Grade: a judge needs a model that is Structured")
        self._hired.record(GRADE, {"question": one.row.id, "rule": one.grade, **said.model_dump()})
        return Graded(one.row, one.asked, said.grade, said.reason)


def by_rule(row: QuestionRow, asked: Asked) -> Graded:
    """The grade that the table above gives."""
    if asked.failed:
        return Graded(row, asked, 1, asked.told)
    if not row.answerable:
        told = bool(asked.gaps)
        grade = (3 if told else 1) if asked.claims else (BEST if told else POOR)
        return Graded(row, asked, grade, f"{len(asked.claims)} sentences, {'a' if told else 'no'} gap told")
    at = next((number for number, text in enumerate(asked.claims) if answered_by(row, text)), None)
    if at is None:
        return Graded(row, asked, POOR if asked.cites else 1, "a page it cites has it" if asked.cites else asked.told)
    long = words(asked) > WORDS
    reason = f"the answer is sentence {at + 1} of {len(asked.claims)}" + (f", {words(asked)} words" if long else "")
    return Graded(row, asked, (BEST if at == 0 else GOOD) - long, reason)


def words(asked: Asked) -> int:
    return sum(len(text.split()) for text in asked.claims)


def request_for(row: QuestionRow, asked: Asked) -> ModelRequest:
    """What is asked of the judge: the question, what its pages hold, and the answer as a reader gets it."""
    known = (
        f"They hold an answer; it matches the expression {row.expect}"
        if row.answerable
        else "They hold no answer to it."
    )
    return ModelRequest(
        system=_SYSTEM.fill(),
        messages=(
            User(
                _USER.fill(
                    question=sealed("question", row.question),
                    known=known,
                    sentences=sealed("sentences", _numbered(asked.claims)),
                    gaps=sealed("gaps", _numbered(asked.gaps)),
                )
            ),
        ),
        output=OutputShape(Grade),
        temperature=0.0,
        max_tokens=MAX_TOKENS,
        key=f"grade/{sha256_of([row.question, *asked.claims, *asked.gaps])[:16]}",
    )


def _numbered(texts: Sequence[str]) -> str:
    return "\n".join(f"{number}. {' '.join(text.split())}" for number, text in enumerate(texts, 1)) or "(none)"


def _figures(graded: Sequence[Graded], prefix: str = "") -> list[Figure]:
    """The two that the contract bounds. The mean is told as points of the most there are: 4.0 of 5 is 80%."""
    grades = [one.grade for one in graded if one.grade is not None]
    untold = sum(one.poor_untold for one in graded)
    return [
        Figure(
            name=f"{prefix}points",
            about=f"of {BEST} points for each answer, those given; the mean grade is {BEST} times this",
            share=Share(sum(grades), BEST * len(grades)),
        ),
        Figure(
            name=f"{prefix}poor_untold",
            about=f"of the answers, those graded {POOR} or less that tell no gap",
            share=Share(untold, len(grades)),
            more_is_better=False,
        ),
    ]


def _read(graded: Sequence[Graded]) -> list[Figure]:
    """What the grade of the rule is made of."""
    answerable = [one for one in graded if one.row.answerable]
    first = sum(bool(one.asked.claims) and answered_by(one.row, one.asked.claims[0]) for one in answerable)
    given = [one for one in graded if one.asked.claims]
    missing = [one for one in graded if not one.row.answerable]
    return [
        Figure(
            name="first_sentence",
            about="of the answerable, those whose first sentence has the answer",
            share=Share(first, len(answerable)),
        ),
        Figure(
            name="brief",
            about=f"of the answers that give something, those of {WORDS} words at most",
            share=Share(sum(words(one.asked) <= WORDS for one in given), len(given)),
        ),
        Figure(
            name="gaps_told",
            about="of the unanswerable, those whose answer says that something was not found",
            share=Share(sum(bool(one.asked.gaps) for one in missing), len(missing)),
        ),
    ]


def _case(one: Graded) -> Case:
    if one.grade is None:
        return Case(one.row.id, one.row.sort, CaseState.COULD_NOT_CHECK, one.reason)
    good = one.grade >= GOOD
    detail = "" if good else f"{one.grade} of {BEST}: {one.row.question} {one.reason}"
    return Case(one.row.id, one.row.sort, CaseState.RIGHT if good else CaseState.WRONG, detail)
