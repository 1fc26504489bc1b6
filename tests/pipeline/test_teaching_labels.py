"""Labels by a teacher: what they say of stored rows."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.reference.compare_samples import write_files
from tests.reference.labelled_sets import TRAIN, copied, label, set_and_net, some_games
from tests.reference.random_records import random_game, random_records

from mariago.board.points import BLACK, WHITE
from mariago.cli.main import call
from mariago.features import rows_of_positions
from mariago.nets import load_net
from mariago.players import Limits, make_player
from mariago.players.search_player import SearchPlayer
from mariago.records import BuildOptions, build_records, read_labels, read_manifest, read_table
from mariago.records.labels import Labels
from mariago.rules import RULE_SETS, Position
from mariago.teaching import labelling, net_teacher
from mariago.teaching.teachers import LEAST_SHARE

SHARE_ERROR = 1e-3  # what rounding shares, and leaving the least of them out, may change


@pytest.fixture(scope="module")
def games() -> list[Any]:
    return some_games()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return set_and_net(tmp_path_factory.mktemp("teaching"))


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(net_teacher, "ROWS_AT_ONCE", 16)


def live_positions(folder: Path, games: list[Any]) -> list[Position]:
    """Return the position before the move of each row, from the games themselves."""
    table = read_table(folder, "train", ["game", "move_number", "to_move"]).to_pylist()
    paths = {g["game"]: int(Path(g["path"]).stem) for g in _games_table(folder)}
    lines = [list(game.positions()) for game in games]
    found = [lines[paths[row["game"]]][row["move_number"] - 1] for row in table]
    assert [position.to_move for position in found] == [row["to_move"] for row in table]
    return found


def _games_table(folder: Path) -> list[dict[str, Any]]:
    from mariago.records.stored import read_games

    return read_games(read_manifest(folder), ["game", "path"]).to_pylist()


def by_row(labels: Labels, positions: list[Position]) -> list[tuple[Any, Any]]:
    """Return policy and ownership of each row; every row has a label."""
    assert labels.rows.tolist() == list(range(len(positions)))
    assert labels.policy is not None
    assert labels.ownership is not None
    cells = np.array([position.size.cells for position in positions])
    policies = np.split(labels.policy, np.cumsum(cells + 1)[:-1])
    return list(zip(policies, np.split(labels.ownership, np.cumsum(cells)[:-1]), strict=True))


@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_legal_moves_of_rows_are_those_of_the_live_position(rules: str) -> None:
    games = [random_game(seed, "5x4", 70, rules=rules) for seed in range(8)]
    positions = [position for game in games for position in game.positions()]
    live = np.stack([position.legal_mask() for position in positions])
    assert np.array_equal(net_teacher.legal_moves(rows_of_positions(positions)), live)
    assert any(position.ko is not None or position.superko_banned() for position in positions)


def test_labels_of_all_sizes_and_sides_are_what_the_net_says_live(
    whole: Path, games: list[Any], tmp_path: Path
) -> None:
    folder = copied(whole, tmp_path)
    done = label(folder, whole, name="t")
    positions = live_positions(folder, games)
    labels = read_labels(folder, TRAIN, "t")
    said = load_net(whole / "net").evaluate_positions(positions)
    assert {p.to_move for p in positions} == {BLACK, WHITE}
    assert len({p.size for p in positions}) == 5
    assert labels.value is not None
    assert labels.lead is not None
    np.testing.assert_allclose(labels.value, [s.value for s in said], atol=1e-5)
    np.testing.assert_allclose(labels.lead, [s.score for s in said], rtol=1e-4, atol=1e-3)
    for (policy, ownership), live, position in zip(
        by_row(labels, positions), said, positions, strict=True
    ):
        np.testing.assert_allclose(ownership, live.ownership.ravel(), atol=0.5 / 127 + 1e-5)
        if position.superko_banned():  # a stored row does not tell these
            continue
        np.testing.assert_allclose(policy, live.policy, atol=SHARE_ERROR)
        assert not policy[~position.legal_mask()].any()
        assert not ((policy > 0) & (policy < LEAST_SHARE / 2)).any()
    assert (labels.visits == 0).all()
    assert done.rows == done.made == len(positions)


@pytest.mark.parametrize(("symmetries", "turns"), [(2, (0, 3)), (8, range(8))])
def test_a_mean_over_symmetries_is_that_of_the_turned_positions(
    whole: Path, games: list[Any], tmp_path: Path, symmetries: int, turns: Any
) -> None:
    from mariago.board.geometry import inverse, move_table

    folder = copied(whole, tmp_path)
    label(folder, whole, name="t", symmetries=symmetries)
    positions = live_positions(folder, games)
    labels = read_labels(folder, TRAIN, "t")
    assert labels.value is not None
    shown = by_row(labels, positions)
    net = load_net(whole / "net")
    for at in range(0, len(positions), 9):
        position = positions[at]
        square = position.size.rows == position.size.columns
        used = [turn for turn in turns if square or turn < 4]
        said = [net.evaluate_positions([position.symmetry(turn)])[0] for turn in used]
        assert labels.value[at] == pytest.approx(np.mean([s.value for s in said]), abs=1e-5)
        policy = np.zeros(position.size.cells + 1)
        owned = np.zeros(position.size.cells)
        for turn, s in zip(used, said, strict=True):
            table = move_table(position.size, turn)
            policy += s.policy[table] / len(used)
            owned += s.ownership.ravel()[table[:-1]] / len(used)
            assert inverse(inverse(turn)) == turn
        np.testing.assert_allclose(shown[at][0], policy, atol=SHARE_ERROR)
        np.testing.assert_allclose(shown[at][1], owned, atol=0.5 / 127 + 1e-5)


def test_a_search_teaches_what_the_player_finds_in_the_live_game(
    whole: Path, games: list[Any], tmp_path: Path
) -> None:
    folder = copied(whole, tmp_path)
    name = f"search:{whole / 'net'},visits=6"
    label(folder, whole, teacher=name, name="s", every=3)
    labels = read_labels(folder, TRAIN, "s")
    positions = [live_positions(folder, games)[row] for row in labels.rows]
    player = make_player(name)
    assert isinstance(player, SearchPlayer)
    assert labels.policy is not None
    assert labels.value is not None
    assert labels.ownership is not None
    start = 0
    for i, position in enumerate(positions):
        player.new_game(0)
        found = player.analyse(position, Limits())
        shares = labels.policy[start : start + len(found.target)]
        start += len(found.target)
        np.testing.assert_allclose(shares, found.target, atol=SHARE_ERROR)
        assert labels.value[i] == pytest.approx(found.value, abs=1e-5)
        assert labels.visits[i] == found.visits == 6


def test_rows_are_thinned_within_games_and_for_both_sides(whole: Path) -> None:
    manifest = read_manifest(whole / "set")
    table = read_table(whole / "set", "train", ["game", "to_move", "move_number"])
    games, sides = table["game"].to_numpy(), table["to_move"].to_numpy()
    every = labelling.chosen_rows(manifest, TRAIN, every=4)
    assert len(games) / 5 < len(every) < len(games) / 3
    assert set(sides[every]) == {BLACK, WHITE}
    few = labelling.chosen_rows(manifest, TRAIN, most=3)
    assert (np.diff(few.astype(int)) > 0).all()
    _, counts = np.unique(games[few], return_counts=True)
    assert counts.tolist() == [3] * len(set(games))
    both = labelling.chosen_rows(manifest, TRAIN, every=4, most=2)
    assert set(both) <= set(every)
    assert len(both) == 2 * len(set(games))


def test_records_without_their_moves_are_searched_from_their_boards(
    tmp_path: Path, whole: Path
) -> None:
    from mariago.teaching.search_teacher import positions_of_table

    source = write_files(tmp_path / "source", random_records([1], 5, 20))
    out = tmp_path / "set"
    build_records(
        [source], origin="o", terms="t", out=out,
        options=BuildOptions(size="any", validation=0, test=0),
    )  # fmt: skip
    table = read_table(out, "train")
    manifest = read_manifest(out)
    known = positions_of_table(manifest, table)
    other = table.set_column(
        table.schema.get_field_index("move_number"),
        table.schema.field("move_number"),
        [np.full(table.num_rows, 900, np.int16)],
    )
    alone = positions_of_table(manifest, other)
    assert all(len(position.moves) == 0 for position in alone)
    for one, two in zip(known, alone, strict=True):
        assert np.array_equal(one.stones, two.stones)
        assert (one.to_move, one.ko, one.komi) == (two.to_move, two.ko, two.komi)


def test_report_and_show_tell_what_teachers_say_for_black(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = copied(whole, tmp_path)
    label(folder, whole, name="one")
    label(folder, whole, name="two", every=2)
    labels = read_labels(folder, TRAIN, "one")
    assert labels.value is not None
    assert labels.lead is not None
    rows = read_table(folder, "train", ["game", "move_number", "to_move"]).to_pylist()
    white = next(i for i, row in enumerate(rows) if row["to_move"] == WHITE and i > 20)
    for at, sign in ((white, -1), (white - 1, 1)):
        name = f"{rows[at]['game']}:{rows[at]['move_number']}"
        assert call(["records", "show", str(folder), name, "--json"]) == 0
        first, *_ = told = json.loads(capsys.readouterr().out)["labels"]
        assert first["win_rate"] == pytest.approx((1 + sign * labels.value[at]) / 2, abs=1e-6)
        assert first["lead"] == pytest.approx(sign * labels.lead[at], rel=1e-5)
        shares = [move["share"] for move in first["moves"]]
        assert len(shares) == 3
        assert shares == sorted(shares, reverse=True)
        assert call(["records", "show", str(folder), name]) == 0
        assert capsys.readouterr().out.count("Teacher") == len(told)
    assert (
        call(["records", "report", str(folder), "--json", "--out", str(tmp_path / "r.html")]) == 0
    )
    counts = json.loads(capsys.readouterr().out)["labelled"]
    assert counts["one"] == len(rows)
    assert 0 < counts["two"] < len(rows)
    (folder / f"labels-one-{TRAIN}").unlink()
    bare = next(
        f"{row['game']}:{row['move_number']}"
        for row in rows
        if (row["game"] + row["move_number"]) % 2
    )
    assert call(["records", "show", str(folder), bare]) == 0
    assert re.search(r"^Teacher +no label$", capsys.readouterr().out, re.M)
    assert call(["records", "show", str(folder), "0"]) == 0
    assert re.search(r"^Labels in the data set +two: [0-9]+$", capsys.readouterr().out, re.M)
