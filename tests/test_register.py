"""A site read for facts, its register renewed, and a person's decisions kept whatever the site says next."""

from collections.abc import Callable
from pathlib import Path

import pytest

from affidavit.errors import UserError
from affidavit.evidence.fact import Fact, FactState, Register
from affidavit.facts.decide import Edit, Who, approve, edit, reject
from affidavit.facts.page import CrawlLimits
from affidavit.facts.run import FactRun
from affidavit.facts.store import Registers
from affidavit.ledger.violation import violations
from affidavit.models.cast import Cast
from affidavit.models.scripted import ScriptedModel, said
from affidavit.reach import Reach
from affidavit.register import Crawled, Site, open_registers, open_registrar
from affidavit.replay import replay
from affidavit.report.replay_report import Outcome
from affidavit.settings import Settings, load_settings
from affidavit.wiring import Listeners, open_ledger

ADA = Who("Ada Marsh", "2026-03-02T09:00:00Z")
HOME = "https://harbour.invalid/index.html"


def html(title: str, *paragraphs: str) -> str:
    links = "".join(f"<a href={name}.html>{name}</a> " for name in ("index", "about", "services"))
    body = "".join(f"<p>{text}</p>" for text in paragraphs)
    return f"<html lang=en><title>{title}</title><nav>{links}</nav><main><h1>{title}</h1>{body}</main></html>"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "harbour"
    folder.mkdir()
    (folder / "index.html").write_text(
        html(
            "Harbour of Aldermoor",
            "We look after the harbour of Aldermoor and everybody who comes here by boat, in summer and in winter.",
            "Our team of 120 people works in shifts, so that somebody answers the radio at any hour of the day.",
        )
    )
    (folder / "about.html").write_text(
        html(
            "About the harbour",
            "We were founded in 1871 by the fishermen of the town, who dug the first basin with their own hands.",
            "We have 45 offices along the coast, each with a harbour master of its own and a boat that is ready.",
        )
    )
    (folder / "services.html").write_text(
        html(
            "What we do",
            "We offer moorings by the night, by the season and by the year, with water and power on every quay.",
            "We have 60 offices along the coast, and a mooring can be paid for in all of them.",
        )
    )
    return folder


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings({}, data_dir=tmp_path / "data", cache_dir=tmp_path / "cache", workers=1)


@pytest.fixture
def crawl(site: Path, settings: Settings) -> Callable[..., Crawled]:
    def go(url: str = HOME, *, dry_run: bool = False, fresh_days: int = 0, pages: int = 15) -> Crawled:
        with open_registrar(settings, Reach.named([str(site)])) as registrar:
            asked = Site(customer="Harbour", url=url, limits=CrawlLimits(fresh_days=fresh_days, pages=pages))
            return registrar.crawl(asked, dry_run=dry_run)

    return go


def facts_of(settings: Settings) -> dict[str, Fact]:
    with open_registers(settings) as registers:
        return {fact.text: fact for fact in registers.load("Harbour").facts}


def one_with(settings: Settings, words: str) -> Fact:
    (found,) = [fact for text, fact in facts_of(settings).items() if words in text]
    return found


def test_a_crawl_makes_a_register_whose_quotes_stand_on_its_pages(
    crawl: Callable[..., Crawled], settings: Settings, site: Path
):
    done = crawl()
    assert len(done.run.pages) == 3
    founded = one_with(settings, "1871")
    assert founded.sources[0].url.endswith("about.html")
    for fact in facts_of(settings).values():
        for source in fact.sources:
            page = (site / source.url.rpartition("/")[2]).read_text()
            assert source.quote in page


def test_what_contradicts_itself_across_pages_is_a_conflict_with_both_quotes(
    crawl: Callable[..., Crawled], settings: Settings
):
    crawl()
    with open_registers(settings) as registers:
        (group,) = registers.load("Harbour").register.conflicts().values()
    assert {fact.value for fact in group} == {"45", "60"}
    assert {fact.sources[0].url.rpartition("/")[2] for fact in group} == {"about.html", "services.html"}
    assert all(fact.state is FactState.PENDING for fact in group)


