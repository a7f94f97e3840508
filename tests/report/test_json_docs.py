"""docs/json.md tells every field of a check and of a piece, in the order of its schema, and every code."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from affidavit.report import piece_wording
from affidavit.report.check_wording import CODES
from affidavit.report.schema import load_schema

PAGE = Path(__file__).resolve().parents[2] / "docs/json.md"


def fields(schema: dict[str, Any], part: dict[str, Any], above: str, told: set[str]) -> Iterator[str]:
    """Every field under `part`; the fields of a shape that stands in several places are told once."""
    for name, field in part["properties"].items():
        shape, many = None, ""
        for one in field.get("anyOf", [field]):
            item = one.get("items", one)
            if "$ref" in item:
                shape, many = item["$ref"].rpartition("/")[2], "[]" if "items" in one else ""
        yield f"{above}{name}{many}"
        if shape is not None and shape not in told:
            told.add(shape)
            yield from fields(schema, schema["$defs"][shape], f"{above}{name}{many}.", told)


def rows(heading: str) -> list[str]:
    section = PAGE.read_text(encoding="utf-8").partition(f"\n{heading}\n")[2]
    section = re.split(r"\n#+ ", section)[0]
    return [
        name for row in re.findall(r"^\| (`.+?`) \|", section, re.MULTILINE) for name in re.findall(r"`([^`]+)`", row)
    ]


def test_every_field_of_a_check_is_told_in_its_order():
    schema = load_schema("check")
    assert rows("## The check as JSON") == list(fields(schema, schema, "", set()))


def test_every_code_of_a_finding_is_told():
    assert rows("### Codes of findings") == list(CODES)


def test_every_field_of_a_piece_is_told_in_its_order():
    schema = load_schema("piece")
    assert rows("## The piece as JSON") == list(fields(schema, schema, "", set()))


def test_every_code_of_an_issue_is_told():
    assert rows("### Codes of issues") == list(piece_wording.CODES)
