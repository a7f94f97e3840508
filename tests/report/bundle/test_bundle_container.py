import io
import random
import re
import struct
import zipfile
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affidavit.errors import BundleMismatch
from affidavit.report import bundle_container
from affidavit.report.bundle_container import (
    Packed,
    assemble,
    damaged_byte,
    first_different_byte,
    open_container,
    pack,
    seal,
    write_container,
)


def test_no_byte_of_the_file_can_be_changed_and_the_changed_one_is_named(raw: bytes) -> None:
    named = 0
    for at in range(len(raw)):
        altered = bytearray(raw)
        altered[at] ^= 1 << (at % 8)
        with pytest.raises(BundleMismatch) as caught:
            open_container(bytes(altered))
        named += f"byte {at}:" in str(caught.value)
    assert named / len(raw) > 0.95  # a changed length is noticed where the next member should begin


@given(st.integers(0), st.integers(1, 255))
@settings(max_examples=200, deadline=None)
def test_no_byte_can_take_any_other_value(raw: bytes, at: int, change: int) -> None:
    altered = bytearray(raw)
    altered[at % len(raw)] ^= change
    with pytest.raises(BundleMismatch):
        open_container(bytes(altered))


@given(st.integers(0), st.integers(0), st.binary(max_size=20))
@settings(max_examples=200, deadline=None)
def test_nothing_can_be_cut_out_or_put_in_anywhere(raw: bytes, at: int, length: int, put: bytes) -> None:
    at %= len(raw) + 1
    end = min(len(raw), at + length % 40)
    altered = raw[:at] + put + raw[end:]
    if altered != raw:
        with pytest.raises(BundleMismatch):
            open_container(altered)


def test_a_file_cut_short_at_any_byte_is_refused(raw: bytes) -> None:
    for end in range(len(raw)):
        with pytest.raises(BundleMismatch):
            open_container(raw[:end])


@given(st.binary(max_size=300) | st.binary(max_size=100).map(lambda tail: b"PK\x03\x04" + tail))
@settings(max_examples=200, deadline=None)
def test_any_other_bytes_are_refused_and_nothing_else_happens(data: bytes) -> None:
    with pytest.raises(BundleMismatch):
        open_container(data)


