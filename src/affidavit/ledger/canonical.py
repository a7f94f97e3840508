"""Canonical JSON: the one text of a value, so that a digest of it means something.

Keys are sorted, nothing is optional, and every character outside ASCII is escaped. The escapes matter: a page or
a command line can hold a NUL or half a surrogate pair, which UTF-8 cannot carry and PostgreSQL will not store,
and a ledger that cannot record what happened because of how it was spelled has lost it.
"""

import dataclasses
import hashlib
import json
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import cast

PLAIN = (str, int, float, bool, type(None))


def plain(value: object, where: str = "value") -> object:
    """`value` as dicts with text keys, lists, text, numbers, booleans and None.

    Tuples become lists, enumeration members their values, dataclasses their fields by name. Raises TypeError naming
    the place of anything else: a number as a key would sort differently after it was read back, and the digest
    would not be the same.
    """
    if isinstance(value, Enum):
        return plain(value.value, where)
    if isinstance(value, PLAIN):
        return value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = [field.name for field in dataclasses.fields(value)]
        return {name: plain(getattr(value, name), f"{where}.{name}") for name in names}
    if isinstance(value, Mapping):
        mapping = cast("Mapping[object, object]", value)
        for key in mapping:
            if not isinstance(key, str):
                raise TypeError(f"{where}: the key {key!r} is {type(key).__name__}, and keys are text")
        return {str(key): plain(item, f"{where}.{key}") for key, item in mapping.items()}
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray | memoryview):
        return [plain(item, f"{where}[{index}]") for index, item in enumerate(cast("Sequence[object]", value))]
    raise TypeError(f"{where}: {type(value).__name__} is not JSON; give text, numbers, lists or mappings")


def canonical(value: object) -> str:
    """The canonical JSON of `value`: ASCII, sorted keys, no spaces. Raises TypeError or ValueError (NaN, infinity)."""
    return json.dumps(plain(value), sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def digest(value: object) -> str:
    """``sha256:`` and the hex digest of the canonical JSON of `value`."""
    return "sha256:" + hashlib.sha256(canonical(value).encode("ascii")).hexdigest()
