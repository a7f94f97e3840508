"""Archives made with warcio itself, so that what is read here is what the ecosystem writes."""

import gzip
import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter


@dataclass(frozen=True, kw_only=True)
class Page:
    """One response to store."""

    url: str
    body: bytes = b"<title>t</title><p>Some words."
    status: str = "200 OK"
    headers: tuple[tuple[str, str], ...] = (("Content-Type", "text/html"),)
    date: str = "2026-01-02T03:04:05Z"
    type: str = "response"
    warc_headers: dict[str, str] = field(default_factory=dict)


def warc_bytes(pages: Iterable[Page], *, compressed: bool = True) -> bytes:
    out = io.BytesIO()
    writer = WARCWriter(out, gzip=compressed)
    writer.write_record(writer.create_warcinfo_record("test.warc", {"software": "a test"}))
    for page in pages:
        http = StatusAndHeaders(page.status, list(page.headers), protocol="HTTP/1.1")
        record = writer.create_warc_record(
            page.url,
            page.type,
            payload=io.BytesIO(page.body),
            length=len(page.body),  # without it warcio buffers in a file that it does not close
            http_headers=http,
            warc_headers_dict={"WARC-Date": page.date, **page.warc_headers},
        )
        writer.write_record(record)
    return out.getvalue()


@pytest.fixture
def page() -> type[Page]:
    return Page


@pytest.fixture
def warc(tmp_path: Path) -> Callable[..., Path]:
    """Writes a WARC of the pages given and returns its path. `one_piece` compresses it as a single gzip member."""

    def write(*pages: Page, name: str = "a.warc.gz", compressed: bool = True, one_piece: bool = False) -> Path:
        data = warc_bytes(pages, compressed=compressed and not one_piece)
        path = tmp_path / name
        path.write_bytes(gzip.compress(data) if one_piece else data)
        return path

    return write


@pytest.fixture
def wacz(tmp_path: Path) -> Callable[..., Path]:
    """Writes a WACZ: `warcs` by member name. `hashes` replaces what the manifest says of a member."""

    def write(
        warcs: dict[str, list[Page]],
        *,
        deflated: bool = False,
        manifest: bool = True,
        hashes: dict[str, str] | None = None,
        compressed: bool = True,
    ) -> Path:
        path = tmp_path / "a.wacz"
        how = zipfile.ZIP_DEFLATED if deflated else zipfile.ZIP_STORED
        with zipfile.ZipFile(path, "w", how) as archive:
            resources: list[dict[str, object]] = []
            for name, pages in warcs.items():
                data = warc_bytes(pages, compressed=compressed)
                archive.writestr(name, data)
                digest = (hashes or {}).get(name, "sha256:" + hashlib.sha256(data).hexdigest())
                resources.append({"name": name, "path": name, "hash": digest, "bytes": len(data)})
            if manifest:
                text = json.dumps({"profile": "data-package", "resources": resources})
                archive.writestr("datapackage.json", text)
                named = "sha256:" + hashlib.sha256(text.encode()).hexdigest()
                archive.writestr("datapackage-digest.json", json.dumps({"path": "datapackage.json", "hash": named}))
        return path

    return write
