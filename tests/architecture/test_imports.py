"""Imports point down only, and starting loads nothing heavy."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from click.testing import CliRunner
from importlinter.cli import lint_imports_command

from mariago.cli.main import COMMANDS, load_command

ROOT = Path(__file__).resolve().parents[2]
HEAVY = ("numba", "torch", "matplotlib", "pyarrow", "onnxruntime", "onnx", "scipy", "sqlalchemy")


def heavy_modules_after(code: str) -> list[str]:
    """Run ``code`` in a new interpreter and return which heavy libraries it has loaded."""
    report = f"import sys, json; print(json.dumps([m for m in {HEAVY!r} if m in sys.modules]))"
    script = f"import contextlib, io\nwith contextlib.redirect_stdout(io.StringIO()):\n {code}\n"
    done = subprocess.run(
        [sys.executable, "-c", script + report], capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def test_imports_point_down_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)  # where the contracts stand
    done = CliRunner().invoke(lint_imports_command, ["--no-cache"])
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize(
    "code",
    [
        "import mariago",
        "from mariago.cli.main import call; call(['--help'])",
        "from mariago.cli.main import call; call(['warmup', '--help'])",
        "from mariago.cli.main import call; call(['version'])",
        *(
            f"import mariago.{room}"
            for room in ("errors", "words", "board", "rules", "sgf", "reports", "records")
        ),
    ],
)
def test_starting_loads_nothing_heavy(code: str) -> None:
    assert heavy_modules_after(code) == []


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command_loads_nothing_heavy(name: str) -> None:
    code = f"from mariago.cli.main import call; call([{name!r}, '--help'])"
    assert heavy_modules_after(code) == []


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_of_the_table_exists(name: str) -> None:
    command = load_command(name)
    assert command.name == name
    assert command.help, "a command says what it does"


def option_names(command: typer.core.TyperCommand) -> set[str]:
    found = {name for param in command.params for name in param.opts if name.startswith("--")}
    for below in getattr(command, "commands", {}).values():
        found |= option_names(below)
    return found


@pytest.mark.parametrize("name", COMMANDS)
def test_the_same_option_has_the_same_name_everywhere(name: str) -> None:
    """One word a meaning: these are spellings of options that mariago.cli.options declares."""
    other_spellings = {
        "--board-size": "--size",
        "--boardsize": "--size",
        "--ruleset": "--rules",
        "--random-seed": "--seed",
        "--workers": "--jobs",
        "--processes": "--jobs",
        "--output": "--out",
        "--out-dir": "--out",
        "--continue": "--resume",
        "--as-json": "--json",
        "--language": "--lang",
    }
    assert option_names(load_command(name)) & other_spellings.keys() == set()
