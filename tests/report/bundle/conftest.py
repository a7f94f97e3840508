"""A small run over two pages made here: an answer, its pages, its events, and its bundle."""

from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from affidavit.evidence.answer import Answer, Conflict, Dropped, Gap, GapKind, Side, Source, Tried, VerifiedClaim
from affidavit.evidence.claim import Claim, Label
from affidavit.evidence.document import Document, Fetched
from affidavit.evidence.span import Span
from affidavit.extract import extract
from affidavit.ledger import Event, Ledger
from affidavit.ledger.canonical import canonical
from affidavit.report.bundle import bundle_bytes
from affidavit.report.bundle_container import assemble, open_container, write_container
from affidavit.verify.pair import pair
from affidavit.verify.verbatim import CARD, VerbatimVerifier

REPORT = b"""The viaduct opened in 1918. It carried 26,100 people a day in the winter count of 2017.

The bond for the viaduct was paid off in 1949. The east stair was moved in 1992.
"""

COUNTS = """<!doctype html>
<html lang="en"><head><title>Winter counts</title><meta charset="utf-8"></head><body><main>
<h1>Winter counts</h1>
<p>In the winter of 2017 the count on the viaduct was 24,800 people a day. Counts are taken by hand, at the east
stair, on three weekdays in January — in all weathers.</p>
<p>They may be off by five per cent. A counter stands on each platform from seven in the morning until seven in the
evening, and the two sheets are compared before they are sent to the council.</p>
</main></body></html>
""".encode()


@dataclass(frozen=True)
class Case:
    answer: Answer
    pages: dict[str, Fetched]
    events: tuple[Event, ...]


def fetched(url: str, media_type: str, body: bytes) -> Fetched:
    return Fetched(
        requested_url=url.replace("https://", "http://"),
        final_url=url,
        retrieved_at="2026-03-04T05:06:07Z",
        status=200,
        headers=(
            ("content-type", media_type),
            ("content-encoding", "gzip"),
            ("content-length", "17"),
            ("x-odd", "caf\u00e9: a\r\n b"),
            ("set-cookie", "a=b"),
            ("set-cookie", "c=d"),
        ),
        body=body,
    )


def quoted(document: Document, words: str) -> Span:
    start = document.text.index(words)
    return Span.at(document, start, start + len(words))


def published(document: Document, words: str) -> VerifiedClaim:
    span = quoted(document, words)
    verdict = VerbatimVerifier().judge(pair(words, span, document))
    assert verdict.label is Label.SUPPORTED
    return VerifiedClaim(Claim(text=words, spans=(span,), subquestion="When?"), (verdict,))


def recorded(answer: Answer, folder: Path) -> tuple[Answer, tuple[Event, ...]]:
    """The answer under the id of a run that ends in it, and the run's events."""
    with Ledger.open(folder / "ledger.sqlite3") as ledger:
        log = ledger.begin("ask", answer.question, {"budget": 3})
        answer = replace(answer, run_id=log.run_id)
        log.record("plan", {"asked": answer.question})
        log.publish(answer)
        return answer, ledger.events(log.run_id)


@pytest.fixture(scope="session")
def case(tmp_path_factory: pytest.TempPathFactory) -> Case:
    pages = [
        fetched("https://example.org/viaduct", "text/plain; charset=utf-8", REPORT),
        fetched("https://counts.example.net/2017?view=all", "text/html; charset=utf-8", COUNTS),
    ]
    report, counts = documents = [extract(page) for page in pages]
    carried = published(report, "It carried 26,100 people a day in the winter count of 2017.")
    counted = published(counts, "In the winter of 2017 the count on the viaduct was 24,800 people a day.")
    bond = quoted(report, "The bond for the viaduct was paid off in 1949.")
    answer = Answer(
        run_id="run_0",
        question="When did the viaduct open, and who uses it?",
        tested_claim=None,
        falsifier=None,
        summary="The viaduct opened in 1918.",
        claims=(published(report, "The viaduct opened in 1918."), carried, counted),
        partial=(),
        dropped=(Dropped(Claim(text="The bond was early.", spans=(bond,)), Label.COULD_NOT_CHECK, "other words"),),
        gaps=(Gap(GapKind.NOTHING_FOUND, "Who uses it?", "no page says"),),
        conflicts=(
            Conflict(
                "people a day",
                Side(span=carried.claim.spans[0], value="26,100"),
                Side(span=counted.claim.spans[0], value="24,800"),
            ),
        ),
        sources=tuple(
            Source(
                url=document.final_url,
                title=document.title,
                doc_id=document.doc_id,
                tier="primary",
                score=0.75,
                terms={"tier": 0.5, "recency": 0.25},
                published=None,
            )
            for document in documents
        ),
        tried=(Tried(query="viaduct", provider="archive", results=2, novelty=1.0),),
        documents=(report, counts),
        verifier=CARD,
        budget={"searches": {"used": 1, "limit": 12}, "seconds": {"used": 1.5, "limit": None}},
        warnings=("One page states no date.",),
    )
    answer, events = recorded(answer, tmp_path_factory.mktemp("run"))
    return Case(answer, dict(zip((report.doc_id, counts.doc_id), pages, strict=True)), events)


@pytest.fixture(scope="session")
def raw(case: Case) -> bytes:
    """The bundle's bytes."""
    return bundle_bytes(case.answer, case.pages, case.events)


@pytest.fixture(scope="session")
def foreign(case: Case) -> bytes:
    """The bundle as version 9.0 would have made it: manifest and chain say so together."""
    chain: list[Event] = []
    for event in case.events:
        payload = {**event.payload, "product": "9.0"} if event.seq == 1 else event.payload
        last = chain[-1] if chain else None
        chain.append(Event.following(last, run_id=event.run_id, event_type=event.type, at=event.at, payload=payload))
    container = open_container(bundle_bytes(case.answer, case.pages, case.events))
    facts = {name: value for name, value in container.manifest.items() if name != "members"} | {"product": "9.0"}
    lines = b"".join(canonical(event.as_json()).encode() + b"\n" for event in chain)
    members = [(name, lines if name == "events.jsonl" else data) for name, data in container.members.items()]
    return assemble(write_container(facts, members)[1])


@pytest.fixture(scope="session")
def keys() -> tuple[bytes, bytes]:
    """A private and a public Ed25519 key, in PEM."""
    pytest.importorskip("cryptography", reason="needs cryptography: pip install 'affidavit[sign]'")
    from cryptography.hazmat.primitives import serialization as s
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    key = Ed25519PrivateKey.generate()
    return (
        key.private_bytes(s.Encoding.PEM, s.PrivateFormat.PKCS8, s.NoEncryption()),
        key.public_key().public_bytes(s.Encoding.PEM, s.PublicFormat.SubjectPublicKeyInfo),
    )


@pytest.fixture(scope="session", name="recorded")
def _recorded():
    return recorded
