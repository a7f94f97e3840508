import pytest

from affidavit.check import cited_links, markdown_draft, plain_draft


@pytest.mark.parametrize(
    ("source", "links"),
    [
        ('It is [known](https://a.example/x?b=1&amp;c=2 "title").', ["https://a.example/x?b=1&c=2"]),
        ("It is known.[^1]\n\n[^1]: https://a.example/note\n", ["https://a.example/note"]),
        ("See <https://a.example/>, and https://b.example/p.", ["https://a.example/", "https://b.example/p"]),
        ("(see https://a.example/wiki/Pier_(bridge)).", ["https://a.example/wiki/Pier_(bridge)"]),
        ("[One][r] and [one again](https://A.example/r#top).\n\n[r]: https://a.example/r", ["https://a.example/r"]),
        ("Raw <a class=x href='https://a.example/h'>HTML</a>.", ["https://a.example/h"]),
        ('<div><a href="https://a.example/h">HTML</a></div>', ["https://a.example/h"]),
        ("`https://a.example/code` and\n\n    https://a.example/block\n", []),
        ("![A picture](https://a.example/i.png) <!-- https://a.example/c -->", []),
        ("[Mail](mailto:a@b.example), [above](#top), [file](./a.md), [x](javascript:alert(1))", []),
        ("[Text that is an address: https://a.example/shown](https://a.example/real)", ["https://a.example/real"]),
        ("Tricks: https://user:pw@a.example/ and http://0x7f.1/", []),
    ],
)
def test_what_a_markdown_draft_cites(source: str, links: list[str]):
    assert list(cited_links(markdown_draft("d.md", source))) == links


def test_a_plain_text_cites_what_it_spells_out():
    draft = plain_draft("d.txt", "Known (https://a.example/x), and again: https://a.example/x; HTTPS://B.example/Y!\n")
    assert cited_links(draft) == ("https://a.example/x", "https://b.example/Y")
