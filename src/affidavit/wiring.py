"""Builds everything a job needs from the settings, once, and closes it again. There are no globals elsewhere.

A run made here reads untrusted pages and may reach the web through the gateway; it has no private data. No run
gets all three.
"""

import os
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from affidavit.egress.archive import Archive
from affidavit.egress.canary import Canaries, marks_of
from affidavit.egress.endpoints import key_variables
from affidavit.egress.gateway import Decision, Gateway
from affidavit.egress.keys import Keys
from affidavit.egress.policy import Policy as WebPolicy
from affidavit.egress.warc_writer import WarcWriter
from affidavit.egress.web import ArchiveWeb, LayeredWeb, Web
from affidavit.errors import SearchFailure, UserError
from affidavit.extract import EXTRACTORS
from affidavit.extract.kept import KeptPages
from affidavit.extract.worker import Workers
from affidavit.ledger import Ledger
from affidavit.ledger.run import RunLog
from affidavit.ledger.sameness import source_of
from affidavit.models.cast import Cast
from affidavit.models.embedded import PairJudge
from affidavit.models.providers import providers
from affidavit.reach import Live, LiveMaker, Reach, keeping, record_call, saving
from affidavit.report.bundle_report import BundleReport
from affidavit.report.bundle_verify import verify_bundle
from affidavit.search.discreet import Discreet
from affidavit.search.embedded import EmbeddedSearch
from affidavit.search.provider import Provider
from affidavit.settings import Settings
from affidavit.verify import EmbeddedVerifier, Guarded, VerbatimVerifier, Verifier
from affidavit.verify.baselines import OverlapVerifier, PairJudgeVerifier
from affidavit.verify.checkpoint import open_checkpoint
from affidavit.verify.model import MODEL, open_model_verifier


def tell_nobody(*_: object) -> None:
    """A listener for whoever does not listen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listeners:
    """Who is told what: a step and its detail; pages indexed, of how many, of which archive; a warning."""

    on_step: Callable[[str, str], None] = tell_nobody
    on_index: Callable[[int, int, str], None] = tell_nobody
    on_warning: Callable[[str], None] = tell_nobody


@dataclass(frozen=True, slots=True, kw_only=True)
class Pages:
    """What a job reads: archives with the search over them, the live web, or both."""

    archives: Sequence[Archive]
    search: EmbeddedSearch | None
    live: Live | None
    policy: WebPolicy
    saved: WarcWriter | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What reads pages without searching them: the workers, the cache of what they made of a page, and the ledger."""

    pages: Pages
    ledger: Ledger
    workers: Workers
    kept: KeptPages


async def open_pages(
    pages: Pages,
    settings: Settings,
    log: RunLog,
    on_failure: Callable[[SearchFailure], None],
    stack: AsyncExitStack,
    given: Sequence[str] = (),
) -> tuple[Web, list[Provider]]:
    """One web over all that a run reads, and the searches over it; `stack` closes them. `given` are the addresses that
    a person gave. No query leaves that carries a key of this process.

    An archive answers for the pages it holds; the live web is asked for the others.
    """
    webs: list[Web] = [ArchiveWeb(pages.archives)] if pages.archives else []
    searches: list[Provider] = [pages.search] if pages.search is not None else []
    if pages.live is not None:
        keep = stack.enter_context(keeping(settings, log, pages.saved))
        opened = await stack.enter_async_context(
            pages.live.open(keep, lambda call: record_call(log, call), on_failure, given, log.run_id)
        )
        webs.append(opened.web)
        searches.append(Discreet(opened.search, Canaries(_marks(settings))))
    return webs[0] if len(webs) == 1 else LayeredWeb(webs), searches


def open_gateway(web: Web, log: RunLog, policy: WebPolicy, settings: Settings) -> Gateway:
    """The gateway of one run, which records what it decides in `log`. No address may carry a key of this process."""
    return Gateway(web, lambda decision: record_decision(log, decision), policy, canaries=_marks(settings))


def _marks(settings: Settings) -> tuple[str, ...]:
    """What neither an address nor a query of a run may carry."""
    return marks_of(_keys_here(settings))


