import pytest

from affidavit.errors import BundleMismatch, MissingExtra, UserError
from affidavit.report.bundle import bundle_bytes
from affidavit.report.bundle_container import Packed, assemble, open_container, pack
from affidavit.report.bundle_signature import public_key_of, sign
from affidavit.report.bundle_verify import verify_bundle


@pytest.fixture
def signed(case, keys) -> bytes:
    return bundle_bytes(case.answer, case.pages, case.events, signing_key=keys[0])


def verify(path, raw: bytes, key: bytes | None = None):
    path.write_bytes(raw)
    return verify_bundle(path, key)


def repacked(raw: bytes, signature: bytes | None) -> bytes:
    container = open_container(raw)
    packed = [pack("manifest.json", container.manifest_bytes), *(pack(n, d) for n, d in container.members.items())]
    return assemble([*packed, Packed("signature.json", signature, signature)] if signature is not None else packed)


def test_a_signed_bundle_names_its_signer(signed, keys, tmp_path) -> None:
    report = verify(tmp_path / "a", signed, keys[1])
    assert report.verified
    assert report.signer == public_key_of(keys[0])
    assert not any("whose key" in line or "not signed" in line for line in report.not_checked)


def test_without_the_key_the_report_says_that_nobody_vouches_for_it(signed, tmp_path) -> None:
    report = verify(tmp_path / "a", signed)
    assert report.verified
    assert any("whose key" in line for line in report.not_checked)


def test_no_byte_of_the_signature_can_be_changed(signed, tmp_path) -> None:
    signature = open_container(signed).signature
    for at in range(0, len(signature), 5):
        altered = bytearray(signature)
        altered[at] ^= 1
        with pytest.raises(BundleMismatch, match=r"signature\.json"):
            verify(tmp_path / "a", repacked(signed, bytes(altered)))


def test_the_signature_cannot_be_taken_off(signed, keys, tmp_path) -> None:
    with pytest.raises(BundleMismatch, match="missing, and the manifest says"):
        verify(tmp_path / "a", repacked(signed, None))


def test_an_unsigned_bundle_is_refused_where_a_signer_is_demanded(raw, keys, tmp_path) -> None:
    with pytest.raises(BundleMismatch, match="the bundle is not signed"):
        verify(tmp_path / "a", raw, keys[1])


def test_somebody_elses_signature_is_refused(case, signed, keys, tmp_path) -> None:
    from cryptography.hazmat.primitives import serialization as s
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    other = Ed25519PrivateKey.generate().private_bytes(s.Encoding.PEM, s.PrivateFormat.PKCS8, s.NoEncryption())
    with pytest.raises(BundleMismatch, match="not by the key given"):
        verify(tmp_path / "a", bundle_bytes(case.answer, case.pages, case.events, signing_key=other), keys[1])
    with pytest.raises(BundleMismatch, match="the manifest names"):
        verify(tmp_path / "a", repacked(signed, sign(open_container(signed).manifest_bytes, other)))


@pytest.mark.parametrize("member", [b"", b"{}", b"[]", b"null", b'{"algorithm":"Ed25519"}', b"[" * 99_999])
def test_a_signature_member_that_is_none_is_refused(raw, member, tmp_path) -> None:
    with pytest.raises(BundleMismatch, match=r"signature\.json"):
        verify(tmp_path / "a", repacked(raw, member))


def test_keys_that_are_none_are_named_with_how_to_make_one(case, raw, tmp_path) -> None:
    with pytest.raises(UserError, match="openssl genpkey"):
        bundle_bytes(case.answer, case.pages, case.events, signing_key=b"not a key")


def test_a_public_key_that_is_none_is_a_users_error(signed, tmp_path) -> None:
    with pytest.raises(UserError, match="not a PEM public key"):
        verify(tmp_path / "a", signed, b"not a key")


def test_where_signatures_cannot_be_checked_the_bundle_is_not_verified(signed, tmp_path, monkeypatch) -> None:
    import sys

    for name in [*sys.modules]:
        if name.startswith("cryptography"):
            monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, "cryptography", None)
    report = verify(tmp_path / "a", signed)
    assert not report.verified
    assert any("pip install 'affidavit[sign]'" in line for line in report.could_not_check)
    with pytest.raises(MissingExtra):
        sign(b"", b"")
