from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.errors import UserError
from affidavit.models.prices import load_prices
from affidavit.models.reply import Usage

PRICES = load_prices()


def test_every_row_that_ships_says_when_and_where_it_was_read():
    for price in PRICES.rows.values():
        assert price.as_of >= date(2026, 11, 1)
        assert price.source


def test_a_model_that_is_not_in_the_table_has_no_price():
    assert PRICES.of("openai:gpt-99") is None
    assert PRICES.of("mine:small") is None


@pytest.mark.parametrize("edition", ["-2026-08-01", "-20260801", "@20260801", "-0801"])
def test_a_dated_edition_costs_what_the_model_costs(edition: str):
    assert PRICES.of(f"openai:gpt-6-sol{edition}") == PRICES.of("openai:gpt-6-sol")


def test_a_machine_of_ones_own_costs_nothing_that_is_counted():
    price = PRICES.of("ollama:whatever")
    assert price is not None
    assert price.cost(Usage(input=10**6, output=10**6)) == 0


def test_a_typical_run_costs_what_the_table_says():
    """A loop of 126k tokens in and 6k out, at 3 and 15 dollars a million, costs 0.378 + 0.09."""
    price = PRICES.of("anthropic:claude-sonnet-4-6")
    assert price is not None
    assert (price.input, price.output) == (3, 15)
    assert price.cost(Usage(input=126_000, output=6_000)) == Decimal("0.468")


def test_cached_tokens_are_cheaper_and_written_ones_dearer():
    price = PRICES.of("anthropic:claude-sonnet-5-5")
    assert price is not None
    million = Decimal(1_000_000)
    assert (
        price.cost(Usage(input=100, output=0, cached=40, written=10))
        == (50 * price.input + 40 * (price.cached or 0) + 10 * (price.written or 0)) / million
    )


def test_a_long_call_has_the_rates_of_long_calls():
    price = PRICES.of("openai:gpt-5.4")
    assert price is not None
    assert price.long is not None
    above = price.long.above
    assert price.cost(Usage(input=above, output=0)) == above * price.input / 1_000_000
    assert price.cost(Usage(input=above + 1, output=0)) == (above + 1) * price.long.input / 1_000_000


def test_what_the_provider_says_it_cost_is_what_it_cost():
    price = PRICES.of("openai:gpt-6-sol")
    assert price is not None
    assert price.cost(Usage(input=10, output=10, cost=Decimal("0.5"))) == Decimal("0.5")


@given(st.data(), st.integers(0, 400_000), st.integers(0, 10_000))
def test_the_most_that_tokens_can_cost_is_never_less_than_what_they_cost(data: st.DataObject, total: int, out: int):
    price = PRICES.rows[data.draw(st.sampled_from(sorted(PRICES.rows)))]
    cached = data.draw(st.integers(0, total))
    written = data.draw(st.integers(0, total - cached))
    assert price.cost(Usage(input=total, output=out, cached=cached, written=written)) <= price.most(total, out)


def test_a_file_of_ones_own_corrects_and_extends(tmp_path: Path):
    file = tmp_path / "prices.toml"
    file.write_text(
        '["mine:small"]\ninput = 0.1\noutput = 0.2\nas_of = 2026-11-30\nsource = "our bill"\n'
        '["openai:gpt-6-sol"]\ninput = 9\noutput = 9\nas_of = 2026-11-30\nsource = "our contract"\n'
    )
    prices = load_prices(file)
    small, sol, luna = (prices.of(name) for name in ("mine:small", "openai:gpt-6-sol", "openai:gpt-6-luna"))
    assert small is not None
    assert sol is not None
    assert small.input == Decimal("0.1")
    assert sol.source == "our contract"
    assert luna == PRICES.of("openai:gpt-6-luna")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("input = ", "not valid TOML"),
        ('["a:b"]\ninput = 1\n', r"a:b\.output"),
        ('["a:b"]\ninput = -1\noutput = 1\nas_of = 2026-11-30\nsource = "x"', r"a:b\.input = -1"),
        ('["a:b"]\ninput = 1\noutput = 1\nprice = 1\nas_of = 2026-11-30\nsource = "x"', r"a:b\.price"),
    ],
)
def test_a_wrong_row_is_named(tmp_path: Path, content: str, said: str):
    file = tmp_path / "prices.toml"
    file.write_text(content)
    with pytest.raises(UserError, match=said):
        load_prices(file)


def test_a_missing_file_is_named(tmp_path: Path):
    with pytest.raises(UserError, match=r"none\.toml: cannot be read"):
        load_prices(tmp_path / "none.toml")
