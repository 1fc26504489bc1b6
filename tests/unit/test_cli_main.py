"""The command line's frame: the table of commands, the error line, exit codes."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from collections.abc import Callable
from types import ModuleType

import pytest
import typer

from mariago import __version__
from mariago.cli import main as cli
from mariago.cli.options import LangOption, worker_count
from mariago.errors import BadInputError


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch) -> Callable[[object], None]:
    """Make a function or a typer app the command ``try`` for one test."""

    def register(target: object) -> None:
        module = ModuleType("mariago_try_command")
        vars(module)["target"] = target
        monkeypatch.setitem(sys.modules, module.__name__, module)
        monkeypatch.setitem(
            cli.COMMANDS, "try", cli.Entry(f"{module.__name__}:target", "Try something.")
        )

    return register


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.call(["--help"]) == 0
    shown = capsys.readouterr().out
    for name, entry in cli.COMMANDS.items():
        assert name in shown
        assert entry.help in shown


def test_helps_leave_it_to_the_terminal_where_their_lines_break() -> None:
    waiting = [cli.load_command(name) for name in cli.COMMANDS]
    for command in waiting:
        waiting += getattr(command, "commands", {}).values()
        for paragraph in (command.help or "").split("\n\n"):
            lines = paragraph.split("\n")
            assert len(lines) == 1 or all(line.startswith("  ") for line in lines), command.name
    assert len(waiting) > 30


def test_version_option_prints_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.call(["--version"]) == 0
    assert capsys.readouterr().out == f"mariago {__version__}\n"


def test_version_as_json_names_the_libraries(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.call(["version", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["mariago"] == __version__
    assert {"python", "numpy", "numba", "torch"} <= found.keys()


def test_an_error_is_one_line_and_a_hint(
    command: Callable[[object], None], capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> None:
        """Fail."""
        raise BadInputError("not\na number", where="--size", hint="write 19")

    command(fail)
    assert cli.call(["try"]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err == "error: --size: not a number\nhint: write 19\n"


def test_with_debugging_on_an_error_keeps_its_traceback(
    command: Callable[[object], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        """Fail."""
        raise BadInputError("wrong")

    command(fail)
    monkeypatch.setenv(cli.DEBUG_VARIABLE, "1")
    with pytest.raises(BadInputError):
        cli.call(["try"])


def test_a_fault_of_the_program_is_not_hidden(command: Callable[[object], None]) -> None:
    def fail() -> None:
        """Fail."""
        raise ZeroDivisionError

    command(fail)
    with pytest.raises(ZeroDivisionError):
        cli.call(["try"])


@pytest.mark.parametrize(
    ("code", "hint"),
    [
        (errno.ENOSPC, "make room, or write to another disk"),
        (errno.EROFS, "look who may read and write there, or choose another place"),
        (errno.EISDIR, "a file is asked for where a folder stands, or the other way round"),
        (errno.ENAMETOOLONG, "choose a shorter name"),
    ],
)
def test_a_place_that_cannot_be_used_is_one_line_and_a_hint(
    code: int,
    hint: str,
    command: Callable[[object], None],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail() -> None:
        """Fail."""
        raise OSError(code, os.strerror(code), "there/\udcff")

    command(fail)
    assert cli.call(["try"]) == 2
    line = f"error: there/\\xff: {os.strerror(code)}" if os.name == "posix" else "error: there"
    assert capsys.readouterr().err.startswith(line)
    assert cli.call(["try"]) == 2
    assert capsys.readouterr().err.endswith(f"\nhint: {hint}\n")
    monkeypatch.setenv(cli.DEBUG_VARIABLE, "1")
    with pytest.raises(OSError, match="there"):
        cli.call(["try"])


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["nosuch"], "error: No such command 'nosuch'."),
        (["recods"], "error: No such command 'recods'. Did you mean 'records'?"),
        (["version", "--nosuch"], "error: No such option: --nosuch"),
    ],
)
def test_wrong_usage_is_one_line_and_a_hint(
    arguments: list[str], line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.call(arguments) == 2
    shown = capsys.readouterr().err.splitlines()
    assert shown[0].startswith(line)
    assert shown[1].startswith("hint: mariago")
    assert shown[1].endswith("--help shows what it takes")
    assert len(shown) == 2


def test_no_command_shows_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.call([]) == 2
    assert "records" in capsys.readouterr().out


def test_interruption_ends_with_130(command: Callable[[object], None]) -> None:
    def stop() -> None:
        """Stop."""
        raise KeyboardInterrupt

    command(stop)
    assert cli.call(["try"]) == 130


def test_an_interrupted_command_says_in_one_line_how_to_go_on(
    command: Callable[[object], None], capsys: pytest.CaptureFixture[str]
) -> None:
    def stop() -> None:
        """Stop."""
        raise KeyboardInterrupt("do it again")

    command(stop)
    assert cli.call(["try"]) == 130
    assert capsys.readouterr().err.split("\n") == ["interrupted: do it again", ""]


def test_a_command_may_choose_its_exit_code(command: Callable[[object], None]) -> None:
    def leave() -> None:
        """Leave."""
        raise typer.Exit(7)

    command(leave)
    assert cli.call(["try"]) == 7


def test_a_group_keeps_the_names_of_its_commands(
    command: Callable[[object], None], capsys: pytest.CaptureFixture[str]
) -> None:
    group = typer.Typer(no_args_is_help=True)

    @group.command()
    def one() -> None:
        """Do one thing."""
        print("one done")

    @group.command()
    def two(lang: LangOption = "en") -> None:
        """Do another."""
        print(lang)

    command(group)
    assert cli.call(["try", "one"]) == 0
    assert cli.call(["try", "two", "--lang", "ja"]) == 0
    assert capsys.readouterr().out == "one done\nja\n"
    assert cli.call(["try", "two", "--lang", "fr"]) == 2
    assert "'fr'; there are en (English), zh" in capsys.readouterr().err


@pytest.mark.parametrize("to_load", ["typer", "typer._adapters", "mariago.cli.players"])
def test_an_interruption_while_the_program_loads_is_one_word(to_load: str) -> None:
    program = """
import sys
class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == "TO_LOAD":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupting())
from mariago.cli.entry import run
run()
"""
    call = [sys.executable, "-c", program.replace("TO_LOAD", to_load), "players"]
    done = subprocess.run(call, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted\n")


def test_a_reader_that_goes_away_is_no_fault() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "mariago", "version"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    with process.stderr:
        assert process.stderr.read() == b""
    assert process.wait() == 1


def test_no_jobs_means_every_core() -> None:
    assert worker_count(3) == 3
    assert worker_count(0) >= 1
