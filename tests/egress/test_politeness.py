"""How often one site is asked."""

import asyncio
import itertools

import pytest

from affidavit.egress.deadline import Deadline
from affidavit.egress.politeness import Politeness
from affidavit.errors import FailureKind, PageFailure


def test_requests_of_one_host_are_spaced():
    async def scene():
        politeness, begun = Politeness(at_once=4, interval=0.05), {"a": [], "b": []}

        async def one(host):
            async with Deadline(10) as deadline, politeness.turn(host, "u", deadline):
                begun[host].append(asyncio.get_running_loop().time())

        await asyncio.gather(*(one(host) for host in "aaabbb"))
        for times in begun.values():
            assert all(later - earlier >= 0.045 for earlier, later in itertools.pairwise(times))

    asyncio.run(scene())


def test_a_sites_own_delay_stands_over_ours_up_to_the_longest():
    async def scene(delay, longest):
        politeness = Politeness(interval=0, longest=longest)
        start = asyncio.get_running_loop().time()
        for _ in range(2):
            async with Deadline(10) as deadline, politeness.turn("a", "u", deadline, delay):
                pass
        return asyncio.get_running_loop().time() - start

    assert asyncio.run(scene(0.1, 1)) >= 0.095
    assert asyncio.run(scene(1000, 0.1)) < 5


def test_waiting_for_ones_turn_does_not_use_up_the_deadline():
    async def scene():
        politeness = Politeness(at_once=1, interval=0)

        async def hold(seconds):
            async with Deadline(1.0) as deadline, politeness.turn("a", "u", deadline):
                await asyncio.sleep(seconds)

        await asyncio.gather(hold(0.4), hold(0.4), hold(0.4))
        with pytest.raises(TimeoutError):
            await hold(5)
        await hold(0)

    asyncio.run(scene())


def test_a_host_that_asked_for_quiet_is_not_asked():
    async def scene():
        politeness = Politeness(longest=5)
        politeness.postpone("a", 60)
        async with Deadline(1) as deadline:
            with pytest.raises(PageFailure, match="60 s without requests") as caught:
                async with politeness.turn("a", "u", deadline):
                    raise AssertionError("nobody's turn")
            assert caught.value.kind is FailureKind.RATE_LIMIT
            async with politeness.turn("b", "u", deadline):
                pass

    asyncio.run(scene())


def test_a_turn_that_is_given_up_is_free_for_the_next():
    async def scene():
        politeness = Politeness(at_once=1, interval=0)

        async def hang():
            async with Deadline(10) as deadline, politeness.turn("a", "u", deadline):
                await asyncio.sleep(10)

        first, second = asyncio.create_task(hang()), asyncio.create_task(hang())
        await asyncio.sleep(0)
        for task in (second, first):
            task.cancel()
        await asyncio.gather(first, second, return_exceptions=True)
        async with Deadline(1) as deadline, politeness.turn("a", "u", deadline):
            pass

    asyncio.run(scene())
