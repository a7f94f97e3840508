"""All commands under one name, and one place where every error becomes one line and one exit status."""

import contextlib
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from affidavit.cli.commands import Commands
from affidavit.cli.exit_codes import Exit
from affidavit.cli.streams import tell
from affidavit.errors import IntegrityError, OperatorError, UserError
from affidavit.version import __version__

app = typer.Typer(
    name="affidavit",
    cls=Commands,
    help="Every sentence sworn to by its source.",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit status: 0 done; 1 findings, or nothing could be published; 2 could not check; 3 failed; 64 usage; "
    "130 interrupted.",
)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"affidavit {__version__}")
        raise typer.Exit


@app.callback()
def _root(  # pyright: ignore[reportUnusedFunction]
    version: Annotated[
        bool, typer.Option("--version", "-V", callback=_show_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    pass


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit status. Errors are told in one line on stderr."""
    if sys.stdout is None:  # closed by the caller, who wants the exit status alone
        sys.stdout = Path(os.devnull).open("w")  # noqa: SIM115 - as long as the process
    command = typer.main.get_command(app)
    try:
        result = command.main(args=list(arguments) or ["--help"], prog_name="affidavit", standalone_mode=False)
        sys.stdout.flush()
    except typer.TyperException as error:
        context: object = getattr(error, "ctx", None)  # the command whose words are wrong
        command_path = str(getattr(context, "command_path", "affidavit"))
        told = error.format_message().rstrip(".").replace("Value error, ", "")
        return _tell(f"{told} ({command_path} --help)", Exit.USAGE)
    except (KeyboardInterrupt, typer.Abort):
        return _interrupted()
    except BrokenPipeError:
        _drop_stdout()
        return 128 + signal.SIGPIPE
    except UserError as error:
        return _tell(str(error), Exit.USAGE)
    except (OperatorError, IntegrityError) as error:
        return _tell(str(error), Exit.FAILED)
    except OSError as error:
        if error.filename is None:
            _drop_stdout()
        return _tell(f"{error.filename or 'output'}: {error.strerror or error}", Exit.FAILED)
    # The library turns Ctrl-C and its own exits into the command's result.
    return _interrupted() if result == Exit.INTERRUPTED else int(result or Exit.DONE)


def _interrupted() -> int:
    return _tell("interrupted; what was recorded is kept (affidavit runs list)", Exit.INTERRUPTED)


def _tell(message: str, status: int) -> int:
    with contextlib.suppress(BrokenPipeError):
        tell(message)
    return status


def _drop_stdout() -> None:
    """Nothing more can be written: let the interpreter's last flush go nowhere instead of failing."""
    with contextlib.suppress(OSError):  # a stdout that is no file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
