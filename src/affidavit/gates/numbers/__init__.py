"""Numbers of a text: what each is, what it is worth, what it counts; and whether one bears another out."""

from affidavit.gates.numbers.compare import Match, Relation, compare
from affidavit.gates.numbers.derived import Derivation, derive
from affidavit.gates.numbers.mention import Kind, Mention, Modifier, Value
from affidavit.gates.numbers.reader import mentions

__all__ = ["Derivation", "Kind", "Match", "Mention", "Modifier", "Relation", "Value", "compare", "derive", "mentions"]
