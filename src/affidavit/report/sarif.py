"""A check as SARIF 2.1.0 (OASIS), which code-scanning views show beside the lines of the draft.

A rejected sentence is an error, an unsourced one a warning, one that could not be checked a note; a sourced sentence is
no result. Columns count UTF-16 code units, which SARIF takes where a run does not say otherwise and viewers assume.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any
from urllib.parse import quote

from affidavit.evidence.check import Check, CheckedSentence, Remark, SentenceState
from affidavit.report import check_wording, inert
from affidavit.version import __version__

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS: Mapping[SentenceState, str] = MappingProxyType(
    {
        SentenceState.REJECTED: "error",
        SentenceState.UNSOURCED: "warning",
        SentenceState.COULD_NOT_CHECK: "note",
    }
)


def render_sarif(check: Check) -> str:
    """`check` as a SARIF log of one run."""
    results = [_result(check, sentence) for sentence in check.claims if sentence.state in _LEVELS]
    rules = sorted({str(result["ruleId"]) for result in results})
    for result in results:
        result["ruleIndex"] = rules.index(str(result["ruleId"]))
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
                "automationDetails": {"id": "affidavit/check"},
                "columnKind": "utf16CodeUnits",
                "artifacts": [{"location": {"uri": _uri(check.draft)}, "hashes": {"sha-256": check.draft_sha256}}],
                "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": list(_unread(check))}],
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
    }


def _result(check: Check, sentence: CheckedSentence) -> dict[str, Any]:
    state = sentence.state
    assert state is not None  # claims have one
    found = decisive(sentence)
    code = found.code if found else state.value
    message = found.message if found else check_wording.STATES[state].means
    start, end = (found.start, found.end) if found and found.severity == "block" else (sentence.start, sentence.end)
    location: dict[str, Any] = {"artifactLocation": {"uri": _uri(check.draft), "index": 0}}
    if check.of_file:
        location["region"] = _region(check.draft_text, start, end)
    result: dict[str, Any] = {
        "ruleId": code,
        "level": _LEVELS[state],
        "message": {"text": inert.line(f"{check_wording.STATES[state].label}: {message}")},
        "locations": [{"physicalLocation": location}],
        "partialFingerprints": {"sentence/v1": _fingerprint(sentence)},
        "properties": {"state": state.value, "sentence": sentence.text},
    }
    if sentence.span is not None:
        source = check.source(sentence.span.doc_id)
        result["relatedLocations"] = [
            {
                "id": 1,
                "message": {"text": inert.line(f"{source.name}: “{sentence.span.text}”")},
                "physicalLocation": {"artifactLocation": {"uri": source.url or _uri(source.path or source.name)}},
            }
        ]
    return result


def decisive(sentence: CheckedSentence) -> Remark | None:
    """The finding that decided the sentence's state: what blocks, else what caps."""
    for severity in ("block", "cap"):
        for remark in sentence.findings:
            if remark.severity == severity:
                return remark
    return None


def _fingerprint(sentence: CheckedSentence) -> str:
    """The same sentence has the same, wherever edits move it."""

    return hashlib.sha256(" ".join(sentence.text.split()).encode()).hexdigest()[:32]


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
    """Line and column from 1. A line ends at LF, CR or CRLF, as SARIF has it."""
    before = text[:offset].replace("\r\n", "\n").replace("\r", "\n")
    return before.count("\n") + 1, _units(before.rpartition("\n")[2]) + 1


def _units(text: str) -> int:
    return len(text) + sum(ord(character) > 0xFFFF for character in text)


def _uri(path: str) -> str:
    return "stdin" if path == "-" else quote(path.replace("\\", "/"), safe="/:@!$&'()*+,;=~-._")


def _unread(check: Check) -> Iterator[dict[str, Any]]:
    for source in check.sources:
        if source.failure is not None:
            text = inert.line(f"{source.name} could not be read: {source.failure}")
            yield {"level": "warning", "message": {"text": text}}
