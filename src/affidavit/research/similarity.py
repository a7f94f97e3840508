"""How near texts are to a question in meaning, each distinct text encoded once a run."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from affidavit.research.tools import Encoder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Similarity:
    """Keeps every vector it made: sub-questions share pages, and encoding is the dearest step of choosing."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._vectors: dict[str, NDArray[np.float32]] = {}

    def to(self, question: str, texts: Sequence[str]) -> list[float]:
        """The cosine (-1 to 1) of each text to `question`, in order."""
        new = [text for text in dict.fromkeys((question, *texts)) if text not in self._vectors]
        self._vectors.update(zip(new, self._encoder.encode(new), strict=True))
        asked = self._vectors[question]
        return [float(self._vectors[text] @ asked) for text in texts]
