"""How a judge's agreement with people's labels went over time, and which judges nobody measured after a change.

All of it is in the ledger. Evals say how good a verifier was found to be, on which rows; runs say who judged them. A
verifier that is a model signs with the model and with the digest of its prompt, so either change makes another judge
of it, of whom the old figures say nothing (contract X4).
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any, cast

from affidavit.check_record import CARD
from affidavit.errors import UserError
from affidavit.evals.agreement import Share
from affidavit.ledger import Event, Ledger
from affidavit.usual import RATES
from affidavit.verify.calibration import CALIBRATED
from affidavit.verify.model import MODEL

MOST = 10_000
"""Events of a type that are read, the newest."""
ASK, CHECK = "ask", "check"
NEXT = "next"
"""The job of a judge that has judged nothing yet: it would be asked now."""
SHIPPED = "its figures come with it"
"""In place of a time, of a verifier that was measured elsewhere."""
_SHARES = ("agreement", "false_supported", "could_not_check")


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """What one eval found of one verifier. `at` is ISO-8601, UTC; `digest` is that of the rows."""

    run_id: str
    at: str
    verifier: str
    digest: str
    rows: int
    agreement: Share
    """Of the rows that it could check, those answered with their very label."""
    false_supported: Share
    could_not_check: Share

    @property
    def series(self) -> tuple[str, str]:
        """Figures are held against each other within one: the same verifier on the same rows."""
        return self.digest, self.verifier


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """Who judged the `runs` of one job (``ask``, ``check``, or `NEXT`) without a break, from `first` to `last`."""

    job: str
    verifier: str
    first: str
    last: str
    runs: int
    run_id: str
    """The first of them; empty for `NEXT`."""
    changed: tuple[str, ...]
    """What is another than in the runs before: ``model``, ``prompt``, or ``verifier``; empty at the beginning."""
    measured: str | None
    """When somebody last measured it, before or after, or `SHIPPED`; None: nobody has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    """What the ledger says from `since` on, oldest first."""

    since: str
    measurements: tuple[Measurement, ...]
    judges: tuple[Judge, ...]

    @property
    def unmeasured(self) -> tuple[Judge, ...]:
        """The judges that nobody has measured."""
        return tuple(one for one in self.judges if one.measured is None)

    @property
    def fallen(self) -> tuple[tuple[Measurement, Measurement], ...]:
        """Where a verifier agrees less than it did before on the same rows, and chance would hardly do it: the two 95%
        intervals lie apart."""
        found: list[tuple[Measurement, Measurement]] = []
        for series in grouped(self.measurements).values():
            for before, after in pairwise(series):
                was, is_now = before.agreement.interval, after.agreement.interval
                if was is not None and is_now is not None and is_now[1] < was[0]:
                    found.append((before, after))
        return tuple(found)


def grouped(measurements: Iterable[Measurement]) -> dict[tuple[str, str], list[Measurement]]:
    """By series, in order of first measuring."""
    groups: dict[tuple[str, str], list[Measurement]] = {}
    for one in measurements:
        groups.setdefault(one.series, []).append(one)
    return groups


def since_of(given: str) -> str:
    """A date or a time as ISO-8601 in UTC, to be compared with those of events. Raises UserError for anything else."""
    try:
        time = datetime.fromisoformat(given)
    except ValueError:
        raise UserError(f"--since {given!r}: write a date or a time, such as 2026-11-01 or 2026-11-01T09:00") from None
    return (time if time.tzinfo else time.replace(tzinfo=UTC)).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S")


def drift(ledger: Ledger, since: str, now: str | None = None) -> Drift:
    """What `ledger` holds from `since` on (see `since_of`). `now` is as whom the verifier of the next run would sign,
    where it is a model. Raises StorageError."""
    measured = sorted((_measurement(event) for event in ledger.recorded(CALIBRATED, MOST)), key=lambda one: one.at)
    newest = {one.verifier: one.at for one in measured}
    judges: list[Judge] = []
    for found in (_of_asks(ledger), _of_checks(ledger)):
        judges += [one for one in _stints(found) if one.last >= since]
    if now is not None:
        before = next((one.verifier for one in reversed(judges) if one.job == ASK), None)
        if now != before:
            changed = () if before is None else _changed(before, now)
            judges.append(_judge(NEXT, now, "", "", changed))
    return Drift(
        since=since,
        measurements=tuple(one for one in measured if one.at >= since),
        judges=tuple(replace(one, measured=newest.get(one.verifier) or _known(one, ledger)) for one in judges),
    )


def _measurement(event: Event) -> Measurement:
    said = cast("Mapping[str, Any]", event.payload)
    shares = {name: Share(said[name]["hits"], said[name]["of"]) for name in _SHARES}
    return Measurement(
        run_id=event.run_id,
        at=event.at,
        verifier=said["verifier"],
        digest=said["digest"],
        rows=said["rows"],
        **shares,
    )


def _of_asks(ledger: Ledger) -> Iterator[Judge]:
    """A judge a run, oldest first."""
    for event in sorted(ledger.recorded(RATES, MOST), key=lambda one: one.at):
        said = cast("Mapping[str, Any]", event.payload)
        if said["kind"] == ASK:
            yield _judge(ASK, said["verifier"], event.at, event.run_id)


def _of_checks(ledger: Ledger) -> Iterator[Judge]:
    """Of those that asked a verifier about what the rules left open. Its card is in their record."""
    for event in sorted(ledger.recorded(CARD, MOST), key=lambda one: one.at):
        said = cast("Mapping[str, Any]", event.payload)
        known = said["calibration"]
        found = _judge(CHECK, f"{said['name']}/{said['version']}", event.at, event.run_id)
        yield replace(found, measured=None if known is None else str(known.get("measured_at", SHIPPED)))


def _judge(job: str, verifier: str, at: str, run_id: str, changed: tuple[str, ...] = ()) -> Judge:
    runs = 0 if job == NEXT else 1
    return Judge(
        job=job, verifier=verifier, first=at, last=at, runs=runs, run_id=run_id, changed=changed, measured=None
    )


def _stints(found: Iterable[Judge]) -> list[Judge]:
    """`found` with the runs of one judge in a row together."""
    stints: list[Judge] = []
    for one in found:
        before = stints[-1] if stints else None
        if before is not None and before.verifier == one.verifier:
            stints[-1] = replace(before, last=one.last, runs=before.runs + 1, measured=one.measured or before.measured)
        else:
            stints.append(one if before is None else replace(one, changed=_changed(before.verifier, one.verifier)))
    return stints


def _changed(before: str, after: str) -> tuple[str, ...]:
    """What of a verifier's name and version is another. Of a model they are the model and the prompt."""
    if not (before.startswith(MODEL) and after.startswith(MODEL)):
        return ("verifier",)
    pairs = zip(("model", "prompt"), before.rsplit("/", 1), after.rsplit("/", 1), strict=True)
    return tuple(what for what, one, other in pairs if one != other)


def _known(judge: Judge, ledger: Ledger) -> str | None:
    """When it was measured, as far as its run knew; of what is no model, `SHIPPED`: its figures come with it."""
    if judge.measured is not None or judge.job == CHECK:
        return judge.measured
    if not judge.verifier.startswith(MODEL):
        return SHIPPED
    known = ledger.run(judge.run_id).settings.get(CALIBRATED) if judge.run_id else None
    return str(cast("Mapping[str, object]", known).get("measured_at", SHIPPED)) if known else None
