"""What a replay found: what of a result follows again from the ledger, what does not, and what the ledger lacks."""

from dataclasses import dataclass
from enum import StrEnum


class Outcome(StrEnum):
    AGREES = "agrees"
    DIFFERS = "differs"
    COULD_NOT_REPLAY = "could_not_replay"


@dataclass(frozen=True, slots=True)
class Difference:
    """One part that came out otherwise. `detail` names the first place in it that differs, and both values."""

    part: str
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayReport:
    """The replay of one run.

    `agreed` are the fields of the result that came out as they were published, and `steps` the kinds of events on the
    way there, with how many of each. `missing` names what the ledger does not hold; with anything missing nothing is
    derived. `notes` say what is not as it was when the run was made: another extractor, policy, verifier or version.
    """

    run_id: str
    kind: str
    product: str
    events: int
    agreed: tuple[str, ...] = ()
    steps: tuple[tuple[str, int], ...] = ()
    differences: tuple[Difference, ...] = ()
    missing: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def outcome(self) -> Outcome:
        """Nothing compared is no agreement."""
        if self.differences:
            return Outcome.DIFFERS
        return Outcome.COULD_NOT_REPLAY if self.missing or not self.agreed else Outcome.AGREES

    def as_json(self) -> dict[str, object]:
        return {
            "kind": "replay_report",
            "outcome": self.outcome.value,
            "run_id": self.run_id,
            "run_kind": self.kind,
            "product": self.product,
            "events": self.events,
            "agreed": list(self.agreed),
            "steps": [{"type": name, "count": count} for name, count in self.steps],
            "differences": [{"part": one.part, "detail": one.detail} for one in self.differences],
            "missing": list(self.missing),
            "notes": list(self.notes),
        }
