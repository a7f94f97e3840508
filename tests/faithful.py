"""A model that does its work: in this process, or behind a server on loopback that speaks the OpenAI protocol.

What it says next follows from the request alone, so a run may be cut off anywhere, resumed, replayed, or be one of two
hundred. It stands where a provider would, below the retries, the accounts and the record.
"""

import asyncio
import hashlib
import json
import re
import threading
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from affidavit.models.model import Model
from affidavit.models.reply import Finish, ModelReply, Usage
from affidavit.models.request import ModelRequest, ToolCall, message_json
from affidavit.settings import Settings, load_settings

PAGES = {
    "mill.txt": "The mill at Aldersbrook was rebuilt in 1911 after the great fire. It grinds wheat for four villages.",
    "fire.txt": "The great fire at Aldersbrook burnt down the mill in 1909. Nobody was hurt in the great fire.",
    "bridge.txt": "The bridge at Aldersbrook carries 40 tonnes. The mill stands beside the bridge at Aldersbrook.",
}
QUESTION = "When was the mill at Aldersbrook rebuilt?"
QUOTED = {
    "mill.txt": ("The mill at Aldersbrook was rebuilt", "The mill at Aldersbrook was rebuilt in 1911 after a fire."),
    "fire.txt": ("The great fire at Aldersbrook burnt", "The great fire at Aldersbrook burnt down the mill in 1909."),
}
"""By page: where a quotation begins, and what is drafted from it. The first is in other words than its page."""
_ADDRESS = re.compile(r"https://\S+?\.txt")
_PAGE = re.compile(r'doc_id="(doc_[0-9a-f]{16})" source="[^"]*?(\w+\.txt)"')
_SPAN = re.compile(r'<untrusted_span id="(span_[0-9a-f]{16})"[^>]*?source="[^"]*?(\w+\.txt)"', re.DOTALL)

Before = Callable[[ModelRequest], Any]


class Faithful:
    """Plans, reads the pages of `quoted`, quotes each, drafts a claim from each; says of each pair that it is
    supported. `before` is awaited before each reply; `together` is whether it quotes several pages in one."""

    def __init__(
        self,
        name: str = "mine:big",
        before: Before | None = None,
        quoted: Mapping[str, tuple[str, str]] = QUOTED,
        *,
        together: bool = False,
    ) -> None:
        self.name = name
        self._quoted = quoted
        self._together = together
        self.requests: list[ModelRequest] = []
        self._before = before

    async def complete(self, request: ModelRequest) -> ModelReply:
        self.requests.append(request)
        waiting = self._before(request) if self._before is not None else asyncio.sleep(0)
        if waiting is not None:
            await waiting
        text, calls = answer_to(request, self._quoted, together=self._together)
        usage = Usage(input=900, output=90)
        finish = Finish.TOOL_CALL if calls else Finish.STOP
        return ModelReply(text=text, calls=calls, usage=usage, finish=finish, model="big", latency=0.0)

    def hold(self) -> None:
        """As a provider's connection: there is none."""

    async def aclose(self) -> None:
        """As a provider's connection: there is none."""


def answer_to(
    request: ModelRequest, quoted: Mapping[str, tuple[str, str]], *, together: bool
) -> tuple[str, tuple[ToolCall, ...]]:
    """What the model says, and what it calls."""
    text = "\n".join(str(message_json(message)["text"]) for message in request.messages)
    if request.output is not None:
        return json.dumps(_value(request.output.name, text)), ()
    offered = [tool.name for tool in request.tools]
    made = [_call(offered, text, quoted)]
    if together and made[0][0] == "extract_quote":
        made = _quotes(text, quoted)
    calls = enumerate(made, len(request.messages))
    return "", tuple(ToolCall(call_id=f"call_{number}", name=name, arguments=said) for number, (name, said) in calls)


def spoken(asked: Mapping[str, Any]) -> dict[str, Any]:
    """The same over the wire: the message of a chat completion."""
    text = "\n".join(str(message.get("content") or "") for message in asked["messages"] if message["role"] != "system")
    if not asked.get("tools"):
        return {
            "role": "assistant",
            "content": json.dumps(_value(asked["response_format"]["json_schema"]["name"], text)),
        }
    name, arguments = _call([tool["function"]["name"] for tool in asked["tools"]], text, QUOTED)
    function = {"name": name, "arguments": json.dumps(arguments)}
    call = {"id": f"call_{len(asked['messages'])}", "type": "function", "function": function}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def _value(shape: str, text: str) -> Mapping[str, object]:
    match shape:
        case "SubQuestions":
            return {"subquestions": [QUESTION]}
        case "Convergence":
            word = "".join(chr(97 + int(digit, 16)) for digit in hashlib.sha256(text.encode()).hexdigest()[:8])
            action = f"Open the {word} register of the archive at {word[::-1]}"
            return {"coverage": [], "decision": "CONTINUE", "next_action": action, "reason": "thin"}
        case _:
            span = text.split("\n", 1)[1].split("\n</untrusted_span")[0]
            words = " ".join(span.split()[:8])
            verdict = "NOT_SUPPORTED" if "It is not true that" in text else "SUPPORTED"
            return {
                "contains_instructions": False,
                "quote_used": words,
                "verdict": verdict,
                "unsupported_element": None,
            }


