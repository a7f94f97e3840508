"""A sentence that is set as code is no way past the checks."""

import re
from pathlib import Path

import pytest

from affidavit.write.boundary import Boundary, blocking
from affidavit.write.prose_in_code import prose_in_code

ROOT = Path(__file__).resolve().parents[2]
BOUNDARY = Boundary.of_texts("Harbour has offices in 45 countries.")
SENTENCE = "Harbour has 77 ships in the bay."


@pytest.mark.parametrize(
    "draft",
    [
        f"Here is the piece:\n\n```markdown\n# T\n\n{SENTENCE}\n```\n\nTell me if it fits.",
        f"# T\n\n    {SENTENCE}\n",
        f"# T\n\nAs we say, `{SENTENCE}` and so on.",
        f"# T\n\n~~~\n{SENTENCE}\n~~~\n",
        f"# T\n\n- one\n\n  ```\n  {SENTENCE}\n  ```\n",
    ],
)
def test_a_sentence_with_a_figure_in_code_blocks_where_it_stands(draft):
    (found,) = blocking(BOUNDARY.check(draft))
    assert (found.code, found.sentence) == ("prose_in_code", SENTENCE)
    assert draft[found.start : found.end] == SENTENCE


@pytest.mark.parametrize(
    "code",
    [
        "timeout 30 seconds",
        "for item in range(10):\n    print(item)",
        "listen 8080;\nserver_name example.org;",
        "pip install affidavit==0.1.0",
        'name = "Harbour"\nfounded = 1978',
        "SELECT name FROM customers WHERE age > 30 LIMIT 10",
        "A sentence of prose without any figure in it.",
    ],
)
def test_a_listing_is_code_and_blocks_nothing(code):
    assert list(prose_in_code(f"# T\n\n```\n{code}\n```\n")) == []


def test_the_code_of_our_own_docs_is_code():
    fences = re.compile(r"^```\w*\n.*?^```$", re.MULTILINE | re.DOTALL)
    for page in (ROOT / "docs").rglob("*.md"):
        for fence in fences.findall(page.read_text(encoding="utf-8")):
            assert list(prose_in_code(fence)) == [], page.name