def test_the_reading_is_a_run_of_its_own_that_did_nothing_forbidden(crawl: Callable[..., Crawled], settings: Settings):
    done = crawl()
    with open_ledger(settings) as ledger:
        run = ledger.run(done.run_id)
        events = ledger.events(done.run_id)
        assert ledger.verify(done.run_id) == len(events)
        assert (run.kind, run.state) == ("facts", "gathered")
        fetched = [event for event in events if event.type == "fetched"]
        assert len(fetched) == 3
        assert all(str(event.payload["blob"]) in ledger.blobs for event in fetched)
        assert not violations(events)


def test_a_dry_run_shows_what_would_change_and_changes_nothing(crawl: Callable[..., Crawled], settings: Settings):
    done = crawl(dry_run=True)
    assert done.renewal.changes.added
    with open_registers(settings) as registers, pytest.raises(UserError, match="no register"):
        registers.load("Harbour")
    crawl()
    before = facts_of(settings)
    again = crawl(dry_run=True)
    assert not again.renewal.changes.any
    assert facts_of(settings) == before


def test_decisions_stand_when_the_site_says_otherwise(crawl: Callable[..., Crawled], settings: Settings, site: Path):
    crawl()
    founded, team = one_with(settings, "1871"), one_with(settings, "120")
    with open_registers(settings) as registers:
        registers.decide("Harbour", ADA.name, lambda now: approve(now, [founded.fact_id], ADA))
        registers.decide("Harbour", ADA.name, lambda now: reject(now, [team.fact_id], ADA))
        registers.decide(
            "Harbour", ADA.name, lambda now: edit(now, founded.fact_id, Edit(scope_note="the first basin"), ADA)
        )
    about = site / "about.html"
    about.write_text(about.read_text().replace("1871", "1872"))
    crawl()
    after = {fact.fact_id: fact for fact in facts_of(settings).values()}
    kept = after[founded.fact_id]
    assert (kept.text, kept.state, kept.decided_by, kept.scope_note) == (
        founded.text,
        FactState.APPROVED,
        "Ada Marsh",
        "the first basin",
    )
    assert after[team.fact_id].state is FactState.REJECTED
    newer = [fact for fact in after.values() if fact.value == "1872"]
    assert all(fact.state is FactState.PENDING for fact in newer)
    with open_registers(settings) as registers:
        assert founded.fact_id in registers.load("Harbour").contested


def test_a_page_that_was_seen_lately_keeps_its_facts_and_is_not_fetched(
    crawl: Callable[..., Crawled], settings: Settings
):
    crawl()
    before = facts_of(settings)
    again = crawl(fresh_days=30)
    with open_ledger(settings) as ledger:
        assert not [event for event in ledger.events(again.run_id) if event.type in ("fetched", "gateway")]
    assert facts_of(settings) == before
    assert len(again.run.pages) == 3


def test_the_links_of_a_page_that_was_not_fetched_again_may_be_followed(
    crawl: Callable[..., Crawled], settings: Settings
):
    crawl(pages=1)
    more = crawl(fresh_days=30)
    with open_ledger(settings) as ledger:
        events = ledger.events(more.run_id)
    assert [event.payload["url"] for event in events if event.type == "remembered"] == [HOME]
    assert len([event for event in events if event.type == "fetched"]) == 2
    assert not violations(events)
    assert violations([event for event in events if event.type != "remembered"])
    assert replay(more.run_id, settings).outcome is Outcome.AGREES


