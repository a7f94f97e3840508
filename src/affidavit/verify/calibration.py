"""How good a verifier was measured to be, from a file that says of which verifier it speaks, or from the ledger.

`affidavit eval judge` records it, and with `--calibration FILE` writes it. It is believed only where it names this very
verifier: figures of another, of an older prompt among them, would be a lie on every report.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import cast

from affidavit.errors import UserError
from affidavit.evidence.claim import Verdict
from affidavit.ledger import Ledger
from affidavit.verify.pair import Pair
from affidavit.verify.verifier import Verifier

CALIBRATED = "calibration"
"""The event of an eval that says of a verifier how good it was found to be."""
CALIBRATION_SUFFIX = ".calibration.json"
_UNFIT = re.compile(r"[^A-Za-z0-9.]+")


def calibration_file(folder: Path, signed: str) -> Path:
    """Where the figures of the verifier that signs as `signed` are looked for, if it has no file of its own."""
    return folder / (_UNFIT.sub("-", signed).strip("-") + CALIBRATION_SUFFIX)


def read_calibration(path: Path, signed: str) -> Mapping[str, object] | None:
    """The figures at `path`, or None where nobody has measured. Raises UserError where they are of another verifier
    than the one that signs as `signed`."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise UserError(f"{path}: not valid JSON: {error}") from error
    if not isinstance(found, dict) or found.get("verifier") != signed:
        raise UserError(
            f'{path}: "verifier" is not {signed!r}: these figures are of another; remove them and measure this one'
        )
    return cast("Mapping[str, object]", found)


def recorded_calibration(ledger: Ledger, signed: str) -> Mapping[str, object] | None:
    """What the newest finished eval in `ledger` found of the verifier that signs as `signed`; None where none has."""
    return next((one.payload for one in ledger.recorded(CALIBRATED) if one.payload["verifier"] == signed), None)


class Calibrated:
    """`inner`, its card saying of it what `calibration` does; None: that nobody has measured it."""

    def __init__(self, inner: Verifier, calibration: Mapping[str, object] | None) -> None:
        self._inner = inner
        self.card = replace(inner.card, calibration=calibration)

    async def verify(self, pair: Pair) -> Verdict:
        return await self._inner.verify(pair)


def calibrated(inner: Verifier, ledger: Ledger) -> Verifier:
    """`inner`, if its card says how good it is known to be; else with what `ledger` has of it."""
    card = inner.card
    if card.calibration is not None:
        return inner
    return Calibrated(inner, recorded_calibration(ledger, f"{card.name}/{card.version}"))
