"""The walk through the visible page: words, white space, blocks, links."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.errors import PageFailure
from affidavit.evidence.document import Block, BlockKind, Link
from affidavit.extract import html
from affidavit.extract.html import HtmlPage

URL = "https://example.com/a/page"


def walked(markup: str) -> HtmlPage:
    return html.walk(html.parse(markup, URL), URL)


def blocks(markup: str) -> list[tuple[str, str]]:
    page = walked(markup)
    return [(block.kind.value, page.text[block.start : block.end]) for block in page.blocks]


def only_block(markup: str) -> Block:
    (block,) = walked(markup).blocks
    return block


def test_inline_elements_add_no_space_and_take_none_away() -> None:
    assert (
        walked("<p>The un<b>believ</b>able <i> re</i><span>build</span>ing.</p>").text == "The unbelievable rebuilding."
    )


def test_white_space_collapses_as_in_a_browser() -> None:
    assert walked("<p>\n  one\t two<b> \n </b> three\u00a0 four </p>").text == "one two three\u00a0 four"


def test_blocks_never_run_together() -> None:
    assert (
        walked("<div>Total 45</div><div>9 new</div><h3>2020</h3><p>21 closed").text
        == "Total 45\n\n9 new\n\n2020\n\n21 closed"
    )


def test_a_line_break_is_one_newline_and_two_end_the_paragraph() -> None:
    assert walked("<p>Opened 1932 <br> Closed 1971<br><br>Owner").text == "Opened 1932\nClosed 1971\n\nOwner"


def test_preformatted_text_keeps_its_lines() -> None:
    assert blocks("<pre>\nyear  boats\n2019     34\n\n2020     12\n</pre>") == [
        ("code", "year  boats\n2019     34\n\n2020     12")
    ]


def test_a_source_line_break_between_wide_characters_is_no_space() -> None:
    assert walked("<p>この橋は\n1932年に\n開通した。</p>").text == "この橋は 1932年に開通した。"


@pytest.mark.parametrize(
    ("markup", "kind", "level"),
    [
        ("<h3>a</h3>", BlockKind.HEADING, 3),
        ("<div role=heading aria-level=4>a</div>", BlockKind.HEADING, 4),
        ("<h2><p>a</p></h2>", BlockKind.HEADING, 2),
        ("<p>a", BlockKind.PARAGRAPH, None),
        ("a", BlockKind.PARAGRAPH, None),
        ("<ul><li><p>a", BlockKind.LIST_ITEM, None),
        ("<blockquote><ul><li>a", BlockKind.QUOTATION, None),
        ("<figure><figcaption>a", BlockKind.CAPTION, None),
        ("<table><caption>a", BlockKind.CAPTION, None),
        ("<pre><code>a", BlockKind.CODE, None),
        ("<nav><h2>a", BlockKind.NAVIGATION, None),
        ("<div role=navigation><p>a", BlockKind.NAVIGATION, None),
        ("<ol class='x Breadcrumbs'><li>a", BlockKind.NAVIGATION, None),
        ("<button>a", BlockKind.OTHER, None),
    ],
)
def test_a_block_knows_what_it_is(markup: str, kind: BlockKind, level: int | None) -> None:
    block = only_block(markup)
    assert (block.kind, block.level) == (kind, level)


def test_cells_stand_apart_and_rows_know_their_heads() -> None:
    page = walked(
        "<table><thead><tr><th>Year<th>Boats<th>Crew</thead>"
        "<tr><td rowspan=2>2019<td>34<td>5<tr><td>12<td><tr><th scope=row>2021<td colspan=2>none</table>"
    )
    rows = [(page.text[block.start : block.end], block.heads) for block in page.blocks]
    assert rows == [
        ("Year\tBoats\tCrew", ()),
        ("2019\t34\t5", ("Year", "Boats", "Crew")),
        ("12", ("Boats",)),
        ("2021\tnone", ("Year", "Boats")),
    ]
    assert [block.kind for block in page.blocks] == [BlockKind.OTHER, *[BlockKind.TABLE_ROW] * 3]


def test_rows_of_nothing_but_head_cells_are_the_data_when_no_other_row_follows() -> None:
    page = walked("<table><tr><th>Depth<th>9 m<tr><th>Length<th>80 m</table>")
    assert {block.kind for block in page.blocks} == {BlockKind.TABLE_ROW}


def test_heads_in_two_rows_are_read_together() -> None:
    page = walked(
        "<table><thead><tr><th rowspan=2>Site<th colspan=2>2020<tr><th>in<th>out</thead><tr><td>A<td>1<td>2</table>"
    )
    assert page.blocks[-1].heads == ("Site", "2020 in", "2020 out")


def test_a_table_that_lays_out_the_page_gives_blocks_not_rows() -> None:
    kinds = blocks("<table><tr><td><h1>News</h1><p>One.</p><td><table><tr><td>a<td>b</table></table>")
    assert kinds == [("heading", "News"), ("paragraph", "One."), ("table_row", "a\tb")]


def test_a_term_and_its_one_short_description_are_one_row() -> None:
    assert blocks("<dl><dt>Status<b>:</b><dd>Rejected<dt>Type:<dd><p>Process</p><dt>Two<dd>a<dd>b</dl>") == [
        ("table_row", "Status:\tRejected"),
        ("table_row", "Type:\tProcess"),
        ("paragraph", "Two"),
        ("paragraph", "a"),
        ("paragraph", "b"),
    ]


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("holds 10<sup>6</sup> sheets", "holds 10⁶ sheets"),
        ("10<sup>-9</sup> s", "10⁻⁹ s"),
        ("3 m<sup>2</sup>", "3 m²"),
        ("in 1932<sup><a href=#f3>3</a></sup>.", "in 1932³."),
        ("in 1932<sup>[3]</sup>", "in 1932[3]"),
        ("the bridge<sup>a</sup> fell", "the bridgeᵃ fell"),
        ("the 20<sup>th</sup> century", "the 20th century"),
        ("M<sup>me</sup> Curie", "Mme Curie"),
        ("Acme<sup>TM</sup>", "Acme™"),
        ("H<sub>2</sub>O", "H2O"),
        ("log 10<sub>2</sub>", "log 10₂"),
        ("5<sup>1</sup>/<sub>2</sub>", "5¹/₂"),
        ("10<sup>3x</sup>", "10^3x"),
        ("<math><mn>3</mn><mo>×</mo><msup><mn>10</mn><mn>4</mn></msup></math> m", "3×10⁴ m"),
        ("<math><msup><mn>2</mn><mrow><mi>k</mi><mo>+</mo><mn>1</mn></mrow></msup></math>", "2^(k+1)"),
        ("<math><mfrac><mn>3</mn><mn>4</mn></mfrac></math>", "3/4"),
        ("<math><semantics><mi>x</mi><annotation>hidden</annotation></semantics></math>", "x"),
        ("<ruby>橋<rp>(</rp><rt>はし</rt><rp>)</rp></ruby>は", "橋は"),
        ("45<img src=x alt=no>9", "45 9"),
        ("a<wbr>b", "ab"),
        ("10<span style='vertical-align:super;font-size:smaller'>6</span> pounds", "10⁶ pounds"),
        ("<style>.s{vertical-align:super}</style>10<span class=s><a href=#n>6</a></span> pounds", "10⁶ pounds"),
        ("10<span style='position:relative;top:-.5em;font-size:.7em'>6</span> pounds", "10⁶ pounds"),
        ("10<span style='position:relative;bottom:.5em;font-size:.7em'>6</span> pounds", "10⁶ pounds"),
        ("10<span style='display:inline-block;transform:translateY(-.5em)'>6</span> pounds", "10⁶ pounds"),
        ("10<span style='vertical-align:5px'>6</span> pounds", "10⁶ pounds"),
        ("10<span style='vertical-align:top;font-size:60%'>6</span> pounds", "10⁶ pounds"),
        ("10<span style='font-variant-position:super'>6</span> pounds", "10⁶ pounds"),
        ("10<span style='vertical-align:super'><sup>6</sup></span> pounds", "10⁶ pounds"),
        ("log 10<span style='vertical-align:sub;font-size:smaller'>2</span>", "log 10₂"),
        ("H<span style='vertical-align:sub;font-size:smaller'>2</span>O", "H2O"),
        ("20<span style='vertical-align:super;font-size:smaller'>th</span> century", "20th century"),
        ("10<span style='vertical-align:middle'>6</span> pounds", "106 pounds"),
        ("10<span style='position:relative;top:-1px'>6</span> pounds", "106 pounds"),
        ("10<span style='display:inline-block;margin-top:8px'>6</span> pounds", "106 pounds"),
        ("2<sup>3</sup>⁄<sub>4</sub>", "2³⁄₄"),
        ("2 ¾ and 2¾", "2 ¾ and 2¾"),
        ("12<button>34</button>56", "12 34 56"),
        ("<math><mn>3</mn><mfrac><mn>1</mn><mn>2</mn></mfrac></math> times", "3 1/2 times"),
        ("<math><mfrac><mn>1</mn><mn>2</mn></mfrac><mn>3</mn></math>.", "1/2 3."),
        ("<math><mfrac linethickness=0><mn>8</mn><mn>3</mn></mfrac></math>", "8 3"),
        ("<math><msub><mi>x</mi><mn>2</mn></msub><mn>3</mn></math>", "x₂3"),
        ("<math><mmultiscripts><mn>12</mn><mn>3</mn><mn>4</mn></mmultiscripts></math>", "12₃⁴"),
        ("<math><mmultiscripts><mi>C</mi><mprescripts/><mn>6</mn><mn>14</mn></mmultiscripts></math>", "C₆¹⁴"),
        ("<math><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr></mtable></math>", "1 2"),
        ("<math><mn>10</mn><mspace width=.2em /><mn>000</mn></math>", "10 000"),
        ("10<math><mphantom><mn>6</mn></mphantom></math>5", "10 5"),
    ],
)
def test_what_is_raised_lowered_or_replaced_never_joins_a_figure(markup: str, text: str) -> None:
    assert walked(f"<p>{markup}</p>").text == text


@pytest.mark.parametrize(
    "markup",
    [
        "<!-- HID -->",
        "<script>HID</script>",
        "<style>HID</style>",
        "<template><p>HID</p></template>",
        "<noscript><p>HID</p></noscript>",
        "<iframe src=x><p>HID</p></iframe>",
        "<iframe srcdoc='<p>HID'></iframe>",
        "<video>HID</video>",
        "<canvas>HID</canvas>",
        "<object data=x>HID</object>",
        "<select><option>HID</select>",
        "<datalist><option>HID</datalist>",
        "<textarea>HID</textarea>",
        "<input value=HID placeholder=HID>",
        "<img alt=HID title=HID>",
        "<p title=HID aria-label=HID>",
        "<svg><title>HID</title><desc>HID</desc></svg>",
        "<svg><text fill=none>HID</text><text fill='#fff'>HID</text></svg>",
        "<dialog>HID</dialog>",
        "<div popover>HID</div>",
        "<p hidden>HID</p>",
        "<div hidden/>HID</div>",
        "<h1 hidden><p>HID</p></h1>",
        "<b hidden>HID<p>HID</b>",
        "<details><summary hidden>HID</summary>HID</details>",
        "<div><template shadowrootmode=open><slot name=x></slot></template><p>HID</p></div>",
        "<link rel=stylesheet href=s.css><p class='sr-only'>HID</p>",
    ],
)
def test_what_is_not_drawn_does_not_come_out(markup: str) -> None:
    assert walked(f"<!DOCTYPE html><p>before</p>{markup}<p>after</p>").text == "before\n\nafter"


@pytest.mark.parametrize(
    "markup",
    [
        "<dialog open>SEE</dialog>",
        "<details><summary>More</summary>SEE</details>",
        "<p aria-hidden=true inert>SEE</p>",
        "<svg><text>SEE</text></svg>",
        "<fieldset><legend>SEE</legend></fieldset>",
        "<p class='d-none'>SEE</p>",
        "<link rel=stylesheet href=s.css><p class='hidden md:block'>SEE</p>",
        "<plaintext>SEE",
        "</body></html>SEE",
        "<table><p>SEE</p><tr><td>cell</table>",
        "<div><template shadowrootmode=open><slot></slot></template><p>SEE</p></div>",
    ],
)
def test_what_is_drawn_comes_out(markup: str) -> None:
    assert "SEE" in walked(f"<!DOCTYPE html><p>before</p>{markup}").text


def test_struck_out_text_is_left_out_and_nothing_can_be_quoted_across() -> None:
    page = walked("<p>The order <del>of 35 months</del> was <s>kept</s> withdrawn.</p>")
    assert page.text == "The order was withdrawn."
    assert page.breaks == (len("The order"), len("The order was"))


def test_what_cannot_be_read_is_a_break() -> None:
    page = walked("<p>Draft: <textarea>words</textarea> as sent.</p>")
    assert [page.text[:at] for at in page.breaks] == ["Draft:"]


@pytest.mark.parametrize(
    ("rules", "breaks"),
    [
        (".n::before{content:'not '}", ["It was"]),
        (".n:after{content:' not'}", ["It was sold"]),
        (".n::before{content:attr(data-x) ' '}", ["It was"]),
        (".n::before{content:attr(data-y)}", []),
        (".n::before{content:'\\f101'}.n::after{content:'»'}", []),
        (".n::before{content:'not ';display:none}", []),
        (".n::before{content:'not ';opacity:0}", []),
        (".n:hover::before{content:'not '}", []),
        (".n::before{content:'not '}.n.n::before{content:none}", []),
        (".n{content:'not '}", []),
    ],
)
def test_words_that_a_sheet_writes_are_a_break(rules: str, breaks: list[str]) -> None:
    page = walked(f"<style>{rules}</style><p>It was <span class=n data-x=not>sold</span> then.</p>")
    assert page.text == "It was sold then."
    assert [page.text[:at] for at in page.breaks] == breaks


def test_words_that_a_sheet_writes_behind_a_heading_do_not_make_the_next_block_one() -> None:
    page = walked("<style>h2::after{content:'new'}</style><h2>Bridges</h2><p>It was sold.</p>")
    assert [block.kind for block in page.blocks] == [BlockKind.HEADING, BlockKind.PARAGRAPH]
    assert [page.text[:at] for at in page.breaks] == ["Bridges"]


def test_reordered_text_is_not_quoted() -> None:
    page = walked("<p>lost <bdo dir=rtl>05</bdo> percent</p>")
    assert (page.text, page.flags) == ("lost \ufffd percent", {"bidi"})


def test_control_characters_go_and_are_flagged() -> None:
    page = walked("<p>Status: \x1b[2Jok\0</p>")
    assert (page.text, page.flags) == ("Status: [2Jok", {"control"})


def test_links_are_absolute_and_have_the_words_a_reader_sees() -> None:
    page = walked(
        "<noscript><base href=https://no.example/></noscript><base href=/b/><a href='x?q=1#f'>one <b>two</b></a>"
        "<a href=//other.example/>th<span hidden>x</span>ree</a><a href='java&#9;script:alert(1)'>no</a>"
        "<a href=https://hidden.example hidden>no</a><a href='http://[bad'>no</a><a name=x>no</a>"
    )
    assert page.links == (
        Link("https://example.com/b/x?q=1#f", "one two"),
        Link("https://other.example/", "three"),
    )


def test_what_an_opaque_box_covers_is_not_seen() -> None:
    box = "position:absolute;inset:0;background:#fff"
    assert (
        walked(f"<div style=position:relative><p>HID</p><div style='{box}'>Over</div></div><p>next").text
        == "Over\n\nnext"
    )
    assert "SEE" in walked(f"<div style=position:relative><p>SEE</p><div style='{box};z-index:-1'></div></div>").text
    assert "SEE" in walked(f"<p>SEE</p><div style='{box}'>Over</div>").text


_COVER = "<div style='position:absolute;inset:0;background:#eee;%s'></div>"
_BELOW = "<div style=position:relative;z-index:2><p style=position:relative;z-index:4>HID</p></div>"


@pytest.mark.parametrize(
    "inside",
    [
        f"{_COVER % ''}<p style=position:relative>SEE</p>",
        f"{_COVER % 'z-index:0'}<p style=position:relative;z-index:1>SEE</p>",
        f"{_COVER % ''}<div style=position:relative;z-index:2><p>SEE</p></div>",
        f"{_COVER % ''}<div style=position:relative;z-index:2><p style=position:relative>SEE</p></div>",
        f"{_COVER % 'z-index:3'}<div style=position:relative><p style=position:relative;z-index:4>SEE</p></div>",
        f"{_COVER % ''}<p style=opacity:.9>SEE</p>",
        f"<p>SEE</p>{_COVER % 'visibility:hidden'}",
        f"<p>SEE</p>{_COVER % 'opacity:0'}",
        f"<p>SEE</p>{_COVER % 'display:none'}",
        f"<p>SEE</p>{_COVER % 'width:0'}",
        f"<p>SEE</p>{_COVER % 'transform:translateX(-100%)'}",
        f"<p style=position:relative;z-index:1>SEE</p>{_COVER % ''}",
        f"<p>HID</p>{_COVER % ''}",
        f"{_COVER % ''}<p>HID</p>",
        f"<p style=position:relative>HID</p>{_COVER % ''}",
        f"{_COVER % 'z-index:3'}{_BELOW}",
        f"<p>HID</p>{_COVER % ''}<p style=position:relative>SEE</p>{_COVER % 'z-index:-1'}",
        f"<p>HID</p>{_COVER % 'display:none'}{_COVER % ''}",
        f"<p>HID</p>{_COVER % 'transform:none;filter:none'}",
        f"{_COVER % ''}<p style=transform:none>HID</p><p style='transform:translateX(1px)'>SEE</p>",
    ],
)
def test_a_cover_is_over_what_is_painted_before_it(inside: str) -> None:
    for outer in ("", ";z-index:7"):
        found = walked(f"<div style='position:relative{outer}'>{inside}</div>").text
        assert "HID" not in found
        assert found.count("SEE") == inside.count("SEE")


@pytest.mark.parametrize(
    ("rules", "found"),
    [
        (".c::after{content:'';position:absolute;inset:0;background:#fff}", "next"),
        (".c:after{content:'';position:absolute;inset:0}.c::after{background:#fff}", "next"),
        (".c p::after{content:'';position:absolute;inset:0;background:#fff}", "next"),
        (".c::before{content:'';position:absolute;inset:0;background:#fff}", "next"),
        (".c::after{position:absolute;inset:0;background:#fff}", "SEE\n\nnext"),
        (".c::after{content:none;position:absolute;inset:0;background:#fff}", "SEE\n\nnext"),
        (".c::after{content:'';position:absolute;inset:0;background:#fff;opacity:0}", "SEE\n\nnext"),
        (".c::after{content:'';position:absolute;inset:0;background:#fff;z-index:-1}", "SEE\n\nnext"),
        (".c::after{content:'';position:absolute;inset:0;background:rgba(0,0,0,.3)}", "SEE\n\nnext"),
        (".c:hover::after{content:'';position:absolute;inset:0;background:#fff}", "SEE\n\nnext"),
        (".c::before{content:'';position:absolute;inset:0;background:#fff} p{position:relative}", "SEE\n\nnext"),
    ],
)
def test_a_generated_box_covers_as_any_other(rules: str, found: str) -> None:
    page = f"<style>.c{{position:relative}}{rules}</style><div class=c><p>SEE</p></div><p>next</p>"
    assert walked(page).text == found


def test_a_reference_to_a_control_character_in_a_rebuilt_part_is_survived() -> None:
    assert walked("<textarea><span x=1><p>&#27;</textarea><span title='<p>&#27;'><p>words</p></span>").text == "words"


def test_main_is_what_the_page_says_it_is() -> None:
    page = walked("<header>h</header><main><p>m</p><aside>note</aside><nav>n</nav></main><footer>f</footer>")
    assert [(page.text[block.start : block.end], block.main) for block in page.blocks] == [
        ("h", False), ("m", True), ("note", True), ("n", False), ("f", False)
    ]  # fmt: skip


def test_a_list_of_links_outside_the_main_region_is_a_menu_and_inside_a_list() -> None:
    menu = "<ul><li><a href=/1>One</a><li><a href=/2>Two</a><li><a href=/3>Three</a></ul>"
    page = walked(f"<main>{menu}</main><footer>{menu}</footer>")
    assert [block.kind.value for block in page.blocks] == ["list_item"] * 3 + ["navigation"] * 3


def test_a_table_of_contents_is_a_menu_wherever_it_stands() -> None:
    page = walked("<main><ul><li><a href=#a>One</a><li><a href=#b>Two</a></ul><p>Text</main>")
    assert [block.kind.value for block in page.blocks] == ["navigation", "navigation", "paragraph"]


@pytest.mark.parametrize(
    "markup", ["", "   ", "<!-- only a comment -->", "<html>", "\0", "<frameset><frame></frameset>"]
)
def test_an_empty_page_has_no_text(markup: str) -> None:
    assert walked(markup) == HtmlPage("", (), (), (), frozenset())


def test_a_page_nested_past_the_parser_fails_and_loses_nothing_silently() -> None:
    with pytest.raises(PageFailure, match="nested deeper"):
        html.parse("<p>fact</p>" + "<div>" * 5000 + "deep", URL)


def test_deep_but_parsable_nesting_is_read() -> None:
    assert walked("<div>" * 1500 + "<p>deep").text == "deep"


FRAGMENTS = st.sampled_from(
    "<p> </p> <div> </div> <b> </b> <ul> <li> </ul> <table> <tr> <td> <th> </table> <a·href=/x> </a> <br> <pre> </pre> "
    "<sup> </sup> <dl> <dt> <dd> </dl> <del> </del> <h2> </h2> <nav> </nav> <span·style=opacity:0> </span> word 1932 , "
    "<div·style=display:flex> <math> <msup> </math> <svg> <text> </svg> <details> <blockquote> <script> </script> é "
    "<p·hidden> \u200b \u202e5\u202c <textarea> </textarea> &lt; &#27; <!-- -->".split(" ")
)


@given(st.lists(FRAGMENTS, max_size=25), st.sampled_from(["", " ", "\n"]))
def test_any_markup_gives_blocks_that_lie_in_order_and_cover_the_text(parts: list[str], between: str) -> None:
    page = walked(between.join(parts).replace("·", " "))
    position = 0
    for block in page.blocks:
        assert page.text[position : block.start] == ("" if position == 0 else "\n\n")
        inner = page.text[block.start : block.end]
        assert inner == inner.rstrip()
        assert inner
        position = block.end
    assert position == len(page.text)
    assert all(0 < at < len(page.text) for at in page.breaks)
    assert list(page.breaks) == sorted(set(page.breaks))
    assert walked(between.join(parts).replace("·", " ")) == page


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<html lang=en><title>T</title><main><h1>H</h1><p>One.</p></main>", "H\n\nOne."),
        ("<title>T</title><article><p>One.</p></article> tail <i>of it</i>", "One.\n\ntail of it"),
        ("<meta charset=utf-8><section>One</section><style>p{display:none}</style><p>hidden</p>", "One"),
        ("<head><title>T</title><custom-element>One</custom-element>", "One"),
        ("<script>1</script><header>One</header><main>Two</main>", "One\n\nTwo"),
        ("<head><!-- c --><title>T</title><main>One</main></head><body>two<p>three", "One\n\ntwo\n\nthree"),
        ("<link rel=x>", ""),
    ],
)
def test_a_page_may_leave_out_the_end_of_its_head(source: str, text: str):
    assert html.walk(html.parse(source), "https://example.org/").text == text
