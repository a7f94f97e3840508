"""How good a verifier was measured to be, from a file that says of which verifier it speaks.

`affidavit eval judge --calibration FILE` writes one. It is believed only where it names this very verifier: figures of
another, of an older prompt among them, would be a lie on every report.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from affidavit.errors import UserError

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
