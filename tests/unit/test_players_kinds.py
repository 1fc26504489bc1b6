"""What each kind of player does with a position."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace

import numpy as np
import pytest

from mariago.errors import MariagoError
from mariago.players import Decision, Limits, Player, make_player
from mariago.players.eyes import own_eyes, solid_eyes
from mariago.players.net_player import NetOptions, NetPlayer
from mariago.rules import Position

FREE = Limits()


def moves_of(player: Player, position: Position, seed: int, count: int) -> list[int]:
    player.new_game(seed)
    found: list[int] = []
    for _ in range(count):
        if position.is_over:
            break
        move = player.choose(position, FREE).move
        assert position.is_legal(move)
        found.append(move)
        position = position.play(move)
    return found


@pytest.mark.parametrize("name", ["random", "heuristic", "heuristic:v1"])
@pytest.mark.parametrize("size", [9, "7x5", 1, 2, 19])
def test_a_player_is_legal_and_hangs_on_its_seed_alone(name: str, size: int | str) -> None:
    start = Position.empty(size, "tromp_taylor")
    one, other = make_player(name), make_player(name)
    first = moves_of(one, start, 7, 60)
    moves_of(one, start, 8, 20)
    assert moves_of(one, start, 7, 60) == first
    assert moves_of(other, start, 7, 60) == first
    if start.size.cells > 30 and name != "heuristic:v1":
        assert moves_of(one, start, 8, 60) != first


def test_the_key_seed_changes_the_game() -> None:
    start = Position.empty(9)
    plain, seeded = make_player("random"), make_player("random,seed=1")
    assert moves_of(plain, start, 7, 20) != moves_of(seeded, start, 7, 20)


EYES = """
. X . O .
X X X O O
X . X . O
. X X O O
X X . O .
"""


def test_eyes_of_the_side_to_move() -> None:
    black = Position.from_diagram(EYES, to_move=1)
    white = Position.from_diagram(EYES, to_move=2)
    assert np.flatnonzero(own_eyes(black)).tolist() == [0, 11, 15]
    assert np.flatnonzero(own_eyes(white)).tolist() == [4, 24]


FALSE_EYE = """
. X O . .
X . X . .
O X . . .
. . . . .
. . . . .
"""


def test_an_eye_whose_corners_are_taken_is_not_solid() -> None:
    position = Position.from_diagram(FALSE_EYE, to_move=1)
    assert own_eyes(position)[6]
    assert not solid_eyes(position)[6]
    assert solid_eyes(position)[0]


def test_random_passes_where_only_eyes_are_left() -> None:
    position = Position.from_diagram(EYES, to_move=2)
    player = make_player("random")
    player.new_game(0)
    legal = {int(move) for move in np.flatnonzero(position.legal_mask()[:-1])} - {4, 24}
    seen = {player.choose(position, FREE).move for _ in range(200)}
    assert seen == (legal or {25})
    full = Position.from_diagram("X X .\nX . X\n", to_move=1)
    assert player.choose(full, FREE).move == full.size.cells


def test_random_plays_every_move_about_equally_often() -> None:
    position = Position.empty(3)
    player = make_player("random")
    player.new_game(3)
    counts = np.bincount([player.choose(position, FREE).move for _ in range(1800)], minlength=10)
    assert counts[9] == 0
    assert counts[:9].min() > 140  # 200 expected, standard deviation 13


def test_players_describe_themselves_in_plain_values() -> None:
    for name in ("random,seed=4", "heuristic", "heuristic:v2"):
        described = make_player(name).describe()
        assert described["name"] == name
        assert all(isinstance(value, str | int | float) for value in described.values())
    hashes = {
        make_player(f"heuristic:{v}").describe()["weights_sha256"] for v in ("v1", "v2", "v3")
    }
    assert len(hashes) == 3
    with pytest.raises(MariagoError, match="no version"):
        make_player("heuristic:v99")


class StandInNet:
    """A net that says what it is told, seen from the board as it stands."""

    info = SimpleNamespace(imported={}, training={})  # has learnt no ownership

    def __init__(self, policy: Sequence[float]) -> None:
        self.policy = np.asarray(policy, np.float32)

    def evaluate_positions(self, positions: Sequence[Position]) -> list[SimpleNamespace]:
        found = self.policy * positions[0].legal_mask()
        total = found.sum()
        return [SimpleNamespace(policy=found / total if total else found, value=0.25)]

    def describe(self) -> dict[str, object]:
        return {"sha256": "0"}


def net_player(policy: Sequence[float], **options: object) -> NetPlayer:
    net = StandInNet(policy)
    return NetPlayer("net:x", net, NetOptions.model_validate(options))  # type: ignore[arg-type]


def test_net_plays_the_likeliest_legal_move() -> None:
    position = Position.empty(3).play(4)
    player = net_player([0, 0.1, 0.2, 0, 0.6, 0, 0, 0, 0.05, 0])
    decision = player.choose(position, FREE)
    assert decision.move == 2
    assert decision.value == 0.25
    assert [candidate.move for candidate in decision.candidates] == [2, 1, 8]
    assert sum(candidate.weight for candidate in decision.candidates) == pytest.approx(1)


def test_net_ignores_a_pass_before_half_the_board_is_played() -> None:
    player = net_player([0.01] * 9 + [0.9])
    position = Position.empty(3)
    assert player.choose(position, FREE).move != 9
    for move in (4, 0, 1, 2, 3):
        position = position.play(move)
    assert player.choose(position, FREE).move == 9


def test_net_passes_rather_than_filling_its_last_eyes() -> None:
    player = net_player([1.0] * 25 + [0.0])
    eyes = """
    . X X O .
    X X O O O
    X X O O .
    X X X O O
    . X X O O
    """
    position = Position.from_diagram(eyes, to_move=1)
    assert np.flatnonzero(position.legal_mask()).tolist()[:2] == [0, 20]
    assert player.choose(position, FREE).move == 25


def test_net_draws_at_its_temperature_until_the_move_named() -> None:
    policy = [0.5, 0.25, 0.125, 0.125, 0, 0, 0, 0, 0, 0]
    start = Position.empty(3)

    def share(**options: object) -> float:
        player = net_player(policy, **options)
        player.new_game(1)
        return float(np.mean([player.choose(start, FREE).move == 0 for _ in range(800)]))

    assert share() == 1
    assert share(temperature=1) == pytest.approx(0.5, abs=0.06)
    assert share(temperature=0.5) == pytest.approx(0.25 / 0.34375, abs=0.06)
    assert share(temperature=0.001) == 1  # no overflow
    later = start.play(8).play(7)
    player = net_player(policy, temperature=1, until_move=2)
    assert {player.choose(later, FREE).move for _ in range(50)} == {0}
    assert len({player.choose(start, FREE).move for _ in range(50)}) > 1


def test_a_net_without_any_likely_move_passes() -> None:
    player = net_player([0.0] * 10)
    assert player.choose(Position.empty(3), FREE) == Decision(9, 0.25)
