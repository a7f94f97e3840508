"""What no run may do, held against what its events say it did (contract X1). Pure; run over every run at its end.

The gateway refuses all of this before it happens. This is the second pair of eyes: it knows nothing of the gateway's
memory, and derives from the events alone what the run had seen, allowed and spent. A hole in one is a violation in
the other, and a run with a violation fails.

What is judged is what was decided, not what the record still shows of it. Text that a secret was cut out of is never
read as an address: two that read alike may differ, and the rest of one may be no address at all. Such an address is
compared by the digest that was recorded of the whole (`ledger.sameness`), and of its text only the authority is read,
which redaction leaves alone. Where there is no digest to compare with, in a ledger of an older version and across a
resumption, what was cut is not held against the run: whoever owns a page would choose which runs fail.

A page that an earlier run of the same ledger read, and that is still fresh, counts as read where the run says so
(``remembered``): its links lie in that run's record.

A run that was killed and goes on may ask once more for pages whose bytes died with its process: a fetch counts against
the budget when something came of it that was recorded, or while it may yet.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from affidavit.egress.addresses import verdict
from affidavit.egress.policy import Policy
from affidavit.egress.provenance import Provenance
from affidavit.egress.reason import Reason
from affidavit.egress.target import Target, read_target
from affidavit.errors import ForbiddenAction, UserError
from affidavit.ledger.event import BEGUN, CUT, RESUMED, Event
from affidavit.ledger.redaction import MARK
from affidavit.ledger.sameness import source_of, spelt

VERSION = "4"

# Refusals that hold for an address as long as the run lasts. A name may come to resolve elsewhere, an address may be
# seen later, and a redirect that was refused as one may be asked for by itself.
_LASTING = frozenset(
    reason.value
    for reason in (
        Reason.TRICK,
        Reason.SCHEME,
        Reason.USERINFO,
        Reason.SPELLING,
        Reason.HOST_NAME,
        Reason.PORT,
        Reason.HOST_DENIED,
        Reason.HOST_NOT_ALLOWED,
        Reason.SPECIAL_NAME,
        Reason.CANARY,
        Reason.ROBOTS,
    )
)

_MARKED = re.compile(r"\[redacted:[a-z-]+\][^&;#/?]*")
_AUTHORITY = re.compile(r"[^/?#]*//[^/?#]*")
_READ = frozenset({Reason.FETCHED.value, Reason.CACHED.value, Reason.UNCHANGED.value})


@dataclass(frozen=True, slots=True)
class Violation:
    """One forbidden action: the number of its event, the rule it breaks, and what was done."""

    seq: int
    rule: str
    detail: str


@dataclass(frozen=True, slots=True)
class _Address:
    """An address as far as it is known: its `text` unless a secret was cut out of it, and the digest of the whole."""

    shown: str
    text: str | None
    same: str | None

    @classmethod
    def of(cls, shown: str, same: object) -> "_Address":
        return cls(shown, None if MARK in shown else spelt(shown), same if isinstance(same, str) else None)

    @property
    def names(self) -> Iterable[str]:
        """What it is known by. A digest is never the text of an address: it has no scheme."""
        return (name for name in (self.text, self.same) if name is not None)


@dataclass(slots=True)
class _Past:
    """Addresses of which something was recorded, and what."""

    said: dict[str, str] = field(default_factory=dict[str, str])

    def add(self, address: _Address, what: str = "") -> None:
        for name in address.names:
            self.said.setdefault(name, what)

    def of(self, address: _Address) -> str | None:
        return next((self.said[name] for name in address.names if name in self.said), None)


@dataclass(slots=True)
class _Sources:
    """The addresses that one kind of event gave the run, as `seen`, and the digests of those that lost a secret."""

    seen: Provenance = field(default_factory=Provenance)
    same: set[str] = field(default_factory=set[str])
    lossy: bool = False

    def add(self, urls: Iterable[str]) -> None:
        for url in urls:
            if MARK in url:
                self.lossy = True
            else:
                self.seen.saw(url, "recorded")

    def has(self, address: _Address) -> bool:
        return address.same in self.same or (address.text is not None and self.seen.find(address.text) is not None)


@dataclass(slots=True)
class _Story:
    """What the events up to some point say. What was refused, asked for as a robots.txt, says nothing of a page."""

    policy: Policy = field(default_factory=Policy)
    found: _Sources = field(default_factory=_Sources)
    given: _Sources = field(default_factory=_Sources)
    read: _Past = field(default_factory=_Past)
    redirected: dict[str, _Past] = field(default_factory=lambda: defaultdict(_Past))
    refused: dict[str, _Past] = field(default_factory=lambda: defaultdict(_Past))
    limits: Mapping[str, int] = field(default_factory=dict[str, int])
    searches: int = 0
    fetches: int = 0
    pending: list[str] = field(default_factory=list[str])
    resumed: bool = False

    def untold(self, address: _Address, *, lossy: bool = False) -> bool:
        """Whether the record cannot say if `address` is one of those before it, because there is no digest of it or
        the digests before it have another salt. `lossy` is whether some of those before it lost a secret; after a
        resumption what lost one cannot be asked for, so an address that is whole is none of them."""
        if address.text is None:
            return address.same is None or self.resumed
        return lossy and address.same is None


def violations(events: Iterable[Event]) -> tuple[Violation, ...]:
    """Every forbidden action of one run, in order. `events` are the run's, from its beginning.

    An event that cannot be read is a violation too: what could not be checked has not passed.
    """
    story = _Story()
    found: list[Violation] = []
    for event in events:
        try:
            broken = _read(event, story)
        except (KeyError, TypeError, ValueError, UserError) as error:
            broken = [("unreadable", f"{event.type}: {type(error).__name__}: {error}")]
        found += [Violation(event.seq, rule, detail) for rule, detail in broken]
    return tuple(found)


def refuse_violations(events: Sequence[Event]) -> None:
    """Raises ForbiddenAction for a run that did what no run may do."""
    found = violations(events)
    if found:
        first = found[0]
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        raise ForbiddenAction(
            f"{events[0].run_id}, event {first.seq}: forbidden action {first.rule}: {first.detail}{more}. Nothing of "
            "this run is published; keep its ledger and report it as a security fault"
        )


def _read(event: Event, story: _Story) -> list[tuple[str, str]]:
    payload = event.payload
    if event.type == BEGUN:
        _begin(cast("Mapping[str, object]", payload["settings"]), story)
    elif event.type == "search":
        return _search(payload, story)
    elif event.type == "gateway":
        return _request(payload, story)
    elif event.type == "remembered":
        story.read.add(_Address.of(cast("str", payload["url"]), payload.get("same")))
    elif event.type in ("fetched", "page_failed"):
        _settle(cast("str", payload.get("asked", payload["url"])), story)
        if event.type == "fetched":
            _own_name(payload, story)
    elif event.type == CUT:
        source = story.given if payload["event"] == BEGUN else story.found
        source.same.update(cast("Sequence[str]", payload["same"]))
    elif event.type == RESUMED:
        story.resumed = True
        story.fetches -= len(story.pending)
        story.pending.clear()
    return []


def _own_name(payload: Mapping[str, object], story: _Story) -> None:
    """A page that was read is read under its own address too, where it has another on its site: a folder's
    ``index.html`` for the folder's root."""
    own, asked = _Address.of(cast("str", payload["url"]), payload.get("same")), payload.get("asked")
    if not isinstance(asked, str) or story.read.of(_Address.of(asked, None)) is None:
        return
    there, here = _site(own), _site(_Address.of(asked, None))
    if not (isinstance(there, Target) and isinstance(here, Target)):
        return
    if (there.scheme, there.host) == (here.scheme, here.host):
        story.read.add(own)


