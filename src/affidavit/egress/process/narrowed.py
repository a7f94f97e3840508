"""A policy that allows what two policies both allow, and nothing else.

A run brings its policy to a gateway that has its own; the run may want less, and can never get more.
"""

from collections.abc import Iterable, Iterator

from affidavit.egress.policy import PUBLIC_WEB, Policy


def narrowed(one: Policy, other: Policy) -> Policy:
    """Refuses a target if `one` or `other` refuses it; that is what the tests hold it to."""
    return Policy(
        allow=tuple(dict.fromkeys(_meets((*one.allow, *one.allow_private), (*other.allow, *other.allow_private)))),
        deny=tuple(dict.fromkeys((*one.deny, *other.deny))),
        ports=tuple(port for port in one.ports if port in other.ports),
        allow_private=tuple(host for host in one.allow_private if host in other.allow_private),
        types=one.types & other.types,
    )


def _meets(ones: Iterable[str], others: Iterable[str]) -> Iterator[str]:
    others = tuple(others)
    for one in ones:
        for other in others:
            meet = _meet(one, other)
            if meet is not None:
                yield meet


def _meet(one: str, other: str) -> str | None:
    """The hosts that both patterns match, as a pattern; None if there are none."""
    if one == other or other == PUBLIC_WEB or _within(one, other):
        return one
    return other if one == PUBLIC_WEB or _within(other, one) else None


def _within(one: str, other: str) -> bool:
    """Whether all that `one` matches is under the wildcard `other`."""
    return other.startswith("*.") and one != PUBLIC_WEB and one.removeprefix("*").endswith(other[1:])
