"""The files around the source agree with it: lock file, README, documentation, licence."""

from __future__ import annotations

import re
import tomllib
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from mariago.cli.main import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LOCKED = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;]+)", re.MULTILINE)


def canonical(requirement: str) -> str:
    """Return the name of a requirement as the lock file spells it (PEP 503)."""
    name = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert name
    return re.sub(r"[-_.]+", "-", name.group()).lower()


def test_every_declared_dependency_is_locked() -> None:
    locked = {name for name, _ in LOCKED.findall((ROOT / "requirements.lock").read_text("utf-8"))}
    declared = [
        *PROJECT["project"]["dependencies"],
        *(name for extra in PROJECT["project"]["optional-dependencies"].values() for name in extra),
    ]
    assert {canonical(name) for name in declared} <= locked


def test_plain_pip_can_read_every_line_of_the_lock_file() -> None:
    lines = (ROOT / "requirements.lock").read_text("utf-8").splitlines()
    assert [line for line in lines if not (line.startswith("#") or LOCKED.match(line))] == []


def test_the_readme_names_every_command() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [name for name in COMMANDS if f"`mariago {name}" not in readme] == []


def test_every_room_has_a_page_in_the_reference() -> None:
    rooms = {path.parent.name for path in (ROOT / "src" / "mariago").glob("*/__init__.py")}
    pages = {path.stem for path in (ROOT / "docs" / "reference").glob("*.md")}
    assert rooms - pages == {"cli"}, "the command line has its own page: command-line.md"


def test_links_between_the_documents_lead_somewhere() -> None:
    link = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)")
    documents = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    broken = [
        f"{document.relative_to(ROOT)}: {target}"
        for document in documents
        if "_build" not in document.parts
        for target in link.findall(document.read_text(encoding="utf-8"))
        if not (document.parent / target).exists()
    ]
    assert broken == []


@pytest.fixture
def shared_fixtures() -> ModuleType:
    """``tests/conftest.py`` as a module."""
    spec = spec_from_file_location("mariago_shared_fixtures", ROOT / "tests" / "conftest.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_real_input_asked_for_by_name_and_absent_is_a_failure(
    shared_fixtures: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("MARIAGO_PEER_DATA", str(tmp_path))
    assert shared_fixtures.find_peer_data() == tmp_path
    monkeypatch.setenv("MARIAGO_PEER_DATA", str(tmp_path / "absent"))
    with pytest.raises(FileNotFoundError, match="absent"):
        shared_fixtures.find_peer_data()


def test_real_input_not_asked_for_may_be_absent(
    shared_fixtures: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("MARIAGO_PEER_DATA", raising=False)
    monkeypatch.setattr(shared_fixtures, "DEFAULT_PEER_DATA", tmp_path / "absent")
    assert shared_fixtures.find_peer_data() is None
