"""The figures of a claim beside the texts of its sources."""

import pytest

from affidavit.gates.figures import check_figures
from affidavit.gates.finding import Finding, Severity
from affidavit.gates.source_figures import read_sources


def one(claim: str, *texts: str, as_of: int | None = None, allow_derived: bool = False) -> Finding:
    (found,) = check_figures(claim, texts, as_of=as_of, allow_derived=allow_derived)
    return found


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The port took 1,204 ships.", "In all 1 204 ships called at the port."),
        ("Forty-five depots are open.", "It runs 45 depots."),
        ("Costs rose from 12 to 15 percent.", "A rise of cost: 12–15%."),
        ("It was open from 1911 to 1915.", "It opened in 1911 and closed in 1915."),
        ("It covers 5 km.", "It covers 5,000 metres."),
        ("No figure here.", ""),
        ("It has 9m.", "It has 9 million readers."),
        ("See section 4 [3].", "Nothing of it."),
    ],
)
def test_a_figure_that_a_source_states_passes(claim: str, source: str) -> None:
    assert [found for found in check_figures(claim, [source]) if not found.code.startswith("name_")] == []


def test_a_title_names_a_thing_and_states_no_figure() -> None:
    sources = read_sources(["Wheels hold files."], titles=["PEP 427 – The Wheel Binary Package Format 1.0 in 12 steps"])
    assert check_figures("According to PEP 427, wheels hold files.", sources) == ()
    (unnamed,) = check_figures("According to PEP 428, wheels hold files.", sources)
    (counted,) = check_figures("The format has 12 steps.", sources)
    assert (unnamed.code, counted.code) == ("name_without_source", "figure_without_source")


@pytest.mark.parametrize(
    ("claim", "source", "code"),
    [
        ("28% of members voted.", "18% of members voted.", "figure_without_source"),
        ("It closed in 2018.", "It closed in 2019.", "figure_without_source"),
        ("It has nine depots.", "It has seven depots.", "figure_without_source"),
        ("It cost $3 billion.", "It cost $3 million.", "figure_other_scale"),
        ("It rose 25 percent.", "It rose 25 percentage points.", "figure_other_unit"),
        ("Fewer than 60 came.", "More than 60 came.", "figure_other_direction"),
        ("45 offices are open.", "80 offices in 45 countries are open.", "figure_other_subject"),
    ],
)
def test_a_figure_that_no_source_bears_out_blocks(claim: str, source: str, code: str) -> None:
    found = one(claim, source)
    assert (found.code, found.severity) == (code, Severity.BLOCK)
    assert claim[found.start : found.end].strip()


@pytest.mark.parametrize(
    ("claim", "source", "says"),
    [
        ("Refunds take 5 days.", "Refunds take up to 5 working days.", "the source says “up to 5 working days”"),
        ("We have 24,000 roofs.", "We have laid more than 2,400 roofs.", "the source says “more than 2,400 roofs”"),
        ("It cost $3 billion.", "It cost $3 million.", "the source says “$3 million”"),
        ("Fewer than 60 came.", "No fewer than 60 came.", "“Fewer than 60”, but the source says “No fewer than 60”"),
        ("More than 3k roofs bear our name.", "It has three depots and more than 2,400 roofs.", "“roof” is “2,400”"),
        ("Twice as many roofers came.", "We answer within two days.", "Cite one that does, or leave"),
        ("We recycled 46% of it.", "Our 46 roofers are here.", "Cite one that does, or leave"),
    ],
)
def test_only_a_figure_of_the_same_things_is_named_and_in_the_words_of_its_source(claim, source, says) -> None:
    found = one(claim, source)
    assert says in found.message
    assert found.severity is Severity.BLOCK


def test_a_bound_that_only_the_claim_has_caps_and_one_that_it_drops_warns() -> None:
    added = one("At least 60 guests came.", "60 guests came.")
    assert (added.code, added.severity) == ("figure_bound_added", Severity.CAP)
    dropped = one("60 guests came.", "At least 60 guests came.")
    assert (dropped.code, dropped.severity) == ("figure_bound_dropped", Severity.WARN)


@pytest.mark.parametrize(
    ("claim", "source", "how"),
    [
        ("It has 125 clerks.", "80 clerks work in Rome and 45 clerks in Bern.", "sum"),
        ("35 fewer clerks work in Bern.", "80 clerks work in Rome and 45 clerks in Bern.", "difference"),
        ("It rose 41 percentage points.", "It rose from 2% to 43%.", "difference"),
        ("A 25% share.", "Of 80 clerks, 20 clerks left.", "share"),
    ],
)
def test_a_derived_figure_is_reported_with_what_it_is_of(claim: str, source: str, how: str) -> None:
    found = one(claim, source)
    assert (found.code, found.severity) == ("figure_derived", Severity.CAP)
    assert how in found.message
    assert one(claim, source, allow_derived=True).severity is Severity.WARN


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("It has 125 clerks.", "80 clerks work in Rome. Much later, and far from there, they hired 45 clerks in Bern."),
        ("It has 125 rooms.", "80 clerks work in 45 rooms."),
        ("It has 125 clerks.", "80 clerks work in 45 rooms."),
        ("Sales were $2 billion.", "Earnings were $130.4 million on sales of $1.8 billion."),
        ("A third of it sank.", "Sales tripled, then rose two-fold."),
        ("It took 9 years.", "It began in 2001. They thought little of it. It ended in 2010."),
    ],
)
def test_figures_that_do_not_belong_together_give_no_other(claim: str, source: str) -> None:
    assert all(finding.code != "figure_derived" for finding in check_figures(claim, [source]))


