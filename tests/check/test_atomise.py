from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.check import CheckSource, document_draft, markdown_draft, plain_draft
from affidavit.check.atomise import atomise
from affidavit.check.draft import Draft
from affidavit.evidence.check import SentenceKind
from affidavit.evidence.document import BlockKind
from affidavit.gates.quotations import quotations


def units(draft: Draft) -> list[tuple[str, str]]:
    blocks = [(one.start, one.end) for one in draft.blocks if one.kind is BlockKind.QUOTATION]
    found = atomise(draft, quotations(draft.text, blocks, draft.code))
    return [(draft.source[unit.start : unit.end], unit.kind.value) for unit in found]


DRAFT = """---
title: A mill
---

# The mill

The mill was **built** in 1871.[^1] It ground 40 tonnes a day.

- It stands *by the river*.
- Who owns it?

> The wheel is the largest
> in the county.

| Year | Owner |
|---|---|
| 1871 | Ada Marsh |

```python
print(1)
```

Visit us today.

[^1]: The deed says so.
"""


def test_every_part_of_a_markdown_draft_is_listed_with_its_kind_and_its_own_characters():
    assert units(markdown_draft("draft.md", DRAFT)) == [
        ("---\ntitle: A mill\n---", "other"),
        ("The mill", "heading"),
        ("The mill was **built** in 1871.", "claim"),
        ("It ground 40 tonnes a day.", "claim"),
        ("It stands *by the river*.", "claim"),
        ("Who owns it?", "question"),
        ("The wheel is the largest\n> in the county.", "claim"),
        ("| Year | Owner |", "heading"),
        ("| 1871 | Ada Marsh |", "claim"),
        ("```python\nprint(1)\n```", "code"),
        ("Visit us today.", "other"),
        ("The deed says so.", "claim"),
    ]


def test_a_row_knows_its_column_heads():
    draft = markdown_draft("draft.md", DRAFT)
    (row,) = [unit for unit in atomise(draft, ()) if unit.heads]
    assert row.heads == ("Year", "Owner")


def test_a_quotation_is_not_cut_where_it_ends_a_sentence_inside():
    text = 'A clerk asked, "Once I hit that, it is done? That is cool." The judge agreed.'
    assert [one for one, _ in units(markdown_draft("d.md", text))] == [text[:59], "The judge agreed."]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Cite the version you used.", "other"),
        ("Talk to us about your launch.", "other"),
        ("Plan your upgrades now.", "other"),
        ("Use 4 spaces per indentation level.", "claim"),
        ("Verifiers SHALL check your password.", "claim"),
        ("Have you tried it?", "question"),
        ("Set in 1871.", "claim"),
    ],
)
def test_only_what_asserts_something_is_a_claim(text: str, kind: str):
    assert units(markdown_draft("d.md", text)) == [(text, kind)]


def test_a_plain_text_draft_keeps_its_offsets_whatever_ends_its_lines():
    text = "First things first.\r\n\r\n- It costs 5 euros.\r\n- It is old.\r\n"
    assert units(plain_draft("d.txt", text)) == [
        ("First things first.", "claim"),
        ("It costs 5 euros.", "claim"),
        ("It is old.", "claim"),
    ]


def test_the_head_row_of_an_html_table_claims_nothing(source: Callable[..., CheckSource]):
    page = source("<html><body><table><tr><th>Year</th><th>Owner</th></tr><tr><td>1871</td><td>Ada</td></tr></table>"
                  "<p>The mill is old and it stands by the river.</p></body></html>", "page.html")  # fmt: skip
    kinds = dict(units(document_draft("page.html", page.document)))
    assert kinds["Year\tOwner"] == "heading"
    assert kinds["1871\tAda"] == "claim"


@pytest.mark.parametrize(
    "text",
    [
        "这座磨坊建于1871年。它每天磨四十吨粮食。",
        "بُنيت الطاحونة عام 1871. كانت تطحن أربعين طنا في اليوم.",
        "โรงสีสร้างขึ้นในปี 1871 โรงสีบดข้าวสี่สิบตันต่อวัน",
        "Die Mühle wurde am 3. Mai 1871 gebaut. Sie mahlte 40 Tonnen am Tag.",
    ],
)
def test_offsets_are_right_in_any_script(text: str):
    draft = markdown_draft("d.md", f"# 𝔛 {text[:4]}\n\n{text}\n")
    found = units(draft)
    assert "".join(one for one, kind in found if kind == "claim").replace(" ", "") == text.replace(" ", "")


@given(st.text(alphabet='ab .?!\n-#>|*1`"“”', max_size=120))
def test_units_are_disjoint_ordered_and_hold_every_word(text: str):
    draft = markdown_draft("d.md", text)
    found = atomise(draft, ())
    assert all(one.end <= other.start for one, other in pairwise(found))
    covered = "".join(draft.source[unit.start : unit.end] for unit in found)
    letters = [character for character in text if character in "ab"]
    assert [character for character in covered if character in "ab"] == letters
    assert all(isinstance(unit.kind, SentenceKind) for unit in found)
