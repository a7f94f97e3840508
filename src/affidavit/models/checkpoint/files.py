"""A checkpoint's files, there and with the bytes that its spec names, or nothing of it is opened.

The network is reached only where the spec names a hub id, and then only for the files that it names, at its commit,
without anybody's token. What lies in the hub library's cache is not fetched again.
"""

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path

from affidavit.errors import IntegrityError, OperatorError, UserError
from affidavit.models.checkpoint.spec import CheckpointSpec

_BLOCK = 1 << 20


def verified_files(spec: CheckpointSpec, *, offline: bool = False) -> Mapping[str, Path]:
    """Where each file of `spec.sha256` lies. `offline` takes a hub's files from the cache alone.

    Raises IntegrityError for other bytes, UserError for a file that a folder lacks, OperatorError for one that the hub
    did not give.
    """
    found: dict[str, Path] = {}
    for name, digest in spec.sha256.items():
        path = _from_hub(spec, name, offline=offline) if spec.folder is None else _from_folder(spec.folder, name)
        actual = _sha256(path)
        if actual != digest:
            raise IntegrityError(
                f"{path}: its sha256 is {actual}, and {spec.name} was measured with {digest}; get the file again, or,"
                " if you trust this one, write its sha256 and measure it"
            )
        found[name] = path
    return found


def _from_folder(folder: Path, name: str) -> Path:
    path = folder.joinpath(*name.split("/"))
    if path.is_file():
        return path
    others = ", ".join(sorted(one.name for one in folder.iterdir())[:12]) or "nothing"
    raise UserError(
        f"{folder} has no {name}; it holds {others}. Weights must be .safetensors or .onnx, because the other formats"
        " can run code when they are opened, and the tokenizer a tokenizer.json: AutoTokenizer and AutoModel of"
        " transformers write both with save_pretrained"
    )


def _from_hub(spec: CheckpointSpec, name: str, *, offline: bool) -> Path:
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")  # read at import
    # late: the hub library costs 0.3 s of import, and most commands fetch no checkpoint
    from huggingface_hub import hf_hub_download
    from huggingface_hub.errors import HfHubHTTPError

    hub_id, commit = spec.hub
    try:
        return Path(hf_hub_download(hub_id, name, revision=commit, token=False, local_files_only=offline))
    except (HfHubHTTPError, OSError, ValueError) as error:
        told = "is not in the cache, and the network may not be used" if offline else f"did not come: {error}"
        raise OperatorError(
            f"{name} of {hub_id}@{commit} {told}; fetch it, or put the checkpoint in a folder and name that"
        ) from error


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()
