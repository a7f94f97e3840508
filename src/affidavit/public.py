"""The calls that Python programs make.

Each comes twice: plain, which blocks, and with an `a` before its name, for a program that has an event loop. Where a
loop runs the plain ones say so at once instead of stopping everything else in it.
"""

import asyncio
import sys
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AbstractContextManager, asynccontextmanager
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Literal, TypeVar

from affidavit.desk import Sources, open_desk
from affidavit.draft_file import DraftFile
from affidavit.errors import UserError
from affidavit.evidence.answer import Answer
from affidavit.evidence.check import Check
from affidavit.evidence.fact import Register
from affidavit.evidence.piece import Piece
from affidavit.house import begun_as, open_house
from affidavit.reach import Reach
from affidavit.replay import replay as replay_with
from affidavit.report.replay_report import ReplayReport
from affidavit.research.ask import Ask
from affidavit.research.plan import Plan, make_plan
from affidavit.settings import Settings, load_settings
from affidavit.staff import Payroll
from affidavit.studio import Order, open_studio
from affidavit.wiring import Listeners, open_verifier
from affidavit.write.author import read_prompt
from affidavit.write.pack import Assignment
from affidavit.write.profile import Profile, load_profile, profile_of

Names = str | PathLike[str] | Sequence[str | PathLike[str]]
_Opened = TypeVar("_Opened")


def ask(
    question: str | None = None,
    *,
    claim: str | None = None,
    falsifier: str | None = None,
    web: Names = (),
    allow_hosts: Sequence[str] = (),
    deny_hosts: Sequence[str] = (),
    save_web: str | PathLike[str] | None = None,
    bundle: str | PathLike[str] | None = None,
    listeners: Listeners | None = None,
    **settings: Any,
) -> Answer:
    """Answer `question`, or test `claim` against its `falsifier`, from pages.

    `web` names archives and folders, and ``"live"`` for the web; nothing named is the live web. `allow_hosts` and
    `deny_hosts` narrow which hosts are read; what is read of the live web is appended to the WARC file `save_web`.
    `bundle` is where to write an evidence bundle. `settings` are those of `affidavit.settings.Settings`, such as
    ``max_fetches=10`` or ``cache_dir=...``. Raises UserError for input that must change (NotResearchable,
    ArchiveError among them), StorageError for a machine that must, IntegrityError where stored evidence is not what
    it says. Blocks; where an event loop runs await `aask`.
    """
    _no_loop_here("ask")
    plan, built, reach = _asked(
        Ask(question=question, claim=claim, falsifier=falsifier), web, allow_hosts, deny_hosts, save_web, settings
    )
    with open_house(built, reach, listeners) as house:
        return house.ask(plan, bundle=_path(bundle))


async def aask(
    question: str | None = None,
    *,
    claim: str | None = None,
    falsifier: str | None = None,
    web: Names = (),
    allow_hosts: Sequence[str] = (),
    deny_hosts: Sequence[str] = (),
    save_web: str | PathLike[str] | None = None,
    bundle: str | PathLike[str] | None = None,
    listeners: Listeners | None = None,
    **settings: Any,
) -> Answer:
    """`ask` for a program that has an event loop. Arguments and errors are those of `ask`.

    Cancelled while it gathers, it answers from what was read until then and the answer says so: under
    ``asyncio.timeout(30)`` a run gives what half a minute found. Cancelled again, it ends, and `aresume` goes on with
    it. While its archives are opened it cannot be stopped.
    """
    plan, built, reach = _asked(
        Ask(question=question, claim=claim, falsifier=falsifier), web, allow_hosts, deny_hosts, save_web, settings
    )
    async with _in_thread(open_house(built, reach, listeners)) as house:
        return await house.aask(plan, bundle=_path(bundle))


def resume(
    run_id: str,
    *,
    web: Names = (),
    repeat_uncertain: bool = False,
    bundle: str | PathLike[str] | None = None,
    listeners: Listeners | None = None,
    **settings: Any,
) -> Answer:
    """Go on with an interrupted run of `ask`: nothing that it recorded is asked for, or paid for, again.

    `run_id` is its id or a beginning of it; `web` names the pages that it was begun with. A model's call that was under
    way when the run was cut off may have been charged: it is made again with `repeat_uncertain`, and else the run is
    not resumed. `settings` say where ledger and cache are; hosts, models and budgets stay those it began with. Raises
    UserError for a run that is finished or was begun otherwise, and else as `ask` does. Blocks as it does.
    """
    _no_loop_here("resume")
    with open_house(*_begun(run_id, web, settings), listeners) as house:
        return house.resume(run_id, bundle=_path(bundle), repeat_uncertain=repeat_uncertain)


async def aresume(
    run_id: str,
    *,
    web: Names = (),
    repeat_uncertain: bool = False,
    bundle: str | PathLike[str] | None = None,
    listeners: Listeners | None = None,
    **settings: Any,
) -> Answer:
    """`resume` for a program that has an event loop; cancelled as `aask` is."""
    built, reach = await asyncio.to_thread(_begun, run_id, web, settings)
    async with _in_thread(open_house(built, reach, listeners)) as house:
        return await house.aresume(run_id, bundle=_path(bundle), repeat_uncertain=repeat_uncertain)


