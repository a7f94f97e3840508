"""The shape of a judge's drift as JSON: what was measured of whom since when, and who judged without being measured."""

from typing import Literal

from affidavit.report.judge_schema import ShareJson
from affidavit.report.schema import Shape


class MeasurementJson(Shape):
    """What one eval found of one verifier."""

    run_id: str
    """The eval in the ledger."""
    at: str
    """When: ISO-8601, UTC."""
    verifier: str
    """Name and version. Of a model: the model, and the digest of its prompt."""
    digest: str
    """Of the rows that it was measured on."""
    rows: int
    """How many they are."""
    agreement: ShareJson
    """Of the rows that it could check, those answered with their very label."""
    false_supported: ShareJson
    """Of the rows that are not SUPPORTED, those certified."""
    could_not_check: ShareJson
    """Of all rows."""


class StintJson(Shape):
    """Runs in a row that one verifier judged."""

    job: Literal["ask", "check", "next"]
    """What they are; `next` is who would judge now and has not yet."""
    verifier: str
    """Name and version."""
    first: str
    """When the first ended: ISO-8601, UTC; empty for `next`."""
    last: str
    """When the last ended."""
    runs: int
    """How many."""
    run_id: str
    """The first of them; empty for `next`."""
    changed: list[Literal["model", "prompt", "verifier"]]
    """What is another than in the runs before."""
    measured: str | None
    """When it was last measured, or that its figures come with it; null where nobody has measured it."""


class FallJson(Shape):
    """A verifier that agrees less than before on the same rows, the two intervals lying apart."""

    before: str
    """The eval before."""
    after: str
    """The eval after."""


class DriftJson(Shape):
    """Judges over time."""

    schema_version: Literal["1.0"]
    """Of this shape."""
    kind: Literal["drift"]
    """What this is."""
    since: str
    """From when on: ISO-8601, UTC."""
    measurements: list[MeasurementJson]
    """Oldest first."""
    judges: list[StintJson]
    """Oldest first, job by job."""
    fallen: list[FallJson]
    """Empty where none has."""
