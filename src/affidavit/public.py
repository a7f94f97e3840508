"""The calls that Python programs make."""

from collections.abc import Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from affidavit.evidence.answer import Answer
from affidavit.research.ask import Ask
from affidavit.research.plan import make_plan
from affidavit.settings import load_settings
from affidavit.wiring import Listeners, open_house


def ask(
    question: str | None = None,
    *,
    claim: str | None = None,
    falsifier: str | None = None,
    web: str | PathLike[str] | Sequence[str | PathLike[str]],
    bundle: str | PathLike[str] | None = None,
    listeners: Listeners | None = None,
    **settings: Any,
) -> Answer:
    """Answer `question`, or test `claim` against its `falsifier`, from the archives and folders in `web`.

    `bundle` is where to write an evidence bundle. `settings` are those of `affidavit.settings.Settings`, such as
    ``max_fetches=10`` or ``cache_dir=...``. Raises UserError for input that must change (NotResearchable,
    ArchiveError among them), StorageError for a machine that must, IntegrityError where stored evidence is not what
    it says. Blocking; asyncio programs call it in a thread.
    """
    asked = Ask(question=question, claim=claim, falsifier=falsifier)
    built = load_settings(**settings)
    plan = make_plan(asked, built.max_subquestions)
    paths = [web] if isinstance(web, str | PathLike) else web
    with open_house(built, [fspath(path) for path in paths], listeners) as house:
        return house.ask(plan, bundle=Path(bundle) if bundle is not None else None)