@contextmanager
def open_reading(settings: Settings, reach: Reach, told: Listeners, live: LiveMaker) -> Generator[Reading]:
    """What reads the pages that `reach` names, closed afterwards, the cache pruned. Raises AffidavitError."""
    reach.check(settings)
    policy = reach.policy(settings)
    archives = reach.open_archives()
    kept = KeptPages(settings.cache_dir / "pages", EXTRACTORS, told.on_warning)
    with ExitStack() as stack:
        pages = Pages(
            archives=archives,
            search=None,
            live=live(settings, policy, told.on_warning) if reach.live else None,
            policy=policy,
            saved=stack.enter_context(saving(reach)),
        )
        ledger = stack.enter_context(open_ledger(settings))
        workers = stack.enter_context(open_workers(settings))
        yield Reading(pages=pages, ledger=ledger, workers=workers, kept=kept)
    kept.prune()


def open_workers(settings: Settings) -> Workers:
    """The processes that read pages, as many as the settings say."""
    return Workers(settings.workers, settings.page_seconds, settings.page_megabytes)


def ledger_url(settings: Settings) -> str:
    """Where the ledger is: the configured database, or a SQLite file in the data folder."""
    return settings.ledger or str(settings.data_dir / "ledger.sqlite")


@contextmanager
def open_ledger(settings: Settings) -> Generator[Ledger]:
    """The ledger, closed afterwards. The keys that this process holds, of search APIs and of models, are in none of its
    events, whatever they look like. Raises StorageError."""
    blobs = settings.data_dir / "blobs"
    with Ledger.open(ledger_url(settings), blobs=blobs, secrets=_keys_here(settings)) as ledger:
        yield ledger


def _keys_here(settings: Settings) -> set[str]:
    """The keys in the environment.

    Not among them is what no request can be made with (whoever needs that key says so; a run without a model must not
    fail for it), and the name of a provider, which stands for a key where a server wants none ("ollama"): cut out of
    a run's settings it would leave a run that cannot be resumed.
    """
    try:
        known = providers(settings.models.servers)
    except UserError:  # a server that cannot be one has no key; whoever asks for it says what is wrong
        known = providers({})
    names = {*key_variables().values(), *(name for provider in known.values() for name in provider.keys)}
    found: set[str] = set()
    for name in names & os.environ.keys():
        with suppress(UserError):
            found.update(Keys({name: os.environ[name]}).secrets())
    return found - known.keys()


VERIFIERS: Mapping[str, str] = {
    "embedded": "containment, gates and, where affidavit-judge is installed, its model (no key)",
    "verbatim": "word for word, or could not check",
    "pair-judge": "the model of affidavit-judge alone, without a gate (a baseline)",
    "overlap": "the share of the claim's words in the span (a baseline)",
    "model:verifier": "the language model of a role, or any as model:provider:name (affidavit doctor lists both)",
}
"""The verifiers that have a name, and what they are."""


DEFAULT_VERIFIER = "embedded"


def open_verifier(name: str, settings: Settings, cast: Cast | None = None) -> Verifier:
    """The verifier called `name`: one of `VERIFIERS`, ``model:`` and a role or a model, or that of a checkpoint whose
    spec is the TOML file `name`. `cast` is that of the run, which pays for a model.

    Raises UserError for another, MissingExtra for one that is not installed, and what opening a checkpoint raises.
    """
    match name:
        case "embedded":
            return EmbeddedVerifier(PairJudge() if PairJudge.available() else None)
        case "verbatim":
            return Guarded(VerbatimVerifier())
        case "pair-judge":
            return PairJudgeVerifier()
        case "overlap":
            return OverlapVerifier()
        case _ if name.startswith(MODEL):
            return Guarded(open_model_verifier(name.removeprefix(MODEL), settings, cast))
        case _ if name.endswith(".toml"):
            return Guarded(open_checkpoint(Path(name).expanduser()))
        case _:
            known = ", ".join(VERIFIERS)
            raise UserError(f"no verifier is called {name!r}; there are: {known}, and checkpoints by their .toml file")


def record_decision(log: RunLog, decision: Decision) -> None:
    """Record `decision`, with what tells its addresses from others after secrets were cut out of them."""
    source = source_of(decision.how)
    same = {"same": log.same(decision.url), "source": None if source is None else log.same(source)}
    log.record("gateway", asdict(decision) | same)


def check_bundle(path: Path, public_key: bytes | None, settings: Settings) -> BundleReport:
    """Check an evidence bundle, its pages read again in workers. Raises BundleMismatch where it was altered."""
    with Workers(1, settings.page_seconds, settings.page_megabytes) as workers:
        return verify_bundle(path, public_key, extract=lambda page: workers.submit(page).result())
