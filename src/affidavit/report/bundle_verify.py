"""Checks an evidence bundle again, with no network and no model.

    bytes ─ every byte as written ─ signature ─ chain ─ pages ─ extract again ─ spans ─ gates again ─ answer ─ events

Digests only show that a file is whole. What an altered bundle cannot fake without building everything anew is the
derivation: the text comes out of the page's bytes again, every span is read again, every gate judges again, the
answer is written again from what was read, and the run's chain of events ends in that answer. The first place that
disagrees raises BundleMismatch. The chain is read first: it says which version made the run, and only what another
version made may differ in what it shows. What this machine cannot check (an extractor of another version) is said,
and is neither a pass nor a refutation.
"""

import dataclasses
import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from affidavit.errors import (
    BundleMismatch,
    FailureKind,
    IntegrityError,
    MissingExtra,
    PageFailure,
    UserError,
)
from affidavit.evidence.answer import Answer, VerifiedClaim
from affidavit.evidence.claim import Label, Verdict
from affidavit.evidence.document import Document, Fetched
from affidavit.extract import extract as extract_here
from affidavit.ledger.canonical import canonical, plain
from affidavit.ledger.event import FINISHED, PUBLISHED, Event, answer_payload, event_from_json, verify_chain
from affidavit.ledger.redaction import Redactor
from affidavit.ledger.refusal import refused
from affidavit.report.as_json import answer_from_json, answer_json, first_difference, parse_answer
from affidavit.report.bundle import ANSWER, EVENTS, FORMAT, FORMAT_VERSION
from affidavit.report.bundle_container import LARGEST_FILE, Container, first_different_byte, open_container
from affidavit.report.bundle_documents import read_document
from affidavit.report.bundle_pages import PAGES, read_pages
from affidavit.report.bundle_report import BundleReport, Check
from affidavit.report.bundle_signature import check_signature
from affidavit.verify.pair import pair
from affidavit.verify.verbatim import CARD, VerbatimVerifier
from affidavit.version import __version__

Extract = Callable[[Fetched], Document]

_FACTS = {"format": str, "format_version": int, "product": str, "run_id": str, "members": list}
_VERSION = re.compile(r"[0-9]{1,8}(\.[0-9]{1,8}){0,4}((a|b|rc)[0-9]{1,4})?(\.(post|dev)[0-9]{1,4}){0,2}\Z")
"""A plain version (PEP 440 without its local part): it is printed, and named in a command to type."""
_RUN_ID = re.compile(r"run_[0-9a-z_]{1,40}\Z")
_NEWEST_FORMAT = 9_999
_NO_VERDICT_ON_THE_PAGE = (FailureKind.TIMEOUT, FailureKind.CRASHED, FailureKind.TOO_LARGE)
_SHOWN_ONLY = (".prefix:", ".suffix:", ".text_fragment_url:")
"""Fields of the answer that a newer product may write otherwise for the same span."""

ORIGIN = (
    "whether the pages said this when they were read: that is the word of whoever made the bundle; "
    "the links open the pages as they are now"
)
UNSIGNED = (
    "who made the bundle: it is not signed. Somebody who builds a whole bundle anew, pages and events included, "
    "can only be told by a signature"
)


def verify_bundle(path: Path, public_key: bytes | None = None, *, extract: Extract = extract_here) -> BundleReport:
    """Check the bundle at `path` and report what was and was not checked.

    With `public_key` (Ed25519, PEM) the bundle must be signed by that key. `extract` reads a page again; give one
    that can be killed where bundles come from strangers. Raises BundleMismatch at the first disagreement, UserError
    for a file or a key that is not there, StorageError.
    """
    return verified_pages(path, public_key, extract=extract)[0]


def verified_pages(
    path: Path, public_key: bytes | None = None, *, extract: Extract = extract_here
) -> tuple[BundleReport, tuple[Fetched, ...]]:
    """What `verify_bundle` reports, and the stored pages, of the very bytes that were checked. No pages of a format
    that this version does not know. Raises as `verify_bundle` does."""
    raw = _read(path)
    try:
        verification = _Verification(open_container(raw), public_key, extract)
        return verification.report(), verification.pages
    except BundleMismatch as error:
        raise BundleMismatch(f"{path}: {error}") from error


