"""Letters at places, made into words and lines."""

import random
from typing import Any

import pytest

WIDTHS = {
    " ": 0.278,
    "i": 0.222,
    "l": 0.222,
    "t": 0.278,
    "f": 0.278,
    ".": 0.278,
    "T": 0.611,
    "r": 0.333,
    "c": 0.5,
    "s": 0.5,
}


def placed(maker: Any, text: str, size: float = 11) -> list[str]:
    """One text object a letter, no spaces."""
    x, letters = 60.0, []
    for letter in text:
        if letter != " ":
            letters.append(maker.show(letter, round(x, 2), 700, size))
        x += WIDTHS.get(letter, 0.556) * size
    return letters


def test_letters_placed_one_by_one_become_words(maker: Any, read_pdf: Any) -> None:
    text = "The crane lifts 40 tonnes of salt."
    letters = placed(maker, text)
    random.Random(5).shuffle(letters)
    assert read_pdf(maker.new().page("".join(letters)).body).text == text


def test_spaces_nobody_drew_are_set(maker: Any, read_pdf: Any) -> None:
    content = "BT /F1 11 Tf 60 700 Td [(The)-300(cl)15(erk)-278(si)10(gned)-300(it)20(.)] TJ ET"
    assert read_pdf(maker.new().page(content).body).text == "The clerk signed it."


def test_spaced_out_type_is_one_word_a_word(maker: Any, read_pdf: Any) -> None:
    content = maker.show("SPACED HEADING", 60, 700, 14, before="5 Tc")
    assert read_pdf(maker.new().page(content).body).text == "SPACED HEADING"


def test_leader_dots_do_not_swallow_word_spaces(maker: Any, read_pdf: Any) -> None:
    dots = "".join(maker.show(".", 160 + 5 * i, 700) for i in range(40))
    words = "BT /F1 11 Tf 60 700 Td [(The)-300(north)-300(arch)] TJ ET\n"
    assert read_pdf(maker.new().page(words + dots).body).text.startswith("The north arch")


def test_small_capitals_belong_to_their_line(maker: Any, read_pdf: Any) -> None:
    content = maker.show("T", 60, 700) + maker.show("HE HARBOUR", 66.8, 700, 8) + maker.show("was closed.", 124, 700)
    assert read_pdf(maker.new().page(content).body).text == "THE HARBOUR was closed."


@pytest.mark.parametrize(
    ("before", "mark", "x", "rise", "text"),
    [
        ("It was used in 1963", "4", 154.5, 4, "It was used in 1963⁴"),
        ("An area of 10 m", "2", 137.8, 4, "An area of 10 m²"),
        ("It is made of H", "2", 131.2, -2, "It is made of H2"),
        ("It was the 4", "th", 115.0, 4, "It was the 4th"),
    ],
)
def test_raised_and_lowered_marks_are_never_figures(
    maker: Any, read_pdf: Any, before: str, mark: str, x: float, rise: float, text: str
) -> None:
    content = maker.show(before, 60, 700) + maker.show(mark, x, 700 + rise, 7)
    assert read_pdf(maker.new().page(content).body).text == text


def test_text_turned_on_its_side_is_read(maker: Any, read_pdf: Any) -> None:
    content = "BT /F1 11 Tf 0 1 -1 0 200 100 Tm (Seventy-seven cranes stood) Tj 0 -14 Td (here in 1911.) Tj ET"
    assert read_pdf(maker.new().page(content).body).text == "Seventy-seven cranes stood here in 1911."


def test_text_set_upside_down_and_aslant_is_read(maker: Any, read_pdf: Any) -> None:
    content = "BT /F1 11 Tf -1 0 0 -1 400 600 Tm (Upside down words) Tj ET\n"
    content += "BT /F1 11 Tf 0.7071 0.7071 -0.7071 0.7071 100 100 Tm (Words going uphill) Tj ET"
    assert set(read_pdf(maker.new().page(content).body).text.split("\n\n")) == {
        "Upside down words",
        "Words going uphill",
    }


def test_japanese_in_lines_is_joined_without_spaces(maker: Any, read_pdf: Any) -> None:
    content = maker.lines(["港の橋は1932年に開通し", "た。全長は503メートル。"], 60, 700, 12, 18, font="J")
    assert read_pdf(maker.new().page(content).body).text == "港の橋は1932年に開通した。全長は503メートル。"


def test_japanese_in_columns_is_read_from_the_right(maker: Any, read_pdf: Any) -> None:
    columns = ["港の橋は千九百三十二年に開通し", "た。全長は五百三メートルである。"]
    content = "".join(maker.show(column, 400 - 20 * i, 780, 12, "V") for i, column in enumerate(columns))
    assert read_pdf(maker.new().page(content).body).text == "".join(columns)


def test_a_page_turned_by_the_file_is_read_as_shown(maker: Any, read_pdf: Any) -> None:
    content = "q 0 1 -1 0 595 0 cm " + maker.lines(["The first line of the page", "and the second."], 60, 500) + "Q"
    document = read_pdf(maker.new().page(content, entries="/MediaBox [0 0 595 842] /Rotate 90").body)
    assert document.text == "The first line of the page and the second."
