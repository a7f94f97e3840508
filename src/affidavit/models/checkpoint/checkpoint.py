"""A classification checkpoint that has read a claim beside a span, by the rules of its spec."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from affidavit.errors import AffidavitError, UserError
from affidavit.evidence.claim import Label
from affidavit.models.checkpoint.files import verified_files
from affidavit.models.checkpoint.graphs import Graph, Tokens, onnx_graph, torch_graph
from affidavit.models.checkpoint.spec import CONFIG, TOKENIZER, CheckpointSpec, Head
from affidavit.models.excerpt import excerpt

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from tokenizers import Encoding

LEAST_SPAN_TOKENS = 32
"""Room that a claim must leave for its span: a sentence or so. With less, what would be judged is not the span."""


@dataclass(frozen=True, slots=True)
class Reading:
    """Probabilities that add up to one. `tokens`, from a token head alone, are the pieces of the claim as
    ``(start, end, probability of SUPPORTED)``, in characters; `supported` is then the least of them."""

    supported: float
    partial: float
    not_supported: float
    tokens: tuple[tuple[int, int, float], ...] = ()


class Checkpoint:
    """Reads pairs one by one. Not for two threads at once."""

    def __init__(self, spec: CheckpointSpec, *, offline: bool = False) -> None:
        """Load it. Raises UserError, IntegrityError, OperatorError or MissingExtra rather than load another thing than
        `spec` says."""
        # late: tokenizers costs 0.1 s of import, and most commands judge nothing
        from tokenizers import Tokenizer

        self.spec = spec
        files = verified_files(spec, offline=offline)
        try:
            config: Mapping[str, Any] = json.loads(files[CONFIG].read_bytes())
            self._labels = _labels(spec, config)
            _fits(spec, config)
            self._tokenizer: Tokenizer = Tokenizer.from_file(str(files[TOKENIZER]))
            self._tokenizer.no_padding()
            self._tokenizer.no_truncation()
            self._graph = _graph(spec, config, [files[name] for name in spec.weights])
            self.read("A claim.", "A span.")  # what does not fit is found out here, not in the middle of a run
        except AffidavitError:
            raise
        except Exception as error:  # the runtimes raise what they like, bare Exceptions among it
            raise UserError(f"{spec.name}: cannot be loaded: {type(error).__name__}: {error}") from error

    def read(self, claim: str, span: str) -> Reading | None:
        """What it makes of the pair; None where the claim leaves no room for the span. Of a long span, what
        `excerpt` chooses is read. Raises whatever its runtime raises."""
        found = self._encode(claim, span)
        if found is None:
            return None
        encoding, seen = found
        logits = self._graph(Tokens(encoding.ids, encoding.attention_mask, encoding.type_ids))
        if logits.shape[-1] != len(self._labels):
            raise UserError(
                f"{self.spec.name}: it gives {logits.shape[-1]} scores, and {CONFIG} names {len(self._labels)} labels"
            )
        if logits.ndim != (1 if self.spec.head is Head.PAIRS else 2):
            raise UserError(f"{self.spec.name}: head = {self.spec.head.value!r}, and its scores have another shape")
        if self.spec.head is Head.PAIRS:
            return Reading(*self._shares(logits))
        return self._weakest(logits, encoding, claim, seen)

    def _encode(self, claim: str, span: str) -> "tuple[Encoding, str] | None":
        """The pair's tokens, and of the span what is in them."""
        limit = self.spec.max_tokens
        room = limit - len(self._tokens(claim, ""))
        if room < min(LEAST_SPAN_TOKENS, len(self._tokenizer.encode(span, add_special_tokens=False))):
            return None
        seen = span
        encoding = self._tokens(claim, seen)
        while len(encoding) > limit:  # a text has not always the same tokens inside another as alone
            seen = excerpt(span, claim, room, self._tokenizer)
            encoding = self._tokens(claim, seen)
            room -= max(1, len(encoding) - limit)
        return encoding, seen

    def _tokens(self, claim: str, span: str) -> "Encoding":
        first, second = self.spec.input.fill(claim, span)
        return self._tokenizer.encode(first, second) if self.spec.input.second else self._tokenizer.encode(first)

    def _shares(self, logits: "NDArray[np.float64]") -> tuple[float, float, float]:
        """The probabilities of SUPPORTED, PARTIAL and NOT_SUPPORTED: softmax, or the logistic of a single score."""
        # late: numpy costs 0.1 s of import, and most commands judge nothing
        import numpy as np

        if len(logits) == 1:
            supported = float(1 / (1 + np.exp(-logits[0])))
            return supported, 0.0, 1 - supported
        odds = np.exp(logits - logits.max())
        sums = dict.fromkeys(Label, 0.0)
        for label, share in zip(self._labels, odds / odds.sum(), strict=True):
            sums[label] += float(share)
        return sums[Label.SUPPORTED], sums[Label.PARTIAL], sums[Label.NOT_SUPPORTED]

    def _weakest(self, logits: "NDArray[np.float64]", encoding: "Encoding", claim: str, span: str) -> Reading | None:
        """The reading of the claim's least supported token; None where the claim has no token."""
        text, before = self.spec.input.claim_place(span)
        pieces: list[tuple[int, int, float]] = []
        readings: list[tuple[float, float, float]] = []
        for row, sequence, (start, end) in zip(logits, encoding.sequence_ids, encoding.offsets, strict=True):
            start, end = max(start - before, 0), min(end - before, len(claim))
            if sequence == text and start < end:
                readings.append(self._shares(row))
                pieces.append((start, end, readings[-1][0]))
        return Reading(*min(readings), tokens=tuple(pieces)) if readings else None


def _graph(spec: CheckpointSpec, config: Mapping[str, Any], paths: Sequence[Path]) -> Graph:
    if spec.weights[0].endswith(".onnx"):
        return onnx_graph(paths[0])
    return torch_graph(config, paths, spec.head)


def _fits(spec: CheckpointSpec, config: Mapping[str, Any]) -> None:
    longest = config.get("max_position_embeddings")
    if isinstance(longest, int) and 0 < longest < spec.max_tokens:
        raise UserError(f"{spec.name}: max_tokens is {spec.max_tokens}, and the checkpoint reads {longest} at most")


def _labels(spec: CheckpointSpec, config: Mapping[str, Any]) -> tuple[Label, ...]:
    """What each score means, in their order. Raises UserError unless spec and checkpoint name the same labels."""
    named: Mapping[str, str] = config.get("id2label") or {"0": "LABEL_0", "1": "LABEL_1"}
    names = [str(named[index]) for index in sorted(named, key=int)]
    if sorted(names) != sorted(spec.labels):
        raise UserError(
            f"{spec.name}: [labels] has {', '.join(spec.labels)}, and the checkpoint {', '.join(names)};"
            " say of each of these what it means"
        )
    return tuple(spec.labels[name] for name in names)
