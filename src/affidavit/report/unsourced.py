"""The unsourced sentences of checked drafts as a list to be asked: ``ask --from`` reads it (contract C7)."""

from collections.abc import Iterator, Sequence

from affidavit.evidence.check import Check, CheckedSentence, SentenceKind, SentenceState
from affidavit.report import inert
from affidavit.report.wording import counted
from affidavit.research.worklist import Item, write_items

_HEAD = """Unsourced sentences of {drafts}: {count}.
To look for sources: affidavit ask --from THIS-FILE --web ARCHIVE
One sentence or question a line. Say what "it" and "they" are, delete what needs no source. A line that begins with
"!" under a sentence says what would refute it."""
_BEFORE = 160
"""Characters of the sentence before, which often says what this one is about."""


def unsourced_items(check: Check) -> Iterator[Item]:
    """Each unsourced sentence without its markup, with where it stands and what stands before it."""
    heading: str | None = None
    before: CheckedSentence | None = None
    for sentence in check.sentences:
        if sentence.kind is SentenceKind.HEADING:
            heading, before = sentence.words, None
            continue
        if sentence.state is SentenceState.UNSOURCED:
            yield Item(text=_plain(sentence.words), context=_context(check, sentence, heading, before))
        if sentence.kind is SentenceKind.CLAIM:
            before = sentence


def unsourced_list(checks: Sequence[Check]) -> str:
    """The file's text."""
    items = [item for check in checks for item in unsourced_items(check)]
    drafts = ", ".join(inert.line(check.draft) for check in checks)
    return write_items(items, _HEAD.format(drafts=drafts, count=counted(len(items), "sentence")))


def _context(check: Check, sentence: CheckedSentence, heading: str | None, before: CheckedSentence | None) -> str:
    parts = [f"{check.draft}, sentence {sentence.index + 1}"]
    if heading:
        parts.append(f"under “{heading}”")
    if before is not None:
        words = before.words
        parts.append(f"after “{words if len(words) <= _BEFORE else '… ' + words[-_BEFORE:].partition(' ')[2]}”")
    return _plain(", ".join(parts))


def _plain(text: str) -> str:
    """One line that no terminal acts on."""
    return inert.line(text)
