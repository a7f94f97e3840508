"""Which addresses a request may go to: globally routable unicast, by a table of our own (contract G4).

`verdict` judges an address however it is written, and an address that wraps an IPv4 one (mapped, NAT64, 6to4 and
the like) is refused as a whole: what is inside is only named, so that the message says where it would have led. There
is no way in beside the table: what no row calls public, in IPv6, is refused.
"""

import ipaddress
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

Address = IPv4Address | IPv6Address

# ISATAP (RFC 5214, 6.1): the interface identifier 0000:5efe or 0200:5efe and an IPv4 address, under any prefix.
_ISATAP = (0x00005EFE, 0x02005EFE)


@dataclass(frozen=True, slots=True)
class Range:
    """A row of the table. `wraps` says where an IPv4 address stands inside, if one does."""

    network: IPv4Network | IPv6Network
    name: str
    source: str
    reason: str
    private: bool
    public: bool
    wraps: str | None


@dataclass(frozen=True, slots=True)
class AddressRefusal:
    """Why no request goes to `address`. `private` is whether an operator may open it for one named host."""

    address: str
    range: str
    name: str
    source: str
    reason: str
    private: bool

    def __str__(self) -> str:
        return f"{self.address} is {self.name} ({self.range}, {self.source}): {self.reason}"


def verdict(address: str | Address) -> AddressRefusal | None:
    """Why no request may go to `address`, or None if it is globally routable unicast.

    Raises ValueError for a string that is no address in its ordinary spelling: ``127.1`` must have been read by
    whoever parses URLs, or looked up as a name, before it comes here.
    """
    parsed = ipaddress.ip_address(address)
    written = str(parsed)
    if isinstance(parsed, IPv6Address):
        if parsed.scope_id is not None:
            zone = "a zone names a link of this machine"
            return AddressRefusal(written, "fe80::/10", "a scoped address", "RFC 4007", zone, private=False)
        inside = _isatap(parsed)
        if inside is not None:
            reason = f"a tunnel to {_described(inside)}"
            return AddressRefusal(written, "::5efe:0:0/96", "ISATAP", "RFC 5214, 6.1", reason, private=False)
    row = _row(parsed)
    if row is None or row.public:
        return None
    reason = row.reason
    if row.wraps is not None and isinstance(parsed, IPv6Address):
        reason += f"; inside: {_described(_unwrapped(parsed, row.wraps))}"
    return AddressRefusal(written, str(row.network), row.name, row.source, reason, row.private)


@cache
def table() -> tuple[Range, ...]:
    """The rows, most specific first."""
    text = files("affidavit.egress").joinpath("addresses.toml").read_text(encoding="utf-8")
    rows = [
        Range(
            network=ipaddress.ip_network(row["range"]),
            name=row["name"],
            source=row["source"],
            reason=row["reason"],
            private=row.get("private", False),
            public=row.get("public", False),
            wraps=row.get("wraps"),
        )
        for row in tomllib.loads(text)["range"]
    ]
    return tuple(sorted(rows, key=lambda row: -row.network.prefixlen))


def _row(address: Address) -> Range | None:
    return next((row for row in table() if address in row.network), None)


def _isatap(address: IPv6Address) -> IPv4Address | None:
    low = int(address) & 0xFFFF_FFFF_FFFF_FFFF
    return IPv4Address(low & 0xFFFF_FFFF) if low >> 32 in _ISATAP else None


def _unwrapped(address: IPv6Address, how: str) -> IPv4Address:
    """The IPv4 address that `address` leads to."""
    if how == "6to4":
        return IPv4Address(int(address) >> 80 & 0xFFFF_FFFF)
    if how == "teredo":  # RFC 4380, 4: the client's address, every bit turned
        return IPv4Address(~int(address) & 0xFFFF_FFFF)
    return IPv4Address(int(address) & 0xFFFF_FFFF)


def _described(inside: IPv4Address) -> str:
    row = _row(inside)
    return f"{inside} ({row.name if row is not None else 'public'})"
