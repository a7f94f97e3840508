"""Which commands there are. The module of a command is imported when that command is called, and no other: one that
lists runs need not wait for what reads pages."""

from dataclasses import dataclass
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup


@dataclass(frozen=True, slots=True)
class Entry:
    """`place` is ``module:name`` below affidavit.cli, the name that of a function or of a Typer with commands of its
    own. `about` is the first line of its help, which the list of commands shows without importing it."""

    place: str
    about: str

    def load(self, name: str) -> Any:
        module, _, attribute = self.place.partition(":")
        found = getattr(import_module(f"affidavit.cli.{module}"), attribute)
        parent = typer.Typer()
        if isinstance(found, typer.Typer):
            parent.add_typer(found, name=name)
        else:
            parent.command(name)(found)
        return typer.main.get_group(parent).commands[name]


COMMANDS = {
    "ask": Entry("ask:ask", "Answer a question from pages, every sentence a quotation that can be checked."),
    "check": Entry(
        "check:check", "Hold a draft against its sources: every sentence is sourced, unsourced or rejected."
    ),
    "facts": Entry("facts:app", "Read a customer's site for facts, and decide which may be used."),
    "write": Entry("write:write", "Write a piece from a customer's approved facts, or withhold it and say why."),
    "pieces": Entry("pieces:app", "Show, export and import pieces."),
    "verify": Entry(
        "verify:verify",
        "Re-check a bundle: hashes, the pages read again, every quotation, every deterministic check.",
    ),
    "runs": Entry("runs:app", "Show what earlier runs did."),
    "eval": Entry("evals:app", "Measure the product and its judges on labelled data."),
    "gateway": Entry(
        "gateway:gateway", "Fetch and search for runs on this machine, which then need no network of their own."
    ),
    "doctor": Entry("doctor:doctor", "Say what is configured, what is missing and how to get it."),
}


class Commands(TyperGroup):
    """The commands as a list until one is called."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands = {name: TyperCommand(name, help=entry.about) for name, entry in COMMANDS.items()}

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        if args and args[0] in COMMANDS:
            self.commands[args[0]] = COMMANDS[args[0]].load(args[0])
        return super().resolve_command(ctx, args)
