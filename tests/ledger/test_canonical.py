import json
from dataclasses import dataclass
from enum import StrEnum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.ledger.canonical import canonical, digest

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(JSON)
def test_reading_canonical_json_back_gives_the_same_text_again(value: object) -> None:
    assert canonical(json.loads(canonical(value))) == canonical(value)


def test_the_order_of_keys_and_the_kind_of_list_do_not_change_the_digest() -> None:
    assert digest({"b": (1, 2), "a": None}) == digest({"a": None, "b": [1, 2]})
    assert digest({}).startswith("sha256:")


def test_half_a_surrogate_pair_and_a_nul_survive_as_ascii() -> None:
    text = canonical({"a": "\ud800\x00é"})
    assert text.isascii()
    assert json.loads(text) == {"a": "\ud800\x00é"}


def test_an_enumeration_member_is_written_as_its_value() -> None:
    class Colour(StrEnum):
        RED = "red"

    assert canonical([Colour.RED]) == '["red"]'


def test_a_dataclass_is_written_as_its_fields() -> None:
    @dataclass(frozen=True, slots=True)
    class Point:
        x: int
        names: tuple[str, ...]

    assert canonical({"p": Point(1, ("a",))}) == '{"p":{"names":["a"],"x":1}}'
    with pytest.raises(TypeError, match="type is not JSON"):
        canonical(Point)


def test_what_is_no_json_is_refused_with_its_place() -> None:
    with pytest.raises(TypeError, match=r"value\.a\[1\]: bytes is not JSON"):
        canonical({"a": ["x", b"y"]})
    with pytest.raises(TypeError, match="keys are text"):
        canonical({"a": {2: "x"}})


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_a_number_that_json_lacks_is_refused(number: float) -> None:
    with pytest.raises(ValueError):
        canonical({"x": number})
