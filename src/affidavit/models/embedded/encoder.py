"""Sentences as vectors, by the encoder in ``minilm/`` (its card says where it comes from and how it was made).

Two sentences that say alike things have vectors that point alike, whatever words they use: their dot product is
their cosine. Nothing is read from the network, and the files are what the card says or nothing is encoded.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from affidavit.models.embedded.onnx import session
from affidavit.models.embedded.shipped import shipped

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

DIMENSIONS = 384
MAX_TOKENS = 128
"""Tokens of a text that are read; the rest is cut. The model was trained on texts of this length."""
_SHA256 = {
    "model.onnx": "8bcd16269b11a8f8d19faa976f7e44985ccf0b3d5be8ba5fd67838c6cf232a41",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}


class SentenceEncoder:
    """all-MiniLM-L6-v2, int8. Building one reads nothing; the first `encode` loads the model.

    Texts are encoded one by one in one thread: so a text has the same vector whatever stands beside it (integer
    activations are scaled by batch, padding included), and it is also faster. Over 500 sentences of real pages on two
    busy cores: 0.9 s one by one in one thread; in two threads 2.0 s one by one, 1.6 s by eight, 2.1 s by sixteen and
    7.0 s by 128. Memory: 145 MB for the whole process, loaded; 595 MB by 128.

    Deterministic on one machine. Between processors vectors differ in the last digits, as integer kernels do.
    """

    name = "all-MiniLM-L6-v2/int8"

    def encode(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """One row a text, in order: shape ``(len(texts), 384)``, each of unit length.

        Raises IntegrityError where the shipped files are not the ones this class was written for.
        """
        # late: numpy costs 0.1 s of import, and most commands encode nothing
        import numpy as np

        vectors = np.zeros((len(texts), DIMENSIONS), dtype=np.float32)
        if not texts:
            return vectors
        tokenizer, model = self._loaded
        for row, encoding in enumerate(tokenizer.encode_batch(list(texts))):
            ids = np.array([encoding.ids], dtype=np.int64)
            (found,) = model.run(["embedding"], {"input_ids": ids, "attention_mask": np.ones_like(ids)})
            vectors[row] = np.asarray(found)[0]
        return vectors

    @cached_property
    def _loaded(self) -> "tuple[Tokenizer, InferenceSession]":
        tokenizer = read_tokenizer()
        tokenizer.no_padding()
        tokenizer.enable_truncation(MAX_TOKENS)
        return tokenizer, session(_read("model.onnx"))


def read_tokenizer() -> "Tokenizer":
    """The encoder's tokenizer, for others who count tokens too. Raises IntegrityError as `encode` does."""
    # late: tokenizers costs 0.1 s of import, and most commands encode nothing
    from tokenizers import Tokenizer

    return Tokenizer.from_str(_read("tokenizer.json").decode("utf-8"))


def _read(name: str) -> bytes:
    return shipped("affidavit.models.embedded", f"minilm/{name}", _SHA256[name], "affidavit")
