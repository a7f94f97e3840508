"""The walk on pages made to mislead it, and on stored pages of the web."""

import json
import re
import unicodedata
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from warcio.archiveiterator import ArchiveIterator

from affidavit.extract import html, main_content
from affidavit.extract.encoding import decode
from affidavit.extract.html import HtmlPage

# Kinds that other tests judge: their texts are dates, failures and copies.
OTHERS = frozenset({"block-page", "dates", "syndication"})
UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufe00-\ufe0f\U000e0000-\U000e0fff]"
)
# What the plain spellings of the set differ in beyond compatibility characters. Whether a locator may cross the widths
# of dashes is for the tests of the fold; here only the page's words are judged.
SPELLING = str.maketrans("“”‘’—–", "\"\"''--")
RUN = 8


def plain(text: str) -> str:
    """The set's comparison: composed, one space for any white space, nothing that cannot be seen."""
    return " ".join(UNSEEN.sub("", unicodedata.normalize("NFC", text)).split())


def respelt(text: str) -> str:
    return plain(unicodedata.normalize("NFKC", text)).translate(SPELLING)


@cache
def cases(shared: Path) -> tuple[dict[str, Any], ...]:
    manifest = (shared / "data/adversarial/dev/pages/manifest.jsonl").read_text("utf-8")
    return tuple(case for case in map(json.loads, manifest.splitlines()) if case["kind"] not in OTHERS)


def walked(shared: Path, case: dict[str, Any]) -> HtmlPage:
    body = (shared / "data/adversarial/dev/pages" / case["file"]).read_bytes()
    return html.walk(html.parse(decode(body, case["content_type"]).text, case["url"]), case["url"])


def faults(case: dict[str, Any], page: HtmlPage) -> list[str]:
    """What is wrong with the text of one case."""
    text, found = plain(page.text), []
    for quote in (case["visible_quote"], *case.get("also_visible", ())):
        if quote and plain(quote) not in text:
            found.append(f"missing: {quote}")
    if case.get("visible_quote_plain") and respelt(case["visible_quote_plain"]) not in respelt(page.text):
        found.append(f"not located: {case['visible_quote_plain']}")
    for hidden in case.get("hidden_texts", ()):
        words = plain(hidden).split()
        runs = [" ".join(words[index : index + RUN]) for index in range(max(1, len(words) - RUN + 1))]
        found += [f"hidden: {run}" for run in runs if run and run in text]
    found += [f"joined: {joined}" for joined in case.get("never_joined") or () if joined in page.text]
    flags = set(case.get("flags", ()))
    if flags - page.flags or (case["kind"] == "characters" and page.flags - flags):
        found.append(f"flags: {sorted(page.flags)}, not {sorted(flags)}")
    return found


def test_every_clear_case_is_read_as_a_reader_sees_it(shared: Path) -> None:
    clear = [case for case in cases(shared) if not case.get("debatable")]
    wrong = {case["file"]: found for case in clear if (found := faults(case, walked(shared, case)))}
    assert wrong == {}
    assert len(clear) > 100


def test_cases_open_to_debate_are_decided_on_the_cautious_side(shared: Path) -> None:
    debated = [case for case in cases(shared) if case.get("debatable")]
    assert {case["file"]: found for case in debated if (found := faults(case, walked(shared, case)))} == {}


def responses(path: Path) -> list[tuple[str, str, bytes]]:
    with path.open("rb") as stream:
        return [
            (
                record.rec_headers.get_header("WARC-Target-URI"),
                record.http_headers.get_header("content-type"),
                record.content_stream().read(),
            )
            for record in ArchiveIterator(stream)
            if record.rec_type == "response" and "html" in record.http_headers.get_header("content-type", "")
        ]


@pytest.mark.parametrize("site", ["18f.gsa.gov", "pages.nist.gov", "peps.python.org"])
def test_stored_pages_give_text_in_blocks(shared: Path, site: str) -> None:
    for url, content_type, body in islice(responses(shared / f"data/web/{site}.warc.gz"), 0, None, 9):
        page = html.walk(html.parse(decode(body, content_type).text, url), url)
        assert page.blocks or b'http-equiv="refresh"' in body.lower(), url
        assert "\n\n".join(page.text[block.start : block.end] for block in page.blocks) == page.text, url
        assert all(link.url.startswith(("http:", "https:")) for link in page.links), url


def letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text)


def test_every_quotation_of_the_golden_set_is_in_the_main_text_of_its_page(shared: Path) -> None:
    questions = (shared / "data/golden/dev/questions.jsonl").read_text("utf-8").splitlines()
    quotes = [(fact["url"], fact["quote"]) for question in map(json.loads, questions) for fact in question["facts"]]
    wanted = {url for url, _ in quotes}
    main: dict[str, str] = {}
    for path in sorted((shared / "data/web").glob("*.warc.gz")):
        for url, content_type, body in responses(path):
            if url in wanted:
                tree = html.parse(decode(body, content_type).text, url)
                page = main_content.mark(html.walk(tree, url), tree)
                main[url] = letters("".join(page.text[b.start : b.end] for b in page.blocks if b.main))
    assert [quote for url, quote in quotes if letters(quote) not in main[url]] == []
