import subprocess
import sys
from importlib.resources import files

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affidavit.errors import IntegrityError, MissingExtra
from affidavit.models.embedded import PairJudge, judge

CLAIM = "The lighthouse at Skerryvore was lit in 1844."
SPAN = "First lit in 1844, the lighthouse at Skerryvore still guides ships."

needs_weights = pytest.mark.skipif(not PairJudge.available(), reason="needs the distribution affidavit-judge")


@pytest.fixture(scope="module")
def model() -> PairJudge:
    return PairJudge()


@needs_weights
def test_a_reordered_claim_is_supported_and_another_place_is_not(model: PairJudge):
    assert model.scores(CLAIM, SPAN).supported > 0.77
    assert model.scores("A woman cleans the courtroom floor.", "A woman cleans the kitchen floor.").not_supported > 0.77


@needs_weights
def test_the_span_and_the_claim_are_not_interchangeable(model: PairJudge):
    narrow, wide = "He bought a dog.", "He bought a dog and a house by the sea in Norway."
    assert model.scores(narrow, wide).supported > 0.5 > model.scores(wide, narrow).supported


@needs_weights
@settings(max_examples=15, deadline=None)
@given(claim=st.text(max_size=300), span=st.text(max_size=2000))
def test_any_two_texts_have_three_probabilities(model: PairJudge, claim: str, span: str):
    found = model.scores(claim, span)
    three = (found.supported, found.partial, found.not_supported)
    assert all(0 <= one <= 1 for one in three)
    assert sum(three) == pytest.approx(1)


@needs_weights
def test_a_claim_longer_than_what_is_read_is_said_to_be_cut(model: PairJudge):
    assert model.scores("Skerryvore was lit, " * 200, SPAN).claim_cut
    assert not model.scores(CLAIM, SPAN).claim_cut


@needs_weights
def test_other_bytes_than_the_known_ones_are_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(judge._SHA256, "judge.int8.onnx", "0" * 64)
    with pytest.raises(IntegrityError, match=r"judge\.int8\.onnx.*install affidavit-judge again"):
        PairJudge().scores(CLAIM, SPAN)


def test_without_its_weights_it_names_the_command_that_installs_them(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(judge, "_PACKAGE", "affidavit_judge_not_here")
    assert not PairJudge.available()
    with pytest.raises(MissingExtra, match=r'pip install "affidavit\[judge\]"'):
        PairJudge().scores(CLAIM, SPAN)


def test_nothing_heavy_is_imported_before_the_first_pair():
    code = (
        "import sys; from affidavit.models.embedded import PairJudge; PairJudge(); PairJudge.available();"
        "print({'numpy', 'onnxruntime', 'tokenizers'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


@needs_weights
def test_the_card_names_the_bytes_that_are_loaded():
    card = files("affidavit_judge").joinpath("card.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in card and digest in card for name, digest in judge._SHA256.items())
