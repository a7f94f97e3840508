import subprocess
import sys

import numpy as np
import pytest

from affidavit.errors import IntegrityError
from affidavit.models.embedded import SentenceEncoder, encoder

TEXTS = ("The keeper lights the lamp at dusk.", "Each evening the lighthouse is lit.", "Tin is mined in the hills.")


@pytest.fixture(scope="module")
def model() -> SentenceEncoder:
    return SentenceEncoder()


def test_each_text_has_one_row_of_unit_length(model: SentenceEncoder):
    vectors = model.encode(TEXTS)
    assert vectors.shape == (3, 384)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_sentences_that_say_alike_things_in_other_words_are_near(model: SentenceEncoder):
    lamp, lighthouse, tin = model.encode(TEXTS)
    assert lamp @ lighthouse > 0.5 > lamp @ tin


def test_a_text_has_the_same_vector_whatever_stands_beside_it(model: SentenceEncoder):
    together = model.encode((*TEXTS, "word " * 400))
    for text, vector in zip(TEXTS, together, strict=False):
        assert np.array_equal(model.encode([text])[0], vector)


def test_what_lies_beyond_the_last_token_read_changes_nothing(model: SentenceEncoder):
    long = "harbour " * encoder.MAX_TOKENS
    first, second = model.encode([long, long + "and a cathedral"])
    assert np.array_equal(first, second)


def test_no_text_gives_no_row_and_an_empty_one_gives_a_row(model: SentenceEncoder):
    assert model.encode([]).shape == (0, 384)
    assert model.encode(["", "日本語 \u200b\x00"]).shape == (2, 384)


def test_other_bytes_than_the_known_ones_are_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(encoder._SHA256, "model.onnx", "0" * 64)
    with pytest.raises(IntegrityError, match=r"model\.onnx.*install affidavit again"):
        SentenceEncoder().encode(TEXTS)


def test_nothing_heavy_is_imported_before_the_first_text():
    code = (
        "import sys; from affidavit.models.embedded import SentenceEncoder; SentenceEncoder();"
        "print({'numpy', 'onnxruntime', 'tokenizers'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
