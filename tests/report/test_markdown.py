from markdown_it import MarkdownIt

from affidavit.report import inert
from affidavit.report.markdown import render_markdown
from affidavit.report.outline import Outline


def parse(source):
    return MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).parse(source)


def inline(source):
    return [child for token in parse(source) if token.type == "inline" for child in token.children]


def seen(source):
    return " ".join(token.content for token in inline(source))


def test_every_published_claim_is_there_with_a_link_to_its_quotation(answer):
    source = render_markdown(answer)
    links = {token.attrs["href"] for token in inline(source) if token.type == "link_open"}
    for verified in answer.claims:
        assert verified.claim.text in seen(source)
    assert {citation.link for citation in Outline(answer).citations} <= links


def test_a_number_reads_as_a_number_in_brackets(answer):
    tokens = inline(render_markdown(answer))
    linked = {token.attrs["href"]: at for at, token in enumerate(tokens) if token.type == "link_open"}
    for citation in Outline(answer).citations:
        at = linked[citation.link]
        end = next(i for i in range(at, len(tokens)) if tokens[i].type == "link_close")
        assert "".join(token.content for token in tokens[at + 1 : end]) == f"[{citation.number}]"


def test_gaps_conflicts_drops_searches_and_the_verifier_are_told(answer):
    text = seen(render_markdown(answer))
    for words in (
        "What did it cost?",
        "24,800 people a day",
        "The viaduct cost two million.",
        "oxmoor viaduct disputed",
        "Not calibrated",
        "The quotation does not establish: early",
        "2 of 12",
    ):
        assert words in text


def test_nothing_of_a_page_acts(hostile):
    source = render_markdown(hostile)
    tokens = [*parse(source), *inline(source)]
    assert not {token.type for token in tokens} & {
        "image",
        "html_inline",
        "html_block",
        "fence",
        "code_block",
        "s_open",
    }
    for token in tokens:
        if token.type == "link_open":
            assert token.attrs["href"].startswith("https://h.example/")


def test_nothing_of_a_page_makes_a_heading_or_a_list_of_its_own(hostile, hostile_text):
    ours = {"Supported in part", "What is missing", "Sources", "Budget", "Answer", "Quotations"}
    tokens = parse(render_markdown(hostile))
    heads = [tokens[at + 1] for at, token in enumerate(tokens) if token.type == "heading_open"]
    texts = ["".join(child.content for child in head.children) for head in heads]
    assert ours <= set(texts)
    assert texts.count(inert.line(hostile_text)) == 1
    assert texts.count(inert.line(f"{hostile_text}?")) == 1
    assert len(texts) <= 14


def test_the_state_of_an_empty_answer_is_plain(nothing):
    assert "**Nothing sourced.** No sentence in these pages answers this." in render_markdown(nothing)
