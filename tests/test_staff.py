import asyncio

import pytest

from affidavit.errors import UserError
from affidavit.settings import load_settings
from affidavit.staff import has_researcher, staffed, verifier_of
from affidavit.wiring import open_verifier

SERVER = {"mine": "http://127.0.0.1:1/v1"}


class Log:
    run_id = "run_1"

    def record(self, event_type, payload):
        return 1


def hired(**models):
    settings = load_settings({}, models={"servers": SERVER, **models})

    async def go():
        async with staffed(settings, Log(), open_verifier) as staff:
            return staff

    return asyncio.run(go())


def test_without_a_researcher_a_run_is_keyless():
    assert not has_researcher(load_settings({}))
    assert has_researcher(load_settings({}, models={"researcher": "mine:big"}))


def test_the_embedded_verifier_judges_where_no_model_is_named_for_it():
    staff = hired(researcher="mine:big")
    assert staff.verifier.card.name == "embedded"
    assert staff.crew.researcher.name == staff.crew.convergence.name == "mine:big"


def test_another_model_may_judge_and_says_that_nobody_measured_it():
    staff = hired(researcher="mine:big", verifier="mine:small", convergence="mine:small")
    assert staff.verifier.card.name == "model:mine:small"
    assert staff.verifier.card.calibration is None
    assert staff.crew.convergence.name == "mine:small"


def test_the_writers_model_is_refused_as_its_own_judge():
    with pytest.raises(UserError, match="would research and judge its own claims"):
        hired(researcher="mine:big", verifier="mine:big")


def test_it_may_judge_where_somebody_insists():
    staff = hired(researcher="mine:big", verifier="mine:big", verify_own=True)
    assert staff.verifier.card.name == "model:mine:big"


def test_the_verifier_has_a_name_in_the_settings_of_a_run():
    assert verifier_of(load_settings({}, models={"researcher": "mine:big"})) == "embedded"
    assert verifier_of(load_settings({}, models={"verifier": "mine:small"})) == "model:verifier"
