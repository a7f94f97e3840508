"""What a command's exit status means; CONTRACTS.md's U, and the sysexits usage code."""

from enum import IntEnum


class Exit(IntEnum):
    DONE = 0
    FINDINGS = 1
    """Findings, or nothing could be published."""
    COULD_NOT_CHECK = 2
    FAILED = 3
    USAGE = 64
    INTERRUPTED = 130
