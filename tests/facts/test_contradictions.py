"""What contradicts itself on a site, across its pages, and what only looks as if it did."""

from affidavit.facts import FactRun

from .test_run import Pages, gather, page

SITE = {
    "/": page(
        "Harbour is a recruiting firm with 80 offices in 45 countries.",
        "We serve more than 4,000 clients.",
        "In 2023 we placed 1,450 candidates.",
        links=("/about", "/team", "/services", "/case-studies/acme", "/case-studies/bolt", "/history"),
    ),
    "/about": page(
        "The firm was founded in 1978 by two sisters.",
        "Harbour has 70 offices in 45 countries.",
        "We have placed candidates in 91 countries.",
        "Our firm employs 320 people.",
        "Today we have 12 trainers.",
        title="About us",
    ),
    "/team": page(
        "Harbour employs 290 people.",
        "Our London office employs 40 people.",
        "In our first year we had 3 trainers.",
        "Our staff speak 14 languages.",
        title="Our team",
    ),
    "/history": page(
        "Harbour was founded in 1979.",
        "In 2022 we placed 1,200 candidates.",
        "We opened our first office abroad in 1991.",
        title="Our history",
    ),
    "/services": page(
        "We serve 4,120 clients.",
        "Our fee is 18% of the first salary.",
        "Our fee for interim staff is £400 a week.",
        "A search takes 30 days.",
        title="Services",
    ),
    "/case-studies/acme": page(
        "Acme Foods employs 900 people.", "Acme Foods cut its costs by 40% in two years.", title="Acme Foods"
    ),
    "/case-studies/bolt": page(
        "Bolt Metals employs 150 people.", "Bolt Metals cut its costs by 25% in a year.", title="Bolt Metals"
    ),
}


def contradicting(run: FactRun) -> set[frozenset[str]]:
    return {frozenset(str(one.value) for one in facts) for facts in run.register.conflicts().values()}


def test_three_contradictions_are_found_with_both_quotes_and_no_look_alike_is():
    run = gather(Pages(SITE))
    assert contradicting(run) == {frozenset({"1978", "1979"}), frozenset({"80", "70"}), frozenset({"320", "290"})}
    for facts in run.register.conflicts().values():
        assert len({one.sources[0].url for one in facts}) == 2
        assert all(one.value in one.sources[0].quote for one in facts if one.value)
        assert all(one.decided_by is None for one in facts)
