"""What a writer and a reviewer are told was found: all of it, or what blocks first and how much there is more."""

import pytest

from affidavit.evidence.piece import Issue, Origin
from affidavit.write.found import MOST, found_lines, most_that_fit


def issue(code: str, message: str, *, blocks: bool = False, sentence: str = "S.") -> Issue:
    return Issue(code=code, message=message, sentence=sentence, blocks=blocks, origin=Origin.CHECK)


TOLD = issue("figure_bound", "“over” was added.")
FORTY = issue("figure_without_source", "No source has “40”.", blocks=True)
FIVE = issue("figure_without_source", "No source has “5”.", blocks=True, sentence="Five\n of them.")
LINES = {
    "told": '[figure_bound] “over” was added. — in: "S."',
    "forty": '[figure_without_source] No source has “40”. — in: "S."',
    "five": '[figure_without_source] No source has “5”. — in: "Five of them."',
}


@pytest.mark.parametrize(
    ("issues", "most", "expected"),
    [
        ([], 0, []),
        ([TOLD, FORTY, FIVE, FORTY], 4, ["told", "forty", "five", "forty"]),
        ([TOLD, FORTY, FIVE, FORTY], 3, ["forty (2 times)", "five", "told"]),
        ([TOLD, FORTY, FIVE, FORTY], 2, ["forty (2 times)", "five", "and 1 more of [figure_bound]"]),
        ([TOLD, TOLD, FIVE, FORTY], 1, ["five", "and 1 more of [figure_without_source], 2 more of [figure_bound]"]),
        ([TOLD, TOLD], 0, ["and 2 more of [figure_bound]"]),
    ],
)
def test_of_many_findings_what_blocks_is_told_first_and_how_many_there_are_more(issues, most, expected):
    plain = [LINES.get(one.split()[0], one.split()[0]) + one[len(one.split()[0]) :] for one in expected]
    assert found_lines(issues, most).splitlines() == plain


@pytest.mark.parametrize(("count", "lines"), [(MOST, MOST), (MOST + 1, MOST + 1), (1500, MOST + 1)])
def test_nobody_is_told_more_than_sixty_findings_at_once(count, lines):
    issues = [issue("repeated_figure", f"{number} again") for number in range(count - 1)] + [FORTY]
    told = found_lines(issues, numbered=True).splitlines()
    assert len(told) == lines
    assert told[0].startswith("1. [repeated_figure] 0 again" if count == MOST else "1. [figure_without_source]")
    assert count == MOST or told[-1] == f"and {count - MOST} more of [repeated_figure]"


@pytest.mark.parametrize(
    ("issues", "room", "most"),
    [
        ([], 0, 0),
        ([TOLD] * 3, 3, 3),
        ([TOLD] * 3, 1, 1),
        ([TOLD] * 3, 0, 0),
        ([TOLD] * 3, -1, None),
        ([FORTY, FIVE, TOLD], 2, 2),
        ([FORTY, FIVE, TOLD], 1, None),
        ([FORTY] * 9, 3, 3),
        ([FORTY] * 9, 2, None),
        ([FORTY] * 100, 100, MOST),
    ],
)
def test_as_many_are_told_as_fit_and_the_first_that_block_at_least(issues, room, most):
    assert most_that_fit(issues, lambda lines: lines <= room) == most
