"""The entry point ``mariago``: a table of commands, loaded when called, and the error line."""

from __future__ import annotations

import errno
import importlib
import inspect
import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from typing import Annotated, Any, NamedTuple, cast

import typer
from typer.core import TyperCommand, TyperGroup
from typer.exceptions import Abort, TyperException

from mariago import __version__
from mariago.cli.entry import INTERRUPTED
from mariago.cli.invocation import invoked_with
from mariago.cli.terminal import visible
from mariago.errors import MariagoError

__all__ = ["COMMANDS", "app", "load_command", "main", "run"]

_MOST_SHOWN = 300  # characters of a place that an error names
DEBUG_VARIABLE = "MARIAGO_DEBUG"

_NOT_THERE = "look whether the name is right, and make the folder that it lies in"
_NO_ROOM = "make room, or write to another disk"
_NO_RIGHT = "look who may read and write there, or choose another place"
_WRONG_KIND = "a file is asked for where a folder stands, or the other way round"
# What is wrong with a place of the user's, not with the program; and what to do about it.
_PLACE_HINTS: dict[int, str] = {
    errno.ENOSPC: _NO_ROOM,
    errno.EDQUOT: _NO_ROOM,
    errno.EFBIG: _NO_ROOM,
    errno.EROFS: _NO_RIGHT,
    errno.EACCES: _NO_RIGHT,
    errno.EPERM: _NO_RIGHT,
    errno.ENOENT: _NOT_THERE,
    errno.ENOTDIR: _WRONG_KIND,
    errno.EISDIR: _WRONG_KIND,
    errno.EEXIST: "choose another name, or take away what stands there",
    errno.ENOTEMPTY: "choose another name, or take away what stands there",
    errno.ENAMETOOLONG: "choose a shorter name",
    errno.ELOOP: "the link leads back to itself; name the place itself",
    errno.EIO: "the disk may be failing; copy what is left and use another one",
}


class Entry(NamedTuple):
    """Where a command lives: ``target`` is ``module:name`` of a function or a ``typer.Typer``."""

    target: str
    help: str


# One line per command, in the order of the help. Nothing here is imported before it is called.
COMMANDS: dict[str, Entry] = {
    "demo": Entry("mariago.cli.demo:demo", "From records to a trained player, measured."),
    "records": Entry("mariago.cli.records:app", "Make verified samples of game records."),
    "net": Entry("mariago.cli.net:app", "Train a net and look at it."),
    "match": Entry("mariago.cli.match:match", "Play two players against each other."),
    "league": Entry("mariago.cli.league:league", "Let several players meet, and rate them."),
    "standings": Entry("mariago.cli.standings:standings", "Rate the players of several matches."),
    "rate": Entry("mariago.cli.rate:rate", "Ask players for moves in one set of positions."),
    "lessons": Entry("mariago.cli.lessons:app", "Teach players by each other's games."),
    "teach": Entry("mariago.cli.teach:teach", "Let two players teach each other, in rounds."),
    "ablate": Entry("mariago.cli.teach:ablate", "Find out what lessons are worth."),
    "gtp": Entry("mariago.cli.gtp:gtp", "Let a player be played from any GTP program."),
    "players": Entry("mariago.cli.players:players", "List the players and what their names mean."),
    "explain": Entry("mariago.cli.explain:explain", "Say what a move of a game does."),
    "warmup": Entry("mariago.cli.warmup:warmup", "Compile the kernels once."),
    "version": Entry("mariago.cli.version:version", "Show the versions that a result depends on."),
}


def load_command(name: str) -> Any:
    """Import the command ``name`` of :data:`COMMANDS` and return it ready to be called."""
    module_name, _, attribute = COMMANDS[name].target.partition(":")
    found = getattr(importlib.import_module(module_name), attribute)
    if not isinstance(found, typer.Typer):
        function, found = found, typer.Typer(add_completion=False)
        found.command(name)(function)
    found.info.name = name
    # A list of commands stays a group even while it has a single member, so that its calls
    # read the same when a second one comes.
    found._add_completion = False  # pyright: ignore[reportPrivateUsage]
    command = typer.main.get_command(found)
    command.name = name
    _join_lines(command)
    return command


def _join_lines(command: Any) -> None:
    """Let the terminal break the lines of a help, in the members of a group too.

    The parser keeps the line breaks of a docstring and breaks what is too long once more. Indented
    paragraphs, examples of commands, keep their lines.
    """
    paragraphs = inspect.cleandoc(command.help or "").split("\n\n")
    joined = [part if part.startswith(" ") else " ".join(part.split()) for part in paragraphs]
    command.help = "\n\n".join(joined) or None
    for member in getattr(command, "commands", {}).values():
        _join_lines(member)


