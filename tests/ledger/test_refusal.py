import errno
import os

import pytest

from affidavit.ledger.refusal import ADVICE, refused


@pytest.mark.parametrize("number", sorted(ADVICE))
def test_a_refusal_names_the_path_what_was_tried_and_what_to_do(number: int) -> None:
    said = str(refused("/data/x", "write the blob", OSError(number, os.strerror(number))))
    assert said == f"/data/x: cannot write the blob: {ADVICE[number]}"
    assert ": " in ADVICE[number]


def test_a_refusal_nobody_foresaw_keeps_the_systems_own_words() -> None:
    assert str(refused("/x", "read it", OSError(errno.EIO, "Input/output error"))).endswith(": Input/output error")
