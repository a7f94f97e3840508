from affidavit.research.convergence import Convergence, Coverage, Rounds, differs, landing


def said(decision="CONTINUE", action="Read the regulation itself", *coverage):
    found = [Coverage(subquestion=n, span_ids=list(ids), state=state) for n, ids, state in coverage]
    return Convergence(coverage=found, decision=decision, next_action=action, reason="because")


def test_search_again_with_better_terms_is_no_other_action():
    for action in (
        "Search again with better terms",
        "Search again using different keywords and refine the query",
        "Try more specific search terms to find relevant pages",
    ):
        assert not differs(action, ["searched: battery reporting rules"])


def test_an_action_that_names_something_new_is_another():
    tried = ["searched: battery reporting rules", "fetched: news.example/batteries"]
    assert differs("Read the regulation itself rather than the trade press about it", tried)


def test_an_action_that_repeats_a_query_is_none():
    assert not differs("Search for battery reporting rules", ["searched: battery reporting rules"])


def test_a_subquestion_is_covered_only_by_quotations_that_exist():
    rounds = Rounds(1)
    rounds.observe(said("DRAFT", None, (1, ["span_made_up"], "covered")), ["span_real"])
    assert rounds.states == {1: "empty"}
    assert not rounds.covered


def test_a_subquestion_that_the_check_forgets_is_empty():
    rounds = Rounds(2)
    rounds.observe(said("DRAFT", None, (1, ["span_real"], "covered")), ["span_real"])
    assert rounds.states == {1: "covered", 2: "empty"}
    assert landing(said("DRAFT", None), rounds, [], spans=True) == "the convergence check stops here"


def test_a_round_that_brought_a_quotation_is_no_failed_round():
    rounds = Rounds(2)
    for quotations in (0, 1, 1):
        rounds.searched(1, quotations)
    assert rounds.failed == {1: 1}
    rounds.searched(2, 1)
    assert rounds.closed == []
    rounds.searched(1, 1)
    assert rounds.closed == [1]


def test_no_action_is_no_reason_to_go_on():
    rounds = Rounds(1)
    rounds.observe(said(), [])
    assert landing(said("CONTINUE", None), rounds, [], spans=True) is not None
    assert landing(said(), rounds, [], spans=True) is None
    assert landing(said("DRAFT"), rounds, [], spans=False) is None, "there is nothing to draft from yet"
