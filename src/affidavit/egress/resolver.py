"""From a host to the addresses a connection may go to: looked up once, every answer judged, one bad refuses all.

Whoever connects takes its addresses from here and connects to exactly those. A name that is looked up again between
the check and the connection is the hole that DNS rebinding needs; there is no second look-up to rebind.
"""

import asyncio
import ipaddress
import socket
import threading
import tomllib
from collections.abc import Collection, Mapping
from functools import cache
from importlib.resources import files
from typing import Protocol

from affidavit.egress.addresses import Address, verdict
from affidavit.egress.reason import Reason
from affidavit.errors import FailureKind, HostFailure

# Look-ups at once. Each holds a thread until the system gives up on it, which for a dead name server takes 30 s and
# more, so the number bounds threads, not speed.
MAX_LOOKUPS = 32
# The system's own limit is longer: glibc asks each server twice, 5 s each time.
LOOKUP_SECONDS = 10.0


class Resolver(Protocol):
    """Looks names up."""

    async def addresses(self, host: str) -> tuple[str, ...]:
        """Every address of `host`, IPv4 and IPv6, in the order to try them. Raises HostFailure (DNS, TIMEOUT)."""
        ...


class SystemResolver:
    """The machine's own resolver, asked from threads of its own so that a dead name server stops nothing else."""

    def __init__(self, seconds: float = LOOKUP_SECONDS) -> None:
        self._seconds = seconds
        self._slots = threading.BoundedSemaphore(MAX_LOOKUPS)

    async def addresses(self, host: str) -> tuple[str, ...]:
        if not self._slots.acquire(blocking=False):
            raise HostFailure(
                FailureKind.DNS,
                _bare(host),
                f"{MAX_LOOKUPS} look-ups are still unanswered; check the name server, then retry",
            )
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[tuple[str, ...]] = loop.create_future()
        thread = threading.Thread(target=self._look_up, args=(host, loop, answer), daemon=True, name=f"dns {host}")
        try:
            thread.start()
        except RuntimeError:
            self._slots.release()
            raise
        try:
            async with asyncio.timeout(self._seconds):
                return await answer
        except TimeoutError:
            raise HostFailure(
                FailureKind.DNS,
                _bare(host),
                f"the name server did not answer within {self._seconds:g} s; try again later",
            ) from None

    def _look_up(self, host: str, loop: asyncio.AbstractEventLoop, answer: "asyncio.Future[tuple[str, ...]]") -> None:
        found: tuple[str, ...] | HostFailure
        try:
            rows = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
            found = tuple(dict.fromkeys(str(row[4][0]) for row in rows))
        except (OSError, UnicodeError) as error:
            said = (error.strerror if isinstance(error, OSError) else None) or str(error)
            found = HostFailure(
                FailureKind.DNS,
                _bare(host),
                f"the name cannot be looked up ({said}); check the address, or the network",
            )
        finally:
            self._slots.release()
        try:
            loop.call_soon_threadsafe(_settle, answer, found)
        except RuntimeError:
            return  # the loop is closed: nobody waits any more


def _settle(answer: "asyncio.Future[tuple[str, ...]]", found: tuple[str, ...] | HostFailure) -> None:
    if answer.done():
        return
    if isinstance(found, HostFailure):
        answer.set_exception(found)
    else:
        answer.set_result(found)


class CheckedResolver:
    """Gives the addresses of hosts that may be reached, and nothing else.

    `allow_private` are hosts, exactly as they stand in an address, that an operator opens although they are special
    names or lie in a private network. Addresses that hand out credentials stay refused for them too.
    """

    def __init__(self, resolver: Resolver, *, allow_private: Collection[str] = ()) -> None:
        self._resolver = resolver
        self._allow_private = frozenset(_bare(host) for host in allow_private)

    async def reachable(self, host: str) -> tuple[Address, ...]:
        """At least one address, each judged. Raises HostFailure: BLOCKED_BY_POLICY, DNS, TIMEOUT."""
        name = _bare(host)
        opened = name in self._allow_private
        literal = _literal(name)
        if literal is not None:
            answers: tuple[str, ...] = (literal,)
        else:
            special = special_name(name)
            if special is not None and not opened:
                raise HostFailure(FailureKind.BLOCKED_BY_POLICY, name, special, reason=Reason.SPECIAL_NAME.value)
            # The dot keeps the machine's search domains out of it: `a.b` must not become `a.b.office.example`.
            answers = await self._resolver.addresses(name if opened else f"{name}.")
        if not answers:
            raise HostFailure(FailureKind.DNS, name, "the name has no address; check it, or use another source")
        return tuple(self._judged(name, answer, opened=opened) for answer in answers)

    @property
    def opened(self) -> tuple[str, ...]:
        """The hosts of `allow_private`, in one order."""
        return tuple(sorted(self._allow_private))

    def permits(self, host: str, address: str) -> bool:
        """Whether a connection to `host` could go to `address`, without a look-up: for what came from there earlier."""
        name = _bare(host)
        opened = name in self._allow_private
        if not opened and _literal(name) is None and special_name(name) is not None:
            return False
        try:
            self._judged(name, address, opened=opened)
        except HostFailure:
            return False
        return True

    def _judged(self, name: str, answer: str, *, opened: bool) -> Address:
        try:
            refusal = verdict(answer)
            address = ipaddress.ip_address(answer)
        except ValueError:
            raise HostFailure(FailureKind.DNS, name, f"its name server answered {answer!r:.80}, no address") from None
        if refusal is not None and not (opened and refusal.private):
            raise HostFailure(
                FailureKind.BLOCKED_BY_POLICY,
                name,
                f"{refusal}; only public addresses are fetched",
                reason=Reason.ADDRESS.value,
                address=answer,
            )
        return address


def special_name(host: str) -> str | None:
    """Why `host` (lower case, A-labels) names no host of the public internet, or None if it may."""
    name = host.rstrip(".")
    if "." not in name:
        return f"{name} has no dot: such a name belongs to the local network ({_special().get(name, 'RFC 6762, 20')})"
    labels = name.split(".")
    for start in range(len(labels)):
        found = _special().get(".".join(labels[start:]))
        if found is not None:
            return f"names under {'.'.join(labels[start:])} are not public ({found})"
    return None


@cache
def _special() -> Mapping[str, str]:
    text = files("affidavit.egress").joinpath("special_names.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)["names"]


def _bare(host: str) -> str:
    return host.lower().removeprefix("[").removesuffix("]").rstrip(".")


def _literal(name: str) -> str | None:
    try:
        return str(ipaddress.ip_address(name))
    except ValueError:
        return None
