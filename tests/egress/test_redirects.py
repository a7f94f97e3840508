"""Redirects as pages and robots.txt have them followed."""

import asyncio
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.egress.reason import Reason
from affidavit.egress.redirects import RedirectRefused, follow
from affidavit.egress.target import read_target


@dataclass
class Answer:
    location: str | None


@dataclass
class Watching:
    refuse: str = "denied.example.com"
    judged: list = field(default_factory=list)
    hops: list = field(default_factory=list)

    def permit(self, target):
        self.judged.append(target.url)
        return Reason.HOST_DENIED if target.host == self.refuse else None

    def record(self, hop):
        self.hops.append(hop)


def walk(*locations, start="https://a.example.com/", most=5, refuse=None):
    """Where the way ended: the addresses asked for, and the refusal if there was one."""
    asked, watch, left = [], Watching(), list(locations)

    async def ask(target):
        asked.append(target.url)
        return Answer(left.pop(0) if left else None)

    async def scene():
        more = {} if refuse is None else {"refuse": refuse}
        await follow(read_target(start), ask, watch, most=most, purpose="page", **more)

    try:
        asyncio.run(scene())
        refusals = []
    except RedirectRefused as refused:
        refusals = [(False, refused.where, refused.reason.value)]
    assert [(hop.allowed, hop.url, hop.reason) for hop in watch.hops] == refusals
    return asked, Reason(refusals[0][2]) if refusals else None


def test_relative_and_whole_addresses_are_followed_to_the_end():
    asked, refused = walk("/b?x=1", "c", "//b.example.com/", "https://c.example.com")
    assert refused is None
    assert asked == [
        "https://a.example.com/",
        "https://a.example.com/b?x=1",
        "https://a.example.com/c",
        "https://b.example.com/",
        "https://c.example.com/",
    ]


@pytest.mark.parametrize(
    ("locations", "reason"),
    [
        (["/"], Reason.REDIRECT_LOOP),
        (["/b", "HTTPS://A.example.com:443/#x"], Reason.REDIRECT_LOOP),
        (["http://b.example.com/"], Reason.DOWNGRADE),
        (["http://a.example.com/"], Reason.DOWNGRADE),
        (["https://denied.example.com/"], Reason.HOST_DENIED),
        (["ftp://b.example.com/"], Reason.SCHEME),
        (["https://u@b.example.com/"], Reason.USERINFO),
        (["https:\\\\b.example.com/"], Reason.TRICK),
        (["/" + "a" * 9000], Reason.TOO_LONG),
        ([f"/{n}" for n in range(6)], Reason.REDIRECT_LIMIT),
    ],
)
def test_a_step_that_is_refused_is_recorded_and_not_taken(locations, reason):
    asked, refused = walk(*locations)
    assert refused is reason
    assert len(asked) == len(locations)


def test_whoever_fetches_may_refuse_more():
    asked, refused = walk(
        "/robots.txt", "/page", refuse=lambda one: None if "robots" in one.path else Reason.NOT_ROBOTS
    )
    assert (len(asked), refused) == (2, Reason.NOT_ROBOTS)


@given(
    st.lists(
        st.text(max_size=30) | st.sampled_from(["/a", "/b", "http://b.example.com", "//c.example.com"]), max_size=9
    )
)
def test_whatever_a_site_says_the_way_ends_and_nothing_is_asked_for_twice(locations):
    asked, _ = walk(*locations)
    assert len(asked) <= 6
    assert len(set(asked)) == len(asked)
