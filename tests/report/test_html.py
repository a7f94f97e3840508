import base64
import hashlib
import itertools
import re
from dataclasses import replace
from importlib.resources import files

import pytest
from lxml import html as parser

from affidavit.evidence.answer import Dropped, Source, Tried
from affidavit.evidence.claim import Claim, Label
from affidavit.evidence.document import BlockKind
from affidavit.report import inert
from affidavit.report.html import FEW, render_html
from affidavit.report.outline import Outline

# Elements that run, load, submit or embed something.
ACTIVE = "script iframe object embed form input button img video audio source base frame applet portal template math"


def tree(answer):
    return parser.document_fromstring(render_html(answer))


def words(element):
    return " ".join(element.text_content().split())


def test_every_published_claim_is_there_with_its_citations(answer):
    page = tree(answer)
    claims = page.xpath("//p[@class='claim']")
    for verified in answer.claims:
        (claim,) = (one for one in claims if one.get("id") == verified.claim.claim_id)
        assert words(claim).startswith(verified.claim.text)
        assert len(claim.xpath(".//a[@class='cite']")) == len(verified.claim.spans)


def test_each_citation_leads_to_the_quotation_marked_in_its_page(answer):
    page = tree(answer)
    for citation in Outline(answer).citations:
        assert page.xpath(f"//a[@href='#q{citation.number}']")
        (mark,) = page.xpath(f"//mark[@id='q{citation.number}']")
        assert mark.text_content() == citation.span.text
        (exhibit,) = page.xpath(f"//article[@id='exhibit-{citation.number}']")
        text = words(exhibit)
        for fact in (
            citation.title,
            citation.url,
            citation.document.retrieved_at,
            citation.document.sha256,
            citation.document.text_sha256,
            citation.span.span_id,
        ):
            assert fact in text


def test_the_live_page_opens_at_the_quotation_and_learns_nothing(answer):
    page = tree(answer)
    for citation in Outline(answer).citations:
        links = page.xpath(f"//article[@id='exhibit-{citation.number}']//a[@target='_blank']")
        assert {link.get("href") for link in links} == {citation.link}
        assert all(set(link.get("rel").split()) == {"noopener", "noreferrer", "nofollow"} for link in links)


def test_the_stored_page_keeps_its_shape(answer):
    (exhibit,) = tree(answer).xpath("//article[@id='exhibit-4']")
    assert exhibit.xpath(".//pre")
    assert words(exhibit.xpath(".//p[@class='heads']")[0]) == "Year | People a day"
    (first,) = tree(answer).xpath("//article[@id='exhibit-1']")
    assert [words(item) for item in first.xpath(".//div[contains(@class, 'page')]//li")] == [
        "Length: 412 metres",
        "Arches: 14",
    ]
    assert first.xpath(".//p[contains(@class, 'heading') and contains(@class, 'level-2')]")
    assert words(first.xpath(".//p[@class='crumbs']")[0]) == "The bridge report › The rail viaduct"


def test_the_file_allows_its_style_sheet_and_nothing_else(answer):
    page = tree(answer)
    (policy,) = page.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    (style,) = page.xpath("//style/text()")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert policy.startswith("default-src 'none'; ")
    assert f"style-src 'sha256-{digest}';" in policy
    assert "unsafe" not in policy
    assert "url(" not in style
    assert "@import" not in style


def test_the_file_refers_to_nothing_outside_but_links_to_follow(answer):
    page = tree(answer)
    assert not page.xpath(" | ".join(f"//{name}" for name in ACTIVE.split()))
    assert not page.xpath("//@src | //@srcset | //@background | //@style | //@poster | //@action | //@ping")
    assert page.xpath("//link/@href") == ["data:,"]


def test_nothing_of_a_page_becomes_markup(hostile):
    page = tree(hostile)
    assert not page.xpath(" | ".join(f"//{name}" for name in ACTIVE.split()))
    assert not [name for element in page.iter() for name in element.attrib if name.startswith("on")]
    for href in page.xpath("//a/@href"):
        assert href.startswith(("#", "https://h.example/"))
    assert len(page.xpath("//main")) == len(page.xpath("//style")) == 1


def test_the_words_of_a_hostile_page_are_shown_as_words(hostile, hostile_text):
    assert " ".join(inert.line(hostile_text).split()) in words(tree(hostile))


