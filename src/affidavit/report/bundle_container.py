"""A zip with one way to be written, so that a file that differs from it in any byte is not it.

A zip has room for what no reader looks at: bytes before, between and after the members, comments, extra fields, a
directory that disagrees with the members, spare bits at the end of a compressed stream. Here each of those is
settled: the members stand in a fixed order with fixed times and attributes, the manifest (first, not compressed)
holds the digest of each member's bytes both as stored and as unpacked, and the comment at the end of the file holds
the digest of the manifest. Opening takes the members out, writes the zip again around them, and compares.
"""

import hashlib
import json
import re
import struct
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from affidavit.errors import BundleMismatch
from affidavit.ledger.canonical import canonical

MANIFEST = "manifest.json"
SIGNATURE = "signature.json"
NAME = re.compile(
    r"(manifest\.json|answer\.json|documents/doc_[0-9a-f]{16}\.(json|txt)|events\.jsonl|pages\.warc\.gz|signature\.json)\Z"
)

LARGEST_FILE = 1 << 30
LARGEST_MEMBER = 1 << 28
LARGEST_WHOLE = 1 << 30
MOST_MEMBERS = 10_000
"""What a bundle may hold, in bytes as unpacked and in members. A run quotes some dozens of pages of some hundred
kilobytes; past these a file is an attack on the reader."""

STORED, DEFLATED = 0, 8
_LOCAL = struct.Struct("<4s5H3I2H")
_CENTRAL = struct.Struct("<4s6H3I5H2I")
_END = struct.Struct("<4s4H2IH")
_LOCAL_MARK, _CENTRAL_MARK, _END_MARK = b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06"
_DATE_1980 = (1 << 5) | 1
_MADE_ON_UNIX = (3 << 8) | 20
_REGULAR_FILE_0644 = 0o100644 << 16


@dataclass(frozen=True, slots=True)
class Packed:
    """A member as it stands in the file: its name, its stored bytes, and what they unpack to."""

    name: str
    stored: bytes
    data: bytes


@dataclass(frozen=True, slots=True)
class Container:
    """An opened bundle: the manifest and the other members by name, every digest checked."""

    manifest: Mapping[str, Any]
    manifest_bytes: bytes
    members: Mapping[str, bytes]
    signature: bytes | None
    size: int


def _method(name: str) -> int:
    """Compressed or not is a matter of the name: what must be read first is not."""
    return STORED if name in (MANIFEST, SIGNATURE) else DEFLATED


def pack(name: str, data: bytes) -> Packed:
    """`data` as a member called `name`."""
    if _method(name) == STORED:
        return Packed(name, data, data)
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return Packed(name, packer.compress(data) + packer.flush(), data)


def write_container(facts: Mapping[str, object], members: Sequence[tuple[str, bytes]]) -> tuple[bytes, list[Packed]]:
    """The manifest's bytes over `facts` and `members`, and the members packed, the manifest first."""
    packed = [pack(name, data) for name, data in members]
    listed = [
        {
            "name": member.name,
            "size": len(member.data),
            "sha256": hashlib.sha256(member.data).hexdigest(),
            "stored_size": len(member.stored),
            "stored_sha256": hashlib.sha256(member.stored).hexdigest(),
            "stored_crc32": zlib.crc32(member.stored),
        }
        for member in packed
    ]
    manifest = canonical({**facts, "members": listed}).encode("ascii")
    return manifest, [pack(MANIFEST, manifest), *packed]


