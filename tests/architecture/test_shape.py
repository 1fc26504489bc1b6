"""The shape of the source: file lengths, names, docstrings, where kernels live."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import pytest

import mariago

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "mariago"
LONGEST = 400
VAGUE = {"utils", "util", "helpers", "helper", "manager", "misc", "common"}


def python_files(*folders: str) -> list[Path]:
    found = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    return sorted(path for path in found if "_build" not in path.parts)


def everything() -> list[Path]:
    return [ROOT / "run", *python_files("src", "tests", "benchmarks", "docs", "tools")]


def packages() -> list[str]:
    found = pkgutil.walk_packages(mariago.__path__, "mariago.")
    return ["mariago", *(module.name for module in found if module.ispkg)]


def test_no_file_is_longer_than_400_lines() -> None:
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines())
        for path in everything()
    }
    assert {name: n for name, n in lengths.items() if n > LONGEST} == {}


def test_names_say_what_is_inside() -> None:
    vague = [
        str(path.relative_to(ROOT))
        for path in everything()
        if VAGUE & set(re.split(r"[_\W]+", path.relative_to(ROOT).with_suffix("").as_posix()))
    ]
    assert vague == []


def test_every_source_file_says_what_it_is_for() -> None:
    silent = [
        str(path.relative_to(ROOT))
        for path in everything()
        if path.stat().st_size and not ast.get_docstring(ast.parse(path.read_text("utf-8")))
    ]
    assert silent == []


def test_kernels_live_in_files_named_for_them() -> None:
    """The compile cache and the warm-up find kernels by the names of their files."""
    decorated = re.compile(
        r"^\s*@(?:\w+\.)*(kernel|inlined|njit|jit|vectorize|guvectorize)\b", re.M
    )
    outside = [
        str(path.relative_to(ROOT))
        for path in python_files("src")
        if not (path.name == "kernels.py" or path.name.endswith("_kernels.py"))
        and decorated.search(path.read_text(encoding="utf-8"))
    ]
    assert outside == []


def test_work_left_over_is_not_left_in_the_source() -> None:
    marks = re.compile(r"\b(TODO|FIXME|XXX|raise NotImplementedError)\b")
    left = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in python_files("src", "benchmarks")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if marks.search(line)
    ]
    assert left == []


@pytest.mark.parametrize("name", packages())
def test_every_public_name_is_documented(name: str) -> None:
    package = importlib.import_module(name)
    assert package.__doc__, name
    undocumented = []
    for public in getattr(package, "__all__", ()):
        found = getattr(package, public)
        if (inspect.isclass(found) or inspect.isroutine(found)) and not inspect.getdoc(found):
            undocumented.append(public)
    assert undocumented == []
