"""`drafts`: whole drafts over whole pages, checked as `affidavit check` checks them, every sentence labelled.

A row is a draft in Markdown, the addresses of its sources, and its sentences, each with the states that a careful
reader would give it. `web` names the archives that hold the sources; without it those are the pages that ship.
"""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from importlib.resources import as_file
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from affidavit.check import Checker, CheckSource, markdown_draft
from affidavit.egress.archive import Archive, open_archive
from affidavit.errors import PageFailure, UserError
from affidavit.evals.agreement import Share
from affidavit.evals.records import Records, shipped_file
from affidavit.evals.rows import Row, read_row
from affidavit.evals.suite import Case, CaseState, Figure, Measured, Progress
from affidavit.evidence.check import CheckedSentence, SentenceState
from affidavit.evidence.document import Document
from affidavit.extract import extract
from affidavit.models.embedded import PairJudge, SentenceEncoder

PAGES = "pages.warc.gz"
NO_CLAIM = "no_claim"

Expected = Literal["sourced", "unsourced", "rejected", "no_claim"]


class DraftSentence(BaseModel):
    """`text` as it stands in the draft; `expect` holds every state that is right, `kind` what the sentence tries."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    text: str
    kind: str
    expect: tuple[Expected, ...] = Field(min_length=1)


class DraftRow(Row):
    text: str
    sources: tuple[str, ...] = Field(min_length=1)
    sentences: tuple[DraftSentence, ...] = Field(min_length=1)
    web: tuple[Path, ...] = ()


class DraftsSuite:
    name = "drafts"
    about = "whole drafts over whole pages: every sentence sourced, unsourced or rejected as a reader would have it"
    version = "1"
    data = "drafts.jsonl"

    def measure(self, records: Records, progress: Progress) -> Measured:
        rows = [read_row(DraftRow, placed) for placed in records.rows]
        encoder, scorer = SentenceEncoder(), PairJudge() if PairJudge.available() else None
        told: list[tuple[DraftSentence, str]] = []
        cases: list[Case] = []
        with ExitStack() as files:
            shipped = files.enter_context(as_file(shipped_file(PAGES)))
            for index, row in enumerate(rows):
                checker = Checker(_sources(row, shipped), encoder, scorer=scorer)
                check = checker.check(markdown_draft(f"{row.id}.md", row.text), run_id="run_eval")
                found = {one.text: one for one in check.sentences}
                for number, sentence in enumerate(row.sentences, start=1):
                    state = _state(found, sentence)
                    cases.append(_case(f"{row.id}:{number}", sentence, state))
                    if not row.debatable:
                        told.append((sentence, state))
                progress(index + 1, len(rows))
        return Measured(tuple(cases), _figures(told))


def _sources(row: DraftRow, shipped: Path) -> list[CheckSource]:
    archives = [open_archive(path) for path in row.web or (shipped,)]
    return [CheckSource(_page(row, archives, url)) for url in row.sources]


def _page(row: DraftRow, archives: Sequence[Archive], url: str) -> Document:
    for archive in archives:
        try:
            return extract(archive.get(url))
        except PageFailure:
            continue
    raise UserError(f"draft {row.id!r}: its source {url} is in none of its archives; name them with web")


def _state(found: Mapping[str, CheckedSentence], sentence: DraftSentence) -> str:
    checked = found.get(sentence.text)
    if checked is None:
        return "cut elsewhere"
    return NO_CLAIM if checked.state is None else checked.state.value


def _case(case_id: str, sentence: DraftSentence, state: str) -> Case:
    if state == SentenceState.COULD_NOT_CHECK:
        return Case(case_id, sentence.kind, CaseState.COULD_NOT_CHECK, sentence.text)
    right = state in sentence.expect
    detail = "" if right else f"{state}, wanted {' or '.join(sentence.expect)}: {sentence.text}"
    return Case(case_id, sentence.kind, CaseState.RIGHT if right else CaseState.WRONG, detail)


def _figures(told: Sequence[tuple[DraftSentence, str]]) -> tuple[Figure, ...]:
    """What could not be checked is not called anything: it costs the figures of which more is better."""
    true = [state for sentence, state in told if "sourced" in sentence.expect]
    false = [state for sentence, state in told if "sourced" not in sentence.expect and NO_CLAIM not in sentence.expect]
    never = [state for sentence, state in told if sentence.expect == ("rejected",)]
    aside = [state for sentence, state in told if NO_CLAIM in sentence.expect]
    return (
        _figure("false_sourced", "of the sentences that no source bears out, those called sourced", false, "sourced"),
        _figure("false_alarms", "of the true sentences, those rejected", true, "rejected"),
        _figure("sourced", "of the true sentences, those called sourced", true, "sourced", more=True),
        _figure("rejected", "of the sentences that must never ship, those rejected", never, "rejected", more=True),
        _figure("set_aside", "of the parts that claim nothing, those not judged", aside, NO_CLAIM, more=True),
    )


def _figure(name: str, about: str, states: Sequence[str], state: str, *, more: bool = False) -> Figure:
    return Figure(name=name, about=about, share=Share(states.count(state), len(states)), more_is_better=more)