def replay(run_id: str, **settings: Any) -> ReplayReport:
    """Derive the result of a finished run again, from the ledger alone, and compare it with what was given out.

    `run_id` is the id of an answer or a check, or a beginning of it; `settings` say where the ledger is. What differs
    or is missing stands in the report, whose `outcome` is ``agrees``, ``differs`` or ``could_not_replay``. Raises
    UserError for a run that is not there or has no result, IntegrityError for one whose record was altered,
    StorageError. Blocks.
    """
    _no_loop_here("replay")
    return replay_with(run_id, load_settings(**settings))


async def areplay(run_id: str, **settings: Any) -> ReplayReport:
    """`replay` for a program that has an event loop; it is done in a thread, and ends there when it is cancelled."""
    return await asyncio.to_thread(replay_with, run_id, load_settings(**settings))


def check(
    draft: str | PathLike[str],
    sources: Sequence[str | PathLike[str]] = (),
    *,
    web: Sequence[str | PathLike[str]] = (),
    allow: Sequence[str | PathLike[str]] = (),
    follow_links: bool = False,
    allow_hosts: Sequence[str] = (),
    deny_hosts: Sequence[str] = (),
    save_web: str | PathLike[str] | None = None,
    derived: Literal["report", "allow"] = "report",
    strict: bool = False,
    verifier: str | None = None,
    listeners: Listeners | None = None,
    **settings: Any,
) -> Check:
    """Hold a draft against its sources, sentence by sentence.

    `draft` is the path of a file, or the draft itself as Markdown where it has more than one line. `sources` are files,
    folders, archives, evidence bundles, or addresses, read from the archives in `web`, or live where there are
    none or ``"live"`` is among them; without an address every page of `web` is a source. With `follow_links` the
    addresses that the draft cites are sources too. `allow` are texts of the writer's own. `allow_hosts`, `deny_hosts`
    and `save_web` are as for `ask`. A figure that stands in no source and follows from figures
    that do leaves its sentence unsourced; with ``derived="allow"`` it does not, and is still reported as derived.
    With `strict` what is sourced by its words alone is unsourced; `verifier`, as ``affidavit eval list`` names them, is
    asked about that and about what the rules leave open. Raises UserError for input that must change; a source that
    cannot be read is named in the result. Blocks; where an event loop runs await `acheck`.
    """
    _no_loop_here("check")
    if derived not in ("report", "allow"):
        raise UserError(f"derived={derived!r} is not known; known: 'report', 'allow'")
    file = _draft_file(draft)
    given = Sources(
        files=[fspath(source) for source in sources],
        web=[fspath(path) for path in web],
        allow=[fspath(path) for path in allow],
        follow_links=follow_links,
        allow_hosts=allow_hosts,
        deny_hosts=deny_hosts,
        save=Path(save_web) if save_web is not None else None,
    )
    loaded = load_settings(**settings)
    payroll = Payroll()
    with open_desk(
        loaded,
        given,
        allow_derived=derived == "allow",
        strict=strict,
        verifier=open_verifier(verifier, loaded, payroll.cast(loaded)) if verifier is not None else None,
        on_begun=payroll.charge,
        listeners=listeners,
    ) as desk:
        return desk.check(file)


async def acheck(
    draft: str | PathLike[str],
    sources: Sequence[str | PathLike[str]] = (),
    *,
    web: Sequence[str | PathLike[str]] = (),
    allow: Sequence[str | PathLike[str]] = (),
    follow_links: bool = False,
    allow_hosts: Sequence[str] = (),
    deny_hosts: Sequence[str] = (),
    save_web: str | PathLike[str] | None = None,
    derived: Literal["report", "allow"] = "report",
    strict: bool = False,
    verifier: str | None = None,
    listeners: Listeners | None = None,
    **settings: Any,
) -> Check:
    """`check` for a program that has an event loop; it is done in a thread, and ends there when it is cancelled."""
    return await asyncio.to_thread(
        check,
        draft,
        sources,
        web=web,
        allow=allow,
        follow_links=follow_links,
        allow_hosts=allow_hosts,
        deny_hosts=deny_hosts,
        save_web=save_web,
        derived=derived,
        strict=strict,
        verifier=verifier,
        listeners=listeners,
        **settings,
    )