def _begin(settings: Mapping[str, object], story: _Story) -> None:
    story.limits = {
        name: value for name in ("max_searches", "max_fetches") if isinstance(value := settings.get(name), int)
    }
    story.policy = Policy.from_json(cast("Mapping[str, object]", settings.get("web_policy") or {}))
    story.given.add(cast("Sequence[str]", settings.get("given") or ()))


def _search(payload: Mapping[str, object], story: _Story) -> list[tuple[str, str]]:
    story.searches += 1
    story.found.add(hit["url"] for hit in cast("Sequence[Mapping[str, str]]", payload["hits"]))
    most = story.limits.get("max_searches")
    if most is not None and story.searches > most:
        return [("over_budget", f"search {story.searches} of at most {most}")]
    return []


def _request(payload: Mapping[str, object], story: _Story) -> list[tuple[str, str]]:
    address = _Address.of(cast("str", payload["url"]), payload.get("same"))
    purpose = cast("str", payload["purpose"])
    if not payload["allowed"]:
        if payload["reason"] in _LASTING:
            story.refused[purpose].add(address, cast("str", payload["reason"]))
        return []
    target = _site(address)
    if isinstance(target, Reason):
        return [("refused_address", f"{address.shown[:200]}: {target.value}")]
    broken = [*_forbidden(payload, address, target, story), *_unseen(payload, address, story), *_over(payload, story)]
    if payload["reason"] == Reason.REDIRECTED.value:
        story.redirected[purpose].add(address)
    elif payload["reason"] in _READ and purpose == "page":
        story.read.add(address)
    return broken


