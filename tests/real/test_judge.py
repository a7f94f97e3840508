"""The measure itself on the labelled sets that nobody of this project wrote."""

import asyncio
from pathlib import Path

import pytest

from affidavit.evals.judge import measure
from affidavit.evals.triples import Triples, read_triples
from affidavit.evidence.claim import Label
from affidavit.verify.baselines import OverlapVerifier


@pytest.fixture(scope="module")
def labelled(shared: Path) -> Triples:
    folder = shared / "data/verify/dev"
    if not folder.is_dir():
        pytest.skip(f"needs the labelled sets at {folder}")
    return read_triples([folder])


def test_every_row_of_every_set_is_read(labelled: Triples):
    assert len(labelled.files) >= 15
    assert len(labelled.rows) == sum(file.rows for file in labelled.files)
    assert {row.label for row in labelled.rows} == {Label.SUPPORTED, Label.PARTIAL, Label.NOT_SUPPORTED}


def test_word_overlap_is_no_gate(labelled: Triples):
    """Were it one, the sets would be too easy to tell a verifier from a matcher of words."""
    measured = asyncio.run(measure(OverlapVerifier(), labelled.rows))
    balanced, wrong = measured.pooled.balanced_accuracy, measured.pooled.false_supported.value
    assert balanced is not None
    assert wrong is not None
    assert 0.55 < balanced < 0.7
    assert wrong > 0.2
    assert measured.sets["scone_negation_scope"].balanced_accuracy == pytest.approx(0.5, abs=0.05)