def test_the_lines_of_a_list_add_up() -> None:
    found = one("All in all it cost $600.", "- Rent: $400\n- Food: $150\n- Light: $50\n")
    assert found.code == "figure_derived"
    assert "“$400” and “$150” and “$50”" in found.message


def test_years_since_are_counted_only_from_a_stated_year() -> None:
    assert "years since" in one("It was founded 10 years ago.", "Founded in 2014.", as_of=2024).message
    assert one("It has 10 years of practice.", "Founded in 2014.", as_of=2024).code == "figure_without_source"
    assert one("It has 10 years of practice.", "Founded in 2014.").code == "figure_without_source"


def test_a_small_count_in_words_may_be_counted_from_a_list() -> None:
    assert one("Three crews sailed.", "The red, blue and green crews sailed.").severity is Severity.CAP
    assert one("Three crews sailed.", "Nine crews sailed.").severity is Severity.BLOCK


def test_a_subject_that_may_be_misread_only_warns() -> None:
    found = one("There are 45 trucks.", "The depot holds 45 lorries.")
    assert (found.code, found.severity) == ("figure_other_subject", Severity.WARN)


def test_a_name_no_source_has_caps() -> None:
    found = one("PEP 9 rules it.", "PEP 8 rules it, in 9 parts.")
    assert (found.code, found.severity) == ("name_without_source", Severity.CAP)


def test_a_scope_note_of_a_source_decides_what_it_counts() -> None:
    sources = read_sources(["We work in 91 countries."], scopes=["placements"])
    (found,) = check_figures("We have offices in 91 countries.", sources)
    assert found.code == "figure_other_subject"


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("It saved many millions of dollars.", "It saved many millions of dollars spent."),
        ("It saved millions of dollars.", "It saved $3.4 million."),
        ("Hundreds of thousands of users came.", "It had 240,000 users."),
        ("Dozens of requests came in.", "We received dozens of feature requests."),
        ("It costs millions.", "It costs a lot."),
        ("It had a few thousand users.", "It had thousands of users."),
        ("Several hundred pages.", "It has 412 pages."),
    ],
)
def test_a_size_that_a_source_states_or_a_figure_bears_out_passes(claim: str, source: str) -> None:
    assert check_figures(claim, [source]) == ()


@pytest.mark.parametrize(
    ("claim", "source", "code", "severity"),
    [
        ("It saved many billions of dollars.", "It saved many millions of dollars.", "figure_other_scale", "block"),
        ("Thousands of requests came in.", "Dozens of feature requests came.", "figure_other_scale", "block"),
        ("Tens of thousands of people came.", "Thousands of people came.", "figure_other_scale", "block"),
        ("Limits are as low as a few million.", "Limits are as low as a few thousand.", "figure_other_scale", "block"),
        ("Several million pages.", "Several hundred pages.", "figure_other_scale", "block"),
        ("Millions of people came.", "People came in 2019.", "figure_without_source", "cap"),
    ],
)
def test_another_size_of_the_same_things_is_found(claim: str, source: str, code: str, severity: str) -> None:
    found = one(claim, source)
    assert (found.code, found.severity.value) == (code, severity)


@pytest.mark.parametrize(
    ("claim", "raw"),
    [("Bounties run up to $5,000.", "$5,000"), ("A bounty is at least $300.", "$300"), ("About 60% agreed.", "60%")],
)
def test_one_end_of_a_range_is_no_figure_from_nowhere_and_not_the_range(claim: str, raw: str):
    sources = read_sources(["Bounties range from $300 to $5,000. Between 40% and 60% agreed."])
    (finding,) = check_figures(claim, sources)
    assert (finding.code, finding.severity) == ("figure_end_of_range", Severity.CAP)
    assert raw in finding.message


def test_what_lies_within_a_range_is_no_end_of_it():
    sources = read_sources(["Bounties range from $300 to $5,000."])
    (finding,) = check_figures("A bounty is $2,000.", sources)
    assert finding.severity is Severity.BLOCK


def test_an_hour_at_an_end_of_opening_hours_is_an_end_of_a_range():
    (finding,) = check_figures("It opens at 7am.", ["It is open from 7am to 7pm."])
    assert (finding.code, finding.severity) == ("figure_end_of_range", Severity.CAP)
    (finding,) = check_figures("It opens at 6am.", ["It is open from 7am to 7pm."])
    assert (finding.code, finding.severity) == ("figure_without_source", Severity.BLOCK)
