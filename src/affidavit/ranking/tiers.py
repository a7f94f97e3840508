"""What kind of source a host is, from a table of names.

A name matches whole labels from the right, never a bare string suffix: ``evilnature.com`` is not ``nature.com``,
and ``netflix.com`` is not ``x.com``. The longest name that matches decides, so a table can take a part of a domain
out of what it says of the whole.
"""

from collections.abc import Mapping
from enum import StrEnum

from affidavit.ranking.canonical import host


class Tier(StrEnum):
    PRIMARY = "primary"
    SECONDARY = "secondary"
    AGGREGATOR = "aggregator"


def tier_of(url: str, table: Mapping[str, Tier]) -> Tier:
    """The tier of the page at `url`; SECONDARY where `table` names no part of its host.

    `table` maps lower-case names in A-labels to tiers. Raises UserError if `url` is no URL.
    """
    labels = host(url).split(".")
    for start in range(len(labels)):
        found = table.get(".".join(labels[start:]))
        if found is not None:
            return found
    return Tier.SECONDARY
