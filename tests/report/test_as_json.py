import json

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from affidavit.errors import IntegrityError
from affidavit.evidence.answer import (
    Answer,
    Conflict,
    Dropped,
    Gap,
    GapKind,
    Side,
    Source,
    Tried,
    VerifiedClaim,
    VerifierCard,
)
from affidavit.evidence.claim import Claim, Confidence, Label, Stance, Verdict
from affidavit.evidence.document import Block, BlockKind, Document
from affidavit.evidence.fold import fold, folded_in
from affidavit.evidence.span import Span
from affidavit.ledger.canonical import canonical
from affidavit.report.as_json import answer_from_json, answer_json, first_difference, parse_answer
from affidavit.report.schema import load_schema
from affidavit.report.schema_file import generate

WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
MAYBE = st.none() | WORDS
NUMBER = st.floats(0, 10) | st.integers(0, 10)


@st.composite
def documents(draw: st.DrawFn) -> Document:
    text = draw(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=60))
    return Document(
        requested_url="https://example.org/a",
        final_url=draw(st.sampled_from(["https://example.org/a", "https://example.org/b?q=1#top"])),
        canonical_url="https://example.org/" + draw(st.text("abc", min_size=1, max_size=12)),
        retrieved_at="2026-01-02T03:04:05Z",
        status=200,
        headers=(("content-type", "text/plain"),),
        media_type="text/plain",
        sha256=draw(st.text("0123456789abcdef", min_size=64, max_size=64)),
        extractor="test/1",
        title=draw(MAYBE),
        published=draw(st.none() | st.just("2025")),
        language=draw(st.none() | st.just("en")),
        text=text,
        blocks=(Block(0, len(text), BlockKind.PARAGRAPH),),
        flags=tuple(draw(st.lists(st.sampled_from(["bidi", "control"]), unique=True))),
    )


@st.composite
def answers(draw: st.DrawFn) -> Answer:
    pages = draw(st.lists(documents(), min_size=1, max_size=3, unique_by=lambda document: document.doc_id))

    @st.composite
    def spans(draw: st.DrawFn) -> Span:
        page = draw(st.sampled_from(pages))
        start = draw(st.integers(0, len(page.text) - 1))
        return Span.at(page, start, draw(st.integers(start + 1, len(page.text))), truncated=draw(st.booleans()))

    claim_list = st.builds(
        Claim,
        text=WORDS.filter(lambda text: bool(fold(text).text.strip())),
        spans=st.lists(spans(), min_size=1, max_size=2).map(tuple),
        subquestion=MAYBE,
        confidence=st.sampled_from(Confidence),
        stance=st.none() | st.sampled_from(Stance),
    )

    def judged(claim: Claim, label: Label) -> VerifiedClaim:
        verdicts = [
            Verdict(
                claim_text=claim.text,
                span_id=span.span_id,
                label=label,
                verifier="test/1",
                reason=draw(WORDS),
                unsupported_element=None if label is Label.SUPPORTED else draw(MAYBE),
                quote_used=draw(st.sampled_from([None, span.text if folded_in(span.text, span.text) else None])),
                contains_instructions=label is not Label.SUPPORTED and draw(st.booleans()),
            )
            for span in claim.spans
        ]
        return VerifiedClaim(claim, tuple(verdicts))

    sides = st.builds(Side, span=spans(), value=MAYBE, unit=MAYBE, as_of=MAYBE)
    doc_ids = st.none() | st.sampled_from([page.doc_id for page in pages])
    claims = tuple(
        judged(claim, Label.SUPPORTED)
        for claim in draw(st.lists(claim_list, max_size=2, unique_by=lambda claim: claim.claim_id))
    )
    return Answer(
        run_id=draw(WORDS),
        question=draw(WORDS),
        tested_claim=draw(MAYBE),
        falsifier=draw(MAYBE),
        summary=draw(WORDS) if claims else "",
        claims=claims,
        partial=tuple(
            judged(claim, Label.PARTIAL)
            for claim in draw(st.lists(claim_list, max_size=2, unique_by=lambda claim: claim.claim_id))
        ),
        dropped=tuple(draw(st.lists(st.builds(Dropped, claim_list, st.sampled_from(Label), WORDS, MAYBE), max_size=2))),
        gaps=tuple(draw(st.lists(st.builds(Gap, st.sampled_from(GapKind), MAYBE, WORDS), max_size=2))),
        conflicts=tuple(draw(st.lists(st.builds(Conflict, WORDS, sides, sides), max_size=1))),
        sources=tuple(
            draw(
                st.lists(
                    st.builds(
                        Source,
                        url=WORDS,
                        title=MAYBE,
                        doc_id=doc_ids,
                        tier=WORDS,
                        score=NUMBER,
                        terms=st.dictionaries(WORDS, NUMBER, max_size=2),
                        published=MAYBE,
                    ),
                    max_size=2,
                )
            )
        ),
        tried=tuple(
            draw(
                st.lists(
                    st.builds(Tried, query=WORDS, provider=WORDS, results=st.integers(0, 9), novelty=NUMBER), max_size=2
                )
            )
        ),
        documents=tuple(pages),
        verifier=VerifierCard(
            name=draw(WORDS),
            version=draw(WORDS),
            calibration=draw(st.none() | st.dictionaries(WORDS, WORDS, max_size=2)),
        ),
        budget=draw(
            st.dictionaries(WORDS, st.fixed_dictionaries({"used": st.none() | NUMBER, "limit": st.none() | NUMBER}))
        ),
        cost_usd=draw(NUMBER),
        needs_human=draw(MAYBE),
        injection_observed=draw(MAYBE),
        failure=draw(MAYBE),
        warnings=tuple(draw(st.lists(WORDS, max_size=2))),
    )


