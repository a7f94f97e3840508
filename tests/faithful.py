"""A model that does its work, and whole runs with it: real house, search, pages, verifier guards, ledger and replay.

What it says next follows from the request alone, so a run may be cut off anywhere, resumed, replayed, or be one of two
hundred. It stands where a provider's API would, below the retries, the accounts and the record.
"""

import asyncio
import json
import re
from collections.abc import Callable, Mapping
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
    """Plans, reads two pages, quotes both, drafts two claims; says of each pair that it is supported."""

    def __init__(self, name: str = "mine:big", before: Before | None = None) -> None:
        self.name = name
        self.requests: list[ModelRequest] = []
        self._before = before

    async def complete(self, request: ModelRequest) -> ModelReply:
        self.requests.append(request)
        waiting = self._before(request) if self._before is not None else asyncio.sleep(0)
        if waiting is not None:
            await waiting
        text, calls = answer_to(request)
        usage = Usage(input=900, output=90)
        finish = Finish.TOOL_CALL if calls else Finish.STOP
        return ModelReply(text=text, calls=calls, usage=usage, finish=finish, model="big", latency=0.0)

    def hold(self) -> None:
        """As a provider's connection: there is none."""

    async def aclose(self) -> None:
        """As a provider's connection: there is none."""


def answer_to(request: ModelRequest) -> tuple[str, tuple[ToolCall, ...]]:
    """What the model says, and what it calls."""
    text = "\n".join(str(message_json(message)["text"]) for message in request.messages)
    if request.output is not None:
        return json.dumps(_value(request.output.name, text)), ()
    name, arguments = _call([tool.name for tool in request.tools], text)
    return "", (ToolCall(call_id=f"call_{len(request.messages)}", name=name, arguments=arguments),)


def _value(shape: str, text: str) -> Mapping[str, object]:
    match shape:
        case "SubQuestions":
            return {"subquestions": [QUESTION]}
        case "Convergence":
            action = f"Open the deeds number {len(text)} of the register of mills"
            return {"coverage": [], "decision": "CONTINUE", "next_action": action, "reason": "thin"}
        case _:
            span = text.split("\n", 1)[1].split("\n</untrusted_span")[0]
            words = " ".join(span.split()[:8])
            said: dict[str, object] = {"contains_instructions": False, "quote_used": words}
            return said | {"verdict": "SUPPORTED", "unsupported_element": None}


def _call(offered: list[str], text: str) -> tuple[str, Mapping[str, object]]:
    spans = {page: span for span, page in _SPAN.findall(text)}
    pages = {page: doc_id for doc_id, page in _PAGE.findall(text)}
    missing = [page for page in QUOTED if page in pages and page not in spans]
    if "extract_quote" in offered and missing:
        found = {"doc_id": pages[missing[0]], "locator": QUOTED[missing[0]][0], "purpose": "support_claim"}
        return "extract_quote", found
    if "draft_answer" in offered and spans:
        bound = [(QUOTED[page][1], spans[page]) for page in QUOTED if page in spans]
        claims = [{"text": claim, "span_ids": [span], "confidence": "high"} for claim, span in bound]
        return "draft_answer", {"claims": claims, "summary": " ".join(str(claim["text"]) for claim in claims)}
    listed = dict.fromkeys(url for url in _ADDRESS.findall(text) if url.rsplit("/", 1)[1] in QUOTED)
    return "fetch_page", {"urls": list(listed) or ["https://pages.invalid/mill.txt"]}


def write_pages(folder: Path) -> Path:
    pages = folder / "pages"
    pages.mkdir(exist_ok=True)
    for name, text in PAGES.items():
        (pages / name).write_text(text)
    return pages


def settings_in(folder: Path, **more: Any) -> Settings:
    """Settings under which `mine:big` researches, and what is a `Faithful` judges as `mine:small`."""
    models = {"researcher": "mine:big", "verifier": "mine:small", "servers": {"mine": "http://127.0.0.1:1/v1"}}
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