def write(
    customer: str,
    *,
    title: str,
    notes: str = "",
    profile: str | PathLike[str] | Mapping[str, Any] | None = None,
    prompt: str | PathLike[str] | None = None,
    draft: str | PathLike[str] | None = None,
    max_words: int | None = None,
    register: Register | None = None,
    listeners: Listeners | None = None,
    **settings: Any,
) -> Piece:
    """Write a piece for `customer` that asserts nothing outside its approved facts, or none and the reasons.

    The facts are those of the register that ``affidavit facts`` keeps under that name, or of `register`. `profile` is
    the path of a TOML file, or its keys and values. `prompt` is the writer's system prompt, byte for byte: text, or a
    path object naming its file. With `draft`, a text of more than one line or the path of a file, no model writes, and
    the draft is held to the same facts; a reviewer reads it only where one is named. `settings` are those of
    `affidavit.settings.Settings`, such as ``models={"writer": …, "reviewer": …}`` or ``max_usd=…``.

    `Piece.text` is None where nothing is handed out, and `Piece.blocking()` says why. Raises UserError for input that
    must change, StorageError for a machine that must. A model that fails is no error but a state of the piece. Blocks;
    where an event loop runs await `awrite`.
    """
    _no_loop_here("write")
    order = _ordered(customer, title, notes, profile, prompt, draft, max_words, register)
    with open_studio(load_settings(**settings), listeners) as studio:
        return studio.write(order)


async def awrite(
    customer: str,
    *,
    title: str,
    notes: str = "",
    profile: str | PathLike[str] | Mapping[str, Any] | None = None,
    prompt: str | PathLike[str] | None = None,
    draft: str | PathLike[str] | None = None,
    max_words: int | None = None,
    register: Register | None = None,
    listeners: Listeners | None = None,
    **settings: Any,
) -> Piece:
    """`write` for a program that has an event loop. Cancelled, it ends, and what was recorded until then is kept."""
    order = _ordered(customer, title, notes, profile, prompt, draft, max_words, register)
    async with _in_thread(open_studio(load_settings(**settings), listeners)) as studio:
        return await studio.awrite(order)


def _ordered(
    customer: str,
    title: str,
    notes: str,
    profile: str | PathLike[str] | Mapping[str, Any] | None,
    prompt: str | PathLike[str] | None,
    draft: str | PathLike[str] | None,
    max_words: int | None,
    register: Register | None,
) -> Order:
    """What is asked for, its files read. Raises UserError."""
    if not title.strip():
        raise UserError("title is empty: what should the piece be called?")
    if max_words is not None and max_words < 1:
        raise UserError(f"max_words={max_words}: a piece has one word at least")
    return Order(
        customer=customer,
        assignment=Assignment(title=title, notes=notes, max_words=max_words),
        profile=_profile(profile),
        prompt=prompt if prompt is None or isinstance(prompt, str) else read_prompt(Path(prompt)),
        draft=None if draft is None else _draft_file(draft).text(),
        register=register,
    )


def _profile(given: str | PathLike[str] | Mapping[str, Any] | None) -> Profile | None:
    if given is None:
        return None
    return profile_of(given, "profile") if isinstance(given, Mapping) else load_profile(Path(given).expanduser())


def _draft_file(draft: str | PathLike[str]) -> DraftFile:
    """The draft in the file of that path, or the draft itself where it has more than one line. Raises UserError."""
    text = fspath(draft)
    if isinstance(draft, str) and "\n" in text:
        return DraftFile(name="-", body=text.encode(), media_type="text/markdown")
    return DraftFile.at(Path(text).expanduser())


def _asked(
    ask: Ask,
    web: Names,
    allow_hosts: Sequence[str],
    deny_hosts: Sequence[str],
    save_web: str | PathLike[str] | None,
    settings: dict[str, Any],
) -> tuple[Plan, Settings, Reach]:
    """What is asked, with which settings, of which pages. Raises UserError."""
    built = load_settings(**settings)
    reach = Reach.named(
        _names(web), otherwise_live=True, allow_hosts=allow_hosts, deny_hosts=deny_hosts, save=_path(save_web)
    )
    return make_plan(ask, built.max_subquestions), built, reach


def _begun(run_id: str, web: Names, settings: dict[str, Any]) -> tuple[Settings, Reach]:
    return begun_as(run_id, load_settings(**settings), Reach.named(_names(web), otherwise_live=True))


def _names(web: Names) -> list[str]:
    return [fspath(name) for name in ([web] if isinstance(web, str | PathLike) else web)]


def _path(given: str | PathLike[str] | None) -> Path | None:
    return None if given is None else Path(given)


def _no_loop_here(name: str) -> None:
    """Raises UserError where an event loop runs in this thread: a blocking call would stop all that is in it."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    raise UserError(
        f"affidavit.{name} blocks, and an event loop runs in this thread (a notebook has one, too): write "
        f"`await affidavit.a{name}(...)` with the same arguments"
    )


@asynccontextmanager
async def _in_thread(blocking: AbstractContextManager[_Opened]) -> AsyncGenerator[_Opened]:
    """`blocking`, opened and closed in a thread. Who is cancelled while it opens waits for it, so that it is closed."""
    opening = asyncio.create_task(asyncio.to_thread(blocking.__enter__))
    try:
        opened = await asyncio.shield(opening)
    except asyncio.CancelledError:
        await asyncio.wait([opening])
        if not opening.cancelled() and opening.exception() is None:
            await asyncio.to_thread(blocking.__exit__, None, None, None)
        raise
    try:
        yield opened
    finally:
        await asyncio.shield(asyncio.to_thread(blocking.__exit__, *sys.exc_info()))