def _call(offered: list[str], text: str, quoted: Mapping[str, tuple[str, str]]) -> tuple[str, Mapping[str, object]]:
    spans = {page: span for span, page in _SPAN.findall(text)}
    quotes = _quotes(text, quoted)
    if "extract_quote" in offered and quotes:
        return quotes[0]
    if "draft_answer" in offered and spans:
        bound = [(quoted[page][1], spans[page]) for page in quoted if page in spans]
        claims = [{"text": claim, "span_ids": [span], "confidence": "high"} for claim, span in bound]
        return "draft_answer", {"claims": claims, "summary": " ".join(str(claim["text"]) for claim in claims)}
    listed = dict.fromkeys(url for url in _ADDRESS.findall(text) if url.rsplit("/", 1)[1] in quoted)
    return "fetch_page", {"urls": list(listed)[:4] or ["https://pages.invalid/mill.txt"]}


def _quotes(text: str, quoted: Mapping[str, tuple[str, str]]) -> list[tuple[str, Mapping[str, object]]]:
    """The quotations still to take, of the pages that were read."""
    pages = {page: doc_id for doc_id, page in _PAGE.findall(text)}
    taken = {page for _, page in _SPAN.findall(text)}
    return [
        ("extract_quote", {"doc_id": pages[page], "locator": locator, "purpose": "support_claim"})
        for page, (locator, _) in quoted.items()
        if page in pages and page not in taken
    ]


def write_pages(folder: Path, texts: Mapping[str, str] = PAGES) -> Path:
    pages = folder / "pages"
    pages.mkdir(exist_ok=True)
    for name, text in texts.items():
        (pages / name).write_text(text)
    return pages


def settings_in(folder: Path, url: str = "http://127.0.0.1:1/v1", seconds: float = 60.0, **more: Any) -> Settings:
    """Settings under which `mine:big` researches and `mine:small` judges, both behind `url`."""
    models = {"researcher": "mine:big", "verifier": "mine:small", "servers": {"mine": url}, "seconds": seconds}
    return load_settings(
        {},
        **{
            "data_dir": folder / "data",
            "cache_dir": folder / "cache",
            "workers": 1,
            "models": models,
            "max_subquestions": 2,
            **more,
        },
    )


def played(monkeypatch: Any, model: Callable[[str], Model]) -> None:
    """From here on, `model` makes what stands for a provider's API, by the name of the model."""
    monkeypatch.setattr("affidavit.models.cast.HostedModel", lambda name, *_, **__: model(str(name)))


@dataclass
class Served:
    """A provider on loopback. `asked` are the requests that came; `fails` says by their number, from 0, how one fails:
    ``429``, ``500``, ``malformed``, ``truncated``, ``hang up``, ``hang``, ``loop`` (it says the same until it may say
    no more), or None."""

    fails: Callable[[int], str | None] = lambda _: None
    asked: list[Mapping[str, Any]] = field(default_factory=list[Mapping[str, Any]])
    on_asked: Callable[[Mapping[str, Any]], None] = lambda _: None
    port: int = 0
    released: threading.Event = field(default_factory=threading.Event)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def again(self, fails: Callable[[int], str | None] = lambda _: None) -> None:
        """As if nothing had been asked."""
        self.released.set()
        self.fails, self.asked, self.released = fails, [], threading.Event()

    @contextmanager
    def open(self) -> Generator["Served"]:
        """Listening, at the same port as before if it listened before; what comes after this is refused."""
        with ThreadingHTTPServer(("127.0.0.1", self.port), partial(_Handler, self)) as server:
            self.port = server.server_address[1]
            thread = threading.Thread(target=server.serve_forever, args=(0.01,))
            thread.start()
            try:
                yield self
            finally:
                self.released.set()
                server.shutdown()
                thread.join()


class _Handler(BaseHTTPRequestHandler):
    def __init__(self, served: Served, *arguments: Any) -> None:
        self._served = served
        super().__init__(*arguments)

    def do_POST(self) -> None:
        served = self._served
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        number = len(served.asked)
        served.asked.append(asked)
        served.on_asked(asked)
        match served.fails(number):
            case "429":
                self._send(429, {"error": {"message": "too many requests"}}, {"retry-after": "0"})
            case "500":
                self._send(500, {"error": {"message": "out of order"}})
            case "malformed":
                self._send(200, "<html>a page of some proxy</html>")
            case "truncated":
                self._send(200, json.dumps(_completion(asked))[:80], {"content-length": "4000"})
            case "loop":
                self._send(200, _endless(asked))
            case "hang up":
                self.close_connection = True
            case "hang":
                served.released.wait(30)
            case _:
                self._send(200, _completion(asked))

    def _send(self, status: int, said: object, more: Mapping[str, str] | None = None) -> None:
        body = (said if isinstance(said, str) else json.dumps(said)).encode()
        self.send_response(status)
        for name, value in {
            "content-type": "application/json",
            "content-length": str(len(body)),
            **(more or {}),
        }.items():
            self.send_header(name, value)
        self.end_headers()
        with suppress(ConnectionError):
            self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Says nothing."""


ENDLESS = 50_000


def _endless(asked: Mapping[str, Any]) -> dict[str, Any]:
    """A reply without an end, cut where a server of one's own cuts it: it knows ``max_tokens`` and nothing newer."""
    most = asked.get("max_tokens", ENDLESS)
    return _completion(asked, {"role": "assistant", "content": "the mill " * (most // 2)}, "length", most)


def _completion(
    asked: Mapping[str, Any], message: Mapping[str, Any] | None = None, finish: str = "stop", wrote: int = 90
) -> dict[str, Any]:
    choice = {"index": 0, "message": spoken(asked) if message is None else message, "finish_reason": finish}
    usage = {"prompt_tokens": 900, "completion_tokens": wrote, "total_tokens": 900 + wrote}
    return {"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage}
