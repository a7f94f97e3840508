import copy
import dataclasses
import json
import pickle
from dataclasses import dataclass
from typing import Any

import pytest

from affidavit.evidence.frozen import FrozenDict, freeze, freeze_fields


@dataclass(frozen=True, slots=True)
class Held:
    many: Any
    named: Any


def held(many: Any, named: Any) -> Held:
    made = Held(many, named)
    freeze_fields(made)
    return made


def test_lists_become_tuples_and_mappings_cannot_be_changed_however_deep() -> None:
    made = held([1, [2, {"a": [3]}]], {"b": {"c": [4]}})
    assert made == Held((1, (2, {"a": (3,)})), {"b": {"c": (4,)}})
    for mapping in (made.named, made.named["b"], made.many[1][1]):
        for change in (
            lambda one: one.update(x=1),
            lambda one: one.__setitem__("x", 1),
            lambda one: one.__ior__({"x": 1}),
            lambda one: one.setdefault("x", 1),
            lambda one: one.pop("b", None),
            lambda one: one.popitem(),
            lambda one: one.clear(),
            lambda one: one.__delitem__("b"),
        ):
            with pytest.raises(TypeError, match="was checked as it is"):
                change(mapping)


def test_what_was_given_can_be_changed_without_changing_what_was_made() -> None:
    many, named = [1], {"a": {"b": 1}}
    made = held(many, named)
    many.append(2)
    named["a"]["b"] = 2
    assert made == Held((1,), {"a": {"b": 1}})


def test_what_cannot_change_is_kept_as_it_is() -> None:
    for value in ("text", 1, None, (1, ("a", "b")), FrozenDict(a=1)):
        assert freeze(value) is value


def test_a_frozen_mapping_is_written_copied_and_sent_like_a_dict() -> None:
    made = held((), {"a": {"b": 1}})
    assert json.dumps(made.named) == '{"a": {"b": 1}}'
    for again in (copy.deepcopy(made.named), copy.copy(made.named), pickle.loads(pickle.dumps(made.named))):
        assert again == made.named
        with pytest.raises(TypeError):
            again["x"] = 1
    assert dataclasses.asdict(made) == {"many": (), "named": {"a": {"b": 1}}}
