"""``affidavit verify``: re-check an evidence bundle with no network and no model."""

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from affidavit.cli.exit_codes import Exit
from affidavit.cli.output import read_key
from affidavit.errors import BundleMismatch
from affidavit.report.bundle_report import BundleReport
from affidavit.report.inert import line
from affidavit.settings import load_settings
from affidavit.wiring import check_bundle

_MARKS = {True: "ok", None: "not checked"}


def verify(
    bundle: Annotated[Path, typer.Argument(help="The .affidavit file to check.")],
    key: Annotated[Path | None, typer.Option(help="The Ed25519 public key (PEM) it must be signed with.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> int:
    """Re-check a bundle: hashes, the pages read again, every quotation, every deterministic check.

    Exit status 0 if everything agrees, 1 if something does not (the first place is named), 2 if this machine could
    not check all of it.
    """
    public = read_key(key) if key is not None else None
    try:
        report = check_bundle(bundle, public, load_settings())
    except BundleMismatch as mismatch:
        if as_json:
            print(json.dumps({"kind": "bundle_report", "verified": False, "mismatch": str(mismatch)}, indent=2))
        else:
            print(f"NOT VERIFIED\n{line(str(mismatch))}")
        return Exit.FINDINGS
    if as_json:
        print(json.dumps(report.as_json(), indent=2))
    else:
        _show(report)
    return Exit.DONE if report.verified else Exit.COULD_NOT_CHECK


def _show(report: BundleReport) -> None:
    console = Console(highlight=False, markup=False)
    console.print("VERIFIED" if report.verified else "COULD NOT CHECK ALL OF IT")
    console.print(f"{report.run_id}, made by affidavit {line(report.product)}")
    for check in report.checks:
        console.print(f"  {_MARKS[check.ok or None]:<12}{line(check.name)} ({check.count}): {line(check.detail)}")
    for title, lines in (
        ("Could not be checked here", report.could_not_check),
        ("No bundle can tell", report.not_checked),
    ):
        if lines:
            console.print(f"{title}:")
            for text in lines:
                console.print(f"  - {line(text)}")
