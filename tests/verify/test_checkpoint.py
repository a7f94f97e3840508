import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from affidavit.errors import UserError
from affidavit.evidence.claim import Label
from affidavit.models.checkpoint import Reading
from affidavit.verify import Guarded, text_pair
from affidavit.verify.checkpoint import CheckpointVerifier, open_checkpoint

CLAIM = "The lighthouse at Skerryvore was lit in 1844."
SPAN = "First lit in 1844, the lighthouse at Skerryvore still guides ships."
LABELS = {"yes": "SUPPORTED", "some": "PARTIAL", "no": "NOT_SUPPORTED"}

Describe = Callable[..., Path]


@pytest.fixture(scope="module")
def verifier(describe: Describe, onnx_folder: Path) -> CheckpointVerifier:
    return open_checkpoint(describe(onnx_folder, labels=LABELS))


def give(verifier: CheckpointVerifier, monkeypatch: pytest.MonkeyPatch, reading: Reading | None) -> None:
    monkeypatch.setattr(verifier._checkpoint, "read", lambda claim, span: reading)


def test_the_threshold_decides(describe: Describe, onnx_folder: Path, verifier: CheckpointVerifier):
    found, score = asyncio.run(verifier.scored(text_pair(CLAIM, SPAN)))
    assert found.label is Label.SUPPORTED
    assert found.unsupported_element is None
    assert score is not None
    assert found.verifier == f"small/{verifier.card.version}"
    stricter = open_checkpoint(describe(onnx_folder, labels=LABELS, threshold=score + (1 - score) / 2))
    assert asyncio.run(stricter.verify(text_pair(CLAIM, SPAN))).label is Label.NOT_SUPPORTED
    assert stricter.card.version != verifier.card.version


def test_below_the_threshold_the_likelier_label_is_given(verifier: CheckpointVerifier, monkeypatch: pytest.MonkeyPatch):
    for reading, label in ((Reading(0.4, 0.5, 0.1), Label.PARTIAL), (Reading(0.4, 0.1, 0.5), Label.NOT_SUPPORTED)):
        give(verifier, monkeypatch, reading)
        assert asyncio.run(verifier.verify(text_pair(CLAIM, SPAN))).label is label


def test_a_token_head_names_the_first_words_that_are_not_supported(
    verifier: CheckpointVerifier, monkeypatch: pytest.MonkeyPatch
):
    claim = "Lit in 1844 by Stevenson."
    tokens = ((0, 3, 0.9), (4, 6, 0.9), (7, 11, 0.8), (12, 14, 0.2), (15, 24, 0.1), (24, 25, 0.9))
    give(verifier, monkeypatch, Reading(0.1, 0.0, 0.9, tokens=tokens))
    found = asyncio.run(verifier.verify(text_pair(claim, SPAN)))
    assert found.label is Label.PARTIAL
    assert found.unsupported_element == "by Stevenson"
    give(verifier, monkeypatch, Reading(0.1, 0.0, 0.9, tokens=((0, 3, 0.2), (4, 24, 0.1))))
    assert asyncio.run(verifier.verify(text_pair(claim, SPAN))).label is Label.NOT_SUPPORTED


def test_what_cannot_be_read_is_could_not_check(verifier: CheckpointVerifier, monkeypatch: pytest.MonkeyPatch):
    found, score = asyncio.run(verifier.scored(text_pair("Skerryvore was lit. " * 40, SPAN * 5)))
    assert found.label is Label.COULD_NOT_CHECK
    assert "too many tokens" in found.reason
    assert score is None

    def fail(claim: str, span: str) -> Reading:
        raise RuntimeError("out of memory")

    monkeypatch.setattr(verifier._checkpoint, "read", fail)
    found = asyncio.run(verifier.verify(text_pair(CLAIM, SPAN)))
    assert found.label is Label.COULD_NOT_CHECK
    assert found.reason == "the checkpoint failed: RuntimeError: out of memory"


def test_pairs_are_judged_side_by_side_and_in_several_loops_as_they_are_alone(verifier: CheckpointVerifier):
    spans = [SPAN, "Tin is mined in the hills.", "The lighthouse was never lit."] * 3

    async def together() -> list[float | None]:
        return [score for _, score in await asyncio.gather(*(verifier.scored(text_pair(CLAIM, one)) for one in spans))]

    alone = [asyncio.run(verifier.scored(text_pair(CLAIM, one)))[1] for one in spans]
    assert asyncio.run(together()) == asyncio.run(together()) == alone


def test_between_the_guards_another_figure_is_not_certified(verifier: CheckpointVerifier):
    other = text_pair(CLAIM, SPAN.replace("1844", "1845"))
    assert asyncio.run(Guarded(verifier).verify(other)).label is not Label.SUPPORTED


def test_nobody_has_measured_it_until_a_file_of_figures_lies_beside_it(describe: Describe, onnx_folder: Path):
    spec = describe(onnx_folder, labels=LABELS)
    unmeasured = open_checkpoint(spec).card
    assert unmeasured.calibration is None
    figures = {"verifier": f"{unmeasured.name}/{unmeasured.version}", "balanced_accuracy": 0.7}
    beside = spec.with_suffix(".calibration.json")
    try:
        beside.write_text(json.dumps(figures))
        assert open_checkpoint(spec).card.calibration == figures
        beside.write_text(json.dumps(figures | {"verifier": "small/000000000000"}))
        with pytest.raises(UserError, match="these figures are of another; remove them"):
            open_checkpoint(spec)
        beside.write_text("[")
        with pytest.raises(UserError, match="not valid JSON"):
            open_checkpoint(spec)
    finally:
        beside.unlink()
