"""How many one-word falsehoods the polarity and quotation gates notice, and how often they cry wolf.

    python benchmarks/near_misses.py [--shared DIR] [--pages N] [--show CODE] [--out FILE]

Takes real sentences of the shared archives (pages drawn with a fixed seed), and makes of each, where its words allow,
near misses by one edit: negation, modality, quantifier, comparator, attribution, scope. Beside each stands its true
twin: verbatim, in other typography, with its clauses in another order. The span is the sentence among its neighbours,
so that words next door are there to mislead. Then prints, by kind, how many edits a BLOCK finding meets (and any
finding), and how many twins it meets; then the same for quotations of those sentences; then the rates on the labelled
sets of ``verify/dev``. `--out` writes the pairs as JSON lines.
"""

import argparse
import json
import os
import random
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from affidavit.egress.archive import open_archive
from affidavit.errors import AffidavitError
from affidavit.evidence.document import BlockKind, Document
from affidavit.evidence.sentences import document_sentences
from affidavit.extract import extract
from affidavit.gates.assertion import assess
from affidavit.gates.finding import Severity
from affidavit.gates.polarity import check_polarity
from affidavit.gates.quotation_check import QuotationStatus, check_quotations
from affidavit.gates.source_texts import PreparedSources, SourceText

SITES = ("18f.gsa.gov", "pages.nist.gov", "peps.python.org")
SEED = 11
EACH = 60
_AUXILIARY = r"(?:is|are|was|were|will|can|should|must|shall|SHALL|SHOULD|MUST|MAY|may|could|would)"
_NAMED = r"(?!That|As|It|He|She|We|They|This|Which|Who|I\b)(?:[A-Z]\w+ )?[A-Z]\w+ "
_SAYS = "said|wrote|explained|noted|argued|believes|says"
_STATES = "used|available|supported|required|designed|intended|allowed|possible"
_THINGS = "project|tool|team|site|agency|module|proposal|website|government|system"


@dataclass(frozen=True)
class Edit:
    """One edit: the first match of `pattern` becomes `replacement` (a template of ``re``)."""

    kind: str
    pattern: str
    replacement: str


EDITS = (
    Edit("negation", rf"\b({_AUXILIARY}) (?!not\b|also|only|never|n't)", r"\1 not "),
    Edit("negation", rf"\b({_AUXILIARY}) (?:not|NOT) (?!only|just|necessarily|yet)", r"\1 "),
    Edit("negation", r"\b(do|does|did) not (?=[a-z])", r"\1 "),
    Edit("negation", r"\b(has|have|had) (?!not|been|to|a|an|the|no|never)(\w+ed)\b", r"\1 not \2"),
    Edit("negation", r"\bnever ", ""),
    Edit("negation", r"\bcannot\b", "can"),
    Edit("negation", r"\bwithout (?=[a-z])", "with "),
    Edit("negation", r"\bwith (?=[a-z])", "without "),
    Edit("negation", r"\bunable to\b", "able to"),
    Edit("negation", r"\bable to\b", "unable to"),
    Edit("negation", r"\bno longer ", ""),
    Edit("modality", r"\b(?:must|shall)\b(?! not)", "may"),
    Edit("modality", r"\b(?:MUST|SHALL)\b(?! NOT)", "SHOULD"),
    Edit("modality", r"\bSHOULD\b(?! NOT)", "SHALL"),
    Edit("modality", r"\bMAY\b", "SHALL"),
    Edit("modality", r"\bshould\b(?! not)", "must"),
    Edit("modality", r"\bmay\b(?! not)", "must"),
    Edit("modality", r"\b(?:is|are) expected to be\b", "is"),
    Edit("modality", r"\b(?:plan|plans|intend|intends|want|wants) to (\w+)\b", r"\1"),
    Edit("modality", r"\b(?:could|might) be\b", "is"),
    Edit("modality", r"\b(?:is|are) required to\b", "may"),
    Edit("quantifier", r"\bsome\b(?! of the)", "all"),
    Edit("quantifier", r"\b[Mm]any\b", "most"),
    Edit("quantifier", r"\b[Mm]ost\b(?! \w+ly)(?= \w+s\b)", "all"),
    Edit("quantifier", r"\ball (?=\w+s\b)", "some "),
    Edit("quantifier", r"\b(?:every|each) (?=\w)", "some "),
    Edit("quantifier", r"\bseveral\b", "all"),
    Edit("quantifier", r"\bfew (?=\w+s\b)", "many "),
    Edit("quantifier", r"\b(?:often|usually|typically|generally)\b", "always"),
    Edit("quantifier", r"\bsometimes\b", "always"),
    Edit("comparator", r"\bat least\b", "at most"),
    Edit("comparator", r"\b(?:more|greater) than (?=\d|one|two|three|half)", "less than "),
    Edit("comparator", r"\b(?:less|fewer) than\b", "more than"),
    Edit("comparator", r"\bup to (?=\d)", "at least "),
    Edit("comparator", r"\bbefore\b(?= \w+)", "after"),
    Edit("comparator", r"\bafter\b(?= \w+)", "before"),
    Edit("comparator", r"\bhigher\b", "lower"),
    Edit("comparator", r"\b(increas)(e|es|ed|ing)\b", r"decreas\2"),
    Edit("comparator", r"\bfaster\b", "slower"),
    Edit("comparator", r"\bsmaller\b", "larger"),
    Edit("comparator", r"\blarger\b", "smaller"),
    Edit("comparator", r"\b(?:rejected)\b", "accepted"),
    Edit("comparator", r"\baccepted\b", "rejected"),
    Edit("comparator", r"\ballows\b", "forbids"),
    Edit("comparator", r"\ballowed\b", "forbidden"),
    Edit("comparator", r"\binclud(es|ed)\b", r"exclud\1"),
    Edit("attribution", rf"\b({_NAMED})({_SAYS})\b", r"Marlow Trent \2"),
    Edit("attribution", r"^According to [A-Z][^,]{2,60}, (\w)", r"According to Marlow Trent, \1"),
    Edit("scope", r"\bonly (?=\w)", ""),
    Edit("scope", rf"\b({_AUXILIARY}) (?=(?:{_STATES})\b)", r"\1 only "),
    Edit("scope", rf"\b([Tt])he (?=(?:{_THINGS})\b)", r"\1he first "),
)  # fmt: skip
TYPOGRAPHY = str.maketrans({"'": "’", "-": "\u2011", " ": "\u00a0"})
_LEADING = re.compile(
    r"^((?:If|When|While|Because|Although|After|Before|In|For|At|On|During|Since) [^,]{8,80}), (.+)\.$"
)


