"""What is no finite number is refused in the same words by every option that takes one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from mariago.arena.statistics.sprt import terms_of_text
from mariago.cli.main import COMMANDS, call, load_command
from mariago.errors import MariagoError
from mariago.players import make_player

WORDS = "should be a finite number"


def commands() -> Iterator[tuple[str, Any]]:
    """Yield every command, members of groups too."""
    waiting = [(name, load_command(name)) for name in COMMANDS]
    for path, command in waiting:
        members = getattr(command, "commands", {})
        waiting += [(f"{path} {name}", member) for name, member in members.items()]
        if not members:
            yield path, command


def test_every_option_that_takes_a_number_refuses_what_is_none():
    found: dict[str, type] = {}
    for path, command in commands():
        for param in command.params:
            kind = getattr(getattr(param, "type_descriptor", None), "annotation", None)
            if not (isinstance(kind, type) and issubclass(kind, float)):
                continue
            found[f"{path} {param.name}"] = kind
            for text in ("nan", "inf", "-inf"):
                with pytest.raises(Exception, match=WORDS):
                    param.get_runtime_param().coerce(text, param=param, ctx=None)
    assert len(found) > 10
    assert {"match komi", "net train max_minutes", "net quantise least_top1"} <= found.keys()


@pytest.mark.parametrize("text", ["nan", "inf", "-inf"])
@pytest.mark.parametrize(
    "words",
    [
        ["match", "random", "random", "--komi"],
        ["gtp", "random", "--komi"],
        ["lessons", "games", "no.book", "--out", "x", "--factor"],
        ["net", "quantise", "packaged", "--least-top1"],
    ],
)
def test_the_error_line_names_the_option(
    words: list[str], text: str, capsys: pytest.CaptureFixture[str]
):
    assert call([*words, text]) == 2
    error = capsys.readouterr().err.splitlines()[0]
    assert words[-1] in error
    assert WORDS in error


def test_so_do_keys_in_the_text_of_an_option():
    with pytest.raises(MariagoError, match=f"elo0: {WORDS}"):
        terms_of_text("elo0=nan,elo1=3")
    with pytest.raises(MariagoError, match=f"lesson_bonus: {WORDS}"):
        make_player("heuristic:v1,lesson_bonus=nan")
    with pytest.raises(MariagoError, match=f"temperature: {WORDS}"):
        make_player("net:packaged,temperature=inf")
