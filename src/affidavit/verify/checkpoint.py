"""A verifier made of somebody's classification checkpoint (`affidavit.models.checkpoint`).

What it says is the model's alone; whoever builds one puts it between the guards. How good it is nobody knows until it
was measured: the figures stand in a file beside its spec, and only where they are those of this very checkpoint.
"""

import asyncio
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from affidavit.evidence.answer import VerifierCard
from affidavit.evidence.claim import Label, Verdict
from affidavit.models.checkpoint import Checkpoint, CheckpointSpec, Reading, load_spec
from affidavit.verify.calibration import CALIBRATION_SUFFIX, read_calibration
from affidavit.verify.guards import verdict
from affidavit.verify.pair import Pair


class CheckpointVerifier:
    """Judges pair by pair in a thread of its own. Deterministic on one machine.

    SUPPORTED from the spec's threshold on. Below it, a pair head says the likelier of PARTIAL and NOT_SUPPORTED; a
    token head says PARTIAL where some of the claim's tokens reach the threshold, and names the first run that does not.
    """

    def __init__(
        self, spec: CheckpointSpec, *, calibration: Mapping[str, object] | None = None, offline: bool = False
    ) -> None:
        """Load the checkpoint; raises what `Checkpoint` raises."""
        self.card = VerifierCard(name=spec.name, version=spec.version, calibration=calibration)
        self._threshold = spec.threshold
        self._checkpoint = Checkpoint(spec, offline=offline)
        self._worker = ThreadPoolExecutor(1, thread_name_prefix=spec.name)

    async def verify(self, pair: Pair) -> Verdict:
        said, _ = await self.scored(pair)
        return said

    async def scored(self, pair: Pair) -> tuple[Verdict, float | None]:
        """The verdict, and the probability of SUPPORTED; None where it could not be checked."""
        signed = f"{self.card.name}/{self.card.version}"
        loop = asyncio.get_running_loop()
        try:
            reading = await loop.run_in_executor(self._worker, self._checkpoint.read, pair.claim_text, pair.span.text)
        except Exception as error:  # noqa: BLE001 - the runtimes raise what they like, and a verifier raises nothing
            reason = f"the checkpoint failed: {type(error).__name__}: {error}"
            return verdict(pair, signed, Label.COULD_NOT_CHECK, reason), None
        if reading is None:
            reason = f"the claim has too many tokens, or none: it reads {self._checkpoint.spec.max_tokens} of a pair"
            return verdict(pair, signed, Label.COULD_NOT_CHECK, reason), None
        label, element = _decide(reading, pair.claim_text, self._threshold)
        reason = f"{reading.supported:.2f} for SUPPORTED, which needs {self._threshold:.2f}"
        return verdict(pair, signed, label, reason, element=element), reading.supported


def open_checkpoint(path: Path, *, offline: bool = False) -> CheckpointVerifier:
    """The verifier that the spec at `path` describes, with the figures in ``<its name>.calibration.json`` beside it.

    Raises UserError where those figures are of another checkpoint: quoting them would be a lie.
    """
    spec = load_spec(path)
    return CheckpointVerifier(
        spec,
        calibration=read_calibration(path.with_suffix(CALIBRATION_SUFFIX), f"{spec.name}/{spec.version}"),
        offline=offline,
    )


def _decide(reading: Reading, claim: str, threshold: float) -> tuple[Label, str | None]:
    """The label, and what the span does not establish."""
    if reading.supported >= threshold:
        return Label.SUPPORTED, None
    if not reading.tokens:
        return (Label.PARTIAL if reading.partial > reading.not_supported else Label.NOT_SUPPORTED), claim
    missing = [score < threshold for _, _, score in reading.tokens]
    if all(missing):
        return Label.NOT_SUPPORTED, claim
    first = missing.index(True)
    last = first + missing[first:].index(False) - 1 if False in missing[first:] else len(missing) - 1
    return Label.PARTIAL, claim[reading.tokens[first][0] : reading.tokens[last][1]].strip()
