"""`retrieval` and `grounding`: questions asked without a model over stored pages, as `affidavit ask` asks them.

A row is a question, whether the pages answer it, and an expression that its answer matches. `web` names the archives to
ask; without it those are the pages that ship. The two suites measure the same questions: those of one `Questions` ask
each of them once.
"""

import re
import tempfile
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import as_file
from pathlib import Path

from pydantic import field_validator

from affidavit.errors import AffidavitError, NotResearchable, UserError
from affidavit.evals.agreement import Share
from affidavit.evals.read_once import PATIENT
from affidavit.evals.records import Records, shipped_file
from affidavit.evals.rows import Row, read_row
from affidavit.evals.suite import Case, CaseState, Figure, Measured, Progress, counted
from affidavit.evidence.answer import Answer
from affidavit.house import House, open_house
from affidavit.reach import Reach
from affidavit.research.ask import Ask
from affidavit.research.plan import make_plan
from affidavit.settings import Models, load_settings

PAGES = "pages.warc.gz"
ANSWERABLE = "answerable"
UNANSWERABLE = "unanswerable"


class QuestionRow(Row):
    question: str
    answerable: bool
    expect: str | None = None
    web: tuple[Path, ...] = ()

    @field_validator("expect")
    @classmethod
    def _compiles(cls, value: str | None) -> str | None:
        try:
            re.compile(value or "")
        except re.error as error:
            raise ValueError(f"no regular expression ({error})") from None
        return value

    @property
    def sort(self) -> str:
        return ANSWERABLE if self.answerable else UNANSWERABLE


@contextmanager
def _house(web: tuple[Path, ...]) -> Generator[House]:
    """A house without a model, whose runs are kept nowhere: they are parts of a suite, not runs of the user's."""
    with tempfile.TemporaryDirectory(prefix="affidavit-eval-") as folder, as_file(shipped_file(PAGES)) as shipped:
        keyless: dict[str, object] = {"ledger": None, "gateway": None, "models": Models.model_validate({}), **PATIENT}
        settings = load_settings(data_dir=Path(folder)).model_copy(update=keyless)
        with open_house(settings, Reach.named([str(path) for path in web or (shipped,)])) as house:
            yield house


@dataclass(frozen=True, slots=True)
class Asked:
    """What came of a question. `told` says it in words; `published` counts the sentences published, `verbatim` those of
    them that stand word for word in their page. One that `failed` is right about nothing, not even where it should be
    silent. `claims` and `gaps` are what a reader gets, in order; a refusal is a gap with its reason."""

    failed: bool = False
    reads: bool = False
    cites: bool = False
    publishes: bool = False
    verbatim: int = 0
    published: int = 0
    told: str = ""
    claims: tuple[str, ...] = ()
    gaps: tuple[str, ...] = ()


class Questions:
    """Asks each question once, however many suites of a run measure it. What came of one is kept as long as this is."""

    def __init__(self) -> None:
        self._asked: dict[QuestionRow, Asked] = {}

    def ask(self, rows: Sequence[QuestionRow], progress: Progress) -> Iterator[tuple[QuestionRow, Asked]]:
        """Each row, in order, with what came of it. Raises UserError for an answerable one without its answer."""
        for row in rows:
            if row.answerable and not row.expect:
                raise UserError(f"question {row.id!r} is answerable and has no expect: write what its answer matches")
        waiting = [row for row in dict.fromkeys(rows) if row not in self._asked]
        done = len(rows) - len(waiting)
        progress(done, len(rows))
        for web in dict.fromkeys(row.web for row in waiting):
            with _house(web) as house:
                for row in (row for row in waiting if row.web == web):
                    self._asked[row] = _asked(house, row)
                    done += 1
                    progress(done, len(rows))
        return ((row, self._asked[row]) for row in rows)


def _asked(house: House, row: QuestionRow) -> Asked:
    """A question that is refused was not answered, and nothing was read for it."""
    try:
        answer = house.ask(make_plan(Ask(question=row.question), 4))
    except NotResearchable as error:
        return Asked(told=f"refused: {error}", gaps=(str(error),))
    except AffidavitError as error:
        return Asked(failed=True, told=str(error))
    sentences = list(_sentences(answer))
    return Asked(
        reads=any(answered_by(row, document.text) for document in answer.documents),
        cites=any(answered_by(row, answer.document(doc_id).text) for doc_id in _cited(answer)),
        publishes=any(answered_by(row, item.claim.text) for item in answer.claims),
        verbatim=sum(text == stands for text, stands in sentences),
        published=len(sentences),
        told=f"{answer.state}, {len(answer.claims)} sentences",
        claims=tuple(item.claim.text for item in answer.claims),
        gaps=tuple(f"{gap.kind}: {gap.detail}" for gap in answer.gaps),
    )


def answered_by(row: QuestionRow, text: str) -> bool:
    """Whether `text` has what answers the question."""
    return row.expect is not None and re.search(row.expect, text) is not None


def _cited(answer: Answer) -> set[str]:
    return {span.doc_id for item in answer.claims for span in item.claim.spans}


def _sentences(answer: Answer) -> Iterator[tuple[str, str]]:
    """Each published sentence beside what its span has, read anew from the page."""
    for item in answer.claims:
        for span in item.claim.spans:
            yield item.claim.text, answer.document(span.doc_id).text[span.start : span.end]


class RetrievalSuite:
    name = "retrieval"
    about = "questions over stored pages: is a page that holds the answer read, and cited?"
    version = "1"
    data = "questions.jsonl"

    def __init__(self, questions: Questions) -> None:
        self._questions = questions

    def measure(self, records: Records, progress: Progress) -> Measured:
        """Of the answerable questions alone: no page holds the answer to the others."""
        rows = [row for row in question_rows(records) if row.answerable]
        read: list[Case] = []
        cited: list[Case] = []
        for row, asked in self._questions.ask(rows, progress):
            read.append(_case(row, asked, right=asked.reads))
            cited.append(_case(row, asked, right=asked.cites))
        return Measured(
            tuple(read),
            (
                counted("answer_read", "of the answerable, those whose run read a page with the answer", read),
                counted("answer_cited", "of the answerable, those that cite a page with the answer", cited),
            ),
        )


class GroundingSuite:
    name = "grounding"
    about = "questions over stored pages: is what is published true to its page, and is nothing else published?"
    version = "1"
    data = "questions.jsonl"

    def __init__(self, questions: Questions) -> None:
        self._questions = questions

    def measure(self, records: Records, progress: Progress) -> Measured:
        cases: list[Case] = []
        verbatim = published = 0
        for row, asked in self._questions.ask(question_rows(records), progress):
            cases.append(_case(row, asked, right=_publishes(row, asked)))
            published += asked.published
            verbatim += asked.verbatim
        return Measured(
            tuple(cases),
            (
                Figure(
                    name="verbatim",
                    about="of the sentences published, those that stand word for word in their page",
                    share=Share(verbatim, published),
                ),
                counted("answered", "of the answerable, those whose answer is published", cases, ANSWERABLE),
                counted("silent", "of the unanswerable, those of which nothing is published", cases, UNANSWERABLE),
            ),
        )


def _publishes(row: QuestionRow, asked: Asked) -> bool:
    return not asked.failed and (asked.publishes if row.answerable else not asked.published)


def question_rows(records: Records) -> list[QuestionRow]:
    return [read_row(QuestionRow, placed) for placed in records.rows]


def _case(row: QuestionRow, asked: Asked, *, right: bool) -> Case:
    state = CaseState.RIGHT if right else CaseState.WRONG
    return Case(row.id, row.sort, state, "" if right else f"{row.question} {asked.told}")
