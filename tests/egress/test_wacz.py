"""WACZ: members are read in place, and must be what the manifest says."""

import shutil
import zipfile

import pytest

from affidavit.egress.archive import open_archive
from affidavit.errors import ArchiveError

A, B = "https://a.example/", "https://b.example/"


@pytest.mark.parametrize("deflated", [False, True])
@pytest.mark.parametrize("compressed", [False, True])
def test_pages_of_all_members_are_served(wacz, page, deflated, compressed):
    path = wacz(
        {"archive/1.warc.gz": [page(url=A, body=b"a" * 9000)], "archive/2.warc.gz": [page(url=B)]},
        deflated=deflated,
        compressed=compressed,
    )
    archive = open_archive(path)
    assert archive.urls() == (A, B)
    assert archive.get(A).body == b"a" * 9000
    assert len(archive.digest) == 64


def test_a_redirect_may_lead_to_another_member(wacz, page):
    move = page(url=A, body=b"", status="301 Moved", headers=(("Location", B),))
    archive = open_archive(wacz({"archive/1.warc.gz": [move], "archive/2.warc.gz": [page(url=B)]}))
    assert archive.get(A).final_url == B


def test_a_manifest_is_not_required(wacz, page):
    assert len(open_archive(wacz({"archive/1.warc.gz": [page(url=A)]}, manifest=False))) == 1


@pytest.mark.parametrize("named", ["sha256:" + "0" * 64, "md5:" + "0" * 32, ""])
def test_a_member_that_is_not_what_the_manifest_says_is_refused(wacz, page, named):
    path = wacz({"archive/1.warc.gz": [page(url=A)]}, hashes={"archive/1.warc.gz": named})
    with pytest.raises(ArchiveError, match=r"archive/1\.warc\.gz is not what the manifest says"):
        open_archive(path)


def test_a_manifest_that_is_not_what_its_digest_says_is_refused(wacz, page, tmp_path):
    path = wacz({"archive/1.warc.gz": [page(url=A)]})
    forged = tmp_path / "forged.wacz"
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(forged, "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name) + (b" " if name == "datapackage.json" else b""))
    with pytest.raises(ArchiveError, match=r"datapackage\.json is not what the manifest says"):
        open_archive(forged)


def test_member_names_are_never_paths(wacz, page, tmp_path):
    archive = open_archive(wacz({"archive/../../escaped.warc.gz": [page(url=A)]}))
    assert archive.get(A).status == 200
    assert not list(tmp_path.parent.glob("escaped*"))


def test_a_truncated_zip_and_a_damaged_member_are_refused(wacz, page, tmp_path):
    path = wacz({"archive/1.warc.gz": [page(url=A, body=b"x" * 50)]}, manifest=False)
    cut = tmp_path / "cut.wacz"
    cut.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(ArchiveError, match="cannot be read"):
        open_archive(cut)
    data = bytearray(path.read_bytes())
    data[120] ^= 0xFF
    path.write_bytes(bytes(data))
    with pytest.raises(ArchiveError, match=r"a\.wacz"):
        open_archive(path)


def test_an_encrypted_member_is_refused(wacz, page):
    path = wacz({"archive/1.warc.gz": [page(url=A)]}, manifest=False)
    data = bytearray(path.read_bytes())
    at = data.rfind(b"PK\x01\x02")
    data[at + 8] |= 1
    path.write_bytes(bytes(data))
    with pytest.raises(ArchiveError, match="encrypted"):
        open_archive(path)


def test_a_zip_behind_other_bytes_is_still_read_in_place(wacz, page, tmp_path):
    path = wacz({"archive/1.warc.gz": [page(url=A)]})
    copy = tmp_path / "copy.wacz"
    shutil.copy(path, copy)
    assert open_archive(copy).get(A).status == 200
