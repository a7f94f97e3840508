"""Classification checkpoints of others, by folder or pinned hub id: known bytes, no pickle, no code of theirs."""

from affidavit.models.checkpoint.checkpoint import Checkpoint, Reading
from affidavit.models.checkpoint.spec import CheckpointSpec, load_spec

__all__ = ["Checkpoint", "CheckpointSpec", "Reading", "load_spec"]
