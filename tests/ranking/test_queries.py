"""Four queries for each thing asked."""

from affidavit.ranking.queries import Angle, four_queries, overlap


def test_the_four_queries_are_the_seed_s() -> None:
    assert [query.text for query in four_queries("Do LLM agents degrade on long horizon tasks?")] == [
        "do llm agents degrade on long horizon tasks",
        "do llm agents degrade on long horizon tasks evidence",
        "do llm agents degrade on long horizon tasks criticism OR disputed OR retracted",
        "do llm agents degrade on long horizon tasks original study OR primary source OR dataset",
    ]


def test_every_angle_is_searched_and_the_refutation_is_one() -> None:
    assert [query.angle for query in four_queries("x")] == list(Angle)


def test_white_space_and_end_marks_are_no_part_of_a_query() -> None:
    assert four_queries("  How   deep\nis it?! ")[0].text == "how deep is it"


def test_overlap_is_the_share_of_the_smaller_set() -> None:
    assert overlap(["a", "b"], ["b", "c", "d"]) == 0.5
    assert overlap(["a"], ["a", "b", "c"]) == 1.0
    assert overlap([], ["a"]) == overlap([], []) == 0.0