def assemble(members: Sequence[Packed]) -> bytes:
    """The one file that holds these members: the manifest first, its digest in the comment."""
    parts: list[bytes] = []
    directory: list[bytes] = []
    offset = 0
    for member in members:
        name = member.name.encode("ascii")
        crc, stored, size = zlib.crc32(member.data), len(member.stored), len(member.data)
        method = _method(member.name)
        local = _LOCAL.pack(_LOCAL_MARK, 20, 0, method, 0, _DATE_1980, crc, stored, size, len(name), 0)
        parts += [local, name, member.stored]
        central = _CENTRAL.pack(
            _CENTRAL_MARK, _MADE_ON_UNIX, 20, 0, method, 0, _DATE_1980, crc, stored, size,
            len(name), 0, 0, 0, 0, _REGULAR_FILE_0644, offset,
        )  # fmt: skip
        directory += [central, name]
        offset += len(local) + len(name) + stored
    listing = b"".join(directory)
    comment = seal(members[0].data)
    end = _END.pack(_END_MARK, 0, 0, len(members), len(members), len(listing), offset, len(comment))
    return b"".join((*parts, listing, end, comment))


def seal(manifest: bytes) -> bytes:
    """The comment at the end of the file. It says what the file is, and that the manifest is whole."""
    return b"affidavit bundle; manifest.json sha256:" + hashlib.sha256(manifest).hexdigest().encode("ascii")


@dataclass(frozen=True, slots=True)
class _Frame:
    name: str
    offset: int
    start: int
    stored: bytes
    crc: int


def open_container(raw: bytes) -> Container:
    """Take a bundle apart and compare every byte. Raises BundleMismatch naming the first that is not as it was."""
    if len(raw) > LARGEST_FILE:
        raise BundleMismatch(f"the file has {len(raw)} bytes, over the limit of {LARGEST_FILE}")
    if not raw.startswith(_LOCAL_MARK):
        what = "is empty" if not raw else f"begins with {raw[:4]!r}, and a bundle with {_LOCAL_MARK!r}"
        raise BundleMismatch(f"byte 0: not an evidence bundle: the file {what}")
    frames = _frames(raw)
    manifest_bytes = frames[0].stored
    _check_manifest(raw, frames[0])
    manifest = _parse_manifest(manifest_bytes)
    listed: list[Mapping[str, Any]] = manifest["members"]
    expected = [MANIFEST, *(entry["name"] for entry in listed)]
    names = [frame.name for frame in frames]
    signed = names[-1] == SIGNATURE
    if names != expected + [SIGNATURE] * signed:
        place = next((i for i, (a, b) in enumerate(zip(names, expected, strict=False)) if a != b), len(expected))
        found = names[place] if place < len(names) else "the end"
        wanted = expected[place] if place < len(expected) else "the end"
        at = frames[place].offset if place < len(frames) else len(raw)
        raise BundleMismatch(f"byte {at}: {found} where the manifest lists {wanted}")
    _check_sizes(listed)
    packed = [Packed(MANIFEST, manifest_bytes, manifest_bytes)]
    packed += [_unpack(frame, entry) for frame, entry in zip(frames[1:], listed, strict=False)]
    if signed:
        packed.append(Packed(SIGNATURE, frames[-1].stored, frames[-1].stored))
    _compare(raw, assemble(packed), frames)
    members = {member.name: member.data for member in packed if member.name not in (MANIFEST, SIGNATURE)}
    return Container(manifest, manifest_bytes, members, packed[-1].data if signed else None, len(raw))


