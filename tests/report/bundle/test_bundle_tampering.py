"""Every leaf and every list of a bundle's JSON, changed one at a time under a manifest and a seal that fit again.

What an attacker who edits members can do without writing the run's events anew. Not a sample: all of them. A change
is refuted, or (only where it claims a newer format) cannot be checked; it never verifies.
"""

import copy
import json
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import pytest

from affidavit.errors import BundleMismatch
from affidavit.extract import extract
from affidavit.ledger.canonical import canonical
from affidavit.report.bundle_container import assemble, open_container, pack, write_container
from affidavit.report.bundle_report import BundleReport
from affidavit.report.bundle_verify import verify_bundle

Path = tuple[str | int, ...]
opened = lru_cache(maxsize=4)(open_container)
"""The bundle that is changed is the same each time."""


@pytest.fixture(scope="session")
def extract_once(case):
    """Extraction from a table: reading a page again is the same work for each of some thousand bundles."""
    known = {page: extract(page) for page in case.pages.values()}
    return known.__getitem__


@pytest.fixture
def verify(tmp_path, extract_once):
    path = tmp_path / "a.affidavit"

    def checked(raw: bytes) -> BundleReport:
        path.write_bytes(raw)
        return verify_bundle(path, extract=extract_once)

    return checked


def remade(raw: bytes, name: str, value: Any) -> bytes:
    """The bundle with the JSON `value` as member `name`, all digests made to fit."""
    container = opened(raw)
    data = canonical(value).encode()
    if name == "manifest.json":
        return assemble([pack(name, data), *(pack(*member) for member in container.members.items())])
    facts = {key: fact for key, fact in container.manifest.items() if key != "members"}
    members = [(member, data if member == name else held) for member, held in container.members.items()]
    return assemble(write_container(facts, members)[1])


def places(value: Any, at: Path = ()) -> Iterator[tuple[Path, Any]]:
    yield at, value
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inner:
        yield from places(item, (*at, key))


def others(value: Any) -> list[Any]:
    """Values near `value`: what a careful forger would write, and what a clumsy one would."""
    match value:
        case bool():
            return [not value, int(value)]
        case int() | float():
            return [value + 1, -value - 0.5, float(value) if isinstance(value, int) else value + 0.25]
        case str():
            return ["", value + "\x1b[31m\n\u202e", None]
        case None:
            return ["x", "", 0]
        case list():
            turned = [value[::-1], value[1:] + value[:1], value[1:], value[:-1], [*value, *value[:1]], []]
            return turned if value else [["x"], [0]]
        case _:
            return [{**value, "zz": 1}, *({k: v for k, v in value.items() if k != key} for key in value)]


def with_other(whole: Any, at: Path, value: Any) -> Any:
    if not at:
        return value
    changed = copy.deepcopy(whole)
    inner = changed
    for key in at[:-1]:
        inner = inner[key]
    inner[at[-1]] = value
    return changed


def member_json(raw: bytes, name: str) -> Any:
    container = opened(raw)
    return dict(container.manifest) if name == "manifest.json" else json.loads(container.members[name])


@pytest.mark.parametrize("which", ["manifest.json", "answer.json", "documents 0", "documents 1"])
def test_no_leaf_and_no_list_can_be_changed(raw, verify, which: str) -> None:
    assert verify(raw).verified
    name = which
    if which.startswith("documents"):
        listed = [member for member in open_container(raw).members if member.endswith(".json") and "doc_" in member]
        name = listed[int(which[-1])]
    whole = member_json(raw, name)
    written = canonical(whole)
    tried = 0
    for at, value in places(whole):
        for other in others(value):
            changed = with_other(whole, at, other)
            if canonical(changed) == written:
                continue
            tried += 1
            try:
                report = verify(remade(raw, name, changed))
            except BundleMismatch:
                continue
            assert not report.verified, (name, at, value, other)
            assert at in ((), ("format_version",)), f"{name} {at}: {other!r} is refuted by nothing"
    assert tried > 100


@pytest.mark.parametrize(
    "product", ["0.0.9", "9.0", "", " ", "0.1.0 ", "0.1.0\n", "0.1", "0.1.0\x1b[2J", "x", "1" * 99, "0.1.0; rm -rf /"]
)
def test_a_false_product_is_refuted_whatever_else_was_changed(raw, verify, product: str) -> None:
    """Named as another version's, an edit used to be something that this version cannot check."""
    manifest = {**open_container(raw).manifest, "product": product}
    with pytest.raises(BundleMismatch, match=r"manifest\.json: product"):
        verify(remade(raw, "manifest.json", manifest))
    answer = member_json(raw, "answer.json")
    answer["claims"][0]["spans"][0]["text_fragment_url"] = "https://evil.example/"
    both = remade(raw, "answer.json", answer)
    with pytest.raises(BundleMismatch, match=r"manifest\.json: product"):
        verify(remade(both, "manifest.json", {**open_container(both).manifest, "product": product}))


@pytest.mark.parametrize("product", ["", "9.0\x07", "9.0; reboot", "\u0669.0"])
def test_no_odd_product_is_repeated_even_of_a_newer_format(raw, verify, product: str) -> None:
    manifest = {**open_container(raw).manifest, "product": product, "format_version": 2}
    with pytest.raises(BundleMismatch, match=r"manifest\.json: product is "):
        verify(remade(raw, "manifest.json", manifest))


@pytest.mark.parametrize("version", [0, -1, 10_000, 10**400, True, 1.0])
def test_a_format_that_no_product_writes_is_refused(raw, verify, version: object) -> None:
    with pytest.raises(BundleMismatch, match=r"format_version"):
        verify(remade(raw, "manifest.json", {**open_container(raw).manifest, "format_version": version}))
