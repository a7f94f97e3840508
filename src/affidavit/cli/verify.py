"""``affidavit verify``: re-check an evidence bundle with no network and no model."""

import json
from pathlib import Path

import typer

from affidavit.cli.exit_codes import Exit
from affidavit.errors import BundleMismatch


def verify(
    bundle: Path = typer.Argument(help="The .affidavit file to check."),
    key: Path | None = typer.Option(None, help="The signer's Ed25519 public key (PEM); without it a signature is not checked."),
    as_json: bool = typer.Option(False, "--json", help="Print the report as JSON."),
) -> int:
    """Re-check a bundle: hashes, extraction, every quotation, every deterministic gate."""
    raise NotImplementedError(bundle, key, as_json, json, Exit, BundleMismatch)
