"""Media queries on the one screen there is."""

import pytest
import tinycss2

from affidavit.extract.css import media


def tokens(text: str) -> list[object]:
    return tinycss2.parse_component_value_list(text)


@pytest.mark.parametrize(
    "query",
    [
        "",
        "all",
        "SCREEN",
        "only screen and (min-width: 600px)",
        "print, screen",
        "not print",
        "not all and (max-width: 600px)",
        "(min-width: 1px) and (max-width: 80em)",
        "(width >= 1000px)",
        "(400px <= width <= 1280px)",
        "(orientation: landscape) and (not (max-width: 10px))",
        "(max-width: 10px) or (prefers-color-scheme: light)",
        "(color)",
        "(min-aspect-ratio: 1/1)",
        "(max-resolution: 1.5dppx)",
        "(hover: hover)",
        "(min-width: calc(100px + 10em))",
    ],
)
def test_a_query_that_fits_holds(query: str) -> None:
    assert media.holds(tokens(query))


@pytest.mark.parametrize(
    "query",
    [
        "print",
        "not screen",
        "(max-width: 600px)",
        "screen and (width < 1280px)",
        "(prefers-color-scheme: dark)",
        "(prefers-reduced-motion)",
        "(orientation: portrait)",
        "(unknown-feature: 1)",
        "not (unknown-feature: 1)",
        "(min-width: nonsense)",
        "screen and",
        "and screen",
        "(monochrome)",
        "speech",
    ],
)
def test_a_query_that_does_not_fit_or_is_not_understood_does_not_hold(query: str) -> None:
    assert not media.holds(tokens(query))


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("(display: grid)", True),
        ("not (display: grid)", False),
        ("(display: grid) and (not (-moz-appearance: none))", True),
        ("(-ms-ime-align: auto)", False),
        ("selector(:has(a))", True),
        ("((margin: 0) or (c: d))", True),
        ("((a: b) or (c: d))", False),
        ("(display: foo)", False),
        ("not (display: foo)", True),
        ("(display: var(--a))", True),
        ("(--a: b)", True),
        ("(color: oklch(from red l c h))", False),
        ("not (color: oklch(from red l c h))", False),
        ("(-webkit-touch-callout: none)", False),
        ("not (aspect-ratio: 1)", False),
        ("selector(p::made-up)", False),
        ("not font-tech(color-COLRv1)", False),
    ],
)
def test_support_is_that_of_one_browser(condition: str, holds: bool) -> None:
    assert media.supports(tokens(condition)) is holds


def test_a_container_is_as_large_as_the_view() -> None:
    assert media.container_holds(tokens("sidebar (min-width: 400px)"))
    assert not media.container_holds(tokens("(max-width: 400px)"))
    assert not media.container_holds(tokens("style(--a: b)"))
