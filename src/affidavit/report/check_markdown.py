"""A check as Markdown: a table of counts, what must change first, then the draft sentence by sentence."""

from collections.abc import Iterator

from affidavit.evidence.check import Check, CheckedSentence, SentenceKind, SentenceState
from affidavit.report import check_wording, inert
from affidavit.report.wording import counted, uncalibrated

_GRAVEST = (SentenceState.REJECTED, SentenceState.COULD_NOT_CHECK, SentenceState.UNSOURCED, SentenceState.SOURCED)


def render_check_markdown(check: Check) -> str:
    """`check` as a Markdown document in which nothing of the draft or its sources acts as markup."""
    return "\n".join(_lines(check)).rstrip("\n") + "\n"


def _lines(check: Check) -> Iterator[str]:
    yield f"# Check of {inert.markdown(check.draft)}"
    yield ""
    yield f"**{check_wording.WHOLE[check.state]}** {check_wording.tally(check)}"
    for warning in check.warnings:
        yield f"\n> Warning: {inert.markdown(warning)}"
    for state in _GRAVEST:
        found = [sentence for sentence in check.claims if sentence.state is state]
        if not found:
            continue
        term = check_wording.STATES[state]
        yield f"\n## {term.label} ({len(found)})\n"
        yield f"{term.means} {term.next}".rstrip()
        for sentence in found:
            yield ""
            yield from _sentence(check, sentence)
    others = [sentence for sentence in check.sentences if sentence.kind is not SentenceKind.CLAIM]
    if others:
        yield f"\n## Not claims ({len(others)})\n"
        yield check_wording.NOT_CLAIMS + "\n"
        for sentence in others:
            yield f"- {check_wording.KINDS[sentence.kind]}: {inert.markdown(sentence.words)}"
    yield f"\n## {check_wording.SOURCES}\n"
    yield from _sources(check)
    yield f"\n{inert.markdown(check_wording.judged_by(check.verifier))}"
    unmeasured = uncalibrated(check.verifier)
    if unmeasured is not None:
        yield f"\n{inert.markdown(unmeasured)}"


def _sources(check: Check) -> Iterator[str]:
    """The sources that matter to a reader; an archive's hundreds of others are counted, and stand in the JSON."""
    sources = check_wording.arranged(check)
    for source in sources.cited:
        about = [inert.markdown(source.title)] if source.title else []
        about += [f"read {source.retrieved_at[:10]}"] if source.retrieved_at and source.url else []
        yield f"- {_link(source.name, source.url)}{' — ' if about else ''}{', '.join(about)}"
    for source in sources.unread:
        why = f"{check_wording.UNREAD.lower()}: {inert.markdown(source.failure or '')}"
        yield f"- {_link(source.name, source.url)} ({why})"
    if sources.others:
        yield f"- {counted(len(sources.others), 'more source')} {check_wording.OTHERS}"


def _sentence(check: Check, sentence: CheckedSentence) -> Iterator[str]:
    line = check_wording.place(check, sentence)
    yield f"{sentence.index + 1}. {inert.markdown(sentence.words)}{f' ({line})' if line else ''}"
    for remark in sentence.findings:
        yield f"    - **{check_wording.code(remark.code).label}.** {inert.markdown(check_wording.message(remark))}"
    if sentence.span is not None:
        source = check.source(sentence.span.doc_id)
        yield f"    - “{inert.markdown(sentence.span.text)}” — {_link(source.name, source.url)}"


def _link(name: str, url: str | None) -> str:
    destination = inert.markdown_destination(url) if url else None
    return f"[{inert.markdown(name)}]({destination})" if destination else inert.markdown(name)
