import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.models.lenient_json import NotJson, read_value

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**15), 10**15)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


@given(VALUES, st.sampled_from([None, 2]), st.booleans())
def test_json_is_read_as_json_reads_it_and_nothing_is_overlooked(value: Any, indent: int | None, ascii_only: bool):
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    read = read_value(text)
    assert read.value == json.loads(text)
    assert read.end == len(text)
    assert read.repairs == ()


@given(st.dictionaries(st.text("abc xyz'\"é", max_size=6), st.none() | st.booleans() | st.integers(), max_size=4))
def test_what_python_prints_is_read(value: dict[str, Any]):
    assert read_value(repr(value)).value == value


@given(st.text("{}[]\"':,truefalsn1.0eE- \n\\u“”", max_size=40))
def test_any_text_is_read_or_refused_and_nothing_else(text: str):
    try:
        read = read_value(text)
    except NotJson:
        return
    assert 0 <= read.end <= len(text)


@pytest.mark.parametrize(
    ("text", "value", "repair"),
    [
        ("{'a': 'b'}", {"a": "b"}, "a text stood in ''"),
        ("{“a”: “b”}", {"a": "b"}, "a text stood in “”"),
        ('{"a": [1, 2,],}', {"a": [1, 2]}, "a comma stood before a closing bracket"),
        ('{"a": True, "b": None}', {"a": True, "b": None}, "True stood for true"),
        ('{a: 1}', {"a": 1}, "a key stood without quotes"),
        ('{"a": "one\ntwo"}', {"a": "one\ntwo"}, "a line broke inside a text"),
        ('{{"a": {"b": 1}}}', {"a": {"b": 1}}, "the braces were doubled"),
        ('{"a": 1, "a": 1}', {"a": 1}, "a key came twice"),
        ("{'it\\'s': 1}", {"it's": 1}, "a text stood in ''"),
    ],
)  # fmt: skip
def test_the_mistakes_of_small_models_are_read_and_told(text: str, value: Any, repair: str):
    read = read_value(text)
    assert read.value == value
    assert repair in read.repairs


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"a": 1, "a": 2}', "'a' comes twice, with two values"),
        ('{"a": true, "a": 1}', "comes twice"),
        ('{"a": "b', "ends before it is complete"),
        ('{"a": 1', "ends before it is complete"),
        ('{"a": }', "a value is missing"),
        ('{"a" 1}', "':' is missing"),
        ('{"a": 1 "b": 2}', "a comma or '}' is missing"),
        ('{"a": NaN}', "no number of JSON"),
        ('{"a": SUPPORTED}', "'SUPPORTED' is no JSON value"),
        ('{"a": "\\u00zz"}', "four hexadecimal digits"),
        ("[" * 100, "nested more than 64 deep"),
        ("", "ends before it is complete"),
    ],
)
def test_what_could_be_read_in_two_ways_or_none_is_refused(text: str, said: str):
    with pytest.raises(NotJson, match=said):
        read_value(text)
