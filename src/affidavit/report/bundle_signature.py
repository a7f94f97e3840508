"""Who vouches for a bundle: an Ed25519 signature over its manifest, and so over every byte of it."""

import json
from typing import TYPE_CHECKING

from affidavit.errors import BundleMismatch, MissingExtra, UserError
from affidavit.ledger.canonical import canonical

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

ALGORITHM = "Ed25519"
INSTALL = "needs the extra 'sign': pip install 'affidavit[sign]'"


def public_key_of(private_pem: bytes) -> str:
    """The public key, 64 hex digits, of an unencrypted PEM private key. Raises UserError, MissingExtra."""
    return _hex(_private(private_pem).public_key())


def sign(manifest: bytes, private_pem: bytes) -> bytes:
    """The signature member over the manifest's bytes. Raises UserError, MissingExtra."""
    key = _private(private_pem)
    said = {
        "algorithm": ALGORITHM,
        "over": "manifest.json",
        "public_key": _hex(key.public_key()),
        "signature": key.sign(manifest).hex(),
    }
    return canonical(said).encode("ascii")


def check_signature(manifest: bytes, member: bytes, signer: object, public_pem: bytes | None) -> str:
    """The signer's public key in hex, once the signature over `manifest` holds.

    `signer` is the key that the manifest names. With `public_pem` the signature must be by that key. Raises
    BundleMismatch; UserError for a key file that is none; MissingExtra where nothing can check a signature.
    """
    try:
        said = json.loads(member)
        fits = canonical(said).encode("ascii") == member and said.keys() == {
            "algorithm",
            "over",
            "public_key",
            "signature",
        }
        key, signature = bytes.fromhex(said["public_key"]), bytes.fromhex(said["signature"])
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise BundleMismatch(f"signature.json: not a signature: {str(error)[:200]}") from error
    if not fits or said["algorithm"] != ALGORITHM or said["over"] != "manifest.json" or len(key) != 32:
        raise BundleMismatch(f"signature.json: not an {ALGORITHM} signature over manifest.json")
    if key.hex() != said["public_key"] or signature.hex() != said["signature"]:
        raise BundleMismatch("signature.json: keys and signatures are written in lower-case hex digits")
    if key.hex() != signer:
        raise BundleMismatch(f"signature.json: signed by {key.hex()}, and the manifest names {signer}")
    if public_pem is not None and _hex(_public(public_pem)) != key.hex():
        raise BundleMismatch(
            f"signature.json: signed by {key.hex()}, not by the key given ({_hex(_public(public_pem))})"
        )
    _verify(key, signature, manifest)
    return key.hex()


def _verify(key: bytes, signature: bytes, manifest: bytes) -> None:
    try:
        # late: an optional part, and only signed bundles need it
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ModuleNotFoundError as error:
        raise MissingExtra(f"checking a signature {INSTALL}") from error
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, manifest)
    except (InvalidSignature, ValueError) as error:
        raise BundleMismatch("signature.json: the signature is not one of that key over this manifest") from error


def _private(pem: bytes) -> "Ed25519PrivateKey":
    try:
        # late: an optional part
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        from cryptography.hazmat.primitives.serialization import load_pem_private_key
    except ModuleNotFoundError as error:
        raise MissingExtra(f"signing a bundle {INSTALL}") from error
    try:
        key = load_pem_private_key(pem, password=None)
    except (ValueError, TypeError) as error:
        raise UserError(
            "the signing key is not an unencrypted PEM private key; make one with: openssl genpkey -algorithm ed25519"
        ) from error
    if not isinstance(key, Ed25519PrivateKey):
        raise UserError("the signing key is not an Ed25519 key; make one with: openssl genpkey -algorithm ed25519")
    return key


def _public(pem: bytes) -> "Ed25519PublicKey":
    try:
        # late: an optional part
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
        from cryptography.hazmat.primitives.serialization import load_pem_public_key
    except ModuleNotFoundError as error:
        raise MissingExtra(f"checking a signature {INSTALL}") from error
    try:
        key = load_pem_public_key(pem)
    except ValueError as error:
        raise UserError("the key given is not a PEM public key; get it with: openssl pkey -in KEY -pubout") from error
    if not isinstance(key, Ed25519PublicKey):
        raise UserError("the key given is not an Ed25519 public key")
    return key


def _hex(key: "Ed25519PublicKey") -> str:
    return key.public_bytes_raw().hex()
