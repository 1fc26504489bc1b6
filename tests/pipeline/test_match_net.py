"""A net as a player: in a match, and under the symmetries of the board."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from mariago.arena import play_match
from mariago.arena.settings import settings_of
from mariago.nets import NetConfig, NetInfo, parameter_shapes, write_net
from mariago.players import Limits, make_player
from mariago.rules import Position

CONFIG = NetConfig.of_size(2, 8)


@pytest.fixture(scope="module")
def net(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An untrained net, its weights drawn at random."""
    rng = np.random.default_rng(5)
    weights = {
        name: np.abs(rng.normal(1.0, 0.1, shape)).astype(np.float32)
        if name.endswith((".scale", ".variance"))
        else rng.normal(0.0, 0.2, shape).astype(np.float32)
        for name, shape in parameter_shapes(CONFIG).items()
    }
    folder = tmp_path_factory.mktemp("nets") / "a, random net"
    write_net(folder, NetInfo(config=CONFIG, origin="random"), weights, card="# Random\n")
    return folder


def test_a_net_plays_a_match_that_repeats_itself(net: Path, tmp_path: Path) -> None:
    name = f'net:"{net}",temperature=0.7'
    settings = settings_of(
        player_a=name, player_b="random", games=4, size=9, komi=6.5, move_limit=40
    )
    one = play_match(settings, tmp_path / "one")
    two = play_match(settings, tmp_path / "two", jobs=2)
    assert one.games == two.games
    assert one.summary.a.illegal == one.summary.a.faults == 0
    described = json.dumps(one.players["a"])
    assert json.loads((net / "net.json").read_text())["files"]["weights.safetensors"] in described


@pytest.mark.parametrize("size", ["9", "9x6"])
def test_the_mean_over_symmetries_turns_with_the_board(net: Path, size: str) -> None:
    player = make_player(f'net:"{net}",symmetries=8')
    plain = make_player(f'net:"{net}"')
    position, mirrored = Position.empty(size), Position.empty(size)
    rng = np.random.default_rng(0)
    for _ in range(14):
        moves = np.flatnonzero(position.legal_mask()[:-1])
        move = int(rng.choice(moves))
        row, column = divmod(move, position.size.columns)
        position = position.play(move)
        turned = row * position.size.columns + position.size.columns - 1 - column
        mirrored = mirrored.play(turned)
    one = player.choose(position, Limits())
    other = player.choose(mirrored, Limits())
    assert one.value == pytest.approx(other.value, abs=1e-5)
    columns = position.size.columns
    for seen, image in zip(one.candidates, other.candidates, strict=True):
        row, column = divmod(seen.move, columns)
        assert image.move == row * columns + columns - 1 - column
        assert image.weight == pytest.approx(seen.weight, abs=1e-5)
    assert plain.choose(position, Limits()).value != pytest.approx(one.value, abs=1e-7)
