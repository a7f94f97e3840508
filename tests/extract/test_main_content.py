"""Main content: the judgement of another library, in our words."""

from dataclasses import replace

from affidavit.extract import html, main_content
from affidavit.extract.html import HtmlPage

URL = "https://example.com/post"
SENTENCE = "The {} harbour bridge was repaired in {} after the east stair had been moved and new drains were laid. "
STORY = "".join(f"<p>{SENTENCE.format(name, 1900 + index) * 2}</p>" for index, name in enumerate("ABCDEFGH"))
QUOTE = "<blockquote><p>We will not close it, said the mayor.</p></blockquote>"
FIGURE = "<figure><img src=a.png><figcaption>The bridge in 1911.</figcaption></figure>"
MENU = "<div class=links>" + "".join(f"<a href=/{name}>Section {name}</a> " for name in "abcdef") + "</div>"


def judged(body: str) -> HtmlPage:
    tree = html.parse(f"<!DOCTYPE html><html><head><title>Bridges</title></head><body>{body}</body></html>", URL)
    return main_content.mark(html.walk(tree, URL), tree)


def main_text(page: HtmlPage) -> str:
    return "\n\n".join(page.text[block.start : block.end] for block in page.blocks if block.main)


def test_the_story_is_main_and_what_stands_around_it_is_not() -> None:
    page = judged(f"<div>{MENU}</div><div><h1>Bridges of the coast</h1>{STORY}</div><div class=footer>{MENU}</div>")
    text = main_text(page)
    assert text.startswith("Bridges of the coast")
    assert "The H harbour bridge was repaired in 1907" in text
    assert "Section" not in text


def test_quotations_and_captions_between_main_paragraphs_are_main() -> None:
    text = main_text(judged(f"<article><h1>Bridges</h1>{STORY}{QUOTE}{FIGURE}{STORY}</article>"))
    assert "We will not close it, said the mayor." in text
    assert "The bridge in 1911." in text


def test_only_the_judgement_changes() -> None:
    tree = html.parse(f"<main><h1>Bridges</h1>{STORY}{QUOTE}</main><footer>{MENU}</footer>", URL)
    before = html.walk(tree, URL)
    after = main_content.mark(before, tree)
    assert replace(after, blocks=before.blocks) == before
    unjudged = [[replace(block, main=True) for block in page.blocks] for page in (before, after)]
    assert unjudged[0] == unjudged[1]
    assert html.walk(tree, URL) == before


def test_where_nothing_is_found_the_structure_decides() -> None:
    page = judged("<header>Site</header><main><p>Closed today.</p></main>")
    assert main_text(page) == "Closed today."


def test_a_page_without_text_stays_empty() -> None:
    assert judged("").blocks == ()
