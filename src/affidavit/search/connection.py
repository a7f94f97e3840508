"""What every provider is built with."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime

from affidavit.search.exchange import Exchange


def utc_today() -> date:
    return datetime.now(UTC).date()


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """`language` is an ISO 639-1 code, maybe with a region after a hyphen; `region` an ISO 3166-1 code of two letters.

    None means: whatever the provider takes when it is not told. A provider whose API does not have one ignores it
    (docs/search.md lists which).
    """

    exchange: Exchange
    language: str | None = None
    region: str | None = None
    today: Callable[[], date] = utc_today

    @property
    def bare_language(self) -> str | None:
        """The language without its region."""
        return self.language.partition("-")[0].lower() if self.language else None
