import pytest

from affidavit.models.prompt import Prompt, load_prompt


def test_holes_are_filled_once_and_what_fills_them_is_no_prompt():
    prompt = Prompt("a", "{{one}} and {{two}}")
    assert prompt.fill(one="{{two}}", two="{{one}}") == "{{two}} and {{one}}"


@pytest.mark.parametrize("values", [{"one": 1}, {"one": 1, "two": 2, "three": 3}, {}])
def test_values_are_exactly_the_holes(values: dict[str, int]):
    with pytest.raises(ValueError, match=r"has the holes \['one', 'two'\]"):
        Prompt("a", "{{one}} {{two}}").fill(**values)


def test_a_prompt_is_known_by_its_text_alone():
    assert Prompt("a", "x").sha256 == Prompt("b", "x").sha256 != Prompt("a", "y").sha256


def test_a_prompt_comes_from_the_room_that_uses_it():
    prompt = load_prompt("affidavit.models", "repair")
    assert prompt.name == "models/repair"
    assert prompt.holes == {"problem", "schema"}
