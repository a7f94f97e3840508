"""The calls that Python programs make."""

from collections.abc import Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Literal

from affidavit.desk import DraftFile, Sources, open_desk
from affidavit.errors import UserError
from affidavit.evidence.answer import Answer
from affidavit.evidence.check import Check
from affidavit.reach import Reach
from affidavit.research.ask import Ask
from affidavit.research.plan import make_plan
from affidavit.settings import load_settings
from affidavit.wiring import Listeners, open_house, open_verifier


def ask(
    question: str | None = None,
    *,
    claim: str | None = None,
    falsifier: str | None = None,
    web: str | PathLike[str] | Sequence[str | PathLike[str]] = (),
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
    it says. Blocking; asyncio programs call it in a thread.
    """
    asked = Ask(question=question, claim=claim, falsifier=falsifier)
    built = load_settings(**settings)
    plan = make_plan(asked, built.max_subquestions)
    names = [fspath(name) for name in ([web] if isinstance(web, str | PathLike) else web)]
    save = Path(save_web) if save_web is not None else None
    reach = Reach.named(names, otherwise_live=True, allow_hosts=allow_hosts, deny_hosts=deny_hosts, save=save)
    with open_house(built, reach, listeners) as house:
        return house.ask(plan, bundle=Path(bundle) if bundle is not None else None)


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
    cannot be read is named in the result. Blocking.
    """
    if derived not in ("report", "allow"):
        raise UserError(f"derived={derived!r} is not known; known: 'report', 'allow'")
    text = fspath(draft)
    if isinstance(draft, str) and "\n" in text:
        file = DraftFile(name="-", body=text.encode(), media_type="text/markdown")
    else:
        file = DraftFile.at(Path(text).expanduser())
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
    with open_desk(
        loaded,
        given,
        allow_derived=derived == "allow",
        strict=strict,
        verifier=open_verifier(verifier, loaded) if verifier is not None else None,
        listeners=listeners,
    ) as desk:
        return desk.check(file)
