from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from affidavit.errors import IntegrityError, SpanMismatch
from affidavit.evidence import (
    Answer,
    BlockKind,
    Claim,
    Conflict,
    Document,
    Dropped,
    Gap,
    GapKind,
    Label,
    Side,
    Span,
    State,
    Verdict,
    VerifiedClaim,
    VerifierCard,
)

DocumentOf = Callable[..., Document]

TEXT = "The mill was built in 1871. It ran every day until 1953."


@pytest.fixture
def document(document_of: DocumentOf) -> Document:
    return document_of(TEXT)


def verdict(claim: Claim, span: Span, label: Label = Label.SUPPORTED, **fields: Any) -> Verdict:
    return Verdict(claim_text=claim.text, span_id=span.span_id, label=label, verifier="test/1", reason="", **fields)


def verified(*spans: Span, labels: tuple[Label, ...] | None = None, **fields: Any) -> VerifiedClaim:
    claim = Claim(text=fields.pop("text", spans[0].text if spans else "Nothing."), spans=spans, **fields)
    labels = labels or (Label.SUPPORTED,) * len(spans)
    return VerifiedClaim(claim, tuple(verdict(claim, s, label) for s, label in zip(spans, labels, strict=True)))


def answer(document: Document, **fields: Any) -> Answer:
    values: dict[str, Any] = {
        "run_id": "run_1",
        "question": "When was the mill built?",
        "tested_claim": None,
        "falsifier": None,
        "summary": "",
        "claims": (),
        "partial": (),
        "dropped": (),
        "gaps": (),
        "conflicts": (),
        "sources": (),
        "tried": (),
        "documents": (document,),
        "verifier": VerifierCard(name="test", version="1", calibration=None),
        "budget": {},
    }
    return Answer(**(values | fields))


def test_a_claim_that_every_span_supports_is_published(document: Document) -> None:
    made = answer(document, claims=(verified(Span.at(document, 0, 27)),))
    assert made.state is State.PUBLISHED
    assert made.document(document.doc_id) is document


@pytest.mark.parametrize("label", [label for label in Label if label is not Label.SUPPORTED])
def test_a_claim_without_a_supported_verdict_is_refused(document: Document, label: Label) -> None:
    with pytest.raises(IntegrityError, match="not SUPPORTED by every span"):
        answer(document, claims=(verified(Span.at(document, 0, 27), labels=(label,)),))


def test_one_decorative_span_is_enough_to_refuse_a_claim(document: Document) -> None:
    spans = (Span.at(document, 0, 27), Span.at(document, 28, 56))
    with pytest.raises(IntegrityError, match="every span"):
        answer(document, claims=(verified(*spans, labels=(Label.SUPPORTED, Label.NOT_SUPPORTED)),))


def test_a_claim_without_a_span_is_refused(document: Document) -> None:
    with pytest.raises(IntegrityError, match="every span"):
        answer(document, claims=(verified(),))


LONG = "The mill was built in 1871, " + "and it ground wheat for the village, " * 40


@pytest.mark.parametrize("place", ["claims", "partial", "dropped", "conflicts"])
@pytest.mark.parametrize(("length", "taken"), [(900, True), (901, False)])
def test_nothing_longer_than_a_quotation_may_be_is_shown_as_one(
    document_of: DocumentOf, place: str, length: int, taken: bool
) -> None:
    document = document_of(LONG)
    span = Span.at(document, 0, length)
    shown: dict[str, Any] = {
        "claims": verified(span),
        "partial": verified(span, labels=(Label.PARTIAL,)),
        "dropped": Dropped(Claim(text="It was built.", spans=(span,)), Label.NOT_SUPPORTED, "no"),
        "conflicts": Conflict("year", Side(span=span), Side(span=Span.at(document, 0, 27))),
    }
    if taken:
        assert answer(document, **{place: (shown[place],)}).spans()
        return
    with pytest.raises(IntegrityError, match=f"{span.span_id} has 901 characters, and a quotation has 900 at most"):
        answer(document, **{place: (shown[place],)})


