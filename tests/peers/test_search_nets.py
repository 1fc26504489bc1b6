"""What 100 visits add to a real net: problems and ladders that its policy alone gets wrong.

The net is KataGo's b6c96. Found by going through every ninth of Cho's and every eighth of Lee's
problems: of 100 and 92 the policy's first move is right in 30 and 20, the search's in 36 and 35.
The net plays the whole board, so where a corner is worth less than a move elsewhere, neither is
"right". The floors of the counts may only rise.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.peers.tsumego_files import ELEMENTARY, TESUJI, json_problems

from mariago.players import Limits, make_player
from mariago.players.search_player import SearchPlayer
from mariago.rules import Position

NETWORK = "nets/g170-b6c96-s175395328-d26788732.bin.gz"
PROBLEMS = "tsumego/sanderland_part.tar.gz"
VISITS = 100

# Collection, problem: wrong by the policy alone, right with the search; and by how much, of the
# chance to win, the search holds its move to be better than the policy's.
MENDED = [
    (ELEMENTARY, "Prob0433", 0.3),
    (TESUJI, "1-9", 0.3),
    (TESUJI, "2-50", 0.3),
]
# Collection, every how many: at least so many right by the policy alone, with the search.
COUNTED = [(ELEMENTARY, 9, 30, 36), (TESUJI, 8, 20, 35)]


@pytest.fixture(scope="module")
def player(peer_data: Path) -> SearchPlayer:
    made = make_player(f'search:"{peer_data / NETWORK}",visits={VISITS}')
    assert isinstance(made, SearchPlayer)
    return made


def answer(player: SearchPlayer, position: Position, visits: int) -> int:
    player.new_game(0)
    return player.analyse(position, Limits(visits=visits)).move


@pytest.mark.parametrize(("part", "name", "better"), MENDED)
def test_a_search_finds_what_the_net_alone_does_not(
    player: SearchPlayer, peer_data: Path, part: str, name: str, better: float
) -> None:
    problem = next(p for p in json_problems(peer_data / PROBLEMS, part) if p.name == name)
    alone = answer(player, problem.position, 1)
    assert alone not in problem.moves
    player.new_game(0)
    found = player.analyse(problem.position, Limits(visits=VISITS))
    assert found.move in problem.moves, found.table()
    other = next(move for move in found.moves if move.move == alone)
    assert other.visits > 0
    assert (found.moves[0].value - other.value) / 2 > better, found.table()


@pytest.mark.slow
@pytest.mark.parametrize(("part", "every", "alone", "searched"), COUNTED)
def test_problems_solved(
    player: SearchPlayer, peer_data: Path, part: str, every: int, alone: int, searched: int
) -> None:
    problems = list(json_problems(peer_data / PROBLEMS, part))[::every]
    by_policy = sum(answer(player, p.position, 1) in p.moves for p in problems)
    by_search = sum(answer(player, p.position, VISITS) in p.moves for p in problems)
    print(f"{part}: {len(problems)} problems, {by_policy} by the policy, {by_search} searched")
    assert by_policy >= alone
    assert by_search >= searched
