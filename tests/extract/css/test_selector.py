"""Selectors: parsing, specificity, matching."""

import lxml.html
import pytest
import tinycss2
from hypothesis import given
from hypothesis import strategies as st

from affidavit.extract.css.node import Node
from affidavit.extract.css.selector import InvalidSelector, Selector, parse

TREE = lxml.html.document_fromstring(
    "<body><div id=top class='a b'><p class=x lang=en-GB>1</p><p class='x y' data-k='one two'>2</p><span>3</span>"
    "<p>4</p></div><section class=a><div class=c><a href=/q>5</a><input type=Checkbox checked></div></section></body>"
)


def nodes() -> list[Node]:
    root = Node(TREE, None, None)
    return [root, *root.descendants()]


def selectors(text: str) -> tuple[Selector, ...]:
    return parse(tinycss2.parse_component_value_list(text))


def matched(text: str) -> list[str]:
    found = [node for node in nodes() if any(selector.matches(node) for selector in selectors(text))]
    return [node.element.text or node.tag for node in found]


@pytest.mark.parametrize(
    ("selector", "found"),
    [
        ("p", ["1", "2", "4"]),
        (".x.y", ["2"]),
        ("#top > p", ["1", "2", "4"]),
        ("p + p", ["2"]),
        ("p ~ p", ["2", "4"]),
        ("span + p, a", ["4", "5"]),
        ("body .a .c a", ["5"]),
        ("section div > a", ["5"]),
        ("div.b a", []),
        ("[data-k~=two]", ["2"]),
        ("[data-k^='one'][data-k$=two][data-k*=' ']", ["2"]),
        ("[lang|=en]", ["1"]),
        ("[type=checkbox]", ["input"]),
        ("[class=X i]", ["1"]),
        ("[class=X]", []),
        ("p:first-child", ["1"]),
        ("p:last-child", ["4"]),
        ("p:nth-child(2n)", ["2", "4"]),
        ("p:nth-last-of-type(1)", ["4"]),
        (":nth-child(2 of p)", ["2"]),
        ("span:only-of-type", ["3"]),
        ("p:not(.x)", ["4"]),
        ("p:not(.x, #top > :last-child)", []),
        (":is(span, .c > a)", ["3", "5"]),
        (":where(span)", ["3"]),
        ("p:has(+ span)", ["2"]),
        ("section:has(> .c a) a", ["5"]),
        ("input:checked", ["input"]),
        ("a:link", ["5"]),
        ("p:lang(en)", ["1"]),
        (r".\78", ["1", "2"]),
        ("p:hover, p::marker", []),
        ("p, p::-webkit-made-up", ["1", "2", "4"]),
        ("*|span", ["3"]),
    ],
)
def test_a_selector_finds_its_elements(selector: str, found: list[str]) -> None:
    assert matched(selector) == found


@pytest.mark.parametrize(
    ("selector", "specificity"),
    [
        ("*", (0, 0, 0)),
        ("p", (0, 0, 1)),
        ("p.x[a]:first-child", (0, 3, 1)),
        ("#a b#c", (2, 0, 1)),
        (":is(p, #a)", (1, 0, 0)),
        (":where(#a)", (0, 0, 0)),
        (":not(.x p)", (0, 1, 1)),
        (":nth-child(2 of #a)", (1, 1, 0)),
    ],
)
def test_specificity_counts_as_the_standard_says(selector: str, specificity: tuple[int, int, int]) -> None:
    assert selectors(selector)[0].specificity == specificity


@pytest.mark.parametrize(
    "selector",
    [
        "",
        "p,",
        "> p",
        "p >",
        "p > > p",
        "..x",
        ".1",
        "p:unknown",
        ":not()",
        "[a=]",
        "[]",
        "p::",
        "p::a p",
        "p, b::made-up",
        "p, b:made-up",
        "#",
    ],
)
def test_an_invalid_selector_is_refused(selector: str) -> None:
    with pytest.raises(InvalidSelector):
        selectors(selector)


def test_a_forgiving_list_skips_what_it_does_not_know() -> None:
    assert matched(":is(:unknown, span)") == ["3"]


SIMPLE = st.sampled_from(["*", "div", "p", "a", ".a", ".x", ".c", "#top", "body"])
COMBINATOR = st.sampled_from([" ", " > ", " + ", " ~ "])


def _matches_naively(parts: list[str], node: Node) -> bool:
    """The definition, with all its backtracking."""
    (single,) = selectors(parts[-1])
    if not single.matches(node):
        return False
    if len(parts) == 1:
        return True
    combinator, rest = parts[-2].strip(), parts[:-2]
    upward = combinator in ("", ">")
    candidate = node.parent if upward else node.previous
    while candidate is not None:
        if _matches_naively(rest, candidate):
            return True
        if combinator in (">", "+"):
            return False
        candidate = candidate.parent if upward else candidate.previous
    return False


@given(st.lists(st.tuples(COMBINATOR, SIMPLE), min_size=1, max_size=5))
def test_matching_with_two_places_to_return_to_agrees_with_full_backtracking(pairs: list[tuple[str, str]]) -> None:
    parts = [part for pair in pairs for part in pair][1:]
    (selector,) = selectors("".join(parts))
    for node in nodes():
        assert selector.matches(node) == _matches_naively(parts, node)
