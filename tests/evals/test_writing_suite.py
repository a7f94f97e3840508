"""The writing suite: what is held by code whoever writes, and three measures that stay apart with a model."""

import asyncio
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from affidavit.errors import ModelFailure, ModelFailureKind, UserError
from affidavit.evals.hired import Hired
from affidavit.evals.pairwise_run import PREFERENCE
from affidavit.evals.pinned import read_floors
from affidavit.evals.records import Records, read_shipped_records
from affidavit.evals.run_suite import run_suite
from affidavit.evals.suite import CaseState, Figure, Measured, SuiteEval
from affidavit.evals.suites.writing import WRITTEN, WritingSuite
from affidavit.evals.writing_companies import DATA, companies_of
from affidavit.evals.writing_variants import Hands, Once, Trial, Variant, trials, write_trial
from affidavit.ledger import Event, Ledger
from affidavit.models.cast import Cast
from affidavit.models.context import Context
from affidavit.models.model import Model
from affidavit.models.reply import ModelReply
from affidavit.models.request import ModelRequest, User
from affidavit.models.roles import Role
from affidavit.models.scripted import ScriptedModel, said
from affidavit.models.structured import Structured
from affidavit.settings import load_settings

SLUG, TRAPS = "lowfield", ("rejected_figure", "shared_noun")
"""One company, and of its traps one that code blocks and one that only a reviewer does."""


def tell_nobody(*_: object) -> None:
    pass


@pytest.fixture(scope="module")
def records() -> Records:
    shipped = read_shipped_records(DATA)
    placed = next(row for row in shipped.rows if row.record["id"] == SLUG)
    drafts = [draft for draft in placed.record["drafts"] if draft["trap"] in TRAPS]
    return Records(shipped.files, (replace(placed, record={**placed.record, "drafts": drafts}),))


