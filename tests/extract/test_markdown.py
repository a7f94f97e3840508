"""Markdown comes out as the page it stands for."""

from affidavit.extract.markdown import read_markdown

URL = "https://trust.example.org/notes/mill.md"
TEXT = """---
title: "The mill"
author: Jane Doe
date: 2019-06-12
lang: en-GB
---
# The mill

It opened in [1945](https://x.example.org/y) and **closed** ![a picture](p.png) in 1999.
It was hard-wrapped.

> Plain but sound.

- one
- two

| Year | Visitors |
|---|---|
| 2019 | 84,909 |

```python
x = 1
```

<p style="display:none">Hidden words.</p>
<!-- a comment -->
<p>Raw words.</p>
"""


def blocks() -> list[tuple[str, str]]:
    page = read_markdown(TEXT, URL)
    return [(block.kind.value, page.text[block.start : block.end]) for block in page.blocks]


def test_blocks_have_their_kinds() -> None:
    kinds = [kind for kind, _ in blocks()]
    assert kinds[:3] == ["heading", "paragraph", "quotation"]
    assert {"list_item", "table_row", "code"} <= set(kinds)


def test_links_and_images_come_down_to_their_text() -> None:
    paragraph = blocks()[1][1]
    assert paragraph.startswith("It opened in 1945 and closed")
    assert "http" not in paragraph
    assert "picture" not in paragraph
    assert [link.url for link in read_markdown(TEXT, URL).links] == ["https://x.example.org/y"]


def test_raw_html_is_subject_to_the_same_rules_of_visibility() -> None:
    text = read_markdown(TEXT, URL).text
    assert "Raw words." in text
    assert "Hidden words" not in text
    assert "a comment" not in text


def test_a_table_row_knows_its_column_heads() -> None:
    page = read_markdown(TEXT, URL)
    assert any(block.heads == ("Year", "Visitors") for block in page.blocks)


def test_front_matter_gives_the_fields_and_is_no_text() -> None:
    page = read_markdown(TEXT, URL)
    assert (page.title, page.author, page.published, page.language) == ("The mill", "Jane Doe", "2019-06-12", "en-GB")
    assert "lang:" not in page.text


def test_a_rule_at_the_top_is_no_front_matter() -> None:
    assert "words" in read_markdown("---\n\nwords\n\nmore", URL).text
