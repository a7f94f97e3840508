"""A register as a file, and back: the same to the character, and no cell that a spreadsheet runs."""

import csv
import io
import json
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.errors import UserError
from affidavit.evidence.fact import Category, Fact, FactState, Register
from affidavit.facts.decide import Edit, Step, edit
from affidavit.facts.fact_file import COLUMNS, facts_csv, read_rows
from affidavit.facts.history import CustomerRegister, Moment, in_order
from affidavit.facts.imported import imported
from affidavit.facts.record import fact_record

from .made import ADA, BEN, approved, fact, source

EMPTY = CustomerRegister(customer="Harbour", revision=1, register=Register("Harbour"))


def holding(*facts: Fact, revision: int = 4) -> CustomerRegister:
    moment = Moment(revision=revision, at=ADA.at, type="facts.found", by=None, changes={})
    register = Register("Harbour", in_order(facts))
    return CustomerRegister(
        customer="Harbour", revision=9, register=register, history={one.fact_id: (moment,) for one in facts}
    )


def exported(*facts: Fact) -> bytes:
    return facts_csv(facts, {one.fact_id: 4 for one in facts}).encode()


def read(now: CustomerRegister, body: bytes | str) -> Step:
    given = body if isinstance(body, bytes) else body.encode()
    return imported(now, "facts.csv", read_rows("facts.csv", given), BEN)


WORDS = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=20).filter(lambda text: text.strip())
CELLS = st.one_of(
    WORDS, st.sampled_from(["=1+1", "+44", "-5%", "@x", "'=1", "''", "'", "'tis", "\t=x", "＝1", "a,b;c"])
)


@st.composite
def facts(draw: st.DrawFn) -> list[Fact]:
    found: list[Fact] = []
    for number, text in enumerate(draw(st.lists(CELLS, max_size=4, unique_by=lambda text: text.strip().casefold()))):
        state = draw(st.sampled_from(FactState))
        decided = (None, None) if state is FactState.PENDING else (draw(CELLS), "2026-03-01T12:00:00Z")
        quote = draw(CELLS)
        found.append(
            fact(
                f"{text} {number}",
                fact_id=f"fact_{number:016x}",
                category=draw(st.sampled_from(Category)),
                subject=draw(CELLS),
                value=draw(st.none() | CELLS),
                scope_note=draw(st.none() | CELLS),
                owner=draw(st.none() | CELLS),
                conflict_group=draw(st.none() | st.just("conflict_1")),
                confidence=draw(st.floats(0, 1)),
                candidates=tuple(draw(st.lists(st.sampled_from(["cand_1", "cand_2"]), unique=True))),
                sources=(source(quote), source(quote + "b", "https://harbour.example/?a=1,2")),
                expires=draw(st.none() | st.dates()),
                state=state,
                decided_by=decided[0],
                decided_at=decided[1],
                added_by=draw(st.none() | CELLS),
            )
        )
    return found


@given(facts())
def test_what_is_exported_and_imported_into_another_register_is_the_same(found: list[Fact]):
    if found:
        step = read(EMPTY, exported(*found))
        assert {one.fact_id: one for one in step.put} == {one.fact_id: one for one in found}


@given(facts())
def test_what_is_exported_and_imported_again_changes_nothing(found: list[Fact]):
    if found:
        step = read(holding(*found), exported(*found))
        assert step.put == ()


TWO_FIGURES = "Our 46 roofers work from three depots, with thousands of tools."
TWINS = [
    fact(TWO_FIGURES, fact_id="fact_" + str(number) * 16, subject=subject, value=value)
    for number, (subject, value) in enumerate((("roofer", "46"), ("depot", "three"), ("tool", None)))
]


@pytest.mark.parametrize("as_json", [False, True])
def test_the_figures_of_one_sentence_come_back_as_the_facts_they_were(as_json: bool):
    body = json.dumps([fact_record(one) for one in TWINS]) if as_json else exported(*TWINS)
    assert sorted(read(EMPTY, body).put, key=lambda one: one.fact_id) == TWINS
    now = holding(*TWINS)
    (noted,) = read(now, f'text,value,scope_note\n"{TWO_FIGURES}",three,our own\n').put
    assert (noted.fact_id, noted.scope_note) == (TWINS[1].fact_id, "our own")
    with pytest.raises(UserError, match="3 facts have these words"):
        read(now, f'text,scope_note\n"{TWO_FIGURES}",our own\n')
    edited = edit(now, TWINS[0].fact_id, Edit(scope_note="our own"), BEN)
    assert edited.put[0].scope_note == "our own"


@given(facts())
def test_json_is_the_same_way_back(found: list[Fact]):
    if found:
        body = json.dumps({"facts": [fact_record(one) | {"contested": None} for one in found]})
        step = read(EMPTY, body)
        assert list(step.put) == found


@given(facts())
def test_no_cell_begins_a_formula(found: list[Fact]):
    rows = csv.reader(io.StringIO(exported(*found).decode("utf-8-sig"), newline=""))
    for row in rows:
        for cell in row:
            assert not cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"))


def test_an_error_names_line_and_column_and_all_errors_are_told():
    body = "text,category,subject,confidence\nTwelve cranes,numbrs,crane,1\nTen tugs,numbers,,1\nA pier,other,pier,1\n"
    with pytest.raises(UserError) as told:
        read(EMPTY, body)
    message = str(told.value)
    assert message.startswith("facts.csv: 2 faults, so nothing is imported\n  line 2, column category: 'numbrs'")
    assert "presence, services" in message
    assert "line 3, column subject: is empty" in message


