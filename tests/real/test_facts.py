"""A real site read for facts without a model: 18f.gsa.gov from its archive."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import pytest

from affidavit.egress.archive import open_archive
from affidavit.egress.gateway import Gateway
from affidavit.egress.web import ArchiveWeb
from affidavit.evidence.document import Document, Fetched
from affidavit.extract.worker import Workers
from affidavit.facts import FactRun, gather_facts

SITE = "https://18f.gsa.gov/"


@pytest.fixture(scope="module")
def crawled(shared: Path) -> tuple[FactRun, dict[str, Document]]:
    documents: dict[str, Document] = {}
    web = ArchiveWeb([open_archive(shared / "data/web/18f.gsa.gov.warc.gz")])

    async def crawl(workers: Workers) -> FactRun:
        async def reader(fetched: Fetched) -> Document:
            document = await asyncio.wrap_future(workers.submit(fetched))
            documents[document.doc_id] = document
            return document

        gateway = Gateway(web, lambda _: None)
        return await gather_facts(SITE, gateway, reader, customer="18F", now=lambda: datetime(2025, 2, 8, tzinfo=UTC))

    with Workers(2, 20, 1024) as workers:
        return asyncio.run(crawl(workers)), documents


def test_fifteen_pages_give_a_register(crawled: tuple[FactRun, dict[str, Document]]):
    run, _ = crawled
    assert len(run.pages) == 15
    assert 10 <= len(run.register.facts) <= 30


def test_every_fact_is_quoted_from_its_page(crawled: tuple[FactRun, dict[str, Document]]):
    run, documents = crawled
    for fact in run.register.facts:
        for source in fact.sources:
            assert documents[source.doc_id].text[source.start : source.end] == source.quote


def test_what_is_approved_without_a_person_is_of_the_business_itself(crawled: tuple[FactRun, dict[str, Document]]):
    run, _ = crawled
    approved = [fact for fact in run.register.facts if fact.decided_by == "rule"]
    assert approved
    assert all(fact.owner is None and fact.conflict_group is None for fact in approved)
