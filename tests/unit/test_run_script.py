"""The file ``run``: when it installs, what it starts, what it says when it cannot."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Callable
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script as a module, set upon an empty folder instead of the repository."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    loader = SourceFileLoader("mariago_run_script", str(ROOT / "run"))
    spec = spec_from_loader(loader.name, loader)
    assert spec is not None
    script = module_from_spec(spec)
    loader.exec_module(script)
    venv = tmp_path / ".venv"
    for name, path in {
        "ROOT": tmp_path,
        "VENV": venv,
        "STAMP": venv / "mariago-stamp.json",
        "LOCK": tmp_path / "requirements.lock",
        "PROJECT": tmp_path / "pyproject.toml",
    }.items():
        monkeypatch.setattr(script, name, path)
    (tmp_path / "requirements.lock").write_text("numpy==2.4.6\ntorch==2.13.0\n")
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    monkeypatch.delenv("MARIAGO_TORCH_INDEX", raising=False)
    return script


@pytest.fixture
def steps(run: ModuleType, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What the script would have run: no environment is made and nothing is installed."""
    done: list[list[str]] = []

    def step(command: list[str], hint: str) -> None:
        assert hint
        done.append(command)
        python = Path(run.venv_python())
        python.parent.mkdir(parents=True, exist_ok=True)
        python.touch()

    monkeypatch.setattr(run, "step", step)
    monkeypatch.setattr(run, "downloads_cuda", lambda: False)
    monkeypatch.setattr(run, "has_pip", lambda python: Path(python).exists())
    return done


def text(steps: list[list[str]]) -> list[str]:
    return [" ".join(command[1:]) for command in steps]


def test_the_first_run_makes_an_environment_and_installs(
    run: ModuleType, steps: list[list[str]], tmp_path: Path
) -> None:
    run.install(("train",))
    made, installed = text(steps)
    assert made == f"-m venv --clear {tmp_path / '.venv'}"
    assert installed.startswith("-m pip install --no-input")
    assert installed.endswith(f"--constraint {tmp_path / 'requirements.lock'} --editable .[train]")


def test_the_second_run_does_nothing(run: ModuleType, steps: list[list[str]]) -> None:
    run.install(("dev", "train"))
    steps.clear()
    run.install(("dev", "train"))
    run.install(("train",))
    assert steps == []


def test_more_extras_are_added_to_those_there(run: ModuleType, steps: list[list[str]]) -> None:
    run.install(("train",))
    steps.clear()
    run.install(("dev",))
    assert text(steps)[-1].endswith(".[dev,train]")
    assert len(steps) == 1, "the environment is kept"


@pytest.mark.parametrize("changed", ["pyproject.toml", "requirements.lock", ".venv/pyvenv.cfg"])
def test_a_change_of_what_is_installed_installs_again(
    run: ModuleType, steps: list[list[str]], tmp_path: Path, changed: str
) -> None:
    run.install(("train",))
    steps.clear()
    (tmp_path / changed).write_text("changed")
    run.install(("train",))
    assert len(steps) == 1


