import hashlib
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.errors import UserError
from affidavit.evals.triples import Triple, read_shipped, read_triples, shipped_near_misses
from affidavit.evidence.claim import Label

ROW = {"claim": "It opened in 1902.", "span": "The bridge opened in 1902.", "label": "SUPPORTED"}


def write(path: Path, *records: object) -> Path:
    path.write_text("".join(json.dumps(one) + "\n" for one in records), encoding="utf-8")
    return path


def test_a_row_needs_claim_span_and_label_and_gets_its_place_for_a_name(tmp_path: Path):
    found = read_triples([write(tmp_path / "mine.jsonl", ROW)])
    assert found.rows == (
        Triple(dataset="mine", row_id="1", claim=ROW["claim"], span=ROW["span"], label=Label.SUPPORTED, kind=None),
    )


def test_the_digest_of_a_file_is_of_its_bytes(tmp_path: Path):
    path = write(tmp_path / "mine.jsonl", ROW)
    (file,) = read_triples([path]).files
    assert (file.name, file.rows) == ("mine.jsonl", 1)
    assert file.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


def test_the_same_rows_as_jsonl_and_as_csv_have_one_digest(tmp_path: Path):
    lines = write(tmp_path / "mine.jsonl", ROW | {"id": "a", "kind": "number"})
    table = tmp_path / "mine.csv"
    table.write_text(
        'id,claim,span,label,kind\r\na,"It opened in 1902.","The bridge opened in 1902.",SUPPORTED,number\r\n'
    )
    assert read_triples([lines]).digest == read_triples([table]).digest


@pytest.mark.parametrize(
    "change",
    [
        {"label": "PARTIAL"},
        {"claim": "It opened."},
        {"span": "It opened."},
        {"id": "b"},
        {"kind": "date"},
        {"twin": "verbatim"},
        {"block": "heading"},
    ],
)
def test_whatever_decides_a_figure_changes_the_digest(tmp_path: Path, change: dict[str, str]):
    before = read_triples([write(tmp_path / "mine.jsonl", ROW | {"id": "a"})]).digest
    assert read_triples([write(tmp_path / "mine.jsonl", ROW | {"id": "a"} | change)]).digest != before


@given(
    st.lists(st.tuples(st.text(), st.text(), st.sampled_from(["SUPPORTED", "PARTIAL", "NOT_SUPPORTED"])), min_size=1)
)
def test_what_was_written_is_read_whatever_its_characters(tmp_path_factory: pytest.TempPathFactory, rows: list[tuple]):
    path = tmp_path_factory.mktemp("rows") / "any.jsonl"
    write(path, *({"claim": f"c{claim}", "span": f"s{span}", "label": label} for claim, span, label in rows))
    found = read_triples([path])
    assert [(row.claim[1:], row.span[1:], row.label) for row in found.rows] == rows
    assert found.digest == read_triples([path]).digest


def test_a_folder_stands_for_its_files_in_order_and_a_file_names_its_data_set(tmp_path: Path):
    write(tmp_path / "b.jsonl", ROW)
    write(tmp_path / "a.jsonl", ROW, ROW | {"dataset": "own"})
    (tmp_path / "notes.md").write_text("not data")
    found = read_triples([tmp_path])
    assert [file.name for file in found.files] == ["a.jsonl", "b.jsonl"]
    assert [row.dataset for row in found.rows] == ["a", "own", "b"]


def test_the_kind_comes_from_its_field_or_from_the_last_part_of_the_source_s_label(tmp_path: Path):
    found = read_triples(
        [
            write(
                tmp_path / "mine.jsonl",
                ROW | {"kind": "number", "original_label": "x|date"},
                ROW | {"original_label": "contradiction|news|antonym"},
                ROW | {"original_label": "ACCURATE"},
            )
        ]
    )
    assert [row.kind for row in found.rows] == ["number", "antonym", None]


def test_a_byte_order_mark_blank_lines_and_other_fields_are_no_trouble(tmp_path: Path):
    path = tmp_path / "mine.jsonl"
    path.write_bytes(b"\xef\xbb\xbf\n" + json.dumps(ROW | {"split": "dev"}).encode() + b"\r\n\n")
    assert read_triples([path]).rows[0].row_id == "2"


