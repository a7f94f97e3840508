"""The shape of a finished suite as JSON. `cases` hold every row's answer, so that two runs can be compared."""

from typing import Literal

from affidavit.report.judge_schema import OutcomeName, ShareJson
from affidavit.report.schema import Shape

SUITE_SCHEMA_VERSION = "1.0"
"""Changes when a field changes its name, its type or its meaning."""

CaseStateName = Literal["right", "wrong", "could_not_check"]


class SuiteFileJson(Shape):
    """A file of rows."""

    name: str
    """Without folders."""
    sha256: str
    """Of its bytes."""
    rows: int
    """How many it holds."""


class SuiteDataJson(Shape):
    """What the suite was measured on."""

    digest: str
    """Of the rows: the same rows under another file name have the same."""
    files: list[SuiteFileJson]
    """In the order in which they were read."""


class FigureJson(Shape):
    """One figure."""

    name: str
    """Stable."""
    about: str
    """What is counted, of what."""
    share: ShareJson
    """The figure."""
    more_is_better: bool
    """On which side of its floor it should be."""


class SuiteFloorJson(Shape):
    """A bound that a figure should keep."""

    name: str
    """The figure's."""
    bound: float
    """A share."""
    measured: float | None
    """Null where the data cannot tell it."""
    met: bool
    """Whether it holds."""


class CaseJson(Shape):
    """One row put to the product."""

    case_id: str
    """The row's own."""
    kind: str
    """What it tries."""
    state: CaseStateName
    """How it was answered."""
    detail: str
    """Of one that is not right: what was wanted and what came."""


class SuiteJson(Shape):
    """A finished suite."""

    schema_version: str
    """Of this shape."""
    run_id: str
    """In the ledger."""
    kind: Literal["suite"]
    """What this is."""
    suite: str
    """Which."""
    suite_version: str
    """Figures of two versions are not to be compared."""
    measured_at: str
    """ISO-8601, UTC."""
    outcome: OutcomeName
    """How it ended."""
    data: SuiteDataJson
    """The rows."""
    figures: list[FigureJson]
    """In the suite's order."""
    floors: list[SuiteFloorJson]
    """Empty where none is held."""
    cases: list[CaseJson]
    """One a row, in the order of the rows."""
    seconds: float
    """Time that measuring took."""
    notes: list[str]
    """What a reader should know."""
