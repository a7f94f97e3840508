"""The shape of an eval of a verifier as JSON, stated once, like that of an answer in `schema`.

Every figure stands in two readings, because a verifier may say that it could not check: `as_not_supported` counts
that as not certified, which is what a reader of a report gets to see and the one to quote; `checked_only` leaves such
rows out. `rows` hold every answer, so that all figures can be computed again.
"""

from typing import Literal

from affidavit.report.schema import LabelName, Shape, VerifierJson

JUDGE_SCHEMA_VERSION = "1.0"
"""Changes when a field changes its name, its type or its meaning."""

OutcomeName = Literal["measured", "passed", "below_floor", "could_not_check"]


class ShareJson(Shape):
    """A share, with the interval its true value lies in."""

    hits: int
    """How many."""
    of: int
    """Of how many."""
    value: float | None
    """hits / of; null where there is nothing to count."""
    low: float | None
    """Lower end of Wilson's 95% interval."""
    high: float | None
    """Upper end of it."""


class ReadingJson(Shape):
    """The figures under one way to count what could not be checked."""

    balanced_accuracy: float | None
    """Mean of the recall of SUPPORTED and of the rest (PARTIAL is of the rest); null where the data lack one."""
    certified_right: ShareJson
    """Rows certified exactly where they are SUPPORTED."""
    agreement: ShareJson
    """Rows answered with their very label, three labels told apart."""
    supported_recall: ShareJson
    """Of the SUPPORTED rows, those certified."""
    false_supported: ShareJson
    """Of the other rows, those certified."""
    precision: ShareJson
    """Of the rows certified, those that are SUPPORTED."""


class CellJson(Shape):
    """How many rows have a label and got an answer."""

    label: LabelName
    """What the data say."""
    said: LabelName
    """What the verifier said."""
    rows: int
    """How many."""


class FiguresJson(Shape):
    """The figures over some rows."""

    n: int
    """How many rows."""
    supported: int
    """Of them labelled SUPPORTED."""
    partial: int
    """Of them labelled PARTIAL."""
    not_supported: int
    """Of them labelled NOT_SUPPORTED."""
    could_not_check: ShareJson
    """Rows that the verifier could not check."""
    as_not_supported: ReadingJson
    """The headline: what could not be checked is not certified."""
    checked_only: ReadingJson
    """Without what could not be checked."""
    confusion: list[CellJson]
    """What all of them follow from."""


class GroupJson(Shape):
    """A data set, or a kind of near miss."""

    name: str
    """Its name."""
    figures: FiguresJson


class MeanJson(Shape):
    """A mean over data sets, each counting once."""

    value: float | None
    """The mean; null where no set has the figure."""
    sets: int
    """How many sets have it."""


class MeansJson(Shape):
    """Means over data sets of the headline reading."""

    balanced_accuracy: MeanJson
    """Over the sets that have both SUPPORTED rows and others."""
    supported_recall: MeanJson
    """Over the sets that have SUPPORTED rows."""
    false_supported: MeanJson
    """Over the sets that have other rows."""


class BinJson(Shape):
    """Rows whose score lies in a range."""

    low: float
    """From."""
    high: float
    """Up to; 1 belongs to the last."""
    rows: int
    """How many."""
    mean_score: float | None
    """Their mean score."""
    supported: float | None
    """The share of them that is SUPPORTED."""


class ReliabilityJson(Shape):
    """Whether scores mean what they say."""

    rows: int
    """Rows with a score."""
    expected_error: float | None
    """Expected calibration error."""
    bins: list[BinJson]
    """By score."""


class MeasuredJson(Shape):
    """One verifier over all rows."""

    verifier: VerifierJson
    pooled: FiguresJson
    """Over all rows."""
    mean: MeansJson
    """Over data sets."""
    near_misses: FiguresJson | None
    """The rows that are not SUPPORTED and tell their kind; null where there is none."""
    sets: list[GroupJson]
    """By data set."""
    kinds: list[GroupJson]
    """By kind of near miss, for rows whose source tells one."""
    twins: list[GroupJson]
    """True twins of near misses, by how they say what their span says."""
    reliability: ReliabilityJson | None
    """Null for a verifier without scores."""
    seconds: float
    """How long it took."""
    pairs_per_second: float | None
    """Rows by seconds."""


class PairedJson(Shape):
    """Two verifiers on the same rows; right is certified exactly where SUPPORTED."""

    both: int
    """Both right."""
    first_only: int
    """Only the verifier measured."""
    second_only: int
    """Only the one it is held against."""
    neither: int
    """Both wrong."""
    p_value: float
    """Of McNemar's exact test, two-sided."""


class FloorJson(Shape):
    """A bound on a pooled figure."""

    name: Literal["max_false_supported", "min_balanced_accuracy"]
    """Which."""
    bound: float
    """What was asked for."""
    measured: float | None
    """What was found; null where the data cannot tell."""
    met: bool
    """Whether it holds."""


class FileJson(Shape):
    """A file of labelled rows."""

    name: str
    """Its name, without folders."""
    sha256: str
    """Digest of its bytes."""
    rows: int
    """How many rows it has."""


class DataJson(Shape):
    """What was measured on."""

    digest: str
    """Of all rows in order, whatever file they stand in; names its algorithm."""
    files: list[FileJson]
    """The files read."""


class RowJson(Shape):
    """One answer. The texts are in the data."""

    dataset: str
    """The data set."""
    id: str
    """The row's id in it."""
    kind: str | None
    """What kind of near miss it is, or is the true twin of."""
    twin: str | None
    """How a true twin says what its span says; null for other rows."""
    label: LabelName
    """What the data say."""
    said: LabelName
    """What the verifier said."""
    score: float | None
    """How likely SUPPORTED is, 0 to 1; null where nothing was scored."""
    reason: str
    """The verifier's, for a person."""


class JudgeJson(Shape):
    """A verifier measured on labelled rows."""

    schema_version: Literal["1.0"]
    """The version of this schema."""
    run_id: str
    """The run in the ledger."""
    measured_at: str
    """When: ISO-8601, UTC."""
    kind: Literal["eval"]
    """What this JSON is."""
    suite: Literal["judge"]
    """Which suite."""
    suite_version: str
    """Figures of different versions are not to be compared."""
    outcome: OutcomeName
    """How it ended, floors included."""
    data: DataJson
    measured: MeasuredJson
    """The verifier measured."""
    against: MeasuredJson | None
    """The one it is held against."""
    paired: PairedJson | None
    """Both, row by row."""
    floors: list[FloorJson]
    """The bounds that were set."""
    warnings: list[str]
    """What a reader should know before relying on this."""
    rows: list[RowJson]
    """Every answer of the verifier measured, in the order of the data."""