@dataclass(frozen=True)
class Pair:
    """`kind` is the edit's, or verbatim, typography, reordered for a true twin. `span` holds `sentence`."""

    kind: str
    claim: str
    sentence: str
    span: str
    url: str

    @property
    def true(self) -> bool:
        return self.kind in ("verbatim", "typography", "reordered")


def documents(shared: Path, pages: int, seed: int) -> Iterator[Document]:
    """Pages drawn at random, those that cannot be read left out."""
    drawn = random.Random(seed)
    for site in SITES:
        archive = open_archive(shared / "data/web" / f"{site}.warc.gz")
        urls = sorted(archive.urls())
        for url in drawn.sample(urls, min(pages, len(urls))):
            try:
                yield extract(archive.get(url))
            except AffidavitError:
                continue


def statements(document: Document) -> Iterator[tuple[str, str]]:
    """Sentences of running text of a fair length, each with its neighbours in the block around it."""
    found = [one for one in document_sentences(document) if one.block is not None and one.block.main]
    for index, sentence in enumerate(found):
        text = document.text[sentence.start : sentence.end]
        kinds = (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM)
        if sentence.block is None or sentence.block.kind not in kinds or not 60 <= len(text) <= 260:
            continue
        if "\n" in text or not text.endswith(".") or not assess(text, sentence.block.kind).is_evidence:
            continue
        around = found[max(0, index - 1) : index + 2]
        near = [one for one in around if one.block == sentence.block]
        yield text, document.text[near[0].start : near[-1].end]


def near_misses(shared: Path, pages: int = 60, each: int = EACH, seed: int = SEED) -> list[Pair]:
    """At most `each` pairs of a kind, drawn with a fixed seed; no sentence twice for one kind."""
    drawn = random.Random(seed)
    pool: dict[str, list[Pair]] = defaultdict(list)
    for document in documents(shared, pages, seed):
        for sentence, span in statements(document):
            for pair in variants(sentence, span, document.final_url, drawn):
                pool[pair.kind].append(pair)
    chosen: list[Pair] = []
    for kind in sorted(pool):
        unique = list({pair.sentence: pair for pair in pool[kind]}.values())
        chosen += drawn.sample(unique, min(each, len(unique)))
    return chosen


def variants(sentence: str, span: str, url: str, drawn: random.Random) -> Iterator[Pair]:
    by_kind: dict[str, list[str]] = defaultdict(list)
    for edit in EDITS:
        edited = re.sub(edit.pattern, edit.replacement, sentence, count=1)
        if edited != sentence:
            by_kind[edit.kind].append(edited)
    for kind, edited in by_kind.items():
        yield Pair(kind, drawn.choice(edited), sentence, span, url)
    yield Pair("verbatim", sentence, sentence, span, url)
    yield Pair("typography", sentence.translate(TYPOGRAPHY), sentence, span, url)
    leading = _LEADING.match(sentence)
    if leading and ", " not in leading.group(2):
        first, rest = leading.groups()
        yield Pair("reordered", f"{rest[0].upper()}{rest[1:]} {first[0].lower()}{first[1:]}.", sentence, span, url)


