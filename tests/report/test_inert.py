import ada_url
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from affidavit.report import inert

# Text that is likely to act somewhere: the characters of every syntax concerned, and words between them.
SPICE = st.text(
    alphabet=st.one_of(
        st.sampled_from("\\`*_{}[]()#+-.!|<>&;:/@$%^~='\"\n\r\t\x1b\x07\x9b\u202e\u2066\u200b\ufeff\u2028 ae1"),
        st.characters(),
    ),
    max_size=60,
)


def rendered_text(source):
    """What a reader of the rendered Markdown sees, and the kinds of inline token that made it."""
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(source)
    inline = [child for token in tokens if token.type == "inline" for child in token.children]
    return (
        "".join(child.content for child in inline),
        {child.type for child in inline},
        {token.type for token in tokens},
    )


@given(SPICE)
def test_escaped_text_renders_as_exactly_itself_and_as_nothing_else(text):
    seen, inline, blocks = rendered_text(f"- {inert.markdown(text)}")
    assert seen == inert.line(text)
    assert inline <= {"text"}
    assert blocks <= {"bullet_list_open", "list_item_open", "paragraph_open", "inline"} | {
        "paragraph_close",
        "list_item_close",
        "bullet_list_close",
    }


@given(SPICE, SPICE)
def test_escaped_text_stays_in_its_table_cell(left, right):
    source = f"| a | b |\n| --- | --- |\n| {inert.markdown(left)} | {inert.markdown(right)} |"
    tokens = MarkdownIt("commonmark").enable("table").parse(source)
    cells = [token.content for token in tokens if token.type == "inline"]
    assert len(cells) == 4


@pytest.mark.parametrize(
    "text",
    [
        "![x](https://evil.example/?d=1)",
        "![ref][1]",
        "[x](javascript:alert(1))",
        "[x](java&#115;cript:alert(1))",
        "[1]: https://evil.example/",
        "<https://evil.example/>",
        "<img src=x onerror=alert(1)>",
        "https://evil.example/path and www.evil.example and a@evil.example",
        "&lt;script&gt;",
        "# heading",
        "1. list",
        "> quote",
        "---",
        "```sh",
        "a | b",
        "~~struck~~ ==marked== $math$ {{liquid}} @user",
        "    code",
    ],
)
def test_no_markdown_of_a_page_acts(text):
    seen, inline, _ = rendered_text(f"- {inert.markdown(text)}")
    assert seen == inert.line(text)
    assert inline == {"text"}


@pytest.mark.parametrize("text", ["https://evil.example", "www.evil.example", "//evil.example/x", "me@evil.example"])
def test_no_bare_address_survives_for_an_autolinker(text):
    escaped = inert.markdown(text)
    assert "://" not in escaped
    assert "//" not in escaped
    assert "evil.example" not in escaped


def test_ordinary_prose_is_left_readable():
    text = "At 12:30 the U.S. counted 3.5 (not 4) people; it's 50% more, e.g. in Oxmoor."
    assert inert.markdown(text) == text


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]8;;https://evil.example/\x07safe\x1b]8;;\x07", "safe"),
        ("\x1b]8;;https://evil.example/\x1b\\safe\x1b]8;;\x1b\\", "safe"),
        ("\x1b]0;title never closed\nnext", "next"),
        ("\x9b2Jwiped", "wiped"),
        ("\x1bPq#0\x1b\\kept", "kept"),
        ("\x1bcreset", "reset"),
        ("a\x00b\x08c\x7fd", "abcd"),
        ("\u202egnp.exe\u202c", "gnp.exe"),
        ("\u2066iso\u2069 \u200fmark", "iso mark"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("tag\U000e0041\U000e0042", "tag"),
        ("line\u2028two\r\nthree\x85four", "line two three four"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("👩\u200d🔬", "👩\u200d🔬"),
    ],
)
def test_what_a_reader_cannot_see_goes_and_what_they_can_stays(text, seen):
    assert inert.line(text) == seen


@given(st.text())
def test_no_control_character_is_left_and_a_second_pass_changes_nothing(text):
    clean = inert.passage(text)
    assert all(char in "\n\t" or not (ord(char) < 32 or 127 <= ord(char) < 160) for char in clean)
    assert not set(clean) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c")
    assert inert.passage(clean) == clean
    assert "\n" not in inert.line(text)


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "java\tscript:alert(1)",
        " \x01javascript:alert(1)",
        "JAVASCRIPT:alert(1)",
        "data:text/html,<script>alert(1)</script>",
        "file:///etc/passwd",
        "ftp://example.org/",
        "//evil.example/",
        "/relative",
        "evil.example",
        "https://",
        "https://trusted.example@evil.example/",
        "http://user:word@example.org/",
        "",
        "view-source:https://example.org/",
    ],
)
def test_what_is_no_address_of_the_web_is_no_link(url):
    assert inert.web_url(url) is None


@pytest.mark.parametrize(
    ("url", "link"),
    [
        ("https://example.org", "https://example.org/"),
        ("HTTPS://Example.ORG/a b", "https://example.org/a%20b"),
        ("https://example.org/Bridge_(rail)", "https://example.org/Bridge_(rail)"),
        ("https://example.org/?a={x}|`<b>\"'\\", "https://example.org/?a=%7Bx%7D%7C%60%3Cb%3E%22%27%5C"),
        ("https://example.org/#:~:text=a%2Cb,c%2Dd", "https://example.org/#:~:text=a%2Cb,c%2Dd"),
        ("http://[2001:db8::1]:8080/[x]", "http://[2001:db8::1]:8080/%5Bx%5D"),
        ("https://exаmple.com/", "https://xn--exmple-4nf.com/"),
        ("https://example.org/é#é", "https://example.org/%C3%A9#%C3%A9"),
    ],
)
def test_an_address_of_the_web_keeps_its_meaning(url, link):
    assert inert.web_url(url) == link


@given(
    st.one_of(SPICE, SPICE.map(lambda text: "https://example.org/" + text), SPICE.map(lambda text: "https://" + text))
)
def test_a_link_can_neither_end_nor_leave_its_place(url):
    link = inert.web_url(url)
    if link is not None:
        assert link.isascii()
        assert link.startswith(("https://", "http://"))
        assert not set(link) & set(" \"'<>\\^`{|}\t\r\n")
        assert inert.web_url(link) == link
        assert inert.markdown_destination(link) is not None
        assert ada_url.URL(link).hostname == ada_url.URL(url).hostname


@given(SPICE)
def test_a_destination_renders_as_the_address_it_was_made_of(text):
    link = inert.web_url("https://example.org/" + text)
    if link is None:
        return
    reader = MarkdownIt("commonmark")
    (opened,) = (child for child in reader.parse(f"[x]({inert.markdown_destination(link)})")[1].children if child.attrs)
    assert opened.attrs["href"] == reader.normalizeLink(link)


@given(SPICE)
def test_a_tex_field_has_balanced_braces_and_no_bare_special(text):
    field = inert.tex(text)
    depth = 0
    for index, char in enumerate(field):
        depth += (char == "{") - (char == "}")
        assert depth >= 0
        if char in "$&#%_":
            assert field[index - 1] == "\\"
        assert char not in '^~<>|"'
    assert depth == 0
