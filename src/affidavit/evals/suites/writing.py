"""`writing`: what the checks find in drafts with known faults, what gets out of each way of writing, and what a judge
prefers who knows none of them. The three are told apart: none of them stands for another (contract X7).

A row is a company (`writing_companies`). Where no model was named, scripts stand in for writer, reviewer and judge
(`writing_scripted`), so that what code holds is measured without a key; then the figures say nothing about writing.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

from affidavit.errors import UserError
from affidavit.evals.agreement import Share
from affidavit.evals.hired import Hired
from affidavit.evals.pairwise import Better, Judged, Pair, Preference, prefer
from affidavit.evals.pairwise_run import PREFERENCE
from affidavit.evals.records import Records
from affidavit.evals.suite import Case, CaseState, Figure, Measured, Progress, counted
from affidavit.evals.writing import Measured as Checked
from affidavit.evals.writing import Outcome, measure_writing
from affidavit.evals.writing_companies import DATA, companies_of
from affidavit.evals.writing_scripted import (
    WRITER,
    absent_reviewer,
    judge_by_place,
    judge_who_knows,
    passing_reviewer,
    strict_reviewer,
    writer,
)
from affidavit.evals.writing_variants import Hands, Trial, Variant, Written, trials, write_full, write_trials
from affidavit.evidence.piece import Piece
from affidavit.models.cast import Cast
from affidavit.models.model import Model
from affidavit.models.roles import Role
from affidavit.write.checks import BLOCKING

WRITTEN = "eval.written"
"""The event of a piece in one variant."""
COMPARED = (
    (Variant.FULL, Variant.BASELINE),
    (Variant.FULL, Variant.PACK_ONLY),
    (Variant.PACK_ONLY, Variant.BASELINE),
)


class WritingSuite:
    name = "writing"
    about = "drafts with traps: what the checks find, and what gets out of three ways of writing"
    version = "1"
    data = DATA
    roles = (Role.WRITER, Role.REVIEWER, Role.JUDGE)

    def __init__(self, hired: Hired | None = None) -> None:
        self._given = hired

    @cached_property
    def _hired(self) -> Hired:
        return self._given or Hired.nobody()

    def measure(self, records: Records, progress: Progress) -> Measured:
        companies = companies_of(records)
        checked = measure_writing(companies)
        return asyncio.run(self._measured(checked, trials(companies), progress))

    async def _measured(self, checked: Checked, given: Sequence[Trial], progress: Progress) -> Measured:
        parts = [_checks(checked)]
        if not given:
            raise UserError("no draft falls into a trap and has a twin that does not: there is nothing to write")
        async with self._hired.cast() as cast:
            parts.append(await self._variants(cast, given, progress))
            if Role.WRITER not in self._hired.roles:
                parts.append(await _loop(given))
            parts.append(await self._judges(cast, given))
        return _together([Measured((), (), self._hired.notes), *parts])

    async def _variants(self, cast: Cast, given: Sequence[Trial], progress: Progress) -> Measured:
        """Every trial in every variant; what the judge makes of them, where one was named beside a writer."""
        named = self._hired.roles
        if Role.WRITER in named:
            given = _one_an_assignment(given)
            author, reviewer = cast.of(Role.WRITER), cast.of(Role.REVIEWER)
            hands = Hands(author, reviewer, context=self._hired.context)
            written = await write_trials(given, lambda _: hands, progress)
            who = f"writer {author.name}, reviewer {reviewer.name}"
        else:
            written = await write_trials(given, _careless, progress)
            who = f"writer {WRITER}, a script that falls into every trap and mends it when it is told"
        for one in written:
            self._hired.record(WRITTEN, one.as_json())
        part = _of_variants(written, scripted=Role.WRITER not in named)
        notes = [f"variants: {who}"]
        if Role.WRITER not in named or Role.JUDGE not in named:
            notes.append("nobody compared the variants blind: name a writer and a judge for that (--model)")
            return Measured(part.cases, part.figures, tuple(notes))
        figures = [*part.figures]
        judge = cast.of(Role.JUDGE)
        for first, second in COMPARED:
            pairs, left_out = _pairs(written, first, second)
            found = await prefer(judge, pairs, first=first.value, second=second.value)
            self._hired.record(PREFERENCE, found.as_json())
            figures.append(_preferred(found))
            notes.append(f"{found.told()}; {left_out} not compared, for want of a text")
        return Measured(part.cases, tuple(figures), tuple(notes))

    async def _judges(self, cast: Cast, given: Sequence[Trial]) -> Measured:
        """Judges on pairs of which one text is known to be the better: a careful draft beside its careless twin."""
        pairs = [one.pair(one.careful.text, one.careless.text) for one in given]
        named = Role.JUDGE in self._hired.roles
        knows = await self._put(cast.of(Role.JUDGE) if named else judge_who_knows(pairs), pairs)
        told = _cases("judge", knows.judged, Better.FIRST)
        about = "of the pairs with one faultless text, those in which the judge preferred it"
        figure = counted("faultless_preferred", about, told)
        if named:
            return Measured(tuple(told), (figure,), (knows.told(),))
        by_place = await self._put(judge_by_place(), pairs)
        ties = _cases("judge_by_place", by_place.judged, Better.TIE)
        about = "of the pairs put to a judge that prefers what stands first, those that are a tie"
        return Measured((*told, *ties), (figure, counted("place_decides_nothing", about, ties)))

    async def _put(self, judge: Model, pairs: Sequence[Pair]) -> Preference:
        found = await prefer(judge, pairs, first="careful", second="careless")
        self._hired.record(PREFERENCE, found.as_json())
        return found


def _together(parts: Sequence[Measured]) -> Measured:
    return Measured(
        tuple(case for part in parts for case in part.cases),
        tuple(figure for part in parts for figure in part.figures),
        tuple(note for part in parts for note in part.notes),
    )


def _checks(checked: Checked) -> Measured:
    cases = tuple(map(_draft, checked.outcomes))
    right, missed, extra = checked.counts(BLOCKING)
    labelled = {one.code for outcome in checked.outcomes for one in outcome.draft.expected} - BLOCKING
    advised, _, wrongly = checked.counts(frozenset(labelled))
    clean = [one for one in checked.outcomes if not any(label.code in BLOCKING for label in one.draft.expected)]
    blocked = sum(any(issue.blocks for issue in one.extra) for one in clean)
    figures = [
        _share("blocking_precision", "of the findings that block, those that belong", right, right + extra),
        _share("blocking_recall", "of the labelled findings that block, those found", right, right + missed),
        _share("clean_blocked", "of the drafts in which nothing blocks, those blocked", blocked, len(clean), less=True),
    ]
    for code in sorted(labelled):
        found, left, _ = checked.counts(frozenset({code}))
        figures.append(_share(f"{code}_found", f"of the labelled {code}, those found", found, found + left))
    about = "of the findings with those codes, those that belong"
    figures.append(_share("advisory_precision", about, advised, advised + wrongly))
    return Measured(cases, tuple(figures))


def _draft(outcome: Outcome) -> Case:
    wrong = [f"missed {one.code} “{one.words}”" for one in outcome.missed]
    wrong += [f"blocked for nothing: {one.message}" for one in outcome.extra if one.blocks]
    state = CaseState.WRONG if wrong else CaseState.RIGHT
    return Case(outcome.draft.draft_id, outcome.draft.trap, state, "; ".join(wrong))


def _of_variants(written: Sequence[Written], *, scripted: bool) -> Measured:
    """The product's own way first. A case is right where nothing got out that should not have.

    A script falls into every trap, so in the ways that let everything out its traps must be seen: more is better there,
    and a case is right whose trap was seen, or nothing would tell a product that holds from a measure that is blind.
    """
    cases: list[Case] = []
    figures: list[Figure] = []
    for variant in reversed(Variant):
        of = [one for one in written if one.variant is variant]
        told = [one for one in of if one.failure is None]
        open_way = scripted and variant is not Variant.FULL
        cases += [_got_out(one, open_way) for one in of]
        counts = [
            ("faulty", "in whose text a check finds what blocks", sum(bool(one.blocked) for one in told), not open_way),
            ("trapped", "whose text falls into the trap", sum(bool(one.fallen) for one in told), not open_way),
        ]
        if not open_way:
            usable = sum(one.usable for one in told)
            counts.append(("usable", "with a text that checks and reviewer pass", usable, False))
        if variant is Variant.FULL:
            counts.append(("withheld", "of which nothing was handed out", sum(one.text is None for one in told), True))
        figures += [
            _share(f"{variant}_{name}", f"{variant}: of the assignments, those {about}", hits, len(told), less=less)
            for name, about, hits, less in counts
        ]
    return Measured(tuple(cases), tuple(figures))


def _got_out(one: Written, open_way: bool) -> Case:
    case_id = f"{one.variant}/{one.trial.trial_id}"
    trap = one.trial.careless.trap
    if one.failure is not None:
        return Case(case_id, trap, CaseState.COULD_NOT_CHECK, one.failure)
    out = dict.fromkeys((*one.blocked, *one.fallen))
    detail = "; ".join(f"[{issue.code}] “{' '.join(issue.sentence.split())}”" for issue in out)
    told = f"{trap} got out: {detail}" if out else f"{trap} was not seen" if open_way else ""
    return Case(case_id, trap, CaseState.RIGHT if bool(out) is open_way else CaseState.WRONG, told)


def _careless(trial: Trial) -> Hands:
    """A script that falls into the trap, and hands in the careful twin when it is told to rewrite."""
    return Hands(writer(trial.careless.text, trial.careful.text), strict_reviewer(trial.codes))


async def _loop(given: Sequence[Trial]) -> Measured:
    """What the loop withholds, by scripts: in each of these nothing may be handed out."""
    blocking = [one for one in given if any(label.code in BLOCKING for label in one.careless.expected)]
    parts = [
        await _held(
            "obstinate_withheld",
            "of the pieces that fall into the trap in the rewrite too, those withheld",
            given,
            _again,
        ),
        await _held(
            "unaided_withheld",
            "of the pieces that the checks must block and a reviewer passes, those withheld",
            blocking,
            _passed,
        ),
        await _held(
            "unreviewed_withheld",
            "of the faultless pieces whose reviewer gives no verdict, those withheld",
            given,
            _unreviewed,
        ),
    ]
    return _together(parts)


async def _held(name: str, about: str, given: Sequence[Trial], hands: Callable[[Trial], Hands]) -> Measured:
    cases = [_withheld(name, one, await write_full(one, hands(one))) for one in given]
    return Measured(tuple(cases), (counted(name, about, cases),))


def _again(trial: Trial) -> Hands:
    return Hands(writer(trial.careless.text, trial.careless.text), strict_reviewer(trial.codes))


def _passed(trial: Trial) -> Hands:
    return Hands(writer(trial.careless.text, trial.careless.text), passing_reviewer())


def _unreviewed(trial: Trial) -> Hands:
    return Hands(writer(trial.careful.text, trial.careful.text), absent_reviewer())


def _withheld(name: str, trial: Trial, piece: Piece) -> Case:
    held = piece.text is None
    state = CaseState.RIGHT if held else CaseState.WRONG
    return Case(f"{name}/{trial.trial_id}", trial.careless.trap, state, "" if held else f"handed out as {piece.state}")


def _one_an_assignment(given: Sequence[Trial]) -> list[Trial]:
    return list({(one.company.slug, one.assignment): one for one in reversed(given)}.values())[::-1]


def _pairs(written: Sequence[Written], first: Variant, second: Variant) -> tuple[list[Pair], int]:
    """The texts of two variants for each trial that has both, and how many have not."""
    texts = {(one.variant, one.trial.trial_id): one.text for one in written}
    pairs: list[Pair] = []
    left_out = 0
    for trial in {one.trial.trial_id: one.trial for one in written}.values():
        one, other = texts[first, trial.trial_id], texts[second, trial.trial_id]
        if one is None or other is None:
            left_out += 1
        else:
            pairs.append(trial.pair(one, other))
    return pairs, left_out


def _preferred(found: Preference) -> Figure:
    about = f"blind: of the assignments told apart, those in which {found.first} was preferred to {found.second}"
    return Figure(name=f"{found.first}_over_{found.second}", about=about, share=found.preferred)


def _cases(name: str, judged: Iterable[Judged], wanted: Better) -> list[Case]:
    found: list[Case] = []
    for one in judged:
        state = CaseState.RIGHT if one.better is wanted else CaseState.WRONG
        state = CaseState.COULD_NOT_CHECK if one.better is None else state
        told = "" if state is CaseState.RIGHT else f"{one.better}: {one.straight.reason} / {one.turned.reason}"
        found.append(Case(f"{name}/{one.pair.pair_id}", "blind", state, told))
    return found


def _share(name: str, about: str, hits: int, of: int, *, less: bool = False) -> Figure:
    return Figure(name=name, about=about, share=Share(hits, of), more_is_better=not less)
