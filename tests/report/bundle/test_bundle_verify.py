"""What an attacker changes, and what each change is caught by once the manifest is made to fit again."""

import io
import json
import socket
import subprocess
import sys
import zipfile
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from affidavit.errors import BundleMismatch, FailureKind, IntegrityError, PageFailure, StorageError, UserError
from affidavit.extract import extract
from affidavit.ledger import Ledger
from affidavit.ledger.canonical import canonical
from affidavit.report.as_json import answer_json
from affidavit.report.bundle import bundle_bytes, write_bundle
from affidavit.report.bundle_container import assemble, open_container, write_container
from affidavit.report.bundle_verify import verify_bundle


def verify(tmp_path, raw: bytes, **options):
    path = tmp_path / "answer.affidavit"
    path.write_bytes(raw)
    return verify_bundle(path, **options)


def verifies(tmp_path, raw: bytes) -> bool:
    """Whether it passes. It may be refuted, or not wholly checked (a newer format); nothing else."""
    try:
        return verify(tmp_path, raw).verified
    except BundleMismatch:
        return False


def remade(raw: bytes, changes: dict[str, bytes], **facts: object) -> bytes:
    """The bundle with other members, and a manifest, checksums and a seal that fit them."""
    container = open_container(raw)
    kept = {name: value for name, value in container.manifest.items() if name != "members"} | facts
    members = [(name, changes.get(name, data)) for name, data in container.members.items()]
    return assemble(write_container(kept, members)[1])


def test_an_untouched_bundle_verifies_and_says_what_it_checked(case, raw, tmp_path) -> None:
    report = verify(tmp_path, raw)
    assert report.verified
    assert report.run_id == case.answer.run_id
    counts = {check.name: check.count for check in report.checks}
    assert counts == {
        "bytes": len(raw),
        "members": 7,
        "documents": 2,
        "pages": 2,
        "extraction": 2,
        "spans": 4,
        "answer": 1,
        "verdicts": 3,
        "events": 4,
    }
    assert all(check.ok for check in report.checks)
    assert report.could_not_check == ()
    assert any("not signed" in line for line in report.not_checked)
    json.dumps(report.as_json())


def test_the_same_run_gives_the_same_bytes_and_they_are_written_whole(case, raw, tmp_path) -> None:
    path = tmp_path / "a.affidavit"
    write_bundle(path, case.answer, {**case.pages, "doc_of_no_use": None}, case.events)
    assert path.read_bytes() == raw
    assert [one.name for one in tmp_path.iterdir()] == ["a.affidavit"]


@given(st.integers(0), st.integers(1, 255))
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_bundle_with_any_byte_flipped_never_verifies(raw, tmp_path, at: int, change: int) -> None:
    altered = bytearray(raw)
    altered[at % len(raw)] ^= change
    with pytest.raises(BundleMismatch, match=r"answer\.affidavit: "):
        verify(tmp_path, bytes(altered))


@given(st.data())
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_member_with_any_byte_changed_under_a_fitting_manifest_never_verifies(raw, tmp_path, data) -> None:
    members = open_container(raw).members
    name = data.draw(st.sampled_from(sorted(members)))
    altered = bytearray(members[name])
    at = data.draw(st.integers(0, len(altered) - 1))
    altered[at] ^= data.draw(st.integers(1, 255))
    assert not verifies(tmp_path, remade(raw, {name: bytes(altered)}))


@given(st.data())
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_members_swapped_or_emptied_under_a_fitting_manifest_never_verify(raw, tmp_path, data) -> None:
    members = open_container(raw).members
    name, other = data.draw(st.lists(st.sampled_from(sorted(members)), min_size=2, max_size=2, unique=True))
    changes = data.draw(
        st.sampled_from([{name: b""}, {name: members[other]}, {name: members[other], other: members[name]}])
    )
    assert not verifies(tmp_path, remade(raw, changes))


def test_a_changed_text_is_named_by_its_first_byte(case, raw, tmp_path) -> None:
    """The whole document is rewritten to fit: id, digest, answer. Only reading the page again tells."""
    old = case.answer.documents[0]
    new = replace(old, text=old.text.replace("1949", "1950"))
    from affidavit.report.bundle_documents import document_members

    changes = dict(document_members(new))
    at = old.text.encode().index(b"1949") + 2
    with pytest.raises(BundleMismatch, match=rf"documents/{old.doc_id}\.txt: byte {at}: the page's bytes give another"):
        verify(tmp_path, remade(raw, changes))


