"""Show a span to a model as what it is: text from a stranger.

Whoever wrote the page chose every character of the span. So invisible characters, which carry text that no reader
sees, are taken out, and everything that could end the envelope, open another, pose as a tool result or as a turn of
a chat template, or render as a link or an image, is written as a character reference. The words stay readable, and
`unescape` gives them back: ``unescape(neutralise(text).text)`` is the text without what was invisible.
"""

import hashlib
import html
import re
from collections.abc import Mapping
from dataclasses import dataclass

from affidavit.evidence.characters import INVISIBLE, INVISIBLES, SPACES, character_class, expand
from affidavit.evidence.document import Document
from affidavit.evidence.span import Span

_CONTROLS = "".join(chr(code) for code in (*range(0x20), *range(0x7F, 0xA0)) if chr(code) not in SPACES)
_KINDS = dict.fromkeys(_CONTROLS, "control") | {
    character: kind for kind, ranges in INVISIBLE.items() for character in expand(ranges)
}
_UNSEEN = re.compile(f"[{character_class(INVISIBLES + _CONTROLS)}]+")
_JOINERS = "\u200c\u200d"
_PRESENTATION = "\ufe0e\ufe0f"
_KEYCAP = "\u20e3"
# The last Latin letter with a mark; above stand the scripts and the emoji whose spelling needs joiners.
_LAST_LATIN = "\u024f"

_ROLES = "system|user|assistant|human|developer|tool|function|instructions?|input|response|observation"
_TAGS = rf"untrusted|tool|function|system|assistant|user|human|developer|im_|start|end|bos|eos|s\s*>|{_ROLES}"
_SPACE = f"[{character_class(SPACES)}]"
_TO_ESCAPE = re.compile(
    "|".join(
        (
            # what reads as a character reference already
            r"&(?=\#|[A-Za-z][A-Za-z0-9]{1,30};|(?:lt|gt|amp|quot)\b)",
            # an opening angle bracket, unless it compares: "< 5", "<=", "<$10"
            rf"<(?!{_SPACE}?[-+.]?[\d$€£¥=])",
            "[＜﹤]",
            # other brackets that a model may read as angle ones, where a tag follows
            rf"[‹〈⟨《«❮❰⟪〈˂ᐸ](?={_SPACE}*[/\\|｜]|{_SPACE}*(?:{_TAGS}))",
            # bracketed template tokens: [INST], [/INST], [SYSTEM_PROMPT], [TOOL_CALLS]
            rf"[\[［【](?={_SPACE}*/?{_SPACE}*(?:INST|SYS|AVAILABLE_|TOOL|PROMPT|CONTROL|{_ROLES})\w*{_SPACE}*[\]］】])",
            # a heading that opens a turn of a conversation: "### System". Of a longer run the last nine: with those
            # escaped it opens nothing, and a page of number signs costs its length and not its square
            rf"(?:\A|(?<=[\#{character_class(SPACES)}]))\#(?=\#{{0,8}}{_SPACE}*(?:{_ROLES})\b)",
            # Markdown images, links and link definitions
            r"!(?=\[)",
            r"\](?=[(:])",
        )
    ),
    re.IGNORECASE,
)
# "Human:" where a line begins: the last of several empty ones, or a page of them would cost the square of its length.
_LINE_ENDS = r"\n\r\u2028\u2029\x85"
_TURN = re.compile(
    rf"((?:\A|[{_LINE_ENDS}])(?:(?![{_LINE_ENDS}]){_SPACE})*(?:{_ROLES}){_SPACE}*)([:：])", re.IGNORECASE
)
_NAMED = {"&": "&amp;", "<": "&lt;"}
_REFERENCE = re.compile(r"&(?:amp|lt|\#(\d{1,7}));")


@dataclass(frozen=True, slots=True)
class Neutralised:
    """Text that may stand in a prompt, and the kinds of invisible characters taken out of it (as `Document.flags`)."""

    text: str
    flags: tuple[str, ...]


