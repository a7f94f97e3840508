"""Drafts that are pages: what their blocks become."""

from collections.abc import Callable

from affidavit.check import document_draft
from affidavit.check.draft import Draft
from affidavit.evidence.document import Fetched
from affidavit.extract import extract

TABLE = (
    "<html lang=en><main><p>The harbour has three piers, which were opened one after the other by the town.</p>"
    "<table>{}<tr><td>North</td><td>1902</td></tr><tr><td>Pier</td><td>Year</td></tr></table></main></html>"
)


def rows(respond: Callable[..., Fetched], heads: str) -> list[tuple[str, bool, tuple[str, ...]]]:
    draft: Draft = document_draft("draft.html", extract(respond(TABLE.format(heads))))
    return [
        (draft.text[one.start : one.end], one.head_row, one.heads)
        for one in draft.blocks
        if "\t" in draft.text[one.start : one.end]
    ]


def test_a_row_of_heads_is_one_whatever_the_extractor_calls_it(respond: Callable[..., Fetched]):
    found = rows(respond, "<tr><th>Pier</th><th>Year</th></tr>")
    assert [(text, head) for text, head, _ in found] == [
        ("Pier\tYear", True),
        ("North\t1902", False),
        ("Pier\tYear", False),
    ]


def test_rows_without_heads_are_all_data(respond: Callable[..., Fetched]):
    found = rows(respond, "")
    assert [head for _, head, _ in found] == [False, False]


def test_columns_that_have_no_name_make_no_row_a_head(respond: Callable[..., Fetched]):
    found = rows(respond, "<tr><th></th><th></th></tr>")
    assert not any(head for _, head, _ in found)
