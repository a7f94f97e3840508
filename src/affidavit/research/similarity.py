"""How near texts are to a question in meaning, each distinct text encoded once."""

from collections.abc import Sequence
from threading import Lock
from typing import TYPE_CHECKING

from affidavit.research.tools import Encoder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST = 16_384
"""Vectors kept from run to run, 25 MB of them: the best sentences of some hundred questions."""


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


class Remembering:
    """An encoder that keeps the vectors of the texts it was last given: questions over the same pages are compared with
    the same sentences. One is for all runs of a house, from whatever threads."""

    def __init__(self, encoder: Encoder, most: int = MOST) -> None:
        self._encoder = encoder
        self._most = most
        self._vectors: dict[str, NDArray[np.float32]] = {}
        self._lock = Lock()

    def encode(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        # late: numpy costs 0.1 s of import, and most commands encode nothing
        import numpy as np

        with self._lock:
            found = {text: self._vectors.pop(text) for text in dict.fromkeys(texts) if text in self._vectors}
            self._vectors.update(found)  # what was asked for last goes last
        new = [text for text in dict.fromkeys(texts) if text not in found]
        found.update(zip(new, made := self._encoder.encode(new), strict=True))
        with self._lock:
            self._vectors.update((text, found[text]) for text in new)
            for text in list(self._vectors)[: max(0, len(self._vectors) - self._most)]:
                del self._vectors[text]
        return np.stack([found[text] for text in texts]) if texts else made
