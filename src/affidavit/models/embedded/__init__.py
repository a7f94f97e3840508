"""Models that come with the package or beside it: no key, no network, the same bytes everywhere."""

from affidavit.models.embedded.encoder import SentenceEncoder
from affidavit.models.embedded.judge import PairJudge, Scores
from affidavit.models.embedded.tokens import TokenCounter

__all__ = ["PairJudge", "Scores", "SentenceEncoder", "TokenCounter"]
