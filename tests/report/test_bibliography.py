import json
import re
from dataclasses import replace

import jsonschema
import pytest

from affidavit.report.bibliography import references, render_bibtex, render_csl, render_ris

# The fields used here, as the CSL-JSON input schema types them (citation-style-language.org, schema 1.0.2).
DATE = {
    "type": "object",
    "properties": {
        "date-parts": {
            "type": "array",
            "minItems": 1,
            "maxItems": 2,
            "items": {"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 3},
        }
    },
    "required": ["date-parts"],
    "additionalProperties": False,
}
CSL = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["type", "id"],
        "properties": {
            "id": {"type": "string"},
            "type": {"const": "webpage"},
            "title": {"type": "string"},
            "author": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"literal": {"type": "string"}},
                    "additionalProperties": False,
                },
            },
            "container-title": {"type": "string"},
            "URL": {"type": "string"},
            "issued": DATE,
            "accessed": DATE,
            "language": {"type": "string"},
        },
        "additionalProperties": False,
    },
}


def entries(bibtex):
    """A reader that counts braces, as BibTeX does: the entries' key, and their fields."""
    found = {}
    at = 0
    while (at := bibtex.find("@", at)) != -1:
        assert bibtex[at:].startswith("@misc{")
        end, depth = at + 5, 0
        while True:
            depth += (bibtex[end] == "{") - (bibtex[end] == "}")
            end += 1
            if depth == 0:
                break
        body = bibtex[at + 6 : end - 1]
        key, _, rest = body.partition(",")
        assert key not in found
        found[key] = dict(re.findall(r"^  (\w+) = \{(.*)\},$", rest, re.MULTILINE))
        at = end
    return found


def test_the_cited_pages_are_the_references_each_once(answer):
    found = references(answer)
    assert [reference.url for reference in found] == [
        "https://www.example.org/report",
        "https://counts.example.net/2017?view=all&lang=en",
    ]


def test_bibtex_holds_title_author_site_dates_and_address(answer):
    first = next(iter(entries(render_bibtex(answer)).values()))
    assert first == {
        "title": "{The bridge report}",
        "author": "{J. Ortega}",
        "organization": "Example Bridges",
        "year": "2025",
        "month": "11",
        "day": "2",
        "url": "https://www.example.org/report",
        "urldate": "2026-03-04",
    }


def test_keys_are_unique_and_the_same_for_the_same_page(answer, tested):
    keys = [reference.key for reference in references(answer)]
    assert len(set(keys)) == len(keys)
    assert references(tested)[0].key == keys[0]
    assert all(re.fullmatch(r"[a-z0-9-]+", key) for key in keys)


def test_ris_holds_the_same(answer):
    records = render_ris(answer).split("ER  - \r\n")
    assert len(records) == 3
    lines = dict(line.split("  - ", 1) for line in records[0].splitlines() if line)
    assert lines["TY"] == "ELEC"
    assert lines["TI"] == "The bridge report"
    assert lines["UR"] == "https://www.example.org/report"
    assert lines["DA"] == "2025/11/02/"
    assert lines["Y2"] == "2026/03/04/"


def test_csl_json_is_of_the_schema(answer):
    items = json.loads(render_csl(answer))
    jsonschema.validate(items, CSL)
    assert items[0]["issued"] == {"date-parts": [[2025, 11, 2]]}
    assert items[1]["issued"] == {"date-parts": [[2018]]}


def test_hostile_fields_are_inert_in_bibtex(hostile):
    (fields,) = entries(render_bibtex(hostile)).values()
    assert set(fields) <= {"title", "author", "organization", "url", "urldate"}
    for name in ("title", "author", "organization"):
        assert not re.search(
            r"\\(?!textbackslash|textbrace|textascii|textless|textgreater|textbar|textquotedbl|[$&#%_])", fields[name]
        )
    assert not set(fields["url"]) & set("\\{}^ ")


def test_hostile_fields_are_inert_in_ris(hostile):
    tags = [line[:6] for line in render_ris(hostile).splitlines()]
    assert tags[0] == "TY  - "
    assert tags.count("TY  - ") == 1
    assert tags.count("ER  - ") == 1
    assert tags[-1] == "ER  - "
    assert all(re.fullmatch(r"[A-Z][A-Z0-9]  - ", tag) for tag in tags)


def test_hostile_fields_are_inert_in_csl_json(hostile):
    items = json.loads(render_csl(hostile))
    jsonschema.validate(items, CSL)
    assert "issued" not in items[0]
    assert "language" not in items[0]


@pytest.mark.parametrize("date", ["2025-13", "2025-00-01", "soon", "2025-11-02T10:00", "20251102", None, ""])
def test_what_is_no_date_is_left_out(answer, date):
    document = replace(answer.documents[0], published=date)
    held = replace(answer, documents=(document, answer.documents[1]))
    assert references(held)[0].published == ()
    assert "issued" not in json.loads(render_csl(held))[0]


def test_an_answer_that_cites_nothing_has_no_references(nothing):
    assert references(nothing) == ()
    assert render_bibtex(nothing) == "% No page is cited.\n"
    assert render_ris(nothing) == ""
    assert json.loads(render_csl(nothing)) == []
