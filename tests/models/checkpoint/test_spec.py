from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.errors import UserError
from affidavit.models.checkpoint import CheckpointSpec, load_spec
from affidavit.models.checkpoint.spec import Template

COMMIT = "0123456789abcdef0123456789abcdef01234567"
DIGEST = "a" * 64
FILES = {"config.json": DIGEST, "tokenizer.json": DIGEST, "model.safetensors": DIGEST}
LABELS = {"yes": "SUPPORTED", "no": "NOT_SUPPORTED"}
HUB = {"model": f"org/name@{COMMIT}", "sha256": FILES, "labels": LABELS}

Describe = Callable[..., Path]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "small").mkdir()
    return tmp_path / "small"


def test_a_pinned_hub_id_is_taken(describe: Describe, folder: Path):
    spec = load_spec(describe(folder, **HUB))
    assert spec.folder is None
    assert spec.hub == ("org/name", COMMIT)


def test_a_folder_is_found_beside_the_spec(describe: Describe, folder: Path):
    assert load_spec(describe(folder, **HUB | {"model": "small"})).folder == folder


@pytest.mark.parametrize(
    "model", ["org/name", "org/name@main", f"org/name@{COMMIT[:12]}", "org/name@", "org/name@v1.0"]
)
def test_a_hub_id_that_is_not_pinned_to_a_commit_is_refused(describe: Describe, folder: Path, model: str):
    with pytest.raises(UserError, match="org/name@ and the 40 hex digits of its commit"):
        load_spec(describe(folder, **HUB | {"model": model}))
    with pytest.raises(ValueError, match="40 hex digits"):
        CheckpointSpec.model_validate(HUB | {"name": "small", "model": model})


def test_a_folder_that_is_not_there_is_named(describe: Describe, folder: Path):
    with pytest.raises(UserError, match=r"'\./absent' is no folder"):
        load_spec(describe(folder, **HUB | {"model": "./absent"}))


@pytest.mark.parametrize("name", ["pytorch_model.bin", "model.pt", "model.ckpt", "sub/model.PKL"])
def test_pickled_weights_are_refused_with_the_reason(describe: Describe, folder: Path, name: str):
    with pytest.raises(UserError, match=rf"{name}.*is a pickle, which can run any code"):
        load_spec(describe(folder, **HUB | {"sha256": FILES | {name: DIGEST}}))


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({"config.json": DIGEST, "model.safetensors": DIGEST}, "must hold tokenizer.json"),
        ({"config.json": DIGEST, "tokenizer.json": DIGEST}, "of weights"),
        (FILES | {"model.onnx": DIGEST}, "of weights"),
        (FILES | {"../model.safetensors": DIGEST}, "inside the checkpoint"),
        (FILES | {"/model.safetensors": DIGEST}, "inside the checkpoint"),
        (FILES | {"model.safetensors": "abc"}, "64 lower-case hex digits"),
    ],
)
def test_files_that_would_leave_something_unknown_are_refused(
    describe: Describe, folder: Path, files: dict[str, str], told: str
):
    with pytest.raises(UserError, match=told):
        load_spec(describe(folder, **HUB | {"sha256": files}))


@pytest.mark.parametrize(
    ("entries", "told"),
    [
        ({"labels": {"yes": "NOT_SUPPORTED"}}, "nothing could ever be supported"),
        ({"labels": {"yes": "SUPPORTED", "no": "COULD_NOT_CHECK"}}, "COULD_NOT_CHECK is no label"),
        ({"labels": {"yes": "TRUE"}}, r"labels\.yes"),
        ({"labels": None}, "labels: Field required"),
        ({"threshold": 1.5}, "threshold"),
        ({"treshold": 0.5}, "treshold"),
        ({"folder": "elsewhere"}, "written as model"),
        ({"input": {"first": "{span}", "second": ""}}, r"\{claim\} once"),
        ({"input": {"first": "{span} {claim}"}}, r"\{claim\} once"),
    ],
)
def test_an_entry_that_means_nothing_is_named(describe: Describe, folder: Path, entries: dict[str, object], told: str):
    with pytest.raises(UserError, match=told):
        load_spec(describe(folder, **HUB | entries))


def test_the_version_changes_with_all_that_decides_and_not_with_the_place(describe: Describe, folder: Path):
    def version(**entries: object) -> str:
        return load_spec(describe(folder, **HUB | entries)).version

    assert version(model="small") == version() == version(name="other")
    others = {
        version(threshold=0.6),
        version(labels={"yes": "NOT_SUPPORTED", "no": "SUPPORTED"}),
        version(sha256=FILES | {"model.safetensors": "b" * 64}),
        version(input={"first": "{claim}", "second": "{span}"}),
        version(max_tokens=128),
        version(head="tokens"),
    }
    assert len(others) == 6
    assert version() not in others


@given(claim=st.text(), span=st.text())
def test_each_text_stands_in_its_hole_whatever_it_holds(claim: str, span: str):
    template = Template(first="Premise: {span}\nHypothesis: {claim}?", second="")
    first, second = template.fill(claim + "{span}", span + "{claim}")
    assert first == f"Premise: {span}{{claim}}\nHypothesis: {claim}{{span}}?"
    assert second == ""
    at, start = template.claim_place(span + "{claim}")
    assert at == 0
    assert first[start : start + len(claim)] == claim
