"""Terms are worth what their rarity in all indexes together says."""

import sqlite3
from contextlib import closing

import pytest

from affidavit.search.index import SCHEMA, Index, Table, Weights, by_rarity
from affidavit.search.terms import Term, terms

EVEN = Weights(1.0, 1.0, 1.0)


def made(texts, published=None):
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    connection.executescript(SCHEMA)
    for number, text in enumerate(texts, 1):
        date = (published or {}).get(number)
        connection.execute("INSERT INTO pages VALUES (?, ?, ?, 't', ?)", (number, f"u{number}", f"u{number}", date))
        connection.execute("INSERT INTO pages_fts (rowid, title, headings, body) VALUES (?, '', '', ?)", (number, text))
        connection.execute("INSERT INTO passages VALUES (?, ?, 0, 1, '', ?)", (number, number, text))
        connection.execute("INSERT INTO passages_fts (rowid, body) VALUES (?, ?)", (number, text))
    return closing(Index(connection))


def test_a_word_of_every_page_still_counts():
    with made(["agency lion", "agency tiger", "agency bear"]) as index:
        (weighted,) = by_rarity([index], Table.PAGES, terms("agency"))
        ranked = index.ranked(Table.PAGES, weighted, EVEN, 10)
        assert len(ranked) == 3
        assert all(score > 0.05 for _, score in ranked)


def test_equal_pages_of_two_indexes_score_alike_however_rare_the_word_in_each():
    with made(["lion x"] + ["bear x"] * 9) as rare, made(["lion x"] * 9 + ["bear x"]) as common:
        pair = by_rarity([rare, common], Table.PAGES, [Term('"lion"')])
        scores = [
            index.ranked(Table.PAGES, own, EVEN, 1)[0][1] for index, own in zip([rare, common], pair, strict=True)
        ]
        assert scores[0] == pytest.approx(scores[1])


def test_terms_add_up_by_their_weight():
    with made(["lion", "tiger", "bear"]) as index:
        one = dict(index.ranked(Table.PAGES, [Term('"lion"', 1.0)], EVEN, 10))
        twice = dict(index.ranked(Table.PAGES, [Term('"lion"', 2.0), Term('"tiger"', 1.0)], EVEN, 10))
        assert twice[1] == pytest.approx(2 * one[1])
        assert set(twice) == {1, 2}


@pytest.mark.parametrize("table", list(Table))
def test_dates_to_a_year_or_a_month_count_where_any_of_their_days_may(table):
    dates = {1: "2025", 2: "2025-12", 3: "2025-12-31", 4: "2026-01", 5: None, 6: "2026-02-02", 7: "2026"}
    with made(["lion"] * 7, dates) as index:
        ranked = index.ranked(table, [Term('"lion"')], EVEN, 10, ("2026-01-15", "2026-02-01"))
        assert {identity for identity, _ in ranked} == {4, 7}
        ranked = index.ranked(table, [Term('"lion"')], EVEN, 10, ("2025-12-01", "2026-02-01"))
        assert {identity for identity, _ in ranked} == {1, 2, 3, 4, 7}


def test_no_terms_no_rows():
    with made(["lion"]) as index:
        assert index.ranked(Table.PAGES, [], EVEN, 10) == []


def test_an_index_that_is_whole_is_sound():
    with made(["lion"]) as index:
        assert index.is_sound()
