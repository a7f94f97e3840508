"""The pieces of a customer in the ledger."""

import threading

import pytest

from affidavit.errors import NotRecorded
from affidavit.evidence.piece import Piece, PieceState, Round
from affidavit.ledger import Ledger
from affidavit.write.memory import recall_markdown
from affidavit.write.pieces import PIECE, Pieces, piece_event


@pytest.fixture
def ledger(tmp_path):
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        yield ledger


def keep(ledger, title, text, state=PieceState.ACCEPTED, customer="Harbour"):
    with ledger.begin("write", title, {}) as log:
        rounds = (Round(draft=text or "", findings=(), review=None),)
        piece = Piece(
            run_id=log.run_id, customer=customer, title=title, notes="", state=state, rounds=rounds, text=text
        )
        log.record(PIECE, piece_event(piece, {"title": title, "run_id": log.run_id}))
        log.finish(state.value)


def titles(memory):
    return [piece.title for piece in memory.pieces]


def test_what_was_handed_out_is_remembered_the_newest_first_and_what_was_withheld_is_not(ledger):
    keep(ledger, "One", "Text of one.")
    keep(ledger, "Two", None, PieceState.NEEDS_ATTENTION)
    keep(ledger, "Three", "Text of three.", PieceState.ACCEPTED_WITH_WARNINGS)
    keep(ledger, "Other", "Text.", customer="Quay")
    assert titles(Pieces(ledger).memory("harbour ")) == ["Three", "One"]


def test_versions_of_one_piece_are_one_and_a_piece_is_none_of_its_own_earlier_ones(ledger):
    keep(ledger, "One", "First text.")
    keep(ledger, "One", "Second text.")
    memory = Pieces(ledger).memory("Harbour")
    assert [piece.summary for piece in memory.pieces] == ["Second text."]
    assert titles(Pieces(ledger).memory("Harbour", but="one")) == []


def test_an_import_is_remembered_once(ledger):
    pieces = Pieces(ledger)
    found = [recall_markdown("A", "Text a."), recall_markdown("B", "Text b."), recall_markdown("A", "Text a.")]
    first = pieces.add("Harbour", found)
    assert ([one.title for one in first.new], first.known) == (["A", "B"], 1)
    assert pieces.add("HARBOUR", found[:2]).new == ()
    assert titles(pieces.memory("Harbour")) == ["B", "A"]
    assert titles(pieces.memory("Quay")) == []


def test_earlier_pieces_are_found_again_by_their_ids_in_that_order(ledger):
    pieces = Pieces(ledger)
    keep(ledger, "One", "First text.")
    keep(ledger, "One", "Second text.")
    pieces.add("Harbour", [recall_markdown("A", "Text a.")])
    (imported,) = [one for one in pieces.memory("Harbour").pieces if one.title == "A"]
    first = recall_markdown("One", "First text.").memory_id  # an earlier version, which the memory has no more
    assert titles(pieces.recall("harbour", [imported.memory_id, first])) == ["A", "One"]
    with pytest.raises(NotRecorded, match="mem_0 of Harbour"):
        pieces.recall("Harbour", ["mem_0"])
    with pytest.raises(NotRecorded, match="of Quay"):
        pieces.recall("Quay", [first])


def test_two_that_import_at_once_both_succeed(tmp_path):
    path = tmp_path / "ledger.sqlite"
    with Ledger.open(path):
        pass
    failures: list[Exception] = []

    def work(name: str) -> None:
        try:
            with Ledger.open(path) as ledger:
                Pieces(ledger).add("Harbour", [recall_markdown(f"{name}{n}", f"Text {name} {n}.") for n in range(3)])
        except Exception as error:  # noqa: BLE001 - told by the thread that asserts
            failures.append(error)

    threads = [threading.Thread(target=work, args=(name,)) for name in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    with Ledger.open(path) as ledger:
        assert len(Pieces(ledger).memory("Harbour").pieces) == 9