def test_lines_are_counted_as_the_file_has_them():
    body = 'text,subject,category\n"Twelve\ncranes",crane,numbers\n\nTen tugs,tug,nope\n'
    with pytest.raises(UserError, match="line 5, column category"):
        read(EMPTY, body)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("text,who,what\na,b,c\n", r"column 'what': no such column is known\n  the columns are fact_id, [^\n]*$"),
        ("text,subjct\na,b\n", "line 1, column 'subjct': no such column is known; did you mean subject"),
        ("text,text\na,b\n", "line 1, column text: there are two of it"),
        ("subject,value\na,1\n", "no column fact_id and none of text"),
        ("text,subject\na\n", "line 2: 1 cells, and there are 2 columns"),
        ('text,subject\n"a,b\n', "not CSV"),
        ("text,subject,expires\na,b,31/03/2027\n", "line 2, column expires: '31/03/2027' is no date"),
        ("fact_id,text,subject\nnope,a,b\n", "line 2, column fact_id: 'nope' is no id"),
        ("text,subject,confidence\na,b,high\n", "line 2, column confidence: 'high' is no number"),
        ("text,subject,value\na,b,many\n", "line 2, column value: it 'many' holds no figure"),
        ("text,subject,quote\na,b,said so\n", "line 2, column quote: a quotation stands in a page"),
        ("text,subject\na,b\nA.,c\n", "line 3, column text: fact_.* says the same"),
        ("", "no facts in it"),
        ("text,subject\n", "no facts in it"),
        ('{"facts": [{"text": 5, "subject": "x"}]}', r"facts\[0\], column text: is empty"),
        ('{"facts": [{"txt": "a"}]}', r"facts\[0\], column txt: no such field"),
        ('{"facts": 3}', "write a list of facts"),
        ("{", "not valid JSON"),
    ],
)
def test_a_file_that_is_wrong_says_where(body: str, message: str):
    with pytest.raises(UserError, match=message):
        read(EMPTY, body)


def test_a_file_in_another_encoding_is_refused_by_its_line():
    with pytest.raises(UserError, match="line 2: not UTF-8"):
        read(EMPTY, "text,subject\nCafé,b\n".encode("latin-1"))


def test_semicolons_and_tabs_part_cells_too():
    for delimiter in ";\t":
        (one,) = read(EMPTY, f"text{delimiter}subject\nA pier, and a mole{delimiter}pier\n").put
        assert one.text == "A pier, and a mole"


def test_a_new_row_is_a_fact_that_whoever_imports_adds():
    (one,) = read(EMPTY, "text,subject,category,value\nTwelve cranes.,crane,Numbers,twelve\n").put
    assert (one.state, one.added_by, one.decided_by) == (FactState.APPROVED, "Ben Holt", "Ben Holt")
    assert (one.category, one.value, one.sources) == (Category.NUMBERS, "twelve", ())


def test_a_row_without_an_id_is_the_fact_of_the_same_words():
    known = fact("Twelve cranes.", subject="crane")
    step = read(holding(known), "text,scope_note\ntwelve cranes,on the north quay\n")
    assert [(one.fact_id, one.scope_note) for one in step.put] == [(known.fact_id, "on the north quay")]


def changed(known: Fact, **cells: str) -> bytes:
    """The export of `known` with some of its cells typed over."""
    rows = list(csv.DictReader(io.StringIO(exported(known).decode("utf-8-sig"), newline="")))
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, COLUMNS)
    writer.writeheader()
    writer.writerow(rows[0] | cells)
    return out.getvalue().encode()


def test_a_state_typed_into_the_file_is_a_decision_of_whoever_imports():
    known = fact()
    (one,) = read(holding(known), changed(known, state="Approved")).put
    assert (one.state, one.decided_by, one.decided_at) == (FactState.APPROVED, "Ben Holt", BEN.at)
    old = approved("The harbour was opened in 1871.", by="Ada Marsh")
    (back,) = read(holding(old), changed(old, state="pending")).put
    assert (back.state, back.decided_by, back.decided_at) == (FactState.PENDING, None, None)


def test_an_expiry_typed_into_the_file_leaves_the_decision_with_whoever_made_it():
    old = approved("The harbour was opened in 1871.", by="Ada Marsh")
    (one,) = read(holding(old), changed(old, expires="2027-03-31")).put
    assert (one.expires, one.decided_by) == (date(2027, 3, 31), "Ada Marsh")


@pytest.mark.parametrize(
    ("column", "cell"),
    [
        ("quote", "The harbour has 450 berths."),
        ("url", "https://elsewhere.example/"),
        ("sources", "[]"),
        ("candidates", "cand_9"),
        ("confidence", "1.0"),
        ("decided_by", "Ada Marsh"),
        ("conflict_group", "conflict_2"),
    ],
)
def test_what_is_not_a_persons_to_say_is_not_imported(column: str, cell: str):
    known = fact()
    with pytest.raises(UserError, match=f"line 2, column {column}"):
        read(holding(known), changed(known, **{column: cell, "scope_note": "x"}))


def test_a_file_that_is_older_than_a_decision_does_not_undo_it():
    known = fact()
    with pytest.raises(UserError, match=r"line 2, column revision: .* changed after this file was exported"):
        read(holding(known, revision=7), changed(known, state="rejected"))


def test_a_conflict_is_not_decided_in_a_file():
    small = fact("45 berths", value="45", conflict_group="conflict_1")
    large = fact("60 berths", value="60", conflict_group="conflict_1")
    with pytest.raises(UserError, match=r"line 2, column state: .* facts resolve"):
        read(holding(small, large), changed(small, state="approved"))
