import pytest

from affidavit.errors import UserError
from affidavit.report import FORMATS, render


@pytest.mark.parametrize("output_format", FORMATS)
def test_every_format_renders_every_kind_of_answer(answer, nothing, tested, output_format):
    for one in (answer, tested, nothing):
        text = render(one, output_format)
        assert text == render(one, output_format)
        assert text.endswith("\n") or (output_format == "ris" and one is nothing and text == "")


def test_a_format_nobody_knows_is_named_with_those_that_are():
    with pytest.raises(UserError, match=r"'docx' is not known; known: terminal, md, html"):
        render(None, "docx")
