"""Bytes of a fetched page to a Document: visible text in blocks, or a typed reason why there is none."""

from affidavit.extract.extraction import EXTRACTOR_VERSION, EXTRACTORS, extract

__all__ = ["EXTRACTORS", "EXTRACTOR_VERSION", "extract"]
