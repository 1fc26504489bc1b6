"""The architecture is KataGo's: one of its networks, read into it, says what KataGo says of it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mariago.board.points import BLACK, WHITE, size_of, vertex_to_move
from mariago.errors import NetError
from mariago.nets import (
    Net,
    NetInfo,
    load_net,
    parameter_shapes,
    write_katago,
    write_net,
)
from mariago.nets.katago_files import read_katago
from mariago.players import Limits, make_player
from mariago.rules import Position

NETWORK = "nets/g170-b6c96-s175395328-d26788732.bin.gz"
ANSWERS = "tactics/katago/raw_nn_b6c96.json"  # what KataGo 1.17 says, see the data's README
COLORS = {"B": BLACK, "W": WHITE}
SAME_MOVES = 54
AGREE_AT_LEAST = 54  # positions, of 54, on which every figure agrees


@pytest.fixture(scope="module")
def net(peer_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Net:
    config, weights = read_katago(peer_data / NETWORK)
    assert {name: array.shape for name, array in weights.items()} == parameter_shapes(config)
    folder = tmp_path_factory.mktemp("katago") / "b6c96"
    write_net(folder, NetInfo(config=config), weights, card="")
    return load_net(folder)


def position_of(row: dict[str, Any]) -> Position:
    size = size_of(row["size"])
    position = Position.empty(size, row["rules"], row["komi"])
    for played in row["moves"]:
        color, vertex = played.split()
        if position.to_move != COLORS[color]:
            position = position.play_pass()
        position = position.play(vertex_to_move(vertex, size))
    return position


def largest_differences(net: Net, row: dict[str, Any]) -> dict[str, float]:
    found = net.evaluate_positions([position_of(row)])[0]
    ours = 1 if row["to_move"] == "W" else -1
    policy = [np.nan if p is None else p for p in row["policy"]] + [row["policy_pass"]]
    return {
        "policy": float(np.nanmax(np.abs(np.array(policy) - found.policy))),
        "win": abs(row["white_win"] - float(found.outcome[0 if ours == 1 else 1])),
        "loss": abs(row["white_loss"] - float(found.outcome[1 if ours == 1 else 0])),
        "lead": abs(row["white_lead"] - ours * found.score),
        "ownership": float(
            np.abs(np.reshape(row["white_ownership"], -1) - ours * found.ownership.ravel()).max()
        ),
    }


def agrees(differences: dict[str, float]) -> bool:
    limits = {"policy": 1e-4, "win": 1e-3, "loss": 1e-3, "lead": 1e-2, "ownership": 1e-3}
    return all(differences[name] < limit for name, limit in limits.items())


def test_a_katago_network_answers_as_katago_does(net: Net, peer_data: Path):
    rows = json.loads((peer_data / ANSWERS).read_text())
    differences = [largest_differences(net, row) for row in rows]
    print({name: max(found[name] for found in differences) for name in differences[0]})
    assert sum(map(agrees, differences)) >= AGREE_AT_LEAST


def test_a_cut_off_network_is_refused_with_its_place(peer_data: Path, tmp_path: Path):
    data = gzip.decompress((peer_data / NETWORK).read_bytes())
    (tmp_path / "cut.bin").write_bytes(data[: len(data) // 2])
    with pytest.raises(NetError, match=r"no whole KataGo network: byte [\d,]+"):
        read_katago(tmp_path / "cut.bin")


def test_the_networks_export_holds_its_numbers(peer_data: Path, tmp_path: Path):
    config, weights = read_katago(peer_data / NETWORK)
    for ending in (".bin.gz", ".txt.gz"):
        write_katago(tmp_path / f"again{ending}", config, weights)
        again, found = read_katago(tmp_path / f"again{ending}")
        assert again == config
        assert all(found[name].tobytes() == weights[name].tobytes() for name in weights)


def test_the_player_of_the_file_chooses_what_katago_likes_best(peer_data: Path):
    player = make_player(f"katago:{peer_data / NETWORK}")
    rows = json.loads((peer_data / ANSWERS).read_text())
    same = 0
    for row in rows:
        best = np.argmax([-1.0 if p is None else p for p in row["policy"]])
        decision = player.choose(position_of(row), Limits())
        same += decision.move == best
        assert decision.value == pytest.approx(
            (row["white_win"] - row["white_loss"]) * (1 if row["to_move"] == "W" else -1), abs=2e-3
        )
    print(f"moves that are KataGo's first choice: {same} of {len(rows)}")
    assert same >= SAME_MOVES
    assert player.describe()["net"]["format_version"] == 8
