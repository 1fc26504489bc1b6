"""Scripts that others wrote for their engines: our server answers every line of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.reference.gtp_scripts import replies_to, session_of

from mariago.gtpwire import parse_command

# Commands that belong to one engine alone: its network, its search, its counters.
OF_OTHERS = re.compile(
    r"kata-(?!get-rules|set-rules)|genmove_debug|clear_cache|debug_moves|get_.*_counter|reset_.*_counter"
)
# What we refuse of the rest, each of it rightly: a handicap of every point, positions that cannot
# be, and a move to be taken back that another engine's command would have played.
REFUSED = {
    "set_free_handicap: bad vertex list": ["handicap.txt"],
    "set_position: illegal position: a chain of the set-up has no liberty": ["set_position.txt"],
    "set_position: illegal position: two colours on one point": ["set_position.txt"],
    "set_position: syntax error": ["set_position.txt"],
    "undo: cannot undo": ["passalivemode.txt"],
}


def scripts(folder: Path) -> list[Path]:
    found = sorted(path for path in (folder / "gtp").rglob("*") if path.suffix in (".txt", ".gtp"))
    if not found:
        pytest.skip("no scripts")
    return found


def test_every_line_of_the_peers_scripts_gets_a_reply(peer_data: Path) -> None:
    lines = 0
    refused: dict[str, set[str]] = {}
    for path in scripts(peer_data):
        data = path.read_bytes()
        commands = [
            command
            for raw in data.decode("latin-1").split("\n")
            if (command := parse_command(raw)) is not None
        ]
        replies = replies_to(session_of(), data)
        assert len(replies) == len(commands), path.name
        for command, (ok, number, text) in zip(commands, replies, strict=True):
            assert number == command.id
            assert not text.startswith("internal error"), (path.name, command, text)
            if not ok and not OF_OTHERS.match(command.name):
                refused.setdefault(f"{command.name}: {text}", set()).add(path.name)
        lines += len(commands)
    assert lines >= 1900
    assert {reason: sorted(names) for reason, names in refused.items()} == REFUSED