def test_a_partial_claim_is_partial_by_every_span(document: Document) -> None:
    span = Span.at(document, 0, 27)
    assert answer(document, partial=(verified(span, labels=(Label.PARTIAL,)),)).state is State.NOTHING_SOURCED
    for label in (Label.SUPPORTED, Label.NOT_SUPPORTED, Label.COULD_NOT_CHECK):
        with pytest.raises(IntegrityError, match="not PARTIAL"):
            answer(document, partial=(verified(span, labels=(label,)),))


def test_verdicts_are_one_for_one_about_the_claim_s_spans(document: Document) -> None:
    one, other = Span.at(document, 0, 27), Span.at(document, 28, 56)
    claim = Claim(text="It ran.", spans=(one,))
    for verdicts in ((), (verdict(claim, other),), (verdict(claim, one), verdict(claim, other))):
        with pytest.raises(IntegrityError, match="one for one"):
            VerifiedClaim(claim, verdicts)


def test_a_verdict_about_another_wording_is_refused(document: Document) -> None:
    span = Span.at(document, 0, 27)
    claim = Claim(text="The mill was built in 1872.", spans=(span,))
    with pytest.raises(IntegrityError, match="another wording"):
        VerifiedClaim(claim, (verdict(replace(claim, text="The mill was built in 1871."), span),))


def test_a_verdict_quotes_only_what_its_span_says(document: Document) -> None:
    span = Span.at(document, 0, 27)
    claim = Claim(text="It was built in 1871.", spans=(span,))
    VerifiedClaim(claim, (verdict(claim, span, quote_used="was built  in 1871"),))
    with pytest.raises(IntegrityError, match="does not say"):
        VerifiedClaim(claim, (verdict(claim, span, quote_used="was built in 1872"),))


def test_a_supported_verdict_lacks_nothing_and_follows_no_instructions(document: Document) -> None:
    span = Span.at(document, 0, 27)
    claim = Claim(text="It was built in 1871.", spans=(span,))
    with pytest.raises(IntegrityError, match="unsupported"):
        verdict(claim, span, unsupported_element="1871")
    with pytest.raises(IntegrityError, match="instructions"):
        verdict(claim, span, contains_instructions=True)
    assert verdict(claim, span, Label.NOT_SUPPORTED, contains_instructions=True).contains_instructions


def test_a_span_into_a_document_that_is_not_held_is_refused(document: Document, document_of: DocumentOf) -> None:
    elsewhere = document_of(TEXT, sha256="1" * 64)
    span = Span.at(elsewhere, 0, 27)
    side = Side(span=span)
    for fields in (
        {"claims": (verified(span),)},
        {"partial": (verified(span, labels=(Label.PARTIAL,)),)},
        {"dropped": (Dropped(Claim(text="x", spans=(span,)), Label.NOT_SUPPORTED, "off topic"),)},
        {"conflicts": (Conflict("year", side, side),)},
    ):
        with pytest.raises(IntegrityError, match="does not hold"):
            answer(document, **fields)


def test_a_span_whose_words_are_not_the_document_s_is_refused(document: Document) -> None:
    with pytest.raises(SpanMismatch):
        answer(document, claims=(verified(Span(document.doc_id, 0, 27, "The mill was built in 1872.")),))


def test_navigation_is_no_evidence(document_of: DocumentOf) -> None:
    document = document_of("The mill.", (BlockKind.NAVIGATION, "The mill is open daily"))
    for start in (0, 11):
        with pytest.raises(IntegrityError, match="navigation"):
            answer(document, claims=(verified(Span.at(document, start, len(document.text))),))


def test_a_heading_alone_is_no_evidence(document_of: DocumentOf) -> None:
    document = document_of((BlockKind.HEADING, "The mill closed"), "It ran every day until 1953.")
    heading = len("The mill closed")
    for start, end in ((0, heading), (4, heading), (0, heading + 2)):
        with pytest.raises(IntegrityError, match="is a heading"):
            answer(document, claims=(verified(Span.at(document, start, end)),))
    below = Span.at(document, heading + 2, len(document.text))
    for spans in ((below,), (Span.at(document, 0, len(document.text)),)):
        assert answer(document, claims=(verified(*spans, text=below.text),)).state is State.PUBLISHED


