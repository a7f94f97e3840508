"""A run as the ledger shows it, and the hand that writes one."""

import secrets
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import TracebackType
from typing import cast

from affidavit.errors import IntegrityError, OperatorError, StorageError
from affidavit.evidence.answer import Answer
from affidavit.ledger.canonical import plain
from affidavit.ledger.event import BEGUN, CUT, FINISHED, PUBLISHED, RESUMED, STOPPED, Event, answer_payload
from affidavit.ledger.redaction import Redactor
from affidavit.ledger.sameness import Sameness

RUNNING = "running"
INTERRUPTED = "interrupted"
FAILED = "failed"

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
"""Crockford's base 32 in lower case: sorts as it counts, and has no letter that looks like a digit."""


def new_run_id(now: datetime) -> str:
    """``run_``, nine characters of time (ms) and five of chance (25 bits): sorts by time, short enough to type."""
    return "run_" + _base32(int(now.timestamp() * 1000), 9) + _base32(secrets.randbits(25), 5)


def _base32(number: int, width: int) -> str:
    digits = ""
    for _ in range(width):
        number, digit = divmod(number, 32)
        digits = ALPHABET[digit] + digits
    return digits


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What a run's events say of it. `state` is what it finished with, or ``running``, or ``interrupted``.

    `resumable` is whether it can go on from where it was left: it has no end, and no process is writing it.
    """

    run_id: str
    kind: str
    question: str | None
    settings: Mapping[str, object]
    product: str
    state: str
    begun_at: str
    last_at: str
    events: int
    resumable: bool = False

    @classmethod
    def of(cls, first: Event, last: Event, *, alive: bool) -> "Run":
        """The run whose first and last events these are."""
        said = first.payload
        ended = str(last.payload["state"]) if last.type in (FINISHED, STOPPED) else INTERRUPTED
        return cls(
            run_id=first.run_id,
            kind=str(said["kind"]),
            question=cast("str | None", said["question"]),
            settings=cast("Mapping[str, object]", said["settings"]),
            product=str(said["product"]),
            state=RUNNING if alive and last.type != FINISHED else ended,
            begun_at=first.at,
            last_at=last.at,
            events=last.seq,
            resumable=last.type != FINISHED and not alive,
        )


class RunLog:
    """Writes one run's events, each in a transaction of its own. Made by `Ledger.begin` and `Ledger.resume`.

    As a context manager it says of a run that leaves it by an exception how it ended. After Ctrl-C and a cancelled
    task it is `interrupted`, and after an OperatorError `failed`: both have only stopped, and can be resumed. After any
    other error it is `failed` for good. Safe to call from several threads.
    """

    def __init__(
        self,
        run_id: str,
        last: Event | None,
        *,
        write: Callable[[Event], None],
        now: Callable[[], str],
        redactor: Redactor,
        release: Callable[[], None],
    ) -> None:
        self.run_id = run_id
        self._last = last
        self._write = write
        self._now = now
        self._redactor = redactor
        self._release = release
        self._lock = threading.Lock()
        self._sameness = Sameness()

    @property
    def finished(self) -> bool:
        return self._last is not None and self._last.type == FINISHED

    def record(self, event_type: str, payload: Mapping[str, object]) -> int:
        """Append an event and return its number in the run. On return it is on the disk.

        Secrets are cut from the payload first. Raises StorageError, after which the event is not recorded and
        may be tried again; IntegrityError once the run is finished; TypeError for a payload that is not JSON.
        """
        if event_type.startswith("run."):
            raise ValueError(f"event type {event_type!r}: what begins with run. is written by begin() and finish()")
        return self._append(event_type, payload)

    def publish(self, answer: Answer, shown: Mapping[str, object] | None = None) -> int:
        """Record that `answer` is what this run gives back, and finish with its state.

        A bundle is checked against this event; without it nobody can tell that the answer is this run's. `shown` is
        the answer as JSON: what a replay is compared with, field by field.
        """
        self._append(PUBLISHED, answer_payload(answer) | ({} if shown is None else {"answer": shown}))
        return self.finish(answer.state)

    def resumed(self, seconds: float) -> int:
        """Record that the run goes on; `seconds` is how long it had run when it was left."""
        return self._append(RESUMED, {"seconds": seconds})

    def cleaned(self, value: object) -> object:
        """`value` as it would stand in an event: plain JSON without secrets."""
        return self._redactor.value(plain(value))

    def same(self, url: str) -> str:
        """A digest of `url`, equal for the same address and told from no other by what is recorded: see `Sameness`."""
        return self._sameness.of(url)

    def begun(self, payload: Mapping[str, object]) -> None:
        """Record the digests of the addresses that were cut out of the run's first event, whose `payload` this was."""
        with self._lock:
            self._cut(BEGUN, payload)

    def finish(self, state: str, detail: str | None = None) -> int:
        """Record the end. Nothing can be recorded after it."""
        seq = self._append(FINISHED, {"state": state, "detail": detail})
        self._release()
        return seq

    def stop(self, state: str, detail: str) -> int:
        """Record that the run is left before its end, and let go of it: it can be resumed."""
        seq = self._append(STOPPED, {"state": state, "detail": detail})
        self._release()
        return seq

    def _append(self, event_type: str, payload: Mapping[str, object]) -> int:
        said = plain(payload, event_type)
        clean = cast("dict[str, object]", self._redactor.value(said))
        with self._lock:
            if self.finished:
                raise IntegrityError(f"{self.run_id} is finished; {event_type} came after its end")
            self._cut(event_type, said)
            return self._chain(event_type, clean)

    def _cut(self, event_type: str, said: object) -> None:
        lost = self._sameness.cut(event_type, said, self._redactor)
        if lost is not None:
            self._chain(CUT, lost)

    def _chain(self, event_type: str, clean: Mapping[str, object]) -> int:
        event = Event.following(self._last, run_id=self.run_id, event_type=event_type, at=self._now(), payload=clean)
        self._write(event)
        self._last = event
        return event.seq

    def __enter__(self) -> "RunLog":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        if self.finished:
            return
        if error is None:
            self.finish(INTERRUPTED, "left without a result")
            return
        detail = f"{type(error).__name__}: {error}"
        try:
            if isinstance(error, Exception) and not isinstance(error, OperatorError):
                self.finish(FAILED, detail)
            else:
                self.stop(FAILED if isinstance(error, Exception) else INTERRUPTED, detail)
        except StorageError as also:
            error.add_note(f"The end of {self.run_id} could not be recorded: {also}")
            self._release()
