"""A prompt: a Markdown file of the room that uses it, with named holes, and a hash by which it is known.

A hole is ``{{name}}``. Values are put in once and never read for holes themselves: text from a page that spells one
stays text.
"""

import hashlib
import re
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

_HOLE = re.compile(r"\{\{([a-z_]+)\}\}")


@dataclass(frozen=True, slots=True)
class Prompt:
    """`sha256` is over the file's text, holes unfilled: it changes exactly when somebody changed the prompt."""

    name: str
    text: str

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()

    @property
    def holes(self) -> frozenset[str]:
        return frozenset(_HOLE.findall(self.text))

    def fill(self, **values: object) -> str:
        """The text with every hole filled. Raises ValueError unless `values` are exactly its holes."""
        if self.holes != values.keys():
            raise ValueError(f"{self.name} has the holes {sorted(self.holes)}, and was given {sorted(values)}")
        return _HOLE.sub(lambda hole: str(values[hole[1]]), self.text)


@lru_cache(maxsize=64)
def load_prompt(room: str, name: str) -> Prompt:
    """The prompt in ``<room>/prompts/<name>.md``, `room` as in ``affidavit.verify``."""
    file = resources.files(room).joinpath("prompts", f"{name}.md")
    return Prompt(f"{room.rpartition('.')[2]}/{name}", file.read_text(encoding="utf-8").strip())
