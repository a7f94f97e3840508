"""Runs that are killed, resumed and replayed, in processes of their own: ``python again.py LEDGER FOLDER POINTS``.

Prints one JSON object a line: the run that nobody killed, then one for each point. A point is after how many events the
process is killed, counted from the end where it is negative; ``q3`` is while the provider has its third request and has
not answered. With ``model`` as the first point the runs have models: a server on loopback, in a process of its own,
that notes what it is asked.
"""

import json
import os
import signal
import sys
import threading
import traceback
from multiprocessing import forkserver
from pathlib import Path

# Once, and not again in each process that is forked.
import pydantic_ai.models.openai  # noqa: F401
import sqlalchemy  # noqa: F401

sys.path.insert(0, str(Path(__file__).parents[1]))
from affidavit.extract.fork_server import worker_context
from affidavit.house import begun_as, open_house
from affidavit.ledger.ledger import Ledger
from affidavit.reach import Reach
from affidavit.replay import replay
from affidavit.report.as_json import answer_json
from affidavit.research.ask import Ask
from affidavit.research.plan import make_plan
from affidavit.settings import Settings
from affidavit.wiring import open_ledger
from faithful import PAGES, QUESTION, Served, settings_in

HELD = {**PAGES, "empty.html": "<html><body></body></html>"}
"""The pages, one of which cannot be read."""


def share_the_fork_server() -> None:
    """Start here what workers are forked from, for all the processes below: each would take a second to start one."""
    worker_context()
    forkserver.ensure_running()
    forkserver._forkserver.ensure_running = lambda: None  # type: ignore[method-assign]


def serve(folder: Path) -> tuple[int, str]:
    """The process of the provider, and its address. It notes each request in the file ``calls``."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        with Served(on_asked=lambda said: note(folder, said)).open() as served:
            os.write(writing, served.url.encode())
            threading.Event().wait()
    return child, os.read(reading, 100).decode()


def note(folder: Path, asked: object) -> None:
    """Note a request, and kill who sends it where it is the one that is not to be answered."""
    with (folder / "calls").open("a") as file:
        file.write(json.dumps(asked) + "\n")
    victim = folder / "victim"
    pid, last = map(int, victim.read_text().split()) if victim.exists() else (0, 0)
    if pid and calls(folder) >= last:
        os.kill(pid, signal.SIGKILL)


def calls(folder: Path) -> int:
    """How many requests the provider was sent until now."""
    noted = folder / "calls"
    return len(noted.read_text().splitlines()) if noted.exists() else 0


def resume(settings: Settings, pages: Path, run_id: str) -> str:
    settings, reach = begun_as(run_id, settings, Reach.named([str(pages)]))
    with open_house(settings, reach) as house:
        return json.dumps(answer_json(house.resume(run_id, repeat_uncertain=True)))


def dies_after(count: int) -> None:
    """This process is killed when it would write one event more than `count`."""
    write = Ledger._write
    left = [count]

    def dying(self: Ledger, event: object) -> None:
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        left[0] -= 1
        write(self, event)  # type: ignore[arg-type]

    Ledger._write = dying  # type: ignore[method-assign]


def forked(work: object) -> tuple[int, str]:
    """What `work` gave in a process of its own, and how that one ended."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            with os.fdopen(writing, "w") as out:
                out.write(work())  # type: ignore[operator]
        except BaseException:  # noqa: BLE001 - told by the exit status
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as found:
        text = found.read()
    return os.waitpid(child, 0)[1], text


def newest(settings: Settings) -> str:
    with open_ledger(settings) as ledger:
        return ledger.runs(1)[0].run_id


def told(settings: Settings, run_id: str) -> str:
    with open_ledger(settings) as ledger:
        events = [(event.type, event.payload) for event in ledger.events(run_id)]
        state = ledger.run(run_id).state
    return json.dumps({"events": events, "state": state, "replay": replay(run_id, settings).as_json()})


def killed(settings: Settings, pages: Path, point: str, events: int) -> str:
    """`events` is how many a run has that nobody kills."""
    folder = pages.parent
    with open_house(settings, Reach.named([str(pages)])) as house:
        if point.startswith("q"):
            (folder / "victim").write_text(f"{os.getpid()} {calls(folder) + int(point[1:])}")
        else:
            dies_after(int(point) if int(point) > 0 else events + int(point))
        return json.dumps(answer_json(house.ask(make_plan(Ask(question=QUESTION), 2))))


def replied(settings: Settings, run_id: str) -> int:
    """How many replies of models are recorded."""
    with open_ledger(settings) as ledger:
        return sum(event.type == "model.replied" for event in ledger.events(run_id))


def main() -> None:
    where, folder = sys.argv[1], Path(sys.argv[2])
    pages = folder / "pages"
    pages.mkdir(exist_ok=True)
    for name, text in HELD.items():
        (pages / name).write_text(text)
        os.utime(pages / name, (1_700_000_000, 1_700_000_000))
    points = sys.argv[3:]
    share_the_fork_server()
    child, url = serve(folder) if points[0] == "model" else (None, "")
    more = {} if child is not None else {"models": None}
    settings = settings_in(folder, url, ledger=where, **more)
    try:
        tell(settings, pages, [point for point in points if point != "model"])
    finally:
        if child is not None:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


def ask(settings: Settings, pages: Path) -> str:
    with open_house(settings, Reach.named([str(pages)])) as house:
        return json.dumps(answer_json(house.ask(make_plan(Ask(question=QUESTION), 2))))


def tell(settings: Settings, pages: Path, points: list[str]) -> None:
    folder = pages.parent
    status, whole = forked(lambda: ask(settings, pages))
    story = json.loads(forked(lambda: told(settings, newest(settings)))[1])
    print(json.dumps({"status": status, "answer": json.loads(whole), **story, "asked": calls(folder)}), flush=True)
    for point in points:
        status, _ = forked(lambda point=point: killed(settings, pages, point, len(story["events"])))
        (folder / "victim").unlink(missing_ok=True)
        asked = calls(folder)
        gone_on, text = forked(lambda: gone_on_with(settings, pages))
        said = {"point": point, "status": status, "resumed": gone_on, "asked": calls(folder) - asked}
        print(json.dumps(said | json.loads(text)), flush=True)


def gone_on_with(settings: Settings, pages: Path) -> str:
    """The newest run as it was left, and, resumed unless it had come to its end, as it then is."""
    run_id = newest(settings)
    before = {"before": state_of(settings, run_id), "kept": replied(settings, run_id)}
    answer = resume(settings, pages, run_id) if before["before"] == "interrupted" else None
    return json.dumps({**before, "answer": answer, **json.loads(told(settings, run_id))})


def state_of(settings: Settings, run_id: str) -> str:
    """The state, when the database has noticed that the process is gone."""
    for _ in range(100):
        with open_ledger(settings) as ledger:
            state = ledger.run(run_id).state
        if state != "running":
            break
    return state


if __name__ == "__main__":
    main()