@pytest.mark.parametrize("text", ["", " ", "\n\t", "\u200b", "\u00ad\u2060 "])
def test_a_claim_without_words_is_refused(document: Document, text: str) -> None:
    span = Span.at(document, 0, 27)
    with pytest.raises(IntegrityError, match="without words"):
        answer(document, claims=(verified(span, text=text),))
    with pytest.raises(IntegrityError, match="without words"):
        answer(document, partial=(verified(span, text=text, labels=(Label.PARTIAL,)),))


def word_for_word(span: Span, text: str | None = None, version: str = "1") -> VerifiedClaim:
    claim = Claim(text=span.text if text is None else text, spans=(span,))
    return VerifiedClaim(claim, (replace(verdict(claim, span), verifier=f"verbatim/{version}"),))


def test_a_claim_said_to_stand_word_for_word_in_its_span_stands_there(document: Document) -> None:
    span = Span.at(document, 0, 27)
    for text in (span.text, "The  mill was built\u00a0in\u200b 1871."):
        assert answer(document, claims=(word_for_word(span, text),)).state is State.PUBLISHED
    for text in ("The mill was built in 1872.", "the mill was built in 1871.", "It ran every day until 1953."):
        for version in ("1", "9"):
            with pytest.raises(IntegrityError, match="does not stand in"):
                word_for_word(span, text, version)
    assert answer(document, claims=(verified(span, text="Built in 1871."),)).state is State.PUBLISHED


def test_a_summary_of_claims_that_no_model_judged_is_made_of_them(document: Document) -> None:
    built, ran = (word_for_word(Span.at(document, start, end)) for start, end in ((0, 27), (28, 56)))
    for summary in ("", " ", built.claim.text, TEXT, f"{ran.claim.text}\n\n{built.claim.text}", f"{TEXT}  {TEXT}"):
        assert answer(document, claims=(built, ran), summary=summary).summary == summary
    for summary, rest in (
        ("The mill is cheese.", "The mill is cheese."),
        (f"{TEXT} Send money.", "Send money."),
        (f"Never: {TEXT}", "Never: The mill"),
        ("The mill was built in 187", "The mill was"),
        (f"{built.claim.text}{ran.claim.text}", "The mill was"),
    ):
        with pytest.raises(IntegrityError, match=f"the summary says '{rest}"):
            answer(document, claims=(built, ran), summary=summary)
    with pytest.raises(IntegrityError, match="the summary says"):
        answer(document, claims=(), summary="The mill is old.")


def test_a_summary_may_be_in_other_words_where_a_model_judged_a_claim(document: Document) -> None:
    claims = (word_for_word(Span.at(document, 0, 27)), verified(Span.at(document, 28, 56)))
    assert answer(document, claims=claims, summary="An old mill.").summary == "An old mill."


def test_the_same_claim_or_document_twice_is_refused(document: Document) -> None:
    claim = verified(Span.at(document, 0, 27))
    with pytest.raises(IntegrityError, match="published twice"):
        answer(document, claims=(claim, claim))
    with pytest.raises(IntegrityError, match="held twice"):
        answer(document, documents=(document, document))


def test_an_inference_stands_on_two_published_claims(document: Document) -> None:
    one, other = verified(Span.at(document, 0, 27)), verified(Span.at(document, 28, 56))
    ids = (one.claim.claim_id, other.claim.claim_id)
    whole = Span.at(document, 0, 56)

    def inferred(*premises: str) -> VerifiedClaim:
        return verified(whole, text="It ran for 82 years.", inference=True, premises=premises)

    assert answer(document, claims=(inferred(*ids), one, other)).state is State.PUBLISHED
    for premises in ((), ids[:1], (ids[0], ids[0]), (ids[0], "claim_unknown"), (*ids, "claim_unknown")):
        with pytest.raises(IntegrityError, match="two published premises"):
            answer(document, claims=(one, other, inferred(*premises)))
    with pytest.raises(IntegrityError, match="two published premises"):
        answer(document, claims=(one, inferred(*ids)))


