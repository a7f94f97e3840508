"""What a draft is held against: documents with what a person calls them."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from affidavit.evidence.document import Document
from affidavit.gates.source_texts import SourceText


@dataclass(frozen=True, slots=True)
class CheckSource:
    """A source and where it came from: the path of a file, None for a page that has an address of the web.

    An `allowed` text (``--allow``) is the writer's own word: what stands in it needs no other source, and it is named
    as what it is.
    """

    document: Document
    path: str | None = None
    allowed: bool = False

    @property
    def url(self) -> str | None:
        """The address, None for a local file, whose made-up one would lead nowhere."""
        host = urlsplit(self.document.final_url).hostname or ""
        return None if host.endswith(".invalid") else self.document.final_url

    @property
    def name(self) -> str:
        return self.path or self.document.final_url

    def as_text(self) -> SourceText:
        """As the gate for quotations takes it."""
        one = self.document
        url = self.url or self.path
        return SourceText(one.title or self.path or "", one.text, one.author, url, one.breaks)
