"""Runs that are killed, resumed and replayed, in processes of their own: ``python again.py LEDGER FOLDER POINTS``.

Prints one JSON object a line: the run that nobody killed, then one for each point. A point is after how many events the
process is killed, counted from the end where it is negative. With ``model`` as the first point the runs have a model: a
server on loopback, in a process of its own, that notes what it is asked.
"""

import json
import os
import re
import signal
import sys
import traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from affidavit.ledger.ledger import Ledger
from affidavit.reach import Reach
from affidavit.replay import replay
from affidavit.report.as_json import answer_json
from affidavit.research.ask import Ask
from affidavit.research.plan import make_plan
from affidavit.settings import Settings, load_settings
from affidavit.wiring import begun_as, open_house, open_ledger

PAGES = {
    "mill.txt": "The mill at Aldersbrook was rebuilt in 1911 after the great fire. It grinds wheat for four villages.",
    "fire.html": "<html><body><main><h1>The fire</h1><p>The great fire at Aldersbrook burnt down the mill in 1909. "
    "The mill at Aldersbrook was closed for two years until it was rebuilt.</p></main></body></html>",
    "bridge.txt": "The bridge at Aldersbrook carries 40 tonnes. The mill stands beside the bridge at Aldersbrook.",
    "empty.html": "<html><body></body></html>",
}
QUESTION = "When was the mill at Aldersbrook rebuilt?"


class Provider(BaseHTTPRequestHandler):
    """Plans, fetches, quotes and drafts: what it does next follows from the request alone."""

    calls: Path

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        text = json.dumps(asked["messages"], ensure_ascii=False)
        with self.calls.open("a") as file:
            file.write(json.dumps(text) + "\n")
        choice = {"index": 0, "message": {"role": "assistant", **self.answer(asked, text)}, "finish_reason": "stop"}
        usage = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
        said = {"id": "x", "object": "chat.completion", "created": 1, "model": "s", "choices": [choice], "usage": usage}
        body = json.dumps(said).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def answer(self, asked: dict[str, Any], text: str) -> dict[str, Any]:
        if not asked.get("tools"):
            check = {"coverage": [], "decision": "CONTINUE", "next_action": "Open the deeds", "reason": "x"}
            return {"content": json.dumps(check if "coverage" in text else {"subquestions": [QUESTION]})}
        page = re.search(r'doc_id=\\"(doc_\w+)\\" source=\\"[^"]*mill.txt', text)
        span = re.search(r"span_[0-9a-f]{16}", text)
        claim = "The mill at Aldersbrook was rebuilt in 1911 after the great fire."
        if span:
            drafted = [{"text": claim, "span_ids": [span[0]], "confidence": "high"}]
            made = ("draft_answer", {"claims": drafted, "summary": claim})
        elif page:
            locator = "The mill at Aldersbrook was rebuilt"
            made = ("extract_quote", {"doc_id": page[1], "locator": locator, "purpose": "support_claim"})
        else:
            made = ("fetch_page", {"urls": ["https://pages.invalid/mill.txt"]})
        function = {"name": made[0], "arguments": json.dumps(made[1])}
        return {"content": None, "tool_calls": [{"id": "c1", "type": "function", "function": function}]}

    def log_message(self, *args: object) -> None:
        pass


def serve(folder: Path) -> tuple[int, dict[str, object]]:
    """The process of the provider, and the settings that name it."""
    Provider.calls = folder / "calls"
    server = ThreadingHTTPServer(("127.0.0.1", 0), Provider)
    child = os.fork()
    if child == 0:
        server.serve_forever()
    url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    server.socket.close()
    return child, {"researcher": "mine:small", "servers": {"mine": url}}


def ask(settings: Settings, pages: Path) -> str:
    with open_house(settings, Reach.named([str(pages)])) as house:
        return json.dumps(answer_json(house.ask(make_plan(Ask(question=QUESTION), 2))))


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


def killed(settings: Settings, pages: Path, point: int) -> str:
    dies_after(point)
    return ask(settings, pages)


def main() -> None:
    where, folder = sys.argv[1], Path(sys.argv[2])
    pages = folder / "pages"
    pages.mkdir(exist_ok=True)
    for name, text in PAGES.items():
        (pages / name).write_text(text)
        os.utime(pages / name, (1_700_000_000, 1_700_000_000))
    points = sys.argv[3:]
    child, models = serve(folder) if points[0] == "model" else (None, None)
    data, cache = folder / "data", folder / "cache"
    settings = load_settings(
        {}, ledger=where, data_dir=data, cache_dir=cache, workers=1, max_subquestions=2, models=models
    )
    try:
        tell(settings, pages, [point for point in points if point != "model"])
    finally:
        if child is not None:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


def tell(settings: Settings, pages: Path, points: list[str]) -> None:
    status, whole = forked(lambda: ask(settings, pages))
    run_id = forked(lambda: newest(settings))[1]
    story = json.loads(forked(lambda: told(settings, run_id))[1])
    print(json.dumps({"status": status, "answer": json.loads(whole), **story}), flush=True)
    for named in points:
        point = int(named) if int(named) > 0 else len(story["events"]) + int(named)
        status, _ = forked(lambda point=point: killed(settings, pages, point))
        run_id = forked(lambda: newest(settings))[1]
        before = forked(lambda run_id=run_id: state_of(settings, run_id))[1]
        resumed, answer = forked(lambda run_id=run_id: resume(settings, pages, run_id))
        after = json.loads(forked(lambda run_id=run_id: told(settings, run_id))[1])
        said = {"point": point, "status": status, "before": before, "resumed": resumed, "answer": answer, **after}
        print(json.dumps(said), flush=True)


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
