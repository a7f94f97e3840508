"""Lengths, colours and custom properties."""

import pytest
import tinycss2
from hypothesis import given
from hypothesis import strategies as st

from affidavit.extract.css import color, custom, length


def token(text: str) -> object:
    return tinycss2.parse_one_component_value(text)


@pytest.mark.parametrize(
    ("text", "pixels"),
    [
        ("0", 0.0),
        ("12px", 12.0),
        ("1in", 96.0),
        ("2em", 40.0),
        ("1rem", 16.0),
        ("50%", 500.0),
        ("100vw", 1280.0),
        ("100dvh", 800.0),
        ("calc(1px - 1px)", 0.0),
        ("calc(100% - (2 * 10px) / 4)", 995.0),
        ("calc(2 * (1em + 1px))", 42.0),
        ("min(10px, 5px)", 5.0),
        ("max(10px, 1em, 0px)", 20.0),
        ("clamp(1px, 50px, 10px)", 10.0),
    ],
)
def test_a_length_resolves_to_pixels(text: str, pixels: float) -> None:
    found = length.parse(token(text))
    assert found is not None
    assert found.resolve(20.0, 1000.0) == pytest.approx(pixels)


@pytest.mark.parametrize(
    "text", ["5", "red", "3s", "calc(1px * 1px)", "calc(1px + 1)", "calc(1px / 0)", "calc()", "'a'"]
)
def test_what_is_no_length_is_none(text: str) -> None:
    assert length.parse(token(text)) is None


@pytest.mark.parametrize(
    "text",
    [
        "#fff", "#FFFF", "white", "rgb(255 255 255)", "rgba(100%,100%,100%,1)", "hsl(0 0% 100%)", "hwb(0 100% 0%)",
        "lab(100% 0 0)", "lch(100% 0 0)", "oklab(1 0 0)", "oklch(100% 0 none)", "color(srgb 1 1 1)", "Canvas",
        "color-mix(in srgb, white 20%, #fff)", "light-dark(white, black)",
    ],
)  # fmt: skip
def test_white_is_white_in_every_notation(text: str) -> None:
    found = color.parse(token(text))
    assert isinstance(found, tuple)
    assert found == pytest.approx(color.WHITE, abs=0.01)


def test_other_colours_keep_their_parts() -> None:
    assert color.parse(token("rgba(255,0,0,.5)")) == pytest.approx((1.0, 0.0, 0.0, 0.5))
    assert color.parse(token("oklch(62.8% 0.2577 29.23)")) == pytest.approx((1.0, 0.0, 0.0, 1.0), abs=0.02)
    assert color.parse(token("currentColor")) == "currentcolor"
    assert color.parse(token("nonsense")) is None


@pytest.mark.parametrize(
    ("text", "red"), [("#FF0000", 1.0), ("red", 1.0), ("ff0000", 1.0), ("#f00", 1.0), ("#0f0", 0.0)]
)
def test_attributes_know_old_spellings_of_colours(text: str, red: float) -> None:
    found = color.parse_legacy(text)
    assert found is not None
    assert found[0] == red


def test_contrast_is_that_of_wcag() -> None:
    assert color.contrast(color.BLACK, color.WHITE) == pytest.approx(21.0)
    assert color.contrast(color.WHITE, color.WHITE) == pytest.approx(1.0)
    assert color.over((0.0, 0.0, 0.0, 0.5), color.WHITE) == pytest.approx((0.5, 0.5, 0.5, 1.0))


def values(**properties: str) -> dict[str, tuple[object, ...]]:
    return {f"--{name}": tuple(tinycss2.parse_component_value_list(text)) for name, text in properties.items()}


def resolved(name: str, **properties: str) -> str | None:
    found = custom.resolve(values(**properties), {}).get(f"--{name}")
    return None if found is None else tinycss2.serialize(found).strip()


def test_variables_refer_to_each_other_in_any_order() -> None:
    assert resolved("a", a="var(--b)", b="x var(--c)", c="y") == "x y"
    assert resolved("a", a="var(--missing, f(var(--b)))", b="1") == "f(1)"


def test_variables_without_a_value_or_in_a_circle_are_invalid() -> None:
    assert resolved("a", a="var(--missing)") is None
    assert resolved("a", a="var(--b)", b="var(--a)") is None
    assert resolved("a", a="var(--b, y)", b="var(--b)") == "y"


def test_variables_that_double_stop_growing() -> None:
    names = {f"v{index + 1}": f"var(--v{index}) var(--v{index})" for index in range(40)}
    assert resolved("v40", v0="x", **names) is None


@given(st.text(alphabet="()+-*/ 0123px%emcalcminmax,.", max_size=40))
def test_any_value_is_read_or_refused(text: str) -> None:
    for part in tinycss2.parse_component_value_list(text):
        found = length.parse(part)
        assert found is None or isinstance(found.resolve(16.0), float)
        color.parse(part)
