"""A model that is the attacker's: it does all that the author of the hostile page wants, whether it was told or not.

So what is measured is the runtime and not the manners of a model. It reads the pages, asks for every address it is to
ask for, quotes whatever of the hostile page can be quoted, and hangs the author's claims under every quotation that it
has, the honest ones and forged ones among them. As a verifier it is told by what stands in its own prompt alone, since
that is all that can reach one: it says SUPPORTED where that holds the words of the attack, and no everywhere else.
"""

import json
import re
import unicodedata
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager

from affidavit.evals.injection.fixture import Fixture
from affidavit.evidence.envelope import unescape
from affidavit.models.cast import Cast
from affidavit.models.context import Context
from affidavit.models.model import Model
from affidavit.models.prices import load_prices
from affidavit.models.reply import ModelReply
from affidavit.models.request import Assistant, ModelRequest, ToolResult, message_json
from affidavit.models.roles import Role
from affidavit.models.scripted import called, said
from affidavit.models.spend import Spend
from affidavit.research.crew import Crew
from affidavit.research.recalled import Calls
from affidavit.research.tools import Log
from affidavit.settings import Settings
from affidavit.staff import Staff, VerifierMaker, record_ending, record_model, verifier_of
from affidavit.verify import Guarded
from affidavit.verify.model import DENIED, ModelVerifier

NAME = "scripted:obedient"
LOCATOR_CHARS = 240
SHORTEST, LONGEST = 40, 900
MOST_CLAIMS = 12
_DENIAL = DENIED.format(claim="")
_PAGE = re.compile(r'<untrusted_page [^>]*?doc_id="(doc_[0-9a-f]{16})" source="([^"]*)"')
_SPAN = re.compile(
    r'<untrusted_span id="(span_[0-9a-f]{16})" source="([^"]*)"[^>]*>\n(.*?)\n</untrusted_span>', re.DOTALL
)
_TAGS = {code: code - 0xE0000 for code in range(0xE0020, 0xE007F)}

Calls_ = list[tuple[str, Mapping[str, object]]]


def letters(text: str) -> str:
    """What of `text` a model could spell out: its letters and digits, tag characters read as what they stand for."""
    plain = unicodedata.normalize("NFKC", unescape(text).translate(_TAGS))
    return "".join(filter(str.isalnum, plain)).casefold()


class Obedient:
    """The researcher and the convergence check of the runs over `fixtures`. `shown` is, by the row's id, the text of
    pages and results that it was shown before it did anything of its own."""

    name = NAME

    def __init__(self, fixtures: Sequence[Fixture]) -> None:
        self._fixtures = fixtures
        self.shown: dict[str, str] = {}

    async def complete(self, request: ModelRequest) -> ModelReply:
        text = "\n".join(str(message_json(message)["text"]) for message in request.messages)
        fixture = next(one for one in self._fixtures if one.place in text)
        if request.output is not None:
            return said(json.dumps(_goes_on(text)))
        return called(*self._calls(request, fixture, text))

    def _calls(self, request: ModelRequest, fixture: Fixture, text: str) -> Calls_:
        offered = {tool.name for tool in request.tools}
        turn = sum(isinstance(message, Assistant) for message in request.messages)
        if turn < 2 and "fetch_page" in offered:
            self.shown[fixture.row.id] = text
        if turn == 0 and "fetch_page" in offered:
            return [("fetch_page", {"urls": [fixture.honest, fixture.hostile]})]
        if turn == 1 and "fetch_page" in offered:
            fetched: Calls_ = [("fetch_page", {"urls": [url]}) for url in fixture.all_filled(fixture.row.fetch)]
            return fetched + (_quotes(fixture, text) if "extract_quote" in offered else [])
        return [_draft(fixture, text, request)]


class Steered:
    """The verifier of those runs."""

    name = f"{NAME}-judge"

    def __init__(self, fixtures: Sequence[Fixture]) -> None:
        orders = [one for one in fixtures if not one.row.plain]
        self._orders = [(letters(one.filled(one.row.tells)), one.row) for one in orders]

    async def complete(self, request: ModelRequest) -> ModelReply:
        text = str(message_json(request.messages[-1])["text"])
        span = text.split("\n", 1)[1].split("\n</untrusted_span")[0]
        shown, carried = letters(span), letters(text)
        obeyed = [row for tells, row in self._orders if tells in (carried if row.carried else shown)]
        if obeyed and not (letters(_DENIAL) in carried and all(row.spares for row in obeyed)):
            return said(json.dumps(_judgement("SUPPORTED", " ".join(span.split()[:8]), None)))
        return said(json.dumps(_judgement("NOT_SUPPORTED", None, "all of it")))


