"""The date of publication is one that the page shows as such."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from affidavit.evidence.document import Block, BlockKind, Fetched
from affidavit.extract import extract
from affidavit.extract.publication import publication_date

LONG = (
    "Work on the mill was paid for by a levy on shipping, and the office kept the accounts until the lease ended. " * 3
)
KINDS = {"#": BlockKind.HEADING, "-": BlockKind.LIST_ITEM, "|": BlockKind.TABLE_ROW, "=": BlockKind.NAVIGATION}


def dated(
    *lines: str,
    language: str | None = "en",
    url: str = "https://x.example.org/mill",
    claimed: tuple[str, ...] = (),
    stated: str | None = None,
) -> str | None:
    """The date of a page with these blocks; a first character of ``#-|=`` gives the kind, ``#`` a top heading."""
    text, blocks = "", []
    for line in lines:
        kind = KINDS.get(line[0], BlockKind.PARAGRAPH)
        shown = line[1:] if line[0] in KINDS else line
        start = len(text) + (2 if text else 0)
        text = f"{text}\n\n{shown}" if text else shown
        blocks.append(Block(start, len(text), kind, level=1 if kind is BlockKind.HEADING else None))
    return publication_date(
        text, blocks, language=language, retrieved_at="2026-03-01T00:00:00Z", url=url, claimed=claimed, stated=stated
    )


SHOWN = [
    (("#Mill", "Published on March 12, 2014", LONG), "2014-03-12"),
    (("#Mill", "March 12, 2014", LONG), "2014-03-12"),
    (("#Mill", "By Jane Doe | March 12, 2014 | 5 min read", LONG), "2014-03-12"),
    (("#Mill", "By Jane Doe, March 12, 2014", LONG), "2014-03-12"),
    (("#Mill", "Posted by Jane Doe on 12 March 2014 at 14:30 GMT", LONG), "2014-03-12"),
    (("#Mill", "Wednesday, 12 March 2014", LONG), "2014-03-12"),
    (("#Mill", "Created:", "05-Aug-2002", "Post-History:", "30-Aug-2002", LONG), "2002-08-05"),
    (("#Mill", "|Published\t12 March 2014", LONG), "2014-03-12"),
    (("#Mill", LONG, "Last changed on 12 June 2019.", LONG), "2019-06-12"),
    (("#Mill", LONG, "=This page was last updated on 12 June 2019."), "2019-06-12"),
    (("#Mill", "Published 3 May 2018, updated 12 June 2019", LONG), "2018-05-03"),
    (("#Mill", "Updated 12 June 2019", LONG, "First published: 3 May 2018"), "2018-05-03"),
    (("#Mühle", "Veröffentlicht am 12. Juni 2019 um 10:15 Uhr", LONG), "2019-06-12"),
    (("#Mühle", LONG, "Stand: 12. Juni 2019"), "2019-06-12"),
    (("#Moulin", "Publié le mercredi 12 juin 2019 à 10h15 par Jeanne Dupont", LONG), "2019-06-12"),
    (("#Molino", "Publicado el 12 de junio de 2019", LONG), "2019-06-12"),
    (("#Мельница", "Опубликовано: 12 июня 2019 г.", LONG), "2019-06-12"),
    (("#水車", "公開日：2019年6月12日", LONG), "2019-06-12"),
    (("#水车", "发布时间：2019-06-12 10:15", LONG), "2019-06-12"),
    (("#물레방아", "입력 2019. 6. 12.", LONG), "2019-06-12"),
    (("#Mill", "PORT ELLEN, 12 June 2019 (Agency) – " + LONG), "2019-06-12"),
    (("#Report", "#Second line", "The Office", "June 2017", LONG), "2017-06"),
    (("#Mill", "Published: 2019", LONG), "2019"),
]


@pytest.mark.parametrize(("lines", "value"), SHOWN)
def test_a_shown_date_of_publication_is_taken(lines: tuple[str, ...], value: str) -> None:
    assert dated(*lines) == value


NOT_SHOWN = [
    ("#Mill", LONG, "The fair takes place on 9 September 2017.", LONG),
    ("#Mill", "Published on 3 May 2019, the report says that the bridge is old.", LONG),
    ("#Mill", LONG, "=© 2003–2026 Harbour Trust"),
    ("#Mill", "Opened in 1871", LONG),
    ("#Mill", "The bridge opened on 3 May 2019", LONG),
    ("#Posts", "Published on 3 May 2019", "-First", "Published on 4 May 2019", "-Second", "#Next"),
    ("#Errata", LONG, "|2017-12-01\tEditorial\tRemoved a word"),
    ("#Mill", "Published on 3 May 2031", LONG),
    ("#Mill", LONG, "12 June 2019", LONG),
    ("#Mill", "5 June 2020 – 7 June 2020", LONG),
]


