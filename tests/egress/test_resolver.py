"""Looked up once, every answer judged, one bad refuses all."""

import asyncio
import socket
import threading

import pytest

from affidavit.egress.resolver import CheckedResolver, SystemResolver, special_name
from affidavit.errors import FailureKind, HostFailure

from .hostile_server import PUBLIC, Answers


def reach(host, answers=None, **options):
    return asyncio.run(CheckedResolver(answers or Answers(), **options).reachable(host))


def refusal(host, answers=None, **options) -> HostFailure:
    with pytest.raises(HostFailure) as caught:
        reach(host, answers, **options)
    return caught.value


def test_all_answers_come_back_in_their_order():
    answers = Answers({"a.example.com": [PUBLIC, "2606:4700:4700::1111"]})
    assert [str(one) for one in reach("a.example.com", answers)] == [PUBLIC, "2606:4700:4700::1111"]


def test_a_name_is_looked_up_once_and_absolutely():
    class Names:
        asked = []

        async def addresses(self, host):
            self.asked.append(host)
            return (PUBLIC,)

    names = Names()
    reach("A.Example.com.", names)
    assert names.asked == ["a.example.com."]


@pytest.mark.parametrize(
    "bad", ["10.0.0.1", "::1", "::ffff:10.0.0.1", "fe80::1%eth0", "64:ff9b::a9fe:a9fe", "0.0.0.0", "168.63.129.16"]
)
def test_one_bad_answer_refuses_all_wherever_it_stands(bad):
    for answers in ([bad], [PUBLIC, bad], [bad, PUBLIC]):
        failure = refusal("a.example.com", Answers({"a.example.com": answers}))
        assert (failure.kind, failure.reason, failure.address) == (FailureKind.BLOCKED_BY_POLICY, "address", bad)


def test_an_answer_that_is_no_address_is_a_dns_failure():
    assert refusal("a.example.com", Answers({"a.example.com": ["127.1"]})).kind is FailureKind.DNS
    assert refusal("a.example.com", Answers({"a.example.com": []})).kind is FailureKind.DNS


def test_a_literal_is_judged_and_never_looked_up():
    answers = Answers()
    assert [str(one) for one in reach("8.8.8.8", answers)] == ["8.8.8.8"]
    assert [str(one) for one in reach("[2606:4700::1]", answers)] == ["2606:4700::1"]
    assert refusal("[::1]", answers).reason == "address"
    assert answers.asked == []


@pytest.mark.parametrize(
    "host",
    "localhost localhost. app.localhost localhost.localdomain metadata.google.internal printer.local router.home.arpa "
    "intranet kubernetes.default.svc.cluster.local host.docker.internal abcdef.onion wiki.corp x.test y.invalid "
    "1.0.0.127.in-addr.arpa com".split(),
)
def test_special_names_are_refused_before_anybody_looks_them_up(host):
    answers = Answers()
    failure = refusal(host, answers)
    assert (failure.kind, failure.reason) == (FailureKind.BLOCKED_BY_POLICY, "special_name")
    assert answers.asked == []


@pytest.mark.parametrize(
    "host", ["internal.example.org", "local.example.com", "notlocalhost.com", "mylocal.net", "a.homes"]
)
def test_labels_that_only_look_special_are_ordinary_names(host):
    assert special_name(host) is None


def test_an_opened_host_may_be_private_but_not_metadata():
    answers = Answers(
        {"wiki": ["10.1.2.3"], "db.internal": ["169.254.169.254"], "both.example.com": [PUBLIC, "10.0.0.1"]}
    )
    opened = ("wiki", "db.internal", "both.example.com", "127.0.0.1")
    assert [str(one) for one in reach("wiki", answers, allow_private=opened)] == ["10.1.2.3"]
    assert len(reach("both.example.com", answers, allow_private=opened)) == 2
    assert len(reach("127.0.0.1", answers, allow_private=opened)) == 1
    assert refusal("db.internal", answers, allow_private=opened).reason == "address"
    assert refusal("127.0.0.2", answers, allow_private=opened).reason == "address"
    assert refusal("sub.wiki", Answers({"sub.wiki": ["10.1.2.3"]}), allow_private=opened).reason == "address"


def test_the_system_resolver_gives_addresses_and_typed_failures(monkeypatch):
    async def both():
        resolver = SystemResolver()
        assert "127.0.0.1" in await resolver.addresses("localhost")
        with pytest.raises(HostFailure, match="cannot be looked up") as caught:
            await resolver.addresses("no-such-name.invalid.")
        assert caught.value.kind is FailureKind.DNS
        with pytest.raises(HostFailure, match="cannot be looked up"):
            await resolver.addresses("x" * 300)

    asyncio.run(both())


def test_a_name_server_that_does_not_answer_is_given_up_and_stops_nobody(monkeypatch):
    free = threading.Event()

    def hang(host, *_, **__):
        if host == "slow.example.":
            free.wait(20)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (PUBLIC, 0))]

    monkeypatch.setattr(socket, "getaddrinfo", hang)
    monkeypatch.setattr("affidavit.egress.resolver.MAX_LOOKUPS", 2)

    async def scene():
        resolver = SystemResolver(seconds=0.1)
        for _ in range(2):
            with pytest.raises(HostFailure, match="did not answer"):
                await resolver.addresses("slow.example.")
        with pytest.raises(HostFailure, match="still unanswered"):
            await resolver.addresses("other.example.")
        free.set()
        for _ in range(100):
            await asyncio.sleep(0.01)
            try:
                assert await resolver.addresses("other.example.") == (PUBLIC,)
                return
            except HostFailure:
                continue
        raise AssertionError("the slots never came free")

    asyncio.run(scene())
