"""Runs with a scripted model over a real archive: true claims and near misses of them, on the same real quotations."""

import json
from pathlib import Path

import pytest

from affidavit.evidence.answer import State
from affidavit.models.embedded import PairJudge
from affidavit.verify import EmbeddedVerifier

from .conftest import World, draft, fetch, plan, quote, spans_in

SITE = "pages.nist.gov"


@pytest.fixture(scope="module")
def site(shared: Path, make_world, tmp_path_factory: pytest.TempPathFactory) -> World:
    return make_world(archive=shared / "data/web" / f"{SITE}.warc.gz")


@pytest.fixture(scope="module")
def questions(shared: Path):
    lines = (shared / "data/golden/dev/questions.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    return [row for row in rows if row["site"] == SITE and row["answerable"]]


def test_true_claims_and_near_misses_on_the_same_quotation(site: World, questions):
    """No near miss is published, whatever quotation it hangs on; quotations copied from the page are found at once."""
    told, quoted, published = 0, 0, 0
    for row in questions:
        fact = row["facts"][0]
        name, locator = fact["url"].rpartition("/")[2] or fact["url"], " ".join(fact["quote"].split()[:9])

        def reply(request, fact=fact, row=row):
            spans = spans_in(request)
            texts = [fact["quote"], *row["near_misses"]]
            return draft(*({"text": text, "span_ids": spans[:1] or ["span_0"]} for text in texts[:4]))(request)

        ran = site.ask(
            [plan(row["question"]), fetch(name), quote(name, locator, max_chars=900), reply, *[draft()] * 12],
            question=row["question"],
            verifier=EmbeddedVerifier(PairJudge() if PairJudge.available() else None),
        )
        told += 1
        quoted += bool(ran.of("span"))
        published += fact["quote"] in ran.published
        assert ran.answer.state in set(State)
        assert not set(row["near_misses"]) & set(ran.published)
        assert set(ran.published) <= {claim["text"] for one in ran.of("draft") for claim in one["claims"]}
    print(f"{SITE}: {told} questions, {quoted} quoted at the first try, {published} published word for word")
    assert quoted >= 0.85 * told
