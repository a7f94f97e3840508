"""An answer as Markdown: claims with numbered links that open the live page at the quotation.

Everything that came from a page or a person passes through `inert.markdown`, and every destination through
`inert.markdown_destination`; the only markup in the file is ours. Numbers are reference links, so the text stays
readable where nothing renders it.
"""

from collections.abc import Iterable

from affidavit.evidence.answer import Answer
from affidavit.report import inert, wording
from affidavit.report.inert import markdown as safe
from affidavit.report.outline import Citation, Outline, Section, Statement, drop_reason, score_reason, side_note


def render_markdown(answer: Answer) -> str:
    """`answer` as CommonMark with GFM tables."""
    outline = Outline(answer)
    blocks = (
        *_head(outline),
        *(block for section in outline.sections for block in _section(section)),
        *_inferred(outline),
        *_partial(outline),
        *_gaps(outline),
        *_conflicts(outline),
        *_quotations(outline),
        *_sources(outline),
        *_dropped(answer),
        *_tried(answer),
        *_checks(answer),
        "\n".join(f"[{c.number}]: {inert.markdown_destination(c.link)}" for c in outline.citations if c.link),
    )
    return "\n\n".join(block for block in blocks if block) + "\n"


def _numbers(citations: Iterable[Citation]) -> str:
    """``[\\[1\\]][1]``, which reads ``[1]`` when rendered; plain ``\\[1\\]`` where the page has no web address."""
    return "".join(rf"[\[{c.number}\]][{c.number}]" if c.link else rf"\[{c.number}\]" for c in citations)


def _claim(statement: Statement) -> str:
    return f"{safe(statement.text)} {_numbers(statement.citations)}"


