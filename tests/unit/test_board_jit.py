"""Where compiled kernels are kept, and what starts a new place."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mariago.board import jit, kernels

ASK = "from mariago.board import jit, kernels; print(jit.cache_folder(jit.Path(kernels.__file__)))"


def run_python(code: str, **settings: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout.strip()


def make_package(root: Path) -> Path:
    room = root / "room"
    room.mkdir()
    (room / "kernels.py").write_text("from mariago.room.keys import KEY\n")
    (room / "keys.py").write_text("import mariago.other\nKEY = 1\n")
    (root / "other.py").write_text("VALUE = 1\n")
    (root / "far.py").write_text("VALUE = 1\n")
    return room / "kernels.py"


def fingerprint(source: Path, root: Path) -> str:
    jit._imported_files.cache_clear()
    return jit.fingerprint(source, root)


@pytest.mark.parametrize("changed", ["room/kernels.py", "room/keys.py", "other.py"])
def test_a_change_in_any_file_a_kernel_stands_on_changes_its_fingerprint(
    tmp_path: Path, changed: str
) -> None:
    source = make_package(tmp_path)
    before = fingerprint(source, tmp_path)
    file = tmp_path / changed
    file.write_text(file.read_text() + "# changed\n")
    assert fingerprint(source, tmp_path) != before


def test_a_change_elsewhere_leaves_the_fingerprint(tmp_path: Path) -> None:
    source = make_package(tmp_path)
    before = fingerprint(source, tmp_path)
    (tmp_path / "far.py").write_text("VALUE = 2\n")
    assert fingerprint(source, tmp_path) == before


@pytest.mark.parametrize("setting", ["NUMBA_BOUNDSCHECK", "NUMBA_OPT", "NUMBA_CPU_NAME"])
def test_a_compile_setting_changes_the_fingerprint(
    monkeypatch: pytest.MonkeyPatch, setting: str
) -> None:
    source = Path(kernels.__file__)
    monkeypatch.delenv(setting, raising=False)
    before = jit.fingerprint(source)
    monkeypatch.setenv(setting, "1")
    assert jit.fingerprint(source) != before


def test_every_kernel_file_has_a_folder_of_its_own() -> None:
    sources = jit.kernel_sources()
    assert Path(kernels.__file__).resolve() in sources
    assert len({jit.fingerprint(source) for source in sources}) == len(sources)


def test_the_cache_goes_where_the_variable_says(tmp_path: Path) -> None:
    folder = Path(run_python(ASK, MARIAGO_CACHE_DIR=str(tmp_path)))
    assert folder.is_relative_to(tmp_path)


def test_kernels_work_where_no_cache_can_be_written(tmp_path: Path) -> None:
    file = tmp_path / "a_file"
    file.write_text("no folder can be made below a file")
    below = str(file / "cache")
    assert run_python(ASK, MARIAGO_CACHE_DIR=below) == "None"
    uncached = run_python(
        "from mariago.board import kernels; print(kernels.hash_of(kernels.new_state(2, 2)))",
        MARIAGO_CACHE_DIR=below,
    )
    assert int(uncached) == int(kernels.hash_of(kernels.new_state(2, 2)))


def test_a_home_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    file = tmp_path / "home"
    file.write_text("not a folder")
    settings = {"HOME": str(file), "XDG_CACHE_HOME": str(file / "x"), "MARIAGO_CACHE_DIR": ""}
    assert run_python(ASK, **settings) in ("None", "") or sys.platform == "win32"
