"""When more searching brings nothing new.

A search ends on information, not on a count: after `WINDOW` batches in a row of which less than `THRESHOLD` was
new. An empty batch brought nothing, so its novelty is 0; were it left out, a search that finds nothing at all
would never be seen to end.
"""

from collections.abc import Iterable
from dataclasses import dataclass

# The seed's numbers: not swept, kept as the contract's defaults.
THRESHOLD = 0.15
WINDOW = 2


@dataclass(frozen=True, slots=True)
class Saturation:
    """What was seen so far. `novelties` has one value (0 to 1) for each batch, in order."""

    seen: frozenset[str] = frozenset()
    novelties: tuple[float, ...] = ()
    threshold: float = THRESHOLD
    window: int = WINDOW

    def observe(self, fingerprints: Iterable[str]) -> "Saturation":
        """The state after one more batch. A fingerprint is anything that is equal for the same page (canonical URL).

        A page twice in one batch is twice not new after the first.
        """
        batch = list(fingerprints)
        fresh = len(set(batch) - self.seen)
        novelty = fresh / len(batch) if batch else 0.0
        return Saturation(self.seen | set(batch), (*self.novelties, novelty), self.threshold, self.window)

    @property
    def exhausted(self) -> bool:
        """Whether the last `window` batches were all under the threshold."""
        last = self.novelties[-self.window :]
        return len(last) == self.window and all(novelty < self.threshold for novelty in last)
