"""A live site that fails after a good crawl, over real sockets on loopback: what it stated before stands."""

from pathlib import Path

from affidavit.facts.page import CrawlLimits
from affidavit.reach import Reach
from affidavit.register import Crawled, Site, open_registrar

from .egress.hostile_server import reply
from .local_web import LocalWeb, local_web

HOME = "https://harbour.example.org/"


def html(said: str) -> bytes:
    links = "<a href=/about>About</a> <a href=/services>Services</a>"
    return f"<html lang=en><title>Harbour</title><nav>{links}</nav><main><p>{said}</p></main></html>".encode()


def crawl(web: LocalWeb) -> Crawled:
    with open_registrar(web.settings(fetch_seconds=20.0), Reach(live=True), live=web.live) as registrar:
        return registrar.crawl(Site(customer="Harbour", url=HOME, limits=CrawlLimits(fresh_days=0)))


def test_an_error_of_the_site_takes_no_fact_away_and_a_missing_page_takes_its_own(tmp_path: Path):
    with local_web(tmp_path) as web:
        web.site.pages |= {
            HOME: reply(html("We have 120 people at work in the harbour of the town.")),
            HOME + "about": reply(html("We have 45 offices along the coast of the county.")),
            HOME + "services": reply(html("We offer 300 moorings on the quays of the town.")),
        }
        first = {fact.value for fact in crawl(web).renewal.after.facts}
        assert first == {"120", "45", "300"}
        web.site.pages |= {
            HOME + "about": reply(html("Sorry."), status="500 Internal Server Error"),
            HOME + "services": reply(html("There is no such page."), status="404 Not Found"),
        }
        second = crawl(web)
        assert {fact.value for fact in second.renewal.after.facts} == {"120", "45"}
        assert any(HOME + "about" in warning for warning in second.run.warnings)
        web.site.pages[HOME] = reply(html("Sorry."), status="503 Service Unavailable")
        third = crawl(web)
    assert not third.run.pages
    assert third.renewal.after == second.renewal.after
