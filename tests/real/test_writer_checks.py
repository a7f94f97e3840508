"""The checks of the writer on real pages and on the labelled drafts: what is true of its own page is never blocked."""

import json
from datetime import date

import pytest

from affidavit.egress.archive import open_archive
from affidavit.errors import PageFailure
from affidavit.evidence.document import BlockKind
from affidavit.evidence.fact import Category, Fact, FactState
from affidavit.evidence.sentences import sentences
from affidavit.extract import extract
from affidavit.gates.numbers import mentions
from affidavit.write.checks import check_draft
from affidavit.write.memory import Memory

DAY = date(2025, 2, 7)
"""On which the pages were fetched."""
SITES = ("18f.gsa.gov", "pages.nist.gov", "peps.python.org")
LEFT_OUT = (BlockKind.NAVIGATION, BlockKind.CODE)


@pytest.fixture(scope="module")
def archives(shared):
    return [open_archive(shared / "data" / "web" / f"{site}.warc.gz") for site in SITES]


def page(archives, url):
    for archive in archives:
        try:
            return extract(archive.get(url))
        except PageFailure:
            continue
    raise AssertionError(f"{url} is in no archive")


def register(documents):
    """Every sentence with a figure as a fact."""
    told = []
    for document in documents:
        for block in document.blocks:
            if block.kind not in LEFT_OUT:
                text = document.text[block.start : block.end].replace("\n", " ")
                told += [text[start:end].strip() for start, end in sentences(text, "en")]
    found = []
    for text in dict.fromkeys(told):
        figures = [one for one in mentions(text) if one.is_figure]
        if figures:
            subject = next((one.subject for one in figures if one.subject), "the page")
            found.append(
                Fact(
                    fact_id=f"f{len(found)}",
                    text=text,
                    category=Category.NUMBERS,
                    subject=subject,
                    state=FactState.APPROVED,
                    decided_by="a reader",
                    added_by="a reader",
                )
            )
    return found


def check(draft, facts, *allowed):
    return check_draft(draft, facts=facts, rejected=(), allowed=allowed, memory=Memory(), max_words=None, today=DAY)


def as_draft(document):
    marks = {BlockKind.HEADING: "## ", BlockKind.LIST_ITEM: "- ", BlockKind.QUOTATION: "> "}
    parts = []
    for block in document.blocks:
        text = document.text[block.start : block.end].replace("\n", " ").strip()
        if text and block.kind not in LEFT_OUT:
            parts.append(marks.get(block.kind, "") + "".join(f"\\{one}" if one in "*_`<" else one for one in text))
    return "\n\n".join(parts)


def test_no_page_is_blocked_or_mismatched_against_its_own_sentences(archives):
    archive = archives[0]
    read = 0
    for url in archive.urls()[::6]:
        try:
            document = extract(archive.get(url))
        except PageFailure:
            continue
        facts = register([document])
        if len(facts) < 3 or len(document.text) > 15_000:
            continue
        read += 1
        found = check(as_draft(document), facts, document.title or "")
        wrong = [one for one in found if one.blocks or one.code == "subject_mismatch"]
        assert wrong == [], url
    assert read > 30


def test_no_sourced_sentence_of_a_labelled_draft_is_blocked(archives, shared):
    judged = mismatched = 0
    for path in sorted((shared / "data" / "golden" / "dev" / "drafts").glob("*.json")):
        labels = json.loads(path.read_text(encoding="utf-8"))
        draft = path.with_suffix(".md").read_text(encoding="utf-8")
        facts = register([page(archives, url) for url in labels["sources"]])
        found = check(draft, facts, draft.partition("\n")[0])
        for sentence in labels["sentences"]:
            start = draft.find(sentence["text"])
            here = [one for one in found if start <= one.start < start + len(sentence["text"])]
            if sentence["expected"] == "sourced" and start >= 0 and any(map(str.isdigit, sentence["text"])):
                judged += 1
                assert [one.message for one in here if one.blocks] == [], sentence["text"]
                mismatched += any(one.code == "subject_mismatch" for one in here)
    assert judged >= 25
    assert mismatched <= 4  # docs/measured.md says which