def _site(address: _Address) -> Target | Reason | None:
    """Where `address` leads: to the page, or where a secret was cut out of it to its site. None where a configured
    secret stood in the host itself, so that nothing says which it was."""
    if address.text is not None:
        return read_target(address.text)
    authority = _AUTHORITY.match(address.shown)
    if authority is None:
        return Reason.NOT_A_URL
    if "@" in authority[0]:
        return Reason.USERINFO
    return None if MARK in authority[0] else read_target(authority[0] + "/")


def _forbidden(
    payload: Mapping[str, object], address: _Address, target: Target | None, story: _Story
) -> Iterable[tuple[str, str]]:
    """Method, host, address, and what was refused before."""
    if payload["method"] != "GET":
        yield "method", f"{payload['method']} {address.shown}"
    refusal = None if target is None else story.policy.refusal_of(target)
    if refusal is not None:
        yield "off_the_allowlist", f"{address.shown}: {refusal.value}"
    connected = cast("str | None", payload["address"])
    if connected is not None:
        judged = verdict(connected)
        opened = target is not None and target.host in story.policy.allow_private
        if judged is not None and not (opened and judged.private):
            yield "private_address", f"{address.shown}: {judged}"
    before = story.refused[cast("str", payload["purpose"])].of(address)
    if before is not None:
        yield "refused_before", f"{address.shown}: {before}"


def _unseen(payload: Mapping[str, object], address: _Address, story: _Story) -> Iterable[tuple[str, str]]:
    """A request for an address that nothing in the run's record gave it."""
    how = cast("str | None", payload["how"]) or ""
    source = _Address.of(source_of(how) or "", payload.get("source"))
    if payload["purpose"] == "robots":
        asked = address.text is not None and _AUTHORITY.sub("", address.text, count=1) == "/robots.txt"
        if not asked and not story.redirected["robots"].said:
            yield "unseen", f"{address.shown} was asked for as a robots.txt"
    elif how.startswith("redirect from "):
        yield from _redirected(payload, address, source, story)
    elif how.startswith("given "):
        if not story.given.has(address) and not story.untold(address, lossy=story.given.lossy):
            yield "unseen", f"{address.shown} is said to be given by the user, and was not"
    elif " on " in how:
        if story.read.of(source) is None and not story.untold(source):
            yield "unseen", f"{address.shown} is said to be on {source.shown[:200]}, which was not read"
    elif not story.found.has(address) and not story.untold(address, lossy=story.found.lossy):
        yield "unseen", f"{address.shown} is in no search result of this run"


def _redirected(
    payload: Mapping[str, object], address: _Address, source: _Address, story: _Story
) -> Iterable[tuple[str, str]]:
    """Only a redirect that was followed on the live web, never a fetch's first request, can be changed on its way. An
    archive's own redirects are in the past: of those, the place that a later fetch has its address from is told."""
    known = story.redirected["page"].of(source) is not None or story.read.of(source) is not None
    if not known and not story.untold(source):
        yield "unseen", f"{address.shown}: redirected from {source.shown[:200]}, which was not asked for"
    elif payload["hop"] != 0 and source.shown.startswith("https:") and address.shown.startswith("http:"):
        yield "downgrade", f"{source.shown[:200]} to {address.shown}"


def _over(payload: Mapping[str, object], story: _Story) -> Iterable[tuple[str, str]]:
    if payload["purpose"] != "page" or payload["hop"] != 0:
        return
    story.fetches += 1
    story.pending.append(_evenly(cast("str", payload["url"])))
    most = story.limits.get("max_fetches")
    if most is not None and story.fetches > most:
        yield "over_budget", f"fetch {story.fetches} of at most {most}"


def _settle(asked: str, story: _Story) -> None:
    """What became of the fetch of `asked` is recorded. The request was for the spelling that the run had seen."""
    for url in story.pending:
        seen = Provenance()
        seen.saw(url, "asked for")
        if url == _evenly(asked) or (MARK not in url + asked and seen.find(asked) is not None):
            story.pending.remove(url)
            return


def _evenly(url: str) -> str:
    """`url` with what the ledger cut out of it cut out evenly: a credential with a space in it is cut short where the
    address was recorded as written, and whole where it was recorded as sent. Good enough to count by, not to judge."""
    return _MARKED.sub(f"{MARK}]", url)
