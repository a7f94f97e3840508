"""What a person writes down of a checkpoint before it may judge: where it lies, its bytes, and how to read it.

A checkpoint says nothing of what its labels mean for a claim, of which text comes first, or of the score from which it
is to be believed. Guessing any of these gives verdicts that look right and are not, so all of them are written, in a
TOML file::

    name = "minicheck-roberta-large"
    model = "org/name@0123456789abcdef0123456789abcdef01234567"   # or a folder, relative to this file
    max_tokens = 512

    [sha256]                  # every file that is read
    "config.json" = "…"
    "tokenizer.json" = "…"
    "model.safetensors" = "…" # several where the weights are cut; or one .onnx

    [labels]                  # every label of the checkpoint
    LABEL_0 = "NOT_SUPPORTED"
    LABEL_1 = "SUPPORTED"

    [input]                   # optional; this is the default
    first = "{span}"
    second = "{claim}"        # "" for a prompt that holds both in `first`

A hub id is pinned to a commit, because a branch may hold other weights tomorrow.
"""

import hashlib
import json
import re
import tomllib
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path, PurePosixPath
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from affidavit.errors import UserError
from affidavit.evidence.claim import Label

CONFIG = "config.json"
TOKENIZER = "tokenizer.json"
_PICKLES = (".bin", ".pt", ".pth", ".ckpt", ".pkl", ".pickle", ".joblib")
_HUB_ID = re.compile(r"\w[\w.-]*/\w[\w.-]*")
_COMMIT = re.compile(r"[0-9a-f]{40}")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_HOLES = re.compile(r"\{(claim|span)\}")


class Head(StrEnum):
    """What the checkpoint labels: the pair, or each token of the claim."""

    PAIRS = "pairs"
    TOKENS = "tokens"


class Template(BaseModel):
    """The two texts that the checkpoint reads, each hole filled once. `second` empty: one text."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    first: str = "{span}"
    second: str = "{claim}"

    @model_validator(mode="after")
    def _one_hole_each(self) -> Self:
        holes = _HOLES.findall(self.first + self.second)
        if sorted(holes) != ["claim", "span"]:
            raise ValueError("must hold {claim} once and {span} once, over `first` and `second` together")
        return self

    def fill(self, claim: str, span: str) -> tuple[str, str]:
        """Both texts. What stands in `claim` or `span` is never itself read as a hole."""
        values = {"claim": claim, "span": span}
        first, second = (_HOLES.sub(lambda hole: values[hole[1]], text) for text in (self.first, self.second))
        return first, second

    def claim_place(self, span: str) -> tuple[int, int]:
        """In which of the two texts the claim stands, and from which character."""
        index, text = next((at, text) for at, text in enumerate((self.first, self.second)) if "{claim}" in text)
        return index, len(text.partition("{claim}")[0].replace("{span}", span))


class CheckpointSpec(BaseModel):
    """One checkpoint, its bytes known. `folder` is absolute; None where `model` is a hub id."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(min_length=1, max_length=60, pattern=r"^[\w.+-]+$", description="how its verdicts are signed")
    model: str
    head: Head = Head.PAIRS
    sha256: Mapping[str, str]
    labels: Mapping[str, Label]
    input: Template = Template()
    max_tokens: int = Field(512, ge=32, le=131_072, description="tokens of both texts that are read")
    threshold: float = Field(0.5, gt=0, lt=1, description="the probability of SUPPORTED from which it is believed")
    folder: Path | None = Field(None, exclude=True)

    @field_validator("sha256")
    @classmethod
    def _files(cls, files: Mapping[str, str]) -> Mapping[str, str]:
        for name, digest in files.items():
            path = PurePosixPath(name)
            if path.is_absolute() or ".." in path.parts or "\\" in name:
                raise ValueError(f"{name!r} must be a file inside the checkpoint")
            if path.suffix.lower() in _PICKLES:
                raise ValueError(
                    f"{name!r} is a pickle, which can run any code when it is opened, and is never loaded;"
                    " save the weights as .safetensors"
                )
            if not _DIGEST.fullmatch(digest):
                raise ValueError(f"{name!r} = {digest!r} must be 64 lower-case hex digits")
        missing = [name for name in (CONFIG, TOKENIZER) if name not in files]
        if missing:
            raise ValueError(f"must hold {' and '.join(missing)}: it decides what the checkpoint says")
        suffixes = [PurePosixPath(name).suffix for name in files if name not in (CONFIG, TOKENIZER)]
        if not suffixes or (set(suffixes) != {".safetensors"} and suffixes != [".onnx"]):
            raise ValueError("must hold, of weights, either .safetensors files or one .onnx file, and nothing else")
        return files

    @field_validator("labels")
    @classmethod
    def _decide(cls, labels: Mapping[str, Label]) -> Mapping[str, Label]:
        if Label.COULD_NOT_CHECK in labels.values():
            raise ValueError("COULD_NOT_CHECK is no label of a checkpoint: it is what is said where it did not answer")
        if Label.SUPPORTED not in labels.values():
            raise ValueError("no label means SUPPORTED, so nothing could ever be supported")
        return labels

    @model_validator(mode="after")
    def _pinned(self) -> Self:
        hub_id, at, commit = self.model.partition("@")
        if self.folder is not None or (_HUB_ID.fullmatch(hub_id) and _COMMIT.fullmatch(commit)):
            return self
        if not _HUB_ID.fullmatch(hub_id):
            raise ValueError(f"model: {self.model!r} is no folder beside this file, and no hub id")
        told = f"{commit!r} is no commit" if at else "there is no such folder beside this file, and it names no commit"
        raise ValueError(
            f"model: {self.model!r}: {told}; a branch or a tag may hold other weights tomorrow, so a hub id is"
            f" written {hub_id}@ and the 40 hex digits of its commit"
        )

    @property
    def weights(self) -> tuple[str, ...]:
        """The names of the files with weights."""
        return tuple(sorted(name for name in self.sha256 if name not in (CONFIG, TOKENIZER)))

    @property
    def hub(self) -> tuple[str, str]:
        """Hub id and commit. Only for a checkpoint that is no folder."""
        name, _, commit = self.model.partition("@")
        return name, commit

    @property
    def version(self) -> str:
        """Twelve hex digits over all that decides a verdict: bytes, labels, input, threshold; not the place."""
        told = self.model_dump(mode="json", exclude={"model", "name"})
        return hashlib.sha256(json.dumps(told, sort_keys=True, ensure_ascii=False).encode()).hexdigest()[:12]


def load_spec(path: Path) -> CheckpointSpec:
    """Read a checkpoint's TOML file. Raises UserError naming the entry, its value and what it must be."""
    try:
        with path.open("rb") as file:
            values = tomllib.load(file)
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: not valid TOML: {error}") from error
    if "folder" in values:
        raise UserError(f"{path}: folder: no such entry; a folder is written as model = {str(values['folder'])!r}")
    folder = (path.parent / Path(str(values.get("model", ""))).expanduser()).resolve()
    if "model" in values and folder.is_dir():
        values["folder"] = folder
    try:
        return CheckpointSpec.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        told = first["msg"].removeprefix("Value error, ")
        raise UserError(f"{path}: {where + ': ' if where else ''}{told}") from error
