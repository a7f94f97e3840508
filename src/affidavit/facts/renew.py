"""A register after its site was read again: what a person decided stays, what nobody decided is as found now."""

from dataclasses import dataclass

from affidavit.evidence.fact import Fact, Register


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One fact before and after; None on the side where it is not. `why` is for a person."""

    before: Fact | None
    after: Fact | None
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What a re-run does to a register. `kept` counts the facts that it leaves as they are."""

    added: tuple[Change, ...] = ()
    changed: tuple[Change, ...] = ()
    removed: tuple[Change, ...] = ()
    contested: tuple[Change, ...] = ()
    """Facts that a person decided and that the site no longer states, or now contradicts. They are kept as they are."""
    kept: int = 0

    @property
    def any(self) -> bool:
        return bool(self.added or self.changed or self.removed or self.contested)


def renewed(previous: Register, found: Register) -> tuple[Register, Changes]:
    """The register after a re-run that found `found`, and what changed. Pure; neither register is altered."""
    raise NotImplementedError
