"""A real small model writes and reviews. It costs minutes, so it is asked for by name, as in test_local_model."""

import os
from pathlib import Path

import pytest

import affidavit
from affidavit.evidence.fact import Category, Fact, FactState, Register
from affidavit.write.boundary import Boundary, blocking

ADDRESS = os.environ.get("TEST_MODEL_URL")
pytestmark = [
    pytest.mark.skipif(ADDRESS is None, reason="needs a model's server: TEST_MODEL_URL=http://host:port/v1"),
    pytest.mark.timeout(3600),
]


def test_whatever_a_small_model_writes_only_what_is_clean_is_handed_out(tmp_path: Path):
    facts = (
        Fact(
            fact_id="fact_1",
            text="Harbour has offices in 45 countries.",
            category=Category.PRESENCE,
            subject="offices",
            value="45",
            state=FactState.APPROVED,
            decided_by="Ann",
            added_by="Ann",
        ),
    )
    register = Register("Harbour", facts)
    models = {
        "servers": {"local": ADDRESS},
        "writer": "local:small",
        "reviewer": "local:small",
        "verify_own": True,
        "seconds": 1800,
    }
    piece = affidavit.write(
        "Harbour",
        title="Where we are",
        notes="Three sentences for a brochure.",
        max_words=60,
        register=register,
        models=models,
        data_dir=tmp_path,
    )
    assert piece.rounds
    assert "local:small reviewed what it wrote itself" in piece.warnings
    if piece.text is not None:
        assert blocking(Boundary.of_register(register).check(piece.text)) == ()
    assert affidavit.replay(piece.run_id, data_dir=tmp_path).outcome == "agrees"
