"""Models that ship inside the package: no key, no network, the same bytes everywhere."""

from affidavit.models.embedded.encoder import SentenceEncoder

__all__ = ["SentenceEncoder"]