def test_inferences_never_stand_on_one_another_in_a_circle(document: Document) -> None:
    one = verified(Span.at(document, 0, 27))
    span = Span.at(document, 0, 56)
    a, b = Claim(text="A.", spans=(span,)).claim_id, Claim(text="B.", spans=(span,)).claim_id
    with pytest.raises(IntegrityError, match="of its own"):
        answer(
            document,
            claims=(
                one,
                verified(span, text="A.", inference=True, premises=(one.claim.claim_id, b)),
                verified(span, text="B.", inference=True, premises=(one.claim.claim_id, a)),
            ),
        )


def test_the_state_follows_from_what_the_answer_holds(document: Document) -> None:
    claims = (verified(Span.at(document, 0, 27)),)
    gaps = (Gap(GapKind.NOTHING_FOUND, None, "no page said who"),)
    assert answer(document).state is State.NOTHING_SOURCED
    assert answer(document, claims=claims).state is State.PUBLISHED
    assert answer(document, claims=claims, gaps=gaps).state is State.PUBLISHED_WITH_GAPS
    assert answer(document, claims=claims, gaps=gaps, needs_human="one source").state is State.NEEDS_HUMAN
    assert answer(document, claims=claims, failure="crashed").state is State.FAILED


def test_each_span_is_listed_once(document: Document) -> None:
    span = Span.at(document, 0, 27)
    dropped = Dropped(Claim(text="x", spans=(span,)), Label.NOT_SUPPORTED, "off topic")
    made = answer(
        document,
        claims=(verified(span),),
        dropped=(dropped,),
        conflicts=(Conflict("y", Side(span=span), Side(span=span)),),
    )
    assert made.spans() == (span,)


def test_a_reworded_claim_is_another_claim(document: Document) -> None:
    one, other = Span.at(document, 0, 27), Span.at(document, 28, 56)
    ids = {
        Claim(text="A.", spans=(one,)).claim_id,
        Claim(text="B.", spans=(one,)).claim_id,
        Claim(text="A.", spans=(other,)).claim_id,
    }
    assert len(ids) == 3


def test_an_answer_made_of_lists_cannot_be_changed_afterwards(document: Document) -> None:
    span, other = Span.at(document, 0, 27), Span.at(document, 28, 56)
    claim = Claim(text=span.text, spans=[span], premises=[])  # pyright: ignore[reportArgumentType]
    one = VerifiedClaim(claim, [verdict(claim, span)])  # pyright: ignore[reportArgumentType]
    given: list[VerifiedClaim] = [one]
    budget: dict[str, dict[str, float | None]] = {"searches": {"used": 1, "limit": 2}}
    lists = {name: [] for name in ("partial", "dropped", "gaps", "conflicts", "sources", "tried", "warnings")}
    made = answer(document, claims=given, documents=[document], budget=budget, **lists)
    given.append(verified(other))
    budget["searches"]["used"] = 9
    lists["warnings"].append("careful")
    assert made == answer(document, claims=(one,), budget={"searches": {"used": 1, "limit": 2}})
    for name in ("claims", "documents", *lists):
        assert isinstance(getattr(made, name), tuple)
    assert isinstance(made.claims[0].verdicts, tuple)
    assert isinstance(made.claims[0].claim.spans, tuple)
    with pytest.raises(TypeError):
        made.budget["searches"]["used"] = 9  # pyright: ignore[reportIndexIssue]


def test_a_document_made_of_lists_cannot_be_changed_afterwards(document: Document) -> None:
    made = replace(document, blocks=list(document.blocks), headers=[["a", "b"]], flags=["bidi"], breaks=[], links=[])
    assert made == replace(document, headers=(("a", "b"),), flags=("bidi",))
    hash(made)
