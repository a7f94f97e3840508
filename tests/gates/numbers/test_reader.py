"""The numbers of a text, as a reader finds them."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.gates.numbers import Kind, Mention, Modifier, mentions


def only(text: str, locale: str | None = None) -> Mention:
    (found,) = mentions(text, locale)
    return found


@pytest.mark.parametrize(
    ("text", "value", "unit", "kind"),
    [
        ("Output was 4,512 crates.", "4512", None, Kind.COUNT),
        ("Output was 4\u202f512 crates.", "4512", None, Kind.COUNT),
        ("Output was 4'512 crates.", "4512", None, Kind.COUNT),
        ("Output was 12,34,567 crates.", "1234567", None, Kind.COUNT),
        ("Prices fell 6.5%.", "6.5", "percent", Kind.PERCENT),
        ("Prices fell six and a half percent.", "6.5", "percent", Kind.PERCENT),
        ("Prices fell 2 percentage points.", "2", "percentage_point", Kind.PERCENT),
        ("Prices fell 40 bps.", "40", "basis_point", Kind.PERCENT),
        ("It cost $7.2bn.", "7200000000", "USD", Kind.CURRENCY),
        ("It cost 300 million euros.", "300000000", "EUR", Kind.CURRENCY),
        ("It cost ₹4 crore.", "40000000", "INR", Kind.CURRENCY),
        ("It cost CA$60.", "60", "CAD", Kind.CURRENCY),
        ("A region of 9m voters.", "9000000", None, Kind.COUNT),
        ("A pool 9 m long.", "9", "metre", Kind.COUNT),
        ("It ran for 36 hours.", "36", "hour", Kind.COUNT),
        ("Thirty-six crates arrived.", "36", None, Kind.COUNT),
        ("A dozen crates arrived.", "12", None, Kind.COUNT),
        ("Half a million crates arrived.", "500000", None, Kind.COUNT),
        ("Two hundred and six crates arrived.", "206", None, Kind.COUNT),
        ("It froze at −7 °C.", "-7", "degree_celsius", Kind.COUNT),
        ("A quarter of the crates broke.", "0.25", "fraction", Kind.RATIO),
        ("It is 3x lighter.", "3", "times", Kind.RATIO),
        ("Opened in 1911.", "1911", None, Kind.YEAR),
        ("The 17th crate broke.", "17", None, Kind.ORDINAL),
        ("Some 6×10⁵ cells grew.", "600000", None, Kind.COUNT),
        ("The count was 1\u200b204 crates.", "1204", None, Kind.COUNT),
    ],
)
def test_a_number_has_a_value_a_unit_and_a_kind(text: str, value: str, unit: str | None, kind: Kind) -> None:
    found = only(text)
    assert (found.value, found.unit, found.kind) == (Decimal(value), unit, kind)
    assert text[found.start : found.end] == found.raw


@pytest.mark.parametrize(
    ("text", "locale", "value"),
    [
        ("Es kamen 4.512 Kisten.", "de", "4512"),
        ("Es kamen 4.512 Kisten.", None, "4512"),
        ("Es kostet 4,5 Prozent.", "de", "4.5"),
        ("Es kamen fünfundvierzig Kisten.", "de", "45"),
        ("4.512 crates.", "en", "4.512"),
        ("4,512 crates.", "en", "4512"),
        ("4,512 caisses.", "fr", "4.512"),
        ("quatre-vingt-dix caisses", "fr", "90"),
        ("treinta y dos cajas", "es", "32"),
        ("4'512.50 Franken", "de-CH", "4512.5"),
        ("1.500 cajas", "es-MX", "1.5"),
    ],
)
def test_the_locale_says_what_a_sign_means(text: str, locale: str | None, value: str) -> None:
    assert only(text, locale).value == Decimal(value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Die Halle fasst 2.750 Besucher und wurde umgebaut.", "2750"),
        ("Der Umbau kostete 480.000 Euro und war im Mai fertig.", "480000"),
        ("El puente mide 1.250 metros y es de piedra.", "1250"),
        ("The road from El Paso measures 1.250 miles.", "1.250"),
        ("Score of Los Lobos de Oro: 2.750 points.", "2.750"),
    ],
)
def test_a_short_text_of_plain_letters_tells_its_language_by_its_small_words(text: str, value: str) -> None:
    assert only(text).value == Decimal(value)


@pytest.mark.parametrize(
    ("text", "low", "high", "unit"),
    [
        ("A dose of 4–6 mg.", 4, 6, "milligram"),
        ("Between £2m and £3m was lost.", 2000000, 3000000, "GBP"),
        ("4 to 6 million tonnes passed.", 4000000, 6000000, "tonne"),
        ("The 2011/12 season.", 2011, 2012, "year"),
        ("From 1911 to 1915 it was shut.", 1911, 1915, "year"),
    ],
)
def test_a_range_has_two_ends(text: str, low: int, high: int, unit: str) -> None:
    found = only(text)
    assert (found.kind, found.value, found.unit) == (Kind.RANGE, (low, high), unit)


def test_a_change_is_two_figures_of_one_unit() -> None:
    first, second = mentions("It rose from 14 to 17 percent.")
    assert (first.value, first.unit, second.value, second.unit) == (14, "percent", 17, "percent")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("On 7 June 1911 it opened.", "1911-06-07"),
        ("On June 7, 1911 it opened.", "1911-06-07"),
        ("On 07-Jun-1911 it opened.", "1911-06-07"),
        ("Am 7. Juni 1911 eröffnet.", "1911-06-07"),
        ("In June 1911 it opened.", "1911-06"),
        ("On 7 June it opened.", "--06-07"),
        ("It starts at 9:45.", "T09:45"),
        ("It starts at 4 p.m. today.", "T16:00"),
        ("Q2 2020 was weak.", "2020-Q2"),
        ("The third quarter of 2020 was weak.", "2020-Q3"),
    ],
)
def test_a_date_is_iso_text_of_what_is_written(text: str, value: str) -> None:
    assert (only(text).kind, only(text).value) == (Kind.DATE, value)


@pytest.mark.parametrize(
    "text",
    [
        "See section 6.3.",
        "See Table 9.",
        "ISO 14001 applies.",
        "SP 800-171A applies.",
        "Protein IL6 binds.",
        "The B-52 flew.",
        "Take Route 9.",
        "Mercury 7 flew.",
        "Call +44 20 7946 0000.",
        "It broke.[7]",
        "7. Close the valve.",
        "https://example.org/2019/06/7",
        "Room 214 is shut.",
        "Version 4.1 is out.",
        "Node 18.2.1 is out.",
        "The 3.9.4 final release.",
        "Only code f(2) calls it.",
        "Address 2001:db8::7 answers.",
        "IP 10.0.0.7 answers.",
    ],
)
def test_a_number_that_names_something_is_no_figure(text: str) -> None:
    assert [found.raw for found in mentions(text) if found.is_figure] == []


@pytest.mark.parametrize(
    "text", ["No one came.", "One of the best.", "Often tense.", "The may pole.", "A third party.", ""]
)
def test_words_that_only_sound_like_numbers_are_none(text: str) -> None:
    assert mentions(text) == ()


@pytest.mark.parametrize(
    ("text", "subjects"),
    [
        ("80 offices in 45+ countries", ["office", "country"]),
        ("60% of members stayed.", ["member"]),
        ("The number of geese rose to 70.", ["goose"]),
        ("Staff: 70. Depots: 4.", ["staff", "depot"]),
        ("There are more cats (34) than dogs (29).", ["cat", "dog"]),
        ("12 of the 70 clerks stayed.", ["clerk", "clerk"]),
        ("14 large new wooden crates broke.", ["crate"]),
        ("The wall is 4 m high.", ["wall"]),
        ("No more than 8 guests, no fewer than 3.", ["guest", "guest"]),
    ],
)
def test_the_subject_is_what_the_sentence_counts(text: str, subjects: list[str]) -> None:
    assert [found.subject for found in mentions(text)] == subjects


def test_a_scope_note_stands_over_the_sentence() -> None:
    found = mentions("We are in 91 countries.", scope="placements of candidates, not offices")
    assert [mention.subject for mention in found] == ["placement"]


@pytest.mark.parametrize(
    ("text", "modifier"),
    [
        ("about 70 crates", Modifier.ABOUT),
        ("more than 70 crates", Modifier.OVER),
        ("no more than 70 crates", Modifier.AT_MOST),
        ("70+ crates", Modifier.AT_LEAST),
        ("70 or more crates", Modifier.AT_LEAST),
        ("nearly 70 crates", Modifier.NEARLY),
        ("up to 70 crates", Modifier.UP_TO),
        (">70 crates", Modifier.OVER),
        ("a plan over 70 days", None),
        ("70 crates", None),
    ],
)
def test_the_words_around_a_figure_bound_it(text: str, modifier: Modifier | None) -> None:
    assert only(text).modifier is modifier


SIGNS = {
    "en": (",", "."),
    "de": (".", ","),
    "fr": ("\u202f", ","),
    "de-CH": ("’", "."),
    "sv": ("\u00a0", ","),
    "es": (".", ","),
}


@given(st.integers(0, 10**12), st.integers(0, 999), st.sampled_from(sorted(SIGNS)), st.booleans())
def test_what_a_locale_writes_is_read_back(whole: int, decimals: int, locale: str, with_decimals: bool) -> None:
    group, point = SIGNS[locale]
    written = f"{whole:,}".replace(",", group)
    value = Decimal(whole)
    if with_decimals:
        written += f"{point}{decimals:03}0"
        value += Decimal(decimals) / 1000
    found = only(f"= {written} %", locale)
    assert (found.value, found.unit) == (value, "percent")


@given(
    st.text(alphabet="019 .,-–/%$€kmx’'()[]\u200b\n½²abAIMonceforty°:", max_size=60),
    st.sampled_from([None, "de", "fr"]),
)
def test_mentions_are_ordered_disjoint_slices_of_any_text(text: str, locale: str | None) -> None:
    last = 0
    for found in mentions(text, locale):
        assert found.raw == text[found.start : found.end] != ""
        assert last <= found.start
        last = found.end


@pytest.mark.parametrize(
    ("text", "raw", "value"),
    [
        ("Bills fell by a third after that.", "a third", Decimal(1) / 3),
        ("Sales rose by a quarter in May.", "a quarter", Decimal("0.25")),
        ("We cut it by a fifth.", "a fifth", Decimal("0.2")),
    ],
)
def test_what_something_changed_by_is_a_share(text: str, raw: str, value: Decimal):
    found = mentions(text)[0]
    assert (found.raw, found.kind, found.value, found.unit) == (raw, Kind.RATIO, value, "fraction")


def test_a_third_of_a_row_of_people_is_an_ordinal():
    assert only("It was seen by a third man.").kind is Kind.ORDINAL


@pytest.mark.parametrize(
    ("text", "raw"),
    [
        ("It lasts 30 yrs. We mean it.", "30 yrs"),
        ("It lasts 30 yrs.", "30 yrs"),
        ("It has 30 yrs. of use.", "30 yrs."),
        ("It took 5 hrs.\nThen it was over.", "5 hrs"),
        ("It fell 40 bps. (We saw it.)", "40 bps"),
    ],
)
def test_the_stop_of_a_sentence_is_no_part_of_a_unit(text: str, raw: str):
    assert only(text).raw == raw


def test_no_number_runs_on_over_an_empty_line():
    first, second = mentions("Turn it up to 11\n\nDecember 30, 2015")
    assert (first.raw, second.raw) == ("11", "December 30, 2015")
    assert [one.raw for one in mentions("forty\n \nfive")] == ["forty", "five"]
    assert only("forty\nfive").value == 45


@pytest.mark.parametrize(
    ("text", "modifier"),
    [
        ("With over 45 years behind it.", Modifier.OVER),
        ("Never more than eight of you go.", Modifier.AT_MOST),
        ("Never fewer than eight of you go.", Modifier.AT_LEAST),
        ("It took nearly half a century.", Modifier.NEARLY),
        ("It took more than a quarter of a century.", Modifier.OVER),
    ],
)
def test_a_bound_is_read_wherever_it_stands(text: str, modifier: Modifier):
    assert only(text).modifier is modifier


def test_a_sheet_of_a_map_is_a_name():
    assert [one.kind for one in mentions("Take sheet 157 or 170.")] == [Kind.IDENTIFIER] * 2
    assert only("Take 12 sheets.").kind is Kind.COUNT
