"""Checks as SARIF 2.1.0 (OASIS), which code-scanning views show beside the lines of the draft.

A rejected sentence is an error, an unsourced one a warning, one that could not be checked a note; a sourced sentence is
no result. Columns and offsets count UTF-16 code units, and lines end at LF or CRLF, both as the run says.

Where the draft is no text that a person edits (HTML, DOCX), offsets are of its visible text and mean nothing in the
file: such a result has no region. It names the sentence by its number and its words instead.

Views take less than the standard allows: one that meets an address of the web among the locations refuses the whole
log, so where a source of the web is said in the message; and `primaryLocationLineHash` is the one fingerprint that all
of them compare.
"""

import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import quote

from affidavit.evidence.check import Check, CheckedSentence, CheckedSource, Remark, SentenceState
from affidavit.report import check_wording, inert
from affidavit.report.check_terminal import cut
from affidavit.version import __version__

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
QUOTE_CHARS = 400
"""A longer passage is cut in a message; the other formats hold it whole."""
_LEVELS: Mapping[SentenceState, str] = MappingProxyType(
    {
        SentenceState.REJECTED: "error",
        SentenceState.UNSOURCED: "warning",
        SentenceState.COULD_NOT_CHECK: "note",
    }
)
_NEWLINES = ("\r\n", "\n")


def render_sarif(*checks: Check) -> str:
    """`checks` as a SARIF log of one run; each draft is an artifact of it."""
    drafts = list(dict.fromkeys((check.draft, check.draft_sha256) for check in checks))
    results = [
        result for check in checks for result in _results(check, drafts.index((check.draft, check.draft_sha256)))
    ]
    rules = sorted({str(result["ruleId"]) for result in results})
    for result in results:
        result["ruleIndex"] = rules.index(str(result["ruleId"]))
    notes = list({note["message"]["text"]: note for check in checks for note in _notes(check)}.values())
    log = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "affidavit",
                        "version": __version__,
                        "rules": [_rule(rule) for rule in rules],
                    }
                },
                # What ends in a slash is a category: later runs of it replace this one.
                "automationDetails": {"id": "affidavit/check/"},
                "columnKind": "utf16CodeUnits",
                "newlineSequences": list(_NEWLINES),
                "artifacts": [
                    {
                        "location": _artifact(draft),
                        "roles": ["analysisTarget"],
                        "hashes": {"sha-256": sha256},
                    }
                    for draft, sha256 in drafts
                ],
                "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": notes}],
                "results": results,
            }
        ],
    }
    return json.dumps(log, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def _rule(code: str) -> dict[str, Any]:
    term = check_wording.code(code)
    return {
        "id": code,
        "name": "".join(part.capitalize() for part in code.split("_")),
        "shortDescription": {"text": f"{term.label}."},
        "fullDescription": {"text": term.means},
        "help": {
            "text": f"{term.means} {check_wording.REMEDY}",
            "markdown": f"**{term.label}.** {term.means}\n\n{check_wording.REMEDY}",
        },
        "defaultConfiguration": {"level": "warning"},
        "properties": {"tags": ["grounding", "citations"]},
    }


def _results(check: Check, index: int) -> Iterator[dict[str, Any]]:
    seen: Counter[str] = Counter()
    for sentence in check.claims:
        fingerprint = _fingerprint(sentence)
        seen[fingerprint] += 1
        if sentence.state in _LEVELS:
            yield _result(check, index, sentence, f"{fingerprint}:{seen[fingerprint]}")


def _result(check: Check, index: int, sentence: CheckedSentence, fingerprint: str) -> dict[str, Any]:
    state = sentence.state
    assert state is not None  # claims have one
    found = decisive(sentence)
    source = check.source(sentence.span.doc_id) if sentence.span is not None else None
    result: dict[str, Any] = {
        "ruleId": found.code if found else state.value,
        "level": _LEVELS[state],
        "message": {"text": _message(check, sentence, found, source)},
        "locations": [_location(check, index, sentence, found)],
        "partialFingerprints": {"primaryLocationLineHash": fingerprint, "affidavitSentence/v1": fingerprint},
        "properties": {"state": state.value, "sentence": inert.passage(sentence.text)},
    }
    if source is not None and sentence.span is not None:
        result["properties"]["passage"] = inert.passage(sentence.span.text)
        result["properties"]["source"] = inert.line(source.name)
        if source.path is not None:
            words = inert.line(f"{source.name}: “{sentence.span.text}”")
            location = {"id": 1, "message": {"text": _unlinked(words)}}
            result["relatedLocations"] = [location | {"physicalLocation": {"artifactLocation": _artifact(source.path)}}]
    return result


def _message(check: Check, sentence: CheckedSentence, found: Remark | None, source: CheckedSource | None) -> str:
    state = sentence.state
    assert state is not None  # claims have one
    said = found.message if found else check_wording.STATES[state].means
    parts = [f"{check_wording.STATES[state].label}: {said}"]
    if not check.of_file:
        parts.append(f"Sentence {sentence.index + 1}: “{sentence.words}”")
    if source is not None and sentence.span is not None:
        parts.append(f"{check_wording.QUOTE}, {source.name}: “{cut(inert.line(sentence.span.text), QUOTE_CHARS)}”")
    return _unlinked(inert.line(" ".join(parts)))


def _unlinked(text: str) -> str:
    """`text` without what SARIF takes for a link: neither a draft nor a source puts one into a view."""
    return text.replace("](", "] (")


def _location(check: Check, index: int, sentence: CheckedSentence, found: Remark | None) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {**_artifact(check.draft), "index": index}}
    name = f"sentence {sentence.index + 1}"
    if check.of_file:
        narrow = found is not None and found.severity == "block"
        start, end = (found.start, found.end) if found and narrow else (sentence.start, sentence.end)
        physical["region"] = _region(check.draft_text, start, end)
    return {"physicalLocation": physical, "logicalLocations": [{"name": name, "kind": "sentence"}]}


