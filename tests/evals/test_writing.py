"""The shipped drafts, and what the checks find in them."""

import json
from pathlib import Path

import pytest

from affidavit.errors import UserError
from affidavit.evals.records import read_records
from affidavit.evals.suite import data_digest
from affidavit.evals.writing import Measured, measure_writing
from affidavit.evals.writing_companies import read_companies, shipped_companies
from affidavit.write.checks import ADVISORY, BLOCKING

TRAPS = (
    "shared_noun",
    "rejected_figure",
    "years_in_business",
    "signature_sentence",
    "client_figure",
    "invented_figures",
)


@pytest.fixture(scope="module")
def measured():
    return measure_writing(shipped_companies())


def test_both_codes_that_block_are_found_everywhere_and_nowhere_else(measured):
    assert measured.precision(BLOCKING) == 1.0
    assert measured.recall(BLOCKING) == 1.0
    assert measured.counts(BLOCKING)[0] >= 45


def test_no_honest_draft_is_blocked():
    honest = measure_writing(shipped_companies("honest"))
    assert len(honest.outcomes) == 15
    assert honest.wrongly_blocked() == ()


def test_there_are_six_companies_and_each_trap_is_there_present_and_absent():
    companies = shipped_companies()
    drafts = [draft for company in companies for draft in company.drafts]
    assert len(companies) == 6
    assert len(drafts) >= 30
    for trap in TRAPS:
        assert {draft.present for draft in drafts if draft.trap == trap} == {True, False}


def test_a_trap_is_labelled_where_it_is_present_and_nothing_that_blocks_where_it_is_not():
    for company in shipped_companies():
        for draft in company.drafts:
            labelled = {one.code for one in draft.expected}
            assert labelled <= BLOCKING | ADVISORY
            assert bool(labelled) or not draft.present, draft.draft_id
            assert draft.present or not labelled & BLOCKING, draft.draft_id


def test_advisory_findings_that_are_labelled_are_found(measured):
    labelled = ("subject_mismatch", "years_of_experience", "repeated_figure", "reused_statistic", "reused_sentence")
    for code in labelled:
        assert measured.recall(frozenset({code})) == 1.0, code
        assert measured.precision(frozenset({code})) == 1.0, code


def test_a_measure_over_nothing_is_no_pass():
    with pytest.raises(UserError, match="no drafts"):
        Measured(())


def write(folder: Path, **files):
    made = folder / "acme"
    made.mkdir()
    given = {"profile": {"name": "Acme"}, "register": [], "memory": [], "drafts": []} | files
    for name, value in given.items():
        (made / f"{name}.json").write_text(json.dumps(value), encoding="utf-8")
    return made


def row(**fields):
    return {"id": "d", "trap": "t", "present": True, "title": "T", "notes": "", "max_words": None} | fields


def test_a_set_of_ones_own_is_measured_and_what_is_missed_and_extra_is_told(tmp_path):
    finding = {"code": "rejected_figure", "start": 8, "end": 10, "words": "45"}
    made = write(tmp_path, drafts=[row(findings=[finding])])
    (made / "d.md").write_text("We have 45 vans.", encoding="utf-8")
    measured = measure_writing(read_companies(tmp_path))
    assert measured.counts(frozenset({"rejected_figure"})) == (0, 1, 0)
    assert measured.counts(frozenset({"figure_without_source"})) == (0, 0, 1)
    assert measured.recall() == 0.0
    assert len(measured.wrongly_blocked()) == 1


def test_a_label_that_has_slipped_is_refused(tmp_path):
    finding = {"code": "rejected_figure", "start": 7, "end": 9, "words": "45"}
    made = write(tmp_path, drafts=[row(findings=[finding])])
    (made / "d.md").write_text("We have 45 vans.", encoding="utf-8")
    with pytest.raises(UserError, match=r"acme: .*d\.md: '45' does not stand at 7"):
        read_companies(tmp_path)


def test_faults_of_a_set_name_the_file(tmp_path):
    with pytest.raises(UserError, match="no such folder"):
        read_companies(tmp_path / "nowhere")
    with pytest.raises(UserError, match=r"no \.jsonl or \.csv file in this folder"):
        read_companies(tmp_path)
    fact = {"id": "f1", "text": "We have vans.", "category": "numbers", "subject": "vans", "state": "maybe"}
    made = write(tmp_path, register=[fact])
    with pytest.raises(UserError, match=r"acme: register\.0\.state: input should be"):
        read_companies(tmp_path)
    (made / "register.json").write_text("{", encoding="utf-8")
    with pytest.raises(UserError, match=r"acme/register\.json: cannot be read as JSON"):
        read_companies(tmp_path)
    (made / "register.json").write_text("{}", encoding="utf-8")
    with pytest.raises(UserError, match=r"acme: register: input should be a valid tuple"):
        read_companies(tmp_path)
    (made / "register.json").write_text("[]", encoding="utf-8")
    (made / "drafts.json").write_text(json.dumps([row(findings=[])]), encoding="utf-8")
    with pytest.raises(UserError, match=r"acme: .*d\.md is missing"):
        read_companies(tmp_path)
    with pytest.raises(UserError, match="ships no drafts called 'other'"):
        shipped_companies("other")


def test_the_rows_of_a_folder_change_with_any_word_of_a_draft(tmp_path):
    made = write(tmp_path, drafts=[row(findings=[])])
    (made / "d.md").write_text("We have vans.", encoding="utf-8")
    first = read_records([tmp_path])
    (made / "d.md").write_text("We have many vans.", encoding="utf-8")
    second = read_records([tmp_path])
    assert [(one.name, one.rows) for one in first.files] == [(tmp_path.name, 1)]
    assert first.files[0].sha256 != second.files[0].sha256
    assert data_digest(first) != data_digest(second)
