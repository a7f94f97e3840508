"""Feeds: RSS and Atom, and what no feed may do."""

import pytest

from affidavit.errors import UserError
from affidavit.write.feed import is_feed, read_feed

RSS = b"""<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel>
<title>Harbour</title>
<item><title>One &amp; only</title><link>https://h.example/one</link><description>short</description>
<content:encoded><![CDATA[<p>The <b>whole</b> text.</p>]]></content:encoded></item>
<item><title>Two</title><guid>x</guid><description>&lt;p&gt;Escaped.&lt;/p&gt;</description></item>
</channel></rss>"""
ATOM = b"""<feed xmlns="http://www.w3.org/2005/Atom"><title>Harbour</title>
<entry><title type="html">A &amp;amp; B</title><link rel="self" href="https://h.example/self"/><link href="https://h.example/a"/>
<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>As <em>elements</em>.</p></div></content></entry>
<entry><title>Plain</title><link rel="alternate" href="https://h.example/b"/>
<summary type="text">5 &lt; 6</summary></entry>
</feed>"""


def test_rss_gives_title_address_and_the_fullest_text():
    one, two = read_feed(RSS, "feed.xml")
    assert (one.title, one.url) == ("One & only", "https://h.example/one")
    assert "<p>The <b>whole</b> text.</p>" in one.page
    assert (two.title, two.url) == ("Two", None)
    assert "<p>Escaped.</p>" in two.page


def test_atom_gives_the_alternate_link_and_text_in_each_of_its_types():
    one, two = read_feed(ATOM, "feed.atom")
    assert (one.title, one.url) == ("A & B", "https://h.example/a")
    assert "<em>elements</em>" in one.page
    assert two.url == "https://h.example/b"
    assert "<p>5 &lt; 6</p>" in two.page


def test_entities_are_not_read_and_so_refused(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("the key")
    for declared in (f'<!ENTITY x SYSTEM "file://{secret}">', '<!ENTITY x "lol">'):
        body = f"<!DOCTYPE rss [{declared}]><rss><channel><item><title>&x;</title></item></channel></rss>"
        for encoding in ("utf-8", "utf-16"):
            with pytest.raises(UserError, match="declares entities"):
                read_feed(body.encode(encoding), "feed.xml")


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b"<rss><channel></rss>", "no XML that can be read"),
        (b"<rss><channel/></rss>", "an empty one"),
        (b"", "no XML that can be read"),
    ],
)
def test_what_is_no_feed_says_so(body, says):
    with pytest.raises(UserError, match=f"feed.xml: .*{says}"):
        read_feed(body, "feed.xml")


def test_a_feed_is_known_by_its_beginning():
    assert is_feed(RSS)
    assert is_feed(ATOM)
    assert not is_feed(b"<html><body>rss</body></html>")
