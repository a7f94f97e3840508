"""What a claim asserts otherwise than its span."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.gates.finding import Severity
from affidavit.gates.polarity import check_polarity
from affidavit.gates.polarity.alignment import positive
from affidavit.gates.polarity.reading import read


def blocks(claim: str, span: str) -> set[str]:
    return {one.code for one in check_polarity(claim, span) if one.severity is Severity.BLOCK}


@pytest.mark.parametrize(
    ("claim", "span", "code"),
    [
        # negation
        ("The board closed the harbour.", "The board did not close the harbour.", "negation_dropped"),
        ("The board did not close the harbour.", "The board closed the harbour.", "negation_added"),
        ("The board never closed the harbour.", "The board closed the harbour in May.", "negation_added"),
        ("Keepers may store the ledger.", "Keepers SHALL NOT store the ledger.", "negation_dropped"),
        ("The keeper was able to read the gauge.", "The keeper was unable to read the gauge.", "negation_dropped"),
        ("The keeper failed to read the gauge.", "The keeper read the gauge.", "negation_added"),
        ("Boats leave with lights.", "Boats leave without lights.", "negation_dropped"),
        ("The quay is both dry and level.", "The quay is neither dry nor level.", "negation_dropped"),
        ("The link is secure.", "The link is insecure.", "negation_prefix"),
        ("The quay is noncompliant with the rule.", "The quay is compliant with the rule.", "negation_prefix"),
        ("New boats may still enter after that.", "After that, no new boats may enter.", "negation_dropped"),
        ("Der Hafen wurde vor 1904 eröffnet.", "Der Hafen wurde nicht vor 1904 eröffnet.", "negation_dropped"),
        ("Le port n’est pas ouvert la nuit.", "Le port est ouvert la nuit.", "negation_added"),
        # opposites
        ("The council rejected the plan.", "The council accepted the plan.", "opposite"),
        ("The levy rose in the spring.", "The levy fell in the spring.", "opposite"),
        ("The quay opened after the war.", "The quay opened before the war.", "opposite_relation"),
        ("The quay was shut since 1990.", "The quay was shut until 1990.", "opposite_relation"),
        ("The east gate is higher than the west gate.", "The east gate is lower than the west gate.", "opposite"),
        # modality
        ("Keepers must log the tide.", "Keepers should log the tide.", "modality"),
        ("Keepers must log the tide.", "Keepers may log the tide.", "modality"),
        ("Keepers may log the tide.", "Keepers SHALL log the tide.", "modality"),
        ("The board builds a quay.", "The board plans to build a quay.", "modality"),
        ("The storm moved the wall.", "The storm may have moved the wall.", "modality"),
        ("Logs must state the tide level.", "Logs SHOULD give the tide level.", "modality"),
        # quantities
        ("Most keepers live on the quay.", "Many keepers live on the quay.", "quantifier"),
        ("All keepers live on the quay.", "Some keepers live on the quay.", "quantifier"),
        ("Keepers always live on the quay.", "Keepers often live on the quay.", "quantifier"),
        ("The wall is at most 8 metres long.", "The wall is at least 8 metres long.", "bound"),
        ("The wall holds less than 40 boats.", "The wall holds more than 40 boats.", "bound"),
        ("The wall holds 40 boats.", "The wall holds up to 40 boats.", "bound"),
        ("The wall holds more than 40 boats.", "The wall holds no more than 40 boats.", "bound"),
        ("The fee is at least $40.", "The fee shall not exceed $40.", "bound"),
        ("The fee must be over $40.", "The fee is not to exceed $40.", "bound"),
        ("Boats may exceed 4 knots.", "Boats must not exceed 4 knots.", "modality"),
        ("The wall holds exactly 40 boats.", "The wall holds about 40 boats.", "bound"),
        # scope and speaker
        ("Only keepers open the north gate.", "Keepers open the north gate.", "only_added"),
        ("Keepers open the north gate.", "Only keepers open the north gate.", "only_dropped"),
        ("Ostby is the oldest harbour of the coast.", "Ostby is a harbour of the coast.", "superlative_added"),
        ("Ann Lee said the wall is safe.", "Bo Roe said the wall is safe.", "attribution_changed"),
        ("The wall was built by monks.", "It is believed that the wall was built by monks.", "attribution_dropped"),
    ],
)
def test_an_assertion_that_differs_is_blocked(claim: str, span: str, code: str) -> None:
    assert code in blocks(claim, span), check_polarity(claim, span)


@pytest.mark.parametrize(
    ("claim", "span"),
    [
        ("The old quay was replaced in 2019.", "The old quay, which was not safe, was replaced in 2019."),
        ("The quay opened in 1904.", "The quay opened in 1904. It did not close before 1950."),
        ("The link is not secure.", "The link is insecure."),
        ("The plan was not accepted by the council.", "The plan was rejected by the council."),
        ("The plan was rejected by the council.", "The plan was not accepted by the council."),
        ("It is not true that the quay is not dry.", "It is not true that the quay is not dry."),
        ("The museum does not charge a fee.", "The museum charges no fee."),
        ("Boats have no lights.", "Boats are without lights."),
        ("The keeper isn't allowed on the quay.", "The keeper is not allowed on the quay."),
        ("The wall is not only long but also high.", "The wall is long and high."),
        ("Keepers shall log the tide.", "Keepers MUST log the tide."),
        ("Keepers are required to log the tide.", "Keepers SHALL log the tide."),
        ("Keepers may not log the tide.", "Keepers SHALL NOT log the tide."),
        ("Keepers need not log the tide.", "Keepers are not required to log the tide."),
        ("In May the board met.", "The board met in May."),
        ("Every keeper lives on the quay.", "All keepers live on the quay."),
        ("The wall can be as short as 6 metres.", "The wall SHALL be at least 6 metres."),
        ("More than 40 boats came.", "Over 40 boats came."),
        ("Over 3 months the board met twice.", "The board met twice in 3 months."),
        ("The levy rose and the debt fell.", "The debt fell and the levy rose."),
        ("Ann Lee said the wall is safe.", "According to Ann Lee, the wall is safe."),
        ("The harbour is deep.", "The town has a mayor and two schools."),
        ("No pipe smoking is allowed on the quay.", "No smoking is allowed on the quay."),
        (
            "Before the gate stands a statue of the dragon.",
            "Before the gate stands a statue of the dragon, which is said to drink from the well at night.",
        ),
        ("MAY marks what is permitted.", "The terms “MAY” and “NEED NOT” mark what is permitted."),
        ("The wall holds at most 40 boats.", "The wall holds no more than 40 boats."),
        ("Boats may go up to 4 knots here.", "Boats must not exceed 4 knots here."),
        ("The fee is $40 or less.", "The fee is not to exceed $40."),
        ("It is a gain of no more than a day.", "It is a gain of no more than a day."),
    ],
)
def test_what_says_the_same_or_nothing_of_it_raises_no_alarm(claim: str, span: str) -> None:
    assert blocks(claim, span) == set(), check_polarity(claim, span)


@pytest.mark.parametrize(
    ("claim", "span", "code"),
    [
        ("The wall is safe for boats.", "Ann Lee said the wall is safe for boats.", "attribution_dropped"),
        ("The board will build a quay.", "The board builds a quay.", "modality"),
        (
            "Boats enter the old quay at dawn.",
            "At dawn boats enter the quay if the keeper agrees.",
            "condition_dropped",
        ),
    ],
)
def test_what_may_be_fair_is_a_warning(claim: str, span: str, code: str) -> None:
    assert [(one.code, one.severity) for one in check_polarity(claim, span)] == [(code, Severity.WARN)]


def test_a_denial_reaches_to_the_end_of_its_clause_and_no_further() -> None:
    (sentence,) = read("The keeper did not open the gate, but the board paid the levy.")
    denied = [sentence.words[index].text for index in sorted(sentence.denied)]
    assert denied == ["open", "gate"]


def test_two_denials_cancel() -> None:
    (sentence,) = read("The keeper did not fail to open the gate.")
    assert "open" not in {sentence.words[index].text for index in sentence.denied}


@pytest.mark.parametrize(
    ("word", "base"),
    [("insecure", "secure"), ("unencrypted", "encrypted"), ("noncompliant", "compliant"), ("immutable", "mutable")],
)
def test_a_prefix_that_denies_is_taken_off(word: str, base: str) -> None:
    assert positive(word) == base


@pytest.mark.parametrize("word", ["under", "united", "include", "display", "indeed", "non"])
def test_letters_that_only_look_like_a_prefix_stay(word: str) -> None:
    assert positive(word) is None


SENTENCES = st.sampled_from(
    [
        "Keepers SHALL NOT store the ledger unless the board agrees.",
        "Most boats leave before noon, and at least 40 of them return by night.",
        "According to Ann Lee, the wall is the oldest of the coast.",
        "Only the board may close the quay; it has never done so.",
        "The levy did not rise, although the council had planned to raise it by up to 5%.",
        "港は1904年に開かれた。",
        "Der Hafen wurde nicht vor 1904 eröffnet.",
    ]
)


@given(st.lists(SENTENCES, min_size=1, max_size=4), st.data())
def test_a_sentence_of_the_span_is_never_contradicted_by_it(said: list[str], data: st.DataObject) -> None:
    assert blocks(data.draw(st.sampled_from(said)), " ".join(dict.fromkeys(said))) == set()


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_two_texts_are_compared_and_every_place_lies_in_the_claim(claim: str, span: str) -> None:
    for one in check_polarity(claim, span):
        assert 0 <= one.start < one.end <= len(claim)


@pytest.mark.parametrize(("claim", "span"), [("", ""), ("", "The quay opened."), ("The quay opened.", "")])
def test_nothing_to_compare_finds_nothing(claim: str, span: str) -> None:
    assert check_polarity(claim, span) == ()


@pytest.mark.parametrize(
    ("claim", "span", "code"),
    [
        ("Boats enter the quay.", "Boats enter the quay if the keeper agrees.", "condition_dropped"),
        ("The gate must be shut.", "When a storm comes, the gate must be shut.", "condition_dropped"),
        ("Keepers open the gate.", "Keepers sometimes open the gate.", "limit_dropped"),
        ("The wall is the work of monks.", "The wall is probably the work of monks.", "doubt_dropped"),
        ("The keeper does not sell boats.", "The keeper does not sell wooden boats.", "scope_widened"),
        ("All boats pass the gate.", "All licensed boats pass the gate.", "scope_widened"),
    ],
)
def test_a_part_left_out_that_held_the_rest_in_bounds_caps_the_claim(claim: str, span: str, code: str) -> None:
    assert (code, Severity.CAP) in [(one.code, one.severity) for one in check_polarity(claim, span)]


@pytest.mark.parametrize(
    ("claim", "span"),
    [
        ("The keeper does not sell boats.", "The keeper does not sell boats or ropes."),
        ("Boats pass the gate.", "Licensed boats pass the gate."),
        ("The keeper has a boat.", "The keeper, who often sails, has a boat."),
        ("The gate was shut.", "When the storm came, the gate was shut."),
        ("Some boats pass the gate.", "Nearly all boats pass the gate."),
        ("All of the boats pass the gate.", "The boats pass the gate."),
        ("The quay was not built then.", "Neither the quay nor the wall was built then."),
        ("The wall is not made of sand from the bay.", "The wall is made of stone from the hills."),
        ("He sang the song there.", "There he sang the song I'll Never Sing Again."),
    ],
)
def test_a_fair_cut_is_neither_blocked_nor_capped(claim: str, span: str) -> None:
    assert [one for one in check_polarity(claim, span) if one.severity is not Severity.WARN] == []


@pytest.mark.parametrize("period", ["every 30 days", "each night", "every second Monday", "every time"])
def test_a_quantifier_of_time_counts_nothing(period: str) -> None:
    for other in ("per 30 days", "at times set by the board", ""):
        claim, span = f"Keepers paint the wall {period}.", f"Keepers paint the wall {other}."
        assert "quantifier" not in {one.code for one in check_polarity(claim, span)}


@pytest.mark.parametrize(
    ("claim", "span"),
    [
        ("The northern gate is painted blue.", "The northern gate is painted red."),
        ("Boats leave the quay on Mondays.", "Boats leave the quay on Fridays."),
        ("The third keeper sold the boat.", "The second keeper sold the boat."),
    ],
)
def test_another_of_the_same_sort_in_its_place_is_blocked(claim: str, span: str) -> None:
    assert "other_kind" in blocks(claim, span)


def test_another_period_is_told_by_its_code() -> None:
    claim, span = "The costs of the quay are counted per month.", "The costs of the quay are counted per year."
    assert "other_period" in blocks(claim, span)


def test_a_plan_and_a_possibility_are_no_future() -> None:
    assert "modality" in blocks("The board will sell the quay.", "The board may sell the quay.")
    assert "modality" in blocks("The board will sell the quay.", "The board intends to sell the quay.")