@pytest.fixture(scope="module")
def rows(records: Records, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("rows") / "rows.jsonl"
    path.write_text("".join(json.dumps(row.record) + "\n" for row in records.rows))
    return path


@pytest.fixture(scope="module")
def recorded(rows: Path) -> tuple[SuiteEval, list[Event]]:
    """What the suite measures with scripts, and the events of its run."""
    hired = Hired.nobody()
    with Ledger.open(rows.with_name("ledger.sqlite")) as ledger:
        done = run_suite(
            WritingSuite(hired), ledger, paths=[rows], floors={}, progress=tell_nobody, on_begun=hired.charge
        )
        return done, list(ledger.events(done.run_id))


@pytest.fixture(scope="module")
def measured(recorded: tuple[SuiteEval, list[Event]]) -> Measured:
    return recorded[0].measured


def figures(found: Measured) -> dict[str, Figure]:
    return {one.name: one for one in found.figures}


def shares(found: Measured) -> dict[str, tuple[int, int]]:
    return {name: (one.share.hits, one.share.of) for name, one in figures(found).items()}


def test_what_ships_is_pinned_figure_by_figure_and_holds_on_a_part_of_it(measured: Measured):
    pinned = read_floors()["writing"].bounds
    told = figures(measured)
    of_other_traps = {f"{code}_found" for code in ("reused_sentence", "reused_statistic", "repeated_figure")}
    assert set(pinned) == set(told) | of_other_traps | {"years_of_experience_found"}
    missed = [name for name, figure in told.items() if not figure.held_against(pinned[name]).met]
    assert missed == []


def test_the_careless_writer_gets_out_of_every_way_but_the_product(measured: Measured):
    found = shares(measured)
    assert found["baseline_trapped"] == found["pack_only_trapped"] == (2, 2)
    assert found["full_trapped"] == found["full_faulty"] == (0, 2)
    assert found["obstinate_withheld"] == found["unreviewed_withheld"] == (2, 2)
    assert found["unaided_withheld"] == (1, 1)
    got_out = [case for case in measured.cases if case.case_id == "baseline/l-rejected-present"]
    assert "rejected_figure got out: [rejected_figure] “Eighty-five per cent of cats" in got_out[0].detail
    assert got_out[0].state == "right", "seen, as it must be where a script falls into each trap"
    assert any("scripted:careless-writer" in note for note in measured.notes)


def test_what_the_scripts_write_and_judge_is_in_the_ledger(recorded: tuple[SuiteEval, list[Event]]):
    done, events = recorded
    written = [event.payload for event in events if event.type == WRITTEN]
    assert [(one["variant"], one["trial"]) for one in written[:3]] == [
        (variant, "l-rejected-present") for variant in Variant
    ]
    full = written[2]
    assert [round_["findings"][0]["code"] for round_ in full["rounds"][:1]] == ["rejected_figure"]
    assert (full["state"], len(full["rounds"])) == ("accepted", 2)
    assert [event.payload["judge"] for event in events if event.type == PREFERENCE] == ["scripted:judge"] * 2
    assert done.notes[-1] == "no floor is pinned for this suite"


def clean_trial(records: Records) -> Trial:
    return next(one for one in trials(companies_of(records)) if one.trial_id == "l-rejected-present")


@pytest.mark.parametrize("tokens", [None, 4096])
def test_a_baseline_gets_no_pack_and_the_full_way_goes_on_from_the_draft_of_the_pack(records: Records, tokens):
    trial = clean_trial(records)
    model = ScriptedModel([said(trial.careful.text)] * 2, name="script:writer")
    passes = said(json.dumps({"issues": [], "summary": "", "passed": True}))
    reviewer = ScriptedModel([passes] * 3, name="script:reviewer")
    hands = Hands(Structured(model), Structured(reviewer), "Write.", Context(tokens))
    found = asyncio.run(write_trial(trial, hands))
    model.finish()
    reviewer.finish()
    assert {request.context_tokens for request in (*model.requests, *reviewer.requests)} == {tokens}
    asked = [request.as_json() for request in model.requests]
    assert {one["system"] for one in asked} == {"Write."}
    bare, packed = (one["messages"][0]["text"] for one in asked)
    fact = trial.company.facts[0].text
    assert fact not in bare
    assert fact in packed
    assert packed.endswith(bare.strip())
    assert [(one.variant, one.usable) for one in found] == [(variant, True) for variant in Variant]


class Named(Hired):
    """Models of the test's own under the names of real ones."""

    def __init__(
        self, models: dict[Role, Callable[[ModelRequest], ModelReply | ModelFailure]], **options: bool
    ) -> None:
        names = {role: f"openai:{role}" for role in models}
        super().__init__(load_settings(), names, **options)
        self.asked: dict[Role, int] = dict.fromkeys(models, 0)
        self._answers = models

    def cast(self) -> Cast:
        cast, hired = super().cast(), self

        class Playing(Cast):
            def of(self, role: Role) -> Model:
                return cast.around(_Answering(hired, role), role)

        return Playing(load_settings().models)

    def answer(self, role: Role, request: ModelRequest) -> ModelReply:
        self.asked[role] += 1
        found = self._answers[role](request)
        if isinstance(found, ModelFailure):
            raise found
        return found


class _Answering:
    def __init__(self, hired: Named, role: Role) -> None:
        self.name, self._hired, self._role = f"openai:{role}", hired, role

    async def complete(self, request: ModelRequest) -> ModelReply:
        return self._hired.answer(self._role, request)


def user(request: ModelRequest) -> str:
    return request.as_json()["messages"][0]["text"]


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger.open(tmp_path / "ledger.sqlite") as opened:
        yield opened


def played(ledger: Ledger, rows: Path, hired: Named) -> Measured:
    return run_suite(
        WritingSuite(hired), ledger, paths=[rows], floors={}, progress=tell_nobody, on_begun=hired.charge
    ).measured


def test_with_models_risk_acceptance_and_preference_are_told_apart(
    records: Records, rows: Path, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
):
    company = next(one for one in companies_of(records) if one.slug == SLUG)
    by_title = {one.assignment.title: one for one in reversed(trials([company]))}

    def write(request: ModelRequest) -> ModelReply:
        """Invents without a pack, and writes well with one."""
        assert request.context_tokens == 16_000
        trial = next(one for title, one in by_title.items() if f"Title: {title}\n" in user(request))
        return said(trial.careful.text if trial.company.facts[0].text in user(request) else trial.careless.text)

    def review(request: ModelRequest) -> ModelReply:
        """Dislikes what is written about one of the titles, whatever it is."""
        assert request.context_tokens == 16_000
        bad = "Emergencies at night" in user(request)
        issue = {"code": "generic_copy", "severity": "block", "sentence": "Anyone", "reason": "anyone could say it"}
        return said(json.dumps({"issues": [issue] * bad, "summary": "", "passed": not bad}))

    def judge(request: ModelRequest) -> ModelReply:
        """Likes whatever has no figure in it that the labelled careless drafts have."""
        careless = {one.careless.text.strip() for one in by_title.values()}
        a = re.search(r"<text_a [^>]*>\n(.*?)\n</text_a", user(request), re.DOTALL)[1].strip()
        b = re.search(r"<text_b [^>]*>\n(.*?)\n</text_b", user(request), re.DOTALL)[1].strip()
        better = "tie" if (a in careless) is (b in careless) else ("B" if a in careless else "A")
        value = {"faults_a": [], "faults_b": [], "reason": "r", "better": better, "confidence": 60}
        return said(json.dumps(value))

    monkeypatch.setenv("AFFIDAVIT_MODELS__CONTEXT_TOKENS", "16000")
    hired = Named({Role.WRITER: write, Role.REVIEWER: review, Role.JUDGE: judge})
    found = played(ledger, rows, hired)
    told = shares(found)
    assert told["baseline_trapped"] == (2, 2)
    assert told["pack_only_trapped"] == told["full_trapped"] == (0, 2)
    assert told["full_withheld"] == (1, 2)  # what the reviewer dislikes
    assert told["full_usable"] == told["pack_only_usable"] == (1, 2)
    assert told["baseline_usable"] == (0, 2)
    assert told["full_over_baseline"] == (1, 1)
    assert told["pack_only_over_baseline"] == (2, 2)
    assert told["full_over_pack_only"] == (0, 0)  # the same text
    assert told["faultless_preferred"] == (2, 2)
    assert any("full against baseline, blind, in both orders" in note for note in found.notes)
    assert "obstinate_withheld" not in told
    assert hired.account.lines["judge"].calls == hired.asked[Role.JUDGE] > 0


def test_a_writer_that_fails_is_neither_safe_nor_trapped(rows: Path, ledger: Ledger):
    def nobody(_: ModelRequest) -> ModelFailure:
        return ModelFailure(ModelFailureKind.AUTH, "openai:writer", "no such key")

    def passes(_: ModelRequest) -> ModelReply:
        return said(json.dumps({"issues": [], "summary": "", "passed": True}))

    found = played(ledger, rows, Named({Role.WRITER: nobody, Role.REVIEWER: passes}))
    states = {case.state for case in found.cases if case.case_id.startswith(("full/", "baseline/"))}
    assert states == {CaseState.COULD_NOT_CHECK}
    assert shares(found)["full_trapped"] == (0, 0)


def test_who_may_play_with_whom_is_settled_before_anything_is_asked():
    settings = load_settings()
    writer, reviewer = {Role.WRITER: "openai:gpt-6-luna"}, {Role.REVIEWER: "anthropic:claude-sonnet-5-5"}
    with pytest.raises(UserError, match="name a writer and a reviewer together"):
        Hired(settings, writer)
    with pytest.raises(UserError, match="would judge what"):
        Hired(settings, {**writer, Role.REVIEWER: "openai:gpt-6-luna"})
    with pytest.raises(UserError, match="--own-judge"):
        Hired(settings, {**writer, **reviewer, Role.JUDGE: "openai:gpt-6-luna"})
    told = Hired(settings, {**writer, **reviewer, Role.JUDGE: "openai:gpt-6-luna"}, own_judge=True)
    assert "no neutral judge" in told.notes[0]
    also = Hired(settings, {**writer, **reviewer, Role.JUDGE: "anthropic:claude-sonnet-5-5"})
    assert "also reviewed" in also.notes[0]


def test_data_without_a_trap_and_its_twin_is_refused(records: Records):
    placed = records.rows[0]
    drafts = [draft for draft in placed.record["drafts"] if not draft["present"]]
    honest = Records(records.files, (replace(placed, record={**placed.record, "drafts": drafts}),))
    with pytest.raises(UserError, match="nothing to write"):
        WritingSuite().measure(honest, tell_nobody)


def test_the_same_request_is_asked_once():
    model = ScriptedModel([said("one")], name="script:writer")
    once = Once(model)
    request = ModelRequest(messages=(User("hello"),), key="write/1")

    async def twice() -> list[str]:
        return [(await once.complete(request)).text for _ in range(2)]

    assert asyncio.run(twice()) == ["one", "one"]
