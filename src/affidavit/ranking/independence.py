"""Which texts are copies of one report. Ten outlets that run one wire story are one source.

Copies carry another headline, another menu and often another last paragraph, so what is compared is how much of
the shorter text stands word for word in the longer one: the share of its runs of `RUN` words. Two reporters who
write about one event share no such runs; two statements in one form with other figures share some.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations

# Swept over run lengths 3 to 12 on the syndicated pages of the hostile set (same report: every pair at least .82 at
# any length; another report in the same words but its own figures: at most .79 at 3, .64 at 6, .59 at 8, .57 at 10)
# and on all pairs of 1,299 real pages (at 8: revised copies of one document .72 to .97, neighbours of one series .58
# and less). RUN = 8 and a bound of .70 part both. Exact sets, not MinHash: a run reads some dozens of pages, and an
# estimate of overlap between texts of unlike length is worst where it matters.
RUN = 8
SHARED = 0.70
# Under this many runs a text is too short to say: two notices of one sentence are not one report.
SHORTEST = 20

_WORD = re.compile(r"\w+")


def independence_groups(texts: Sequence[str]) -> list[int]:
    """For each text the index of the first text of its group; a text alone is its own group.

    Pass the main text of each page, without menus. Groups are closed: if A copies B and B copies C, they are one.
    """
    runs = [_runs(text) for text in texts]
    holders: dict[int, list[int]] = defaultdict(list)
    for index, found in enumerate(runs):
        for run in found:
            holders[run].append(index)
    shared: dict[tuple[int, int], int] = defaultdict(int)
    for indexes in holders.values():
        for pair in combinations(indexes, 2):
            shared[pair] += 1
    group = list(range(len(texts)))
    for (one, other), count in shared.items():
        shorter = min(len(runs[one]), len(runs[other]))
        if shorter >= SHORTEST and count / shorter >= SHARED:
            _join(group, one, other)
    return [_root(group, index) for index in range(len(texts))]


def copied_share(one: str, other: str) -> float:
    """Share (0 to 1) of the shorter text's runs of `RUN` words that the other has too; 0 if it is too short to say."""
    first, second = _runs(one), _runs(other)
    shorter = min(len(first), len(second))
    return len(first & second) / shorter if shorter >= SHORTEST else 0.0


def _runs(text: str) -> set[int]:
    words = _WORD.findall(unicodedata.normalize("NFKC", text).casefold())
    return {hash(tuple(words[start : start + RUN])) for start in range(len(words) - RUN + 1)}


def _root(group: list[int], index: int) -> int:
    while group[index] != index:
        index = group[index]
    return index


def _join(group: list[int], one: int, other: int) -> None:
    low, high = sorted((_root(group, one), _root(group, other)))
    group[high] = low
