"""(claim, span) -> Verdict. A verifier sees one pair and nothing else."""

from affidavit.verify.pair import Pair, pair
from affidavit.verify.verbatim import VerbatimVerifier

__all__ = ["Pair", "VerbatimVerifier", "pair"]