def polarity_table(pairs: Sequence[Pair], show: str | None) -> None:
    total: Counter[str] = Counter()
    blocked: Counter[str] = Counter()
    noticed: Counter[str] = Counter()
    for pair in pairs:
        findings = check_polarity(pair.claim, pair.span)
        total[pair.kind] += 1
        block = any(finding.severity is Severity.BLOCK for finding in findings)
        blocked[pair.kind] += block
        noticed[pair.kind] += bool(findings)
        if show == pair.kind and block is pair.true:
            print(
                f"  {pair.claim}\n  | {pair.span}\n  -> {[(f.code, f.severity.value, f.message) for f in findings]}\n"
            )
    for title, kinds in (
        ("near misses (caught)", [kind for kind in total if kind not in ("verbatim", "typography", "reordered")]),
        ("true twins (false alarms)", ["verbatim", "typography", "reordered"]),
    ):
        print(f"\npolarity, {title}\n{'kind':14}{'pairs':>7}{'BLOCK':>8}{'':>8}{'any':>8}")
        for kind in [*kinds, "all"]:
            names = kinds if kind == "all" else [kind]
            n, b, a = (sum(counter[name] for name in names) for counter in (total, blocked, noticed))
            print(f"{kind:14}{n:7}{b:8}{b / max(n, 1):8.1%}{a / max(n, 1):8.1%}")


def quotation_table(pairs: Sequence[Pair]) -> None:
    """Each claim put between marks, held against its page's span and the other spans."""
    sources = PreparedSources.of(SourceText(pair.url, pair.span, None, pair.url) for pair in pairs)
    status: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
    scores: list[float] = []
    for pair in pairs:
        if pair.kind == "reordered" or any(mark in pair.claim for mark in "\"“”„«»'’‘`[]…") or "..." in pair.claim:
            continue
        (result,) = check_quotations(f"It says “{pair.claim}”", sources)
        status[pair.true][result.status.value] += 1
        if result.nearest is not None and result.status is not QuotationStatus.FOUND:
            scores.append(result.nearest.score)
    print("\nquotations: verbatim and typographic ones", dict(status[True]), "| one word changed", dict(status[False]))
    if scores:
        scores.sort()
        low = scores[len(scores) // 20]
        print(f"  nearest passage of the changed ones: score {scores[0]:.0f} to {scores[-1]:.0f}, 5% below {low:.0f}")


def labelled_table(shared: Path) -> None:
    total: Counter[tuple[str, bool]] = Counter()
    blocked: Counter[tuple[str, bool]] = Counter()
    noticed: Counter[tuple[str, bool]] = Counter()
    codes: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
    started = time.perf_counter()
    for path in sorted((shared / "data/verify/dev").glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            row = json.loads(line)
            key = (path.stem, row["label"] == "SUPPORTED")
            findings = check_polarity(row["claim"], row["span"])
            total[key] += 1
            blocked[key] += any(finding.severity is Severity.BLOCK for finding in findings)
            noticed[key] += bool(findings)
            codes[key[1]].update({f"{finding.code} ({finding.severity})" for finding in findings})
    took = time.perf_counter() - started
    print(f"\nlabelled pairs: share with a BLOCK finding (any finding); {sum(total.values()) / took:,.0f} pairs/s")
    print(f"{'set':32}{'SUPPORTED':>24}{'other':>24}")
    names = sorted({name for name, _ in total})
    for name in [*names, "pooled"]:
        cells = []
        for label in (True, False):
            keys = [(one, label) for one in (names if name == "pooled" else [name])]
            n, b, a = (sum(counter[key] for key in keys) for counter in (total, blocked, noticed))
            cells.append(f"{b:5}/{n:<5}{b / n:6.1%} ({a / n:.1%})" if n else "-")
        print(f"{name:32}{cells[0]:>24}{cells[1]:>24}")
    print(f"{'by code: pairs':32}{'SUPPORTED':>24}{'other':>24}")
    for code in sorted(set(codes[True]) | set(codes[False])):
        print(f"{code:32}{codes[True][code]:24}{codes[False][code]:24}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    default = os.environ.get("SHARED_DATA", Path(__file__).resolve().parents[2] / "shared")
    parser.add_argument("--shared", type=Path, default=Path(default))
    parser.add_argument("--pages", type=int, default=60, help="pages of each site")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--show", help="print the misses of this kind (or a twin kind's false alarms)")
    parser.add_argument("--out", type=Path, help="write the pairs there")
    arguments = parser.parse_args()
    pairs = near_misses(arguments.shared, arguments.pages, seed=arguments.seed)
    if arguments.out:
        arguments.out.write_text(
            "".join(json.dumps(asdict(pair), ensure_ascii=False) + "\n" for pair in pairs), "utf-8"
        )
    polarity_table(pairs, arguments.show)
    quotation_table(pairs)
    if not arguments.show:
        labelled_table(arguments.shared)
    return 0


if __name__ == "__main__":
    sys.exit(main())
