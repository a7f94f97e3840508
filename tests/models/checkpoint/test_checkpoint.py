"""Checkpoints in ONNX; those of torch are in test_graphs.py, where it is installed."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affidavit.errors import IntegrityError, UserError
from affidavit.models.checkpoint import Checkpoint, Reading, load_spec
from affidavit.models.embedded import PairJudge
from affidavit.models.embedded.judge import TEMPERATURE

CLAIM = "The lighthouse at Skerryvore was lit in 1844."
SPAN = "First lit in 1844, the lighthouse at Skerryvore still guides ships."
LABELS = {"yes": "SUPPORTED", "some": "PARTIAL", "no": "NOT_SUPPORTED"}

Describe = Callable[..., Path]


@pytest.fixture
def folder(onnx_folder: Path, tmp_path: Path) -> Path:
    return shutil.copytree(onnx_folder, tmp_path / "copy", symlinks=True)


def load(spec: Path) -> Checkpoint:
    return Checkpoint(load_spec(spec))


def read(checkpoint: Checkpoint, claim: str, span: str) -> Reading:
    found = checkpoint.read(claim, span)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def usual(describe: Describe, onnx_folder: Path) -> Checkpoint:
    return load(describe(onnx_folder, labels=LABELS))


def test_it_says_what_the_same_weights_say_elsewhere(describe: Describe, onnx_folder: Path):
    checkpoint = load(describe(onnx_folder, labels=LABELS, max_tokens=192))
    for claim, span in (
        (CLAIM, SPAN),
        ("He is old.", "He is young."),
        (CLAIM, f"{SPAN} Tin is mined in the hills. " * 40),
    ):
        mine, theirs = read(checkpoint, claim, span), PairJudge().scores(claim, span)
        odds = [
            share**TEMPERATURE for share in (theirs.supported, theirs.partial, theirs.not_supported)
        ]  # theirs are cooled, and a checkpoint's are not
        assert [mine.supported, mine.partial, mine.not_supported] == pytest.approx([one / sum(odds) for one in odds])


def test_labels_of_one_meaning_are_added_up(usual: Checkpoint, describe: Describe, onnx_folder: Path):
    strict = read(usual, CLAIM, SPAN)
    loose = read(load(describe(onnx_folder, labels=LABELS | {"some": "SUPPORTED"})), CLAIM, SPAN)
    assert loose.supported == pytest.approx(strict.supported + strict.partial)


def test_the_template_says_which_text_comes_first(usual: Checkpoint, describe: Describe, onnx_folder: Path):
    narrow, wide = "He bought a dog.", "He bought a dog and a house by the sea in Norway."
    swapped = load(describe(onnx_folder, labels=LABELS, input={"first": "{claim}", "second": "{span}"}))
    assert read(usual, narrow, wide) == read(swapped, wide, narrow)
    assert read(usual, narrow, wide).supported > 0.5 > read(swapped, narrow, wide).supported


@settings(max_examples=20, deadline=None)
@given(claim=st.text(max_size=300), span=st.text(max_size=1500))
def test_any_two_texts_have_probabilities_or_no_reading(usual: Checkpoint, claim: str, span: str):
    found = usual.read(claim, span)
    assert found is None or found.supported + found.partial + found.not_supported == pytest.approx(1)


def test_a_claim_that_leaves_no_room_for_its_span_is_not_read(usual: Checkpoint):
    assert usual.read("Skerryvore was lit. " * 40, SPAN * 5) is None


def test_altered_bytes_are_refused(describe: Describe, folder: Path):
    spec = describe(folder, labels=LABELS)
    (folder / "config.json").write_text(json.dumps({"id2label": {"0": "no", "1": "some", "2": "yes"}}))
    with pytest.raises(IntegrityError, match=r"config\.json: its sha256 is"):
        load(spec)


def test_a_label_map_of_other_labels_is_refused_with_both_named(describe: Describe, onnx_folder: Path):
    with pytest.raises(UserError, match=r"\[labels\] has entailment, and the checkpoint yes, some, no"):
        load(describe(onnx_folder, labels={"entailment": "SUPPORTED"}))


def test_a_label_the_checkpoint_does_not_score_is_refused(describe: Describe, folder: Path):
    (folder / "config.json").write_text(json.dumps({"id2label": {"0": "yes", "1": "no"}}))
    with pytest.raises(UserError, match=r"gives 3 scores, and config\.json names 2 labels"):
        load(describe(folder, labels={"yes": "SUPPORTED", "no": "NOT_SUPPORTED"}))


def test_another_head_than_the_one_named_is_refused(describe: Describe, onnx_folder: Path):
    with pytest.raises(UserError, match="head = 'tokens', and its scores have another shape"):
        load(describe(onnx_folder, labels=LABELS, head="tokens"))


def test_more_tokens_than_the_checkpoint_reads_are_refused(describe: Describe, onnx_folder: Path):
    with pytest.raises(UserError, match="max_tokens is 1024, and the checkpoint reads 512"):
        load(describe(onnx_folder, labels=LABELS, max_tokens=1024))


def test_a_file_that_the_folder_lacks_is_named_beside_what_is_there(describe: Describe, folder: Path):
    spec = describe(folder, labels=LABELS)
    (folder / "judge.int8.onnx").rename(folder / "pytorch_model.bin")
    with pytest.raises(UserError, match=r"has no judge\.int8\.onnx; it holds .*pytorch_model\.bin.*can run code"):
        load(spec)


@pytest.mark.parametrize("name", ["judge.int8.onnx", "tokenizer.json"])
def test_a_file_that_is_not_what_its_name_says_is_refused(describe: Describe, folder: Path, name: str):
    (folder / name).unlink()
    (folder / name).write_text("not a model")
    with pytest.raises(UserError, match="small: cannot be loaded"):
        load(describe(folder, labels=LABELS))
