"""What the checks of the writer find in the shipped drafts, by code, and what they say that does not belong.

python benchmarks/writing_checks.py [FOLDER]
"""

import sys
from pathlib import Path

from affidavit.evals.writing import Measured, measure_writing
from affidavit.evals.writing_companies import read_companies, shipped_companies
from affidavit.write.checks import BLOCKING


def shown(share: float | None) -> str:
    return "    -" if share is None else f"{share:5.3f}"


def report(name: str, measured: Measured) -> None:
    drafts = len(measured.outcomes)
    faulty = sum(bool(one.draft.expected) for one in measured.outcomes)
    print(f"{name}: {drafts} drafts, {faulty} with something wrong")
    print(f"  {'code':24} {'right':>5} {'missed':>6} {'extra':>5}  precision recall")
    for code in ("both that block", *measured.codes):
        codes = BLOCKING if code == "both that block" else frozenset({code})
        right, missed, extra = measured.counts(codes)
        precision, recall = shown(measured.precision(codes)), shown(measured.recall(codes))
        print(f"  {code:24} {right:5} {missed:6} {extra:5}  {precision}     {recall}")
    print(f"  drafts blocked that should not be: {len(measured.wrongly_blocked())}")
    for one in measured.outcomes:
        for expected in one.missed:
            print(f"  missed {one.draft.draft_id}: {expected.code} “{expected.words}”")
        for issue in one.extra:
            words = one.draft.text[issue.start : issue.end]
            print(f"  extra  {one.draft.draft_id}: {issue.code} “{words[:60]}”: {issue.message}")
    print()


def main(given: list[str]) -> None:
    if given:
        report(given[0], measure_writing(read_companies(Path(given[0]))))
        return
    for kind in ("traps", "honest"):
        report(kind, measure_writing(shipped_companies(kind)))


if __name__ == "__main__":
    main(sys.argv[1:])
