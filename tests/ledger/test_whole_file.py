from pathlib import Path

import pytest

from affidavit.ledger.whole_file import write_whole


def test_a_file_is_replaced_in_one_step_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "a"
    write_whole(path, b"one")
    write_whole(path, b"two")
    assert path.read_bytes() == b"two"
    assert [one.name for one in tmp_path.iterdir()] == ["a"]


def test_a_write_that_fails_leaves_the_old_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "a"
    write_whole(path, b"one")
    with pytest.raises(TypeError):
        write_whole(path, "not bytes")  # type: ignore[arg-type]
    assert path.read_bytes() == b"one"
    assert [one.name for one in tmp_path.iterdir()] == ["a"]


def test_the_usual_permissions_hold_for_it(tmp_path: Path) -> None:
    plain, whole = tmp_path / "plain", tmp_path / "whole"
    plain.write_bytes(b"")
    write_whole(whole, b"")
    assert whole.stat().st_mode == plain.stat().st_mode
