"""Whole runs with a model that a script plays: how long one takes, and two hundred at once. Asserts nothing.

    python -m benchmarks.model_runs [--runs N] [--model-seconds S] [--page-seconds S]

One run, with a model that takes two seconds a call and pages that take one and a half: as it is, and with the same
calls and pages one after the other. `own` is the share of the time in which nothing was waited for: the runtime's. Then
many runs at once in one event loop, their models answering in up to a fifth of a second; each ledger is replayed.
House, search, extraction, guards, ledger and replay are the product's own.
"""

import argparse
import asyncio
import random
import resource
import tempfile
import time
from collections.abc import Callable, Generator
from contextlib import AbstractAsyncContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from tests.faithful import QUESTION, Faithful, settings_in, write_pages

from affidavit import wiring
from affidavit.egress.web import ArchiveWeb
from affidavit.house import House, open_house
from affidavit.models import cast as casting
from affidavit.models.request import ModelRequest
from affidavit.reach import Reach
from affidavit.replay import replay
from affidavit.research.ask import Ask
from affidavit.research.plan import make_plan
from affidavit.settings import Settings

PLACES = ("mill", "fire", "bridge", "church")
PAGES = {
    f"{place}.txt": f"The {place} at Aldersbrook was rebuilt in 19{10 + number}. "
    f"Nobody knows how the {place} of the year 18{20 + number} looked."
    for number, place in enumerate(PLACES)
}
QUOTED = {
    f"{place}.txt": (
        f"The {place} at Aldersbrook was rebuilt",
        f"The {place} in Aldersbrook was rebuilt in 19{10 + n}.",
    )
    for n, place in enumerate(PLACES)
}


@dataclass
class Waits:
    """When something was waited for: (what, from, to)."""

    spans: list[tuple[str, float, float]] = field(default_factory=list[tuple[str, float, float]])

    async def wait(self, what: str, seconds: float) -> None:
        begun = time.monotonic()
        await asyncio.sleep(seconds)
        self.spans.append((what, begun, time.monotonic()))

    def busy(self) -> float:
        """Seconds in which at least one thing was waited for."""
        total, end = 0.0, 0.0
        for _, begun, ended in sorted(self.spans, key=lambda span: span[1]):
            total += max(0.0, ended - max(begun, end))
            end = max(end, ended)
        return total

    def path(self) -> str:
        """The waits in order, those that began together as one."""
        steps: list[list[Any]] = []
        for what, begun, _ in sorted(self.spans, key=lambda span: span[1]):
            if steps and steps[-1][0] == what and begun - steps[-1][2] < 0.5:
                steps[-1][1] += 1
            else:
                steps.append([what, 1, begun])
        return " · ".join(what if count == 1 else f"{what} ×{count}" for what, count, _ in steps)


@contextmanager
def slowed(page: Callable[[], Any], model: Callable[[ModelRequest], Any], *, together: bool) -> Generator[None]:
    """Pages and models that take their time, in place of the archive's and the providers'."""

    class SlowWeb(ArchiveWeb):
        async def fetch(self, *arguments: Any) -> Any:
            await page()
            return await super().fetch(*arguments)

    def made(name: object, *_: object, **__: object) -> Faithful:
        return Faithful(str(name), model, QUOTED, together=together)

    before = casting.HostedModel, wiring.ArchiveWeb
    casting.HostedModel, wiring.ArchiveWeb = cast("Any", made), SlowWeb
    try:
        yield
    finally:
        casting.HostedModel, wiring.ArchiveWeb = before


def one_run(folder: Path, model_seconds: float, page_seconds: float, *, serial: bool, together: bool) -> float:
    """How long one takes; printed with what it waited for."""
    waits, warm, turns = Waits(), False, asyncio.Semaphore(1)

    async def waiting(what: str, seconds: float) -> None:
        turn: AbstractAsyncContextManager[Any] = turns if serial and warm else nullcontext()
        async with turn:
            await waits.wait(what, seconds if warm else 0.0)

    async def replying(request: ModelRequest) -> None:
        key = request.key or ""
        what = "verdict" if key.startswith("verify/") else "check" if "check" in key else "turn"
        await waiting(what, model_seconds)

    settings, plan = settings_in(folder, max_subquestions=1), make_plan(Ask(question=QUESTION), 1)
    with (
        slowed(lambda: waiting("page", page_seconds), replying, together=together),
        opened(settings, folder) as house,
    ):
        house.ask(plan)  # the processes are begun, the modules imported
        warm = True
        waits.spans.clear()
        begun = time.monotonic()
        answer = house.ask(plan)
        seconds = time.monotonic() - begun
    assert len(answer.claims) == len(QUOTED), answer
    own = 1 - waits.busy() / seconds
    print(f"  {'serial' if serial else 'as it is'}: {seconds:.1f} s, own {own:.1%}: {waits.path()}", flush=True)
    return seconds


@contextmanager
def opened(settings: Settings, folder: Path) -> Generator[House]:
    with open_house(settings, Reach.named([str(write_pages(folder, PAGES))])) as house:
        yield house


def many_runs(folder: Path, count: int) -> None:
    chance = random.Random(7)
    settings = settings_in(folder, max_subquestions=1)

    async def all_at_once(house: House) -> list[str]:
        plan = make_plan(Ask(question=QUESTION), 1)
        answers = await asyncio.gather(*(house.aask(plan) for _ in range(count)))
        assert all(len(answer.claims) == len(QUOTED) for answer in answers)
        return [answer.run_id for answer in answers]

    with slowed(lambda: asyncio.sleep(0), lambda _: asyncio.sleep(chance.random() / 5), together=False):
        with opened(settings, folder) as house:
            begun = time.monotonic()
            runs = asyncio.run(all_at_once(house))
            took = time.monotonic() - begun
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        workers = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        print(f"{count} runs at once: {took:.1f} s, no error, {memory:.0f} MB at most, a worker {workers:.0f} MB")
        begun = time.monotonic()
        outcomes = [replay(run_id, settings).outcome.value for run_id in runs]
    agreed = outcomes.count("agrees")
    print(f"replayed: {agreed} of {count} agree, in {time.monotonic() - begun:.1f} s")


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--runs", type=int, default=200)
    asked.add_argument("--model-seconds", type=float, default=2.0)
    asked.add_argument("--page-seconds", type=float, default=1.5)
    given = asked.parse_args()
    with tempfile.TemporaryDirectory() as name:
        for together in (True, False):
            print("quotations in one reply:" if together else "one quotation a reply:", flush=True)
            took: list[float] = []
            for serial in (False, True):
                folder = Path(name) / f"{together}{serial}"
                folder.mkdir()
                took.append(one_run(folder, given.model_seconds, given.page_seconds, serial=serial, together=together))
            print(f"  as it is / serial: {took[0] / took[1]:.2f}", flush=True)
        folder = Path(name) / "many"
        folder.mkdir()
        many_runs(folder, given.runs)


if __name__ == "__main__":
    main()
