"""The boundary around any writer."""

import asyncio
from datetime import date

import pytest

import affidavit
from affidavit.errors import IntegrityError, UserError
from affidavit.write.boundary import Boundary
from affidavit.write.guard import Guarded, aguard, guard

from .conftest import TODAY

POLICY = "Goods may be sent back within 30 days of delivery. Sending them back costs the customer nothing."
BOUNDARY = Boundary.of_texts(POLICY, today=date(2026, 11, 30))


def test_a_draft_within_the_boundary_is_handed_out_as_it_is():
    found = guard(lambda: "You may send it back within 30 days.", BOUNDARY)()
    assert (found.text, found.drafts) == (
        "You may send it back within 30 days.",
        ("You may send it back within 30 days.",),
    )
    assert found.reasons == ()


def test_a_figure_from_nowhere_is_not_handed_out():
    found = guard(lambda: "You may send it back within 60 days.", BOUNDARY)()
    assert found.text is None
    assert [issue.code for issue in found.reasons] == ["figure_without_source"]


def test_the_guarded_writer_is_called_as_the_writer_is():
    def answer(name: str, *, days: int) -> str:
        """Answer a customer."""
        return f"{name}: within {days} days."

    guarded = guard(answer, BOUNDARY)
    assert guarded("Ann", days=30).text == "Ann: within 30 days."
    assert guarded("Ann", days=31).text is None
    assert guarded.__doc__ == "Answer a customer."


def test_it_is_revised_once_and_no_more():
    asked: list[tuple[str, ...]] = []

    def revise(draft, issues):
        asked.append(tuple(issue.code for issue in issues))
        return draft.replace("60", "45" if len(asked) == 1 else "30")

    guarded = guard(lambda: "Within 60 days.", BOUNDARY, revise=revise)
    first = guarded()
    assert (first.text, first.drafts) == (None, ("Within 60 days.", "Within 45 days."))
    assert guarded().text == "Within 30 days."
    assert asked == [("figure_without_source",)] * 2


def test_what_the_writer_raises_goes_to_the_caller():
    def broken() -> str:
        raise RuntimeError("no model")

    with pytest.raises(RuntimeError, match="no model"):
        guard(broken, BOUNDARY)()


def test_no_words_are_nothing_to_hand_out_and_that_is_said():
    found = guard(lambda: " \n", BOUNDARY)()
    assert (found.text, [issue.code for issue in found.reasons]) == (None, ["empty_draft"])


def test_a_writer_that_gives_no_text_is_told_what_to_give():
    async def later() -> str:
        return "Within 30 days."

    for writer, says in (
        (lambda: None, r"the writer must return the text as a str, and returned None \(NoneType\)"),
        (lambda: 42, r"returned 42 \(int\)"),
        (later, "guard it with aguard"),
    ):
        with pytest.raises(TypeError, match=says):
            guard(writer, BOUNDARY)()  # pyright: ignore[reportArgumentType]
    with pytest.raises(TypeError, match="revise must return the text"):
        guard(lambda: "Within 60 days.", BOUNDARY, revise=lambda draft, issues: None)()  # pyright: ignore
    with pytest.raises(TypeError, match="aguard is for async functions"):
        asyncio.run(aguard(lambda: "Within 30 days.", BOUNDARY)())  # pyright: ignore


def test_what_is_no_boundary_and_no_text_of_one_is_refused_by_name():
    for make, says in (
        (lambda: guard(lambda: "x", "boundary"), "takes a Boundary, as Boundary.of_texts"),
        (lambda: aguard(lambda: "x", "boundary"), "takes a Boundary, as Boundary.of_texts"),
        (lambda: guard("x", BOUNDARY), "'x' cannot be"),
        (lambda: Boundary.of_texts("a 5", 6), r"of_texts\(\*texts\)\): number 2 is 6 \(int\)"),
        (lambda: Boundary.of_texts(["a 5"]), "number 1 is"),
        (lambda: Boundary.of_rows("x"), "each a mapping of column heads to cells: number 1 is 'x'"),
    ):
        with pytest.raises(TypeError, match=says):
            make()


def test_a_table_is_a_boundary_row_by_row():
    rows = [{"region": "North", "orders": 1204, "share": None}, {"region": "South", "orders": 310}]
    table = Boundary.of_rows(rows, today=date(2026, 11, 30))
    assert table.allowed == ("region: North; orders: 1204", "region: South; orders: 310")
    assert guard(lambda: "The North took 1,204 orders.", table)().text is not None
    assert guard(lambda: "Together they took 1,514 orders.", table)().text is None


def test_a_boundary_around_nothing_is_refused():
    for empty in (lambda: Boundary.of_texts(), lambda: Boundary.of_texts(" "), lambda: Boundary.of_rows([])):
        with pytest.raises(UserError, match="at least one text"):
            empty()


def test_nothing_that_blocks_can_be_made_to_be_handed_out():
    issues = BOUNDARY.check("Within 60 days.")
    with pytest.raises(IntegrityError):
        Guarded("Within 60 days.", issues, ("Within 60 days.",))


def test_it_is_public():
    assert affidavit.guard is guard
    assert affidavit.Boundary is Boundary


def test_a_writer_that_is_awaited_is_guarded_as_well():
    async def answer(days: int) -> str:
        return f"Within {days} days."

    async def revise(draft, issues):
        return "Within 30 days."

    assert asyncio.run(aguard(answer, BOUNDARY)(30)).text == "Within 30 days."
    assert asyncio.run(aguard(answer, BOUNDARY)(60)).text is None
    assert asyncio.run(aguard(answer, BOUNDARY, revise=revise)(60)).drafts == ("Within 60 days.", "Within 30 days.")


def test_a_register_is_a_boundary_with_what_was_rejected(register):
    boundary = Boundary.of_register(register, "Open 6 days a week.", today=TODAY)
    assert guard(lambda: "We are open 6 days, in 45 countries.", boundary)().text is not None
    assert [one.code for one in guard(lambda: "We have 800 staff.", boundary)().reasons] == ["rejected_figure"]
