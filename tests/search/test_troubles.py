from affidavit.errors import SearchFailure, SearchFailureKind
from affidavit.search.troubles import Troubles


def test_a_failure_is_told_once_with_how_often_it_came():
    troubles = Troubles(["before"])
    assert list(troubles) == ["before"]
    for _ in range(3):
        troubles(SearchFailure(SearchFailureKind.RATE_LIMITED, "tavily", "too many requests"))
    troubles(SearchFailure(SearchFailureKind.AUTH, "tavily", "no key"))
    assert len(troubles) == 3
    assert troubles[1].startswith("Not all was searched: provider tavily: rate limited: too many requests")
    assert troubles[1].endswith("(3 times).")
    assert "auth" in troubles[2]
    assert troubles[:1] == ("before",)
