"""The network of a checkpoint as one function from token ids to logits, whatever runs it.

Only what its files hold is loaded: no code of its own, no second file that a configuration points to, and no weight
left at random, because a head that was never trained answers as readily as one that was.
"""

import importlib
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from affidavit.errors import MissingExtra, UserError
from affidavit.models.checkpoint.spec import Head
from affidavit.models.embedded.onnx import session

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Tokens(NamedTuple):
    """One encoded pair, without padding. All three have the same length."""

    ids: Sequence[int]
    mask: Sequence[int]
    types: Sequence[int]


Graph = Callable[[Tokens], "NDArray[np.float64]"]
"""Logits: ``(labels,)`` for a pair head, ``(tokens, labels)`` for a token head."""
_AUTO = {Head.PAIRS: "AutoModelForSequenceClassification", Head.TOKENS: "AutoModelForTokenClassification"}


def onnx_graph(path: Path) -> Graph:
    """The graph in an ``.onnx`` file that reads the usual names and gives ``logits``. Raises UserError for another."""
    # late: numpy costs 0.1 s of import, and most commands judge nothing
    import numpy as np

    # late: onnxruntime, likewise; `session` has set it up
    model = session(path.read_bytes())
    wanted = {one.name for one in model.get_inputs()}
    given = {one.name for one in model.get_outputs()}
    if "input_ids" not in wanted or wanted - {"input_ids", "attention_mask", "token_type_ids"} or "logits" not in given:
        raise UserError(
            f"{path}: it reads {sorted(wanted)} and gives {sorted(given)}; it must give logits of input_ids"
        )

    def run(tokens: Tokens) -> "NDArray[np.float64]":
        rows = {"input_ids": tokens.ids, "attention_mask": tokens.mask, "token_type_ids": tokens.types}
        inputs = {name: np.array([row], dtype=np.int64) for name, row in rows.items() if name in wanted}
        (found,) = model.run(["logits"], inputs)
        return np.asarray(found, dtype=np.float64)[0]

    return run


def torch_graph(config: Mapping[str, Any], weights: Sequence[Path], head: Head) -> Graph:
    """The architecture that `config` names, with exactly these weights, on the CPU in float32.

    Raises MissingExtra without ``affidavit[models]``; UserError for an architecture that transformers does not know
    and for weights that are not those of `head`.
    """
    torch, transformers, safetensors = _libraries()
    where = weights[0].parent
    try:
        kind = transformers.CONFIG_MAPPING[config.get("model_type")]
    except KeyError:
        raise UserError(
            f"{where}: model_type {config.get('model_type')!r} is none that transformers {transformers.__version__}"
            " knows; code that comes with a checkpoint is never run"
        ) from None
    plain = {name: value for name, value in config.items() if name not in ("auto_map", "quantization_config")}
    if "quantization_config" in config:
        raise UserError(f"{where}: its weights are quantised for another runtime; take float weights, or an .onnx file")
    state: dict[str, Any] = {}
    for path in weights:
        state |= safetensors.load_file(path)
    settings = kind.from_dict(plain)
    try:
        with torch.device("meta"):
            architecture = type(getattr(transformers, _AUTO[head]).from_config(settings))
    except ValueError as error:
        raise UserError(f"{where}: {config.get('model_type')} has no head over {head.value}: {error}") from error
    with _silence(transformers):
        model, told = architecture.from_pretrained(
            None, config=settings, state_dict=state, output_loading_info=True, attn_implementation="eager"
        )
    absent = sorted({*told["missing_keys"], *(str(key[0]) for key in told["mismatched_keys"])})
    if absent:
        raise UserError(
            f"{where}: its weights are not those of a head over {head.value}: {', '.join(absent[:4])} would be random"
        )
    model = model.float().eval()
    with_types = getattr(settings, "type_vocab_size", 0) >= 2

    def run(tokens: Tokens) -> "NDArray[np.float64]":
        inputs = {"input_ids": torch.tensor([tokens.ids]), "attention_mask": torch.tensor([tokens.mask])}
        if with_types:
            inputs["token_type_ids"] = torch.tensor([tokens.types])
        with torch.inference_mode():
            return model(**inputs).logits[0].double().numpy()

    return run


@contextmanager
def _silence(transformers: Any) -> Generator[None]:
    """No progress bar and no report of what is missing, which is an error here; afterwards as it was."""
    logging = transformers.utils.logging
    verbosity, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)
        if bars:
            logging.enable_progress_bar()


def _libraries() -> tuple[Any, Any, Any]:
    """torch, transformers and safetensors.torch. By name, because most installations and this repository's checks lack
    them."""
    try:
        # late: torch and transformers cost seconds of import and are optional
        names = ("torch", "transformers", "safetensors.torch")
        torch, transformers, safetensors = (importlib.import_module(name) for name in names)
    except ImportError as error:
        raise MissingExtra(
            f'a checkpoint of .safetensors needs {error.name}, which is not installed; pip install "affidavit[models]",'
            " or export it to .onnx, which needs nothing more"
        ) from error
    return torch, transformers, safetensors
