"""Guessing the dead: games of KGS that ended in two passes and a count that both players took."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest

from mariago.gtp import Session, answer
from mariago.players import make_player
from mariago.rules import Game, Position
from mariago.scoring import final_score, score_area, score_territory
from mariago.sgf import read_games

NETWORK = "nets/g170-b6c96-s175395328-d26788732.bin.gz"
GAMES = 150


def counted_games(archive: Path) -> list[tuple[Position, float]]:
    """Return the last position and Black's margin of the first games that were counted."""
    found: list[tuple[Position, float]] = []
    with tarfile.open(archive) as tar:
        for member in tar:
            if not member.isfile() or len(found) == GAMES:
                continue
            file = tar.extractfile(member)
            assert file is not None
            read = read_games(file.read())[0]
            margin = None if read.result is None else read.result.black_margin
            passes = [move for _, move in read.moves[-2:]] == [read.size.cells] * 2
            named = read.rules in ("japanese", "chinese")
            if read.refusal is None and named and passes and margin is not None:
                found.append((read.to_game().position, margin))
    return found


@pytest.mark.slow
def test_most_counts_are_those_that_the_players_agreed_on(peer_data: Path) -> None:
    games = counted_games(peer_data / "records" / "kgs_6d_2003.tar.gz")
    assert len(games) == GAMES
    close = winner = plain = 0
    for position, margin in games:
        found = final_score(position).margin
        close += abs(found - margin) <= 1
        winner += (found > 0) == (margin > 0)
        count = score_area if position.rules.scoring == "area" else score_territory
        plain += abs(count(position).margin - margin) <= 1
    # Counted: 119 and 142; 4 with every stone alive. People err too.
    assert close >= 119
    assert winner >= 142
    assert plain < 10


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["search", "katago"])
def test_the_ownership_of_a_net_counts_better(peer_data: Path, kind: str) -> None:
    games = counted_games(peer_data / "records" / "kgs_6d_2003.tar.gz")
    name = f'{kind}:"{peer_data / NETWORK}"'
    session = Session(lambda: make_player(name), name)
    close = winner = 0
    for position, margin in games[: GAMES if kind == "search" else 20]:
        session.begin(Game(position))
        found = final_score(position, session.guess).margin
        assert answer(session, "final_score").strip("= \n").startswith("BW"[found < 0])
        close += abs(found - margin) <= 1
        winner += (found > 0) == (margin > 0)
    # Counted with b6c96: 140 and 148 of 150
    assert close >= (140 if kind == "search" else 20)
    assert winner >= (148 if kind == "search" else 20)