def _frames(raw: bytes) -> list[_Frame]:
    """The members by their own headers, in file order. The directory at the end is compared later, not trusted."""
    frames: list[_Frame] = []
    at = 0
    while raw[at : at + 4] != _CENTRAL_MARK:
        if len(raw) < at + _LOCAL.size:
            raise BundleMismatch(f"byte {len(raw)}: the file is cut off; a member or the directory should follow")
        mark, _, flags, _, _, _, crc, stored, _, name_size, extra_size = _LOCAL.unpack_from(raw, at)
        if mark != _LOCAL_MARK:
            raise BundleMismatch(f"byte {at}: no member begins here, and no directory")
        raw_name = raw[at + _LOCAL.size : at + _LOCAL.size + name_size]
        name = raw_name.decode("ascii", "backslashreplace")
        if NAME.match(name) is None:
            raise BundleMismatch(f"byte {at + _LOCAL.size}: {name[:80]!r} is not the name of a member of a bundle")
        if flags or extra_size:
            raise BundleMismatch(f"byte {at + 6}: {name} has flags or extra fields, which a bundle has not")
        if any(frame.name == name for frame in frames[-MOST_MEMBERS:]):
            raise BundleMismatch(f"byte {at}: {name} stands in the file twice")
        start = at + _LOCAL.size + name_size
        if start + stored > len(raw):
            raise BundleMismatch(f"byte {len(raw)}: the file is cut off inside {name}")
        frames.append(_Frame(name, at, start, raw[start : start + stored], crc))
        if len(frames) > MOST_MEMBERS:
            raise BundleMismatch(f"byte {at}: more than {MOST_MEMBERS} members")
        at = start + stored
    if not frames or frames[0].name != MANIFEST:
        raise BundleMismatch("byte 0: the first member is not manifest.json")
    return frames


def _check_manifest(raw: bytes, frame: _Frame) -> None:
    """The manifest against its own checksum and the seal: if it is damaged nothing it says can be used."""
    found = zlib.crc32(frame.stored)
    sealed = raw.endswith(seal(frame.stored))
    if found == frame.crc and sealed:
        return
    if found != frame.crc and not sealed:
        raise BundleMismatch(_located(frame, frame.crc, "is not what its checksum and the seal say"))
    if found != frame.crc:
        raise BundleMismatch(f"byte {frame.offset + 14}: the checksum in the header of {MANIFEST} is not its own")
    comment = len(raw) - len(seal(b""))
    raise BundleMismatch(f"byte {max(comment, 0)}: the seal at the end of the file is not that of {MANIFEST}")


def _parse_manifest(data: bytes) -> Mapping[str, Any]:
    try:
        manifest = json.loads(data)
        again = canonical(manifest).encode("ascii")
    except (ValueError, TypeError, RecursionError) as error:
        raise BundleMismatch(f"{MANIFEST}: not JSON: {str(error)[:200]}") from error
    if again != data:
        raise BundleMismatch(f"{MANIFEST}: byte {first_different_byte(data, again)}: not canonical JSON")
    if not isinstance(manifest, dict) or not isinstance(manifest.get("members"), list):
        raise BundleMismatch(f"{MANIFEST}: lists no members")
    kinds = {"name": str, "size": int, "sha256": str, "stored_size": int, "stored_sha256": str, "stored_crc32": int}
    for index, entry in enumerate(cast("list[Any]", manifest["members"])):
        fits = isinstance(entry, dict) and entry.keys() == kinds.keys()
        if not fits or any(type(entry[name]) is not kind for name, kind in kinds.items()):
            raise BundleMismatch(f"{MANIFEST}: members[{index}] is not a member's entry")
    return cast("dict[str, Any]", manifest)


def _check_sizes(listed: Sequence[Mapping[str, Any]]) -> None:
    for entry in listed:
        if not 0 <= entry["size"] <= LARGEST_MEMBER:
            raise BundleMismatch(f"{entry['name']}: {entry['size']} bytes unpacked; the limit is {LARGEST_MEMBER}")
    whole = sum(entry["size"] for entry in listed)
    if whole > LARGEST_WHOLE:
        raise BundleMismatch(f"the members unpack to {whole} bytes; the limit is {LARGEST_WHOLE}")


