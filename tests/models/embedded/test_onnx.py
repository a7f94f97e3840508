from pathlib import Path

import numpy as np
import pytest

from affidavit.models.embedded.onnx import session


def _field(number: int, value: bytes | int) -> bytes:
    """One protobuf field, of a length or a small number."""
    if isinstance(value, int):
        return bytes([number << 3]) + _varint(value)
    return bytes([number << 3 | 2]) + _varint(len(value)) + value


def _varint(value: int) -> bytes:
    found = bytearray()
    while value >= 0x80:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*found, value])


def _graph(weights: bytes) -> bytes:
    """An ONNX model that looks rows of the tensor `w`, 4 by 2, up: ``logits = w[input_ids]``."""
    node = _field(1, b"w") + _field(1, b"input_ids") + _field(2, b"logits") + _field(4, b"Gather")
    tensor = _field(1, 4) + _field(1, 2) + _field(2, 1) + _field(8, b"w") + weights
    shape = _field(1, _field(2, b"batch")) + _field(1, _field(2, b"tokens"))
    ids = _field(1, b"input_ids") + _field(2, _field(1, _field(1, 7) + _field(2, shape)))
    logits = _field(1, b"logits") + _field(2, _field(1, _field(1, 1)))
    graph = _field(1, node) + _field(2, b"g") + _field(5, tensor) + _field(11, ids) + _field(12, logits)
    return _field(1, 8) + _field(7, graph) + _field(8, _field(1, b"") + _field(2, 17))


ROWS = np.arange(8, dtype=np.float32).reshape(4, 2)
OUTSIDE = _field(13, _field(1, b"location") + _field(2, b"weights.data")) + _field(14, 1)


def test_a_graph_with_its_weights_runs():
    model = session(_graph(_field(9, ROWS.tobytes())))
    (found,) = model.run(["logits"], {"input_ids": np.array([[3, 0]])})
    assert np.array_equal(np.asarray(found), [[[6, 7], [0, 1]]])


def test_weights_in_another_file_are_not_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "weights.data").write_bytes(ROWS.tobytes())
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Exception, match=r"(?i)external|weights\.data"):
        session(_graph(OUTSIDE))
