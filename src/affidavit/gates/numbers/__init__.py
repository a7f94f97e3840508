"""Numbers of a text: what each is, what it is worth, what it counts; and whether one bears another out."""

from affidavit.gates.numbers.mention import Kind, Mention, Modifier, Value
from affidavit.gates.numbers.reader import mentions

__all__ = ["Kind", "Mention", "Modifier", "Value", "mentions"]
