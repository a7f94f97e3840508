"""A document as two members of a bundle: its text, readable by anybody, and everything else about it as JSON."""

import dataclasses
import json
from functools import cache
from typing import TYPE_CHECKING

from affidavit.errors import BundleMismatch, IntegrityError
from affidavit.evidence.document import Document
from affidavit.ledger.canonical import canonical
from affidavit.report.bundle_container import first_different_byte

if TYPE_CHECKING:
    from pydantic import TypeAdapter


def document_members(document: Document) -> tuple[tuple[str, bytes], tuple[str, bytes]]:
    """The JSON member and the text member, each a name and its bytes."""
    fields = {field.name: getattr(document, field.name) for field in dataclasses.fields(document)}
    fields |= {name: [dataclasses.asdict(item) for item in fields[name]] for name in ("blocks", "links")}
    del fields["text"]
    about = {"doc_id": document.doc_id, "text_sha256": document.text_sha256, **fields}
    name = f"documents/{document.doc_id}"
    return (f"{name}.json", canonical(about).encode("ascii")), (f"{name}.txt", document.text.encode("utf-8"))


def read_document(name: str, about: bytes, text: bytes) -> Document:
    """The document of two members, which must be exactly what it would be written as. Raises BundleMismatch."""
    from pydantic import ValidationError  # late: 40 ms, and only a reader of bundles needs it

    try:
        fields = json.loads(about)
        for derived in ("doc_id", "text_sha256"):
            fields.pop(derived)
        fields["text"] = text.decode("utf-8")
        document = _shape().validate_python(fields)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "the whole"
        raise BundleMismatch(f"{name}.json: {place}: {first['msg']}") from error
    except UnicodeDecodeError as error:
        raise BundleMismatch(f"{name}.txt: byte {error.start}: not UTF-8") from error
    except (IntegrityError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise BundleMismatch(f"{name}.json: not the JSON of a document: {str(error)[:200]}") from error
    for (member, written), found in zip(document_members(document), (about, text), strict=True):
        if not member.startswith(f"{name}."):
            raise BundleMismatch(f"{name}.json: byte 0: these are the fields of {document.doc_id}")
        if written != found:
            at = first_different_byte(found, written)
            raise BundleMismatch(f"{member}: byte {at}: not as this document would be written")
    return document


@cache
def _shape() -> "TypeAdapter[Document]":
    """Made once: it takes longer than what it is used for."""
    from pydantic import TypeAdapter  # late, as above

    return TypeAdapter(Document)
