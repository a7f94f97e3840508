"""A record that is a folder, for rows whose texts people read and edit: a company with its drafts.

Its .json files are the record's fields, each under the file's name; its .md files are `texts`, likewise. A folder that
holds no .json file of its own stands for the records in it.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from importlib.resources.abc import Traversable

from affidavit.errors import UserError

Found = tuple[str, bytes, Mapping[str, object]]
"""The folder's path below the one that was given, a hash over its files, and the record."""


def folder_records(folder: Traversable, path: str = "") -> Iterator[Found]:
    """The records in `folder`, in order of name. Raises UserError naming the file and what is wrong in it."""
    entries = sorted((one for one in folder.iterdir() if not one.name.startswith(".")), key=lambda one: one.name)
    if any(one.name.endswith(".json") for one in entries):
        yield _record(path or folder.name, [one for one in entries if one.is_file()])
        return
    for one in entries:
        if one.is_dir():
            yield from folder_records(one, f"{path}/{one.name}".lstrip("/"))


def _record(path: str, files: list[Traversable]) -> Found:
    record: dict[str, object] = {"id": path.rpartition("/")[2]}
    texts: dict[str, str] = {}
    seen = hashlib.sha256()
    for file in files:
        stem, _, ending = file.name.rpartition(".")
        if ending not in ("json", "md"):
            continue
        shown = f"{path}/{file.name}"
        try:
            body = file.read_bytes()
            text = body.decode("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise UserError(f"{shown}: cannot be read as UTF-8 text: {error}") from error
        seen.update(f"{shown}\n{len(body)}\n".encode() + body)
        if ending == "md":
            texts[stem] = text
            continue
        try:
            record[stem] = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise UserError(f"{shown}: cannot be read as JSON: {error}") from error
    return path, seen.digest(), record | {"texts": texts}