def test_a_line_separator_inside_a_claim_ends_no_row(tmp_path: Path):
    path = tmp_path / "mine.jsonl"
    path.write_text(json.dumps(ROW | {"claim": "One\u2028two."}, ensure_ascii=False), encoding="utf-8")
    assert read_triples([path]).rows[0].claim == "One\u2028two."


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"claim": "a", "span": "b"}', "mine.jsonl:2: no 'label'"),
        ('{"claim": "a", "span": "b", "label": "TRUE"}', "mine.jsonl:2: label 'TRUE'"),
        ('{"claim": "a", "span": "b", "label": "COULD_NOT_CHECK"}', "mine.jsonl:2: label 'COULD_NOT_CHECK'"),
        ('{"claim": " ", "span": "b", "label": "PARTIAL"}', "mine.jsonl:2: claim"),
        ('{"claim": "a", "span": 7, "label": "PARTIAL"}', "mine.jsonl:2: span = '7'"),
        ('{"claim": "a", "span": "b", "label": "PARTIAL", "kind": []}', "mine.jsonl:2: kind"),
        ('{"claim": "a", "span": "b", "label": "PARTIAL", "block": "aside"}', "mine.jsonl:2: block 'aside'"),
        ('{"claim": "a"', "mine.jsonl:2: not JSON"),
        ("[1]", "mine.jsonl:2: list is no row"),
        ("[" * 100_000, "mine.jsonl:2: not JSON"),
    ],
)
def test_a_row_that_is_none_is_named_with_its_line_and_field(tmp_path: Path, text: str, said: str):
    path = tmp_path / "mine.jsonl"
    path.write_text(f"{json.dumps(ROW)}\n{text}\n")
    with pytest.raises(UserError, match=said.replace("(", r"\(")):
        read_triples([path])


def test_bytes_that_are_not_utf_8_are_named_with_their_line(tmp_path: Path):
    path = tmp_path / "mine.jsonl"
    path.write_bytes(json.dumps(ROW).encode() + b'\n{"claim": "caf\xe9"}')
    with pytest.raises(UserError, match=r"mine\.jsonl:2: not UTF-8"):
        read_triples([path])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("claim,span,label\na,b,PARTIAL,c\n", r":2: more cells"),
        ('claim,span,label\na,"b\n', r":2: not CSV"),
        ("claim,label\na,PARTIAL\n", r":2: no 'span'"),
        ("claim,span,label\na,,PARTIAL\n", r":2: no 'span'"),
        ("claim,span,label\n", "no rows"),
    ],
)
def test_a_csv_that_is_none_is_named_with_its_line(tmp_path: Path, text: str, said: str):
    path = tmp_path / "mine.csv"
    path.write_text(text)
    with pytest.raises(UserError, match=said):
        read_triples([path])


def test_no_rows_are_an_error_and_never_a_pass(tmp_path: Path):
    empty = tmp_path / "empty.jsonl"
    empty.write_text("\n")
    for given_paths, said in (([empty], "no rows"), ([tmp_path / "none.jsonl"], "cannot be read"), ([], "no rows")):
        with pytest.raises(UserError, match=said):
            read_triples(given_paths)
    folder = tmp_path / "folder"
    folder.mkdir()
    with pytest.raises(UserError, match="in this folder"):
        read_triples([folder])


def test_a_row_that_would_count_twice_is_refused(tmp_path: Path):
    path = write(tmp_path / "mine.jsonl", ROW | {"id": "a"}, ROW | {"id": "a"})
    with pytest.raises(UserError, match="'a' stands twice"):
        read_triples([path])
    once = write(tmp_path / "once.jsonl", ROW)
    with pytest.raises(UserError, match="named twice"):
        read_triples([once, tmp_path])


def test_another_ending_is_refused_with_the_endings_that_are_read(tmp_path: Path):
    with pytest.raises(UserError, match=r"\.jsonl and \.csv"):
        read_triples([tmp_path / "mine.xlsx"])


def test_the_near_misses_that_ship_can_be_read():
    if not shipped_near_misses().is_file():
        pytest.skip("this copy ships no near-miss set yet")
    found = read_shipped()
    assert {row.dataset for row in found.rows} == {"near_misses", "labelled"}
    assert {row.label for row in found.rows} >= {Label.SUPPORTED, Label.NOT_SUPPORTED}
