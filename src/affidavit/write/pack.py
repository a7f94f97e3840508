"""What a writer is given beside the assignment: the facts it may assert, and how (contract W6)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from affidavit.evidence.fact import Fact
from affidavit.write.profile import Profile


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """What is to be written. `max_words` None: any length."""

    title: str
    notes: str = ""
    max_words: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceNote:
    """A page that the piece may draw on, in short."""

    title: str
    url: str | None
    summary: str


def allowed_texts(
    assignment: Assignment, profile: Profile, facts: Sequence[Fact], sources: Sequence[SourceNote] = ()
) -> tuple[str, ...]:
    """Every text whose figures and words a draft may use, each whole and once: the whitelist of the checks.

    `facts` are all that may be used, with their scope notes, not only those that the pack has room for: a figure that a
    person approved is never a figure without a source.
    """
    return tuple(dict.fromkeys(text for text in _texts(assignment, profile, facts, sources) if text))


def _texts(
    assignment: Assignment, profile: Profile, facts: Sequence[Fact], sources: Sequence[SourceNote]
) -> Iterator[str]:
    yield from (profile.name, profile.description, profile.industry, *profile.key_messages, *profile.keywords)
    for fact in facts:
        yield from (fact.text, fact.scope_note or "")
    yield from (source.summary for source in sources)
    yield from (assignment.title, assignment.notes)
