"""How much of a page comes out, how much comes out that is not there, and how well the main content is told.

    python benchmarks/extraction_quality.py [--shared DIR] [--chromium PATH | --no-browser]

Thirty stored pages, ten a site, drawn at random among the pages that are no redirect stubs (seed 7) and listed in
``data/main_regions.json``, where a reader has marked the main region of each by its first and last words.

* Words: against ``document.body.innerText`` of the same bytes in Chromium, with scripts off and no subresource. Two
  differences are choices and counted apart: the content of closed ``details`` (a click opens it, and a text
  fragment does) is ours and not Chromium's; text under a well-known class such as ``visually-hidden`` is Chromium's
  as long as the sheet is not loaded, and not ours.
* Main content: precision, recall and F1 over words, for our blocks, for the page's structure alone and for
  trafilatura alone.
"""

import argparse
import json
import re
import time
import unicodedata
from collections import Counter
from pathlib import Path

from warcio.archiveiterator import ArchiveIterator

from affidavit.extract import html, main_content
from affidavit.extract.defaults import HIDING_CLASSES
from affidavit.extract.encoding import decode

HERE = Path(__file__).resolve().parent
FLAGS = (
    "--no-sandbox --headless --disable-gpu --no-first-run --disable-background-networking --disable-component-update "
    "--disable-sync"
)
WORD = re.compile(r"\w+")
UNSEEN = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
Stored = dict[str, tuple[str, bytes]]


def words(text: str) -> Counter[str]:
    """The words of a text, without regard to case: a style sheet may have changed it."""
    return Counter(WORD.findall(UNSEEN.sub("", unicodedata.normalize("NFC", text)).lower()))


def stored(folder: Path, wanted: set[str]) -> Stored:
    """Content type and body of the wanted pages."""
    found: Stored = {}
    for path in sorted(folder.glob("*.warc.gz")):
        with path.open("rb") as stream:
            for record in ArchiveIterator(stream):
                url = record.rec_headers.get_header("WARC-Target-URI")
                if record.rec_type == "response" and url in wanted:
                    found[url] = (record.http_headers.get_header("content-type"), record.content_stream().read())
    return found


def shown(pages: Stored, chromium: str) -> dict[str, tuple[str, str, str]]:
    """URL to the page's text in Chromium, that of its closed ``details``, and that under the well-known classes."""
    from playwright.sync_api import sync_playwright  # late: not needed without a browser

    texts: dict[str, tuple[str, str, str]] = {}
    names = ",".join(f".{name}" for name in sorted(HIDING_CLASSES))
    script = f"""() => [document.body.innerText,
        [...document.querySelectorAll('details:not([open])')].map(e => {{
            const before = e.innerText; e.open = true; const after = e.innerText; e.open = false;
            return after.slice(before.length) }}).join('\\n'),
        [...document.querySelectorAll('{names}')].map(e => e.innerText).join('\\n')]"""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS.split())
        tab = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
        for url, (content_type, body) in pages.items():
            headers = {"content-type": content_type, "content-security-policy": "script-src 'none'"}

            def answer(route, request, url=url, body=body, headers=headers):
                if request.url == url:
                    route.fulfill(status=200, body=body, headers=headers)
                else:
                    route.abort()

            tab.unroute_all()
            tab.route("**/*", answer)
            tab.goto(url, wait_until="domcontentloaded")
            texts[url] = tuple(tab.evaluate(script))
        browser.close()
    return texts


def region(text: str, first: str, last: str) -> tuple[int, int]:
    """Where the marked region lies. White space in the marks matches any."""
    start = re.search(r"\s+".join(map(re.escape, first.split())), text)
    ends = list(re.finditer(r"\s+".join(map(re.escape, last.split())), text))
    if start is None or not ends:
        raise SystemExit(f"marks not found: {first!r} … {last!r}")
    return start.start(), ends[-1].end()


def marked(text: str, entry: dict) -> Counter[str]:
    """The words of the main region, without the parts marked as not belonging."""
    start, end = region(text, entry["first"], entry["last"])
    inside = words(text[start:end])
    for first, last in entry["without"]:
        begin = text.index(first, start)
        stop = text.index(last, begin) + len(last)
        inside -= words(text[begin:stop])
    return inside


def scores(found: Counter[str], truth: Counter[str]) -> tuple[int, int, int]:
    """Words right, found and true."""
    return sum((found & truth).values()), sum(found.values()), sum(truth.values())


def line(name: str, counts: list[tuple[int, int, int]]) -> str:
    right, found, true = (sum(column) for column in zip(*counts, strict=True))
    precision, recall = right / found, right / true
    score = 2 * precision * recall / (precision + recall)
    return f"{name:12} precision {precision:.4f}  recall {recall:.4f}  F1 {score:.4f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--shared", type=Path, default=HERE.parent.parent / "shared")
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    parser.add_argument("--no-browser", action="store_true")
    options = parser.parse_args()
    entries = json.loads((HERE / "data" / "main_regions.json").read_text("utf-8"))
    pages = stored(options.shared / "data" / "web", {entry["url"] for entry in entries})

    trees, walked, seconds = {}, {}, Counter()
    for url, (content_type, body) in pages.items():
        start = time.process_time()
        trees[url] = html.parse(decode(body, content_type).text, url)
        walked[url] = html.walk(trees[url], url)
        seconds["walk"] += time.process_time() - start
    ours, structure, alone = [], [], []
    for entry in entries:
        page, tree = walked[entry["url"]], trees[entry["url"]]
        truth = marked(page.text, entry)
        start = time.process_time()
        judged = main_content.mark(page, tree)
        seconds["main"] += time.process_time() - start
        for blocks, counts in ((judged.blocks, ours), (page.blocks, structure)):
            found = Counter()
            for block in blocks:
                if block.main:
                    found += words(page.text[block.start : block.end])
            counts.append(scores(found, truth))
        alone.append(scores(words(main_content.judgement(tree)), truth))
    print(f"{len(pages)} pages; decode, parse and walk {1000 * seconds['walk'] / len(pages):.1f} ms a page,")
    print(f"main content {1000 * seconds['main'] / len(pages):.1f} ms a page")
    print(line("ours", ours), line("structure", structure), line("trafilatura", alone), sep="\n")
    if not options.no_browser:
        compare(pages, walked, options.chromium)


def compare(pages: Stored, walked: dict, chromium: str) -> None:
    """Print words lost and invented against Chromium."""
    totals: Counter[str] = Counter()
    for url, (text, closed, named) in shown(pages, chromium).items():
        ours, theirs = words(walked[url].text), words(text)
        lost, invented = theirs - ours, ours - theirs
        totals["shown"] += theirs.total()
        totals["lost"] += (lost - words(named)).total()
        totals["lost by class name"] += (lost & words(named)).total()
        totals["invented"] += (invented - words(closed)).total()
        totals["in closed details"] += (invented & words(closed)).total()
        for name, difference in (("lost", lost - words(named)), ("invented", invented - words(closed))):
            if difference:
                print(f"{url}: {name}: {dict(difference.most_common(8))}")
    print(", ".join(f"{name} {count}" for name, count in totals.items()))


if __name__ == "__main__":
    main()
