"""The weights of Affidavit's embedded claim verifier. Data only: `affidavit.models.embedded.PairJudge` reads it.

The bytes of the model, the tokenizer and the calibration are fixed for one minor version: other weights are another
minor version, because whoever reads them checks their sha256.
"""

from importlib.resources import files as _files
from importlib.resources.abc import Traversable

__version__ = "1.0.0"
__all__ = ["files"]


def files() -> Traversable:
    """The folder that holds ``judge.int8.onnx``, ``tokenizer.json``, ``calibration.json`` and ``card.md``."""
    return _files(__name__)
