from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.errors import IntegrityError
from affidavit.ledger.event import BEGUN, FINISHED, Event, event_from_json, verify_chain

RUN = "run_0000000000test"


def chain(count: int) -> list[Event]:
    """A finished run of `count` events."""
    events: list[Event] = []
    for number in range(1, count + 1):
        event_type = BEGUN if number == 1 else FINISHED if number == count else "page.fetched"
        last = events[-1] if events else None
        events.append(Event.following(last, run_id=RUN, event_type=event_type, at="2026-01-01", payload={"n": number}))
    return events


def test_an_untouched_chain_verifies() -> None:
    assert verify_chain(chain(5), RUN) == 5


@given(st.integers(1, 5), st.sampled_from(["type", "at", "payload", "previous", "digest", "seq", "run_id"]))
def test_changing_any_field_of_any_event_breaks_the_chain(number: int, field: str) -> None:
    events = chain(5)
    other: dict[str, object] = {"payload": {"n": 99}, "seq": 99, "type": "x.y"}
    events[number - 1] = replace(events[number - 1], **{field: other.get(field, "x")})
    with pytest.raises(IntegrityError, match=f"event {number}"):
        verify_chain(events, RUN)


@given(st.data())
def test_leaving_out_or_moving_events_breaks_the_chain(data: st.DataObject) -> None:
    events = chain(5)
    shuffled = data.draw(st.lists(st.sampled_from(events), unique_by=lambda event: event.seq, max_size=5))
    if shuffled == events[: len(shuffled)] and shuffled:
        assert verify_chain(shuffled, RUN) == len(shuffled)
    else:
        with pytest.raises(IntegrityError):
            verify_chain(shuffled, RUN)


def test_nothing_may_follow_the_end() -> None:
    events = chain(3)
    events.append(Event.following(events[-1], run_id=RUN, event_type="page.fetched", at="x", payload={}))
    with pytest.raises(IntegrityError, match="after the run was finished"):
        verify_chain(events, RUN)


def test_an_event_survives_its_json_form() -> None:
    event = chain(2)[1]
    assert event_from_json(event.as_json(), "line 1") == event


@pytest.mark.parametrize(
    ("name", "value"), [("seq", "1"), ("seq", True), ("payload", []), ("previous", 3), ("digest", None), ("extra", 1)]
)
def test_a_line_that_is_no_event_is_refused(name: str, value: object) -> None:
    with pytest.raises(IntegrityError, match="line 7"):
        event_from_json({**chain(1)[0].as_json(), name: value}, "line 7")


@pytest.mark.parametrize("name", ["", "Page", "page.", "page fetched", "page..x", "page\n"])
def test_an_event_type_is_lower_case_words_and_dots(name: str) -> None:
    with pytest.raises(ValueError, match="event type"):
        Event.following(None, run_id=RUN, event_type=name, at="x", payload={})