def test_a_changed_title_is_caught_by_reading_the_page_again(case, raw, tmp_path) -> None:
    from affidavit.report.bundle_documents import document_members

    old = case.answer.documents[1]
    with pytest.raises(BundleMismatch, match=r"title: not what the page's bytes give"):
        verify(tmp_path, remade(raw, dict(document_members(replace(old, title="Other")))))


def test_a_changed_header_is_caught_even_when_archive_and_document_agree(case, raw, tmp_path) -> None:
    """Nothing on the page tells what its headers were; the run's events do."""
    from affidavit.report.bundle_documents import document_members
    from affidavit.report.bundle_pages import write_pages

    documents = sorted(case.answer.documents, key=lambda document: document.doc_id)
    documents[0] = replace(documents[0], headers=(*documents[0].headers, ("x-new", "1")))
    changes = {**dict(document_members(documents[0])), "pages.warc.gz": write_pages(documents, case.pages)}
    with pytest.raises(BundleMismatch, match=r"events\.jsonl: line 3 \(published\): documents"):
        verify(tmp_path, remade(raw, changes))


def edited(raw: bytes, edit) -> bytes:
    answer = json.loads(open_container(raw).members["answer.json"])
    edit(answer)
    return remade(raw, {"answer.json": canonical(answer).encode()})


EDITS = {
    "the question": lambda a: a.update(question="Another?"),
    "the summary": lambda a: a.update(summary="It opened in 1919."),
    "the state": lambda a: a.update(state="published"),
    "a claim's text": lambda a: a["claims"][0].update(text="The viaduct opened in 1919."),
    "a claim's id": lambda a: a["claims"][0].update(claim_id="claim_0000000000000000"),
    "a claim left out": lambda a: a["claims"].pop(),
    "claims in another order": lambda a: a["claims"].reverse(),
    "a span's words": lambda a: a["claims"][0]["spans"][0].update(text="The viaduct opened in 1919."),
    "a span moved": lambda a: a["claims"][0]["spans"][0].update(start=1),
    "a span id": lambda a: a["claims"][0]["spans"][0].update(span_id="span_0000000000000000"),
    "a link": lambda a: a["claims"][0]["spans"][0].update(text_fragment_url="https://evil.example/"),
    "a prefix": lambda a: a["claims"][0]["spans"][0].update(prefix="not "),
    "a verdict": lambda a: a["claims"][0]["spans"][0].update(verdict="PARTIAL"),
    "a verifier": lambda a: a["claims"][0]["spans"][0]["judgement"].update(verifier="model/9"),
    "a reason": lambda a: a["dropped"][0].update(reason="because"),
    "something dropped left out": lambda a: a["dropped"].clear(),
    "a gap left out": lambda a: a.update(gaps=[], state="published"),
    "a warning left out": lambda a: a["warnings"].clear(),
    "a conflict left out": lambda a: a["conflicts"].clear(),
    "a score": lambda a: a["sources"][0].update(score=0.99),
    "a source's digest": lambda a: a["sources"][0].update(sha256="0" * 64),
    "a source's date": lambda a: a["sources"][0].update(published="2030"),
    "what was tried": lambda a: a["tried"].clear(),
    "a budget": lambda a: a["budget"]["searches"].update(limit=1),
    "the verifier's card": lambda a: a["verifier"].update(calibration={"agreement": 1.0}),
    "the cost": lambda a: a["cost"].update(usd=0.01),
    "the run": lambda a: a.update(run_id="run_other"),
    "a document left out": lambda a: a["documents"].pop(),
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS.keys())
def test_an_edited_answer_never_verifies(raw, tmp_path, edit) -> None:
    with pytest.raises(BundleMismatch):
        verify(tmp_path, edited(raw, edit))


