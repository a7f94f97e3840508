"""The gates' own figures: suites that measure, on labelled data, what the product stands on.

`judge` holds a verifier against labelled claims. A suite reads its data, measures, and gives back one value from which
every report follows; a run of it is a run of the ledger.
"""

import json
from collections.abc import Callable, Mapping
from types import MappingProxyType

from affidavit.errors import UserError
from affidavit.evals.floors import Floors
from affidavit.evals.judge import JudgeEval, Outcome, ScoringVerifier, measure
from affidavit.evals.judge_html import render_judge_html
from affidavit.evals.judge_json import calibration, judge_json
from affidavit.evals.judge_markdown import render_judge_markdown
from affidavit.evals.judge_terminal import render_judge_terminal, show_judge
from affidavit.evals.run import run_judge
from affidavit.evals.triples import Triple, Triples, read_shipped, read_triples, shipped_near_misses

__all__ = [
    "JUDGE_FORMATS",
    "Floors",
    "JudgeEval",
    "Outcome",
    "ScoringVerifier",
    "Triple",
    "Triples",
    "calibration",
    "measure",
    "read_shipped",
    "read_triples",
    "render_judge",
    "run_judge",
    "shipped_near_misses",
    "show_judge",
]


def _render_json(done: JudgeEval) -> str:
    return json.dumps(judge_json(done), ensure_ascii=False, indent=2, allow_nan=False) + "\n"


_RENDERERS: Mapping[str, Callable[[JudgeEval], str]] = MappingProxyType(
    {
        "terminal": lambda done: render_judge_terminal(done, verbose=True),
        "md": render_judge_markdown,
        "html": render_judge_html,
        "json": _render_json,
    }
)
JUDGE_FORMATS = tuple(_RENDERERS)


def render_judge(done: JudgeEval, output_format: str) -> str:
    """`done` in one of `JUDGE_FORMATS`, whole. Raises UserError for a format that is not known."""
    renderer = _RENDERERS.get(output_format)
    if renderer is None:
        raise UserError(f"format {output_format!r} is not known; known: {', '.join(JUDGE_FORMATS)}")
    return renderer(done)
