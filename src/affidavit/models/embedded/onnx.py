"""How every ONNX graph of this program is run: on the CPU, in one thread, and in silence."""

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from onnxruntime import InferenceSession


def session(model: bytes) -> "InferenceSession":
    """A session over a serialised graph, all of it: a graph that keeps weights in other files is not loaded, because
    nobody has checked those files, and the runtime would look for them in whatever folder the program was started.

    One thread, because texts are run one by one (see `SentenceEncoder`) and several threads only get in each other's
    way; no arena, because it would keep for ever what the longest text needed.
    """
    # Read at import; without it the runtime leaves a device id in the home folder and seeks a host to report to.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    # late: onnxruntime costs 0.1 s of import, and most commands run no model
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False
    options.add_session_config_entry("session.model_external_initializers_file_folder_path", os.devnull)
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
