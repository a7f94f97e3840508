import json

from .conftest import Command


def models(affidavit: Command) -> dict[str, dict[str, str]]:
    ran = affidavit("doctor", "--json")
    return {finding["part"]: finding for finding in json.loads(ran.out) if finding["part"].startswith("model")}


def test_without_a_model_the_doctor_says_that_none_is_needed(affidavit: Command):
    assert "none is needed" in models(affidavit)["models"]["detail"]


def test_the_doctor_lists_each_role_with_its_model_its_key_and_what_is_missing(affidavit: Command):
    affidavit.env |= {
        "AFFIDAVIT_MODELS__RESEARCHER": "openai:gpt-6-luna",
        "AFFIDAVIT_MODELS__VERIFIER": "anthropic:claude-haiku-5-5",
        "AFFIDAVIT_MODELS__JUDGE": "nobody:x",
        "OPENAI_API_KEY": "sk-test-0123456789abcdef0123",
        "ANTHROPIC_API_KEY": "",
    }
    found = models(affidavit)
    assert len(found) == 8
    assert found["model: researcher"]["state"] == "ok"
    assert "key in OPENAI_API_KEY" in found["model: researcher"]["detail"]
    assert found["model: verifier"]["state"] == "missing"
    assert "set ANTHROPIC_API_KEY" in found["model: verifier"]["what_to_do"]
    assert found["model: judge"]["state"] == "broken"
    assert "sk-test" not in json.dumps(found)


def test_the_doctor_names_an_address_that_is_none(affidavit: Command):
    affidavit.env["AFFIDAVIT_MODELS__SERVERS__MINE"] = "nowhere"
    assert models(affidavit)["models"]["state"] == "broken"
