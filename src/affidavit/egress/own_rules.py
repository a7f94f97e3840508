"""The rules of a robots.txt that are for us, picked out line by line (RFC 9309, 2.2) before anything parses them.

A parser that keeps every group keeps agents times rules, and a file of 40 KB can name thousands of each. Here a group
is either ours or is passed over, so time and memory grow with the length of the file alone.

Consecutive user-agent lines open one group, the first rule after them closes its list, and all groups of one agent are
one. If any group names our product token, those groups are the rules, and else the groups of ``*`` are. A name counts
up to its first character that cannot stand in a product token, so ``Affidavit/2.0`` is ours and ``Affi`` is not. Lines
that are no rules are as if they were not there. The misspellings that are read are those that the parser reads.
"""

import re
from collections.abc import Iterable

MAX_RULES = 5000
"""The most rules for us that are weighed. What stands beyond is not known to allow anything: see `own_rules`.

Chosen by cost: at 5,000 a file parses in 0.05 s and the worst address of 8 KB is judged in 0.25 s, in a thread; not
swept on real files. A file of 500 KiB could hold 64,000.
"""

_LINE = re.compile(
    r"(?:(?P<agent>user[- ]?agent)|(?P<allow>allow)|(?P<disallow>dis+al+ow|diasllow|disallaw)"
    r"|(?P<delay>crawl[- ]delay))"
    r"(?:\s*:|\s)\s*(?P<value>.*)",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"[a-z_-]+", re.IGNORECASE)
_WRITTEN = {"allow": "Allow", "disallow": "Disallow", "delay": "Crawl-delay"}


class TooManyRules(ValueError):
    """More rules are for us than are weighed; whoever asked must take the site as one that allows nothing."""


def own_rules(text: str, product: str) -> str:
    """A robots.txt with one group, of ``*``, that holds the rules of `text` for `product` in their order.

    Empty if no group is for it. Raises TooManyRules past MAX_RULES of them: a list that was cut off could allow what
    the rest of it disallows, so none of it may be used.
    """
    ours: list[str] = []
    everyones: list[str] = []
    named = False
    into: list[list[str]] = []
    open_list = False
    for kind, value in _lines(text):
        if kind == "agent":
            if not open_list:
                into, open_list = [], True
            whose = _whose(value, product)
            named = named or whose == product
            lines = ours if whose == product else everyones if whose == "*" else None
            if lines is not None and all(lines is not one for one in into):
                into.append(lines)
            continue
        open_list = False
        for lines in into if value else ():
            if len(lines) <= MAX_RULES:
                lines.append(f"{_WRITTEN[kind]}: {value}")
    rules = ours if named else everyones
    if len(rules) > MAX_RULES:
        raise TooManyRules(f"more than {MAX_RULES:,} rules")
    return "\n".join(["User-agent: *", *rules]) if rules else ""


def _lines(text: str) -> Iterable[tuple[str, str]]:
    """Kind and value of each line that is one of a group."""
    for line in text.splitlines():
        match = _LINE.fullmatch(line.partition("#")[0].strip())
        if match is not None:
            yield next(kind for kind in ("agent", "allow", "disallow", "delay") if match[kind]), match["value"]


def _whose(value: str, product: str) -> str | None:
    """`product`, ``*``, or None for anybody else."""
    if value.split(maxsplit=1)[:1] == ["*"]:
        return "*"
    token = _TOKEN.match(value)
    return product if token is not None and token[0].lower() == product.lower() else None
