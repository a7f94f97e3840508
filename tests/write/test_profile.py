"""A customer's profile, strict with clear errors."""

import pytest

from affidavit.errors import UserError
from affidavit.write.profile import load_profile


def loaded(tmp_path, text):
    path = tmp_path / "harbour.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return load_profile(path)


def test_a_whole_profile_is_read(tmp_path):
    profile = loaded(
        tmp_path,
        'name = "Harbour"\ndescription = "A recruiter."\nindustry = "recruiting"\nkey_messages = ["We answer."]\n'
        'keywords = ["hiring", "sea"]\ntone = "plain"\nvoice_sample = """\nWe talk plainly.\n"""\n',
    )
    assert (profile.name, profile.keywords, profile.voice_sample) == ("Harbour", ("hiring", "sea"), "We talk plainly.")


def test_the_name_is_enough(tmp_path):
    assert loaded(tmp_path, 'name = "Harbour"').key_messages == ()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", 'name is missing; write name = "…"'),
        ('name = "H"\nkeyword = ["a"]', "unknown key 'keyword'; did you mean 'keywords'?"),
        ('name = "H"\nfoo = 1', "unknown key 'foo'; known: name, description"),
        ('name = "H"\nkeywords = "a"', r"keywords = 'a' is no list; write keywords = \["),
        ('name = "H"\ntone = 3', "tone = 3: input should be a valid string"),
        ('name = "H"\nkeywords = [1]', "keywords.0 = 1"),
        ('name = "  "', "name = "),
        ("name = ", "not valid TOML"),
        (b'name = "\xff"', "not UTF-8"),
        ('name = "H"\ntone = 3\nfoo = 1', "tone = 3.*; unknown key 'foo'"),
    ],
)
def test_a_fault_names_the_file_the_key_and_what_to_write(tmp_path, text, says):
    with pytest.raises(UserError, match=r"harbour\.toml: .*" + says):
        loaded(tmp_path, text)


def test_a_file_that_is_not_there_or_no_profile_says_so(tmp_path):
    with pytest.raises(UserError, match="cannot be read"):
        load_profile(tmp_path / "none.toml")
    with pytest.raises(UserError, match="at most 256 KiB"):
        loaded(tmp_path, "#" * 300_000)
