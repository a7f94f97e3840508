"""Sub-questions made by the researcher model, stated before the first search (contract R3).

The runtime, not the model, says how each is searched for: the refutation query is part of every sub-question.
"""

from dataclasses import replace

from pydantic import BaseModel, ConfigDict, Field

from affidavit.ranking.queries import four_queries
from affidavit.research.plan import Plan, SubQuestion

QUESTION_CHARS = 300


class SubQuestions(BaseModel):
    """The shape of the model's plan."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    subquestions: list[str] = Field(min_length=1, description="each can be asked and answered by itself")


def planned(plan: Plan, made: SubQuestions, most: int) -> Plan:
    """`plan` with the sub-questions that were `made`: at most `most`, each once, none a document. What is left of none
    is `plan` itself."""
    texts = dict.fromkeys(" ".join(text.split()) for text in made.subquestions)
    fit = [text for text in texts if any(map(str.isalnum, text)) and len(text) <= QUESTION_CHARS][:most]
    if not fit:
        return plan
    return replace(plan, subquestions=tuple(SubQuestion(text, four_queries(text)) for text in fit))