def _unpack(frame: _Frame, entry: Mapping[str, Any]) -> Packed:
    if len(frame.stored) != entry["stored_size"]:
        raise BundleMismatch(
            f"byte {frame.offset + 18}: {frame.name} takes {len(frame.stored)} bytes, and the manifest says "
            f"{entry['stored_size']}"
        )
    if hashlib.sha256(frame.stored).hexdigest() != entry["stored_sha256"]:
        raise BundleMismatch(_located(frame, entry["stored_crc32"], "is not what the manifest's digest says"))
    if zlib.crc32(frame.stored) != entry["stored_crc32"]:
        raise BundleMismatch(f"{MANIFEST}: stored_crc32 of {frame.name} is not that of its bytes")
    data = frame.stored if _method(frame.name) == STORED else _inflate(frame, entry["size"])
    if len(data) != entry["size"] or hashlib.sha256(data).hexdigest() != entry["sha256"]:
        raise BundleMismatch(f"{MANIFEST}: size or sha256 of {frame.name} is not that of what it unpacks to")
    return Packed(frame.name, frame.stored, data)


def _inflate(frame: _Frame, size: int) -> bytes:
    """Unpack to at most `size` bytes, so that no member can grow past what it declared."""
    unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        data = unpacker.decompress(frame.stored, size + 1)
    except zlib.error as error:
        raise BundleMismatch(f"{frame.name}: cannot be unpacked: {error}") from error
    if len(data) > size:
        raise BundleMismatch(f"{frame.name}: unpacks to more than the {size} bytes that the manifest says")
    if not unpacker.eof or unpacker.unused_data:
        raise BundleMismatch(f"{frame.name}: its compressed stream ends too early or too late")
    return data


def _compare(raw: bytes, again: bytes, frames: Sequence[_Frame]) -> None:
    if raw == again:
        return
    at = first_different_byte(raw, again)
    inside = [frame for frame in frames if frame.offset <= at < frame.start + len(frame.stored)]
    if inside:
        where = f"the header of {inside[0].name} is not as it was written"
    elif len(raw) > len(again) and at == len(again):
        where = f"{len(raw) - len(again)} bytes follow the end of the bundle"
    elif at >= len(raw):
        where = "the file is cut off"
    else:
        where = "the directory at the end of the file is not that of its members"
    raise BundleMismatch(f"byte {at}: {where}")


def first_different_byte(found: bytes, expected: bytes) -> int:
    """The offset of the first byte in which the two differ; the shorter one's length if it begins the other."""
    shared = min(len(found), len(expected))
    if found[:shared] == expected[:shared]:
        return shared
    low, high = 0, shared
    while high - low > 1:
        middle = (low + high) // 2
        if found[low:middle] == expected[low:middle]:
            low = middle
        else:
            high = middle
    return low


def _located(frame: _Frame, expected_crc: int, said: str) -> str:
    at = damaged_byte(frame.stored, expected_crc)
    if at is None:
        return f"{frame.name} (bytes {frame.start} to {frame.start + len(frame.stored)} of the file) {said}"
    return f"byte {frame.start + at}: {frame.name}, byte {at} as stored, {said}"


def damaged_byte(data: bytes, expected_crc: int) -> int | None:
    """Which single byte of `data` was altered, told from the CRC-32 it should have; None if it was more than one.

    The CRC is linear: two texts that differ in one byte have checksums that differ by that byte's contribution,
    carried on through the bytes behind it. So the difference is carried back, byte by byte from the end, until it
    is the contribution of one byte. Two places fit one difference only in files far over the limit.
    """
    table = _crc_table()
    back = {entry >> 24: index for index, entry in enumerate(table)}
    contributions = frozenset(table[1:])
    difference = zlib.crc32(data) ^ expected_crc
    for at in range(len(data) - 1, -1, -1):
        if difference in contributions:
            return at
        index = back[difference >> 24]
        difference = (((difference ^ table[index]) << 8) | index) & 0xFFFFFFFF
    return None


@cache
def _crc_table() -> list[int]:
    """CRC-32 (reflected, polynomial 0xEDB88320) of each byte alone."""
    table: list[int] = []
    for byte in range(256):
        value = byte
        for _ in range(8):
            value = (value >> 1) ^ (0xEDB88320 if value & 1 else 0)
        table.append(value)
    return table
