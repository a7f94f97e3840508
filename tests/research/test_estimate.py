from decimal import Decimal

from affidavit.models.prices import load_prices
from affidavit.models.roles import Role
from affidavit.research.estimate import estimate
from affidavit.settings import load_settings


def of(subquestions=3, **settings):
    return estimate(load_settings({}, **settings), subquestions, load_prices())


def test_a_typical_run_of_three_parts_is_that_of_the_design():
    found = of(models={"researcher": "openai:gpt-5"})
    (researcher, convergence) = found.lines
    assert (researcher.calls, researcher.input, researcher.output) == (14, 126_000, 6_020)
    assert convergence.role is Role.CONVERGENCE
    assert convergence.model == "openai:gpt-5", "it falls back on the researcher's"


def test_more_parts_cost_more_and_the_limit_bounds_what_it_can_come_to():
    assert (of(4, models={"researcher": "openai:gpt-5"}).usd or 0) > (
        of(1, models={"researcher": "openai:gpt-5"}).usd or 0
    )
    assert of(models={"researcher": "openai:gpt-5"}, max_usd=Decimal("0.10")).most == Decimal("0.10")


def test_what_is_kept_for_the_draft_is_told_where_there_is_a_limit():
    models = {"researcher": "openai:gpt-5"}
    assert "kept" not in of(models=models).told()
    plenty, little = of(models=models, max_usd=Decimal(1)), of(models=models, max_usd=Decimal("0.05"))
    assert plenty.kept is not None
    assert f"of $1, about ${plenty.kept:.4f} is kept for the draft" in plenty.told()
    assert "nothing is kept for them" in little.told()
    judged = of(models={**models, "verifier": "openai:gpt-5"}, max_usd=Decimal(1))
    assert judged.kept is not None
    assert judged.kept > plenty.kept, "a verifier that is paid is kept for too"


def test_a_model_without_a_price_makes_the_sum_unknown_and_not_nothing():
    found = of(models={"researcher": "mine:big", "servers": {"mine": "http://127.0.0.1:1/v1"}})
    assert found.usd is None
    assert "an unknown amount" in found.told()