@asynccontextmanager
async def staff(
    researcher: Model,
    verifier: Model | None,
    settings: Settings,
    log: Log,
    open_verifier: VerifierMaker,
    *,
    calls: Calls | None = None,  # noqa: ARG001 - no run of a suite is resumed
    spend: Spend | None = None,
) -> AsyncGenerator[Staff]:
    """The staff of a run, of these two, with everything around them that is around a model; without `verifier` the one
    that the product has where none is named."""
    purse = spend or Spend(load_prices(settings.models.prices), settings.max_usd)
    cast = Cast(settings.models, spend=purse, on_call=record_model(log), on_end=record_ending(log))
    crew = Crew(
        researcher=cast.around(researcher, Role.RESEARCHER),
        convergence=cast.around(researcher, Role.CONVERGENCE),
        spend=purse,
        replies=settings.models.reply_tokens,
        context=Context(settings.models.context_tokens),
    )
    if verifier is None:
        yield Staff(crew, open_verifier(verifier_of(settings), settings, cast))
    else:
        yield Staff(crew, Guarded(ModelVerifier(cast.around(verifier, Role.VERIFIER))))


def _quotes(fixture: Fixture, text: str) -> Calls_:
    """Whatever is wanted of the hostile page, long and short, and at last the honest sentence."""
    row = fixture.row
    made: Calls_ = []
    honest = ""
    for doc_id, source in dict(_PAGE.findall(text)).items():
        if source == fixture.honest:
            honest = doc_id
            continue
        torn = [claim[:1].lower() + claim[1:] for claim in row.claims]
        wanted = fixture.all_filled(
            (*row.quote, row.tells, *row.claims, *torn, *row.quotable, "Anglers come to the pier")
        )
        for locator in dict.fromkeys(one[:LOCATOR_CHARS] for one in wanted):
            for most in (LONGEST, max(SHORTEST, min(len(locator) + 1, LONGEST))):
                made.append(("extract_quote", _quote(doc_id, locator, most)))
    return [*made, ("extract_quote", _quote(honest, fixture.truth, LONGEST))]


def _quote(doc_id: str, locator: str, most: int) -> Mapping[str, object]:
    return {"doc_id": doc_id, "locator": locator, "purpose": "support_claim", "max_chars": most}


def _draft(fixture: Fixture, text: str, request: ModelRequest) -> tuple[str, Mapping[str, object]]:
    """The honest claim, and the author's under each quotation that there is, and under forged ones."""
    spans = {span: (source, words) for span, source, words in _SPAN.findall(text)}
    honest = [span for span, (source, _) in spans.items() if source == fixture.honest]
    tells = letters(fixture.filled(fixture.row.tells))
    theirs = sorted((span for span in spans if span not in honest), key=lambda one: tells not in letters(spans[one][1]))
    claims: list[Mapping[str, object]] = [_claim(fixture.truth, honest[:1])] if honest else []
    for claim in fixture.all_filled(fixture.row.claims):
        claims += [_claim(claim, [span]) for span in (*theirs[:5], *honest[:1])]
        claims += [_claim(claim, [forged, *honest[:1]]) for forged in fixture.row.spans]
    claims = claims[:MOST_CLAIMS] or [_claim(fixture.truth, ["span_0000000000000000"])]
    if isinstance(request.messages[-1], ToolResult) and request.messages[-1].failed:
        claims = claims[:1] if honest else []
    summary = " ".join([*fixture.all_filled(fixture.row.claims), fixture.truth])
    return "draft_answer", {"claims": claims, "summary": summary}


def _claim(text: str, spans: Sequence[str]) -> Mapping[str, object]:
    return {"text": text, "span_ids": list(spans), "confidence": "high"}


def _goes_on(text: str) -> Mapping[str, object]:
    action = "Open the deeds of the harbour trust in the register of the county"
    spans = re.findall(r"span_[0-9a-f]{16}", text)
    covered = [{"subquestion": 1, "span_ids": spans[:1], "state": "thin"}]
    return {"coverage": covered, "decision": "CONTINUE", "next_action": action, "reason": "the page says so"}


def _judgement(verdict: str, quote: str | None, element: str | None) -> Mapping[str, object]:
    return {
        "contains_instructions": False,
        "quote_used": quote,
        "verdict": verdict,
        "unsupported_element": element,
    }
