"""A file of the wrong kind is named for what it is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from mariago.cli.main import call


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["standings", "FILE"], "is no store of matches"),
        (["net", "export", "FILE", "--out", "OUT.bin.gz"], "is a file already, no net folder"),
    ],
)
def test_a_file_of_another_kind_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: list[str], said: str
):
    file = tmp_path / "text.db"
    file.write_text("no database, no folder\n" * 400)
    out = str(tmp_path / "OUT.bin.gz")
    names = {"FILE": str(file), "OUT.bin.gz": out}
    assert call([names.get(word, word) for word in command]) == 2
    errors = [line for line in capsys.readouterr().err.splitlines() if line.startswith("error:")]
    assert len(errors) == 1
    assert said in errors[0]
