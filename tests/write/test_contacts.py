"""Addresses and telephone numbers of a draft, against the texts that it may use."""

from datetime import date

import pytest

from affidavit.evidence.fact import Fact, FactSource
from affidavit.write.checks import check_draft
from affidavit.write.memory import Memory

from .conftest import make_fact

NOTES = "Ring us on (020) 7946 0018, write to desk@harbour.example, or see https://www.harbour.example/visit for hours."


def found(draft: str, *facts: Fact) -> list[str]:
    issues = check_draft(
        draft,
        facts=facts,
        rejected=(),
        allowed=(NOTES,),
        memory=Memory(),
        max_words=None,
        today=date(2026, 11, 30),
        name="Harbour",
    )
    told = [one for one in issues if one.code == "contact_without_source"]
    assert not any(one.blocks for one in told)
    return [draft[one.start : one.end] for one in told]


@pytest.mark.parametrize(
    ("draft", "told"),
    [
        ("Write to info@harbour.example.", ["info@harbour.example"]),
        ("Write to DESK@Harbour.example, please.", []),
        ("[Write to us](mailto:hello@harbour.example)", ["hello@harbour.example"]),
        ("See https://harbour.example/prices.", []),
        ("See https://harbours.example/prices, or ask.", ["https://harbours.example/prices"]),
        ("See [our shop](http://shop.harbour.example).", ["http://shop.harbour.example"]),
        ("See www.pier.example!", ["www.pier.example"]),
        ("Ring us on 020 7946 0018.", []),
        ("Ring us on 020 7946 0019.", ["020 7946 0019"]),
        ("Ring +44 20 7946 0999 (day and night).", ["+44 20 7946 0999"]),
        ("Ring (555) 010-2345 today.", ["(555) 010-2345"]),
        ("On 2024-05-01 the pier, 0.75 km long, had 1 200 300 guests and 0 faults.", []),
        ("The ratio is 0.1 to 0.2, see section 3.2.1.", []),
        ("a@b, @harbour and http:// alone are no addresses", []),
    ],
)
def test_an_address_that_no_text_has_is_told_and_blocks_nothing(draft: str, told: list[str]):
    assert found(draft) == told


def test_the_sites_that_facts_were_read_on_may_be_named():
    read = FactSource(
        url="https://www.depots.example/about",
        doc_id="doc_0",
        start=0,
        end=11,
        quote="four depots",
        retrieved_at="2026-11-01T00:00:00Z",
    )
    draft = "See https://depots.example/where."
    assert found(draft) == ["https://depots.example/where"]
    assert found(draft, make_fact(1, "Harbour has four depots.", "depots", "four", sources=(read,))) == []