def test_any_zip_tool_opens_a_bundle(raw: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        for name, data in open_container(raw).members.items():
            assert archive.read(name) == data
    assert names[:2] == ["manifest.json", "answer.json"]
    assert names[-2:] == ["events.jsonl", "pages.warc.gz"]


def test_the_same_members_give_the_same_bytes() -> None:
    members = [("answer.json", b"{}" * 500), ("events.jsonl", b"")]
    first = assemble(write_container({"a": 1}, members)[1])
    assert first == assemble(write_container({"a": 1}, members)[1])
    assert open_container(first).members == dict(members)


def rezipped(raw: bytes, **zip_options: int) -> bytes:
    """The same members in the same order, as an ordinary zip tool writes them."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(raw)) as old, zipfile.ZipFile(out, "w", **zip_options) as new:
        for name in old.namelist():
            new.writestr(name, old.read(name))
        new.comment = old.comment
    return out.getvalue()


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_the_right_members_in_another_zip_are_not_the_bundle(raw: bytes, method: int) -> None:
    with pytest.raises(BundleMismatch, match="byte"):
        open_container(rezipped(raw, compression=method))


@pytest.mark.parametrize(
    "name",
    ["../../etc/passwd", "/etc/passwd", "documents/../x.txt", "answer.json/", "documents\\x.json", "ANSWER"],
)
def test_a_name_that_is_no_member_of_a_bundle_is_refused(name: str) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(name, b"x")
    with pytest.raises(BundleMismatch, match=r"byte 30: .* is not the name of a member"):
        open_container(out.getvalue())


def test_a_member_twice_a_member_more_and_a_member_less_are_refused(raw: bytes) -> None:
    packed = packed_members(raw)
    for changed in ([*packed, packed[1]], [*packed[:2], *packed[3:]], [packed[1], packed[0], *packed[2:]]):
        with pytest.raises(BundleMismatch, match=r"stands in the file twice|where the manifest lists|first member"):
            open_container(assemble(changed))
    extra = pack("documents/doc_0123456789abcdef.txt", b"more")
    with pytest.raises(BundleMismatch, match=r"doc_0123456789abcdef\.txt where the manifest lists the end"):
        open_container(assemble([*packed, extra]))


def packed_members(raw: bytes) -> list[Packed]:
    container = open_container(raw)
    return [pack("manifest.json", container.manifest_bytes), *(pack(n, d) for n, d in container.members.items())]


def test_a_member_whose_stream_has_spare_bits_is_refused() -> None:
    data = b"spare bits " * 30
    member = pack("answer.json", data)
    for bit in range(8):
        loose = bytearray(member.stored)
        loose[-1] ^= 1 << bit
        unpacker = zlib.decompressobj(-15)
        try:
            same = unpacker.decompress(bytes(loose)) == data and unpacker.eof
        except zlib.error:
            continue
        if not same:
            continue
        manifest, _ = write_container({}, [("answer.json", data)])
        with pytest.raises(BundleMismatch, match=r"byte \d+: answer.json"):
            open_container(assemble([pack("manifest.json", manifest), Packed("answer.json", bytes(loose), data)]))


def bundle_of(stored: bytes, size: int) -> bytes:
    """A bundle whose one member is `stored` and claims to unpack to `size` bytes."""
    member = Packed("answer.json", stored, b"\0" * min(size, 10))
    manifest, _ = write_container({}, [("answer.json", b"")])
    entry = {
        "name": "answer.json",
        "size": size,
        "sha256": "0" * 64,
        "stored_size": len(stored),
        "stored_sha256": __import__("hashlib").sha256(stored).hexdigest(),
        "stored_crc32": zlib.crc32(stored),
    }
    manifest = bundle_container.canonical({"members": [entry]}).encode()
    return assemble([pack("manifest.json", manifest), member])


def test_a_zip_bomb_is_refused_before_it_unpacks() -> None:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    bomb = b"".join(packer.compress(b"\0" * 10_000_000) for _ in range(5)) + packer.flush()
    with pytest.raises(BundleMismatch, match="unpacks to more than the 100 bytes"):
        open_container(bundle_of(bomb, 100))
    with pytest.raises(BundleMismatch, match="the limit is"):
        open_container(bundle_of(bomb, 1 << 40))
    with pytest.raises(BundleMismatch, match=r"answer\.json: -1 bytes"):
        open_container(bundle_of(bomb, -1))


def test_a_stream_with_something_behind_it_is_refused() -> None:
    stored = pack("answer.json", b"{}").stored
    with pytest.raises(BundleMismatch, match="ends too early or too late"):
        open_container(bundle_of(stored + b"x", 2))
    with pytest.raises(BundleMismatch, match="ends too early or too late"):
        open_container(bundle_of(stored[:-1], 2))
    with pytest.raises(BundleMismatch, match="cannot be unpacked"):
        open_container(bundle_of(b"\xff" * 10, 2))


@pytest.mark.parametrize(
    "manifest",
    [
        b"",
        b"{",
        b"[]",
        b"{}",
        b'{"members":{}}',
        b'{"members":[1]}',
        b'{"members":[{}]}',
        b'{"members": []}',
        b'{"members":[],"members":[]}',
        b'{"members":[NaN]}',
        b"[" * 50_000,
        b'{"members":[],"n":' + b"9" * 5000 + b"}",
        b'{"members":[{"name":"answer.json","size":true,"sha256":"","stored_size":0,"stored_sha256":"","stored_crc32":0}]}',
    ],
)
def test_a_manifest_that_is_none_is_refused(manifest: bytes) -> None:
    with pytest.raises(BundleMismatch, match=re.escape("manifest.json")):
        open_container(assemble([pack("manifest.json", manifest)]))


def test_a_declared_length_beyond_the_file_is_refused(raw: bytes) -> None:
    altered = bytearray(raw)
    altered[18:22] = struct.pack("<I", 0xFFFFFFF0)
    with pytest.raises(BundleMismatch, match=r"cut off inside manifest\.json"):
        open_container(bytes(altered))


@given(st.binary(min_size=1, max_size=3000), st.integers(0), st.integers(1, 255))
@settings(max_examples=100, deadline=None)
def test_one_damaged_byte_is_found_from_the_checksum_alone(data: bytes, at: int, change: int) -> None:
    at %= len(data)
    altered = bytearray(data)
    altered[at] ^= change
    assert damaged_byte(bytes(altered), zlib.crc32(data)) == at


def test_many_damaged_bytes_are_not_taken_for_one() -> None:
    data = random.Random(7).randbytes(2000)
    altered = bytes(byte ^ 0x55 for byte in data)
    assert damaged_byte(altered, zlib.crc32(data)) is None
    assert damaged_byte(data, zlib.crc32(data)) is None


@given(st.binary(max_size=50), st.binary(max_size=50))
def test_the_first_different_byte_is_the_first(found: bytes, expected: bytes) -> None:
    at = first_different_byte(found, expected)
    assert found[:at] == expected[:at]
    assert at == min(len(found), len(expected)) or found[at] != expected[at]


def test_the_seal_names_the_digest_of_the_manifest(raw: bytes) -> None:
    assert raw.endswith(seal(open_container(raw).manifest_bytes))
