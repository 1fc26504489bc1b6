"""The searching player, with a net of random weights."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mariago.board.points import WHITE
from mariago.errors import MariagoError
from mariago.nets import Net, NetConfig, NetInfo, parameter_shapes, write_net
from mariago.players import Limits, make_player
from mariago.players.search_player import SearchOptions, SearchPlayer
from mariago.rules import Position
from mariago.search import Evaluations

FREE = Limits()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rng = np.random.default_rng(4)
    config = NetConfig(
        blocks=("ordinary", "gpool"),
        channels=8,
        mid_channels=8,
        regular_channels=4,
        gpool_channels=4,
        policy_channels=4,
        value_channels=4,
        value_hidden=8,
    )
    weights = {
        name: (
            np.abs(rng.normal(0, 0.3, shape)) + 0.1
            if "variance" in name
            else rng.normal(0, 0.3, shape)
        )
        for name, shape in parameter_shapes(config).items()
    }
    path = tmp_path_factory.mktemp("nets") / "small"
    write_net(path, NetInfo(config=config), weights, card="")
    return path


class Lost:
    """A net that holds every position for lost, its own moves alike."""

    def evaluate(self, planes: np.ndarray, global_inputs: np.ndarray) -> Evaluations:
        count, _, rows, columns = planes.shape
        policy = np.full((count, rows * columns + 1), 1.0)
        to_black = global_inputs[:, 5] < 0  # komi is minus for Black
        value = np.where(to_black, -0.9, 0.9)
        return Evaluations(policy, value, None, np.zeros((count, rows, columns)))


def lost(**keys: object) -> SearchPlayer:
    net: Net = Lost()  # type: ignore[assignment]
    return SearchPlayer("lost", net, SearchOptions.model_validate(keys))


@pytest.mark.parametrize(
    "keys",
    [
        "visits=8",
        "visits=12,gumbel=true",
        "visits=12,gumbel=true,sampled=true",
        "visits=9,symmetries=8",
        "visits=9,symmetries=0,batch=16",
        "visits=16,noise=0.25,forced=2,temperature=1",
        "visits=6,keep=false,lcb=false,score=0",
        "visits=12,transpositions=on,noise=0.25",
    ],
)
@pytest.mark.parametrize("size", [5, "4x3"])
def test_a_game_hangs_on_its_seed_alone(folder: Path, keys: str, size: int | str):
    name = f"search:{folder},{keys}"
    games: list[list[int]] = []
    for seed in (7, 7, 8):
        player = make_player(name)
        player.new_game(seed)
        position = Position.empty(size, "tromp_taylor")
        moves: list[int] = []
        while not position.is_over and len(moves) < 30:
            decision = player.choose(position, FREE)
            assert position.is_legal(decision.move)
            assert decision.value is not None
            assert -1 <= decision.value <= 1
            moves.append(decision.move)
            position = position.play(decision.move)
        games.append(moves)
        player.close()
    assert games[0] == games[1]
    if "temperature" in keys or "sampled" in keys:
        assert games[0] != games[2]


def test_one_visit_plays_as_the_net_alone_where_that_is_legal(folder: Path):
    position = Position.empty(5).play(12)
    net = make_player(f"net:{folder}").choose(position, FREE)
    search = make_player(f"search:{folder},visits=1").choose(position, FREE)
    likeliest = search.candidates[0].move
    assert likeliest == net.move or likeliest == position.size.cells  # which net leaves out early


def test_limits_of_a_move_go_before_the_players_own(folder: Path):
    player = make_player(f"search:{folder},visits=30")
    position = Position.empty(5)
    assert player.choose(position, FREE).facts["visits"] == 30
    player.new_game(0)
    assert player.choose(position, Limits(visits=5)).facts["visits"] == 5
    player.new_game(0)
    timed = player.choose(position, Limits(time_s=0.2)).facts["visits"]
    assert isinstance(timed, int)
    assert timed > 1


def test_a_lost_game_is_given_up_only_where_that_is_asked_for():
    position = Position.empty(5)
    assert not lost(visits=10).choose(position, FREE).resigned
    assert lost(visits=10, resign=0.1).choose(position, FREE).resigned
    white = position.with_to_move(WHITE)
    assert not lost(visits=10, resign=0.1).choose(white, FREE).resigned


def test_the_last_move_before_a_limit_is_chosen_for_the_count():
    board = ". X O\nX O .\n. X O"
    position = Position.from_diagram(board, rules="chinese", komi=0.5)
    player = lost(visits=60)
    stopped = player.choose(position, Limits(moves_left=2))
    assert position.is_legal(stopped.move)
    assert player.search.last_move_number == position.move_number + 2


def test_an_ended_game_is_still_answered():
    position = Position.empty(5).play_pass().play_pass()
    assert position.is_legal(lost(visits=20).choose(position, FREE).move)


@pytest.mark.parametrize(
    "keys",
    [
        *("symmetries=2", "visits=0", "batch=0", "resign=0.9", "noise=2"),
        *("symmetries=0,transpositions=on", "transpositions=maybe", "considered=0"),
    ],
)
def test_keys_out_of_range_are_refused(folder: Path, keys: str):
    with pytest.raises(MariagoError):
        make_player(f"search:{folder},{keys}")


def test_evaluations_that_are_kept_change_no_answer_and_are_asked_for_once(folder: Path):
    """Noise drops the tree with every move; what was evaluated below it is met again."""
    games: list[list[int]] = []
    for keys in ("noise=0.25", "noise=0.25,transpositions=exact"):
        player = make_player(f"search:{folder},visits=30,batch=1,{keys}")
        assert isinstance(player, SearchPlayer)
        player.new_game(5)
        position, moves = Position.empty(5, "tromp_taylor"), []
        for _ in range(6):
            moves.append(player.choose(position, FREE).move)
            position = position.play(moves[-1])
        games.append(moves)
    assert games[0] == games[1]
    known = player.search.evaluator.remembered  # type: ignore[attr-defined]
    assert known.asked == 6 * 30
    assert known.found >= 5  # every root but the first, at least


def test_a_net_that_is_none_is_named(tmp_path: Path):
    with pytest.raises(MariagoError, match="nothing"):
        make_player(f"search:{tmp_path / 'nothing'}")


def test_what_it_is_made_of_is_told(folder: Path):
    told = make_player(f"search:{folder},visits=7,gumbel=true").describe()
    assert told["kind"] == "search"
    assert told["visits"] == 7
    assert "sha256" in str(told["net"])
