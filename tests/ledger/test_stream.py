"""A stream is a chain of events that several processes go on with: nothing is lost, nothing is recorded twice."""

import threading
from collections.abc import Callable

import pytest

from affidavit.errors import IntegrityError, Overtaken
from affidavit.ledger.event import verify_stream
from affidavit.ledger.ledger import Ledger

OpenLedger = Callable[..., Ledger]


def test_a_stream_is_read_back_in_order_and_one_that_has_not_begun_is_empty(open_ledger: OpenLedger) -> None:
    ledger = open_ledger()
    assert ledger.stream("reg_1") == ()
    first, second = ledger.append("reg_1", None, [("facts.begun", {"customer": "Harbour"}), ("facts.added", {"n": 1})])
    (third,) = ledger.append("reg_1", second, [("facts.added", {"n": 2})])
    assert open_ledger().stream("reg_1") == (first, second, third)
    assert [event.seq for event in (first, second, third)] == [1, 2, 3]
    assert verify_stream(open_ledger().stream("reg_1"), "reg_1") == 3


def test_who_comes_second_is_told_and_records_nothing(open_ledger: OpenLedger) -> None:
    one, other = open_ledger(), open_ledger()
    (begun,) = one.append("reg_1", None, [("facts.begun", {})])
    (theirs,) = other.append("reg_1", begun, [("facts.added", {"by": "Ada"})])
    with pytest.raises(Overtaken, match="another process recorded event 2 first"):
        one.append("reg_1", begun, [("facts.added", {"by": "Ben"}), ("facts.added", {"by": "Ben"})])
    assert one.stream("reg_1") == (begun, theirs)
    one.append("reg_1", theirs, [("facts.added", {"by": "Ben"})])
    assert [event.payload.get("by") for event in one.stream("reg_1")] == [None, "Ada", "Ben"]


def test_two_that_begin_one_stream_at_once_begin_it_once(open_ledger: OpenLedger) -> None:
    one, other = open_ledger(), open_ledger()
    one.append("reg_1", None, [("facts.begun", {"customer": "a"})])
    with pytest.raises(Overtaken):
        other.append("reg_1", None, [("facts.begun", {"customer": "b"})])


def test_many_writers_at_once_lose_nothing(open_ledger: OpenLedger) -> None:
    ledgers = [open_ledger() for _ in range(4)]
    ledgers[0].append("reg_1", None, [("facts.begun", {})])

    def write(number: int) -> None:
        for turn in range(5):
            while True:
                try:
                    last = ledgers[number].stream("reg_1")[-1]
                    ledgers[number].append("reg_1", last, [("facts.added", {"by": number, "turn": turn})])
                except Overtaken:
                    continue
                break

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    said = [(event.payload["by"], event.payload["turn"]) for event in ledgers[0].stream("reg_1")[1:]]
    assert sorted(said) == [(number, turn) for number in range(4) for turn in range(5)]


def test_streams_are_found_by_how_they_begin_and_are_no_runs(open_ledger: OpenLedger) -> None:
    ledger = open_ledger()
    ledger.append("reg_2", None, [("facts.begun", {"customer": "b"})])
    ledger.append("reg_1", None, [("facts.begun", {"customer": "a"}), ("facts.added", {})])
    ledger.append("mem_1", None, [("memory.begun", {"customer": "a"})])
    assert [event.payload["customer"] for event in ledger.streams("facts.begun")] == ["a", "b"]
    assert ledger.runs() == ()


def test_a_secret_does_not_enter_a_stream(open_ledger: OpenLedger) -> None:
    ledger = open_ledger(secrets=["correct-horse-battery"])
    ledger.append("reg_1", None, [("facts.added", {"text": "the key is correct-horse-battery"})])
    assert ledger.stream("reg_1")[0].payload == {"text": "the key is [redacted:secret]"}


def test_an_event_that_was_altered_or_left_out_breaks_the_chain(open_ledger: OpenLedger) -> None:
    ledger = open_ledger()
    events = ledger.append("reg_1", None, [("facts.begun", {}), ("facts.added", {"n": 1}), ("facts.added", {"n": 2})])
    with pytest.raises(IntegrityError, match="event 2: is numbered 3"):
        verify_stream((events[0], events[2]), "reg_1")
    with pytest.raises(IntegrityError, match="event 1: belongs to reg_1"):
        verify_stream(events, "reg_2")
