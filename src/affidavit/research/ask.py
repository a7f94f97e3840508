"""What a person asks: a question, or a claim with what would refute it."""

from dataclasses import dataclass

from affidavit.errors import NotResearchable, UserError

MAX_CHARS = 2000
"""A question longer than this is a document: no search engine takes it and no reader could hold an answer to it."""


@dataclass(frozen=True, slots=True)
class Ask:
    """Either `question` alone, or `claim` and `falsifier`. Raises UserError for anything else."""

    question: str | None = None
    claim: str | None = None
    falsifier: str | None = None

    def __post_init__(self) -> None:
        if self.question is not None and self.claim is not None:
            raise UserError("a question and a claim were both given; ask the one, or test the other")
        if self.question is None and self.claim is None:
            raise UserError("give a question, or a claim to test with --claim and --falsifier")
        if self.claim is not None and not (self.falsifier or "").strip():
            raise NotResearchable(
                f"the claim {_short(self.claim)} has no falsifier: say with --falsifier what result would refute it"
            )
        if self.question is not None and self.falsifier is not None:
            raise UserError("--falsifier belongs to --claim; a question has none")
        for name in ("question", "claim", "falsifier"):
            text = getattr(self, name)
            if text is None:
                continue
            if not any(character.isalnum() for character in text):
                raise UserError(f"the {name} has no words in it")
            if len(text) > MAX_CHARS:
                raise UserError(
                    f"the {name} has {len(text):,} characters; at most {MAX_CHARS:,} can be asked: ask one thing"
                )

    @property
    def asked(self) -> str:
        """What was asked, in the person's own words."""
        return self.question or self.claim or ""


def _short(text: str) -> str:
    return repr(text if len(text) <= 80 else text[:77] + "…")
