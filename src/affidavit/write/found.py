"""What was found in a draft, as its writer and its reviewer are told of it, a line each.

All of it where there is room. Where there is not: what blocks first, what is found again and again in one line, and how
much there is beside that.
"""

from collections import Counter
from collections.abc import Callable, Sequence

from affidavit.evidence.piece import Issue
from affidavit.models.context import longest

MOST = 60
"""Lines of findings that anybody is told at once; a draft with more is no better mended point by point."""
FEW = 3
"""Findings that block which a writer must be told at least: as many as a withheld piece shows."""


def found_lines(issues: Sequence[Issue], most: int = MOST, *, numbered: bool = False) -> str:
    """`issues` in their order, or, of more than `most`, so many lines of them and one that counts the rest."""
    if len(issues) <= most:
        alike = [[issue] for issue in issues]
    else:
        groups: dict[tuple[bool, str, str], list[Issue]] = {}
        for issue in sorted(issues, key=lambda one: not one.blocks):
            groups.setdefault((issue.blocks, issue.code, issue.message), []).append(issue)
        alike = list(groups.values())
    lines = [finding_line(some[0]) + (f" ({len(some)} times)" if len(some) > 1 else "") for some in alike[:most]]
    if numbered:
        lines = [f"{number}. {line}" for number, line in enumerate(lines, 1)]
    rest = Counter(issue.code for some in alike[most:] for issue in some)
    if rest:
        lines.append("and " + ", ".join(f"{count} more of [{code}]" for code, count in rest.items()))
    return "\n".join(lines)


def most_that_fit(issues: Sequence[Issue], fits: Callable[[int], bool]) -> int | None:
    """How many lines of `issues` fit; None where the first few that block do not."""
    most = longest(issues[:MOST], lambda some: fits(len(some)))
    return most if most >= min(FEW, sum(issue.blocks for issue in issues)) and fits(most) else None


def finding_line(issue: Issue) -> str:
    """``[code] message — in: "sentence"``, on one line."""
    return " ".join(f'[{issue.code}] {issue.message} — in: "{issue.sentence}"'.split())