def _table(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = (heads, ("---",) * len(heads), *rows)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _head(outline: Outline) -> Iterable[str]:
    answer = outline.answer
    state = wording.STATES[answer.state]
    yield f"# {safe(answer.question or answer.tested_claim or '')}"
    if answer.tested_claim and answer.tested_claim != answer.question:
        yield f"Claim tested: {safe(answer.tested_claim)}"
    if answer.falsifier:
        yield f"Would be refuted by: {safe(answer.falsifier)}"
    yield f"**{state.label}.** {safe(outline.lead)}"
    yield f"*{wording.tally(answer)}*"
    if answer.injection_observed:
        yield f"**{wording.INJECTION}** “{safe(answer.injection_observed)}”"
    if answer.warnings:
        yield "\n".join(f"- Warning: {safe(warning)}" for warning in answer.warnings)
    yield safe(outline.summary)


def _section(section: Section) -> Iterable[str]:
    yield f"## {section.title}"
    if not section.groups:
        yield section.empty
    for group in section.groups:
        if group.title:
            yield f"### {safe(group.title)}"
        yield "\n".join(f"- {_claim(statement)}" for statement in group.statements)


def _inferred(outline: Outline) -> Iterable[str]:
    if outline.inferred:
        yield f"## {wording.INFERRED.label}"
        yield wording.INFERRED.means
        yield "\n".join(
            line
            for statement in outline.inferred
            for line in (
                f"- {_claim(statement)}",
                *(f"  - from: {_claim(premise)}" for premise in statement.premises),
            )
        )


def _partial(outline: Outline) -> Iterable[str]:
    if outline.partial:
        yield f"## {wording.PARTIAL.label}"
        yield wording.PARTIAL.means
        yield "\n".join(
            line
            for statement in outline.partial
            for line in (
                f"- {_claim(statement)}",
                *(f"  - {wording.LACKS}: {safe(element)}" for element in statement.lacks),
            )
        )


def _gaps(outline: Outline) -> Iterable[str]:
    if not outline.gaps:
        return
    yield f"## {wording.GAPS_TITLE.label}"
    for kind, gaps in outline.gaps.items():
        term = wording.GAPS[kind]
        yield f"**{term.label}.** {term.means} {term.next}"
        about = (f"“{safe(gap.subquestion)}” " if gap.subquestion else "" for gap in gaps)
        yield "\n".join(f"- {said}{safe(gap.detail)}" for said, gap in zip(about, gaps, strict=True))


def _conflicts(outline: Outline) -> Iterable[str]:
    if not outline.sides:
        return
    yield f"## {wording.CONFLICTS.label}"
    yield wording.CONFLICTS.means
    for conflict, citations in zip(outline.answer.conflicts, outline.sides, strict=True):
        cells = tuple(f"“{safe(c.span.text)}” {_numbers([c])} ({safe(c.host)})" for c in citations)
        heads = tuple(
            safe(side_note(side)) or label for side, label in ((conflict.a, "One"), (conflict.b, "The other"))
        )
        yield f"**{safe(conflict.measure)}**"
        yield _table(heads, [cells])


def _quotations(outline: Outline) -> Iterable[str]:
    if not outline.citations:
        return
    yield f"## {wording.EXHIBITS.label}"
    for page in outline.pages:
        document = page[0].document
        destination = inert.markdown_destination(document.final_url)
        title = f"[{safe(page[0].title)}]({destination})" if destination else safe(page[0].title)
        facts = [safe(page[0].host)]
        facts += [f"published {safe(document.published)}"] if document.published else []
        facts += [f"read {safe(document.retrieved_at)}", f"bytes sha256 `{document.sha256}`"]
        facts += [f"text sha256 `{document.text_sha256}`"]
        yield f"{title}  \n{' · '.join(facts)}"
        yield "\n".join(f"- {_numbers([citation])} “{safe(citation.span.text)}”" for citation in page)


def _sources(outline: Outline) -> Iterable[str]:
    yield f"## {wording.SOURCES.label}"
    if not outline.sources:
        yield wording.NO_SOURCES
        return
    yield wording.SOURCES.means
    rows: list[tuple[str, ...]] = []
    for cited in outline.sources:
        source = cited.source
        destination = inert.markdown_destination(source.url)
        title = safe(source.title or "") or safe(inert.web_host(source.url))
        rows.append(
            (
                f"[{title}]({destination})" if destination else title,
                wording.tier(source.tier).label,
                f"{source.score:.2f}",
                safe(score_reason(source)),
                safe(source.published or "") or "–",
                "".join(rf"\[{number}\]" for number in cited.numbers)
                or (wording.NOT_CITED if source.doc_id else wording.NOT_READ),
            )
        )
    yield _table(("Source", "Tier", "Score", "Why", "Published", "Cited"), rows)


def _dropped(answer: Answer) -> Iterable[str]:
    yield f"## {wording.DROPPED.label}"
    yield wording.DROPPED.means if answer.dropped else wording.NOTHING_DROPPED
    yield "\n".join(f"- {safe(dropped.claim.text)}  \n  *{safe(drop_reason(dropped))}*" for dropped in answer.dropped)


def _tried(answer: Answer) -> Iterable[str]:
    yield f"## {wording.TRIED.label}"
    if not answer.tried:
        yield wording.NOTHING_TRIED
        return
    rows = ((safe(t.query), safe(t.provider), f"{t.results:,}", f"{t.novelty:.0%}") for t in answer.tried)
    yield _table(("Search", "Where", "Results", "New"), rows)


def _checks(answer: Answer) -> Iterable[str]:
    card = answer.verifier
    yield f"## {wording.VERIFIER}"
    yield f"**{safe(card.name)} {safe(card.version)}**"
    unmeasured = wording.uncalibrated(card)
    if unmeasured is not None:
        yield safe(unmeasured)
    if card.calibration:
        facts = (wording.calibration_fact(key, value) for key, value in card.calibration.items())
        yield "\n".join(f"- {safe(label)}: {safe(value)}" for label, value in facts)
    yield f"## {wording.BUDGET}"
    spent = (
        f"- {safe(name.replace('_', ' '))}: {wording.spent(value.get('used'), value.get('limit'))}"
        for name, value in answer.budget.items()
    )
    yield "\n".join((*spent, f"- cost: {wording.cost(answer.cost_usd)}"))
    yield f"## {wording.AGAIN}"
    yield "\n".join(
        f"- `{command.format(run_id=inert.line(answer.run_id).replace('`', ''))}` {does}"
        for command, does in wording.AGAIN_STEPS
    )
    yield wording.AGAIN_NOTE
