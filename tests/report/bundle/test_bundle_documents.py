import json

import pytest

from affidavit.errors import BundleMismatch
from affidavit.ledger.canonical import canonical
from affidavit.report.bundle_documents import document_members, read_document


def test_a_document_survives_its_two_members(case) -> None:
    for document in case.answer.documents:
        (about_name, about), (text_name, text) = document_members(document)
        assert about_name == f"documents/{document.doc_id}.json"
        assert text_name == f"documents/{document.doc_id}.txt"
        assert read_document(f"documents/{document.doc_id}", about, text) == document


def test_every_field_is_guarded_by_its_type_or_by_the_way_it_is_written(case) -> None:
    document = case.answer.documents[0]
    (_, about), (_, text) = document_members(document)
    name = f"documents/{document.doc_id}"
    fields = json.loads(about)
    for field in fields:
        for value in ("", 5, [], {}, [[]], "x" * 9):
            if fields[field] == value:
                continue
            changed = canonical({**fields, field: value}).encode()
            try:
                other = read_document(name, changed, text)
            except BundleMismatch:
                continue
            assert other != document  # a title, say: what the page's bytes give decides that, later
            assert field not in ("doc_id", "text_sha256", "canonical_url", "sha256", "extractor")
        with pytest.raises(BundleMismatch):
            read_document(name, canonical({key: fields[key] for key in fields if key != field}).encode(), text)
    with pytest.raises(BundleMismatch):
        read_document(name, canonical({**fields, "more": 1}).encode(), text)


@pytest.mark.parametrize("about", [b"", b"{", b"[]", b"null", b"3", b"[" * 100_000, b"{}", b'{"doc_id":1}'])
def test_what_is_no_document_is_refused(about: bytes) -> None:
    with pytest.raises(BundleMismatch, match=r"documents/doc_x\.json"):
        read_document("documents/doc_x", about, b"text")


def test_text_that_is_not_utf_8_is_named_by_its_byte(case) -> None:
    document = case.answer.documents[0]
    (_, about), (_, text) = document_members(document)
    with pytest.raises(BundleMismatch, match=r"\.txt: byte 5: not UTF-8"):
        read_document(f"documents/{document.doc_id}", about, text[:5] + b"\xff" + text[5:])


def test_another_text_is_noticed_by_its_digest(case) -> None:
    document = case.answer.documents[0]
    (_, about), (_, text) = document_members(document)
    with pytest.raises(BundleMismatch, match=r"\.json: byte \d+: not as this document would be written"):
        read_document(f"documents/{document.doc_id}", about, text.replace(b"1918", b"1919"))
