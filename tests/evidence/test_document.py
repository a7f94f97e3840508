from collections.abc import Callable
from dataclasses import replace

import pytest

from affidavit.errors import IntegrityError
from affidavit.evidence import Block, BlockKind, Document

DocumentOf = Callable[..., Document]


def test_the_id_is_of_the_address_the_bytes_and_the_extractor(document_of: DocumentOf) -> None:
    document = document_of("The mill.")
    assert document.doc_id.startswith("doc_")
    assert len(document.doc_id) == 20
    assert replace(document, retrieved_at="2027-01-01T00:00:00Z", title="Mill").doc_id == document.doc_id
    for changed in ({"canonical_url": "https://example.org/b"}, {"sha256": "1" * 64}, {"extractor": "test/2"}):
        assert replace(document, **changed).doc_id != document.doc_id


def test_blocks_are_found_by_offset(document_of: DocumentOf) -> None:
    document = document_of((BlockKind.HEADING, "Mills"), "One.", "Two.")
    kinds = [block.kind if block else None for block in map(document.block_at, (0, 4, 5, 7, 10, 13, 16, 17))]
    heading, paragraph = BlockKind.HEADING, BlockKind.PARAGRAPH
    assert kinds == [heading, heading, None, paragraph, paragraph, paragraph, paragraph, None]
    assert [block.start for block in document.blocks_between(3, 8)] == [0, 7]
    assert document.blocks_between(5, 7) == ()


def test_breaks_are_found_by_range(document_of: DocumentOf) -> None:
    document = document_of("One. Two. Three.", breaks=(5, 10))
    assert document.break_within(0, 5) is None
    assert document.break_within(5, 10) is None
    assert document.break_within(4, 6) == 5
    assert document.break_within(5, 16) == 10


def test_headings_above_an_offset_run_from_the_outermost(document_of: DocumentOf) -> None:
    document = document_of(
        "Top. Part. Sub. Text.",
        blocks=(
            Block(0, 4, BlockKind.HEADING, level=1),
            Block(5, 10, BlockKind.HEADING, level=2),
            Block(11, 15, BlockKind.HEADING, level=2),
            Block(16, 21, BlockKind.PARAGRAPH),
        ),
    )
    assert document.headings_at(17) == ("Top.", "Sub.")


@pytest.mark.parametrize(
    "fields",
    [
        {"blocks": (Block(0, 3, BlockKind.PARAGRAPH), Block(2, 5, BlockKind.PARAGRAPH))},
        {"blocks": (Block(4, 6, BlockKind.PARAGRAPH), Block(0, 3, BlockKind.PARAGRAPH))},
        {"blocks": (Block(0, 99, BlockKind.PARAGRAPH),)},
        {"blocks": (Block(3, 3, BlockKind.PARAGRAPH),)},
        {"breaks": (5, 2)},
        {"breaks": (99,)},
        {"breaks": (-1,)},
    ],
)
def test_blocks_and_breaks_out_of_order_make_no_document(document_of: DocumentOf, fields: dict[str, object]) -> None:
    with pytest.raises(IntegrityError, match=r"example\.org"):
        document_of("The mill.", **fields)