def test_a_crawl_that_was_cut_off_is_gone_on_with(crawl: Callable[..., Crawled], settings: Settings, site: Path):
    asked, told = list[str](), list[str]()

    def step(name: str, detail: str) -> None:
        asked.extend([detail] if name == "read" else [])
        if len(asked) == 2:
            raise KeyboardInterrupt

    def go(listeners: Listeners) -> Crawled:
        with open_registrar(settings, Reach.named([str(site)]), listeners) as registrar:
            return registrar.crawl(Site(customer="harbour", url=HOME, limits=CrawlLimits(at_once=1)))

    with pytest.raises(KeyboardInterrupt):
        go(Listeners(on_step=step))
    with open_ledger(settings) as ledger:
        (cut_off,) = ledger.runs()
    assert cut_off.resumable
    (site / "index.html").unlink()  # what was read is not asked for again
    done = go(Listeners(on_warning=told.append))
    assert told == [f"{cut_off.run_id} was interrupted after 1 page; this crawl goes on from there"]
    assert len(done.run.pages) == 3
    assert not done.run.gaps
    with open_ledger(settings) as ledger:
        fetched = [event.payload["asked"] for event in ledger.events(done.run_id) if event.type == "fetched"]
    assert HOME not in fetched
    assert len(fetched) == 2
    assert replay(done.run_id, settings).outcome is Outcome.AGREES
    told.clear()
    go(Listeners(on_warning=told.append))
    assert told == []


def test_a_site_that_cannot_be_read_is_a_run_with_gaps(crawl: Callable[..., Crawled], settings: Settings):
    done = crawl("https://harbour.invalid/nothing.html")
    assert done.run.pages == ()
    assert done.run.gaps
    with open_ledger(settings) as ledger:
        assert ledger.run(done.run_id).state == "nothing_found"


def test_a_crawl_is_derived_again_from_the_ledger_alone(crawl: Callable[..., Crawled], settings: Settings, site: Path):
    first, second = crawl(), crawl(fresh_days=30)
    for page in site.iterdir():
        page.unlink()
    for done in (first, second):
        report = replay(done.run_id, settings)
        assert report.outcome is Outcome.AGREES, (report.differences, report.missing)
        assert {"facts", "pages", "gaps", "dropped"} <= set(report.agreed)


def test_a_crawl_by_a_model_that_reads_little_is_derived_again_whatever_the_settings_are(
    site: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
):
    model = ScriptedModel([said('{"summary": "The harbour.", "facts": []}')] * 9)
    monkeypatch.setattr(Cast, "of", lambda cast, role: cast.around(model, role))
    models = settings.models.model_copy(update={"extractor": model.name, "context_tokens": 4096})
    small = settings.model_copy(update={"models": models})
    (site / "index.html").write_text(html("Harbour of Aldermoor", *["The quay has a lamp that is lit at night."] * 90))
    with open_registrar(small, Reach.named([str(site)])) as registrar:
        done = registrar.crawl(Site(customer="Harbour", url=HOME, limits=CrawlLimits(pages=1)))
    assert len(model.requests) > 1
    assert replay(done.run_id, settings).outcome is Outcome.AGREES


def test_nothing_that_a_person_wrote_is_within_reach_of_the_reading(
    crawl: Callable[..., Crawled], settings: Settings, monkeypatch: pytest.MonkeyPatch
):
    crawl()
    with open_registers(settings) as registers:
        one = registers.load("Harbour").facts[0].fact_id
        registers.decide("Harbour", ADA.name, lambda now: edit(now, one, Edit(scope_note="the secret basin"), ADA))
    given: list[object] = []

    async def reading(*arguments: object, **named: object) -> FactRun:
        given.extend((arguments, named))
        return FactRun(site_url=HOME, pages=(), register=Register("Harbour"))

    monkeypatch.setattr("affidavit.register.gather_facts", reading)
    crawl()
    assert "Harbour" in repr(given)
    assert "secret basin" not in repr(given)
    assert ADA.name not in repr(given)
    assert all(attribute not in repr(given) for attribute in ("Registers", "Ledger"))


def test_no_pages_named_is_told(settings: Settings):
    with pytest.raises(UserError, match="no pages to read"), open_registrar(settings, Reach()):
        pass


def test_a_register_is_found_without_its_site(crawl: Callable[..., Crawled], settings: Settings):
    crawl()
    with open_ledger(settings) as ledger:
        assert Registers(ledger).customers() == ("Harbour",)
