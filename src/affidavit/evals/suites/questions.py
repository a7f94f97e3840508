"""`retrieval` and `grounding`: questions asked without a model over stored pages, as `affidavit ask` asks them.

A row is a question, whether the pages answer it, and an expression that its answer matches. `web` names the archives to
ask; without it those are the pages that ship.
"""

import re
import tempfile
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from importlib.resources import as_file
from pathlib import Path

from pydantic import field_validator

from affidavit.errors import AffidavitError, NotResearchable, UserError
from affidavit.evals.agreement import Share
from affidavit.evals.records import Records, shipped_file
from affidavit.evals.rows import Row, read_row
from affidavit.evals.suite import Case, CaseState, Figure, Measured, Progress, counted
from affidavit.evidence.answer import Answer
from affidavit.reach import Reach
from affidavit.research.ask import Ask
from affidavit.research.plan import make_plan
from affidavit.settings import Models, load_settings
from affidavit.wiring import House, open_house

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
        keyless = {"ledger": None, "gateway": None, "models": Models.model_validate({})}
        settings = load_settings(data_dir=Path(folder)).model_copy(update=keyless)
        with open_house(settings, Reach.named([str(path) for path in web or (shipped,)])) as house:
            yield house


def _asked(records: Records, progress: Progress) -> Iterator[tuple[QuestionRow, Answer | None, str]]:
    """Each row with its answer, or with why there is none."""
    rows = [read_row(QuestionRow, placed) for placed in records.rows]
    for row in rows:
        if row.answerable and not row.expect:
            raise UserError(f"question {row.id!r} is answerable and has no expect: write what its answer matches")
    done = 0
    for web in dict.fromkeys(row.web for row in rows):
        with _house(web) as house:
            for row in (row for row in rows if row.web == web):
                yield row, *_answer(house, row)
                done += 1
                progress(done, len(rows))


def _answer(house: House, row: QuestionRow) -> tuple[Answer | None, str]:
    try:
        return house.ask(make_plan(Ask(question=row.question), 4)), ""
    except NotResearchable as error:
        return None, f"refused: {error}"
    except AffidavitError as error:
        return None, str(error)


class RetrievalSuite:
    name = "retrieval"
    about = "questions over stored pages: is a page that holds the answer read, and cited?"
    version = "1"
    data = "questions.jsonl"

    def measure(self, records: Records, progress: Progress) -> Measured:
        read: list[Case] = []
        cited: list[Case] = []
        for row, answer, why in _asked(records, progress):
            if row.answerable:
                read.append(_case(row, answer, why, _reads))
                cited.append(_case(row, answer, why, _cites))
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

    def measure(self, records: Records, progress: Progress) -> Measured:
        cases: list[Case] = []
        verbatim = published = 0
        for row, answer, why in _asked(records, progress):
            cases.append(_case(row, answer, why, _publishes))
            for text, stands in _sentences(answer):
                published += 1
                verbatim += text == stands
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


def _case(row: QuestionRow, answer: Answer | None, why: str, right: Callable[[QuestionRow, Answer], bool]) -> Case:
    """A question that is refused was not answered; that is right only where there is no answer."""
    good = not row.answerable if answer is None else right(row, answer)
    told = why if answer is None else f"{answer.state}, {len(answer.claims)} sentences"
    state = CaseState.RIGHT if good else CaseState.WRONG
    return Case(row.id, row.sort, state, "" if good else f"{row.question} {told}")


def _reads(row: QuestionRow, answer: Answer) -> bool:
    return any(re.search(row.expect or "", document.text) for document in answer.documents)


def _cites(row: QuestionRow, answer: Answer) -> bool:
    cited = {span.doc_id for item in answer.claims for span in item.claim.spans}
    return any(re.search(row.expect or "", answer.document(doc_id).text) for doc_id in cited)


def _publishes(row: QuestionRow, answer: Answer) -> bool:
    if not row.answerable:
        return not answer.claims
    return any(re.search(row.expect or "", item.claim.text) for item in answer.claims)


def _sentences(answer: Answer | None) -> Iterator[tuple[str, str]]:
    """Each published sentence beside what its span has, read anew from the page."""
    if answer is None:
        return
    for item in answer.claims:
        for span in item.claim.spans:
            yield item.claim.text, answer.document(span.doc_id).text[span.start : span.end]
