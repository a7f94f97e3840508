"""Imports, before the first page, what the readers import late; the fork server does it once for all workers."""

import charset_normalizer  # noqa: F401
import docx  # noqa: F401
import lxml.html  # noqa: F401
import markdown_it  # noqa: F401
import pypdfium2  # noqa: F401
import trafilatura  # noqa: F401

import affidavit.extract.extraction
import affidavit.extract.worker  # noqa: F401
