"""Queries are text: whatever is typed becomes quoted words that FTS5 takes."""

import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.search.terms import MAX_TERMS, TOKENIZER, searchable, terms


@pytest.fixture(scope="module")
def table():
    connection = sqlite3.connect(":memory:")
    connection.execute(f'CREATE VIRTUAL TABLE t USING fts5(body, tokenize="{TOKENIZER}")')
    yield connection
    connection.close()


def found(connection, text, query):
    """Whether a page of `text` is found by each term of `query` alone, by term."""
    connection.execute("DELETE FROM t")
    connection.execute("INSERT INTO t VALUES (?)", (searchable(text),))
    return {
        term.match.strip('"'): bool(connection.execute("SELECT 1 FROM t WHERE t MATCH ?", (term.match,)).fetchall())
        for term in terms(query)
    }


@given(query=st.text(max_size=200))
def test_no_query_is_a_syntax_error(table, query):
    for term in terms(query):
        table.execute("SELECT count(*) FROM t WHERE t MATCH ?", (term.match,)).fetchall()


@pytest.mark.parametrize(
    "query", ["\"x' OR", "a AND (b", "title:x", "x*", "-x", "NEAR(a b, 2)", "^x", "{a b}: c", '"', "; DROP TABLE t; --"]
)
def test_what_looks_like_syntax_is_words(table, query):
    for term in terms(query):
        assert term.match.startswith('"')
        table.execute("SELECT count(*) FROM t WHERE t MATCH ?", (term.match,)).fetchall()


def test_operators_and_stop_words_are_dropped_and_the_rest_kept():
    assert [term.match for term in terms("criticism OR disputed AND NOT the retracted")] == [
        '"criticism"',
        '"disputed"',
        '"retracted"',
        '"criticism disputed"',
    ]


def test_a_query_of_stop_words_keeps_them():
    assert '"be"' in [term.match for term in terms("to be or not to be")]


@pytest.mark.parametrize(
    "identifier",
    ["800-63B", "3.14.0", "PEP 563", "M-15-13", ".gov", "C++", "C#", ".NET", "SP 800-63-3", "§5.1.1", "1,000"],
)
def test_identifiers_are_found_whole(table, identifier):
    assert all(found(table, f"As {identifier} says, it is so.", identifier).values())


@pytest.mark.parametrize(
    ("text", "query", "term"),
    [
        ("the language C alone", "C++", "cplusplus"),
        ("800 words, page 63", "800-63B", "800 63b"),
        ("version 3.1.40", "3.14.0", "3 14 0"),
    ],
)
def test_what_only_looks_like_an_identifier_is_not_found(table, text, query, term):
    assert found(table, text, query)[term] is False


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("Café Zürich", "cafe zurich"),
        ("the agencies were running", "agency"),
        ("the agencies were running", "runs"),
        ("Python’s release", "python"),
        ("about Python", "Python's"),
        ("1,500 people", "1500"),
        ("１２３ ＡＢＣ", "123 abc"),
        ("ﬁnancial", "financial"),
        ("soft\u00adware", "software"),
        ("हिन्दी भाषा", "हिन्दी"),
        ("東京都は日本の首都です。", "首都"),
        ("中国的首都是北京", "北京"),
        ("กรุงเทพเป็นเมืองหลวง", "เมืองหลวง"),
        ("대한민국의 수도", "수도"),
        ("Москва столица", "столица"),
    ],
)
def test_other_spellings_and_scripts_are_found(table, text, query):
    assert all(found(table, text, query).values())


def test_a_long_question_without_spaces_is_found_by_its_parts(table):
    hits = found(table, "東京都は日本の首都です。", "日本の首都はどこですか")
    assert sum(hits.values()) >= 4
    assert not all(hits.values())


def test_a_quoted_phrase_is_looked_for_as_one():
    assert '"in the wild"' in [term.match for term in terms('bugs "in the wild"')]


def test_neighbours_count_as_a_phrase_and_parts_of_a_compound_count_less():
    weights = {term.match.strip('"'): term.weight for term in terms("lock-file format")}
    assert weights["lock file"] == weights["format"] == 1.0
    assert 0 < weights["lock"] < 1
    assert 0 < weights["lock file format"] < 1


def test_a_query_of_a_megabyte_is_cut_to_the_terms_that_count_most():
    assert len(terms("word " + " ".join(f"w{number}" for number in range(100_000)))) == MAX_TERMS


@pytest.mark.parametrize("query", ["", "   ", "?!", "—", "\u200b"])
def test_a_query_without_words_looks_for_nothing(query):
    assert terms(query) == ()
