"""KataGo's b6c96 in eight-bit integers: made of the file, within the bounds, played with."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from mariago.nets.quantising import quantise_net
from mariago.players import Limits, make_player
from mariago.rules import Position

NETWORK = "nets/g170-b6c96-s175395328-d26788732.bin.gz"
LEAST_TOP1 = {"9x9": 0.87, "13x13": 0.9, "19x19": 0.9}  # 89.8, 92.2 and 93.8 % in November 2026


@pytest.mark.slow
def test_a_network_file_is_quantised_and_played_in_int8(peer_data: Path, tmp_path: Path):
    file = Path(shutil.copy(peer_data / NETWORK, tmp_path / "b6c96.bin.gz"))
    report = quantise_net(file)
    for size, floor in LEAST_TOP1.items():
        assert report.checked[size].top1 >= floor
    position = Position.empty(9, "tromp_taylor")
    for name in (f"katago:{file},precision=int8", f"search:{file},visits=4,precision=int8"):
        player = make_player(name)
        assert player.describe()["net"]["precision"] == "int8"
        position = position.play(player.choose(position, Limits()).move)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "b6c96.bin.gz",
        "b6c96.bin.gz.int8.json",
        "b6c96.bin.gz.int8.onnx",
    ]
