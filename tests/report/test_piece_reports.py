"""A piece in each of its formats: what is withheld shows nowhere as the piece, and nothing in it acts."""

import json
import re
from dataclasses import replace

import jsonschema
import pytest

from affidavit.errors import IntegrityError, UserError
from affidavit.evidence.piece import Issue, Origin, PackNote, Piece, PieceState, Review, Round
from affidavit.report.piece_json import piece_json, read_piece
from affidavit.report.piece_terminal import render_piece_terminal
from affidavit.report.piece_wording import BY_GRAVITY, CODES, STATES
from affidavit.report.pieces import PIECE_FORMATS, render_piece
from affidavit.report.schema import load_schema
from affidavit.report.schema_file import generate
from affidavit.write.checks import ADVISORY, BLOCKING

TEXT = (
    "# Hiring\n\nHarbour is *kind*. <script>alert(1)</script> [Home](https://h.example/) [bad](javascript:alert(1))\n\n"
    "![pixel](https://spy.example/p.png)\n"
)
HOSTILE = "\x1b]8;;https://evil.example\x07<b onclick=x>[x](javascript:alert(2))"


def issue(code="tone", *, blocks=False, message="Stiff.", sentence="Harbour is kind."):
    return Issue(code=code, message=message, sentence=sentence, blocks=blocks, origin=Origin.REVIEWER)


def piece(state=PieceState.ACCEPTED, issues=(), **fields):
    findings = tuple(one for one in issues if one.origin is Origin.CHECK)
    said = tuple(one for one in issues if one.origin is Origin.REVIEWER)
    review = Review(passed=not any(one.blocks for one in said), summary="Read.", issues=said)
    handed_out = state in (PieceState.ACCEPTED, PieceState.ACCEPTED_WITH_WARNINGS)
    given = {
        "run_id": "run_1",
        "customer": "Harbour",
        "title": "Hiring",
        "notes": "",
        "state": state,
        "rounds": (Round(draft=TEXT, findings=findings, review=review),),
        "text": TEXT if handed_out else None,
        "used": ("fact_1",),
        "writer": "a:b",
        "reviewer": "c:d",
        "prompt_sha256": "0" * 64,
        "pack": PackNote(
            sha256="1" * 64, tokens=900, budget=1800, tokenizer="t", facts=("fact_1",), cuts=(("source", "x"),)
        ),
    }
    return Piece(**{**given, **fields})


BLOCKED = piece(
    PieceState.NEEDS_ATTENTION, [issue("off_brief", blocks=True, message=f"Reason {n}.") for n in range(5)] + [issue()]
)
UNREVIEWED = piece(
    PieceState.NEEDS_ATTENTION,
    rounds=(Round(draft=TEXT, findings=(), review=Review(passed=False, summary="", failure="nobody answers")),),
    reason="the reviewer gave no verdict: nobody answers",
)
FAILED = piece(PieceState.FAILED, rounds=(), reason="nobody answers")
WARNED = piece(PieceState.ACCEPTED_WITH_WARNINGS, [issue()], warnings=("nobody reviewed this",))
ALL = [piece(), WARNED, BLOCKED, UNREVIEWED, FAILED, piece(pack=None, reviewer=None, prompt_sha256=None)]


@pytest.mark.parametrize("one", ALL, ids=lambda one: one.state.value)
def test_the_json_fits_the_schema_that_ships_and_is_read_back_whole(one):
    said = json.loads(json.dumps(piece_json(one)))
    jsonschema.validate(said, load_schema("piece"))
    assert read_piece(said) == one


def test_the_schema_that_ships_is_the_one_that_the_code_gives():
    assert load_schema("piece") == generate("piece")


def test_a_piece_that_did_not_pass_cannot_be_read_back_as_one_that_did():
    said = piece_json(BLOCKED) | {"state": "accepted", "text": TEXT}
    with pytest.raises(IntegrityError, match="did not pass"):
        read_piece(said)
    with pytest.raises(IntegrityError):
        read_piece({**piece_json(piece()), "kind": "answer"})


@pytest.mark.parametrize("output_format", PIECE_FORMATS)
def test_a_withheld_draft_is_shown_in_no_format_as_the_piece(output_format):
    shown = render_piece(BLOCKED, output_format)
    if output_format == "json":
        assert json.loads(shown)["text"] is None
        assert len(json.loads(shown)["reasons"]) == 3
    else:
        assert "alert(1)" not in shown
        words = " ".join(shown.split())
        assert "We did not hand this draft out: the reviewer found 5 faults." in words
        assert all(f"Reason {n}." in words for n in range(3))
        assert "Reason 3." not in words
        assert "and 2 more that block it" in words
    assert shown.endswith("\n")


