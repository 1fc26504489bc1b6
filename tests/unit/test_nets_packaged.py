"""The net that comes with the package: small enough, whole, and of some use on every board."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mariago.board.points import BLACK, WHITE
from mariago.nets import load_net, named_net, packaged_net, read_info
from mariago.players import make_player
from mariago.players.protocol import Limits
from mariago.rules import Position

MOST_BYTES = 4_000_000


def test_the_packaged_net_is_small_and_says_where_it_comes_from() -> None:
    folder = packaged_net()
    info = read_info(folder)
    assert sum(file.stat().st_size for file in folder.iterdir()) <= MOST_BYTES
    assert "games made for MariaGO" in info.origin
    assert info.training["data"]["terms"] == "CC0 1.0"
    assert "b6c96" in info.training["data"]["teacher"]["about"]
    assert {f"{n}x{n}" for n in range(7, 20)} <= set(info.sizes)
    assert "Teacher:" in (folder / "card.md").read_text("utf-8")


@pytest.mark.parametrize("name", ["net", "search,visits=4"])
@pytest.mark.parametrize("size", [5, 7, 13, 19, "6x9"])
def test_players_without_a_folder_take_it(name: str, size: int | str) -> None:
    player = make_player(name)
    player.new_game(1)
    position = Position.empty(size, "chinese")
    for _ in range(3):
        move = player.choose(position, Limits()).move
        assert position.legal_mask()[move]
        assert move != position.size.cells
        position = position.play(move)
    player.close()


def test_values_are_those_of_the_side_to_move() -> None:
    """Black owns all of a 9x9 board but one corner: the side to move changes the sign."""
    stones = np.zeros((9, 9), np.uint8)
    stones[:, 1::3] = BLACK
    stones[0, 0] = WHITE
    net = load_net(packaged_net())
    black, white = net.evaluate_positions(
        [Position.from_stones(stones, to_move=side, rules="chinese") for side in (BLACK, WHITE)]
    )
    assert black.value > 0.8
    assert white.value < -0.8
    assert black.score > 20
    assert white.score < -20
    assert black.ownership.mean() > 0.5
    assert white.ownership.mean() < -0.5


@pytest.mark.parametrize("symmetry", range(8))
def test_the_first_move_is_no_fool_s(symmetry: int) -> None:
    """On an empty 19x19 board the likeliest move lies near a corner, however it is turned."""
    position = Position.empty(19, "chinese").symmetry(symmetry)
    (found,) = load_net(packaged_net()).evaluate_positions([position])
    row, column = divmod(int(found.policy[:-1].argmax()), 19)
    assert min(row, 18 - row) in (2, 3, 4)
    assert min(column, 18 - column) in (2, 3, 4)


def test_the_word_packaged_means_it_wherever_a_net_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert named_net(None) == named_net("packaged") == named_net(Path("packaged")) == packaged_net()
    described = make_player("net").describe()["net"]
    for name in ("net:packaged", "search:packaged,visits=2"):
        assert make_player(name).describe()["net"] == described
    (tmp_path / "packaged").mkdir()  # a folder of that name is what is meant
    assert named_net("packaged") == Path("packaged")