def decisive(sentence: CheckedSentence) -> Remark | None:
    """The finding that decided the sentence's state: what blocks, else what caps."""
    for severity in ("block", "cap"):
        for remark in sentence.findings:
            if remark.severity == severity:
                return remark
    return None


def _fingerprint(sentence: CheckedSentence) -> str:
    """The same sentence has the same, wherever edits move it."""
    return hashlib.sha256(sentence.words.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _region(text: str, start: int, end: int) -> dict[str, int]:
    first, last = _place(text, start), _place(text, end)
    return {
        "startLine": first[0],
        "startColumn": first[1],
        "endLine": last[0],
        "endColumn": last[1],
        "charOffset": _units(text[:start]),
        "charLength": _units(text[start:end]),
    }


def _place(text: str, offset: int) -> tuple[int, int]:
    """Line and column from 1. A carriage return alone ends no line."""
    before = text[:offset]
    return before.count("\n") + 1, _units(before.rpartition("\n")[2]) + 1


def _units(text: str) -> int:
    return len(text) + sum(ord(character) > 0xFFFF for character in text)


def _artifact(path: str) -> dict[str, str]:
    """Where the file is, as a reference within the repository that the check was run in."""
    if path == "-":
        return {"uri": "stdin"}
    place = Path(path).expanduser()
    if place.is_absolute():
        return {"uri": place.as_uri()}
    # A colon in the first segment would end a scheme, so it is quoted as well.
    return {"uri": quote(os.fsencode(place.as_posix()), safe="/!$&'()*+,;=~-._@"), "uriBaseId": "%SRCROOT%"}


def _notes(check: Check) -> Iterator[dict[str, Any]]:
    for source in check.sources:
        if source.failure is not None:
            text = inert.line(f"{source.name} could not be read: {source.failure}")
            yield {"level": "warning", "message": {"text": _unlinked(text)}}
    for warning in check.warnings:
        yield {"level": "warning", "message": {"text": _unlinked(inert.line(warning))}}
