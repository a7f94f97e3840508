"""A draft as somebody gave it: a file, or what stands on standard input."""

from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from affidavit.check import MAX_DRAFT, too_large
from affidavit.egress.pages import SUFFIXES
from affidavit.errors import UserError


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftFile:
    """A draft as it was given: its name ("-" for standard input), its bytes, and the media type its name speaks of."""

    name: str
    body: bytes
    media_type: str

    @classmethod
    def named(cls, name: str, stdin: BinaryIO) -> "DraftFile":
        """The file `name`, or what `stdin` gives for "-", which is taken for Markdown. Raises UserError."""
        if name != "-":
            return cls.at(Path(name).expanduser())
        body = stdin.read(MAX_DRAFT + 1)
        if len(body) > MAX_DRAFT:
            raise UserError(too_large("-", len(body)))
        return cls(name="-", body=body, media_type="text/markdown")

    @classmethod
    def at(cls, path: Path) -> "DraftFile":
        """The file at `path`. Raises UserError."""
        try:
            with path.open("rb") as file:
                # One byte more than is read tells what is too long, of a pipe or a device too, which have no size.
                body = file.read(MAX_DRAFT + 1)
                size = max(path.stat().st_size, len(body))
            if size > MAX_DRAFT:
                raise UserError(too_large(str(path), size))
        except OSError as error:
            raise UserError(f"{path}: the draft cannot be read: {error.strerror or error}") from error
        return cls(name=str(path), body=body, media_type=SUFFIXES.get(path.suffix.lower(), "text/plain"))

    def text(self) -> str:
        """The draft as its writer has it, for what checks the text itself. Raises UserError for one that is no text."""
        if self.media_type not in ("text/markdown", "text/plain"):
            raise UserError(f"{self.name}: a draft is Markdown or plain text here, and this is {self.media_type}")
        try:
            return self.body.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise UserError(f"{self.name}: not UTF-8 (byte {error.start}); save it as UTF-8") from error
