"""WACZ: a zip of WARC files with a manifest (specs.webrecorder.net/wacz/1.1.1).

The WARC members are read where they stand in the zip; nothing is unpacked to disk and no member name is used as a
path. Where the manifest gives digests they must agree. Only the manifest and the WARC members are ever unpacked,
each under a cap.
"""

import hashlib
import json
import struct
import zipfile
from pathlib import Path
from typing import IO

from affidavit.egress.source import DEFLATE, FileRange, Source, Unpacked
from affidavit.egress.warc import WarcArchive, WarcSource, source_of
from affidavit.errors import ArchiveError

ZIP_MAGIC = b"PK\x03\x04"
_EMPTY_ZIP_MAGIC = b"PK\x05\x06"
_MANIFEST = "datapackage.json"
_MANIFEST_DIGEST = "datapackage-digest.json"
_MAX_MEMBERS = 100_000
_MAX_MANIFEST = 64 * 1024 * 1024
_LOCAL_HEADER = struct.Struct("<4s22xHH")
_WARC_SUFFIXES = (".warc", ".warc.gz")


def open_wacz(path: Path) -> WarcArchive:
    """The WACZ at `path`. Raises ArchiveError for another kind of zip, for damage, and for digests that disagree."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = _members(path, archive)
            _check_digests(path, archive, members)
            sources = tuple(_source(path, member) for member in members)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, struct.error, EOFError) as error:
        raise ArchiveError(f"{path}: a zip that cannot be read ({error}); download or copy it again") from None
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return WarcArchive(path, digest, sources)


def _members(path: Path, archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    entries = archive.infolist()
    if len(entries) > _MAX_MEMBERS:
        raise ArchiveError(f"{path}: {len(entries):,} members; a WACZ of at most {_MAX_MEMBERS:,} is read")
    found = sorted(
        (
            entry
            for entry in entries
            if entry.filename.startswith("archive/") and entry.filename.lower().endswith(_WARC_SUFFIXES)
        ),
        key=lambda entry: entry.filename,
    )
    if not found:
        what = "a Word document" if any(entry.filename == "word/document.xml" for entry in entries) else "a zip"
        raise ArchiveError(
            f"{path}: {what} without archive/*.warc.gz, so no WACZ; give a WARC, a WACZ, or the folder the pages are in"
        )
    for entry in found:
        if entry.flag_bits & 0x1:
            raise ArchiveError(f"{path}: {entry.filename} is encrypted; give an archive without a password")
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise ArchiveError(f"{path}: {entry.filename} is packed in a way that is not read; store it uncompressed")
    return found


def _source(path: Path, member: zipfile.ZipInfo) -> WarcSource:
    """The member's bytes in place: the local header's own name and extra lengths say where they start."""
    with path.open("rb") as file:
        file.seek(member.header_offset)
        magic, name_length, extra_length = _LOCAL_HEADER.unpack(file.read(_LOCAL_HEADER.size))
    if magic != ZIP_MAGIC:
        raise ArchiveError(f"{path}: {member.filename} is not where the zip says it is; download or copy it again")
    start = member.header_offset + _LOCAL_HEADER.size + name_length + extra_length
    packed: Source = FileRange(path, start, member.compress_size)
    if member.compress_type == zipfile.ZIP_DEFLATED:
        packed = Unpacked(packed, DEFLATE, member.compress_size)
    return source_of(member.filename, packed, member.file_size)


def _check_digests(path: Path, archive: zipfile.ZipFile, members: list[zipfile.ZipInfo]) -> None:
    if _MANIFEST not in archive.namelist():
        return
    manifest = _small(path, archive, _MANIFEST)
    if _MANIFEST_DIGEST in archive.namelist():
        named = _json(path, _MANIFEST_DIGEST, _small(path, archive, _MANIFEST_DIGEST)).get("hash")
        _agree(path, _MANIFEST, named, hashlib.sha256(manifest).hexdigest())
    resources = _json(path, _MANIFEST, manifest).get("resources")
    listed = {
        entry.get("path"): entry.get("hash")
        for entry in (resources if isinstance(resources, list) else [])
        if isinstance(entry, dict)
    }
    for member in members:
        if listed.get(member.filename) is not None:
            with archive.open(member) as file:
                _agree(path, member.filename, listed[member.filename], _sha256(path, member, file))


def _sha256(path: Path, member: zipfile.ZipInfo, file: IO[bytes]) -> str:
    digest = hashlib.sha256()
    size = 0
    while data := file.read(1024 * 1024):
        digest.update(data)
        size += len(data)
        if size > member.file_size:
            raise ArchiveError(f"{path}: {member.filename} unpacks to more than the zip says; it is not safe to read")
    return digest.hexdigest()


def _agree(path: Path, name: str, named: object, found: str) -> None:
    """`named` is ``sha256:HEX``. Another algorithm cannot be compared with what was computed: refused too."""
    if not isinstance(named, str) or named.strip().lower() != f"sha256:{found}":
        raise ArchiveError(
            f"{path}: {name} is not what the manifest says ({named} there, sha256:{found} here): "
            "the archive was altered or damaged; get it again from its source"
        )


def _small(path: Path, archive: zipfile.ZipFile, name: str) -> bytes:
    with archive.open(name) as file:
        data = file.read(_MAX_MANIFEST + 1)
    if len(data) > _MAX_MANIFEST:
        raise ArchiveError(f"{path}: {name} has more than {_MAX_MANIFEST // 1024**2} MB; it is not safe to read")
    return data


def _json(path: Path, name: str, data: bytes) -> dict[str, object]:
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise ArchiveError(f"{path}: {name} is not a JSON object; the WACZ is damaged, get it again")
    return value
