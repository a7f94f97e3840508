"""Affidavit: every sentence sworn to by its source."""

from affidavit.version import __version__

__all__ = ["__version__"]
