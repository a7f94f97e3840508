"""`egress`: what ships holds its floors, and a row tells a gateway that lets something out from one that does not."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from affidavit.egress.addresses import verdict
from affidavit.errors import UserError
from affidavit.evals.pinned import read_floors
from affidavit.evals.records import read_records
from affidavit.evals.run_suite import run_suite
from affidavit.evals.suite import Measured
from affidavit.evals.suites.egress import EgressSuite
from affidavit.ledger import Ledger

PAGE = "https://www.example.org/page"
AT = "www.example.org/page"


def tell_nobody(*_: object) -> None:
    pass


def measured(folder: Path, *rows: Mapping[str, object]) -> Measured:
    path = folder / "rows.jsonl"
    path.write_text("".join(json.dumps({"id": str(number), **row}) + "\n" for number, row in enumerate(rows)))
    return EgressSuite().measure(read_records([path]), tell_nobody)


def shares(found: Measured) -> dict[str, tuple[int, int]]:
    return {figure.name: (figure.share.hits, figure.share.of) for figure in found.figures}


def test_what_ships_holds_its_floors(tmp_path: Path):
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        done = run_suite(EgressSuite(), ledger, floors=read_floors(), progress=tell_nobody)
    assert done.outcome == "passed", (done.floors, done.wrong)


def test_a_refusal_for_another_reason_and_a_page_that_is_kept_back_are_wrong(tmp_path: Path):
    found = measured(
        tmp_path,
        {"url": PAGE, "expect": "fetched", "reached": [AT]},
        {"url": "http://10.0.0.1/", "expect": "address"},
        {"url": "http://10.0.0.1/", "expect": "canary"},
        {"url": PAGE, "seen": [], "expect": "fetched", "reached": [AT]},
        {"url": PAGE, "expect": "not_seen", "reached": [AT]},
    )
    assert [case.state for case in found.cases] == ["right", "right", "wrong", "wrong", "wrong"]
    assert found.cases[2].detail == "wanted canary, got address"
    assert shares(found) == {"refused": (2, 3), "let_through": (1, 2), "as_expected": (2, 5), "strayed": (0, 5)}


def test_what_arrives_at_a_server_and_is_not_listed_has_strayed(tmp_path: Path):
    there = {"url": PAGE, "replies": {"/page": {"status": 302, "headers": [["Location", "/next"]]}}}
    found = measured(
        tmp_path,
        there | {"expect": "fetched", "reached": [AT, "www.example.org/next"]},
        there | {"expect": "fetched", "reached": [AT]},
        {"url": PAGE, "expect": "fetched", "reached": [AT], "dials": []},
    )
    assert [case.detail for case in found.cases] == [
        "",
        "went out: GET www.example.org/next",
        "went out: a connection to 93.184.216.34",
    ]
    assert shares(found)["strayed"] == (2, 3)


def nothing_against(address: str) -> None:
    verdict(address)


def test_a_gateway_that_takes_private_addresses_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    row = {"url": "http://10.0.0.1/", "expect": "address"}
    assert shares(measured(tmp_path, row))["strayed"] == (0, 1)
    monkeypatch.setattr("affidavit.egress.resolver.verdict", nothing_against)
    found = measured(tmp_path, row)
    assert shares(found)["refused"] == (0, 1)
    assert "GET 10.0.0.1/" in found.cases[0].detail
    assert "private_address" in found.cases[0].detail


def test_a_search_goes_to_the_address_of_its_table_alone(tmp_path: Path):
    found = measured(
        tmp_path,
        {"search": {"endpoint": "wikipedia"}, "expect": "answered", "reached": ["en.wikipedia.org/w/api.php"]},
        {"search": {"endpoint": "https://evil.example.net/"}, "expect": "no_endpoint"},
    )
    assert [case.state for case in found.cases] == ["right", "right"]


@pytest.mark.parametrize(
    "row", [{"expect": "fetched"}, {"url": PAGE, "search": {"endpoint": "x"}, "expect": "fetched"}]
)
def test_a_row_that_asks_for_nothing_or_twice_is_named(tmp_path: Path, row: Mapping[str, object]):
    with pytest.raises(UserError, match=r"rows\.jsonl:1: the row: value error, give a url or a search"):
        measured(tmp_path, row)
