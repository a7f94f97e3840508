"""A run that goes on by the gateway's process, to which it is a new one."""

import asyncio

import pytest

from affidavit.errors import GatewayError
from affidavit.house import open_house
from affidavit.reach import Reach
from affidavit.research.ask import Ask
from affidavit.research.plan import make_plan
from affidavit.settings import load_settings
from affidavit.wiring import open_ledger

from ..hostile_server import reply
from .conftest import SITE

PAGE = reply(
    b"<html lang=en><main><p>The mill at Aldermoor was rebuilt in 1911 after the great fire.</p></main></html>"
)
OTHER = reply(
    b"<html lang=en><main><p>The mill at Aldermoor grinds wheat for four villages to this day.</p></main></html>"
)
PLAN = make_plan(Ask(question="When was the mill at Aldermoor rebuilt?"), 1)


def cut_off(settings, run_id):
    """A run that was killed when `run_id`'s like had searched and read nothing."""
    with open_ledger(settings) as ledger:
        log = ledger.begin("ask", PLAN.ask.asked, ledger.run(run_id).settings)
        for event in ledger.events(run_id):
            if event.type == "rank":
                break
            if event.type in ("plan", "search"):
                log.record(event.type, event.payload)
    return log.run_id


def gone_on_with(town, folder, second):
    """The answers of a run, and of one like it that goes on at a gateway that is `second`."""

    async def scene():
        pages = {"/mill": PAGE, "/wheat": OTHER}
        found = tuple(f"{SITE}{path}" for path in pages)
        async with town(pages, found=found) as place:
            settings = load_settings(
                {}, cache_dir=folder / "c", data_dir=folder / "d", workers=1, gateway=str(place.place)
            )
            with open_house(settings, Reach(live=True)) as house:
                whole = await house.aask(PLAN)
        cut = cut_off(settings, whole.run_id)
        async with town(pages, **second) as place:
            again = settings.model_copy(update={"gateway": str(place.place)})
            with open_house(again, Reach(live=True)) as house:
                return whole, await house.aresume(cut), place

    return asyncio.run(scene())


def test_what_an_interrupted_run_had_found_can_be_fetched_though_the_gateway_finds_nothing_now(town, tmp_path):
    whole, resumed, place = gone_on_with(town, tmp_path, {"found": ()})
    assert [item.claim.text for item in whole.claims]
    assert [item.claim.text for item in resumed.claims] == [item.claim.text for item in whole.claims]
    assert resumed.gaps == whole.gaps
    assert {one["reason"] for one in place.events("decision")} <= {"fetched", "not_found"}
    assert {one["how"] for one in place.events("decision") if one["purpose"] == "page"} == {"given by the user"}


def test_a_gateway_that_takes_no_addresses_from_runs_takes_none_up_again(town, tmp_path):
    with pytest.raises(GatewayError, match="takes no addresses from runs"):
        gone_on_with(town, tmp_path, {"given_allowed": False})