def test_a_bundle_that_shows_more_than_a_quotation_may_be_is_refused_in_so_many_words(
    raw, tmp_path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one would be that was made before there was a limit: here the limit is what is moved."""
    monkeypatch.setattr("affidavit.evidence.answer.SPAN_CHARS", (12, 20))
    with pytest.raises(BundleMismatch, match=r"answer\.json: span_\w+ has \d+ characters, and a quotation has 20 at"):
        verify(tmp_path, raw)


def test_a_claim_rewritten_with_its_events_is_caught_by_the_gates(case, tmp_path, recorded) -> None:
    """The attacker makes a whole new run that says so: chain, digests, manifest. The page says it within a sentence."""
    first = case.answer.claims[0]
    text = "viaduct opened in 1918"
    claim = replace(first.claim, text=text)
    verdict = replace(first.verdicts[0], claim_text=text, quote_used=None)
    forged = replace(
        case.answer, claims=(replace(first, claim=claim, verdicts=(verdict,)), *case.answer.claims[1:]), summary=""
    )
    forged, events = recorded(forged, tmp_path)
    raw = bundle_bytes(forged, case.pages, events)
    with pytest.raises(BundleMismatch, match=r"SUPPORTED in the bundle, COULD_NOT_CHECK when judged again"):
        verify(tmp_path, raw)


def test_a_verdict_by_a_model_is_said_not_to_be_derived_again(case, tmp_path, recorded) -> None:
    first = case.answer.claims[0]
    verdict = replace(first.verdicts[0], verifier="model/3")
    judged = replace(case.answer, claims=(replace(first, verdicts=(verdict,)), *case.answer.claims[1:]))
    judged, events = recorded(judged, tmp_path)
    report = verify(tmp_path, bundle_bytes(judged, case.pages, events))
    assert report.verified
    assert any("1 verdicts of model/3" in line for line in report.not_checked)


def test_events_left_out_or_of_another_run_never_verify(case, raw, tmp_path) -> None:
    lines = open_container(raw).members["events.jsonl"].splitlines(keepends=True)
    for kept in (lines[1:], lines[:1] + lines[2:], lines + lines[-1:], lines[::-1]):
        with pytest.raises(BundleMismatch, match=r"events\.jsonl"):
            verify(tmp_path, remade(raw, {"events.jsonl": b"".join(kept)}))


def test_events_cut_off_at_the_end_or_left_out_altogether_never_verify(raw, tmp_path) -> None:
    lines = open_container(raw).members["events.jsonl"].splitlines(keepends=True)
    for count, said in ((3, "some are cut off"), (2, "some are cut off"), (1, "some are cut off"), (0, "no events")):
        with pytest.raises(BundleMismatch, match=rf"events\.jsonl: .*{said}"):
            verify(tmp_path, remade(raw, {"events.jsonl": b"".join(lines[:count])}))


def test_a_bundle_without_the_member_for_events_never_verifies(raw, tmp_path) -> None:
    container = open_container(raw)
    kept = {name: value for name, value in container.manifest.items() if name != "members"}
    members = [(name, data) for name, data in container.members.items() if name != "events.jsonl"]
    with pytest.raises(BundleMismatch, match=r"events\.jsonl"):
        verify(tmp_path, assemble(write_container(kept, members)[1]))


def test_a_run_that_ended_without_an_answer_never_verifies(case, raw, tmp_path) -> None:
    with Ledger.open(tmp_path / "ledger.sqlite3") as ledger:
        log = ledger.begin("ask", case.answer.question, {})
        log.finish(case.answer.state)
        events = ledger.events(log.run_id)
    lines = b"".join(canonical(event.as_json()).encode() + b"\n" for event in events)
    answer = json.loads(open_container(raw).members["answer.json"]) | {"run_id": log.run_id}
    changes = {"answer.json": canonical(answer).encode(), "events.jsonl": lines}
    with pytest.raises(BundleMismatch, match="0 events say what the answer was"):
        verify(tmp_path, remade(raw, changes, run_id=log.run_id))


def test_another_extractor_version_is_could_not_check(raw, tmp_path) -> None:
    report = verify(tmp_path, raw, extract=lambda page: replace(extract(page), extractor="html/999"))
    assert not report.verified
    assert len(report.could_not_check) == 2
    assert "html/999 is installed; install affidavit==" in report.could_not_check[0]
    assert {check.name for check in report.checks if check.ok is None} == {"extraction"}
    assert {check.count for check in report.checks if check.name == "extraction"} == {0}


@pytest.mark.parametrize("error", [PageFailure(FailureKind.TIMEOUT, "u", "slow"), RecursionError(), ValueError("bug")])
def test_an_extractor_that_breaks_is_could_not_check(raw, tmp_path, error) -> None:
    def broken(page):
        raise error

    report = verify(tmp_path, raw, extract=broken)
    assert not report.verified
    assert len(report.could_not_check) == 2


def test_a_page_that_is_no_evidence_is_a_mismatch(raw, tmp_path) -> None:
    def refuse(page):
        raise PageFailure(FailureKind.LOGIN, page.final_url, "a login form")

    with pytest.raises(BundleMismatch, match=r"is no evidence: .*login"):
        verify(tmp_path, raw, extract=refuse)


def test_a_bundle_of_a_newer_format_is_could_not_check(raw, tmp_path) -> None:
    report = verify(tmp_path, remade(raw, {}, format_version=2, product="9.0"))
    assert not report.verified
    assert "install affidavit==9.0" in report.could_not_check[0]


@pytest.mark.parametrize(
    "facts",
    [{"format": "other"}, {"product": 3}, {"run_id": "run_x"}, {"extra": 1}, {"format_version": "1"}, {"signer": "x"}],
)
def test_a_manifest_with_other_facts_is_refused(raw, tmp_path, facts) -> None:
    with pytest.raises(BundleMismatch):
        verify(tmp_path, remade(raw, {}, **facts))


def test_a_bundle_that_another_version_made_alike_verifies(foreign, tmp_path) -> None:
    report = verify(tmp_path, foreign)
    assert report.verified
    assert report.product == "9.0"


def test_what_another_product_version_writes_otherwise_is_could_not_check(foreign, tmp_path) -> None:
    answer = json.loads(open_container(foreign).members["answer.json"])
    answer["claims"][0]["spans"][0]["prefix"] = "other "
    report = verify(tmp_path, remade(foreign, {"answer.json": canonical(answer).encode()}))
    assert not report.verified
    assert "prefix" in report.could_not_check[0]


def test_no_network_is_used(raw, tmp_path, monkeypatch) -> None:
    def refuse(*_):
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    assert verify(tmp_path, raw).verified


def test_a_zip_that_is_no_bundle_a_folder_and_no_file_are_told_apart(tmp_path) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("word/document.xml", "x")
    with pytest.raises(BundleMismatch, match=r"answer\.affidavit: byte 30: 'word/document\.xml' is not the name"):
        verify(tmp_path, out.getvalue())
    with pytest.raises(BundleMismatch, match="not an evidence bundle: the file is empty"):
        verify(tmp_path, b"")
    with pytest.raises(UserError, match="no such file"):
        verify_bundle(tmp_path / "missing.affidavit")
    with pytest.raises(StorageError, match="a folder stands where a file is needed"):
        verify_bundle(tmp_path)


def test_parts_that_are_not_of_one_run_are_not_written(case, tmp_path) -> None:
    with Ledger.open(tmp_path / "l.sqlite3") as ledger:
        log = ledger.begin("ask", "other", {})
        with pytest.raises(IntegrityError, match="belongs to"):
            bundle_bytes(case.answer, case.pages, ledger.events(log.run_id))
    with pytest.raises(StorageError, match="cannot write the bundle"):
        write_bundle(tmp_path / "no" / "such" / "folder.affidavit", case.answer, case.pages, case.events)


def test_events_that_do_not_end_in_the_answer_or_are_another_version_s_are_not_written(case, monkeypatch) -> None:
    for events, said in (((), "no events"), (case.events[:-1], "the run's end"), (case.events[:1], "the run's end")):
        with pytest.raises(IntegrityError, match=said):
            bundle_bytes(case.answer, case.pages, events)
    monkeypatch.setattr("affidavit.report.bundle.__version__", "9.0")
    with pytest.raises(IntegrityError, match=r"was begun by affidavit '0\.\d+\.\d+', and this is 9\.0"):
        bundle_bytes(case.answer, case.pages, case.events)


def test_an_answer_that_found_nothing_has_a_bundle_too(case, tmp_path, recorded) -> None:
    nothing = replace(case.answer, claims=(), dropped=(), conflicts=(), documents=(), summary="", sources=())
    nothing, events = recorded(nothing, tmp_path)
    report = verify(tmp_path, bundle_bytes(nothing, {}, events))
    assert report.verified
    assert answer_json(nothing)["state"] == "nothing_sourced"


def test_importing_the_verifier_loads_no_parser_and_no_cryptography() -> None:
    code = (
        "import sys; import affidavit.report.bundle_verify\n"
        "heavy = {'cryptography', 'sqlalchemy', 'trafilatura', 'warcio', 'pypdfium2'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
