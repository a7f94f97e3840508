"""The HTML report in a real browser, scripts off unless a test says otherwise."""

import shutil
from contextlib import contextmanager
from pathlib import Path

import pytest

from affidavit.report.html import render_html

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright (pip install affidavit[dev])")

pytestmark = pytest.mark.browser

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="module")
def browser():
    if CHROMIUM is None:
        pytest.skip("needs a Chromium on this machine (apt-get install chromium)")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def opened(browser, tmp_path):
    """Open an answer's report; what the page asked for, said and popped up is kept in `page.seen`."""

    @contextmanager
    def opener(answer, *, width=1280, height=900, scripts=False, scheme="light"):
        file = Path(tmp_path, "answer.html")
        file.write_text(render_html(answer), encoding="utf-8")
        context = browser.new_context(
            viewport={"width": width, "height": height}, java_script_enabled=scripts, color_scheme=scheme
        )
        page = context.new_page()
        seen = {"requests": [], "console": [], "dialogs": []}
        page.on("request", lambda request: seen["requests"].append(request.url))
        page.on("console", lambda message: seen["console"].append(message.text))
        page.on("pageerror", lambda error: seen["console"].append(str(error)))
        page.on("dialog", lambda dialog: (seen["dialogs"].append(dialog.message), dialog.dismiss()))
        page.goto(file.as_uri())
        yield page, seen
        assert seen["requests"] == [file.as_uri()]
        assert seen["console"] == []
        assert seen["dialogs"] == []
        context.close()

    return opener


def in_view(page, locator):
    box = locator.bounding_box()
    size = page.viewport_size
    return (
        box["y"] >= 0 and box["y"] + box["height"] <= size["height"] and box["x"] >= 0 and box["x"] + 1 < size["width"]
    )


@pytest.mark.parametrize(("width", "height"), [(1280, 900), (800, 900), (360, 640)])
def test_a_click_on_a_citation_shows_the_quotation_in_its_stored_page(answer, opened, width, height):
    with opened(answer, width=width, height=height) as (page, _):
        cite = page.locator(".claim a.cite").nth(1)
        mark = page.locator("mark#q2")
        assert not mark.is_visible()
        cite.click()
        assert mark.is_visible()
        assert in_view(page, mark)
        assert mark.inner_text() == "It carried 26,100 people a day in the winter count of 2017."
        (shown,) = page.locator("article.exhibit .page:visible").all()
        assert "The east stair was moved in 1992." in shown.inner_text()


def test_the_reader_keeps_their_place_while_a_quotation_is_open(answer, opened):
    with opened(answer, height=500) as (page, _):
        cite = page.locator(".claim a.cite").nth(2)
        cite.scroll_into_view_if_needed()
        before = cite.bounding_box()["y"]
        cite.click()
        assert abs(cite.bounding_box()["y"] - before) <= 2
        assert in_view(page, cite)


def test_closing_leads_back_to_the_claim(answer, opened):
    with opened(answer) as (page, _):
        page.locator(".claim a.cite").nth(1).click()
        page.locator("a.close:visible").click()
        assert not page.locator("mark#q2").is_visible()
        assert in_view(page, page.locator(".claim").nth(1))


def test_everything_works_from_the_keyboard(answer, opened):
    with opened(answer) as (page, _):
        page.keyboard.press("Tab")
        assert page.locator("a.skip").evaluate("link => link.matches(':focus')")
        page.locator(".claim a.cite").first.focus()
        page.keyboard.press("Enter")
        assert page.locator("mark#q1").is_visible()
        assert page.locator("mark#q1").evaluate("mark => document.activeElement === mark")


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_no_width_scrolls_sideways(answer, opened, width):
    with opened(answer, width=width) as (page, _):
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.locator(".claim a.cite").first.click()
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_hostile_page_does_nothing_even_with_scripts_on(hostile, opened):
    with opened(hostile, scripts=True) as (page, _):
        page.locator("a.cite").first.click()
        page.wait_for_timeout(50)
        assert page.locator("h1").count() == 1
        assert page.locator("main > section").count() >= 5
        assert page.locator("form, img, script, iframe").count() == 0


def test_a_script_put_into_the_file_does_not_run(answer, opened, monkeypatch):
    with opened(answer, scripts=True) as (page, seen):
        with page.expect_event("requestfailed") as failed:
            page.evaluate(
                "() => { const s = document.createElement('script'); s.textContent = 'document.title = \"owned\"';"
                " document.body.append(s); const i = document.createElement('img');"
                " i.src = 'https://evil.example/a.png'; document.body.append(i); }"
            )
        assert failed.value.failure == "csp"
        assert page.title() != "owned"
        assert any("Content Security Policy" in text for text in seen["console"])
        seen["requests"].remove("https://evil.example/a.png")
        seen["console"].clear()


def test_paper_carries_every_quotation_in_its_page(answer, opened):
    with opened(answer) as (page, _):
        page.emulate_media(media="print")
        marks = page.locator("mark")
        assert marks.count() == 4
        assert all(marks.nth(n).is_visible() for n in range(4))
        assert not page.locator("nav").is_visible()


def test_dark_is_dark_and_paper_is_not(answer, opened):
    colour = "getComputedStyle(document.documentElement).getPropertyValue('--paper').trim()"
    with opened(answer, scheme="dark") as (page, _):
        assert page.evaluate(colour) == "#15161a"
        page.emulate_media(media="print")
        assert page.evaluate(colour) == "#fbfaf6"


def test_the_live_link_opens_apart_and_tells_nothing(answer, opened):
    with opened(answer) as (page, _):
        page.locator(".claim a.cite").first.click()
        link = page.locator("a[target=_blank]:visible").first
        assert link.get_attribute("href").startswith("https://www.example.org/report#:~:text=")
        assert "noreferrer" in link.get_attribute("rel")
