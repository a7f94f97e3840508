"""The command line: parses, calls, prints. ``affidavit --version`` answers before anything heavy is imported."""

import sys

from affidavit.version import __version__


def main() -> None:
    """The entry point of the ``affidavit`` command."""
    if sys.argv[1:] in (["--version"], ["-V"]):
        print(f"affidavit {__version__}")
        return
    try:
        from affidavit.cli.app import run  # late: typer and all commands, 0.2 s that --version need not wait for

        status = run(sys.argv[1:])
    except KeyboardInterrupt:
        print("affidavit: interrupted", file=sys.stderr)
        status = 130
    sys.exit(status)
