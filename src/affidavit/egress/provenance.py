"""Which addresses a run has seen, and which requests are for one of them (contract G3).

This is what keeps a steered model from carrying data out in an address it made up. Two spellings are one address when
they agree after what every server ignores: case of scheme and host, the host's final dot, the default port, an empty
path, dot segments, the percent-encoding of unreserved characters, the fragment. A request may leave out known tracking
parameters of the address that was seen, all or some of them; it may add none, change none, and reorder nothing. And
what is then sent is the address as it was seen, so that not even a spelling is the model's.
"""

import re
from dataclasses import dataclass
from urllib.parse import unquote_plus

from affidavit.egress.reason import Reason
from affidavit.egress.target import Target, read_target
from affidavit.ranking.tracking import is_tracking

_TRIPLET = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


@dataclass(frozen=True, slots=True)
class SeenUrl:
    """An address as the run first saw it, and where ("search result", "link on https://…", "given by the user")."""

    url: str
    how: str


class Provenance:
    """The addresses one run has seen.

    Those that differ in tracking parameters alone stand under one key, by their parameters: a page of links that differ
    in nothing else costs their number and not its square. None is left out of it, for the judge of a run
    (`ledger.violation`) sees the same addresses and must come to the same end.
    """

    def __init__(self) -> None:
        self._seen: dict[tuple[str, ...], dict[tuple[str, ...], SeenUrl]] = {}

    def saw(self, url: str, how: str) -> None:
        """Remember `url`; the first spelling and place stay. What is no web address is nothing to remember."""
        target = read_target(url)
        if isinstance(target, Reason):
            return
        parameters = _parameters(target)
        known = self._seen.setdefault(_key(target, parameters), {})
        known.setdefault(parameters, SeenUrl(target.url, how))

    def find(self, url: str) -> SeenUrl | None:
        """The address that a request for `url` is for, or None if the run has not seen it."""
        target = read_target(url)
        if isinstance(target, Reason):
            return None
        parameters = _parameters(target)
        known = self._seen.get(_key(target, parameters), {})
        return next((seen for before, seen in known.items() if _left_out_only(parameters, before)), None)


def same_page(first: Target, second: Target) -> bool:
    """Whether two targets are spellings of one address, parameter for parameter."""
    parameters = _parameters(first)
    return parameters == _parameters(second) and _key(first, parameters) == _key(second, parameters)


def _key(target: Target, parameters: tuple[str, ...]) -> tuple[str, ...]:
    """What must be equal: all but tracking parameters."""
    path = _normal(target.path.partition("?")[0])
    return (target.origin, path, *(part for part in parameters if not _tracks(part)))


def _parameters(target: Target) -> tuple[str, ...]:
    query = target.path.partition("?")[2]
    return tuple(_normal(part) for part in query.split("&")) if query else ()


def _tracks(parameter: str) -> bool:
    return is_tracking(unquote_plus(parameter.partition("=")[0]))


def _left_out_only(asked: tuple[str, ...], seen: tuple[str, ...]) -> bool:
    """Whether `asked` is `seen` less some parameters. Which may be missing, the key has said."""
    rest = iter(seen)
    return all(any(part == other for other in rest) for part in asked)


def _normal(text: str) -> str:
    def one(match: re.Match[str]) -> str:
        byte = int(match[1], 16)
        return chr(byte) if byte in _UNRESERVED else match[0].upper()

    return _TRIPLET.sub(one, text)