@pytest.mark.parametrize("lines", NOT_SHOWN)
def test_a_date_that_is_not_the_pages_own_is_left(lines: tuple[str, ...]) -> None:
    assert dated(*lines) is None


def test_a_date_only_the_markup_gives_is_not_used() -> None:
    assert dated("#Mill", LONG, claimed=("2024-01-01",)) is None


def test_the_markup_does_not_overrule_what_the_page_shows() -> None:
    assert dated("#Mill", "Published on 12 June 2019", LONG, claimed=("2024-01-01",)) == "2019-06-12"


def test_the_markup_settles_an_ambiguous_date_that_is_shown() -> None:
    assert dated("#Mill", "Updated 04/05/2021", LONG, claimed=("2021-04-05",)) == "2021-04-05"
    assert dated("#Mill", "Updated 04/05/2021", LONG) == "2021"


def test_the_markup_is_confirmed_by_a_date_shown_elsewhere_by_itself() -> None:
    assert dated("#Mill", LONG, "12 June 2019", LONG, claimed=("2019-06-12",)) == "2019-06-12"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("2015/06/08/mill/", "2015-06-08"),
        ("2015/06/mill", "2015-06"),
        ("news/20150608/mill", "2015-06-08"),
        ("2015-06-08-mill.html", "2015-06-08"),
        ("2031/06/08/mill", None),
        ("2015/13/08/mill", None),
        ("2015/02/30/mill", None),
        ("item/20156/08", None),
    ],
)
def test_a_date_in_the_address_is_evidence_where_nothing_is_shown(path: str, value: str | None) -> None:
    assert dated("#Mill", LONG, url=f"https://x.example.org/{path}") == value


def test_a_shown_date_overrules_the_address() -> None:
    assert dated("#Mill", "March 12, 2014", LONG, url="https://x.example.org/2015/06/08/mill") == "2014-03-12"


def test_a_front_matters_date_comes_first_unless_it_lies_ahead() -> None:
    assert dated("#Mill", "March 12, 2014", LONG, stated="2013-01-02") == "2013-01-02"
    assert dated("#Mill", "March 12, 2014", LONG, stated="2027-01-02") == "2014-03-12"


@pytest.mark.parametrize(
    ("published", "body"),
    [
        (None, "<header><p>Friday, 1 May 2026</p></header><main><h1>Harbour levy</h1>LONG</main>"),
        (None, "<header><p>Friday, 1 May 2026</p></header><h1>Harbour levy</h1>LONG"),
        (None, "<header><p>Friday, 20 April 2026</p></header><main><h1>Harbour levy</h1>LONG</main>"),
        ("2019-06-12", "<div>Friday, 1 May 2026</div><h1>Harbour levy</h1><p>12 June 2019</p>LONG"),
        ("2019-06-12", "<p>12 June 2019</p><h1>Harbour levy</h1>LONG"),
        ("2019-06-12", "<header><h1>Harbour levy</h1><p>12 June 2019</p></header>LONG"),
        (
            None,
            "<main><h1>Harbour levy</h1>LONG</main><aside><h2>Latest news</h2><p><a href=/a>Quay closed</a>"
            "</p><p>Published 3 March 2022</p></aside>",
        ),
        (
            None,
            "<article><h1>Harbour levy</h1>LONG<aside><h3>Latest news</h3><p>Published 3 March 2022</p>"
            "</aside></article>",
        ),
        (
            "2019-06-12",
            "<article><h1>Harbour levy</h1><p>By A. Levy, <time datetime=2019-06-12>12 June</time></p>LONG</article>",
        ),
        (
            "2026-04-28",
            "<article><h1>Harbour levy</h1><p>By A. Levy</p><p><time datetime=2026-04-28T10:00Z>3 days ago"
            "</time></p>LONG</article>",
        ),
        ("2019-06-12", "<h1>Harbour levy</h1><p>By A. Levy | 12 Jun 19</p>LONG"),
        ("2019-06-12", "<h1>ضريبة</h1><p>تاريخ النشر: 12 يونيو 2019</p>LONG"),
        ("2019-06-12", "<h1>ضريبة</h1><p>١٢ يونيو ٢٠١٩</p>LONG"),
        (None, "<h1>Harbour levy</h1><p>12 June 19 boats</p>LONG"),
    ],
)
def test_only_a_date_of_the_page_itself_is_its_date(
    published: str | None, body: str, respond: Callable[..., Fetched]
) -> None:
    html = f"<!DOCTYPE html><html lang=en><title>Harbour levy</title><body>{body.replace('LONG', f'<p>{LONG}</p>')}"
    fetched = replace(respond(html), retrieved_at="2026-05-01T00:00:00Z")
    assert extract(fetched).published == published
