"""Who a piece is written for, as the customer says it in a file: what the writer is told, and may repeat."""

import difflib
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from affidavit.errors import UserError

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

MAX_BYTES = 256 * 1024
"""Of a profile. A voice sample is a page or two; a longer file was meant for something else."""


class Profile(BaseModel):
    """A customer. Everything but the name may be left out. A key that does not exist is refused: a misspelt
    ``keywords`` must not become none in silence."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True, strict=True)

    name: str = Field(min_length=1, description="what the customer is called")
    description: str = Field("", description="what it does, in a sentence or two")
    industry: str = ""
    key_messages: tuple[str, ...] = Field((), description="what every piece should leave a reader with")
    keywords: tuple[str, ...] = ()
    tone: str = Field("", description="how it speaks: plain, warm, no jargon")
    voice_sample: str = Field("", description="a passage in its own voice")


def load_profile(path: Path) -> Profile:
    """The profile in the TOML file at `path`. Raises UserError naming the file, the key, its value, what is known."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise UserError(f"{path}: a profile is a TOML file of at most {MAX_BYTES // 1024} KiB; this is larger")
        values = tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise UserError(f"{path}: the profile cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: not UTF-8 (byte {error.start}); save it as UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{path}: not valid TOML: {error}") from error
    return profile_of(values, str(path))


def profile_of(values: Mapping[str, object], where: str) -> Profile:
    """`values` as a profile. Raises UserError, beginning with `where`, that tells every fault at once."""
    listed = {key: tuple(value) if isinstance(value, list) else value for key, value in values.items()}
    try:
        return Profile.model_validate(listed)
    except ValidationError as error:
        raise UserError(f"{where}: {'; '.join(map(_told, error.errors(include_url=False)))}") from error


def _told(fault: "ErrorDetails") -> str:
    place = ".".join(map(str, fault["loc"]))
    match fault["type"]:
        case "extra_forbidden":
            close = difflib.get_close_matches(place, Profile.model_fields, 1)
            hint = f"did you mean {close[0]!r}?" if close else f"known: {', '.join(Profile.model_fields)}"
            return f"unknown key {place!r}; {hint}"
        case "missing":
            return f'{place} is missing; write {place} = "…"'
        case "tuple_type":
            return f'{place} = {fault["input"]!r} is no list; write {place} = ["…", "…"]'
        case _:
            return f"{place} = {fault['input']!r}: {fault['msg'].lower()}"
