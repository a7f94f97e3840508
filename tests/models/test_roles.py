import pytest

from affidavit.models.roles import CHECKS, FALLS_BACK_ON, Role, judges_own_work, model_of
from affidavit.settings import Models

MAKES = set(Role) - CHECKS


def models(**named: str) -> Models:
    return Models.model_validate(named)


def test_every_role_is_a_setting():
    assert {role.value for role in Role} <= set(Models.model_fields)


def test_a_role_that_checks_never_falls_back_on_one_that_makes():
    for role in set(Role) - MAKES:
        while (role := FALLS_BACK_ON.get(role)) is not None:
            assert role not in MAKES


@pytest.mark.parametrize("role", Role)
def test_falling_back_comes_to_an_end(role: Role):
    assert model_of(role, models()) is None


def test_a_role_takes_its_own_model_before_another():
    named = models(researcher="a:b", writer="c:d")
    assert model_of(Role.WRITER, named) == "c:d"
    assert model_of(Role.CONVERGENCE, named) == "a:b"
    assert model_of(Role.CONSOLIDATOR, named) == "a:b"
    assert model_of(Role.VERIFIER, named) is None
    assert model_of(Role.JUDGE, named) is None
    assert model_of(Role.REVIEWER, models(verifier="e:f")) == "e:f"


def test_a_model_that_would_judge_its_own_work_is_named():
    assert judges_own_work(Role.VERIFIER, models(researcher="a:b", verifier="a:b")) is Role.RESEARCHER
    assert judges_own_work(Role.REVIEWER, models(writer="a:b", verifier="a:b")) is Role.WRITER
    assert judges_own_work(Role.VERIFIER, models(researcher="a:b", verifier="c:d")) is None
    assert judges_own_work(Role.WRITER, models(researcher="a:b")) is None
    assert judges_own_work(Role.JUDGE, models()) is None