def _read(path: Path) -> bytes:
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise BundleMismatch(f"{path}: over the limit of {LARGEST_FILE} bytes")
        return path.read_bytes()
    except FileNotFoundError as error:
        raise UserError(f"{path}: no such file") from error
    except OSError as error:
        raise refused(path, "read the bundle", error) from error


class _Verification:
    """One check of one opened bundle, step by step; each step needs what the one before made sure of."""

    def __init__(self, container: Container, public_key: bytes | None, extract: Extract) -> None:
        self._container = container
        self._public_key = public_key
        self._extract = extract
        self._checks: list[Check] = []
        self._unable: list[str] = []
        self._not_checked: list[str] = [ORIGIN]
        self._signer: str | None = None
        self._known = True
        self._same_product = False
        self.pages: tuple[Fetched, ...] = ()

    def report(self) -> BundleReport:
        members = self._container.members
        self._note("bytes", self._container.size, "every byte of the file is as it was written")
        self._note("members", len(members), "each member hashes to what the manifest says, as stored and as unpacked")
        self._facts()
        self._signature()
        if self._known:
            events = self._chain()
            documents = self._documents()
            pages = self._pages(documents)
            self._extraction(documents, pages)
            self.pages = tuple(pages.values())
            answer = self._answer(documents)
            self._verdicts(answer)
            self._events(events, answer)
        return BundleReport(
            run_id=str(self._container.manifest["run_id"]),
            product=str(self._container.manifest["product"]),
            signer=self._signer,
            checks=tuple(self._checks),
            could_not_check=tuple(self._unable),
            not_checked=tuple(self._not_checked),
        )

    def _note(self, name: str, count: int, detail: str, *, unable: list[str] | None = None) -> None:
        """List a check. What it was `unable` to check makes it neither good nor bad."""
        self._checks.append(Check(name, count, None if unable else True, detail))
        self._unable += unable or []

    def _facts(self) -> None:
        manifest = self._container.manifest
        if manifest.get("format") != FORMAT:
            raise BundleMismatch(f"manifest.json: format is {manifest.get('format')!r}, not {FORMAT!r}")
        for name, kind in _FACTS.items():
            if type(manifest.get(name)) is not kind:
                raise BundleMismatch(f"manifest.json: {name} is missing or is not {kind.__name__}")
        version, product, run_id = manifest["format_version"], manifest["product"], manifest["run_id"]
        if not 1 <= version <= _NEWEST_FORMAT:
            raise BundleMismatch(f"manifest.json: format_version is not a number from 1 to {_NEWEST_FORMAT}")
        for name, value, shape in (("product", product, _VERSION), ("run_id", run_id, _RUN_ID)):
            if shape.match(value) is None:
                raise BundleMismatch(f"manifest.json: {name} is {value!r:.80}, which no product writes")
        self._same_product = product == __version__
        if version != FORMAT_VERSION:
            self._known = False
            self._unable.append(
                f"what the bundle holds: it is of format {version}, and Affidavit {__version__} knows format "
                f"{FORMAT_VERSION}; install affidavit=={product}"
            )
        elif set(manifest) != {*_FACTS, "signer"}:
            raise BundleMismatch(f"manifest.json: its fields are not {', '.join(sorted({*_FACTS, 'signer'}))}")

    def _signature(self) -> None:
        container = self._container
        signer = container.manifest.get("signer")
        if container.signature is None:
            if signer is not None:
                raise BundleMismatch(f"signature.json: missing, and the manifest says that {signer!r:.80} signed")
            if self._public_key is not None:
                raise BundleMismatch("signature.json: missing; the bundle is not signed, by the key given or by any")
            self._not_checked.append(UNSIGNED)
            return
        try:
            self._signer = check_signature(container.manifest_bytes, container.signature, signer, self._public_key)
        except MissingExtra as error:
            self._note("signature", 1, f"by {signer}", unable=[f"the signature: {error}"])
            return
        self._note("signature", 1, f"over the manifest, by {self._signer}")
        if self._public_key is None:
            self._not_checked.append(
                f"whose key {self._signer} is: compare it with one you trust, or give that one with --key"
            )

    def _chain(self) -> list[Event]:
        """The run's events, unbroken from its beginning to its end, by the product that the manifest names."""
        manifest = self._container.manifest
        events = _read_events(self._container.members.get(EVENTS, b""))
        try:
            verify_chain(events, manifest["run_id"])
        except IntegrityError as error:
            raise BundleMismatch(f"{EVENTS}: {error}") from error
        begun = events[0].payload.get("product")
        if begun != manifest["product"]:
            raise BundleMismatch(
                f"manifest.json: product is {manifest['product']}, and {EVENTS} says that {begun!r:.80} made the run"
            )
        if events[-1].type != FINISHED:
            raise BundleMismatch(
                f"{EVENTS}: line {len(events)}: the events stop before the run's end; some are cut off"
            )
        return events

    def _documents(self) -> list[Document]:
        names = sorted({name.rpartition(".")[0] for name in self._container.members if name.startswith("documents/")})
        members = self._container.members
        expected = [ANSWER, *(f"{name}{end}" for name in names for end in (".json", ".txt")), EVENTS, PAGES]
        if list(members) != expected:
            at = next((i for i, (a, b) in enumerate(zip(members, expected, strict=False)) if a != b), len(members))
            raise BundleMismatch(f"manifest.json: members[{at}] should be {[*expected, 'no more'][at]}")
        documents = [read_document(name, members[f"{name}.json"], members[f"{name}.txt"]) for name in names]
        self._note("documents", len(documents), "ids are the digests of address, bytes and extractor")
        return documents

    def _pages(self, documents: list[Document]) -> dict[str, Fetched]:
        pages = read_pages(self._container.members[PAGES], documents)
        self._note("pages", len(pages), "each WARC record is its document's: address, time, headers, digest of bytes")
        return pages

    def _extraction(self, documents: list[Document], pages: Mapping[str, Fetched]) -> None:
        unable: list[str] = []
        for document in documents:
            said = self._extract_again(document, pages[document.doc_id])
            if said is not None:
                unable.append(said)
        self._note("extraction", len(documents) - len(unable), "the pages' bytes give the same text", unable=unable)

    def _extract_again(self, stored: Document, page: Fetched) -> str | None:
        """Why extraction could not be checked, or None when it gave the same. Raises BundleMismatch."""
        where = f"documents/{stored.doc_id}"
        try:
            fresh = self._extract(page)
        except PageFailure as failure:
            if failure.kind in _NO_VERDICT_ON_THE_PAGE:
                return f"the text of {stored.doc_id}: {failure}"
            raise BundleMismatch(f"{where}.txt: the page in {PAGES} is no evidence: {failure}") from failure
        except Exception as error:  # noqa: BLE001 - a parser that breaks has neither confirmed nor refuted the page
            return f"the text of {stored.doc_id}: reading the page again failed: {type(error).__name__}: {error}"
        if fresh.extractor != stored.extractor:
            return (
                f"the text of {stored.doc_id}: it was made by {stored.extractor}, and {fresh.extractor} is installed; "
                f"install affidavit=={self._container.manifest['product']}"
            )
        if fresh.text != stored.text:
            at = first_different_byte(stored.text.encode(), fresh.text.encode())
            raise BundleMismatch(f"{where}.txt: byte {at}: the page's bytes give another text from here on")
        for field in dataclasses.fields(Document):
            if getattr(fresh, field.name) != getattr(stored, field.name):
                said = f"{where}.json: {field.name}: not what the page's bytes give"
                if self._same_product or field.name in ("blocks", "breaks"):
                    raise BundleMismatch(said)
                return f"{said}; it was written by Affidavit {self._container.manifest['product']}"
        return None

    def _answer(self, documents: list[Document]) -> Answer:
        """The answer, read back and written again: whatever it only repeats must come out the same."""
        raw = self._container.members[ANSWER]
        try:
            shown = parse_answer(raw)
            answer = answer_from_json(shown, documents)
            again = answer_json(answer)
            written = canonical(shown).encode("ascii")
        except (IntegrityError, ValueError, TypeError) as error:
            raise BundleMismatch(f"{ANSWER}: {error}") from error
        if written != raw:
            raise BundleMismatch(f"{ANSWER}: byte {first_different_byte(raw, written)}: not canonical JSON")
        if len(answer.documents) != len(documents):
            raise BundleMismatch(f"{ANSWER}: documents: {len(answer.documents)}; the bundle has {len(documents)}")
        if answer.run_id != self._container.manifest["run_id"]:
            raise BundleMismatch(f"manifest.json: run_id is not that of the answer, {answer.run_id}")
        unable: list[str] = []
        said = first_difference(shown, again)
        if said is not None:
            if self._same_product or not any(name in said for name in _SHOWN_ONLY):
                raise BundleMismatch(f"{ANSWER}: {said}")
            unable.append(f"{ANSWER}: {said}, as Affidavit {__version__} writes it")
        self._note("spans", len(answer.spans()), "each read again from its document, character by character")
        self._note("answer", 1, "written again from what was read, it is the same", unable=unable)
        return answer

    def _verdicts(self, answer: Answer) -> None:
        """Every deterministic gate, again. What a model said cannot be derived again; what a gate forbids can."""
        unable: list[str] = []
        taken: dict[str, int] = {}
        count = 0
        for verified in (*answer.claims, *answer.partial):
            for verdict, again in _judged_again(verified, answer):
                name, _, version = verdict.verifier.partition("/")
                by_gate = name == CARD.name
                if by_gate and version != CARD.version:
                    unable.append(
                        f"{verified.claim.claim_id}: judged by {verdict.verifier}; {CARD.version} is installed"
                    )
                    continue
                count += 1
                forbidden = again.label is Label.NOT_SUPPORTED and verdict.label is not Label.NOT_SUPPORTED
                if forbidden or (by_gate and again.label is not verdict.label):
                    said = (
                        f"{verified.claim.claim_id} beside {verdict.span_id}: {verdict.label.value} in the bundle, "
                        f"{again.label.value} when judged again ({again.reason})"
                    )
                    if self._same_product:
                        raise BundleMismatch(f"{ANSWER}: {said}")
                    unable.append(said)
                if not by_gate:
                    taken[verdict.verifier] = taken.get(verdict.verifier, 0) + 1
        if answer.verifier.name == CARD.name and answer.verifier.version == CARD.version and answer.verifier != CARD:
            raise BundleMismatch(f"{ANSWER}: verifier: not the card of {CARD.name}/{CARD.version}")
        for verifier, number in taken.items():
            self._not_checked.append(
                f"{number} verdicts of {verifier}: a model's judgement is recorded, not derived again"
            )
        self._note(
            "verdicts", count, "every deterministic gate judged each published claim and span again", unable=unable
        )

    def _events(self, events: Sequence[Event], answer: Answer) -> None:
        """The chain against the answer: it begins with this question, and ends in this answer and its state."""
        answers = [event for event in events if event.type == PUBLISHED]
        if len(answers) != 1:
            raise BundleMismatch(f"{EVENTS}: {len(answers)} events say what the answer was, and one must")
        _same_event(events[0], {"question": answer.question})
        _same_event(answers[0], answer_payload(answer))
        _same_event(events[-1], {"state": answer.state})
        self._note("events", len(events), "one unbroken chain, from this question to this answer")


