"""The author: the model that writes, under the customer's own prompt (W7).

The prompt is the system text, byte for byte. The user turn begins with the pack and ends with the assignment; the
request for a revision repeats that turn exactly and appends to it, so the writer reads the same boundary twice.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from affidavit.errors import ModelFailure, ModelFailureKind, UserError
from affidavit.evidence.piece import Issue
from affidavit.models.context import READ_AGAIN, Context, read_tokens, text_tokens
from affidavit.models.model import Model
from affidavit.models.prompt import load_prompt
from affidavit.models.reply import Finish, ModelReply
from affidavit.models.request import ModelRequest, User
from affidavit.write.found import FEW, MOST, found_lines, most_that_fit
from affidavit.write.marked import marked
from affidavit.write.pack import TOKENS_A_WORD, Assignment, Pack
from affidavit.write.profile import Profile

DEFAULT_PROMPT = load_prompt("affidavit.write", "writer.system").text
MAX_PROMPT_BYTES = 256 * 1024
LEAST_TOKENS = 4096
"""Room for a piece without a limit, some 2,500 words of it, and for models that think first."""
FOUND_TOKENS = 600
"""Kept free for what is found in a draft, where there is little room: the request to mend it, and eight issues."""
_ASSIGNMENT = load_prompt("affidavit.write", "assignment.user")
_REVISION = load_prompt("affidavit.write", "revision.user")
_FENCES = ("```", "~~~")


@dataclass(frozen=True, slots=True)
class Written:
    """A draft with the reply that it was made of. `cut_off` is whether the model came to no end."""

    draft: str
    reply: ModelReply

    @property
    def cut_off(self) -> bool:
        return self.reply.finish is Finish.LENGTH


class Author:
    """Asks `model` for a draft, and for one revision of it. Raises ModelFailure, of kind CONTEXT_LENGTH for what is too
    long for the model's `context`: that is not sent."""

    def __init__(self, model: Model, prompt: str = DEFAULT_PROMPT, context: Context | None = None) -> None:
        self.prompt = prompt
        self._model = model
        self._context = context or Context()

    @property
    def name(self) -> str:
        return self._model.name

    def longest(self, assignment: Assignment, profile: Profile, pack: str) -> int | None:
        """The tokens of the longest draft that can be asked for again, with what was found in it, beside a pack of that
        text; None for any."""
        left = self._context.left(self._request(first_message(assignment, profile, pack), assignment, "write/1"))
        return None if left is None else int((left - FOUND_TOKENS) / (1 + READ_AGAIN))

    async def draft(self, assignment: Assignment, profile: Profile, pack: Pack, *, most: int | None = None) -> Written:
        """A draft of at most `most` tokens, or of what the piece takes if that is more."""
        first = first_message(assignment, profile, pack.text)
        return await self._asked(self._request(first, assignment, "write/1", most), assignment)

    async def revise(
        self,
        assignment: Assignment,
        profile: Profile,
        pack: Pack,
        draft: str,
        issues: Sequence[Issue],
        *,
        most: int | None = None,
    ) -> Written:
        """`draft` written anew, for as many of `issues` as can be told beside it and leave room for as long a draft, or
        for one as long as was asked for."""
        first = first_message(assignment, profile, pack.text)

        def request(lines: int) -> ModelRequest:
            return self._request(first + revision(draft, issues, lines), assignment, "write/2", most)

        def told(least: int) -> int | None:
            return most_that_fit(issues, lambda lines: self._context.fitted(request(lines), least) is not None)

        lines = told(max(assignment.tokens, int(text_tokens(draft) / READ_AGAIN)))
        if lines is None:
            lines = told(assignment.tokens)
        if lines is not None:
            return await self._asked(request(lines), assignment)
        prompt, begun = text_tokens(self.prompt), read_tokens(self._request(first, assignment, "write/2"))
        raise ModelFailure(
            ModelFailureKind.CONTEXT_LENGTH,
            self.name,
            f"the prompt takes some {prompt:,} tokens, the first message {begun - prompt:,}, the draft with the first "
            f"of what was found in it {read_tokens(request(FEW)) - begun:,} and the piece {assignment.tokens:,}, and "
            f"models.context_tokens is {self._context.tokens:,}",
            advice="raise models.context_tokens if the model reads more, or ask for fewer words (--max-words)",
        )

    def _request(self, user: str, assignment: Assignment, key: str, most: int | None = None) -> ModelRequest:
        usual = max(LEAST_TOKENS, TOKENS_A_WORD * (assignment.max_words or 0) + LEAST_TOKENS // 2)
        return ModelRequest(
            system=self.prompt,
            messages=(User(user),),
            temperature=None,  # the customer's writer as it is: no setting of ours
            max_tokens=usual if most is None else min(usual, max(most, assignment.tokens)),
            key=key,
        )

    async def _asked(self, request: ModelRequest, assignment: Assignment) -> Written:
        fitted = self._context.fitted(request, assignment.tokens)
        if fitted is None:
            prompt = text_tokens(self.prompt)
            raise ModelFailure(
                ModelFailureKind.CONTEXT_LENGTH,
                self.name,
                f"the prompt takes some {prompt:,} tokens, the message {read_tokens(request) - prompt:,} and the piece "
                f"{assignment.tokens:,}, and models.context_tokens is {self._context.tokens:,}",
                advice="shorten the notes or the prompt, ask for fewer words (--max-words) or have fewer facts, "
                "or raise models.context_tokens if the model reads more",
            )
        reply = await self._model.complete(fitted)
        return Written(unfenced(reply.text), reply)


def first_message(assignment: Assignment, profile: Profile, pack: str) -> str:
    """The user turn: the text of the pack, then what is to be written, title and notes as the customer wrote them."""
    details = [f"Notes:\n{assignment.notes}"] if assignment.notes else []
    told = {
        "Business": profile.name,
        "What it does": profile.description,
        "Industry": profile.industry,
        "Key messages": "; ".join(profile.key_messages),
        "Keywords": ", ".join(profile.keywords),
        "Tone": profile.tone,
        "Length": f"at most {assignment.max_words} words" if assignment.max_words is not None else "",
    }
    details += ["\n".join(f"{name}: {value}" for name, value in told.items() if value)]
    asked = _ASSIGNMENT.fill(title=assignment.title, details="\n\n".join(details))
    return f"{pack}\n\n{asked}"


def revision(draft: str, issues: Sequence[Issue], lines: int = MOST) -> str:
    """What is appended for the rewrite: `issues` in at most so many lines, and the draft, which is the writer's own and
    comes back to it as it was."""
    found = found_lines(issues, lines, numbered=True)
    return f"\n\n{_REVISION.fill(issues=found, draft=marked('draft', draft))}"


def unfenced(text: str) -> str:
    """`text` without a code fence around all of it: in one, a whole piece would be code, and claim nothing."""
    lines = text.strip().splitlines()
    if len(lines) < 2 or not lines[0].startswith(_FENCES):
        return text.strip()
    fence = lines[0][:3]
    inside = lines[1:-1]
    if lines[-1].strip() != fence or any(line.lstrip().startswith(fence) for line in inside):
        return text.strip()
    return "\n".join(inside).strip()


def read_prompt(path: Path) -> str:
    """The writer prompt in the file at `path`, every character as it stands there, line ends too. Raises UserError."""
    try:
        body = path.read_bytes()
    except OSError as error:
        raise UserError(f"{path}: the prompt cannot be read: {error.strerror or error}") from error
    if len(body) > MAX_PROMPT_BYTES:
        raise UserError(f"{path}: {len(body):,} bytes; a prompt has {MAX_PROMPT_BYTES:,} at most")
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: not UTF-8 (byte {error.start}); save it as UTF-8") from error
    if not text.strip():
        raise UserError(f"{path}: the prompt is empty; leave --prompt out for the one that comes with the product")
    return text


def prompt_sha256(prompt: str) -> str:
    """The hash by which a run names its prompt template."""
    return hashlib.sha256(prompt.encode("utf-8", "surrogatepass")).hexdigest()
