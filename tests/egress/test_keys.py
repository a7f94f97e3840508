import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.egress.keys import Keys
from affidavit.errors import UserError


def test_keys_are_read_from_the_environment_by_name():
    keys = Keys.from_environment({"BRAVE_API_KEY": " BSA-123456 ", "OTHER": "x", "EXA_API_KEY": ""})
    assert keys.get("BRAVE_API_KEY") == "BSA-123456"
    assert keys.get("EXA_API_KEY") is None
    assert keys.get("OTHER") is None


def test_printing_keys_shows_their_names_alone():
    keys = Keys({"BRAVE_API_KEY": "BSA-123456"})
    assert repr(keys) == str(keys) == "Keys(BRAVE_API_KEY)"
    assert repr(Keys({})) == "Keys(none)"


@pytest.mark.parametrize("value", ["short", "with space in it", "zürich-key", "line\nbreak-key", "bell\x07key"])
def test_what_cannot_be_a_key_is_refused_without_being_shown(value: str):
    with pytest.raises(UserError, match="EXA_API_KEY") as raised:
        Keys({"EXA_API_KEY": value})
    assert value not in str(raised.value)


@given(
    st.text(alphabet=st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=6, max_size=40),
    st.text(max_size=20),
)
def test_no_spelling_of_a_key_is_left(key: str, around: str):
    keys = Keys({"EXA_API_KEY": key})
    said = f"{around}{key}{around}".encode()
    assert key.encode() not in keys.cut_from(said).replace(b"[redacted:secret]", b"\x00")
    assert keys.secrets() == (key,)


def test_a_key_in_a_url_and_in_escaped_json_goes_too():
    key = "a/b+c=d&e-123"
    keys = Keys({"EXA_API_KEY": key})
    escaped = json.dumps(key).replace("/", "\\/").encode()
    assert keys.cut_from(b"?k=a%2Fb%2Bc%3Dd%26e-123") == b"?k=[redacted:secret]"
    assert keys.cut_from(escaped) == b'"[redacted:secret]"'
