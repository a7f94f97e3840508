"""Pairs of a user's own, judged blind, as a run of the ledger."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

from affidavit.evals.hired import Hired
from affidavit.evals.pairwise import SEED, Pair, Preference, prefer
from affidavit.evals.records import read_records
from affidavit.evals.rows import Row, read_row
from affidavit.evals.run import KIND
from affidavit.evals.suite import data_digest
from affidavit.ledger import Ledger
from affidavit.models.roles import Role

NAME = "pairwise"
PREFERENCE = "eval.preference"
"""The event of a set of pairs that was judged."""


class PairRow(Row):
    """Two texts for one brief. `facts` are true, `refused` must not be said; both are shown to the judge."""

    brief: str
    facts: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    first: str
    second: str

    def pair(self) -> Pair:
        return Pair(
            pair_id=self.id,
            brief=self.brief,
            facts=self.facts,
            refused=self.refused,
            first=self.first,
            second=self.second,
        )


def run_pairwise(
    hired: Hired,
    ledger: Ledger,
    paths: Sequence[Path],
    *,
    first: str,
    second: str,
    seed: int = SEED,
    progress: Callable[[int, int], None],
) -> tuple[str, Preference]:
    """The run's id, and what the judge made of the pairs at `paths`. Raises UserError, StorageError."""
    records = read_records(paths)
    pairs = [read_row(PairRow, placed).pair() for placed in records.rows]
    about = {
        "suite": NAME,
        "judge": hired.roles[Role.JUDGE],
        "makers": [first, second],
        "seed": seed,
        "data": {"digest": data_digest(records), "files": records.files},
    }
    with ledger.begin(KIND, NAME, about) as log:
        hired.charge(log)
        found = asyncio.run(_judged(hired, pairs, first, second, seed, progress))
        log.record(PREFERENCE, found.as_json())
        log.finish("measured" if found.count(None) < len(pairs) else "could_not_check")
    return log.run_id, found


async def _judged(
    hired: Hired, pairs: Sequence[Pair], first: str, second: str, seed: int, progress: Callable[[int, int], None]
) -> Preference:
    async with hired.cast() as cast:
        return await prefer(cast.of(Role.JUDGE), pairs, first=first, second=second, seed=seed, progress=progress)