@pytest.mark.parametrize("output_format", ["terminal", "md", "html"])
def test_nobody_who_could_review_is_told_apart_from_a_review_that_failed(output_format):
    words = " ".join(render_piece(UNREVIEWED, output_format).split())
    assert "an unavailable reviewer is not a passing one" in words
    assert "nobody answers" in words


def test_as_markdown_a_piece_is_its_own_text_and_nothing_else():
    assert render_piece(piece(), "md") == TEXT
    assert render_piece(WARNED, "md") == TEXT


def test_in_html_the_text_is_rendered_and_nothing_in_it_acts():
    shown = render_piece(piece(title=HOSTILE), "html")
    assert "<em>kind</em>" in shown
    assert 'href="https://h.example/"' in shown
    assert "&lt;script&gt;" in shown
    for bad in ("<script", "<img", 'javascript:alert(1)"', "onclick=x>[", "\x1b"):
        assert bad not in shown.replace("&lt;b onclick=x&gt;", "")
    assert re.search(r"default-src 'none'; style-src 'sha256-", shown)


def test_on_a_terminal_nothing_in_it_acts():
    bad = piece(
        PieceState.ACCEPTED_WITH_WARNINGS,
        [issue(message=HOSTILE, sentence=HOSTILE)],
        title=HOSTILE,
        warnings=(HOSTILE,),
    )
    assert "\x1b" not in render_piece_terminal(bad, drafts=True)


def test_every_draft_is_shown_where_somebody_asks():
    assert "alert(1)" in render_piece_terminal(BLOCKED, drafts=True)
    assert "affidavit pieces show run_1 --drafts" in render_piece_terminal(BLOCKED)


def found(code, start, end, *, blocks=True, message="Wrong."):
    return Issue(
        code=code, message=message, sentence="", blocks=blocks, origin=Origin.CHECK, start=start, end=end
    )  # fmt: skip


def test_who_wrote_the_draft_sees_all_that_was_found_in_it_with_its_line():
    draft = "# Hiring\n\n1 2 3 4\n5 6\n"
    issues = [found("figure_without_source", at, at + 1, message=f"At {at}.") for at in (10, 12, 14, 16, 18)]
    issues.append(found("rejected_figure", 20, 21))
    mine = piece(
        PieceState.NEEDS_ATTENTION, rounds=(Round(draft=draft, findings=tuple(issues), review=None),),
        writer=None, reviewer=None,
    )  # fmt: skip
    shown = render_piece_terminal(mine, file="draft.md")
    assert "out: the checks found 5 figures without a source and 1 rejected figure." in " ".join(shown.split())
    assert [line.strip() for line in shown.splitlines() if "draft.md:" in line] == ["draft.md:3"] * 4 + [
        "draft.md:4"
    ] * 2
    assert "more that block" not in shown
    assert "(line 4)" in render_piece(mine, "md")
    assert "<small>line 4</small>" in render_piece(mine, "html")
    assert "line 3" not in render_piece_terminal(replace(mine, writer="a:b"))


def test_what_may_be_untrue_is_told_before_what_is_unwelcome_and_once():
    issues = [
        found("repeated_figure", 1, 2, blocks=False, message="Again."),
        found("years_of_experience", 6, 9, blocks=False, message="Narrow."),
        found("years_of_experience", 4, 9, blocks=False, message="Wide."),
        found("years_of_experience", 4, 9, blocks=False, message="Wide again."),
        found("figure_bound", 3, 5, blocks=False, message="Reversed."),
    ]
    shown = render_piece_terminal(piece(PieceState.ACCEPTED_WITH_WARNINGS, issues))
    said = ["Reversed.", "Wide.", "Again."]
    assert [
        one for line in shown.splitlines() for one in (*said, "Narrow.", "Wide again.") if line.endswith(one)
    ] == said
    assert set(BY_GRAVITY) == set(CODES) - BLOCKING - {"prose_in_code", "empty_draft", "cut_off"}


def test_what_is_accepted_says_what_was_checked_and_who_read_the_rest():
    words = " ".join(render_piece_terminal(piece()).split())
    assert "Its figures, quotations and addresses were held against the approved facts" in words
    assert "read by c:d" in words
    assert "read by nobody" in " ".join(render_piece_terminal(piece(reviewer=None)).split())


def test_every_state_and_every_code_has_its_words():
    reviewer = {"generic_copy", "off_brief", "unsupported_claim", "repeated_idea", "tone", "needs_sources"}
    assert set(STATES) == set(PieceState)
    assert BLOCKING | ADVISORY | reviewer | {"prose_in_code", "empty_draft", "cut_off"} == set(CODES)


def test_a_format_that_is_not_known_says_which_are():
    with pytest.raises(UserError, match="known: terminal, md, html, json"):
        render_piece(piece(), "pdf")


def test_a_piece_with_three_rounds_is_none():
    one = piece()
    with pytest.raises(IntegrityError, match="2 are the most"):
        replace(one, rounds=one.rounds * 3)