def envelope(span: Span, document: Document) -> str:
    """The span as a model sees it, between its tags. The document is re-read first: raises SpanMismatch.

    Attributes: ``id``, ``source`` (the page's final URL), ``retrieved_at``; ``truncated`` and ``flags`` where they
    apply. Nothing inside can hold a ``<`` that begins a tag, so the closing tag is the only one.
    """
    span.check(document)
    inner = neutralise(span.text)
    attributes = {"id": span.span_id, "source": document.final_url, "retrieved_at": document.retrieved_at}
    if span.truncated:
        attributes["truncated"] = "true"
    if inner.flags:
        attributes["flags"] = " ".join(inner.flags)
    return f"<untrusted_span {_head(attributes)}>\n{inner.text}\n</untrusted_span>"


def sealed(tag: str, text: str, **attributes: str) -> str:
    """`text` between tags that carry a mark made of the text itself, for a reader who sees nothing else of it.

    Whoever wrote the text cannot know the mark: it is of its hash, so writing it down would change it. The same text
    has the same mark always, so a prompt has the same hash when a run is replayed.
    """
    inner = neutralise(text).text
    digest = hashlib.sha256("\n".join((tag, text, *attributes.values())).encode("utf-8", "surrogatepass")).hexdigest()
    mark = f'mark="{digest[:16]}"'
    head = f"{mark} {_head(attributes)}".strip()
    return f"<{tag} {head}>\n{inner}\n</{tag} {mark}>"


def neutralise(text: str) -> Neutralised:
    """Take out what cannot be seen and escape what could be mistaken for ours. For previews, titles and spans alike."""
    seen, flags = visible(text)
    escaped = _TO_ESCAPE.sub(lambda match: escape(match.group()), seen)
    return Neutralised(_TURN.sub(lambda match: match.group(1) + escape(match.group(2)), escaped), flags)


def visible(text: str) -> tuple[str, tuple[str, ...]]:
    """The text without invisible and control characters, and which kinds were there, sorted.

    A single joiner between two letters of a script that spells with joiners, or between two emoji, stays, as does a
    presentation selector after a symbol; so does all white space. Soft hyphens go without a flag.
    """
    flags: set[str] = set()

    def replace(match: re.Match[str]) -> str:
        run = match.group()
        before, after = text[match.start() - 1 : match.start()], text[match.end() : match.end() + 1]
        kept = _spelling(run, before, after)
        flags.update(_KINDS[character] for character in run[len(kept) :] if character in _KINDS)
        return kept

    return _UNSEEN.sub(replace, text), tuple(sorted(flags))


def unescape(text: str) -> str:
    """Undo the escapes of `neutralise`, and only those."""

    def restore(match: re.Match[str]) -> str:
        number = match.group(1)
        if number is None:
            return "&" if match.group() == "&amp;" else "<"
        return chr(int(number)) if int(number) <= 0x10FFFF else match.group()

    return _REFERENCE.sub(restore, text)


def escape(character: str) -> str:
    """The character reference for one character."""
    return _NAMED.get(character) or f"&#{ord(character)};"


def _spelling(run: str, before: str, after: str) -> str:
    """What of a run of invisible characters belongs to the spelling of a word or to the drawing of an emoji."""
    kept = ""
    if run[0] in _PRESENTATION and (before > _LAST_LATIN or after == _KEYCAP):
        kept, run = run[0], run[1:]
    if len(run) == 1 and run in _JOINERS and before > _LAST_LATIN and after > _LAST_LATIN:
        kept += run
    return kept


def _head(attributes: Mapping[str, str]) -> str:
    return " ".join(f'{name}="{_attribute(value)}"' for name, value in attributes.items())


def _attribute(value: str) -> str:
    seen, _ = visible(value)
    return html.escape(" ".join(seen.split()), quote=True)
