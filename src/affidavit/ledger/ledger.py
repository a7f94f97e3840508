"""What happened, append-only: every event of every run, chained, in one transaction each.

The ledger is the one place that remembers. It is written as the run goes, so that a crash, a full disk or Ctrl-C
leaves everything up to that moment readable; and nothing in it can be changed, so that what it says later is
what was said then. Beside runs it holds streams: chains of events that have no end, such as a customer's register.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from affidavit.errors import IntegrityError, Overtaken, StorageError, UserError
from affidavit.ledger.blobs import Blobs
from affidavit.ledger.canonical import plain
from affidavit.ledger.database import connect, database_url, shown, translated, writing
from affidavit.ledger.event import (
    BEGUN,
    FINISHED,
    Event,
    payload_from_text,
    payload_text,
    seconds_run,
    verify_chain,
    verify_stream,
)
from affidavit.ledger.presence import FilePresence, PostgresPresence, Presence
from affidavit.ledger.redaction import Redactor
from affidavit.ledger.run import Run, RunLog, new_run_id
from affidavit.ledger.schema import events_table
from affidavit.version import __version__

if TYPE_CHECKING:
    from sqlalchemy import URL, Engine


def _utc_now() -> datetime:
    return datetime.now(UTC)


class Ledger:
    """Opened by `Ledger.open`, closed by `close` or as a context manager. Safe with several processes."""

    def __init__(
        self,
        engine: "Engine",
        url: "URL",
        *,
        blobs: Blobs,
        presence: Presence,
        redactor: Redactor,
        clock: Callable[[], datetime],
    ) -> None:
        self._engine = engine
        self._url = url
        self._presence = presence
        self._redactor = redactor
        self._clock = clock
        self.blobs = blobs

    @classmethod
    def open(
        cls,
        where: str | Path,
        *,
        blobs: Path | None = None,
        secrets: Iterable[str] = (),
        clock: Callable[[], datetime] = _utc_now,
    ) -> "Ledger":
        """Open the ledger at `where`, a path to a SQLite file or a database URL, and make it if it is not there.

        `blobs` is the folder of blobs: beside a SQLite file by default, to be named for PostgreSQL. `secrets` are
        values that must never be recorded. Raises StorageError, and MissingExtra for PostgreSQL without its driver.
        """
        redactor = Redactor(secrets)
        url = database_url(where)
        sqlite = url.get_backend_name() == "sqlite"
        file = Path(url.database or "")
        if blobs is None and not sqlite:
            raise StorageError(f"{shown(url)}: name a folder for the blobs; a PostgreSQL ledger has none beside it")
        engine = connect(url)
        presence = FilePresence(file.with_name(file.name + "-runs")) if sqlite else PostgresPresence(engine)
        return cls(
            engine,
            url,
            blobs=Blobs(blobs or file.parent / "blobs"),
            presence=presence,
            redactor=redactor,
            clock=clock,
        )

    def close(self) -> None:
        """Let go of the database. A run that is not finished is interrupted from here on."""
        self._presence.close()
        self._engine.dispose()

    def __enter__(self) -> "Ledger":
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _: TracebackType | None
    ) -> None:
        self.close()

    def begin(self, kind: str, question: str | None, settings: Mapping[str, object]) -> RunLog:
        """Begin a run of `kind` (ask, write, check) and record its question, settings and the product's version."""
        said = {"kind": kind, "question": question, "settings": settings, "product": __version__}
        whole: Any = plain(said, BEGUN)
        payload: Any = self._redactor.value(whole)
        run_id = new_run_id(self._clock())
        self._presence.hold(run_id)
        try:
            first = Event.following(None, run_id=run_id, event_type=BEGUN, at=self._now(), payload=payload)
            self._write(first)
            log = self._log(run_id, first)
            log.begun(whole)
        except BaseException:
            self._presence.release(run_id)
            raise
        return log

    def resume(self, run_id: str) -> RunLog:
        """Go on writing an interrupted run, its chain verified; that it goes on is recorded.

        Raises UserError for a run that is finished, StorageError for one that another process is writing.
        """
        run = self.run(run_id)
        self._presence.hold(run.run_id)
        try:
            events = self.events(run.run_id)
            verify_chain(events, run.run_id)
        except BaseException:
            self._presence.release(run.run_id)
            raise
        last = max(events, key=lambda event: event.seq)
        if last.type == FINISHED:
            self._presence.release(run.run_id)
            raise UserError(f"{run.run_id} finished as {run.state}; begin a new run instead")
        log = self._log(run.run_id, last)
        try:
            log.resumed(seconds_run(events)[-1])
        except BaseException:
            self._presence.release(run.run_id)
            raise
        return log

    def cleaned(self, value: object) -> object:
        """`value` as it would stand in an event: plain JSON without secrets."""
        return self._redactor.value(plain(value))

    def runs(self, limit: int = 20) -> tuple[Run, ...]:
        """The newest runs, newest first."""
        table = events_table()
        newest = table.select().where(table.c.type == BEGUN).order_by(table.c.run_id.desc()).limit(limit)
        return self._summaries(newest)

    def run(self, run_id: str) -> Run:
        """The run of that id, or of a beginning of it that only one run has. Raises UserError."""
        table = events_table()
        wanted = run_id if run_id.startswith("run_") else f"run_{run_id}"
        begun = table.select().where(table.c.type == BEGUN)
        found = self._summaries(begun.where(table.c.run_id == wanted)) or self._summaries(
            begun.where(table.c.run_id.startswith(wanted, autoescape=True)).order_by(table.c.run_id.desc()).limit(5)
        )
        if len(found) == 1:
            return found[0]
        if found:
            some = ", ".join(run.run_id for run in found[:4])
            raise UserError(f"{run_id} begins more than one run ({some}, …); write more of it")
        raise UserError(f"no run {run_id} in {shown(self._url)}; `affidavit runs list` shows what there is")

    def events(self, run_id: str) -> tuple[Event, ...]:
        """The run's events in order, as recorded and not verified. `run_id` is whole or a unique beginning."""
        table = events_table()
        whole = self.run(run_id).run_id
        return self._select(table.select().where(table.c.run_id == whole).order_by(table.c.seq))

    def recorded(self, event_type: str, limit: int = 1000) -> tuple[Event, ...]:
        """The newest events of that type, newest first, of runs that came to their end."""
        import sqlalchemy as sa  # late: 0.15 s, and `--version` needs no database

        table = events_table()
        finished = sa.select(table.c.run_id).where(table.c.type == FINISHED)
        newest = table.select().where(table.c.type == event_type, table.c.run_id.in_(finished))
        return self._select(newest.order_by(table.c.run_id.desc(), table.c.seq.desc()).limit(limit))

    def verify(self, run_id: str) -> int:
        """How many events the run has, each hashed again. Raises IntegrityError at the first that does not fit."""
        whole = self.run(run_id).run_id
        return verify_chain(self.events(whole), whole)

    def stream(self, stream: str) -> tuple[Event, ...]:
        """The events of a stream in order, each hashed again; none if it has not begun. Raises IntegrityError."""
        table = events_table()
        found = self._select(table.select().where(table.c.run_id == stream).order_by(table.c.seq))
        verify_stream(found, stream)
        return found

    def streams(self, event_type: str) -> tuple[Event, ...]:
        """The first events of all streams that begin with one of that type, in the order of their names."""
        table = events_table()
        firsts = table.select().where(table.c.type == event_type, table.c.seq == 1)
        return self._select(firsts.order_by(table.c.run_id))

    def append(
        self, stream: str, after: Event | None, said: Sequence[tuple[str, Mapping[str, object]]]
    ) -> tuple[Event, ...]:
        """Append to `stream` what is `said`, types and payloads, behind the event `after` (None: to begin it).

        A stream is a chain of events that is no run: it has no end, and any process may go on with it. All of `said` is
        recorded in one transaction, or nothing. Raises Overtaken where another process went on from `after` first: read
        the stream again, and decide again.
        """
        events: list[Event] = []
        for event_type, payload in said:
            clean: Any = self._redactor.value(plain(payload, event_type))
            last = events[-1] if events else after
            events.append(Event.following(last, run_id=stream, event_type=event_type, at=self._now(), payload=clean))
        try:
            self._write(*events)
        except StorageError as error:
            if _taken(error):
                number = 1 if after is None else after.seq + 1
                raise Overtaken(
                    f"{stream}: another process recorded event {number} first; nothing was recorded"
                ) from error
            raise
        return tuple(events)

    def _log(self, run_id: str, last: Event) -> RunLog:
        return RunLog(
            run_id,
            last,
            write=self._write,
            now=self._now,
            redactor=self._redactor,
            release=lambda: self._presence.release(run_id),
        )

    def _now(self) -> str:
        return self._clock().astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")

    def _write(self, *events: Event) -> None:
        rows = [
            {
                "run_id": event.run_id,
                "seq": event.seq,
                "type": event.type,
                "at": event.at,
                "payload": payload_text(event),
                "previous": event.previous,
                "digest": event.digest,
            }
            for event in events
        ]
        with translated(self._url), writing(self._engine) as connection:
            connection.execute(events_table().insert(), rows)

    def _select(self, query: Any) -> tuple[Event, ...]:
        with translated(self._url), self._engine.connect() as connection:
            rows = connection.execute(query).all()
        return tuple(
            Event(
                run_id=row.run_id,
                seq=row.seq,
                type=row.type,
                at=row.at,
                payload=_payload(row.payload, f"{shown(self._url)}: {row.run_id}, event {row.seq}"),
                previous=row.previous,
                digest=row.digest,
            )
            for row in rows
        )

    def _summaries(self, begun: Any) -> tuple[Run, ...]:
        import sqlalchemy as sa  # late: 0.15 s, and `--version` needs no database

        table = events_table()
        firsts = self._select(begun)
        ids = [first.run_id for first in firsts]
        ends = sa.select(table.c.run_id, sa.func.max(table.c.seq).label("seq"))
        ends = ends.where(table.c.run_id.in_(ids)).group_by(table.c.run_id).subquery()
        match = sa.and_(table.c.run_id == ends.c.run_id, table.c.seq == ends.c.seq)
        lasts = {last.run_id: last for last in self._select(sa.select(table).join(ends, match))}
        with translated(self._url):
            alive = self._presence.alive(ids)
        return tuple(Run.of(first, lasts[first.run_id], alive=first.run_id in alive) for first in firsts)


def _taken(error: StorageError) -> bool:
    """Whether the database refused an event because there is one of that number already."""
    from sqlalchemy import exc  # late: 0.15 s, and `--version` needs no database

    return isinstance(error.__cause__, exc.IntegrityError)


def _payload(text: str, where: str) -> dict[str, object]:
    try:
        return payload_from_text(text)
    except ValueError as error:
        raise IntegrityError(f"{where}: its payload is not JSON any more: {error}") from error
