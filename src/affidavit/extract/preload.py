"""Imports, before the first page, what the readers import late. The fork server does it once for all workers."""

from importlib import import_module

READERS = ("affidavit.extract.worker",)
LATE = ("charset_normalizer", "docx", "markdown_it", "numpy", "pypdfium2", "trafilatura")

for name in (*READERS, *LATE):
    import_module(name)