def test_no_control_or_bidi_character_reaches_the_file(hostile):
    source = render_html(hostile)
    assert all(char in "\n\t" or (ord(char) >= 32 and not 127 <= ord(char) < 160) for char in source)
    assert not set(source) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def test_the_template_has_one_unescaped_value_and_it_is_the_style_sheet():
    source = files("affidavit.report").joinpath("templates/answer.html.j2").read_text(encoding="utf-8")
    assert re.findall(r"\{\{[^}]*\|\s*safe[^}]*\}\}", source) == ["{{ style | safe }}"]
    assert "autoescape" not in source


def test_every_id_is_unique_and_every_inner_link_has_a_target(answer, tested, nothing):
    for one in (answer, tested, nothing):
        page = tree(one)
        ids = page.xpath("//@id")
        assert len(ids) == len(set(ids))
        assert {href[1:] for href in page.xpath("//a/@href") if href.startswith("#")} <= set(ids)
        named = page.xpath("//@aria-labelledby")
        assert set(named) <= set(ids)


def test_headings_descend_one_level_at_a_time(answer, tested):
    for one in (answer, tested):
        levels = [int(element.tag[1]) for element in tree(one).iter("h1", "h2", "h3", "h4")]
        assert levels[0] == 1
        assert levels.count(1) == 1
        assert all(after - before <= 1 for before, after in itertools.pairwise(levels))


def test_a_quotation_carries_the_language_of_its_page(make_document, span_of, verified, answer):
    page = make_document([(BlockKind.PARAGRAPH, "נפתח בשנת 1918.")], language="he", url="https://he.example/")
    claim = verified("נפתח בשנת 1918.", span_of(page, "נפתח בשנת 1918."))
    held = replace(
        answer, claims=(claim,), partial=(), dropped=(), conflicts=(), sources=(), documents=(page,), summary=""
    )
    found = tree(held)
    assert found.xpath("//p[@class='claim']/span")[0].get("lang") == "he"
    (quote,) = found.xpath("//blockquote[@class='quote']")
    assert quote.get("lang") == "he"
    assert quote.get("dir") == "auto"


def test_evidence_for_and_against_stand_apart(tested):
    heads = [words(head) for head in tree(tested).xpath("//h2")]
    assert heads[:2] == ["Evidence for the claim", "Evidence against the claim"]
    assert "No sentence in these pages speaks against the claim." in words(tree(tested))


def test_the_machinery_is_told_in_full(answer):
    text = words(tree(answer))
    for fact in (
        "What did it cost?",
        "The viaduct cost two million.",
        "oxmoor viaduct disputed",
        "Not calibrated",
        "2 of 12",
        "affidavit verify FILE",
        "Independence 0.10",
    ):
        assert fact in text


def test_long_lists_fold_and_hold_everything(answer):
    many = replace(
        answer,
        dropped=tuple(Dropped(Claim(text=f"Claim {n}.", spans=()), Label.PARTIAL, "no") for n in range(30)),
        tried=tuple(Tried(query=f"query {n}", provider="a", results=n, novelty=0.5) for n in range(30)),
        sources=tuple(
            Source(url=f"https://e.example/{n}", title=None, doc_id=None, tier="x", score=0.1, terms={}, published=None)
            for n in range(30)
        ),
    )
    page = tree(many)
    assert len(page.xpath("//details")) == 3
    assert all(f"{30 - FEW} more" in words(summary) for summary in page.xpath("//summary"))
    for n in range(30):
        assert f"Claim {n}." in words(page)
        assert page.xpath(f"//a[@href='https://e.example/{n}']")


def test_a_page_without_a_web_address_is_named_and_not_linked(answer):
    document = replace(answer.documents[0], final_url="file:///tmp/report.html")
    page = tree(replace(answer, documents=(document, answer.documents[1])))
    (exhibit,) = page.xpath("//article[@id='exhibit-1']")
    assert not exhibit.xpath(".//a[@target]")
    assert "file:///tmp/report.html" in words(exhibit)


def _luminance(colour):
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in channels]
    return sum(weight * one for weight, one in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_every_text_colour_reaches_contrast_aa(scheme):
    style = files("affidavit.report").joinpath("style.css").read_text(encoding="utf-8")
    colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", re.findall(r":root \{(.*?)\}", style, re.DOTALL)[scheme]))
    grounds = [colours["paper"], colours["raised"]]
    pairs = [
        (colours[name], ground)
        for name in ("ink", "soft", "link", "good", "warn", "bad", "person")
        for ground in grounds
    ]
    pairs.append((colours["mark-ink"], colours["mark"]))
    for text, ground in pairs:
        light, dark = sorted((_luminance(text), _luminance(ground)), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5, (text, ground)
