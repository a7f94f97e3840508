"""Figures in a guise and claims of number without a value, and the honest sentences that use the same words."""

from datetime import date

import pytest

from affidavit.evidence.fact import Category, Fact, FactState, Register
from affidavit.write.boundary import Boundary

FACTS = {
    "ferries": "Kelp Line runs four ferries.",
    "founding": "Kelp Line was founded in 1981.",
    "winter": "In winter a trio of skippers is on call.",
    "drills": "The crew holds a fire drill twice a year.",
    "punctuality": "96% of sailings leave on time.",
}
REGISTER = Register(
    "Kelp Line",
    tuple(
        Fact(
            fact_id=subject,
            text=text,
            category=Category.NUMBERS,
            subject=subject,
            state=FactState.APPROVED,
            decided_by="Ann",
            added_by="Ann",
        )
        for subject, text in FACTS.items()
    ),
)
BLOCKED = (
    "Kelp Line runs quarante ferries.",
    "Kelp Line runs treinta y dos buses.",
    "Kelp Line runs veertig buses.",
    "Kelp Line has dix mille passengers.",
    "Kelp Line runs 🔟 ferries.",
    "Kelp Line runs 5️⃣0️⃣ buses.",
    "Kelp Line runs s i x t y buses.",
    "Kelp Line runs s-i-x-t-y buses.",
    "Kelp Line runs six-\nty buses.",
    "Kelp Line runs six ty buses.",
    "Kelp Line runs s1xty buses.",
    "Kelp Line runs ѕixty buses.",
    "Kelp Line runs ｓｉｘｔｙ buses.",
    "Kelp Line runs síxty buses.",
    "Kelp Line runs sixtybuses.",
    "Kelp Line runs sixhundred buses.",
    "Kelp Line runs buses x60.",
    "Kelp Line runs six**ty** buses.",
    "Kelp Line runs `sixty` buses.",
    "We have a quintet of piers.",
    "Our sextet of cooks is famous.",
    "A ticket saves a family ten grand.",
    "We saved the island two mil.",
    "We bring a quarter-century of seamanship.",
    "We have sailed since the nineties.",
    "We charge double the old fare.",
    "Kelp Line gives 💯 cover.",
    "We win nine-to-one.",
    "We have a 3:1 ratio of cooks to guests.",
)
TOLD = (
    "We run a handful of piers.",
    "<span title='vingt buses'>Kelp Line</span> sails.",
    "Tens of thousands have crossed with us.",
    "We have won umpteen prizes.",
    "Kelp Line has tons of regular guests.",
    "Every third islander sails with us.",
    "Most of our islanders come by boat.",
    "We cross in half the time.",
    "We have just opened our fifth pier.",
    "Umpteen islanders have crossed with us.",
    "Our fifth pier opens in May.",
    "For the third year running we won Ferry of the Year.",
    "We are a third-generation family firm.",
    "We won a six-figure grant.",
    "We had double-digit growth.",
    "Thousands have crossed with us.",
    "Our savings run into the millions.",
    "Kelp Line runs XL buses.",
    "Kelp Line runs buses60.",
    "It costs a few quid.",
    "We rank second on the coast.",
)
HONEST = (
    "The office is open 24/7.",
    "One of our skippers will call you back, first and foremost about the tide.",
    "Here are a couple of tips, and a handful of rules.",
    "The view is second to none, and there is zero tolerance for litter.",
    "Do not book at the eleventh hour.",
    "Pack an XL coat, an A4 map and vitamin B12.",
    "The till runs on Windows 11, and the bridge on a Model 3 radar.",
    "Our crew holds a fire drill twice a year.",
    "In winter a trio of skippers is on call with us.",
    "We run four ferries.",
    "Sevenoaks and the millionaires of the seventies are far away.",
    "A grand idea needs no grand piano.",
    "A pair of gloves is useful, and so is a second coat.",
    "The bench doubles as a locker; we double-check it.",
    "Venti is a size of coffee, and a quince is a fruit.",
    "It's even better at dusk, and a six-figure grid reference finds the pier.",
    "Type II lamps and King Charles III are not ours.",
    "Our fifth floor is shut, and in our second letter we say that every second counts.",
    "A cent saved is a mille-feuille earned.",
    "Our kitchen plates mille feuilles and a trio of cheeses, and serves venti cups.",
    "We fit a pair of hinges and a brace of hooks.",
    "For ty-raps, ask the MD; our IV drips, DL leaflets and XL towels are below.",
    "Henry VIII and Mark XL trucks are in our museum.",
    "This is 💯 our best deck. Fold the towels x2 and the blankets x12.",
    "The pub has stood since the sixties, and we only pass it.",
    "In French, soixante boats would be a fleet.",
    "We halve each lemon, and our loaves are double proved.",
    "We have sanded countless decks, and have a couple of questions.",
    "Every third plank is ours to paint; the trio of plates is yours.",
    "Our second coat dries overnight, and our third edition of the map is out.",
    "Our islanders buy eggs by the hundred.",
    "Our handful of ferries is painted, and our third ferry is the white one.",
    "A few quid saved on paint is no saving, and a multi-year lease is long.",
)
SOURCED = (
    "We have a couple of buses.",
    "Our second bus is the white one.",
    "Most of our passengers come back.",
    "We are a third-generation crew.",
    "A pier saves the island ten grand.",
    "We have four ty lifebelts.",
)
MORE = (
    "Kelp Line has two buses.",
    "62% of passengers come back.",
    "The crew is in its third generation.",
    "The pier saves the island £10,000.",
    "There are 40 lifebelts on board.",
)


def found(draft, texts=()):
    issues = Boundary.of_register(REGISTER, *texts, today=date(2026, 11, 30)).check(draft)
    return [(one.blocks, one.code, one.message) for one in issues]


@pytest.mark.parametrize("draft", BLOCKED)
def test_a_number_in_a_guise_is_held_to_the_facts(draft):
    assert [one for one in found(draft) if one[0]]


@pytest.mark.parametrize("draft", TOLD)
def test_a_claim_of_number_without_a_value_is_told_and_blocks_nothing(draft):
    assert {blocks for blocks, _, _ in found(draft)} == {False}


@pytest.mark.parametrize("draft", HONEST)
def test_the_same_words_in_another_sense_are_left_alone(draft):
    assert [one for one in found(draft) if one[1] not in ("repeated_figure", "name_without_source")] == []


@pytest.mark.parametrize("draft", SOURCED)
def test_a_claim_is_borne_out_by_a_figure_that_it_may_stand_for(draft):
    assert found(draft, MORE) == []
    assert found(draft)


def test_a_number_in_quotation_marks_is_told_and_blocks_nothing():
    assert {blocks for blocks, _, _ in found("Children learn to write “treinta libros” on board.")} == {False}


def test_the_parts_of_a_very_long_sentence_are_read():
    draft = "We run " + "a boat and " * 900 + "quarante boats and a handful of offices."
    assert [(blocks, message[:12]) for blocks, _, message in found(draft)][:1] == [(True, "“quarante” r")]


def test_the_finding_stands_where_the_writer_wrote_it():
    draft = "We sail.\n\nKelp Line runs **zwanzig** buses and f1fty cars.\n"
    issues = Boundary.of_register(REGISTER, today=date(2026, 11, 30)).check(draft)
    assert [draft[one.start : one.end] for one in issues if one.blocks] == ["zwanzig", "f1fty"]
    assert "“zwanzig” reads as “twenty”" in issues[0].message
    assert issues[0].sentence == "Kelp Line runs zwanzig buses and f1fty cars."
