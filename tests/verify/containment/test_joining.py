"""A claim whose every word stands in the span, joined as the span does not join them, and honest claims beside it."""

import pytest

from affidavit.gates.polarity.reading import read
from affidavit.verify.containment.joining import joined

BOARD = "Last week, harbour master Ines Duarte announced a new ferry for the islands, beside the Coastal Trust."
CREWS = "In March 2018, three crews inspected the bridge, with all county crews preparing for a second visit."
THEY = "The villages wrote to the council. They accepted that the Tidal Board had closed the sluice."
COUNTED = "9,400 visitors entered the museum, and 2,150 visitors bought a guided tour."
DATED = "In May 2021, the schools described their trials of the meter while testing it during the winter of 2019."
BOUND = "Permits cost nine pounds. Those issued to foreign boats SHALL be valid for up to 30 days."
STEP = "The next task? Persuade the growers to sell their entire harvest at the market."
NOT_SO = "The council promised that the new station would be ready to open in June. It wasn’t."


@pytest.mark.parametrize(
    ("claim", "span", "says"),
    [
        ("The Coastal Trust announced a new ferry for the islands.", BOARD, "another"),
        ("All county crews inspected the bridge.", CREWS, "another"),
        ("The Tidal Board accepted that the sluice had been closed.", THEY, "another"),
        ("9,400 visitors bought a guided tour of the museum.", COUNTED, "9,400"),
        ("The schools described their trials of the meter in the winter of 2019.", DATED, "2019"),
        ("Permits may be valid for up to 30 days.", BOUND, "alone"),
        ("The growers were persuaded to sell their entire harvest at the market.", STEP, "asks"),
        ("The new station would be ready to open in June, as the council promised.", NOT_SO, "takes it back"),
        ("The sluice was closed for good by the Tidal Board.", THEY, "for good"),
    ],
)
def test_what_the_span_does_not_join_is_doubted(claim: str, span: str, says: str):
    assert any(says in one for one in joined(read(claim), read(span)))


@pytest.mark.parametrize(
    ("claim", "span"),
    [
        ("Ines Duarte announced a new ferry for the islands.", BOARD),
        ("A new ferry was announced by Ines Duarte.", BOARD),
        ("Three crews inspected the bridge in March 2018.", CREWS),
        ("The villages accepted that the Tidal Board had closed the sluice.", THEY),
        ("2,150 visitors bought a guided tour.", COUNTED),
        ("Of 9,400 visitors, 2,150 bought a guided tour.", COUNTED),
        ("The schools described trials of the meter in May 2021.", DATED),
        ("The schools described testing the meter in the winter of 2019.", DATED),
        ("Permits issued to foreign boats may be valid for up to 30 days.", BOUND),
        ("The next task is to persuade the growers to sell their harvest.", STEP),
        ("The new station was not ready in June.", NOT_SO),
    ],
)
def test_what_the_span_says_in_other_words_is_not(claim: str, span: str):
    assert list(joined(read(claim), read(span))) == []
