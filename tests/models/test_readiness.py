from typing import Any

import pytest

from affidavit.egress.keys import Keys
from affidavit.errors import UserError
from affidavit.models.readiness import RoleReadiness, readiness
from affidavit.models.roles import Role
from affidavit.settings import Models

KEYS = Keys({"OPENAI_API_KEY": "key-of-openai-123456"})


def of(role: Role, **named: Any) -> RoleReadiness:
    return next(one for one in readiness(Models.model_validate(named), KEYS) if one.role is role)


def test_a_role_that_is_ready_says_its_model_its_key_and_its_price():
    one = of(Role.RESEARCHER, researcher="openai:gpt-6-luna")
    assert (one.missing, one.wrong) == (None, None)
    assert (
        one.detail == "openai:gpt-6-luna; key in OPENAI_API_KEY; $0.1 in, $0.5 out a million tokens (as of 2026-11-30)"
    )


def test_a_role_that_stands_in_says_for_whom():
    assert "(of the role researcher)" in of(Role.CONSOLIDATOR, researcher="openai:gpt-6-luna").detail


def test_a_role_without_a_model_names_the_setting():
    one = of(Role.VERIFIER)
    assert one.model is None
    assert "AFFIDAVIT_MODELS__VERIFIER" in one.detail


def test_a_key_that_is_missing_is_missing_and_a_provider_that_is_none_is_wrong():
    missing = of(Role.JUDGE, judge="anthropic:claude-haiku-5-5")
    assert "set ANTHROPIC_API_KEY" in (missing.missing or "")
    assert missing.wrong is None
    assert "no provider 'nobody'" in (of(Role.JUDGE, judge="nobody:x").wrong or "")


def test_a_price_that_nobody_knows_is_said_to_be_unknown():
    one = of(Role.JUDGE, judge="mine:small", servers={"mine": "http://127.0.0.1:8080/v1"})
    assert one.missing is None
    assert "price not known" in one.detail
    assert "none is needed (http://127.0.0.1:8080/v1)" in one.detail


def test_an_address_that_is_none_is_refused():
    with pytest.raises(UserError, match=r"models\.servers\.mine"):
        readiness(Models.model_validate({"servers": {"mine": "nowhere"}}), KEYS)


def test_a_model_that_would_judge_its_own_work_is_told():
    one = of(Role.VERIFIER, researcher="openai:gpt-6-luna", verifier="openai:gpt-6-luna")
    assert "it would judge its own work" in one.detail
