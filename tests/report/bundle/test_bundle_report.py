from dataclasses import replace

from affidavit.report.bundle_report import BundleReport, Check

GOOD = BundleReport(
    run_id="run_1",
    product="1.0",
    signer=None,
    checks=(Check("bytes", 5, True, "whole"),),
    could_not_check=(),
    not_checked=("who made it",),
)


def test_a_report_is_verified_only_if_every_check_was_made() -> None:
    assert GOOD.verified
    assert not replace(GOOD, checks=(*GOOD.checks, Check("extraction", 0, None, ""))).verified
    assert not replace(GOOD, could_not_check=("the signature",)).verified


def test_no_checks_at_all_are_no_verification() -> None:
    assert not replace(GOOD, checks=()).verified


def test_the_json_of_a_report_holds_everything_in_it() -> None:
    assert GOOD.as_json() == {
        "kind": "bundle_report",
        "verified": True,
        "run_id": "run_1",
        "product": "1.0",
        "signer": None,
        "checks": [{"name": "bytes", "count": 5, "ok": True, "detail": "whole"}],
        "could_not_check": [],
        "not_checked": ["who made it"],
    }