def test_an_interrupted_installation_is_repaired(
    run: ModuleType, steps: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    run.install(("train",))
    with monkeypatch.context() as broken:

        def fail(command: list[str], hint: str) -> None:
            raise run.Stop(hint, 1)

        broken.setattr(run, "step", fail)
        with pytest.raises(run.Stop, match="goes on from here"):
            run.install(("dev", "train"))
    steps.clear()
    run.install(("train",))
    assert len(steps) == 1, "what an earlier installation noted no longer counts"


@pytest.mark.parametrize("content", ["", "{", "[]", '{"fingerprint": "of another time"}'])
def test_a_damaged_stamp_installs_again(
    run: ModuleType, steps: list[list[str]], content: str
) -> None:
    run.install(("train",))
    run.STAMP.write_text(content)
    steps.clear()
    run.install(("train",))
    assert len(steps) == 1


def test_an_environment_that_lost_its_python_is_made_anew(
    run: ModuleType, steps: list[list[str]]
) -> None:
    run.install(("train",))
    Path(run.venv_python()).unlink()
    steps.clear()
    run.install(("train",))
    assert text(steps)[0].startswith("-m venv --clear")


def test_torch_alone_comes_from_the_index_that_is_named(
    run: ModuleType, steps: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MARIAGO_TORCH_INDEX", "file:///wheels")
    run.install(("train",))
    _, torch, rest = text(steps)
    assert torch.endswith("--no-deps --force-reinstall --index-url file:///wheels torch==2.13.0")
    assert "--index-url" not in rest
    steps.clear()
    run.install(("train",))
    monkeypatch.delenv("MARIAGO_TORCH_INDEX")
    run.install(("train",))
    assert steps == [], "without the variable the build that is there stays"
    monkeypatch.setenv("MARIAGO_TORCH_INDEX", "file:///other")
    run.install(("train",))
    assert "--force-reinstall" in text(steps)[0]


def test_every_command_has_a_command_line(run: ModuleType) -> None:
    for command in set(run.EXTRAS) - {"lint"}:
        line = run.command_line(command, ["--more", "x"])
        assert line[:2] == [run.venv_python(), "-m"]
        assert line[-2:] == ["--more", "x"]


def test_every_extra_is_declared(run: ModuleType) -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = {extra for extras in run.EXTRAS.values() for extra in extras}
    assert wanted <= project["optional-dependencies"].keys()
    assert project["requires-python"] == ">=" + ".".join(map(str, run.OLDEST))


def test_an_old_python_goes_on_with_a_newer_one(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    started: list[list[str]] = []
    monkeypatch.setattr(run.sys, "version_info", (3, 9, 2, "final", 0))
    monkeypatch.setattr(run, "newer_python", lambda: "/usr/bin/python3.12")
    monkeypatch.setattr(run, "replace_process", started.append)
    run.require_python(["demo", "--out", "x"])
    assert started == [["/usr/bin/python3.12", str(tmp_path / "run"), "demo", "--out", "x"]]


def test_an_old_python_alone_stops_and_says_what_is_needed(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run.sys, "version_info", (3, 9, 2, "final", 0))
    monkeypatch.setattr(run, "newer_python", lambda: None)
    with pytest.raises(run.Stop, match=r"needs Python 3\.11 or newer"):
        run.require_python(["demo"])


def test_a_stub_that_only_prints_an_error_is_no_python(run: ModuleType, tmp_path: Path) -> None:
    stub = tmp_path / "python3.12"
    stub.write_text("#!/bin/sh\necho not installed >&2\nexit 127\n")
    stub.chmod(0o755)
    assert not run.works(str(stub))
    assert not run.works(str(tmp_path / "absent"))
    assert run.works(sys.executable)


def test_an_older_python_can_read_the_script_and_say_it_is_too_old() -> None:
    source = (ROOT / "run").read_text(encoding="utf-8")
    assert ast.parse(source, feature_version=(3, 7))


def call_script(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(ROOT / "run"), *arguments], capture_output=True, text=True
    )


def test_help_names_every_command(run: ModuleType) -> None:
    done = call_script("help")
    assert done.returncode == 0
    assert all(f"./run {command}" in done.stdout for command in run.EXTRAS)
    assert call_script().stdout == done.stdout


def test_an_unknown_command_is_one_line_and_exit_code_2() -> None:
    done = call_script("tests")
    assert done.returncode == 2
    assert done.stderr.startswith("error: there is no command 'tests'")
    assert done.stderr.count("\n") == 1


def test_lint_runs_every_check_and_reports_the_first_failure(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    called: list[str] = []

    def call(command: list[str], **_: Any) -> int:
        called.append(command[2])
        return {"pyright": 3, "deptry": 4}.get(command[2], 0)

    monkeypatch.setattr(run.subprocess, "call", call)
    assert run.lint([]) == 3
    assert len(called) == 5
    assert capsys.readouterr().err.endswith("failed: pyright, deptry\n")


def test_lint_refuses_other_words_before_anything_is_installed(
    run: ModuleType, steps: list[list[str]]
) -> None:
    with pytest.raises(run.Stop, match="takes nothing but --fix"):
        run.main(["lint", "--bogus"])
    assert steps == []


@pytest.mark.parametrize("name", ["pyproject.toml", "requirements.lock"])
@pytest.mark.parametrize("installed", [False, True])
def test_a_file_missing_from_the_repository_is_one_line(
    run: ModuleType, steps: list[list[str]], tmp_path: Path, name: str, installed: bool
) -> None:
    if installed:
        run.install(("train",))
        steps.clear()
    (tmp_path / name).unlink()
    with pytest.raises(run.Stop, match=f"{name} cannot be read") as stop:
        run.install(("train",))
    assert stop.value.code == 2
    assert "\n" not in str(stop.value)
    assert steps == []


def test_a_file_or_a_dead_link_in_the_place_of_the_environment_is_named(
    run: ModuleType, steps: list[list[str]], tmp_path: Path
) -> None:
    run.VENV.write_text("")
    with pytest.raises(run.Stop, match="is a file, not a folder"):
        run.install(("train",))
    run.VENV.unlink()
    run.VENV.symlink_to(tmp_path / "gone")
    with pytest.raises(run.Stop, match="link to nothing"):
        run.install(("train",))
    run.VENV.unlink()
    assert steps == []


def test_a_folder_that_cannot_be_written_to_is_named(
    run: ModuleType, steps: list[list[str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    # Permissions do not hold the superuser back, who may be running this.
    monkeypatch.setattr(run.os, "access", lambda path, mode: False)
    with pytest.raises(run.Stop, match="cannot be written to"):
        run.install(("train",))
    assert steps == []


def test_a_failed_step_keeps_its_exit_code(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended: Callable[..., int] = lambda *_, **__: 5  # noqa: E731
    monkeypatch.setattr(run.subprocess, "call", ended)
    monkeypatch.setattr(run.sys.stderr, "fileno", lambda: 2, raising=False)
    with pytest.raises(run.Stop) as stop:
        run.step(["pip"], "hint")
    assert stop.value.code == 5


def test_the_stamp_says_what_was_installed(run: ModuleType, steps: list[list[str]]) -> None:
    run.install(("train",))
    assert steps
    stamp = json.loads(run.STAMP.read_text())
    assert stamp == {
        "fingerprint": run.fingerprint(),
        "extras": ["train"],
        "torch_index": None,
    }
