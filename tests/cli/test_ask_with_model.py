"""``affidavit ask`` with a model: a server on loopback plays the provider, everything else is real."""

import json
import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import jsonschema
import pytest

from affidavit.report.schema import load_schema

from .conftest import EXAMPLES, Command

QUESTION = "How often should a subscriber be reauthenticated at AAL1?"
LOCATOR = "At AAL1, reauthentication of the subscriber SHOULD be repeated"
SENTENCE = re.compile(r"At AAL1, reauthentication of the subscriber SHOULD be repeated[^.]*\.")


class Researcher(BaseHTTPRequestHandler):
    """Plans, fetches, quotes and drafts, whatever it was asked before: what it does next follows from the request."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        message = self.answer(asked, json.dumps(asked["messages"], ensure_ascii=False))
        said = {
            "id": "x",
            "object": "chat.completion",
            "created": 1,
            "model": "big",
            "choices": [{"index": 0, "message": {"role": "assistant", **message}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
        }
        body = json.dumps(said).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def answer(self, asked: dict[str, Any], text: str) -> dict[str, Any]:
        if not asked.get("tools"):
            if "coverage" in text:
                check = {"coverage": [], "decision": "CONTINUE", "next_action": "Open the deeds", "reason": "x"}
                return {"content": json.dumps(check)}
            return {"content": json.dumps({"subquestions": [QUESTION]})}
        page = re.search(r'doc_id=\\"(doc_\w+)\\" source=\\"[^"]*sec4_aal.html', text)
        span = re.search(r'<untrusted_span id=\\"(span_[0-9a-f]{16})', text)
        sentence = SENTENCE.search(text, span.end()) if span else None
        if span and sentence:
            claim = {"text": sentence[0], "span_ids": [span[1]], "confidence": "high"}
            made = {"name": "draft_answer", "arguments": {"claims": [claim], "summary": sentence[0]}}
        elif page:
            quote = {"doc_id": page[1], "locator": LOCATOR, "purpose": "support_claim", "max_chars": 300}
            made = {"name": "extract_quote", "arguments": quote}
        else:
            url = "https://pages.nist.gov/800-63-3/sp800-63b/sec4_aal.html"
            made = {"name": "fetch_page", "arguments": {"urls": [url]}}
        function = {"name": made["name"], "arguments": json.dumps(made["arguments"])}
        return {"content": None, "tool_calls": [{"id": "c1", "type": "function", "function": function}]}

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def provider() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Researcher) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
        server.shutdown()
        thread.join()


@pytest.fixture
def staffed(over_examples: Callable[[], Command], provider: str) -> Command:
    return replace(over_examples(), env={"AFFIDAVIT_MODELS__SERVERS__MINE": provider})


def test_a_run_with_a_model_publishes_and_follows_again_from_its_record(staffed: Command):
    ran = staffed("ask", QUESTION, "--web", str(EXAMPLES), "--model", "researcher=mine:big", "--json")
    assert ran.status == 0, ran.out + ran.err
    answer = json.loads(ran.out)
    jsonschema.validate(answer, load_schema("answer"))
    (claim,) = answer["claims"]
    assert SENTENCE.fullmatch(claim["text"])
    assert answer["verifier"]["name"] == "embedded"
    assert answer["budget"]["tool_calls"] == {"used": 3, "limit": 40}
    replayed = staffed("runs", "replay", answer["run_id"])
    assert replayed.status == 0, replayed.out + replayed.err


def test_keyless_asks_no_model_though_the_settings_name_one(staffed: Command):
    staffed.env["AFFIDAVIT_MODELS__RESEARCHER"] = "mine:big"
    ran = staffed("ask", QUESTION, "--web", str(EXAMPLES), "--keyless", "--json")
    assert ran.status == 0, ran.err
    assert json.loads(ran.out)["verifier"]["name"] == "verbatim"


def test_the_writers_model_does_not_judge_unless_somebody_insists(staffed: Command):
    both = ("--model", "researcher=mine:big", "--model", "verifier=mine:big")
    ran = staffed("ask", QUESTION, "--web", str(EXAMPLES), *both, "--json")
    assert ran.status == 64
    assert "would research and judge its own claims" in ran.err
    staffed.env["AFFIDAVIT_MODELS__VERIFY_OWN"] = "true"
    insisted = staffed("ask", QUESTION, "--web", str(EXAMPLES), *both, "--json")
    assert any("also judged them" in warning for warning in json.loads(insisted.out)["warnings"])


def test_an_estimate_says_what_it_will_take_and_begins_nothing(affidavit: Command):
    ran = affidavit(
        "ask", QUESTION, "--web", str(EXAMPLES), "--model", "researcher=openai:gpt-5", "--max-usd", "0.25", "--estimate"
    )
    assert ran.status == 0, ran.err
    assert "researcher: openai:gpt-5, about" in ran.out
    assert "at most $0.2500" in ran.out
    assert "No runs yet" in affidavit("runs", "list").out


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--model", "researcher"), "write ROLE=PROVIDER:NAME"),
        (("--model", "poet=openai:gpt-5"), "the role one of researcher"),
        (("--model", "researcher=mine:big", "--keyless"), "leave one out"),
        (("--max-usd", "much"), "an amount in US dollars"),
        (("--estimate",), "uses no model"),
    ],
)
def test_options_that_cannot_be_meant_say_what_to_write(affidavit: Command, options, says):
    ran = affidavit("ask", QUESTION, "--web", str(EXAMPLES), *options)
    assert ran.status == 64
    assert says in ran.err
