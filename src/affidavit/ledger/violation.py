"""What no run may do, held against what its events say it did (contract X1). Pure; run over every run at its end.

The gateway refuses all of this before it happens. This is the second pair of eyes: it knows nothing of the gateway's
memory, and derives from the events alone what the run had seen, allowed and spent. A hole in one is a violation in
the other, and a run with a violation fails.

A run that was killed and goes on may ask once more for pages whose bytes died with its process: a fetch counts against
the budget when something came of it that was recorded, or while it may yet.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from affidavit.egress.addresses import verdict
from affidavit.egress.policy import Policy
from affidavit.egress.provenance import Provenance
from affidavit.egress.reason import Reason
from affidavit.egress.target import Target, read_target
from affidavit.errors import ForbiddenAction, UserError
from affidavit.ledger.event import BEGUN, RESUMED, Event

VERSION = "2"

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

_CUT = re.compile(r"\[redacted:[a-z-]+\][^&;#/?]*")
_READ = frozenset({Reason.FETCHED.value, Reason.CACHED.value, Reason.UNCHANGED.value})


@dataclass(frozen=True, slots=True)
class Violation:
    """One forbidden action: the number of its event, the rule it breaks, and what was done."""

    seq: int
    rule: str
    detail: str


@dataclass(slots=True)
class _Story:
    """What the events up to some point say."""

    policy: Policy = field(default_factory=Policy)
    seen: Provenance = field(default_factory=Provenance)
    given: Provenance = field(default_factory=Provenance)
    read: set[str] = field(default_factory=set[str])
    redirected: set[str] = field(default_factory=set[str])
    refused: dict[str, str] = field(default_factory=dict[str, str])
    limits: Mapping[str, int] = field(default_factory=dict[str, int])
    searches: int = 0
    fetches: int = 0
    pending: list[str] = field(default_factory=list[str])


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
    elif event.type in ("fetched", "page_failed"):
        _settle(cast("str", payload.get("asked", payload["url"])), story)
    elif event.type == RESUMED:
        story.fetches -= len(story.pending)
        story.pending.clear()
    return []


def _begin(settings: Mapping[str, object], story: _Story) -> None:
    story.limits = {
        name: value for name in ("max_searches", "max_fetches") if isinstance(value := settings.get(name), int)
    }
    story.policy = Policy.from_json(cast("Mapping[str, object]", settings.get("web_policy") or {}))
    for url in cast("Sequence[str]", settings.get("given") or ()):
        story.given.saw(_unmarked(url), "given")


def _search(payload: Mapping[str, object], story: _Story) -> list[tuple[str, str]]:
    story.searches += 1
    for hit in cast("Sequence[Mapping[str, str]]", payload["hits"]):
        story.seen.saw(_unmarked(hit["url"]), "search result")
    most = story.limits.get("max_searches")
    if most is not None and story.searches > most:
        return [("over_budget", f"search {story.searches} of at most {most}")]
    return []


def _request(payload: Mapping[str, object], story: _Story) -> list[tuple[str, str]]:
    url = _unmarked(cast("str", payload["url"]))
    target = read_target(url)
    if not payload["allowed"]:
        if payload["reason"] in _LASTING and isinstance(target, Target):
            story.refused.setdefault(target.url, cast("str", payload["reason"]))
        return []
    if isinstance(target, Reason):
        return [("refused_address", f"{url[:200]}: {target.value}")]
    broken = [*_forbidden(payload, target, story), *_unseen(payload, target, story), *_over(payload, story)]
    _remember(payload, target, story)
    return broken


def _forbidden(payload: Mapping[str, object], target: Target, story: _Story) -> Iterable[tuple[str, str]]:
    """Method, host, address, and what was refused before."""
    if payload["method"] != "GET":
        yield "method", f"{payload['method']} {target.url}"
    refusal = story.policy.refusal_of(target)
    if refusal is not None:
        yield "off_the_allowlist", f"{target.url}: {refusal.value}"
    address = cast("str | None", payload["address"])
    if address is not None:
        judged = verdict(address)
        opened = target.host in story.policy.allow_private
        if judged is not None and not (opened and judged.private):
            yield "private_address", f"{target.url}: {judged}"
    if target.url in story.refused:
        yield "refused_before", f"{target.url}: {story.refused[target.url]}"


def _unseen(payload: Mapping[str, object], target: Target, story: _Story) -> Iterable[tuple[str, str]]:
    """A request for an address that nothing in the run's record gave it."""
    how = cast("str | None", payload["how"]) or ""
    how = _unmarked(how)
    source = how.rpartition(" from ")[2] if how.startswith("redirect from ") else how.partition(" on ")[2]
    if payload["purpose"] == "robots":
        if target.path != "/robots.txt" and not story.redirected:
            yield "unseen", f"{target.url} was asked for as a robots.txt"
        return
    if how.startswith("redirect from "):
        if source not in story.redirected and source not in story.read:
            yield "unseen", f"{target.url}: redirected from {source[:200]}, which was not asked for"
        elif source.startswith("https:") and target.scheme == "http":
            yield "downgrade", f"{source[:200]} to {target.url}"
    elif how.startswith("given "):
        if story.given.find(target.url) is None:
            yield "unseen", f"{target.url} is said to be given by the user, and was not"
    elif " on " in how:
        if source not in story.read:
            yield "unseen", f"{target.url} is said to be on {source[:200]}, which was not read"
    elif story.seen.find(target.url) is None:
        yield "unseen", f"{target.url} is in no search result of this run"


def _unmarked(url: str) -> str:
    """`url` with what the ledger cut out of it cut out evenly: a credential with a space in it is cut short where the
    address was recorded as written, and whole where it was recorded as sent."""
    return _CUT.sub("[redacted]", url)


def _over(payload: Mapping[str, object], story: _Story) -> Iterable[tuple[str, str]]:
    if payload["purpose"] != "page" or payload["hop"] != 0:
        return
    story.fetches += 1
    story.pending.append(_unmarked(cast("str", payload["url"])))
    most = story.limits.get("max_fetches")
    if most is not None and story.fetches > most:
        yield "over_budget", f"fetch {story.fetches} of at most {most}"


def _settle(asked: str, story: _Story) -> None:
    """What became of the fetch of `asked` is recorded. The request was for the spelling that the run had seen."""
    for url in story.pending:
        seen = Provenance()
        seen.saw(url, "asked for")
        if seen.find(_unmarked(asked)) is not None:
            story.pending.remove(url)
            return


def _remember(payload: Mapping[str, object], target: Target, story: _Story) -> None:
    if payload["reason"] == Reason.REDIRECTED.value:
        story.redirected.add(target.url)
    elif payload["reason"] in _READ and payload["purpose"] == "page":
        story.read.add(target.url)
