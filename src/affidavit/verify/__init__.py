"""(claim, span) -> Verdict. A verifier sees one pair and nothing else."""

from affidavit.verify.embedded import EmbeddedVerifier
from affidavit.verify.guards import Guarded
from affidavit.verify.pair import Pair, pair, text_pair
from affidavit.verify.panel import Panel
from affidavit.verify.verbatim import VerbatimVerifier
from affidavit.verify.verifier import Verifier

__all__ = ["EmbeddedVerifier", "Guarded", "Pair", "Panel", "VerbatimVerifier", "Verifier", "pair", "text_pair"]