class _Interrupted(Exception):
    """Ctrl-C, with the words of the command that it stopped, which the parser would lose."""


class LazyGroup(TyperGroup):
    """A group that shows :data:`COMMANDS` without importing them, and imports the one called."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        for name, entry in COMMANDS.items():
            self.commands[name] = TyperCommand(name, help=entry.help)

    def invoke(self, ctx: Any) -> Any:
        """Run the command; an interruption may say how to go on."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as error:
            raise _Interrupted(*error.args) from error

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Find the command that ``args`` name and load it in place of its line in the help."""
        name, command, rest = super().resolve_command(ctx, args)
        if name in COMMANDS:
            command = load_command(name)
        return name, command, rest


app = typer.Typer(cls=LazyGroup, no_args_is_help=True, pretty_exceptions_enable=False)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"mariago {__version__}")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """A workshop in which players of Go are made, taught and measured."""


def report_error(what: str, hint: str | None) -> None:
    """Print an error as one line on standard error, and its hint on the next."""
    print("error: " + visible(" ".join(what.split())), file=sys.stderr)
    if hint:
        print("hint: " + visible(" ".join(hint.split())), file=sys.stderr)


def _place_of(error: OSError) -> str:
    """Return the place that an error of the system names, fit for one line; "" for none."""
    name: Any = error.filename2 or error.filename
    if not isinstance(name, str | bytes | os.PathLike):
        return ""
    text = os.fsencode(cast("str", name)).decode("utf-8", "backslashreplace")
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}..."


def _usage_hint(error: TyperException) -> str:
    context: Any = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "mariago"
    return f"{path} --help shows what it takes"


def call(arguments: Sequence[str]) -> int:
    """Run the command line ``arguments`` and return its exit code.

    0 done; 2 wrong input (one line and a hint on standard error); 130 interrupted; a command may
    end with another code by raising ``typer.Exit``. A disk that is full or a place that may not be
    used is wrong input too. Other errors that MariaGO did not raise on purpose
    are faults of the program: they pass through with their traceback.
    """
    group = cast(Any, typer.main.get_command(app))
    try:
        with invoked_with(arguments):
            code = group.main(args=list(arguments), prog_name="mariago", standalone_mode=False)
        if code == INTERRUPTED:  # while it read the arguments: the parser says nothing then
            raise KeyboardInterrupt
        sys.stdout.flush()
    except MariagoError as error:
        if os.environ.get(DEBUG_VARIABLE):
            raise
        report_error(str(error), error.hint)
        return 2
    except BrokenPipeError:
        raise
    except OSError as error:
        if error.errno not in _PLACE_HINTS or os.environ.get(DEBUG_VARIABLE):
            raise
        place, why = _place_of(error), error.strerror or str(error)
        report_error(f"{place}: {why}" if place else why, _PLACE_HINTS[error.errno])
        return 2
    except TyperException as error:
        if type(error).__name__ != "NoArgsIsHelpError":  # the help itself has been shown
            report_error(error.format_message(), _usage_hint(error))
        return 2
    except (Abort, KeyboardInterrupt, _Interrupted) as error:
        print(f"interrupted: {error}" if str(error) else "interrupted", file=sys.stderr)
        return INTERRUPTED
    return code if isinstance(code, int) else 0


def _open_streams() -> None:
    """Give a process that was started without standard output or error a place to write to."""
    for number, name in ((1, "stdout"), (2, "stderr")):
        if getattr(sys, name) is None:
            handle = os.open(os.devnull, os.O_WRONLY)
            if handle != number:  # an open file must not take the place of a stream later on
                os.dup2(handle, number)
                os.close(handle)
            setattr(sys, name, open(number, "w", encoding="utf-8", closefd=False))  # noqa: SIM115


def run() -> None:
    """Run ``mariago`` on this process's arguments and exit."""
    _open_streams()
    for stream in (sys.stdout, sys.stderr):
        # A console or a log that cannot show a character of a player's name must not end a run.
        cast(TextIOWrapper, stream).reconfigure(errors="backslashreplace")
    try:
        code = call(sys.argv[1:])
    except BrokenPipeError:
        # The reader of our output has gone (``mariago ... | head``): that is no fault.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 1
    sys.exit(code)
