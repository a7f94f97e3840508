"""``affidavit write`` and ``affidavit pieces``: a server on loopback plays the models, everything else is real."""

import asyncio
import json
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from affidavit import public
from affidavit.errors import UserError
from affidavit.evidence.fact import Category
from affidavit.evidence.piece import PieceState
from affidavit.facts import decide
from affidavit.facts.store import Registers
from affidavit.ledger import Ledger
from affidavit.report.schema import load_schema

from .conftest import Command

GOOD = "# Hiring in many countries\n\nHarbour has offices in 45 countries.\n"
BAD = "# Hiring in many countries\n\nHarbour has 77 ships and 800 staff.\n"
NOTHING = {"issues": [], "summary": "Nothing.", "passed": True}


class Models(BaseHTTPRequestHandler):
    """Two models: ``writer`` gives the drafts of the server in turn, the last one again and again; ``reviewer`` its
    verdict. ``broken`` gives an error."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.asked.append(asked)  # pyright: ignore[reportAttributeAccessIssue]
        if asked["model"] == "broken":
            self._send(400, {"error": {"message": "no such model"}})
            return
        drafts: list[str] = self.server.drafts  # pyright: ignore[reportAttributeAccessIssue]
        verdict = json.dumps(self.server.verdict)  # pyright: ignore[reportAttributeAccessIssue]
        said = verdict if asked["model"] == "reviewer" else drafts.pop(0) if len(drafts) > 1 else drafts[0]
        choice = {"index": 0, "message": {"role": "assistant", "content": said}, "finish_reason": "stop"}
        usage = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
        self._send(200, {"id": "x", "object": "chat.completion", "created": 1, "model": asked["model"],
                         "choices": [choice], "usage": usage})  # fmt: skip

    def _send(self, status: int, said: Any) -> None:
        body = json.dumps(said).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Any]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Models) as server:
        server.asked, server.drafts, server.verdict = [], [GOOD], NOTHING  # pyright: ignore
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def add(home: Path, text: str, subject: str, value: str, *, rejected: bool = False, note: str | None = None) -> None:
    who = decide.Who.named("Ann", datetime.now(UTC))
    fact = decide.written(
        "Harbour", text=text, category=Category.NUMBERS, subject=subject, value=value, scope_note=note, owner=None,
        expires=None, who=who,
    )  # fmt: skip
    with Ledger.open(home / "data" / "ledger.sqlite", blobs=home / "data" / "blobs") as ledger:
        registers = Registers(ledger)
        registers.decide("Harbour", "Ann", lambda now: decide.add(now, fact, who))
        if rejected:
            registers.decide("Harbour", "Ann", lambda now: decide.reject(now, [fact.fact_id], who))


@pytest.fixture
def harbour(affidavit: Command) -> Command:
    (affidavit.home / "data").mkdir()
    add(affidavit.home, "Harbour has offices in 45 countries.", "offices", "45", note="offices of its own")
    add(affidavit.home, "Harbour has 800 staff.", "staff", "800", rejected=True)
    (affidavit.home / "good.md").write_text(GOOD)
    (affidavit.home / "bad.md").write_text(BAD)
    return affidavit


@pytest.fixture
def staffed(harbour: Command, server: Any) -> Command:
    harbour.env = {
        "AFFIDAVIT_MODELS__SERVERS__MINE": f"http://127.0.0.1:{server.server_address[1]}/v1",
        "AFFIDAVIT_MODELS__WRITER": "mine:writer",
        "AFFIDAVIT_MODELS__REVIEWER": "mine:reviewer",
    }
    return harbour


WRITE = ("write", "--customer", "harbour", "--title", "Hiring in many countries", "--notes", "Where are we?")


def test_a_piece_is_written_recorded_listed_and_follows_again_from_its_record(staffed: Command, server: Any):
    server.drafts = [BAD, GOOD]
    ran = staffed(*WRITE, "--json", "-q")
    assert ran.status == 0, ran.err
    piece = json.loads(ran.out)
    jsonschema.validate(piece, load_schema("piece"))
    assert (piece["state"], piece["text"], len(piece["rounds"])) == ("accepted", GOOD.strip(), 2)
    assert [issue["code"] for issue in piece["rounds"][0]["findings"]] == ["figure_without_source", "rejected_figure"]
    assert piece["cost"]["writer"]["calls"] == 2
    assert piece["used"] == piece["pack"]["facts"]
    replayed = staffed("runs", "replay", piece["run_id"])
    assert replayed.status == 0, replayed.out
    assert "round (2)" in replayed.out
    assert json.loads(staffed("pieces", "show", piece["run_id"], "--json").out) == piece
    (row,) = json.loads(staffed("pieces", "list", "--json").out)
    assert (row["run_id"], row["customer"], row["rounds"]) == (piece["run_id"], "Harbour", 2)
    assert f"{datetime.fromisoformat(row['written_at']).astimezone():%Y-%m-%d %H:%M}" in staffed("pieces", "list").out


def test_a_replay_needs_no_model_and_sees_what_was_changed(staffed: Command, server: Any):
    staffed.env |= {"AFFIDAVIT_MODELS__CONTEXT_TOKENS": "4096"}
    run_id = json.loads(staffed(*WRITE, "--json", "-q").out)["run_id"]
    asked = len(server.asked)
    assert server.asked[0]["max_tokens"] < 4096, "else the limit did not reach the writer"
    staffed.env = {}
    assert staffed("runs", "replay", run_id).status == 0
    assert len(server.asked) == asked


def test_a_prompt_of_ones_own_reaches_the_model_byte_for_byte(staffed: Command, server: Any):
    prompt = "You write.\r\n\r\n{{title}} – “so”\n\n"
    (staffed.home / "prompt.md").write_bytes(prompt.encode())
    (staffed.home / "harbour.toml").write_text('name = "Harbour"\ntone = "plain"\nvoice_sample = "We like the sea."\n')
    ran = staffed(*WRITE, "--prompt", "prompt.md", "--profile", "harbour.toml", "--max-words", "300", "-q")
    assert ran.status == 0, ran.err
    system, user = server.asked[0]["messages"]
    assert system["content"] == prompt
    assert user["content"].startswith("# Approved facts\n")
    assert "Harbour has offices in 45 countries. (offices of its own)" in user["content"]
    assert user["content"].endswith("Business: Harbour\nTone: plain\nLength: at most 300 words")
    assert "We like the sea." in user["content"]


def test_a_withheld_piece_says_why_and_is_no_markdown_file(staffed: Command, server: Any):
    server.drafts = [BAD]
    ran = staffed(*WRITE, "--out", "piece.md", "-q")
    assert ran.status == 1
    assert "Withheld. We did not hand this draft out" in ran.out
    assert "A figure without a source." in ran.out
    assert "A rejected figure." in ran.out
    assert "# Hiring" not in ran.out
    assert "was not written: the piece is withheld" in ran.err
    assert not (staffed.home / "piece.md").exists()
    run_id = json.loads(staffed("pieces", "list", "--json").out)[0]["run_id"]
    assert staffed("pieces", "export", run_id, "--out", "again.md").status == 1
    assert staffed("pieces", "export", run_id, "--out", "again.html").status == 0
    assert "77 ships and 800 staff." in staffed("pieces", "show", run_id, "--drafts").out


def test_a_reviewer_that_cannot_be_had_is_could_not_check(staffed: Command):
    ran = staffed(*WRITE, "--model", "reviewer=mine:broken", "-q")
    assert ran.status == 2
    assert "an unavailable reviewer is not a passing one" in " ".join(ran.out.split())


def test_money_stops_a_run_and_the_replay_stops_there_too(staffed: Command):
    (staffed.home / "prices.toml").write_text('[[price]]\nmodel = "mine:*"\ninput = 1\noutput = 1\nsource = "own"\n')
    ran = staffed(*WRITE, "--max-usd", "0.00001", "--json", "-q")
    assert ran.status == 3, ran.err
    piece = json.loads(ran.out)
    assert piece["state"] == "failed"
    assert staffed("runs", "replay", piece["run_id"]).status == 0


def test_a_writer_that_cannot_be_had_is_a_failed_run(staffed: Command):
    ran = staffed(*WRITE, "--model", "writer=mine:broken", "-q")
    assert ran.status == 3
    assert "Failed. No piece was written" in " ".join(ran.out.split())


def test_a_reviewer_may_block_what_the_checks_let_pass(staffed: Command, server: Any):
    issue = {"code": "generic_copy", "severity": "block", "sentence": "Harbour has offices", "reason": "Anybody's."}
    server.verdict = {"issues": [issue], "summary": "No.", "passed": False}
    ran = staffed(*WRITE, "-q")
    assert ran.status == 1
    assert "Could be anybody's. Anybody's." in ran.out


def test_an_accepted_piece_is_what_the_next_may_not_repeat(staffed: Command, server: Any):
    assert staffed(*WRITE, "-q").status == 0
    ran = staffed("write", "--customer", "Harbour", "--title", "Another", "--json", "-q")
    piece = json.loads(ran.out)
    assert piece["state"] == "accepted_with_warnings"
    assert {issue["code"] for issue in piece["rounds"][0]["findings"]} >= {"reused_statistic"}
    assert piece["pack"]["recalled"]
    assert "Statistics already used" in server.asked[2]["messages"][1]["content"]


def test_without_a_model_a_draft_is_held_to_the_facts(harbour: Command):
    ran = harbour("write", "--customer", "Harbour", "--draft", "good.md", "--out", "out.md")
    assert ran.status == 0, ran.err
    assert "nobody reviewed this draft" in ran.out
    assert (harbour.home / "out.md").read_text() == GOOD
    assert harbour("write", "--customer", "Harbour", "--draft", "bad.md").status == 1
    assert harbour("write", "--customer", "Harbour", "--draft", "-", "--json", stdin=GOOD).status == 0


def test_keyless_asks_no_reviewer_though_the_settings_name_one(staffed: Command, server: Any):
    ran = staffed("write", "--customer", "Harbour", "--draft", "good.md", "--keyless", "--json")
    assert json.loads(ran.out)["reviewer"] is None
    assert server.asked == []
    assert json.loads(staffed("write", "--customer", "Harbour", "--draft", "good.md", "--json").out)["reviewer"]


def test_a_model_does_not_review_what_it_wrote_unless_somebody_insists(staffed: Command, server: Any):
    one = ("--model", "reviewer=mine:writer")
    ran = staffed(*WRITE, *one, "-q")
    assert ran.status == 64
    assert "would review what it wrote itself" in ran.err
    assert server.asked == []
    staffed.env["AFFIDAVIT_MODELS__VERIFY_OWN"] = "true"
    server.drafts = [GOOD, json.dumps(NOTHING)]
    piece = json.loads(staffed(*WRITE, *one, "--json", "-q").out)
    assert piece["warnings"] == ["mine:writer reviewed what it wrote itself"]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--title", "T"), "no model is named to write"),
        (("--title", "T", "--model", "writer=openai:gpt-5"), "no model is named to review"),
        (("--draft", "none.md"), "cannot be read"),
        (("--draft", "good.md", "--prompt", "good.md"), "leave one out"),
        (("--draft", "notes.txt"), "--title is missing"),
        (("--draft", "empty.md"), "empty.md: the draft is empty"),
        (("--title", "T", "--keyless"), "add --draft FILE"),
        (("--draft", "good.md", "--profile", "good.md"), "not valid TOML"),
        (("--draft", "good.md", "--format", "pdf"), "known: terminal, md, html, json"),
        (("--draft", "good.md", "--json", "--format", "md"), "two different things"),
        (("--draft", "good.md", "--out", "good.md"), "is one of the files read"),
        (("--draft", "good.md", "--notes", "a", "--notes-file", "good.md"), "leave one out"),
        (("--draft", "page.html"), "a draft is Markdown or plain text"),
        (("--draft", "latin.md", "--title", "T"), "not UTF-8"),
    ],
)
def test_options_that_cannot_be_meant_say_what_to_write(harbour: Command, options, says):
    (harbour.home / "notes.txt").write_text("No heading here.")
    (harbour.home / "empty.md").write_text(" \n")
    (harbour.home / "page.html").write_text("<p>x</p>")
    (harbour.home / "latin.md").write_bytes(b"Caf\xe9")
    ran = harbour("write", "--customer", "Harbour", *options)
    assert ran.status == 64, ran.out
    assert says in ran.err


def test_a_customer_without_a_register_is_told_how_to_make_one(affidavit: Command):
    (affidavit.home / "good.md").write_text(GOOD)
    ran = affidavit("write", "--customer", "Quay", "--draft", "good.md")
    assert ran.status == 64
    assert "no register of Quay" in ran.err


def test_earlier_pieces_are_imported_from_a_folder_and_a_feed(harbour: Command):
    old = harbour.home / "old"
    old.mkdir()
    line = "Harbour has placed people on 45 quays, which is a long way to go for anybody."
    (old / "a.md").write_text(f"# Older\n\n{line}\n")
    (old / "b.html").write_text(
        f"<html><title>Page</title><main><h1>Page</h1><p>The bay is calm. {line}</p></main></html>"
    )
    (old / "c.txt").write_text("We walk the quay twice a day and talk to everybody whom we meet on it.\n")
    (old / "d.xyz").write_bytes(b"\x00\x01")
    feed = f"<rss><channel><item><title>Fed</title><link>https://h.example/fed</link><description>{line}</description></item></channel></rss>"
    (harbour.home / "feed.xml").write_text(feed)
    ran = harbour("pieces", "import", "old", "feed.xml", "--customer", "Harbour", "--json")
    found = json.loads(ran.out)
    assert {row["title"] for row in found["new"]} >= {"Older", "Page", "Fed"}
    assert next(row["url"] for row in found["new"] if row["title"] == "Fed") == "https://h.example/fed"
    again = json.loads(harbour("pieces", "import", "old", "feed.xml", "--customer", "harbour", "--json").out)
    assert (again["new"], again["known"]) == ([], len(found["new"]))
    (harbour.home / "new.md").write_text(f"# New\n\n{line}\n")
    piece = json.loads(harbour("write", "--customer", "Harbour", "--draft", "new.md", "--json").out)
    reused = [one for one in piece["rounds"][0]["findings"] if one["code"] == "reused_sentence"]
    assert "Fed" in reused[0]["message"] or "Older" in reused[0]["message"] or "Page" in reused[0]["message"]


def test_what_cannot_be_imported_says_so(harbour: Command):
    (harbour.home / "empty").mkdir()
    (harbour.home / "bad.xml").write_text("<rss><channel></rss>")
    for files, says in (("none", "no such file"), ("empty", "nothing could be imported"), ("bad.xml", "no XML")):
        ran = harbour("pieces", "import", files, "--customer", "Harbour")
        assert ran.status == 64
        assert says in ran.err


def test_a_run_of_another_kind_is_no_piece(harbour: Command):
    harbour("check", "good.md", "--source", "bad.md")
    run_id = json.loads(harbour("runs", "list", "--json").out)[0]["run_id"]
    ran = harbour("pieces", "show", run_id)
    assert ran.status == 64
    assert "is a check" in ran.err


def test_python_programs_get_the_piece_itself(harbour: Command):
    where = {"data_dir": harbour.home / "data", "cache_dir": harbour.home / "cache"}
    piece = public.write("Harbour", title="Hiring", draft=GOOD, profile={"name": "Harbour"}, **where)
    assert (piece.state, piece.text) == (PieceState.ACCEPTED, GOOD)
    withheld = public.write("Harbour", title="Hiring", draft=harbour.home / "bad.md", **where)
    assert [issue.code for issue in withheld.blocking()] == ["figure_without_source", "rejected_figure"]


def test_python_programs_are_told_what_cannot_be_meant(harbour: Command):
    where = {"data_dir": harbour.home / "data", "cache_dir": harbour.home / "cache"}
    with pytest.raises(UserError, match="title is empty"):
        public.write("Harbour", title=" ", draft=GOOD, **where)
    with pytest.raises(UserError, match="one word at least"):
        public.write("Harbour", title="T", draft=GOOD, max_words=0, **where)
    with pytest.raises(UserError, match="unknown key 'tones'; did you mean 'tone'"):
        public.write("Harbour", title="T", draft=GOOD, profile={"name": "Harbour", "tones": "x"}, **where)
    with pytest.raises(UserError, match="no model is named to write"):
        public.write("Harbour", title="T", **where)


def test_a_program_with_an_event_loop_awaits_the_piece(harbour: Command):
    async def go():
        where = {"data_dir": harbour.home / "data", "cache_dir": harbour.home / "cache"}
        with pytest.raises(UserError, match=r"await affidavit\.awrite"):
            public.write("Harbour", title="T", draft=GOOD, **where)
        return await public.awrite("Harbour", title="T", draft=GOOD, **where)

    assert asyncio.run(go()).state is PieceState.ACCEPTED
