"""Whose a figure is, and what it counts, by the words around it."""

import pytest

from affidavit.facts.counted import subject_of, topic_of_sentence
from affidavit.facts.page import CrawledPage, PageType
from affidavit.facts.whose import OTHERS, Business, whose
from affidavit.gates.numbers import Mention, mentions

US = Business.of("Harbour Recruiting", "harbour.example")


def page(kind: PageType) -> CrawledPage:
    return CrawledPage(
        url="https://harbour.example/page",
        asked="https://harbour.example/page",
        doc_id="doc_1",
        title="A page",
        page_type=kind,
        depth=1,
        words=40,
        content_hash="0",
        retrieved_at="2026-03-01T12:00:00Z",
        seen_at="2026-03-01T12:00:00Z",
    )


def figure(text: str, raw: str) -> Mention:
    return next(one for one in mentions(text) if one.raw == raw)


@pytest.mark.parametrize(
    ("text", "raw", "owner"),
    [
        ("We have 80 offices in 45+ countries.", "80", None),
        ("The firm has 300 employees across 12 offices.", "300", None),
        ("Offices in London, Leeds and York; 45 consultants.", "45", None),
        ("Our 300 clients include 45 banks.", "45", None),
        ("We have helped over 2,000 businesses since 1999.", "2,000", None),
        ("With our help, Acme Ltd cut its energy bill by 30%.", "30%", "Acme"),
        ("We helped Aldersbrook Foods hire 120 drivers before the summer.", "120", "Aldersbrook Foods"),
        ("We enabled a national charity to raise £4.2 million.", "£4.2 million", "clients"),
        ("Our customers save an average of 20% on energy.", "20%", "clients"),
        ("One of our clients, a bank in Leeds, placed 40 apprentices.", "40", "clients"),
        ("Acme Foods opened 12 shops in 2022, and we trained 340 of its staff.", "12", "Acme Foods"),
        ("Acme Foods opened 12 shops in 2022, and we trained 340 of its staff.", "340", None),
        ("Last Friday our site had five million visits.", "five million", None),
        ("The Department of Health spent £12 billion on agency staff.", "£12 billion", "Department of Health"),
        ("According to Gartner, 60% of companies will fail by 2025.", "60%", "Gartner"),
        ("Research by the CIPD shows that 45% of UK employers struggle to fill vacancies.", "45%", "CIPD"),
        ("45% of employers struggle to fill vacancies.", "45%", "employers"),
    ],
)
def test_on_a_page_of_its_own_the_subject_of_the_clause_says_whose_a_figure_is(text: str, raw: str, owner: str | None):
    assert whose(text, figure(text, raw), page(PageType.ABOUT), US, None) == owner


@pytest.mark.parametrize(
    ("text", "raw", "owner"),
    [
        ("Since 2010 we have placed candidates in 91 countries.", "91", None),
        ("The company reduced its churn from 12% to 4%.", "4%", "Acme Foods"),
        ("It has saved £3m and cut waiting times by 40%.", "£3m", "Acme Foods"),
        ("Since the 1980s, Foods has used 3 suppliers.", "3", "Acme Foods"),
    ],
)
def test_in_a_case_study_what_names_nobody_is_of_whom_the_page_is_about(text: str, raw: str, owner: str | None):
    assert whose(text, figure(text, raw), page(PageType.CASE_STUDY), US, "Acme Foods") == owner


def test_in_a_post_a_figure_of_nobody_is_not_taken_for_the_customers():
    text = "Overall, more than 11,000 organizations use such domains."
    assert whose(text, figure(text, "11,000"), page(PageType.ARTICLE), US, None) == OTHERS


@pytest.mark.parametrize(
    ("text", "raw", "subject"),
    [
        ("We have 80 offices in 45+ countries.", "45+", "country"),
        ("It issued more than $90 million in tax refunds.", "$90 million", "tax refund"),
        ("This resulted in cost-savings of over $1.2 million a year.", "$1.2 million", "cost-saving"),
        ("Prices start at £49 per month for up to 5 users.", "£49", "price"),
        ("Acme cut its energy bill by 30% in two years.", "30%", "energy bill"),
        ("The company reduced its churn from 12% to 4%.", "4%", "churn"),
        ("45% of UK employers struggle to fill vacancies.", "45%", "UK employer"),
        ("OFA distributes $16.6 billion annually to states.", "$16.6 billion", "distributes"),
        ("We built the first module in four months.", "four months", "built the first module"),
        ("In 2016, the firm became part of the group.", "2016", "became part"),
    ],
)
def test_what_a_figure_counts_is_said_in_the_words_of_the_page(text: str, raw: str, subject: str):
    assert subject_of(figure(text, raw), text, None) == subject


def test_a_share_of_what_the_sentence_begins_with_counts_that():
    text = "Of the 25,000 petitions filed each year, about 60% are filed without a lawyer."
    assert subject_of(figure(text, "60%"), text, figure(text, "25,000")) == "petition"


def test_a_statement_without_a_figure_is_of_its_predicate():
    assert topic_of_sentence("We help other government agencies build technology.") == "help other government agencies"
