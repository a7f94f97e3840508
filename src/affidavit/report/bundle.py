"""An answer with everything it stands on, in one file that anybody can check again: the `.affidavit` bundle.

It holds the answer, the documents it quotes, the pages they were read from as a web archive, the run's events, and
a manifest of digests; `verify_bundle` needs nothing else. The bytes follow from what is put in: no clock, no order
of a dictionary, so the same run gives the same file.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from affidavit.errors import IntegrityError
from affidavit.evidence.answer import Answer
from affidavit.evidence.document import Fetched
from affidavit.ledger.canonical import canonical
from affidavit.ledger.event import FINISHED, PUBLISHED, Event, verify_chain
from affidavit.ledger.refusal import refused
from affidavit.ledger.whole_file import write_whole
from affidavit.report.as_json import answer_json
from affidavit.report.bundle_container import SIGNATURE, assemble, pack, write_container
from affidavit.report.bundle_documents import document_members
from affidavit.report.bundle_pages import PAGES, write_pages
from affidavit.report.bundle_signature import public_key_of, sign
from affidavit.version import __version__

FORMAT = "affidavit-bundle"
FORMAT_VERSION = 1
ANSWER = "answer.json"
EVENTS = "events.jsonl"


def write_bundle(
    path: Path,
    answer: Answer,
    pages: Mapping[str, Fetched],
    events: Sequence[Event],
    *,
    signing_key: bytes | None = None,
) -> None:
    """Write the bundle of `answer` to `path`, whole or not at all.

    `pages` are the responses by doc_id, at least those of the answer's documents; others are left out, because
    nothing in the answer points to them. `events` are the run's, all of them, to its end in `answer`.
    `signing_key` is an Ed25519 private key in PEM. Raises IntegrityError for parts that are not of one run,
    StorageError, UserError for a key that is none, MissingExtra.
    """
    write = bundle_bytes(answer, pages, events, signing_key=signing_key)
    try:
        write_whole(path, write)
    except OSError as error:
        raise refused(path, "write the bundle", error) from error


def bundle_bytes(
    answer: Answer, pages: Mapping[str, Fetched], events: Sequence[Event], *, signing_key: bytes | None = None
) -> bytes:
    """The bytes of the bundle. Raises as `write_bundle` does."""
    _check_events(answer, events)
    members: list[tuple[str, bytes]] = [(ANSWER, canonical(answer_json(answer)).encode("ascii"))]
    by_id = {document.doc_id: document for document in answer.documents}
    if len(by_id) != len(answer.documents):
        raise IntegrityError(f"{answer.run_id}: the answer holds a document twice")
    for doc_id in sorted(by_id):
        members += document_members(by_id[doc_id])
    members.append((EVENTS, b"".join(canonical(event.as_json()).encode("ascii") + b"\n" for event in events)))
    members.append((PAGES, write_pages([by_id[doc_id] for doc_id in sorted(by_id)], pages)))
    facts = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "product": __version__,
        "run_id": answer.run_id,
        "signer": public_key_of(signing_key) if signing_key is not None else None,
    }
    manifest, packed = write_container(facts, members)
    if signing_key is not None:
        packed.append(pack(SIGNATURE, sign(manifest, signing_key)))
    return assemble(packed)


def _check_events(answer: Answer, events: Sequence[Event]) -> None:
    """A bundle is only as good as its chain: what no event vouches for, anybody could have written in."""
    verify_chain(events, answer.run_id)
    if events[-1].type != FINISHED or [event.type for event in events].count(PUBLISHED) != 1:
        raise IntegrityError(f"{answer.run_id}: its events do not hold one answer and the run's end")
    product = events[0].payload.get("product")
    if product != __version__:
        raise IntegrityError(
            f"{answer.run_id} was begun by affidavit {product!r:.40}, and this is {__version__}: the version that made "
            "a run writes its bundle"
        )
