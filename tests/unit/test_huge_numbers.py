"""Numbers on the command line that no store and no match can take end in one line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mariago.arena.statistics.sprt import terms_of_text
from mariago.cli.main import call
from mariago.errors import MatchError
from mariago.lessons import Book


@pytest.mark.parametrize("sign", ["", "-"])
@pytest.mark.parametrize(("command", "option"), [("undo", "--game"), ("show", "--top")])
def test_a_number_that_the_book_cannot_hold_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str, option: str, sign: str
):
    book = tmp_path / "lessons.book"
    Book.open(book, write=True).close()
    assert call(["lessons", command, str(book), option, sign + "9" * 23]) == 2
    errors = [line for line in capsys.readouterr().err.splitlines() if line.startswith("error:")]
    assert len(errors) == 1
    assert option in errors[0]


@pytest.mark.parametrize(
    "command", [("lessons", "undo"), ("net", "train"), ("net", "tune"), ("match",)]
)
def test_no_help_prints_the_largest_number_that_a_store_holds(
    capsys: pytest.CaptureFixture[str], command: tuple[str, ...]
):
    assert call([*command, "--help"]) == 0
    shown = "".join(capsys.readouterr().out.split())
    assert "x>=0" in shown
    assert not re.search(r"\d{12}", shown)


def test_hypotheses_of_a_sequential_test_lie_apart():
    assert terms_of_text("elo0=0,elo1=0.5").elo1 == 0.5
    for text in ("elo0=0,elo1=0.0000001", "elo0=10,elo1=10.4"):
        with pytest.raises(MatchError, match=r"at least 0\.5 Elo apart"):
            terms_of_text(text)
