"""The phrase table is sound, and matching folds only what nobody reads."""

import tomllib
from importlib import resources

import pytest

from affidavit.errors import FailureKind
from affidavit.extract.phrases import count_words, fold, table


def rows() -> list[tuple[str, str, str, str]]:
    source = resources.files("affidavit.extract").joinpath("block_phrases.toml").read_text(encoding="utf-8")
    return [
        (kind, part, language, phrase)
        for kind, parts in tomllib.loads(source).items()
        for part, languages in parts.items()
        for language, phrases in languages.items()
        for phrase in phrases
    ]


def test_every_phrase_is_found_by_its_own_pattern() -> None:
    for kind, part, _, phrase in rows():
        pattern = getattr(table()[FailureKind(kind)], part)
        assert pattern.search(fold(phrase.replace("*", "x"))), (kind, part, phrase)


def test_no_row_holds_a_phrase_twice() -> None:
    seen = rows()
    assert sorted({row for row in seen if seen.count(row) > 1}) == []


def test_folding_drops_case_quotes_and_punctuation_and_no_letter() -> None:
    assert fold("  We’ll BE back —\u00a0soon! ") == "we'll be back soon"
    assert fold("Доступ ограничен") == "доступ ограничен"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Accept all cookies to continue", True),
        ("Accept the site's own and others' cookies to continue", True),
        ("Accept what the ministry of the interior says about cookies to continue", False),
    ],
)
def test_a_star_stands_for_at_most_five_words(text: str, found: bool) -> None:
    assert (table()[FailureKind.COOKIE_WALL].wall.search(fold(text)) is not None) is found


def test_phrases_match_whole_words_only() -> None:
    assert table()[FailureKind.SOFT_404].head.search(fold("forgone conclusions")) is None


def test_words_are_counted_in_scripts_with_and_without_spaces() -> None:
    assert count_words("It’s 84,909 people a day.") == 6
    assert count_words("水車は1945年に開いた") == 5
    assert count_words("") == 0
    assert count_words("a" * 4000) == 100
