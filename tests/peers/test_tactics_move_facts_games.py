"""What is said of the moves of real games holds on the board after them.

Games: a spread of KGS games of 2019 and of KataGo's own games on 9x9 to 19x19. In 11,762 moves of
58 of these games 1,194 save chains from a ladder: none of them can be taken at once or in a ladder,
and every chain told of is named.
"""

from __future__ import annotations

import tarfile
from collections import Counter
from pathlib import Path

import pytest

from mariago.board.points import vertex_to_move
from mariago.rules import Position
from mariago.sgf import read_games
from mariago.tactics import Facts, facts_of_move, reads_as_captured

NAMED = (
    "captures", "saves_by_capturing", "saves_by_connecting", "gives_atari", "ladder_works",
    "ladder_broken", "averts_ladder", "ladder_breaker", "ladder_made", "ladder_lost", "exposed",
    "net", "closed_in",
)  # fmt: skip


def moves_of(archive: Path, games: int, folder: Path):
    """Yield (position before, facts) of the moves of a spread of games."""
    with tarfile.open(archive) as tar:
        files = sorted(member.name for member in tar if member.name.endswith(".sgf"))
        for name in files[:: len(files) // games]:
            held = tar.extractfile(name)
            assert held is not None
            path = folder / "game.sgf"
            path.write_bytes(held.read())
            game = read_games(path)[0]
            for position, (color, move) in zip(
                game.to_game().positions(), game.moves, strict=False
            ):
                turned = position if position.to_move == color else position.with_to_move(color)
                if move < position.size.cells and turned.is_legal(move):
                    yield turned, facts_of_move(turned, move)


def check(position: Position, told: Facts) -> None:
    after = position.play(told.move)
    for vertex in told.places.get("averts_ladder", ()):
        stone = vertex_to_move(vertex, position.size)
        room = len(after.liberties_at(stone))
        assert room > 2 or (room == 2 and not reads_as_captured(after, stone)), (told, vertex)
    for name in NAMED:
        assert (name in told.places) == (getattr(told, name) > 0), (told, name)
    assert len(told.shapes) <= 1
    assert not (told.net and (told.gives_atari or told.connects or told.captures))


@pytest.mark.parametrize(
    ("name", "games"), [("kgs_clamshell_2019.tar.gz", 5), ("engine_games.tar.gz", 10)]
)
def test_what_is_told_of_moves_of_real_games_holds(peer_data, tmp_path, name, games):
    archive = peer_data / "records" / name
    if not archive.is_file():
        pytest.skip(f"no {name}")
    counted: Counter[str] = Counter()
    for position, told in moves_of(archive, games, tmp_path):
        check(position, told)
        counted.update(told.names)
    print(dict(counted))
    assert counted["averts_ladder"] >= 50
    assert counted["broken_ladder"] >= 1
