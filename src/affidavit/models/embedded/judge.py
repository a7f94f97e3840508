"""How far a span supports a claim, by the cross-encoder of the distribution ``affidavit-judge``.

The model reads the two texts beside each other and gives three probabilities. It is weak, as its card says with
figures: it may take a verdict down, and must not be the only reason for one. It reads 192 tokens; of a longer span it
sees the sentences that share most with the claim, in their order, so support in quite other words may be out of its
sight.
"""

import importlib.util
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from affidavit.errors import MissingExtra
from affidavit.models.embedded.onnx import session
from affidavit.models.embedded.shipped import shipped
from affidavit.models.excerpt import beginning, excerpt

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

MAX_TOKENS = 192
"""Tokens of a pair that are read, the three that mark it included. The model was trained on pairs of this length."""
CLAIM_TOKENS = 128
"""Tokens of a claim that are read. The longest of 5,694 claims of the labelled sets has 107."""
TEMPERATURE = 1.05
"""What the logits are divided by; fitted on pairs that were not trained on (``calibration.json``)."""
_MARKS = 3
_PACKAGE = "affidavit_judge"
_SHA256 = {
    "judge.int8.onnx": "58c000cd0411fa7bebabc2fe9efde6f27c2cfeacebea456b14cc71b36fefc238",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}


@dataclass(frozen=True, slots=True)
class Scores:
    """Probabilities that add up to one. `claim_cut`: the claim is longer than what is read, and they are of its
    beginning only."""

    supported: float
    partial: float
    not_supported: float
    claim_cut: bool = False


class PairJudge:
    """Scores pairs one by one, in one thread. Building one reads nothing; the first pair loads the model.

    Deterministic on one machine. Between processors scores differ in the last digits, as integer kernels do.
    """

    name = "judge/int8"

    @staticmethod
    def available() -> bool:
        """Whether ``affidavit-judge`` is installed."""
        return importlib.util.find_spec(_PACKAGE) is not None

    def scores(self, claim: str, span: str) -> Scores:
        """The three probabilities for `claim` beside `span`.

        Raises MissingExtra where ``affidavit-judge`` is not installed, IntegrityError where its files are others.
        """
        # late: numpy costs 0.1 s of import, and most commands judge nothing
        import numpy as np

        tokenizer, model = self._loaded
        read, claim_tokens = beginning(claim, CLAIM_TOKENS, tokenizer)
        seen = excerpt(span, read, MAX_TOKENS - _MARKS - claim_tokens, tokenizer)
        encoding = tokenizer.encode(seen, read)
        inputs = {
            "input_ids": encoding.ids,
            "attention_mask": encoding.attention_mask,
            "token_type_ids": encoding.type_ids,
        }
        (found,) = model.run(["logits"], {name: np.array([row], dtype=np.int64) for name, row in inputs.items()})
        logits = np.asarray(found, dtype=np.float64)[0] / TEMPERATURE
        odds = np.exp(logits - logits.max())
        supported, partial, not_supported = (float(one) for one in odds / odds.sum())
        return Scores(supported, partial, not_supported, claim_cut=read != claim)

    @cached_property
    def _loaded(self) -> "tuple[Tokenizer, InferenceSession]":
        if not self.available():
            raise MissingExtra('the pair judge is not installed; install it with pip install "affidavit[judge]"')
        # late: tokenizers costs 0.1 s of import, and most commands judge nothing
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_str(_read("tokenizer.json").decode("utf-8"))
        tokenizer.no_padding()
        tokenizer.no_truncation()
        return tokenizer, session(_read("judge.int8.onnx"))


def _read(name: str) -> bytes:
    return shipped(_PACKAGE, name, _SHA256[name], "affidavit-judge")
