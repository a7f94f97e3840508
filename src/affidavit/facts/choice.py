"""Which facts of a site a register has, where it could have more than it may (contract W3: thirty at most).

What is chosen is a sentence with all its figures: one of "80 offices in 45 countries" alone
invites a mistake.
Conflicts come first, both sides. Then sentences are taken by their worth, one at a time; each one taken makes the next
of its page and of its category worth less, so that one long post does not fill the register. What is not chosen is
kept among the candidates, where a person finds it (`affidavit facts list --left-out`).
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from decimal import Decimal
from itertools import count

from affidavit.evidence.fact import Category, Fact
from affidavit.facts.approval import approved_by_rule
from affidavit.facts.dropped import Dropped, Why
from affidavit.facts.enforce import MOST, drop
from affidavit.gates.numbers import Kind, mentions

OWN = 0.04
"""What the customer says of itself is worth more than what it says of others."""
REPEATED = 0.04
"""What two pages say is what a business holds to be worth saying."""
TELLING = 0.05
"""An amount, a share, a count of `MANY` or more."""
SLIGHT = -0.06
"""A count below ten: two rounds, three areas."""
MANY = 100
AGAIN = 0.03
"""How much less the next sentence of a page is worth, and `KIND` the next of a category; `SURE_AGAIN` where it is the
customer's own and sure enough to be approved. Swept on the development site (`benchmarks/facts.py`), 0.01 to 0.04 and 0
to 0.01: of the known facts 4, 4 and 8 to 10 were chosen at 15 and 60 pages and with their own pages named, and pages
that have a fact grew from 16 to 19. Without them one post has eleven of the thirty entries."""
SURE_AGAIN = 0.01
KIND = 0.005


def chosen_of(facts: Sequence[Fact]) -> tuple[list[Fact], list[Dropped]]:
    """At most `MOST` of `facts`, in the order in which they were chosen, and the others with why."""
    waiting = _sentences(facts)
    taken: dict[str, Fact] = {}
    pages: Counter[str] = Counter()
    kinds: Counter[Category] = Counter()

    def left(sentence: Sequence[Fact]) -> tuple[bool, float, int, str]:
        first = sentence[0]
        again = AGAIN if first.owner is not None or not approved_by_rule(first) else SURE_AGAIN
        less = again * pages[first.sources[0].url] + KIND * kinds[first.category]
        return (
            any(fact.conflict_group for fact in sentence),
            max(map(worth, sentence)) - less,
            -first.sources[0].start,
            first.fact_id,
        )

    while waiting and len(taken) < MOST:
        best = max(waiting, key=left)
        waiting.remove(best)
        if len(taken) + len(best) > MOST:
            continue
        taken |= {fact.fact_id: fact for fact in best}
        pages[best[0].sources[0].url] += 1
        kinds[best[0].category] += 1
    out = [
        drop(fact, Why.NOT_CHOSEN, f"{MOST} others say more of the business")
        for fact in facts
        if fact.fact_id not in taken
    ]
    return list(taken.values()), out


def worth(fact: Fact) -> float:
    """How much a register gains by `fact`, before it is known what else it has."""
    said = len({source.url for source in fact.sources})
    return fact.confidence + (OWN if fact.owner is None else 0.0) + (REPEATED if said > 1 else 0.0) + _telling(fact)


def _telling(fact: Fact) -> float:
    """How much a figure says by its kind and size."""
    read = mentions(fact.value or "")
    one = read[0] if read else None
    if one is None or one.kind in (Kind.YEAR, Kind.DATE):
        return 0.0
    if one.kind in (Kind.CURRENCY, Kind.PERCENT):
        return TELLING
    if one.unit is not None or not isinstance(one.value, Decimal):
        return 0.0
    return TELLING if one.value >= MANY else SLIGHT if one.value < 10 else 0.0


def _sentences(facts: Sequence[Fact]) -> list[list[Fact]]:
    """`facts` in groups that are taken whole: those of one sentence, and the sides of a conflict with theirs."""
    group: dict[str, int] = {}
    members: dict[int, list[Fact]] = defaultdict(list)
    new = count()
    for fact in facts:
        keys = [f"{source.doc_id}:{source.start}:{source.end}" for source in fact.sources]
        keys += [fact.conflict_group] if fact.conflict_group is not None else []
        known = sorted({group[key] for key in keys if key in group})
        place = known[0] if known else next(new)
        for other in known[1:]:
            members[place] += members.pop(other)
            group |= {key: place for key, at in group.items() if at == other}
        members[place].append(fact)
        group |= dict.fromkeys(keys, place)
    return list(members.values())
