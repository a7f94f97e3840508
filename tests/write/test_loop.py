"""Draft, checks, review, one rewrite: every state, every code, and what is recorded whatever happens."""

import asyncio
from dataclasses import replace

import pytest

from affidavit.evidence.piece import Origin, Piece, PieceState
from affidavit.ledger import Ledger
from affidavit.models.reply import Finish
from affidavit.models.scripted import said
from affidavit.write.checks import ADVISORY, BLOCKING
from affidavit.write.loop import DRAFT, PACK, ROUND, write_piece
from affidavit.write.memory import Memory, recall_markdown

GOOD = "# Hiring in many countries\n\nHarbour has offices in 45 countries."
INVENTED = "# Hiring in many countries\n\nHarbour has 77 ships."


def written(commission, bench) -> Piece:
    return asyncio.run(write_piece(commission, bench.desk))


def test_a_clean_draft_is_accepted_in_one_round(commission, bench, review):
    desk = bench([GOOD], [review()])
    piece = written(commission(), desk)
    assert (piece.state, piece.text, len(piece.rounds)) == (PieceState.ACCEPTED, GOOD, 1)
    assert (piece.writer, piece.reviewer) == ("script:writer", "script:reviewer")
    assert piece.used == ("fact_0001",)
    assert [name for name, _ in desk.log.events] == [PACK, DRAFT, ROUND]


def test_a_warning_does_not_withhold_and_costs_no_rewrite(commission, bench, review):
    desk = bench([GOOD], [review(("tone", "warn", "Harbour has offices", "stiff"))])
    piece = written(commission(), desk)
    assert (piece.state, len(piece.rounds)) == (PieceState.ACCEPTED_WITH_WARNINGS, 1)
    assert piece.text == GOOD


def test_what_blocks_is_rewritten_once_and_then_handed_out(commission, bench, review):
    desk = bench([INVENTED, GOOD], [review(), review()])
    piece = written(commission(), desk)
    assert piece.state is PieceState.ACCEPTED
    assert [one.draft for one in piece.rounds] == [INVENTED, GOOD]
    desk.writer.finish()
    desk.reviewer.finish()


def test_what_blocks_twice_is_withheld_and_says_why(commission, bench, review):
    desk = bench([INVENTED, INVENTED], [review(), review()])
    piece = written(commission(), desk)
    assert (piece.state, piece.text) == (PieceState.NEEDS_ATTENTION, None)
    assert [issue.code for issue in piece.blocking()] == ["figure_without_source"]
    assert len(desk.writer.requests) == 2


def test_there_is_no_third_round(commission, bench, review):
    blocked = review(("off_brief", "block", "Harbour has offices", "says nothing of where"))
    desk = bench([GOOD] * 2, [blocked] * 2)
    assert written(commission(), desk).state is PieceState.NEEDS_ATTENTION


def test_a_reviewer_that_fails_twice_is_no_pass(commission, bench, fails):
    desk = bench([GOOD], [fails("script:reviewer"), fails("script:reviewer")])
    piece = written(commission(), desk)
    assert (piece.state, piece.text, len(piece.rounds)) == (PieceState.NEEDS_ATTENTION, None, 1)
    assert "the reviewer gave no verdict" in (piece.reason or "")
    assert not piece.blocking()


def test_a_reviewer_that_fails_once_is_asked_again(commission, bench, review, fails):
    desk = bench([GOOD], [fails("script:reviewer"), review()])
    assert written(commission(), desk).state is PieceState.ACCEPTED


def test_a_reviewer_that_gives_no_verdict_after_all_repairs_is_no_pass(commission, bench):
    desk = bench([GOOD], [said("It is fine.")] * 6)
    assert written(commission(), desk).state is PieceState.NEEDS_ATTENTION


def test_a_writer_that_fails_is_a_failed_piece(commission, bench, review, fails):
    desk = bench([fails("script:writer")], [])
    piece = written(commission(), desk)
    assert (piece.state, piece.text, piece.rounds) == (PieceState.FAILED, None, ())
    assert "nobody answers" in (piece.reason or "")


def test_a_writer_that_fails_at_the_rewrite_leaves_the_first_round(commission, bench, review, fails):
    desk = bench([INVENTED, fails("script:writer")], [review()])
    piece = written(commission(), desk)
    assert (piece.state, len(piece.rounds)) == (PieceState.FAILED, 1)
    assert len(desk.log.of(ROUND)) == 1


def test_a_draft_that_was_cut_off_is_not_handed_out(commission, bench, review):
    desk = bench([said(GOOD, finish=Finish.LENGTH)] * 2, [review()] * 2)
    piece = written(commission(), desk)
    assert {issue.code for issue in piece.blocking()} == {"cut_off"}


def test_an_empty_draft_is_reviewed_by_nobody_and_not_handed_out(commission, bench):
    piece = written(commission(), bench([" ", "\n"], []))
    assert [issue.code for issue in piece.blocking()] == ["empty_draft"]


def test_a_persons_draft_is_checked_once_and_said_to_be_unreviewed(commission, bench):
    piece = written(commission(draft=GOOD), bench(None, None))
    assert (piece.state, piece.writer, piece.reviewer) == (PieceState.ACCEPTED, None, None)
    assert "nobody reviewed this draft" in piece.warnings[0]
    bad = written(commission(draft=INVENTED), bench(None, None))
    assert (bad.state, len(bad.rounds)) == (PieceState.NEEDS_ATTENTION, 1)


