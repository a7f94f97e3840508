"""Superscripts and subscripts written as text, so that ``10<sup>6</sup>`` is never 106 and a footnote never a figure.

What is raised on the page stays raised where characters for it exist: "10⁶", "m²", "1932³" (a footnote). Ordinal
endings and chemical formulas are written in the line, as everybody writes them: "20th", "H2O". What can be neither
is kept apart by a caret or a space.
"""

_SUPERSCRIPTS = str.maketrans("0123456789+-−=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ")
_SUBSCRIPTS = str.maketrans("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")
_RAISED = frozenset("0123456789+-−=()ni")
_ALREADY = frozenset("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ")
_LOWERED = frozenset("0123456789+-−=()")
_SLASHES = frozenset("/⁄∕")
_BETWEEN = frozenset(" ,;–")
_MARKS = {"tm": "™", "sm": "℠"}
# Footnote letters that have a raised form (Unicode, Phonetic Extensions and Modifier Letters).
_LETTERS = str.maketrans("abcdefghjklmoprstuvwxyz", "ᵃᵇᶜᵈᵉᶠᵍʰʲᵏˡᵐᵒᵖʳˢᵗᵘᵛʷˣʸᶻ")


def superscript(content: str, before: str, *, math: bool = False) -> str:
    """`content` as it follows the character `before` (empty at the start of a line)."""
    inner = content.strip()
    if not inner or not before.strip() or all(character in _ALREADY for character in inner):
        return content
    if _is_made_of(inner, _RAISED) and (math or any(character.isdigit() for character in inner) or inner in "ni+-−"):
        return inner.translate(_SUPERSCRIPTS) if inner == content else content.translate(_SUPERSCRIPTS)
    if math:
        return f"^{inner}" if len(inner) == 1 or inner.isdigit() else f"^({inner})"
    if inner.isalpha():
        return _letters(content, inner, before)
    if before.isalnum() and inner[0].isalnum():
        return f"^{inner}" if before.isdigit() else f" {inner}"
    return content


def subscript(content: str, before: str, *, math: bool = False) -> str:
    """As `superscript`; outside formulas digits stay in the line except behind a digit or a slash,
    where they are another number."""
    inner = content.strip()
    if math and before.strip() and _is_made_of(inner, _LOWERED):
        return content.translate(_SUBSCRIPTS)
    if not inner or not (before.isdigit() or before in _SLASHES) or not inner[0].isalnum():
        return content
    if _is_made_of(inner, _LOWERED):
        return content.translate(_SUBSCRIPTS)
    return f"_{inner}" if math or inner[0].isdigit() else content


def _letters(content: str, inner: str, before: str) -> str:
    if inner.lower() in _MARKS:
        return _MARKS[inner.lower()]
    if before.isalpha() and len(inner) == 1:
        raised = inner.translate(_LETTERS)
        return raised if raised != inner else f" {inner}"
    return content


def _is_made_of(inner: str, characters: frozenset[str]) -> bool:
    return all(character in characters or character in _BETWEEN for character in inner)
