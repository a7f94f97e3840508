"""Text in from the command line and out to standard output, whatever the machine's locale makes of it."""

import os
import sys

from affidavit.errors import UserError
from affidavit.report.inert import line


def as_text(argument: str | None) -> str | None:
    """`argument` as it was typed. Bytes that the locale could not read are read as UTF-8. Raises UserError."""
    if argument is None:
        return None
    try:
        argument.encode("utf-8")
    except UnicodeEncodeError:
        try:
            return os.fsencode(argument).decode("utf-8")
        except UnicodeDecodeError as error:
            raise UserError(f"the text given is not UTF-8 (byte {error.start}); type or paste it again") from None
    return argument


def tell(message: str) -> None:
    """Say `message` in one line on standard error. It may hold words of a page, a server or a file, which act in no
    terminal: an error is shown where nobody expects a page to speak."""
    print(f"affidavit: {line(message)}", file=sys.stderr)


def print_text(text: str) -> None:
    """Write `text` to standard output as UTF-8: what is JSON or HTML must not depend on the locale."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode("utf-8"))
    sys.stdout.buffer.flush()
