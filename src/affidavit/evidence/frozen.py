"""Makes what a frozen dataclass holds as fixed as the dataclass.

``frozen=True`` fixes which list a field holds and not what is in the list. An answer is checked once, when it is made;
whoever kept a list of its claims could add to them afterwards what nobody verified.
"""

import dataclasses
from collections.abc import Mapping
from typing import Any, NoReturn, cast


class FrozenDict(dict[str, Any]):
    """A dict that cannot be changed. Still a dict, so that it is compared, copied and written as JSON like one."""

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("this mapping belongs to something that was checked as it is; make a copy with dict() instead")

    __setitem__ = __delitem__ = __ior__ = update = setdefault = pop = popitem = clear = _refuse  # pyright: ignore[reportAssignmentType, reportIncompatibleMethodOverride]

    def __reduce__(self) -> tuple[type["FrozenDict"], tuple[dict[str, Any]]]:
        return FrozenDict, (dict(self),)


def freeze(value: object) -> Any:
    """`value` with tuples for lists and `FrozenDict` for mappings, however deep; itself where nothing can change."""
    if isinstance(value, FrozenDict):
        return value
    if isinstance(value, Mapping):
        return FrozenDict({key: freeze(item) for key, item in cast("Mapping[str, object]", value).items()})
    if isinstance(value, list):
        return tuple(freeze(item) for item in cast("list[object]", value))
    if isinstance(value, tuple):
        items = cast("tuple[object, ...]", value)
        frozen = tuple(freeze(item) for item in items)
        return value if all(one is other for one, other in zip(frozen, items, strict=True)) else frozen
    return value


def freeze_fields(instance: Any) -> None:
    """Freeze every field of a frozen dataclass; the first line of its ``__post_init__``."""
    for field in dataclasses.fields(instance):
        value = getattr(instance, field.name)
        frozen = freeze(value)
        if frozen is not value:
            object.__setattr__(instance, field.name, frozen)
