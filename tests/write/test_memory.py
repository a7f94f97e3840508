"""What is remembered of a piece."""

from affidavit.extract.extraction import extract
from affidavit.write.memory import SUMMARY_WORDS, Recalled, recall_document, recall_markdown

TEXT = """# Hiring abroad

Harbour has placed people in 91 countries. [Each of them](https://h.example/x) is **known** by name to the people here.

- It takes three steps.
- Turnover rose by 12%.

```
There were 77 lines of code in this block of code.
```
"""


def test_statistics_are_sentences_that_state_a_figure_and_steps_are_none():
    found = recall_markdown("Hiring abroad", TEXT)
    assert found.statistics == ("Harbour has placed people in 91 countries.", "Turnover rose by 12%.")


def test_sentences_are_the_longer_ones_as_a_reader_sees_them_the_most_distinctive_first():
    found = recall_markdown("Hiring abroad", TEXT)
    assert found.sentences == ("Each of them is known by name to the people here.",)


def test_the_summary_is_the_beginning_in_whole_sentences():
    found = recall_markdown("T", " ".join(f"The boat number {n} sails out at dawn every day." for n in range(20)))
    assert found.summary.startswith("The boat number 0 sails out")
    assert len(found.summary.split()) <= SUMMARY_WORDS
    assert found.summary.endswith(".")


def test_one_long_sentence_is_a_summary_too():
    assert recall_markdown("T", "word " * 60 + "end.").summary.endswith("end.")


def test_the_id_is_of_what_is_recalled():
    one, same = recall_markdown("T", "A b c."), recall_markdown("T", "A b c.")
    assert one.memory_id == same.memory_id
    assert one.memory_id != recall_markdown("T", "A b d.").memory_id
    assert one.memory_id != Recalled(title="T", summary=one.summary, url="https://h.example/").memory_id


def test_of_a_page_only_the_main_text_is_recalled(respond):
    text = "The quay was built by the town in the year of the flood and it stands."
    document = extract(
        respond(f"<html><title>The quay</title><nav><a href=/>Home</a></nav><main><p>{text}</p></main></html>")
    )
    found = recall_document(document)
    assert (found.title, found.sentences) == ("The quay", (text,))
