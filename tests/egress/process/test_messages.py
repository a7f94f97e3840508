"""What goes into a frame comes out of it the same."""

from hypothesis import given
from hypothesis import strategies as st

from affidavit.egress.api import ApiCall
from affidavit.egress.gateway import Decision
from affidavit.egress.process.frames import Frame
from affidavit.egress.process.messages import (
    FetchReply,
    SearchReply,
    fetch_frame,
    read_fetch,
    read_search,
    search_frame,
)
from affidavit.egress.received import Received
from affidavit.errors import FailureKind, PageFailure, SearchFailure, SearchFailureKind
from affidavit.evidence.document import Fetched
from affidavit.ranking.hit import Hit

texts = st.text(max_size=20)
some = st.none() | texts
numbers = st.integers(0, 2**40)
seconds = st.floats(0, 1e6)
headers = st.lists(st.tuples(texts, texts), max_size=3).map(tuple)
decisions = st.builds(
    Decision, url=texts, host=texts, allowed=st.booleans(), reason=texts, bytes=numbers, seconds=seconds, how=some,
    address=some, status=st.none() | numbers, received=numbers, hop=numbers, purpose=texts,
)  # fmt: skip
received = st.builds(
    Received, url=texts, status=numbers, phrase=texts, headers=headers, raw=st.binary(max_size=50), retrieved_at=texts,
    address=some,
)  # fmt: skip
pages = st.builds(
    Fetched, requested_url=texts, final_url=texts, retrieved_at=texts, status=numbers, headers=headers,
    body=st.binary(max_size=50),
)  # fmt: skip
page_failures = st.builds(PageFailure, st.sampled_from(FailureKind), texts, texts)
search_failures = st.builds(
    SearchFailure, st.sampled_from(SearchFailureKind), texts, texts, st.none() | seconds, texts.filter(bool)
)
hits = st.builds(Hit, url=texts, title=texts, snippet=texts, published=some, provider=texts, rank=numbers)
calls = st.builds(
    ApiCall, endpoint=texts, method=texts, url=texts, host=texts, reason=texts, status=st.none() | numbers,
    bytes=numbers, seconds=seconds,
)  # fmt: skip


def few(one):
    return st.lists(one, max_size=3).map(tuple)


def parts(value):
    return value.__reduce__() if isinstance(value, Exception) else value


@given(numbers, st.builds(FetchReply, result=pages | page_failures, decisions=few(decisions), kept=few(received)))
def test_a_fetch_comes_back_whole(n, reply):
    said, blobs = fetch_frame(n, reply)
    again = read_fetch(Frame(said, b"".join(blobs)))
    assert parts(again.result) == parts(reply.result)
    assert (again.decisions, again.kept) == (reply.decisions, reply.kept)


@given(st.builds(FetchReply, result=pages, kept=few(received)))
def test_a_body_that_was_kept_goes_once(reply):
    _, blobs = fetch_frame(1, reply)
    twice = bool(reply.kept) and reply.kept[-1].raw == reply.result.body
    assert len(blobs) == len(reply.kept) + (not twice)


@given(
    numbers, st.builds(SearchReply, result=few(hits) | search_failures, failures=few(search_failures), calls=few(calls))
)
def test_a_search_comes_back_whole(n, reply):
    again = read_search(Frame(search_frame(n, reply)))
    assert parts(again.result) == parts(reply.result)
    assert [parts(one) for one in again.failures] == [parts(one) for one in reply.failures]
    assert again.calls == reply.calls