def test_a_persons_draft_may_be_reviewed(commission, bench, review):
    blocked = review(("unsupported_claim", "block", "Harbour has offices", "no fact says so"))
    piece = written(commission(draft=GOOD), bench(None, [blocked]))
    assert (piece.state, piece.reviewer) == (PieceState.NEEDS_ATTENTION, "script:reviewer")


def test_somebody_writes_and_not_two(commission, bench):
    with pytest.raises(ValueError, match="not both"):
        written(commission(draft=GOOD), bench([GOOD], None))
    with pytest.raises(ValueError, match="not both"):
        written(commission(), bench(None, None))


def test_a_model_that_reviews_its_own_draft_is_said_to(commission, bench, review):
    desk = bench([GOOD], [review()])
    desk.reviewer.name = "script:writer"
    assert written(commission(), desk).warnings == ("script:writer reviewed what it wrote itself",)


OLD = recall_markdown(
    "Older",
    "Harbour has offices in 45 countries. The sea has been good to all of us for a very long time.",
)
CASES = {
    "figure_without_source": "Harbour has 77 ships.",
    "rejected_figure": "Harbour has 800 staff.",
    "subject_mismatch": "Harbour has offices in 91 countries.",
    "figure_bound": "Harbour has offices in over 45 countries.",
    "years_of_experience": "Harbour has 48 years of experience.",
    "count_without_source": "Three ferries lie in the bay.",
    "repeated_figure": "Harbour has offices in 45 countries.\n\nThose offices in 45 countries are open.",
    "reused_statistic": "Harbour has offices in 45 countries today.",
    "reused_sentence": "The sea has been good to all of us for a very long time.",
    "name_without_source": "Harbour is certified to ISO 9001.",
    "contact_without_source": "Write to the harbour master at pier@harbour.example.",
    "quotation_not_found": "“We never sleep at sea,” says the harbour master.",
    "over_length": "Harbour is a firm of the coast. " * 9,
}


@pytest.mark.parametrize("code", sorted(CASES))
def test_every_code_of_the_checks_reaches_the_round(code, commission, bench):
    memory = Memory.of([OLD]) if code.startswith("reused") else Memory()
    piece = written(commission(draft=f"# T\n\n{CASES[code]}", memory=memory, max_words=40), bench(None, None))
    found = {issue.code: issue for issue in piece.rounds[0].findings}
    assert code in found, found
    assert found[code].blocks == (code in BLOCKING)
    assert found[code].origin is Origin.CHECK
    assert (piece.text is None) == any(issue.blocks for issue in found.values())


def test_the_cases_are_all_codes_that_there_are():
    assert set(CASES) | {"quotation_altered", "quotation_misattributed"} == BLOCKING | ADVISORY


@pytest.mark.parametrize("code", ["generic_copy", "off_brief", "unsupported_claim", "repeated_idea", "tone"])
@pytest.mark.parametrize("severity", ["block", "warn"])
def test_every_code_of_the_reviewer_blocks_or_warns_as_it_says(code, severity, commission, bench, review):
    found = review((code, severity, "Harbour has offices", "so it is"))
    piece = written(commission(), bench([GOOD] * 2, [found] * 2))
    expected = PieceState.NEEDS_ATTENTION if severity == "block" else PieceState.ACCEPTED_WITH_WARNINGS
    assert (piece.state, piece.rounds[-1].issues[0].code) == (expected, code)


def test_sources_that_are_missing_only_ever_warn(commission, bench, review):
    found = review(("needs_sources", "block", "Harbour has offices", "the notes want a share"), passed=True)
    assert written(commission(), bench([GOOD], [found])).state is PieceState.ACCEPTED_WITH_WARNINGS


def test_the_rewrite_gets_the_issues_of_checks_and_reviewer(commission, bench, review):
    found = review(("generic_copy", "warn", "Harbour has 77 ships", "anybody could say it"))
    desk = bench([INVENTED, GOOD], [found, review()])
    written(commission(), desk)
    asked = desk.writer.requests[1].messages[0].text
    assert "[figure_without_source]" in asked
    assert "[generic_copy] anybody could say it" in asked


def test_every_round_is_on_the_disk_when_the_caller_fails(tmp_path, commission, bench, review):
    class Gone(Exception):
        pass

    def stop(_):
        raise Gone

    desk = bench([INVENTED, stop], [review()]).desk
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        log = ledger.begin("write", "T", {})
        with pytest.raises(Gone), log:
            asyncio.run(write_piece(commission(), replace(desk, log=log)))
        run_id = log.run_id
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        events = {event.type: event.payload for event in ledger.events(run_id)}
        ledger.verify(run_id)
    assert events["draft"]["text"] == INVENTED
    assert events["round"]["findings"][0]["code"] == "figure_without_source"
    assert events["run.finished"]["state"] == "failed"


def test_a_round_says_what_it_took(commission, bench, review):
    desk = bench([GOOD], [review()])
    written(commission(), desk)
    (found,) = desk.log.of(ROUND)
    assert found["used"]["writer"] == {"model": "script", "input": 10, "output": 5, "seconds": 0.0}
    (pack,) = desk.log.of(PACK)
    assert pack["note"].tokenizer == "words"
    assert pack["note"].facts == ("fact_0001", "fact_0002", "fact_0003")


def test_a_figure_of_a_scope_note_is_no_figure_that_may_be_used(commission, bench, register, fact):
    noted = fact(
        9, "Harbour has 12 docks.", "docks", "12", scope_note="docks; the yards, of which there are 77, are let"
    )
    draft = "# T\n\nHarbour has 77 yards."
    piece = written(
        commission(draft=draft, register=replace(register, facts=(*register.facts, noted))), bench(None, None)
    )
    assert [issue.code for issue in piece.blocking()] == ["figure_without_source"]
