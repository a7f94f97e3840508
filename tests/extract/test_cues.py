"""Cues of the markup that no reader reads."""

import pytest

from affidavit.extract.cues import Cues, read_cues
from affidavit.extract.html import parse

URL = "https://paper.example.org/a/b"


def cues(html: str) -> Cues:
    return read_cues(parse(f"<html><head></head><body>{html}</body></html>", URL), URL)


@pytest.mark.parametrize(
    ("html", "target"),
    [
        ('<meta http-equiv=refresh content="0; url=/x">', "https://paper.example.org/x"),
        ("<meta http-equiv=refresh content=\"0;URL='x'\">", "https://paper.example.org/a/x"),
        ('<meta http-equiv=refresh content="3, https://else.example.net/">', "https://else.example.net/"),
        ('<base href="/z/"><meta http-equiv=refresh content="0; url=x">', "https://paper.example.org/z/x"),
        ('<meta http-equiv=refresh content="0; url=javascript:alert(1)">', None),
        ('<meta http-equiv=refresh content="0; url=http://[">', None),
        ('<meta http-equiv=refresh content="600; url=/x">', None),
        ('<meta http-equiv=refresh content="30">', None),
        ('<meta http-equiv=refresh content="0; url=#top">', None),
        ("<script>window.location.href = '/x'</script>", "https://paper.example.org/x"),
        ("<script>if (a) { location.replace('/x') }</script>", "https://paper.example.org/x"),
        ("<script>if (location == '/x') {}</script>", None),
    ],
)
def test_a_redirect_is_the_absolute_address_it_leads_to(html: str, target: str | None) -> None:
    assert cues(html).redirect == target


def test_forms_frames_and_scripts_are_seen() -> None:
    found = cues(
        "<input type=PASSWORD><iframe src=https://consent.x.example.org/cmp></iframe><script src=/a.js></script>"
    )
    assert found == Cues(scripts=1, frames=1, consent_frame=True, password_field=True)


def test_a_plain_page_has_no_cues() -> None:
    assert cues("<p>Words.</p>") == Cues()
