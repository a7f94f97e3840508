from affidavit.extract.extraction import extract
from affidavit.research.page_view import LEFT_OUT, beginnings, show_page

FILLER = "".join(
    f"<p>The council met in the year {1900 + year} and spoke of the rates at length.</p>" for year in range(80)
)
PAGE = (
    "<html lang=en><title>Aldersbrook</title><main><h1>Aldersbrook</h1>"
    f"<h2>Council</h2>{FILLER}<h2>Pier</h2><p>The pier was closed in March 1988 after a storm.</p></main></html>"
)


def shown(respond, budget=1200, asked=("When was the pier closed?",)):
    document = extract(respond(PAGE))
    return document, show_page(document, asked, budget)


def test_what_bears_on_the_question_is_shown_before_what_comes_first(respond):
    _, text = shown(respond)
    assert "The pier was closed in March 1988 after a storm." in text
    assert "Outline:" in text
    assert "Pier" in text


def test_what_is_left_out_is_marked_and_the_budget_kept(respond):
    _, text = shown(respond)
    assert LEFT_OUT in text
    assert len(text) < 1800


def test_every_line_shown_is_the_page_s_own_so_that_a_locator_can_be_copied(respond):
    document, text = shown(respond)
    parts = text.partition("Parts:\n")[2].rpartition("\n</untrusted_page")[0]
    lines = [line for line in parts.splitlines() if line != LEFT_OUT]
    assert lines
    assert all(line in document.text for line in lines)


def test_known_locators_stand_on_the_page_once_and_the_best_comes_first(respond):
    twice = PAGE.replace("</main>", "<p>Rates of the pier.</p><p>Rates of the pier.</p><p>Pier!</p></main>")
    document = extract(respond(twice))
    found = beginnings(document, ["When was the pier closed?", "What did the council speak of?"])
    assert found[0] == "The pier was closed in March 1988 after a storm."
    assert found[1].startswith("The council met")
    assert all(document.text.count(one) == 1 and len(one) >= 12 for one in found)
    assert "Rates of the pier." not in found


def test_a_page_that_fits_is_shown_whole(respond):
    document, text = shown(respond, budget=100_000)
    assert text.count("The council met") == 80
    assert LEFT_OUT not in text
    assert document.doc_id in text