VALIDATOR = jsonschema.Draft202012Validator(load_schema("answer"))
FEW = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@given(answers())
@FEW
def test_every_answer_is_valid_by_the_shipped_schema(answer: Answer) -> None:
    VALIDATOR.validate(json.loads(json.dumps(answer_json(answer))))


@given(answers())
@FEW
def test_an_answer_read_back_from_its_json_is_the_same_answer(answer: Answer) -> None:
    shown = parse_answer(canonical(answer_json(answer)))
    assert answer_from_json(shown, answer.documents) == answer
    assert first_difference(answer_json(answer_from_json(shown, answer.documents)), shown) is None


def test_a_full_an_empty_and_a_tested_answer_are_valid(answer: Answer, nothing: Answer, tested: Answer) -> None:
    for one in (answer, nothing, tested):
        shown = answer_json(one)
        VALIDATOR.validate(shown)
        assert answer_from_json(parse_answer(json.dumps(shown)), one.documents) == one


def test_hostile_pages_stay_exact_in_json(hostile: Answer, hostile_text: str) -> None:
    shown = answer_json(hostile)
    VALIDATOR.validate(shown)
    assert shown["summary"] == hostile_text
    assert answer_from_json(parse_answer(json.dumps(shown)), hostile.documents) == hostile


def test_every_list_is_present_when_empty_and_every_unknown_is_null(nothing: Answer) -> None:
    shown = answer_json(nothing)
    for name in ("claims", "partial", "dropped", "conflicts", "sources", "documents", "tried", "warnings"):
        assert shown[name] == []  # type: ignore[literal-required]
    for name in ("claim", "falsifier", "injection_observed", "needs_human", "failure"):
        assert shown[name] is None  # type: ignore[literal-required]
    assert shown["state"] == "nothing_sourced"
    assert shown["schema_version"] == "1.0"
    assert shown["kind"] == "answer"


def test_the_schema_allows_no_field_it_does_not_name_and_misses_none(answer: Answer) -> None:
    shown = json.loads(json.dumps(answer_json(answer)))

    def objects(part: object) -> list[dict[str, object]]:
        if isinstance(part, dict):
            return [part, *(found for inner in part.values() for found in objects(inner))]
        return [found for inner in part for found in objects(inner)] if isinstance(part, list) else []

    free = {id(part) for part in (shown["budget"], shown["verifier"]["calibration"] or {})}
    free |= {id(source["terms"]) for source in shown["sources"]}
    checked = 0
    for part in objects(shown):
        if id(part) in free:
            continue
        part["unheard_of"] = 1
        assert not VALIDATOR.is_valid(shown)
        del part["unheard_of"]
        for name in list(part):
            value = part.pop(name)
            assert not VALIDATOR.is_valid(shown), name
            part[name] = value
            checked += 1
    assert checked > 150
    assert VALIDATOR.is_valid(shown)


def test_the_shipped_schema_is_the_one_generated_from_the_shapes() -> None:
    assert load_schema("answer") == generate()
    jsonschema.Draft202012Validator.check_schema(load_schema("answer"))
    with pytest.raises(KeyError, match="there is one of: answer"):
        load_schema("letter")


def test_every_field_of_the_schema_is_described() -> None:
    schema = load_schema("answer")
    bare = [
        f"{name}.{field}"
        for name, shape in (*schema["$defs"].items(), ("answer", schema))
        for field, part in shape["properties"].items()
        if "description" not in part and "$ref" not in part
    ]
    assert bare == ["VerifierJson.name", "VerifierJson.version"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"question": 3}, "question"),
        ({"claims": None}, "claims"),
        ({"schema_version": "9.0"}, "schema_version"),
        ({"state": "fine"}, "state"),
        ({"extra": 1}, "extra"),
        ({"cost": {"usd": "1"}}, "cost.usd"),
    ],
)
def test_json_of_another_shape_is_refused_with_the_field(answer: Answer, change: dict[str, object], said: str) -> None:
    with pytest.raises(IntegrityError, match=said):
        parse_answer(json.dumps({**answer_json(answer), **change}))


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "[" * 100_000, "9" * 5000])
def test_what_is_no_answer_is_refused(text: str) -> None:
    with pytest.raises(IntegrityError):
        parse_answer(text)


def test_an_answer_whose_document_is_missing_is_refused(answer: Answer) -> None:
    with pytest.raises(IntegrityError, match="no such document"):
        answer_from_json(answer_json(answer), answer.documents[:1])


def test_a_claim_shows_the_strongest_verdict_of_its_spans(answer: Answer) -> None:
    assert [claim["verdict"] for claim in answer_json(answer)["claims"]] == ["SUPPORTED"] * 3
    assert [claim["verdict"] for claim in answer_json(answer)["partial"]] == ["PARTIAL"]


def test_the_first_difference_is_named_by_its_path() -> None:
    assert first_difference({"a": [1, {"b": "x"}]}, {"a": [1, {"b": "y"}]}) == "a[1].b: 'x' where 'y' is right"
    assert first_difference({"a": 1}, {"a": 1.0}) is None
    assert first_difference({"a": True}, {"a": 1}) == "a: True where 1 is right"
    assert first_difference({"a": [1]}, {"a": [1, 2]}) == "a: 1 entries where 2 are right"
    assert first_difference({"a": 1}, {}) == "a: not expected"