def _judged_again(verified: VerifiedClaim, answer: Answer) -> list[tuple[Verdict, Verdict]]:
    verifier = VerbatimVerifier()
    return [
        (verdict, verifier.judge(pair(verified.claim.text, span, answer.document(span.doc_id))))
        for span, verdict in zip(verified.claim.spans, verified.verdicts, strict=True)
    ]


def _read_events(raw: bytes) -> list[Event]:
    events: list[Event] = []
    for number, line in enumerate(raw.splitlines(keepends=True), start=1):
        where = f"{EVENTS}: line {number}"
        try:
            data = json.loads(line)
            written = canonical(data).encode("ascii") + b"\n"
            event = event_from_json(data, where)
        except IntegrityError as error:
            raise BundleMismatch(str(error)) from error
        except (ValueError, TypeError, AttributeError, RecursionError) as error:
            raise BundleMismatch(f"{where}: not the JSON of an event: {str(error)[:200]}") from error
        if written != line:
            raise BundleMismatch(f"{where}: byte {first_different_byte(line, written)}: not canonical JSON")
        events.append(event)
    return events


def _same_event(event: Event, expected: Mapping[str, object]) -> None:
    """Compare what an event says with what the answer says. The ledger redacts, so the answer's is redacted too."""
    redactor = Redactor()
    for name, value in expected.items():
        right = redactor.value(plain(value))
        found = event.payload.get(name)
        if found != right and not (isinstance(found, str) and "[redacted:" in found):
            raise BundleMismatch(f"{EVENTS}: line {event.seq} ({event.type}): {name} is not that of {ANSWER}")
